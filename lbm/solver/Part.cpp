// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/Part.hpp"

#include <algorithm>
#include <utility>

namespace lbm {

void Part::keepBoundary(std::size_t n, const LinkPiece& piece)
{
    kept_.resize(n);
    const LinkValue* from = piece.values.data();
    for (const LinkPiece::Run& run : piece.runs) {
        std::copy_n(from, run.n, kept_.data() + run.first);
        from += run.n;
    }
}

void Part::setKeptBoundary(int patch)
{
    const UnsetVector<LinkValue> values = std::exchange(kept_, {});
    setBoundary(patch, values.data(), values.size());
}

PopulationsForStep::PopulationsForStep(const Domain& domain, std::vector<Int3> directions) :
    domain_(domain),
    directions_(std::move(directions)),
    linked_(nodesWithLinks(domain)),
    nearLinks_(domain_, linked_, {0, 0, 0}, domain_.size, domain_.periodic)
{}

std::uint32_t PopulationsForStep::operator()(NodeIndex ghost, bool stepped) const
{
    const Int3 at = domain_.coordinates(ghost);
    if (stepped || linked_[ghost] || (domain_.reach > 1 && nearLinks_.within(domain_.reach, at)))
        return (std::uint32_t(1) << directions_.size()) - 1;
    return populationsTo(directions_, at, [&](const Int3& x, const Int3& c) {
        const NodeIndex target = domain_.neighbour(x, c);
        return target >= 0 && domain_.fluid[target] && !domain_.isGhost(domain_.coordinates(target));
    });
}

} // namespace lbm
