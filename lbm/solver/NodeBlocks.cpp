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

// Which of the stretch's distinct nodes the terms are.
std::vector<NodeIndex> distinctNodes(const NodeGroups& groups, std::size_t first, std::size_t end, std::uint32_t* which)
{
    std::vector<NodeIndex> all(groups.nodes.begin() + first, groups.nodes.begin() + end);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("solver: a group of more than 2^32 nodes");
    for (std::size_t i = first; i < end; ++i)
        which[i] = std::uint32_t(std::lower_bound(all.begin(), all.end(), groups.nodes[i]) - all.begin());
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
        std::sort(members.begin(), members.end());
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
