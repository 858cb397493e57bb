// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshCells.H"
#include "boundBox.H"
#include "HashSet.H"

namespace
{

using namespace Foam;

// primitiveMesh's own, which it keeps to itself
const scalar closedThreshold = 1e-6;


// checkMesh's limit is for meshes of some metres, all cells of a small one are
// below it: that of a box smaller than a cubic metre is smaller alike
scalar smallestPyramid(const primitiveMesh& mesh)
{
    const boundBox box(mesh.points(), false);
    return -SMALL*min(scalar(1), cmptProduct(box.span()));
}


label first(const labelHashSet& set)
{
    label smallest = labelMax;
    for (const label i : set) smallest = min(smallest, i);
    return smallest;
}


// Names the first of the cells; `why` says what is damaged
void refuseCells
(
    const primitiveMesh& mesh,
    const fileName& folder,
    const labelHashSet& cells,
    const char* what,
    const char* why
)
{
    const label celli = first(cells);
    const cell& faces = mesh.cells()[celli];
    // A cell without volume has no centre
    const point middle(average(pointField(mesh.faceCentres(), faces)));
    FatalIOErrorInFunction(dictionary(folder))
        << what << ", number of cells " << cells.size()
        << ": the first is cell " << celli << " at " << middle
        << " with faces " << flatOutput(faces) << nl << why
        << exit(FatalIOError);
}


void refuseFaces
(
    const primitiveMesh& mesh,
    const fileName& folder,
    const labelHashSet& faces,
    const char* what,
    const char* why
)
{
    const label facei = first(faces);
    FatalIOErrorInFunction(dictionary(folder))
        << what << ", number of faces " << faces.size()
        << ": the first is face " << facei << " at "
        << mesh.faceCentres()[facei] << " of cell " << mesh.faceOwner()[facei];
    if (mesh.isInternalFace(facei))
    {
        FatalIOError<< " and cell " << mesh.faceNeighbour()[facei];
    }
    FatalIOError<< nl << why << exit(FatalIOError);
}


void checkClosed(const primitiveMesh& mesh, const fileName& folder)
{
    labelHashSet open;
    mesh.checkClosedCells(false, &open);
    if (open.empty()) return;
    mesh.checkClosedCells(true);
    refuseCells
    (
        mesh,
        folder,
        open,
        "Open cells found",
        "Faces, owner and neighbour do not fit together"
    );
}


void checkVolumes(const primitiveMesh& mesh, const fileName& folder)
{
    labelHashSet bad;
    if (!mesh.checkCellVolumes(false, &bad)) return;
    mesh.checkCellVolumes(true);
    refuseCells
    (
        mesh,
        folder,
        bad,
        "Zero or negative cell volume detected",
        "Points are not where these cells' faces have them, or faces look"
        " inwards"
    );
}


void checkPyramids(const primitiveMesh& mesh, const fileName& folder)
{
    const scalar smallest = smallestPyramid(mesh);
    labelHashSet bad;
    if (!mesh.checkFacePyramids(false, smallest, &bad)) return;
    mesh.checkFacePyramids(true, smallest);
    refuseFaces
    (
        mesh,
        folder,
        bad,
        "Error in face pyramids, faces are incorrectly oriented",
        "The face does not look from its owner to its neighbour, or points are"
        " not where its cells have them"
    );
}


void checkOrder(const primitiveMesh& mesh, const fileName& folder)
{
    labelHashSet bad;
    if (!mesh.checkUpperTriangular(false, &bad)) return;
    mesh.checkUpperTriangular(true);
    refuseFaces
    (
        mesh,
        folder,
        bad,
        "Faces not in upper triangular order",
        "renumberMesh -overwrite puts a mesh in order that is sound otherwise"
    );
}


// By owner, then by neighbour: enough, though not needed, for the order
bool inOrder(const primitiveMesh& mesh)
{
    const labelList& own = mesh.faceOwner();
    const labelList& nei = mesh.faceNeighbour();
    for (label i = 1; i < nei.size(); ++i)
    {
        const bool after =
            own[i] > own[i - 1] || (own[i] == own[i - 1] && nei[i] >= nei[i - 1]);
        if (!after) return false;
    }
    return true;
}


bool outwards(const primitiveMesh& mesh)
{
    const labelList& own = mesh.faceOwner();
    const labelList& nei = mesh.faceNeighbour();
    const vectorField& S = mesh.faceAreas();
    const pointField& middle = mesh.faceCentres();
    const pointField& centre = mesh.cellCentres();
    const scalar least = 3*smallestPyramid(mesh);
    forAll(own, i)
    {
        if (!((S[i] & (middle[i] - centre[own[i]])) >= least)) return false;
    }
    forAll(nei, i)
    {
        if (!((S[i] & (centre[nei[i]] - middle[i])) >= least)) return false;
    }
    return true;
}


bool closed(const primitiveMesh& mesh)
{
    const labelList& own = mesh.faceOwner();
    const labelList& nei = mesh.faceNeighbour();
    const vectorField& S = mesh.faceAreas();
    vectorField sum(mesh.nCells(), Zero);
    vectorField sumMag(mesh.nCells(), Zero);
    forAll(own, i)
    {
        sum[own[i]] += S[i];
        sumMag[own[i]] += cmptMag(S[i]);
    }
    forAll(nei, i)
    {
        sum[nei[i]] -= S[i];
        sumMag[nei[i]] += cmptMag(S[i]);
    }
    forAll(sum, celli)
    {
        for (direction d = 0; d < vector::nComponents; ++d)
        {
            const scalar limit =
                closedThreshold*(sumMag[celli][d] + ROOTVSMALL);
            if (!(mag(sum[celli][d]) <= limit)) return false;
        }
    }
    return true;
}


bool positive(const scalarField& volumes)
{
    for (const scalar v : volumes)
    {
        if (!(v >= VSMALL)) return false;
    }
    return true;
}

} // End anonymous namespace


void Foam::lbmMeshCells::check
(
    const primitiveMesh& mesh,
    const fileName& folder
)
{
    if (!closed(mesh)) checkClosed(mesh, folder);
    if (!positive(mesh.cellVolumes())) checkVolumes(mesh, folder);
    if (!outwards(mesh)) checkPyramids(mesh, folder);
    if (!inOrder(mesh)) checkOrder(mesh, folder);
}
