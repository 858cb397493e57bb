// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNodeCells.H"
#include "lbmCellNodes.H"
#include "indexedOctree.H"
#include "treeDataPoint.H"

#include <algorithm>

namespace
{
    // Nodes whose fluid ones are counted once: what lies before one is then found
    // from a few words
    const lbm::NodeIndex countedBlock = 1024;
}


Foam::lbmNodeCells::lbmNodeCells
(
    const polyMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes
)
:
    domain_(domain)
{
    count();
    std::vector<label> cells(size_, -1);
    const lbmCellNodes inCells(mesh, domain, axes);
    inCells.all
    (
        0,
        [&](const label celli, const std::vector<lbm::NodeIndex>& own)
        {
            for (const lbm::NodeIndex node : own)
            {
                label& cell = cells[numberOf(node)];
                if (cell < 0) cell = celli;
            }
        }
    );
    takeNearest(mesh, axes, cells);
    keepRuns(cells);
}


void Foam::lbmNodeCells::count()
{
    for (lbm::NodeIndex first = 0; first < domain_.nodes(); first += countedBlock)
    {
        before_.push_back(size_);
        size_ += domain_.fluid.countIn(first, std::min(countedBlock, domain_.nodes() - first));
    }
}


void Foam::lbmNodeCells::keepRuns(const std::vector<label>& cells)
{
    begins_ = lbm::BitSet(std::int64_t(size_));
    std::size_t runs = 0;
    for (std::size_t i = 0; i < size_; ++i)
    {
        if (i % 64 == 0) runsBefore_.push_back(runs);
        if (i > 0 && cells[i] == cells[i - 1]) continue;
        begins_.set(std::int64_t(i));
        ++runs;
    }
    cells_.reserve(runs);
    for (std::size_t i = 0; i < size_; ++i)
    {
        if (begins_[std::int64_t(i)]) cells_.push_back(cells[i]);
    }
}


std::size_t Foam::lbmNodeCells::numberOf(const lbm::NodeIndex node) const
{
    const lbm::NodeIndex first = node - node % countedBlock;
    return before_[node/countedBlock] + domain_.fluid.countIn(first, node - first);
}


void Foam::lbmNodeCells::takeNearest
(
    const polyMesh& mesh,
    const lbmAxes& axes,
    std::vector<label>& cells
) const
{
    const lbmCellNodes places(mesh, domain_, axes);
    autoPtr<indexedOctree<treeDataPoint>> tree;
    std::size_t i = 0;
    const auto take = [&](const lbm::NodeIndex node)
    {
        label& cell = cells[i++];
        if (cell >= 0) return;
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
        const point x(places.position(node));
        cell = tree->findNearest(x, sqr(tree->bb().mag())).index();
    };
    domain_.fluid.forEachIn(0, domain_.nodes(), take);
}


void Foam::lbmNodeCells::assign
(
    const lbm::NodeIndex node,
    const label celli,
    const scalar share
)
{
    other_[numberOf(node)] = {celli, share};
}
