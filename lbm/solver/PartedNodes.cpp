// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/PartedNodes.hpp"

#include "lbm/solver/GroupChecks.hpp"

#include <algorithm>
#include <limits>

namespace lbm {

namespace {

// Of a part: its share of groups while it grows.
struct Growing {
    NodeGroups groups;
    NumberRuns places;
};

// A node as its part has it.
struct OwnedNode {
    int part;
    NodeIndex local;
};

// The part that has all nodes of a group, its first node's owner if it has; -1: none. Of states it has to own them: their
// strain rates may come from velocities around, which ghosts at a part's edge lack.
int holderOf(const Domain& whole, const Bricks& bricks, const std::vector<PartOfDomain>& parts,
             const NodeGroups& groups, std::size_t group)
{
    const std::size_t first = groups.begin[group], end = groups.begin[group + 1];
    if (first == end) return 0;
    const int owner = bricks.owner(whole.coordinates(groups.nodes[first]));
    const PartFrame& part = parts[std::size_t(owner)].frame;
    for (std::size_t i = first; i < end; ++i) {
        const Int3 x = whole.coordinates(groups.nodes[i]);
        if (groups.kind == NodeSet::Kind::sumsOfStates ? !part.owns(x) : part.local(x) < 0) return -1;
    }
    return owner;
}

// The part that owns all nodes of a box, any if there are none; how many parts there are: none.
std::size_t holderOf(const Bricks& bricks, const std::vector<PartOfDomain>& parts, const NodeBox& box)
{
    Int3 last;
    for (int a = 0; a < 3; ++a) {
        if (box.size[a] == 0) return 0;
        last[a] = box.low[a] + box.size[a] - 1;
    }
    const std::size_t owner = std::size_t(bricks.owner(box.low));
    return parts[owner].frame.owns(last) ? owner : parts.size();
}

void append(NodeGroups& to, const NodeGroups& from, std::size_t group, const PartFrame* part, const Domain& whole)
{
    for (std::size_t i = from.begin[group]; i < from.begin[group + 1]; ++i) {
        const NodeIndex node = part ? part->local(whole.coordinates(from.nodes[i])) : from.nodes[i];
        if (from.directions.empty()) to.add(node, from.weights[i]);
        else to.add(node, from.weights[i], from.directions[i]);
    }
    to.endGroup();
}

} // namespace

PartedNodes::PartedNodes(const SetMaker& maker, const Domain& whole, const Bricks& bricks,
                         const std::vector<PartOfDomain>& parts, const NodeIndex* nodes, std::size_t n) :
    NodeSet(Kind::nodes, n), owner_(maker.owner), room_(maker.room)
{
    requireFluid(whole, nodes, n);
    std::vector<std::vector<NodeIndex>> own(parts.size());
    std::vector<NumberRuns> places(parts.size());
    // Where a node lies takes divisions, to list it does not
    constexpr std::size_t atOnce = std::size_t(1) << 16;
    std::vector<OwnedNode> of(std::min(n, atOnce));
    for (std::size_t first = 0; first < n; first += atOnce) {
        const std::size_t last = std::min(n, first + atOnce);
#pragma omp parallel for schedule(static)
        for (std::size_t i = first; i < last; ++i) {
            const Int3 x = whole.coordinates(nodes[i]);
            const int part = bricks.owner(x);
            of[i - first] = {part, parts[std::size_t(part)].frame.local(x)};
        }
        for (std::size_t i = first; i < last; ++i) {
            own[std::size_t(of[i - first].part)].push_back(of[i - first].local);
            places[std::size_t(of[i - first].part)].push_back(i);
        }
    }
    for (std::size_t p = 0; p < parts.size(); ++p)
        if (!own[p].empty())
            shares_.push_back({p, parts[p].solver->place(own[p].data(), own[p].size()), std::move(places[p])});
}

PartedNodes::PartedNodes(const SetMaker& maker, const Domain& whole, const Bricks& bricks,
                         const std::vector<PartOfDomain>& parts, const NodeGroups& groups) :
    NodeSet(groups.kind, groups.size()), owner_(maker.owner), room_(maker.room)
{
    // Refuses groups that do not fit together before they are looked at one by one
    requireGroups(whole, groups, parts.front().solver->directions());
    std::vector<Growing> own(parts.size(), {NodeGroups(groups.kind), {}});
    NodeGroups split(groups.kind);
    std::vector<std::size_t> splitPlaces;
    const auto placeThose = [&] {
        placeSplit(maker, whole, bricks, parts, split, std::move(splitPlaces));
        split = NodeGroups(groups.kind);
        splitPlaces.clear();
    };
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const int holder = holderOf(whole, bricks, parts, groups, g);
        if (holder < 0) {
            append(split, groups, g, nullptr, whole);
            splitPlaces.push_back(g);
            if (split.nodes.size() >= nodesOfSplit) placeThose();
        } else {
            Growing& grows = own[std::size_t(holder)];
            append(grows.groups, groups, g, &parts[std::size_t(holder)].frame, whole);
            grows.places.push_back(g);
        }
    }
    for (std::size_t p = 0; p < parts.size(); ++p)
        if (!own[p].places.empty())
            shares_.push_back({p, parts[p].solver->place(own[p].groups), std::move(own[p].places)});
    placeThose();
}

PartedNodes::PartedNodes(const SetMaker& maker, const Domain& whole, const Bricks& bricks,
                         const std::vector<PartOfDomain>& parts, const NodeBoxes& all) :
    NodeSet(all.kind, all.boxes.size()), owner_(maker.owner), room_(maker.room)
{
    requireInside(whole, all);
    std::vector<NodeBoxes> own(parts.size(), NodeBoxes(all.kind));
    std::vector<NumberRuns> places(parts.size());
    NodeBoxes split(all.kind);
    std::vector<std::size_t> splitPlaces;
    std::size_t splitNodes = 0;
    const auto placeThose = [&] {
        placeSplit(maker, whole, bricks, parts, termsOf(whole, split), std::move(splitPlaces));
        split = NodeBoxes(all.kind);
        splitPlaces.clear();
        splitNodes = 0;
    };
    for (std::size_t b = 0; b < all.boxes.size(); ++b) {
        NodeBox box = all.boxes[b];
        const std::size_t holder = holderOf(bricks, parts, box);
        if (holder == parts.size()) {
            split.boxes.push_back(box);
            splitPlaces.push_back(b);
            splitNodes += std::size_t(box.size[0]) * std::size_t(box.size[1]) * std::size_t(box.size[2]);
            if (splitNodes >= nodesOfSplit) placeThose();
            continue;
        }
        const PartFrame& part = parts[holder].frame;
        if (*std::min_element(box.size.begin(), box.size.end()) > 0) box.low = part.coordinates(part.local(box.low));
        else box = NodeBox(); // empty
        own[holder].boxes.push_back(box);
        places[holder].push_back(b);
    }
    for (std::size_t p = 0; p < parts.size(); ++p)
        if (!places[p].empty()) shares_.push_back({p, parts[p].solver->place(own[p]), std::move(places[p])});
    placeThose();
}

void PartedNodes::placeSplit(const SetMaker& maker, const Domain& whole, const Bricks& bricks,
                             const std::vector<PartOfDomain>& parts, const NodeGroups& split,
                             std::vector<std::size_t> places)
{
    if (places.empty()) return;
    Split some;
    some.terms = std::make_unique<NodeBlocks>(whole, split, parts.front().solver->directions(),
                                              std::numeric_limits<std::size_t>::max());
    const std::vector<NodeIndex>& nodes = some.terms->nodes;
    some.nodes = std::make_unique<PartedNodes>(maker, whole, bricks, parts, nodes.data(), nodes.size());
    some.places = std::move(places);
    splits_.push_back(std::move(some));
}

NodeIndex PartedNodes::nodeOf(const Share& share, std::size_t i)
{
    if (const auto* elsewhere = dynamic_cast<const NodesElsewhere*>(share.set.get())) return elsewhere->node(i);
    return static_cast<const OwnedSet&>(*share.set).blocks().nodes[i];
}

} // namespace lbm
