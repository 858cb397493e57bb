// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellNodes.H"

#include <cmath>

namespace
{
    // Volumes are computed from points that are often written with six digits
    const Foam::scalar flawOfVolume = 1e-3;

    // Nodes this near to a side lie on it (in spacings)
    const Foam::scalar onSide = 1e-3;
}


Foam::lbmCellNodes::lbmCellNodes
(
    const polyMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes
)
:
    mesh_(mesh),
    domain_(domain),
    axes_(axes)
{
    mesh.cells();
    mesh.faceOwner();
    mesh.faceAreas();
    mesh.faceCentres();
    mesh.cellCentres();
    mesh.cellVolumes();
}


Foam::scalar Foam::lbmCellNodes::volumeOf(const scalar spacings) const
{
    const scalar side = spacings*domain_.spacing;
    return axes_.dimensions() == 3
      ? pow3(side) : sqr(side)*mesh_.bounds().span()[axes_.foamAxis(2)];
}


bool Foam::lbmCellNodes::holdsSeveral(const label celli) const
{
    return mesh_.cellVolumes()[celli] >= volumeOf(2)*(1 - flawOfVolume);
}


Foam::label Foam::lbmCellNodes::endOfBlock(const label celli) const
{
    const scalar node = volumeOf(1);
    scalar volume = 0;
    label end = celli;
    while
    (
        end < mesh_.nCells() && end - celli < blockSize_
     && (end == celli || volume + mesh_.cellVolumes()[end] < blockNodes_*node)
    )
    {
        volume += mesh_.cellVolumes()[end++];
    }
    return end;
}


Foam::point Foam::lbmCellNodes::position(const lbm::NodeIndex node) const
{
    const lbm::Int3 at = domain_.coordinates(node);
    return axes_.position
    (
        domain_, {double(at[0]), double(at[1]), double(at[2])}
    );
}


Foam::boundBox Foam::lbmCellNodes::boundsOf
(
    const polyMesh& mesh,
    const label celli
)
{
    boundBox bounds;
    for (const label facei : mesh.cells()[celli])
    {
        bounds.add(mesh.points(), mesh.faces()[facei]);
    }
    return bounds;
}


bool Foam::lbmCellNodes::isBox
(
    const polyMesh& mesh,
    const label celli,
    const boundBox& bounds
)
{
    return mesh.cellVolumes()[celli] >= bounds.volume()*(1 - flawOfVolume);
}


Foam::scalar Foam::lbmCellNodes::shareOfBoxes(const polyMesh& mesh)
{
    mesh.cells();
    const scalarField& volumes = mesh.cellVolumes();
    scalar inBoxes = 0;
    #pragma omp parallel for schedule(static) reduction(+ : inBoxes)
    for (label celli = 0; celli < mesh.nCells(); ++celli)
    {
        if (isBox(mesh, celli, boundsOf(mesh, celli))) inBoxes += volumes[celli];
    }
    return inBoxes/sum(volumes);
}


bool Foam::lbmCellNodes::box
(
    const label celli,
    const bool ends,
    lbm::NodeBox& box
) const
{
    const boundBox bounds(boundsOf(mesh_, celli));
    if (!isBox(mesh_, celli, bounds)) return false;

    const label d = axes_.dimensions();
    const lbm::Vec3 low(axes_.coordinates(domain_, bounds.min()));
    const lbm::Vec3 high(axes_.coordinates(domain_, bounds.max()));
    box.low = {0, 0, 0};
    box.size = {1, 1, 1};
    for (label a = 0; a < d; ++a)
    {
        const scalar end = high[a] + (ends ? onSide : -onSide);
        const int first = max(0, int(std::ceil(low[a] - onSide)));
        const int last =
            min(domain_.size[a] - 1, int(ends ? std::floor(end) : std::ceil(end) - 1));
        box.low[a] = first;
        box.size[a] = max(0, last - first + 1);
    }
    return true;
}


void Foam::lbmCellNodes::find
(
    const label celli,
    const int first,
    const int behind,
    std::vector<lbm::NodeIndex>& nodes
) const
{
    nodes.clear();
    const label last = domain_.dimensions - 1;
    lbm::NodeBox inBox;
    if (box(celli, true, inBox))
    {
        const int low = max(first, inBox.low[last]);
        inBox.size[last] = max(0, min(behind, inBox.low[last] + inBox.size[last]) - low);
        inBox.low[last] = low;
        const auto add = [&](const lbm::NodeIndex node, int, int, int)
        {
            nodes.push_back(node);
        };
        lbm::forFluid(domain_, inBox, add);
        return;
    }

    const boundBox bounds(boundsOf(mesh_, celli));
    const lbm::Vec3 low(axes_.coordinates(domain_, bounds.min()));
    const lbm::Vec3 high(axes_.coordinates(domain_, bounds.max()));

    lbm::Int3 begin{0, 0, 0}, end{1, 1, 1};
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        begin[a] = max(0, int(std::ceil(low[a])));
        end[a] = min(domain_.size[a], int(std::floor(high[a])) + 1);
    }
    begin[last] = max(begin[last], first);
    end[last] = min(end[last], behind);
    for (int k = begin[2]; k < end[2]; ++k)
    {
        for (int j = begin[1]; j < end[1]; ++j)
        {
            for (int i = begin[0]; i < end[0]; ++i)
            {
                const lbm::NodeIndex node = domain_.index(i, j, k);
                if
                (
                    domain_.fluid[node]
                 && mesh_.pointInCell
                    (
                        position(node), celli, polyMesh::FACE_PLANES
                    )
                )
                {
                    nodes.push_back(node);
                }
            }
        }
    }
}
