// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshCells.H"
#include "boundBox.H"
#include "HashSet.H"

#include <cstdint>
#include <vector>

namespace
{

using namespace Foam;

// primitiveMesh's own, which it keeps to itself
const scalar closedThreshold = 1e-6;


// Of the sizes of all faces: what faces that are not flat may leave
const scalar surroundedThreshold = 0.01;


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


// What OpenFOAM's matrices need; that neighbours rise, too, makes them faster
bool addressable(const primitiveMesh& mesh)
{
    const labelList& own = mesh.faceOwner();
    const labelList& nei = mesh.faceNeighbour();
    forAll(nei, i)
    {
        if (own[i] >= nei[i] || (i > 0 && own[i] < own[i - 1])) return false;
    }
    return true;
}


void checkOrder(const primitiveMesh& mesh, const fileName& folder)
{
    labelHashSet bad;
    if (!mesh.checkUpperTriangular(false, &bad)) return;
    if (addressable(mesh))
    {
        Info<< "Faces not in upper triangular order, number of faces "
            << bad.size() << ": OpenFOAM's solvers are slower with them"
            << " (renumberMesh -overwrite)" << nl << endl;
        return;
    }
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


// Two numbers as one that tells nothing of them (splitmix64, Steele et al. 2014)
std::uint64_t mixed(const label a, const label b)
{
    std::uint64_t z = std::uint64_t(a) << 32 | std::uint32_t(b);
    z = (z ^ z >> 30)*0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27)*0x94d049bb133111eb;
    return z ^ z >> 31;
}


// Cells with an edge that belongs to another number of its faces than two: of
// those, each edge cancels itself
labelHashSet unjoined(const primitiveMesh& mesh)
{
    const faceList& faces = mesh.faces();
    const labelList& own = mesh.faceOwner();
    const labelList& nei = mesh.faceNeighbour();
    std::vector<std::uint64_t> left(std::size_t(mesh.nCells()), 0);
    forAll(faces, i)
    {
        const face& f = faces[i];
        std::uint64_t edges = 0;
        forAll(f, j)
        {
            const label a = f[j], b = f.nextLabel(j);
            edges ^= mixed(min(a, b), max(a, b));
        }
        left[own[i]] ^= edges;
        if (i < nei.size()) left[nei[i]] ^= edges;
    }
    labelHashSet cells;
    for (label celli = 0; celli < mesh.nCells(); ++celli)
    {
        if (left[celli]) cells.insert(celli);
    }
    return cells;
}


// The sum of x S over the faces of a cell is V I wherever they close, also where
// points of one face are missing in that beside it (hanging nodes)
bool surrounded(const primitiveMesh& mesh, const label celli)
{
    tensor moment(-mesh.cellVolumes()[celli]*tensor::I);
    scalar size = 0;
    for (const label facei : mesh.cells()[celli])
    {
        const vector x(mesh.faceCentres()[facei] - mesh.cellCentres()[celli]);
        const vector& S = mesh.faceAreas()[facei];
        moment += (mesh.faceOwner()[facei] == celli ? 1 : -1)*(x*S);
        size += mag(x)*mag(S);
    }
    return mag(moment) <= surroundedThreshold*size;
}


void checkJoined(const primitiveMesh& mesh, const fileName& folder)
{
    labelHashSet bad;
    for (const label celli : unjoined(mesh))
    {
        if (!surrounded(mesh, celli)) bad.insert(celli);
    }
    if (bad.empty()) return;
    refuseCells
    (
        mesh,
        folder,
        bad,
        "Open cells found",
        "Edges of their faces do not meet: faces are another cell's"
    );
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
    checkJoined(mesh, folder);
}
