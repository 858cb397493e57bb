// CurvedNodes: interpolated walls inside a node's own update, for patterns whose tiles have a word a node. What the formula
// (lbm/boundary/InterpolatedWall.hpp) asks for is in the node's registers but for f*_in, what the node sent away from the wall:
// that is kept from step to step, for links whose walls are further than half-way or whose scheme asks for it.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/nodes/NodeAccess.hpp"
#include "lbm/storage/TileGeometry.hpp"

namespace lbm {

// Patterns whose nodes know it: curvedNode is in their words.
template<class Node>
constexpr bool tellsCurved = requires(const Node& node)
{
    node.curved();
};

// Links by direction of what arrives, a bit each; records of a node lie one after another in that order.
struct alignas(16) CurvedNode {
    std::uint32_t links, keeping; // those of the node; of these, such that need f*_in
    std::uint32_t first;          // record of the first one
};

struct alignas(8) CurvedShares {
    float reflected, arriving; // a, b
};

template<class T>
struct CurvedView {
    const CurvedNode* nodes;    // as link words lie
    const CurvedShares* shares; // of records
    const CurvedLink<T>* links; // the same, where walls move or other nodes are asked
    const T* distantValue;      // see BoundaryView
    T* sentAway;                // of records
    bool moving, anyDistant;
};

// What a wall brings back: of record i, whose shares these are, from what the node sent to the wall, what arrives along the
// outgoing direction, and what the node sent away from the wall.
template<class T>
LBM_HD LBM_INLINE T broughtBack(const CurvedView<T>& view, std::uint32_t i, const CurvedShares& shares, T out,
                                T arriving, T away)
{
    const T move = view.moving ? view.links[i].move : T(0);
    T kept = T(1) - T(shares.reflected) - T(shares.arriving), more = 0;
    if (view.anyDistant && view.links[i].distant >= 0) {
        const T further = T(view.links[i].further);
        kept -= further;
        more = further * view.distantValue[view.links[i].distant];
    }
    return interpolated(T(shares.reflected), T(shares.arriving), kept, out, arriving, away, move) + more;
}

// g: what the node has loaded, half-way walls' reflections included.
template<class L, class T>
LBM_HD LBM_INLINE void interpolateNode(const CurvedView<T>& view, const CurvedNode& node, T (&g)[L::Q])
{
    std::uint32_t i = node.first;
    unroll<L::Q - 1>([&](auto k) __attribute__((always_inline)) {
        constexpr int q = k + 1;
        if (!(node.links >> q & 1)) return;
        const CurvedShares shares = view.shares[i];
        const T away = node.keeping >> q & 1 ? view.sentAway[i] : T(0);
        g[q] = broughtBack(view, i, shares, g[q], g[opposite(q)], away);
        ++i;
    });
}

// g: after the collision.
template<class L, class T>
LBM_HD LBM_INLINE void keepSentAway(const CurvedView<T>& view, const CurvedNode& node, const T (&g)[L::Q])
{
    std::uint32_t i = node.first;
    unroll<L::Q - 1>([&](auto k) __attribute__((always_inline)) {
        constexpr int q = k + 1;
        if (node.keeping >> q & 1) view.sentAway[i] = g[q];
        i += node.links >> q & 1;
    });
}

} // namespace lbm
