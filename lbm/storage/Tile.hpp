// Tile: extents as template arguments, and the arithmetic of its rows, runs of nodes along x that share a cache line.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Lanes.hpp"

#include <algorithm>

namespace lbm {

template<int X, int Y, int Z>
struct Tile {
    static constexpr int TX = X, TY = Y, TZ = Z, N = X * Y * Z;

    template<class T>
    static constexpr int rowNodes = std::min(X, lineNodes<T>);

    // Row (x, y, z), x counted in rows of RX nodes: which tile holds it, 13 + dx + 3 dy + 9 dz, and its number there.
    struct RowPlace {
        int tile, row;
    };
    template<int RX>
    static constexpr RowPlace rowAt(int x, int y, int z)
    {
        constexpr int extent[3] = {X / RX, Y, Z};
        int at[3] = {x, y, z}, step[3] = {};
        for (int a = 0; a < 3; ++a) {
            step[a] = at[a] < 0 ? -1 : at[a] >= extent[a] ? 1 : 0;
            at[a] -= step[a] * extent[a];
        }
        return {13 + step[0] + 3 * step[1] + 9 * step[2], at[0] + extent[0] * (at[1] + Y * at[2])};
    }
};

} // namespace lbm
