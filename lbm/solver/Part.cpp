// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/Part.hpp"

#include "lbm/api/Storage.hpp"

#include <algorithm>

namespace lbm {

double costAcrossLast(const KernelRow& row)
{
    const StorageDescriptor& storage = storageOf(row);
    return storage.device == "cuda" && storage.stored == Stored::moments && storage.copies == 2 ? 3 : 1;
}

std::uint32_t populationsForStep(const Domain& domain, const std::vector<Int3>& directions, NodeIndex ghost,
                                 bool stepped)
{
    const std::uint32_t all = (std::uint32_t(1) << directions.size()) - 1;
    const auto link = std::lower_bound(domain.links.begin(), domain.links.end(), ghost,
                                       [](const Link& l, NodeIndex node) { return l.node < node; });
    if (stepped || domain.reach > 1 || (link != domain.links.end() && link->node == ghost)) return all;
    const Int3 x = domain.coordinates(ghost);
    std::uint32_t needed = 0;
    for (std::size_t q = 1; q < directions.size(); ++q) {
        const NodeIndex target = domain.neighbour(x, directions[q]);
        if (target >= 0 && domain.fluid[target] && !domain.isGhost(domain.coordinates(target)))
            needed |= std::uint32_t(1) << q;
    }
    return needed;
}

} // namespace lbm
