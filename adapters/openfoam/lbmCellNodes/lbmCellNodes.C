// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCellNodes.H"

#include <cmath>

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


Foam::label Foam::lbmCellNodes::endOfBlock(const label celli) const
{
    const scalar node = axes_.dimensions() == 3
      ? pow3(domain_.spacing)
      : sqr(domain_.spacing)*mesh_.bounds().span()[axes_.foamAxis(2)];
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


void Foam::lbmCellNodes::find
(
    const label celli,
    std::vector<lbm::NodeIndex>& nodes
) const
{
    nodes.clear();

    boundBox bounds;
    for (const label facei : mesh_.cells()[celli])
    {
        bounds.add(mesh_.points(), mesh_.faces()[facei]);
    }
    const lbm::Vec3 low(axes_.coordinates(domain_, bounds.min()));
    const lbm::Vec3 high(axes_.coordinates(domain_, bounds.max()));

    lbm::Int3 begin{0, 0, 0}, end{1, 1, 1};
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        begin[a] = max(0, int(std::ceil(low[a])));
        end[a] = min(domain_.size[a], int(std::floor(high[a])) + 1);
    }
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
