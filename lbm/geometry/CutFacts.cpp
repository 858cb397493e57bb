// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/CutFacts.hpp"

#include "lbm/api/inParallel.hpp"

#include <algorithm>

namespace lbm {

namespace {

// Nodes of one brick, and of those around it. Coordinates are the whole's, below zero or beyond it among images.
class BrickView {
public:
    BrickView(const Domain& whole, const Brick& brick, const CutView& view, const BitSet& linked) :
        whole_(whole), brick_(brick), view_(view), linked_(linked)
    {
        for (int a = 0; a < 3; ++a) {
            cut_[a] = brick.size[a] < whole.size[a];
            const bool wraps = cut_[a] && whole.periodic[a];
            const int below = brick.first[a], above = whole.size[a] - below - brick.size[a];
            ghostsBelow_[a] = wraps ? view.reach : cut_[a] ? std::min(view.reach, below) : 0;
            ghostsAbove_[a] = wraps ? view.reach : cut_[a] ? std::min(view.reach, above) : 0;
        }
    }

    // That the part's steps may look at
    LinkedNodes linkedOfPart() const
    {
        Int3 low, last;
        std::array<bool, 3> round;
        for (int a = 0; a < 3; ++a) {
            low[a] = brick_.first[a] - ghostsBelow_[a];
            last[a] = end(a) + ghostsAbove_[a];
            round[a] = !cut_[a] && whole_.periodic[a];
        }
        return {whole_, linked_, low, last, round};
    }

    NodeIndex fluidIn(const Int3& first, const Int3& size) const
    {
        NodeIndex sum = 0;
        if (size[0] <= 0) return 0;
        for (int z = first[2]; z < first[2] + size[2]; ++z)
            for (int y = first[1]; y < first[1] + size[1]; ++y)
                sum += whole_.fluid.countIn(whole_.index(first[0], y, z), size[0]);
        return sum;
    }

    // Without what of the brick is rim, see TileGrid.
    NodeIndex inner() const
    {
        Int3 first = brick_.first, size = brick_.size;
        for (int a = 0; a < 3; ++a) {
            const int e = view_.rim[a];
            const int below = ghostsBelow_[a] > 0 ? (view_.reach + e - 1) / e * e : 0;
            const int end = ghostsAbove_[a] > 0 ? std::max(0, (size[a] - view_.reach) / e * e) : size[a];
            first[a] += below;
            size[a] = end - below;
            if (size[a] <= 0) return 0;
        }
        return fluidIn(first, size);
    }

    // f(x, node of the whole): of fluid ghosts.
    template<class F>
    void forGhosts(F&& f) const
    {
        for (int z = brick_.first[2] - ghostsBelow_[2]; z < end(2) + ghostsAbove_[2]; ++z)
            for (int y = brick_.first[1] - ghostsBelow_[1]; y < end(1) + ghostsAbove_[1]; ++y) {
                const bool own = holds(2, z) && holds(1, y);
                const NodeIndex row = whole_.index(0, wrapped(1, y), wrapped(2, z));
                const auto some = [&](int from, int to) {
                    for (int x = from; x < to; ++x)
                        if (const NodeIndex node = row + wrapped(0, x); whole_.fluid[node]) f(Int3{x, y, z}, node);
                };
                some(brick_.first[0] - ghostsBelow_[0], brick_.first[0]);
                if (!own) some(brick_.first[0], end(0));
                some(end(0), end(0) + ghostsAbove_[0]);
            }
    }

    // As PopulationsForStep says of the part's ghost.
    std::uint32_t wanted(const Int3& x, NodeIndex node, const LinkedNodes& linked) const
    {
        if (linked_[node] || sharesTile(x) || (view_.reach > 1 && linked.within(view_.reach, x)))
            return (std::uint32_t(1) << view_.directions.size()) - 1;
        return populationsTo(view_.directions, x, [&](const Int3& from, const Int3& c) {
            Int3 there;
            for (int a = 0; a < 3; ++a) {
                there[a] = from[a] + c[a];
                if (!cut_[a] && whole_.periodic[a]) there[a] = wrapped(a, there[a]);
                if (!holds(a, there[a])) return false;
            }
            return bool(whole_.fluid[whole_.index(there[0], there[1], there[2])]);
        });
    }

private:
    int end(int a) const { return brick_.first[a] + brick_.size[a]; }
    bool holds(int a, int x) const { return x >= brick_.first[a] && x < end(a); }
    int wrapped(int a, int x) const
    {
        const int n = whole_.size[a];
        return x < 0 ? x + (n - 1 - x) / n * n : x % n;
    }

    // With fluid nodes of the brick, which are stepped, tile by tile. A part's tiles begin where its brick does.
    bool sharesTile(const Int3& x) const
    {
        Int3 first, size;
        for (int a = 0; a < 3; ++a) {
            if (x[a] < brick_.first[a]) return false;
            const int e = view_.tile[a];
            first[a] = brick_.first[a] + (x[a] - brick_.first[a]) / e * e;
            size[a] = std::min(end(a), first[a] + e) - first[a];
            if (size[a] <= 0) return false;
        }
        return fluidIn(first, size) > 0;
    }

    const Domain& whole_;
    const Brick& brick_;
    const CutView& view_;
    const BitSet& linked_;
    Int3 ghostsBelow_, ghostsAbove_;
    std::array<bool, 3> cut_;
};

int countBits(std::uint32_t bits) { return __builtin_popcount(bits); }

BrickFacts factsOf(const Domain& domain, const Bricks& bricks, int brick, const CutView& view, const BitSet& linked)
{
    const BrickView own(domain, bricks[brick], view, linked);
    BrickFacts facts;
    facts.nodes = own.fluidIn(bricks[brick].first, bricks[brick].size);
    facts.rim = facts.nodes - own.inner();
    facts.cost = double(facts.nodes);
    const LinkedNodes linkedOfPart = own.linkedOfPart();
    own.forGhosts([&](const Int3& x, NodeIndex node) {
        const int from = bricks.owner(domain.coordinates(node));
        auto taken =
            std::find_if(facts.taken.begin(), facts.taken.end(), [&](const auto& t) { return t.from == from; });
        if (taken == facts.taken.end()) taken = facts.taken.insert(taken, TakenGhosts{from, 0, 0, 0});
        const std::uint32_t wanted = own.wanted(x, node, linkedOfPart);
        ++taken->ghosts;
        taken->wanted += wanted != 0;
        taken->populations += countBits(wanted);
    });
    std::sort(facts.taken.begin(), facts.taken.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
    return facts;
}

} // namespace

BitSet nodesWithLinks(const Domain& domain)
{
    BitSet linked(domain.nodes());
    for (const Link& link : domain.links) linked.set(link.node);
    return linked;
}

std::vector<BrickFacts> factsOf(const Domain& domain, const Bricks& bricks, const CutView& view, const CutCosts& costs)
{
    const BitSet linked = nodesWithLinks(domain);
    std::vector<BrickFacts> all(std::size_t(bricks.count()));
    inParallel(all.size(), [&](std::size_t b) { all[b] = factsOf(domain, bricks, int(b), view, linked); });
    if (costs.ofLink.empty()) return all;
    for (const Link& link : domain.links)
        if (const double cost = costs.ofLink[std::size_t(link.patch)]; cost != 0)
            all[std::size_t(bricks.owner(domain.coordinates(link.node)))].cost += cost;
    return all;
}

CutSums sumsOf(const std::vector<BrickFacts>& bricks)
{
    CutSums sums;
    double cost = 0, dearest = 0;
    for (const BrickFacts& b : bricks) {
        sums.nodes += b.nodes;
        sums.most = std::max(sums.most, b.nodes);
        sums.least = &b == &bricks.front() ? b.nodes : std::min(sums.least, b.nodes);
        for (const TakenGhosts& taken : b.taken) sums.ghosts += taken.ghosts;
        cost += b.cost;
        dearest = std::max(dearest, b.cost);
    }
    if (cost > 0) sums.imbalance = dearest * double(bricks.size()) / cost - 1;
    return sums;
}

} // namespace lbm
