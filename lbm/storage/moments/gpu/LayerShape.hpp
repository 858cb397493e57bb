// A layer of a tile, across the axis along which blocks of threads slide: what works on it, and where what it sends lies.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

namespace lbm {

// Extents of a layer and the threads that work on it: the first have its own nodes, then come those of the rim, each with
// the nearest node on both sides across y, and warps of their own for the rim across x. The axis along which blocks
// slide is the last.
template<class LatticeT, class TileT>
struct Layer {
    using L = LatticeT;
    static constexpr int X = TileT::TX, Y = L::D == 3 ? TileT::TY : 1, depth = L::D == 3 ? TileT::TZ : TileT::TY;
    static constexpr int rimY = L::D == 3 ? 1 : 0;
    static constexpr int nodes = X * Y, width = X + 2;
    static constexpr int size = width * (Y + 2 * rimY) + 1; // the last one is nobody's
    static constexpr int layerOf(int l)
    {
        return (l + depth) & (depth - 1);
    } // of its tile; those of a run count from -1
    static constexpr int tileOf(int l) { return int(unsigned(l + depth) / depth); } // of the run; 0: that before it
    static constexpr int warps(int n) { return (n + 31) / 32 * 32; }
    static constexpr int sides = 2 * (Y + 2 * rimY), firstAcrossX = nodes + warps(rimY * X),
                         threads = firstAcrossX + warps(sides);
    static_assert(nodes % 32 == 0);
    static constexpr int place(int x, int y) { return x + 1 + width * (y + rimY); } // of a node in shared memory
    static constexpr int slideStride = L::D == 3 ? 9 : 3;                           // among the 27 tiles
    static constexpr int columns = L::D == 3 ? 9 : 3;
    static_assert((depth & (depth - 1)) == 0);

    static constexpr int along(int q) { return L::c[q][L::D - 1]; }
    static constexpr int cx(int q) { return L::c[q][0]; }
    static constexpr int cy(int q) { return L::D == 3 ? L::c[q][1] : 0; }
    static constexpr bool moves(int q) { return cx(q) != 0 || cy(q) != 0; }

    // Number among those that move within the layer.
    static constexpr int slot(int q)
    {
        int s = 0;
        for (int p = 0; p < q; ++p) s += moves(p);
        return s;
    }
    static constexpr int slots = slot(L::Q);
    // The same where those that stay in a column lie behind them.
    static constexpr int windowSlots = slots + 3;
    static constexpr int windowSlot(int q) { return moves(q) ? slot(q) : slots + 1 + along(q); }
};

} // namespace lbm
