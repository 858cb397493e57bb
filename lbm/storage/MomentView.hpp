// How moments lie in device memory, and what the kernels that work on them must know of the tiles.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentSet.hpp"
#include "lbm/storage/Exchange.hpp"
#include "lbm/storage/MomentCode.hpp"

namespace lbm {

// A block of threads slides along a run: tiles one after another along the last axis.
struct RunsView {
    const std::int32_t* tiles;          // of all runs
    const std::int32_t* first;          // [count + 1]: where a run begins in `tiles`
    int count;
};

// Moments: [tile][moment][node], those after collision.
template<class L, class R, class S, class TileT>
struct MomentTiles {
    S* data;

    using Lattice = L;
    using Value = R;
    using M = MomentSet<L, R>;
    using Code = MomentCode<L, R, S>;

    LBM_HD S* at(std::int32_t tile, int local) const
    {
        return data + (std::size_t(std::uint32_t(tile))*(M::count*TileT::N) + local);
    }
    LBM_HD LBM_INLINE M load(std::int32_t tile, int local) const { return Code::decode(Code::template read<TileT::N>(at(tile, local))); }
    LBM_HD LBM_INLINE void store(std::int32_t tile, int local, const M& m) const
    {
        Code::template store<TileT::N>(at(tile, local), m);
    }
};

// A node with a link whose population neither comes from the node behind it nor is what a resting wall reflects: an
// opening, a moving or interpolated wall, an end of a remote link; also what boundaries look at.
template<class L, class T>
struct SpecialNode {
    NodePlace place;
    std::int32_t state;                 // of BoundaryView::states, or -1
    std::int32_t firstCurved, lastCurved;
    T after[L::Q];                      // its populations after the previous collision
    T incoming[L::Q];                   // what arrives over links that reflect
};

template<class L, class T>
struct SpecialView {
    SpecialNode<L, T>* nodes;           // [count]
    int count;
    const std::int32_t* specialOfState; // of every boundary state: its node here
    const std::int32_t* pairEnds;       // [pairs][2]: nodes of a remote pair, a and b
    T* corrections;                     // [count][moments]: what is to be added to the sums over resting walls
    const std::int32_t* tableOf;        // [tiles]: row of `table`, or -1: no special node in the tile
    const std::int32_t* table;          // [rows][N]: number of the special node, or -1
};

} // namespace lbm
