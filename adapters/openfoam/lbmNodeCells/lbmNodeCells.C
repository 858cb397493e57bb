// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNodeCells.H"
#include "lbmCellNodes.H"
#include "indexedOctree.H"
#include "treeDataPoint.H"

#include <algorithm>

Foam::lbmNodeCells::lbmNodeCells
(
    const polyMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes
)
:
    nOutside_(0)
{
    listNodes(domain);
    cells_.assign(nodes_.size(), -1);

    const lbmCellNodes inCells(mesh, domain, axes);
    inCells.all
    (
        0,
        [&](const label celli, const std::vector<lbm::NodeIndex>& own)
        {
            for (const lbm::NodeIndex node : own)
            {
                const auto at =
                    std::lower_bound(nodes_.begin(), nodes_.end(), node);
                label& cell = cells_[at - nodes_.begin()];
                if (cell < 0) cell = celli;
            }
        }
    );
    takeNearest(mesh, domain, axes);
}


void Foam::lbmNodeCells::listNodes(const lbm::Domain& domain)
{
    nodes_.reserve(domain.fluidNodes());
    for (lbm::NodeIndex i = 0; i < domain.nodes(); ++i)
    {
        if (domain.fluid[i]) nodes_.push_back(i);
    }
}


void Foam::lbmNodeCells::takeNearest
(
    const polyMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes
)
{
    const lbmCellNodes places(mesh, domain, axes);
    autoPtr<indexedOctree<treeDataPoint>> tree;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
    {
        if (cells_[i] >= 0) continue;
        ++nOutside_;
        if (!tree)
        {
            treeBoundBox bounds(mesh.bounds());
            bounds.inflate(0.01);
            tree.reset
            (
                new indexedOctree<treeDataPoint>
                (
                    treeDataPoint(mesh.cellCentres()), bounds, 8, 10, 3.0
                )
            );
        }
        const point x(places.position(nodes_[i]));
        cells_[i] = tree->findNearest(x, sqr(tree->bb().mag())).index();
    }
}


Foam::label Foam::lbmNodeCells::cellOf(const lbm::NodeIndex node) const
{
    const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
    return cells_[at - nodes_.begin()];
}


void Foam::lbmNodeCells::assign
(
    const lbm::NodeIndex node,
    const label celli,
    const scalar share
)
{
    const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), node);
    other_[found - nodes_.begin()] = {celli, share};
}
