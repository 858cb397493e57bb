// Exchange: before a step, the reflected populations of links that are more than resting walls are replaced by
// what belongs there: openings and moving walls complete them, wraps that do not fall on a tile boundary swap
// those of their two ends. Patterns then need to know nothing of either.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Boundaries.hpp"
#include "lbm/storage/NodeAccess.hpp"

namespace lbm {

// A node with a link that is more than a resting wall: its links in the table of BoundaryLink.
struct OpenNode {
    std::int32_t tile, local;
    std::uint32_t firstLink, lastLink;
};

// Population q arrives at node a from node b, and its opposite at b from a.
struct RemotePair {
    std::int32_t tileA, localA, tileB, localB;
    int q;
};

// Incoming populations of a node's links, into the table `incoming`.
template<class Next, class Node, class T>
LBM_HD void completeLinks(const TileView& view, const OpenNode& open, const BoundaryLink<T>* links, const T* current,
                          const Parameters<T>& p, bool incompressible, T* incoming)
{
    using L = typename Node::L;
    const Node node(view, nullptr, open.tile, open.local);
    T after[L::Q];
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) { after[q] = current[node.template waiting<Next, q>()]; });
    BoundaryNode<L, T> boundary(after, p, incompressible);
    for (std::uint32_t k = open.firstLink; k < open.lastLink; ++k) incoming[k] = lbm::incoming(boundary, links[k]);
}

template<class Next, class Node, class T>
LBM_HD void putLinks(const TileView& view, const OpenNode& open, const BoundaryLink<T>* links, const T* incoming, T* current)
{
    const Node node(view, nullptr, open.tile, open.local);
    for (std::uint32_t k = open.firstLink; k < open.lastLink; ++k)
        current[node.template reflected<Next>(links[k].direction)] = incoming[k];
}

template<class Next, class Node, class T>
LBM_HD void swapEnds(const TileView& view, const RemotePair& pair, T* current)
{
    const Node a(view, nullptr, pair.tileA, pair.localA);
    const Node b(view, nullptr, pair.tileB, pair.localB);
    T& fromA = current[a.template reflected<Next>(pair.q)];
    T& fromB = current[b.template reflected<Next>(opposite(pair.q))];
    const T value = fromA;
    fromA = fromB;
    fromB = value;
}

} // namespace lbm
