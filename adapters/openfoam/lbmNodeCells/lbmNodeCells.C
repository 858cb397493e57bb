// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNodeCells.H"
#include "lbmCellNodes.H"
#include "indexedOctree.H"
#include "treeDataPoint.H"
#include "lbm/api/inParallel.hpp"

#include <algorithm>

namespace
{
    // Nodes whose fluid ones are counted once: what lies before one is then found
    // from a few words
    const lbm::NodeIndex countedBlock = 1024;

    // Nodes whose cells are found at a time: all cells are looked at for each slab
    const lbm::NodeIndex fewestOfSlab = 1 << 19, mostSlabs = 32;

    // Cells that a thread takes at a time
    const Foam::label cellsFoundAtOnce = 64;

    // Of cells that have a node on their face the first one, whichever thread comes first
    void keepFirst(Foam::label& cell, const Foam::label celli)
    {
        Foam::label there = __atomic_load_n(&cell, __ATOMIC_RELAXED);
        while
        (
            (there < 0 || celli < there)
         && !__atomic_compare_exchange_n
            (
                &cell, &there, celli, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED
            )
        );
    }
}


// Made for the first node that lies in no cell
class Foam::lbmNodeCells::nearestCells
{
    const polyMesh& mesh_;
    const lbmCellNodes& places_;
    autoPtr<indexedOctree<treeDataPoint>> tree_;

public:

    nearestCells(const polyMesh& mesh, const lbmCellNodes& places)
    :
        mesh_(mesh),
        places_(places)
    {}

    label find(const lbm::NodeIndex node)
    {
        if (!tree_)
        {
            treeBoundBox bounds(mesh_.bounds());
            bounds.inflate(0.01);
            tree_.reset
            (
                new indexedOctree<treeDataPoint>
                (
                    treeDataPoint(mesh_.cellCentres()), bounds, 8, 10, 3.0
                )
            );
        }
        const point x(places_.position(node));
        return tree_->findNearest(x, sqr(tree_->bb().mag())).index();
    }
};


// A list for all nodes would be the most that the first of many ranks holds
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
    begins_ = lbm::BitSet(std::int64_t(size_));
    const lbmCellNodes inCells(mesh, domain, axes);
    nearestCells nearest(mesh, inCells);
    const List<layers> ofCells(layersOf(mesh, axes));

    const lbm::NodeIndex n = domain.nodes(), layer = n/domain.size[domain.dimensions - 1];
    const lbm::NodeIndex many = max(fewestOfSlab, (n + mostSlabs - 1)/mostSlabs);
    const lbm::NodeIndex step = max(lbm::NodeIndex(1), many/layer)*layer;
    for (lbm::NodeIndex first = 0; first < n; first += step)
    {
        slab own(slabFrom(first, min(n, first + step)));
        takeContaining(inCells, ofCells, own);
        takeNearest(nearest, own);
        keepRuns(own);
    }
}


void Foam::lbmNodeCells::count()
{
    for (lbm::NodeIndex first = 0; first < domain_.nodes(); first += countedBlock)
    {
        before_.push_back(size_);
        size_ += domain_.fluid.countIn(first, std::min(countedBlock, domain_.nodes() - first));
    }
}


Foam::lbmNodeCells::slab Foam::lbmNodeCells::slabFrom
(
    const lbm::NodeIndex first,
    const lbm::NodeIndex end
) const
{
    const std::size_t n = domain_.fluid.countIn(first, end - first);
    return {first, end, numberOf(first), std::vector<label>(n, -1)};
}


// One more on each side, for nodes on faces
Foam::List<Foam::lbmNodeCells::layers> Foam::lbmNodeCells::layersOf
(
    const polyMesh& mesh,
    const lbmAxes& axes
) const
{
    const int last = domain_.dimensions - 1;
    List<layers> result(mesh.nCells(), layers{labelMax, labelMin});
    const auto add = [&](const label celli, const label layer)
    {
        layers& its = result[celli];
        its.first = min(its.first, layer - 1);
        its.last = max(its.last, layer + 2);
    };
    forAll(mesh.faces(), facei)
    {
        for (const label pointi : mesh.faces()[facei])
        {
            const label layer =
                label(std::floor(axes.coordinates(domain_, mesh.points()[pointi])[last]));
            add(mesh.faceOwner()[facei], layer);
            if (mesh.isInternalFace(facei)) add(mesh.faceNeighbour()[facei], layer);
        }
    }
    return result;
}


void Foam::lbmNodeCells::takeContaining
(
    const lbmCellNodes& inCells,
    const List<layers>& ofCells,
    slab& own
) const
{
    const lbm::NodeIndex layer = domain_.nodes()/domain_.size[domain_.dimensions - 1];
    const label first = label(own.first/layer), last = label(own.end/layer) - 1;
    const label n = ofCells.size();
    lbm::inParallel
    (
        std::size_t((n + cellsFoundAtOnce - 1)/cellsFoundAtOnce),
        [&](const std::size_t share)
        {
            std::vector<lbm::NodeIndex> nodes;
            const label begin = label(share)*cellsFoundAtOnce;
            for (label celli = begin; celli < min(n, begin + cellsFoundAtOnce); ++celli)
            {
                if (ofCells[celli].first > last || ofCells[celli].last < first) continue;
                inCells.find(celli, first, last + 1, nodes);
                std::size_t number = 0;
                for (std::size_t i = 0; i < nodes.size(); ++i)
                {
                    const bool follows = i > 0 && nodes[i] == nodes[i - 1] + 1;
                    number = follows ? number + 1 : numberOf(nodes[i]) - own.before;
                    keepFirst(own.cells[number], celli);
                }
            }
        }
    );
}


void Foam::lbmNodeCells::keepRuns(const slab& own)
{
    const std::size_t before = cells_.size();
    const auto begins = [&](const std::size_t i)
    {
        if (i > 0) return own.cells[i] != own.cells[i - 1];
        return before == 0 || own.cells[0] != cells_[before - 1];
    };
    std::size_t runs = before;
    for (std::size_t i = 0; i < own.cells.size(); ++i)
    {
        if ((own.before + i) % 64 == 0) runsBefore_.push_back(runs);
        if (!begins(i)) continue;
        begins_.set(std::int64_t(own.before + i));
        ++runs;
    }
    cells_.reserve(runs);
    for (std::size_t i = 0; i < own.cells.size(); ++i)
    {
        if (begins_[std::int64_t(own.before + i)]) cells_.push_back(own.cells[i]);
    }
}


std::size_t Foam::lbmNodeCells::numberOf(const lbm::NodeIndex node) const
{
    const lbm::NodeIndex first = node - node % countedBlock;
    return before_[node/countedBlock] + domain_.fluid.countIn(first, node - first);
}


void Foam::lbmNodeCells::takeNearest(nearestCells& nearest, slab& own) const
{
    std::size_t i = 0;
    domain_.fluid.forEachIn
    (
        own.first,
        own.end - own.first,
        [&](const std::int64_t at)
        {
            label& cell = own.cells[i++];
            if (cell < 0) cell = nearest.find(own.first + at);
        }
    );
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
