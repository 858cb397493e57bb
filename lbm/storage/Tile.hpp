// Tile: extents as template arguments, and the arithmetic of rows (runs of TX nodes along x) within them.
// Populations of a tile lie together: [tile][q][node], node x fastest.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>
#include <type_traits>

namespace lbm {

template<int X, int Y, int Z>
struct Tile {
    static constexpr int TX = X, TY = Y, TZ = Z, N = X*Y*Z, rows = Y*Z;
    static_assert(X <= 32, "a row's mask has at most 32 bits");
    using Mask = std::conditional_t<X <= 8, std::uint8_t, std::conditional_t<X <= 16, std::uint16_t, std::uint32_t>>;

    // Where the row `steps` away (one component at most one) lies: tile offset in 3*dy + 9*dz, row within.
    struct RowPlace { int tile, row; };
    static constexpr RowPlace rowAt(int y, int z, int dy, int dz)
    {
        int ty = 0, tz = 0;
        y += dy;
        z += dz;
        if (y < 0) { ty = -1; y += Y; } else if (y >= Y) { ty = 1; y -= Y; }
        if (z < 0) { tz = -1; z += Z; } else if (z >= Z) { tz = 1; z -= Z; }
        return {3*ty + 9*tz, y + Y*z};
    }
};

} // namespace lbm
