// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/NodeBlocks.hpp"

#include "lbm/api/inParallel.hpp"
#include "lbm/solver/GroupChecks.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

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
    const std::vector<std::size_t> firsts = cut(begin, most);
    std::vector<std::vector<NodeIndex>> distinct(firsts.size() - 1);
    const auto list = [&](std::size_t b) {
        const std::size_t first = begin[firsts[b]], end = begin[firsts[b + 1]];
        std::vector<NodeIndex>& own = distinct[b];
        own.assign(groups.nodes.begin() + first, groups.nodes.begin() + end);
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        for (std::size_t i = first; i < end; ++i)
            ordinals[i] = std::uint32_t(std::lower_bound(own.begin(), own.end(), groups.nodes[i]) - own.begin());
    };
    inParallel(distinct.size(), list, ordinals.size() > 10000 ? 0 : 1);
    for (std::size_t b = 0; b < distinct.size(); ++b) {
        if (distinct[b].size() > std::numeric_limits<std::uint32_t>::max())
            throw std::invalid_argument("solver: a group of more than 2^32 nodes");
        blocks.push_back({nodes.size(), firsts[b]});
        nodes.insert(nodes.end(), distinct[b].begin(), distinct[b].end());
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
