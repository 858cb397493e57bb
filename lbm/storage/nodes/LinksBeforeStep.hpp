// LinksBeforeStep: before a step, the reflected populations of links that are more than resting walls are replaced by
// what belongs there: openings and moving walls complete them, wraps that do not fall on a tile boundary swap
// those of their two ends. Patterns then need to know nothing of it. So do interpolated walls of patterns that have no word
// a node, and of nodes at openings that impose all of a node; the others' are seen to in the step, see CurvedNodes.hpp.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/storage/nodes/NodeAccess.hpp"
#include "lbm/storage/TileGeometry.hpp"

namespace lbm {

struct NodePlace {
    std::int32_t tile, local;
};

// Of a curved link: its node.
struct CurvedPlace {
    std::int32_t tile;
    std::int16_t local;
    std::uint8_t direction;

    LBM_HD NodePlace node() const { return {tile, local}; }
};

// Population q arrives at node a from node b, and its opposite at b from a.
struct RemotePair {
    NodePlace a, b;
    int q;

    std::int32_t lastTile() const { return a.tile > b.tile ? a.tile : b.tile; }
};

template<class L, class T>
struct BoundaryView {
    const BoundaryState* states; // [nodes]
    SentPopulations<L, T>* sent; // [nodes]; one copy serves
    const NodePlace* places;     // [nodes]
    BoundaryLinks<T> links;
    const BoundaryShare<T>* shares;
    T* openingMemory;               // of links
    const std::int32_t* nodeOfLink; // [linkCount]; -1: none, it tells others something, or its node is a lone one
    int nodes, linkCount;
    const std::int32_t* company; // [companyCount]: boundary nodes that others look at, or that look at others
    int companyCount;
    const std::int32_t* lone; // [loneCount]: the others
    int loneCount;
    const RemotePair* pairs;
    int pairCount;
    CurvedLink<T>* curved;
    const CurvedPlace* curvedPlaces; // [curvedCount]
    T* sentAway;                     // [curvedCount], see CurvedLink
    int curvedCount;
    const std::int32_t*
        recalled; // [recalledCount]: curved links whose nodes are looked at before a step; null: all are
    int recalledCount;
    const std::int32_t* between; // [betweenCount]: curved links that are completed before a step
    int betweenCount;
    const DistantPopulation* distant;
    T* distantValue;                   // their populations
    const std::int32_t* distantByTile; // [distantCount]: their numbers
    int distantCount;
    bool incompressible;
    const OpeningNode* openings; // [openingCount]
    int openingCount;
    int firstLink, firstCurved; // of a piece of them: where linkCount and, without `recalled`, recalledCount begin

    LBM_HD BoundaryTable<L, T> table(const Parameters<T>& p) const
    {
        return {states, {sent, sent}, links, shares, openingMemory, 0, p, incompressible};
    }
};

// A node by itself, not among those of its tile.
template<class Node>
LBM_HD typename Node::Lone alone(const TilesView& view, std::int32_t tile, int local)
{
    return {view, Lookup<typename Node::Around>{view, tile}, tile, local};
}

// First boundary nodes remember their populations, if others will look at them; then links are completed, of lone nodes at once:
// nobody reads what they change. Last come interpolated walls, which may see what arrives through one.
template<class Next, class Node, class L, class T>
LBM_HD void remember(const TilesView& view, const BoundaryView<L, T>& boundary, int i, const T* current)
{
    i = boundary.company[i];
    const auto node = alone<Node>(view, boundary.places[i].tile, boundary.places[i].local);
    T after[L::Q]; // all loads come first: for all that a compiler knows, stores could change what they find
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) { after[q] = current[node.template waiting<Next, q>()]; });
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) { boundary.sent[i].of[q] = after[q]; });
}

template<class Next, class Node, class L, class T>
LBM_HD void complete(const TilesView& view, const BoundaryView<L, T>& boundary, int i, const Parameters<T>& p,
                     T* current)
{
    i += boundary.firstLink;
    const std::int32_t n = boundary.nodeOfLink[i];
    if (n < 0) return;
    const BoundaryTable<L, T> table = boundary.table(p);
    const auto node = alone<Node>(view, boundary.places[n].tile, boundary.places[n].local);
    T& value = current[node.template reflected<Next>(boundary.links.made[i].direction)];
    if (Slip::isMirror(boundary.links.made[i])) value = Slip::seenInMirror<L>(table, boundary.links[i]);
    else value = incoming(BoundaryNode<L, T>(table, n), std::uint32_t(i));
}

template<class Next, class Node, class L, class T>
LBM_HD void completeLone(const TilesView& view, const BoundaryView<L, T>& boundary, int i, const Parameters<T>& p,
                         T* current)
{
    const std::int32_t n = boundary.lone[i];
    const auto node = alone<Node>(view, boundary.places[n].tile, boundary.places[n].local);
    T after[L::Q];
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) { after[q] = current[node.template waiting<Next, q>()]; });
    const BoundaryTable<L, T> table = boundary.table(p);
    const BoundaryNode<L, T> known(table, n, after);
    for (std::uint32_t k = boundary.states[n].firstLink; k < boundary.states[n].lastLink; ++k)
        current[node.template reflected<Next>(boundary.links.made[k].direction)] =
            reflected(known, boundary.links[k], boundary.openingMemory[k]);
}

template<class Next, class Node, class L, class T>
LBM_HD void rememberSentAway(const TilesView& view, const BoundaryView<L, T>& boundary, int i, const T* current)
{
    i = boundary.recalled ? boundary.recalled[i] : i + boundary.firstCurved;
    const CurvedPlace place = boundary.curvedPlaces[i];
    const auto node = alone<Node>(view, place.tile, place.local);
    boundary.sentAway[i] = current[node.template waiting<Next>(place.direction)];
}

template<class Next, class Node, class L, class T>
LBM_HD void rememberDistantValue(const TilesView& view, const BoundaryView<L, T>& boundary, int i, const T* current)
{
    i = boundary.distantByTile[i];
    const DistantPopulation& distant = boundary.distant[i];
    const auto node = alone<Node>(view, distant.tile, distant.local);
    boundary.distantValue[i] = current[node.template waiting<Next>(distant.q)];
}

template<class Next, class Node, class L, class T>
LBM_HD void interpolate(const TilesView& view, const BoundaryView<L, T>& boundary, int i, T* current)
{
    i = boundary.between[i];
    const CurvedLink<T>& link = boundary.curved[i];
    const auto node = alone<Node>(view, boundary.curvedPlaces[i].tile, boundary.curvedPlaces[i].local);
    T arriving = 0;
    // Where it has no share it may be the wall across, which another thread is working on.
    if (link.arriving != 0) arriving = current[node.template load<Next>(opposite(link.direction))];
    T& value = current[node.template reflected<Next>(link.direction)];
    value = interpolated(T(link.reflected), T(link.arriving), link.kept(), value, arriving, boundary.sentAway[i],
                         link.move);
    if (link.distant >= 0) value += T(link.further) * boundary.distantValue[link.distant];
}

// Last of all: a node at such an opening takes its populations from where the step will load them, and puts others there.
template<class Next, class Node, class L, class T>
LBM_HD void imposeOpening(const TilesView& view, const BoundaryView<L, T>& boundary, int i, const Parameters<T>& p,
                          T* current)
{
    const OpeningNode& opening = boundary.openings[i];
    const NodePlace place = boundary.places[opening.state];
    const auto node = alone<Node>(view, place.tile, place.local);
    T g[L::Q], r, j[3];
    for (int q = 0; q < L::Q; ++q) g[q] = current[node.template load<Next>(q)];
    densityAndMomentum<L>(g, r, j);
    const BoundaryTable<L, T> table = boundary.table(p);
    const VelocityGradient<L, T> gradient(table, opening);
    const OpeningState<T> state = gradient.state(r, j);
    if (!state.imposed) return;
    gradient.populations(state, g);
    for (int q = 0; q < L::Q; ++q) current[node.template load<Next>(q)] = g[q];
}

template<class Next, class Node, class T>
LBM_HD void swapEnds(const TilesView& view, const RemotePair& pair, T* current)
{
    const auto a = alone<Node>(view, pair.a.tile, pair.a.local), b = alone<Node>(view, pair.b.tile, pair.b.local);
    T& fromA = current[a.template reflected<Next>(pair.q)];
    T& fromB = current[b.template reflected<Next>(opposite(pair.q))];
    const T value = fromA;
    fromA = fromB;
    fromB = value;
}

} // namespace lbm
