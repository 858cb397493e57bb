// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/LinkFinder.hpp"

#include <algorithm>

namespace lbm {

LinkFinder::LinkFinder(const Domain& domain) :
    domain_(&domain), first_(std::size_t(domain.size[1]) * std::size_t(domain.size[2]) + 1, domain.links.size())
{
    const std::vector<Link>& links = domain.links;
    const auto rowOf = [&](std::size_t i) { return std::size_t(links[i].node / domain.size[0]); };
#pragma omp parallel for schedule(static) if (links.size() > 100000)
    for (std::size_t i = 0; i < links.size(); ++i) {
        const std::size_t row = rowOf(i), before = i > 0 ? rowOf(i - 1) + 1 : 0;
        for (std::size_t r = before; r <= row; ++r) first_[r] = i;
    }
}

std::pair<std::size_t, std::size_t> LinkFinder::of(NodeIndex node) const
{
    const auto row = std::size_t(node / domain_->size[0]);
    const auto links = domain_->links.begin();
    const auto end = links + std::ptrdiff_t(first_[row + 1]);
    const auto first = std::lower_bound(links + std::ptrdiff_t(first_[row]), end, node,
                                        [](const Link& link, NodeIndex n) { return link.node < n; });
    return from(std::size_t(first - links), node);
}

std::int64_t LinkFinder::find(NodeIndex node, const Int3& c) const
{
    const std::uint8_t direction = directionCode(c[0], c[1], c[2]);
    const auto [first, last] = of(node);
    for (std::size_t i = first; i < last; ++i)
        if (domain_->links[i].direction == direction) return std::int64_t(i);
    return -1;
}

} // namespace lbm
