// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/NodeBlocks.hpp"

#include "lbm/api/inParallel.hpp"
#include "lbm/solver/GroupChecks.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace lbm {

namespace {

void requireWhole(const NodeGroups& groups, int directions)
{
    const std::size_t terms = groups.nodes.size();
    const bool whole = groups.weights.size() == terms && !groups.begin.empty() && groups.begin.front() == 0
        && groups.begin.back() == terms && std::is_sorted(groups.begin.begin(), groups.begin.end())
        && groups.directions.size() == (groups.kind == NodeSet::Kind::sumsOfPopulations ? terms : 0)
        && groups.kind != NodeSet::Kind::nodes;
    if (!whole) throw std::invalid_argument("solver: groups of nodes whose arrays do not fit together");
    for (const std::uint8_t q : groups.directions)
        if (q >= directions)
            throw std::invalid_argument("solver: sum of populations along direction " + std::to_string(q)
                                        + " of a lattice that has " + std::to_string(directions));
}

// Groups at which blocks begin, and one more.
std::vector<std::size_t> cut(const std::vector<std::size_t>& begin, std::size_t most)
{
    std::vector<std::size_t> firsts{0};
    const std::size_t groups = begin.size() - 1;
    for (std::size_t g = 1; g < groups; ++g)
        if (begin[g + 1] - begin[firsts.back()] > most || g - firsts.back() >= most) firsts.push_back(g);
    if (groups > 0) firsts.push_back(groups);
    return firsts;
}

// Neighbours draw on many of the same nodes: of so many terms blocks are cut by nodes, each counted once.
constexpr std::size_t termsCutAtOnce = std::size_t(1) << 16;

struct Stretch {
    std::vector<NodeBlocks::Begin> blocks; // nodes: of the stretch
    std::vector<NodeIndex> nodes;
};

// Sorts what is made of rising runs: nodes of a cell come in their order, and to merge a few runs takes a part of what sorting takes.
template<class T>
void sortRuns(std::vector<T>& all)
{
    constexpr std::size_t longRun = 64;
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 1; i < all.size(); ++i)
        if (all[i] < all[i - 1]) begins.push_back(i);
    if (begins.size() == 1) return;
    if (begins.size() * longRun > all.size()) return std::sort(all.begin(), all.end());
    begins.push_back(all.size());
    std::vector<T> merged(all.size());
    while (begins.size() > 2) {
        std::vector<std::size_t> next;
        const auto at = [](std::vector<T>& of, std::size_t i) { return of.begin() + std::ptrdiff_t(i); };
        for (std::size_t r = 0; r + 1 < begins.size(); r += 2) {
            const std::size_t first = begins[r], middle = begins[r + 1],
                              last = r + 2 < begins.size() ? begins[r + 2] : middle;
            std::merge(at(all, first), at(all, middle), at(all, middle), at(all, last), at(merged, first));
            next.push_back(first);
        }
        next.push_back(all.size());
        all.swap(merged);
        begins.swap(next);
    }
}

// The number of a node among all, which is there; from: of one before it.
std::size_t numberFrom(std::size_t from, const std::vector<NodeIndex>& all, NodeIndex node)
{
    std::size_t low = from, ahead = 1;
    while (low + ahead < all.size() && all[low + ahead] < node) low += ahead, ahead *= 2;
    const auto end = all.begin() + std::ptrdiff_t(std::min(all.size(), low + ahead + 1));
    return std::size_t(std::lower_bound(all.begin() + std::ptrdiff_t(low), end, node) - all.begin());
}

// Which of the stretch's distinct nodes the terms are.
std::vector<NodeIndex> distinctNodes(const NodeGroups& groups, std::size_t first, std::size_t end, std::uint32_t* which)
{
    std::vector<NodeIndex> all(groups.nodes.begin() + first, groups.nodes.begin() + end);
    sortRuns(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("solver: a group of more than 2^32 nodes");
    for (std::size_t i = first; i < end; ++i) {
        const bool rises = i > first && groups.nodes[i] >= groups.nodes[i - 1];
        which[i] = std::uint32_t(numberFrom(rises ? which[i - 1] : 0, all, groups.nodes[i]));
    }
    return all;
}

// Groups from `first` to `end`. ordinals: of all terms; those of the stretch are set.
Stretch listed(const NodeGroups& groups, std::size_t first, std::size_t end, std::size_t most, std::uint32_t* ordinals)
{
    const std::vector<std::size_t>& begin = groups.begin;
    const std::vector<NodeIndex> all = distinctNodes(groups, begin[first], begin[end], ordinals);
    Stretch result;
    std::vector<std::size_t> inBlock(all.size(), end); // its first group
    std::vector<std::uint32_t> members, number(all.size());
    const auto add = [&](std::size_t group, std::size_t block) {
        for (std::size_t i = begin[group]; i < begin[group + 1]; ++i)
            if (std::exchange(inBlock[ordinals[i]], block) != block) members.push_back(ordinals[i]);
    };
    const auto close = [&](std::size_t block, std::size_t next) {
        result.blocks.push_back({result.nodes.size(), block});
        sortRuns(members);
        for (std::size_t m = 0; m < members.size(); ++m) {
            number[members[m]] = std::uint32_t(m);
            result.nodes.push_back(all[members[m]]);
        }
        for (std::size_t i = begin[block]; i < begin[next]; ++i) ordinals[i] = number[ordinals[i]];
        members.clear();
    };
    std::size_t block = first;
    for (std::size_t g = first; g < end; ++g) {
        const std::size_t before = members.size();
        add(g, block);
        if (g == block || (members.size() <= most && g - block < most)) continue;
        members.resize(before);
        close(block, g);
        block = g;
        add(g, block);
    }
    close(block, end);
    return result;
}

} // namespace

void requireGroups(const Domain& domain, const NodeGroups& groups, int directions)
{
    requireWhole(groups, directions);
    requireFluid(domain, groups.nodes.data(), groups.nodes.size());
}

NodeBlocks::NodeBlocks(const Domain& domain, const NodeIndex* list, std::size_t n, std::size_t most) :
    kind(NodeSet::Kind::nodes), nodes(list, list + n)
{
    requireFluid(domain, list, n);
    for (std::size_t first = 0; first < n; first += most) blocks.push_back({first, first});
    blocks.push_back({n, n});
}

NodeBlocks::NodeBlocks(const Domain& domain, const NodeGroups& groups, int directionCount, std::size_t most) :
    kind(groups.kind),
    begin(groups.begin),
    ordinals(groups.nodes.size()),
    weights(groups.weights),
    directions(groups.directions)
{
    requireGroups(domain, groups, directionCount);
    const std::vector<std::size_t> firsts = cut(begin, std::max(most, termsCutAtOnce));
    std::vector<Stretch> stretches(firsts.size() - 1);
    const auto list = [&](std::size_t i) {
        stretches[i] = listed(groups, firsts[i], firsts[i + 1], most, ordinals.data());
    };
    inParallel(stretches.size(), list, ordinals.size() > 10000 ? 0 : 1);
    for (const Stretch& stretch : stretches) {
        for (const Begin& block : stretch.blocks) blocks.push_back({nodes.size() + block.node, block.group});
        nodes.insert(nodes.end(), stretch.nodes.begin(), stretch.nodes.end());
    }
    blocks.push_back({nodes.size(), begin.size() - 1});
}

NodeBlocks::NodeBlocks(const Domain& domain, const NodeBoxes& all, std::size_t most) :
    kind(all.kind), boxes(all.boxes), begin(all.boxes.size() + 1)
{
    requireInside(domain, all);
#pragma omp parallel for schedule(static) if (boxes.size() > 10000)
    for (std::size_t g = 0; g < boxes.size(); ++g) begin[g + 1] = std::size_t(fluidNodes(domain, boxes[g]));
    for (std::size_t g = 0; g < boxes.size(); ++g) begin[g + 1] += begin[g];
    for (const std::size_t first : cut(begin, most)) blocks.push_back({begin[first], first});
}

std::size_t NodeBlocks::mostNodes() const
{
    std::size_t most = 0;
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) most = std::max(most, blocks[b + 1].node - blocks[b].node);
    return most;
}

} // namespace lbm
