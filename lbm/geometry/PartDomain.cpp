// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/PartDomain.hpp"

#include <algorithm>

namespace lbm {

PartFrame::PartFrame(const Domain& whole, const Brick& brick, int reach, const Int3& tile) :
    brick_(brick), reach_(reach), whole_(whole.size)
{
    for (int a = 0; a < 3; ++a) {
        const bool cut = brick.size[a] < whole.size[a];
        periodic_[a] = whole.periodic[a] && !cut;
        wraps_[a] = whole.periodic[a] && cut;
        const int below = brick.first[a], above = whole.size[a] - below - brick.size[a];
        const int ghosts = wraps_[a] ? reach : cut ? std::min(reach, below) : 0;
        ghostsBelow_[a] = (ghosts + tile[a] - 1) / tile[a] * tile[a];
        ghostsAbove_[a] = wraps_[a] ? reach : cut ? std::min(reach, above) : 0;
        empty_[a] = ghostsBelow_[a] - ghosts;
        offset_[a] = below - ghostsBelow_[a];
        size_[a] = brick.size[a] + ghostsBelow_[a] + ghostsAbove_[a];
    }
}

PartDomain::PartDomain(const Domain& whole, const PartFrame& frame) : PartFrame(frame)
{
    Domain part;
    part.reach = reach_;
    part.dimensions = whole.dimensions;
    part.patches = whole.patches;
    part.spacing = whole.spacing;
    part.periodic = periodic_;
    part.size = size_;
    part.ghostsBelow = ghostsBelow_;
    part.ghostsAbove = ghostsAbove_;
    for (int a = 0; a < 3; ++a) part.origin[a] = whole.origin[a] + whole.spacing * offset_[a];
    fill(whole, part);
    domain_ = std::make_shared<const Domain>(std::move(part));
}

void PartDomain::fill(const Domain& whole, Domain& part)
{
    const auto wrapped = [&](int a, int x) { return ((x + offset_[a]) % whole_[a] + whole_[a]) % whole_[a]; };
    part.fluid = BitSet(part.nodes());
    for (int z = empty_[2]; z < part.size[2]; ++z)
        for (int y = empty_[1]; y < part.size[1]; ++y) {
            const NodeIndex row = whole.index(0, wrapped(1, y), wrapped(2, z));
            NodeIndex local = part.index(empty_[0], y, z);
            auto link = whole.links.end();
            for (int x = empty_[0]; x < part.size[0]; ++x, ++local) {
                const NodeIndex node = row + wrapped(0, x);
                if (!whole.fluid[node]) continue;
                part.fluid.set(local);
                // Records follow each other along a row
                if (link == whole.links.end() || link->node > node || x == empty_[0] || wrapped(0, x) == 0)
                    link = std::lower_bound(whole.links.begin(), whole.links.end(), node,
                                            [](const Link& l, NodeIndex n) { return l.node < n; });
                while (link != whole.links.end() && link->node < node) ++link;
                for (; link != whole.links.end() && link->node == node; ++link) {
                    Link own = *link;
                    own.node = local;
                    part.links.push_back(own);
                    links_.push_back(link - whole.links.begin());
                }
            }
        }
    part.links.shrink_to_fit();
    links_.shrink_to_fit();
}

bool PartFrame::owns(const Int3& node) const
{
    for (int a = 0; a < 3; ++a)
        if (node[a] < brick_.first[a] || node[a] >= brick_.first[a] + brick_.size[a]) return false;
    return true;
}

NodeIndex PartFrame::local(const Int3& node) const
{
    const bool own = owns(node);
    Int3 x;
    for (int a = 0; a < 3; ++a) {
        x[a] = node[a] - offset_[a];
        if (own) continue;
        const int first = empty_[a];
        if (wraps_[a]) x[a] = first + ((x[a] - first) % whole_[a] + whole_[a]) % whole_[a];
        if (x[a] < first || x[a] >= size_[a]) return -1;
    }
    return x[0] + NodeIndex(size_[0]) * (x[1] + NodeIndex(size_[1]) * x[2]);
}

Int3 PartFrame::global(NodeIndex local) const
{
    Int3 x = coordinates(local);
    for (int a = 0; a < 3; ++a) x[a] = ((x[a] + offset_[a]) % whole_[a] + whole_[a]) % whole_[a];
    return x;
}

} // namespace lbm
