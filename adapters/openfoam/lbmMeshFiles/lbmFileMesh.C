// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFileMesh.H"
#include "boundBox.H"

namespace Foam
{
namespace
{

label first(const labelHashSet& set)
{
    label smallest = labelMax;
    for (const label i : set) smallest = min(smallest, i);
    return smallest;
}

} // End anonymous namespace
} // End namespace Foam


Foam::lbmFileMesh::lbmFileMesh
(
    const pointField& points,
    const faceList& faces,
    const labelList& owner,
    const labelList& neighbour,
    const label nCells,
    const fileName& folder
)
:
    primitiveMesh(points.size(), neighbour.size(), faces.size(), nCells),
    points_(points),
    faces_(faces),
    owner_(owner),
    neighbour_(neighbour),
    folder_(folder)
{}


void Foam::lbmFileMesh::refuseCells
(
    const labelHashSet& cells,
    const char* what,
    const char* why
) const
{
    const label celli = first(cells);
    FatalIOErrorInFunction(dictionary(folder_))
        << what << ", number of cells " << cells.size()
        << ": the first is cell " << celli << " at " << cellCentres()[celli]
        << " with faces " << flatOutput(this->cells()[celli]) << nl << why
        << exit(FatalIOError);
    std::abort();
}


void Foam::lbmFileMesh::refuseFaces
(
    const labelHashSet& faces,
    const char* what,
    const char* why
) const
{
    const label facei = first(faces);
    FatalIOErrorInFunction(dictionary(folder_))
        << what << ", number of faces " << faces.size()
        << ": the first is face " << facei << " at " << faceCentres()[facei]
        << " of cell " << owner_[facei];
    if (isInternalFace(facei))
    {
        FatalIOError<< " and cell " << neighbour_[facei];
    }
    FatalIOError<< nl << why << exit(FatalIOError);
    std::abort();
}


void Foam::lbmFileMesh::checkClosed() const
{
    labelHashSet open;
    checkClosedCells(false, &open);
    if (open.empty()) return;
    checkClosedCells(true);
    refuseCells
    (
        open,
        "Open cells found",
        "Faces, owner and neighbour do not fit together"
    );
}


void Foam::lbmFileMesh::checkVolumes() const
{
    labelHashSet bad;
    if (!checkCellVolumes(false, &bad)) return;
    checkCellVolumes(true);
    refuseCells
    (
        bad,
        "Zero or negative cell volume detected",
        "Points are not where these faces' cells have them"
    );
}


void Foam::lbmFileMesh::checkPyramids() const
{
    // checkMesh's limit is for meshes of some metres: this one is the same for
    // a box of a cubic metre, and serves small meshes too
    const boundBox box(points_, false);
    const scalar smallest = -SMALL*cmptProduct(box.span());
    labelHashSet bad;
    if (!checkFacePyramids(false, smallest, &bad)) return;
    checkFacePyramids(true, smallest);
    refuseFaces
    (
        bad,
        "Error in face pyramids, faces are incorrectly oriented",
        "The face does not look from its owner to its neighbour, or points are"
        " not where its cells have them"
    );
}


void Foam::lbmFileMesh::checkOrder() const
{
    labelHashSet bad;
    if (!checkUpperTriangular(false, &bad)) return;
    checkUpperTriangular(true);
    refuseFaces
    (
        bad,
        "Faces not in upper triangular order",
        "renumberMesh -overwrite puts an otherwise sound mesh in order"
    );
}


void Foam::lbmFileMesh::check() const
{
    checkClosed();
    checkVolumes();
    checkPyramids();
    checkOrder();
}
