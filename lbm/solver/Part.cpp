// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/Part.hpp"

#include "lbm/geometry/CutFacts.hpp"

#include <algorithm>

namespace lbm {

std::uint32_t populationsForStep(const Domain& domain, const std::vector<Int3>& directions, NodeIndex ghost,
                                 bool stepped)
{
    const std::uint32_t all = (std::uint32_t(1) << directions.size()) - 1;
    const auto link = std::lower_bound(domain.links.begin(), domain.links.end(), ghost,
                                       [](const Link& l, NodeIndex node) { return l.node < node; });
    if (stepped || domain.reach > 1 || (link != domain.links.end() && link->node == ghost)) return all;
    return populationsTo(directions, domain.coordinates(ghost), [&](const Int3& x, const Int3& c) {
        const NodeIndex target = domain.neighbour(x, c);
        return target >= 0 && domain.fluid[target] && !domain.isGhost(domain.coordinates(target));
    });
}

} // namespace lbm
