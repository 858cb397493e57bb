// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/PartDomain.hpp"

#include "lbm/api/inParallel.hpp"

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
    part.inWhole = offset_;
    part.whole = whole.size;
    for (int a = 0; a < 3; ++a) part.origin[a] = whole.origin[a] + whole.spacing * offset_[a];
    fill(whole, part);
    domain_ = std::make_shared<const Domain>(std::move(part));
}

// Pieces of a row that are one piece of the whole's, too, all threads a layer each.
void PartDomain::fill(const Domain& whole, Domain& part)
{
    struct Records {
        std::vector<Link> links;
        std::vector<std::int64_t> numbers; // in the whole's
    };
    const auto wrapped = [&](int a, int x) { return ((x + offset_[a]) % whole_[a] + whole_[a]) % whole_[a]; };
    part.fluid = BitSet(part.nodes());
    const auto copyPiece = [&](NodeIndex from, NodeIndex to, int n, Records& records) {
        if (whole.fluid.countIn(from, n) == n) part.fluid.setInShared(to, n);
        else whole.fluid.forEachIn(from, n, [&](std::int64_t i) { part.fluid.setShared(to + i); });
        auto link = std::lower_bound(whole.links.begin(), whole.links.end(), from,
                                     [](const Link& l, NodeIndex node) { return l.node < node; });
        for (; link != whole.links.end() && link->node < from + n; ++link) {
            Link own = *link;
            own.node = to + (link->node - from);
            records.links.push_back(own);
            records.numbers.push_back(link - whole.links.begin());
        }
    };
    const std::size_t layers = std::size_t(part.size[2] - empty_[2]);
    std::vector<Records> of(layers);
    inParallel(layers, [&](std::size_t layer) {
        const int z = empty_[2] + int(layer);
        for (int y = empty_[1]; y < part.size[1]; ++y) {
            const NodeIndex row = whole.index(0, wrapped(1, y), wrapped(2, z));
            for (int x = empty_[0], n = 0; x < part.size[0]; x += n) {
                const int first = wrapped(0, x);
                n = std::min(part.size[0] - x, whole_[0] - first);
                copyPiece(row + first, part.index(x, y, z), n, of[layer]);
            }
        }
    });
    std::size_t all = 0;
    for (const Records& records : of) all += records.links.size();
    part.links.reserve(all);
    links_.reserve(all);
    for (Records& records : of) {
        part.links.insert(part.links.end(), records.links.begin(), records.links.end());
        links_.insert(links_.end(), records.numbers.begin(), records.numbers.end());
        records = Records();
    }
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
