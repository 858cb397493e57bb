// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmStepChange.H"

namespace
{

using namespace Foam;

lbm::StateScale scaleOf(const lbmUnits& from, const lbmUnits& to)
{
    if (from.pOffset() != to.pOffset() || from.dx() != to.dx())
    {
        FatalErrorInFunction
            << "Units of the lattice differ by more than the time step"
            << abort(FatalError);
    }
    const scalar shorter = to.dt()/from.dt();
    return {sqr(shorter), shorter, shorter};
}


// Pieces of the box: some layers across its last axis each
class pieces
{
    const lbm::Domain& domain_;
    std::size_t across_;
    int layers_, each_;

public:

    pieces(const lbm::Domain& domain, const scalar nodesOfPiece)
    :
        domain_(domain),
        across_(domain.dimensions - 1)
    {
        layers_ = domain.size[across_];
        const scalar layer = scalar(domain.nodes())/layers_;
        each_ = int(max(scalar(1), min(scalar(layers_), nodesOfPiece/layer)));
    }

    int count() const { return (layers_ + each_ - 1)/each_; }

    bool around() const { return domain_.periodic[across_]; }

    lbm::NodeBox box(const int i) const
    {
        lbm::NodeBox piece;
        piece.size = domain_.size;
        piece.low[across_] = i*each_;
        piece.size[across_] = min(each_, layers_ - i*each_);
        return piece;
    }

    std::vector<lbm::NodeIndex> nodes(const int i) const
    {
        std::vector<lbm::NodeIndex> all;
        lbm::forFluid
        (
            domain_,
            box(i),
            [&](const lbm::NodeIndex node, int, int, int){ all.push_back(node); }
        );
        return all;
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
    const lbm::StateScale scale(scaleOf(from, to));
    const pieces all(solver.domain(), nodesOfPiece);
    const auto keep = [&](const int i)
    {
        return lbm::keepStates(solver, all.box(i));
    };
    const int last = all.count() - 1;
    const bool around = last > 1 && all.around();

    std::size_t carried = 0;
    std::shared_ptr<const lbm::KeptStates> behind, next;
    if (around) behind = keep(last);
    std::shared_ptr<const lbm::KeptStates> now(keep(0));
    for (int i = 0; i <= last; ++i)
    {
        if (i < last) next = around && i + 1 == last ? std::move(behind) : keep(i + 1);
        told.all(to);
        if (told.nodes)
        {
            const std::vector<lbm::NodeIndex> nodes(all.nodes(i));
            told.nodes(carried, nodes);
            carried += nodes.size();
        }
        lbm::setStates(solver, *now, scale);
        // Of the last piece all are read already
        if (i + 1 < last) told.all(from);
        now = std::move(next);
    }
}
