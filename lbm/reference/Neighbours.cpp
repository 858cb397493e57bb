// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Neighbours.hpp"

namespace lbm::reference {

Neighbours::Neighbours(const Domain& domain) : size_(domain.size), periodic_(domain.periodic), records_(domain.nodes())
{
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        fluid_.push_back(domain.fluid[node]);
        records_[node].fill(-1);
    }
    for (std::size_t i = 0; i < domain.links.size(); ++i)
        records_[domain.links[i].node][domain.links[i].direction] = int(i);
}

NodeIndex Neighbours::nodeAt(NodeIndex node, const Int3& links) const
{
    NodeIndex rest = node, other = 0, stride = 1;
    for (int a = 0; a < 3; ++a) {
        int x = int(rest % size_[a]) + links[a];
        rest /= size_[a];
        if (!periodic_[a] && (x < 0 || x >= size_[a])) return -1;
        while (x < 0) x += size_[a];
        other += stride * (x % size_[a]);
        stride *= size_[a];
    }
    return other;
}

NodeIndex Neighbours::fluidAt(NodeIndex node, const Int3& links) const
{
    const NodeIndex other = nodeAt(node, links);
    return other >= 0 && fluid_[other] ? other : -1;
}

NodeIndex Neighbours::openAt(NodeIndex node, const Int3& link) const
{
    return recordAt(node, link) < 0 ? fluidAt(node, link) : -1;
}

int Neighbours::recordAt(NodeIndex node, const Int3& link) const
{
    int code = 0;
    for (int a = 2; a >= 0; --a) {
        if (link[a] < -1 || link[a] > 1) return -1;
        code = 3 * code + link[a] + 1;
    }
    return records_[node][code];
}

} // namespace lbm::reference
