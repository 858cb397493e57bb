// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmStepChange.H"

namespace
{

using namespace Foam;

// Layers that strain rates look across, to either side
const int reach = 2;


// Fluid nodes of some layers, in their order
struct piece
{
    std::vector<lbm::NodeIndex> nodes;
    std::vector<lbm::Macroscopic> states;
};


class pieces
{
    lbm::Solver& solver_;
    const lbmUnits& from_;
    const lbmUnits& to_;
    lbm::NodeIndex layer_;      // nodes of a layer of the box
    int layers_, each_;

    lbm::NodeIndex begin(const int i) const
    {
        return min(i*each_, layers_)*layer_;
    }

public:

    pieces
    (
        lbm::Solver& solver,
        const lbmUnits& from,
        const lbmUnits& to,
        const scalar nodesOfPiece
    )
    :
        solver_(solver),
        from_(from),
        to_(to)
    {
        const lbm::Domain& domain = solver.domain();
        const int across = domain.dimensions - 1;
        layers_ = domain.size[across];
        layer_ = domain.nodes()/layers_;
        each_ = int(max(scalar(reach), min(scalar(layers_), nodesOfPiece/layer_)));
    }

    int count() const { return (layers_ + each_ - 1)/each_; }

    piece read(const int i) const
    {
        const lbm::Domain& domain = solver_.domain();
        piece p;
        for (lbm::NodeIndex node = begin(i); node < begin(i + 1); ++node)
        {
            if (domain.fluid[node]) p.nodes.push_back(node);
        }
        p.states.resize(p.nodes.size());
        solver_.sample(p.nodes.data(), p.nodes.size(), p.states.data());
        for (lbm::Macroscopic& state : p.states) state = from_.convert(state, to_);
        return p;
    }
};

} // End anonymous namespace


void Foam::lbmStepChange::carry
(
    lbm::Solver& solver,
    const lbmUnits& from,
    const lbmUnits& to,
    const users& told,
    const scalar nodesOfPiece
)
{
    const pieces all(solver, from, to, nodesOfPiece);
    const int last = all.count() - 1;
    const lbm::Domain& domain = solver.domain();
    const bool around = last > 1 && domain.periodic[domain.dimensions - 1];

    std::size_t carried = 0;
    piece behind;
    if (around) behind = all.read(last);
    piece now = all.read(0);
    for (int i = 0; i <= last; ++i)
    {
        piece next;
        if (i < last) next = around && i + 1 == last ? std::move(behind) : all.read(i + 1);
        told.all(to);
        if (told.nodes) told.nodes(carried, now.nodes);
        solver.initialise(now.nodes.data(), now.nodes.size(), now.states.data());
        carried += now.nodes.size();
        // Of the last piece all are read already
        if (i + 1 < last) told.all(from);
        now = std::move(next);
    }
}
