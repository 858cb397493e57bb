// WindowLayout: the rows of a tile as a sweep of MomentWindow sees them: layers along the last axis, which the window slides
// along, and the rows of each face. Tiles are one row wide, a cache line of nodes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/cpu/CollideMoments.hpp"
#include "lbm/storage/Tile.hpp"

#include <array>
#include <cstring>

namespace lbm {

// The face that the neighbour at n (by 13 + dx + 3 dy + 9 dz) shows: that of the highest axis that n differs on, so that
// few faces serve all edges.
constexpr int faceShown(int n)
{
    const int d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    for (int a = 2; a >= 0; --a)
        if (d[a] != 0) return 2 * a + (d[a] < 0);
    return -1;
}

// Some population comes from the neighbour at n, wherever it comes in.
template<class L>
constexpr bool sends(int n)
{
    const int d[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    for (int q = 1; q < L::Q; ++q) {
        bool comes = n != 13;
        for (int a = 0; a < 3; ++a) comes = comes && (d[a] == 0 || L::c[q][a] == -d[a]);
        if (comes) return true;
    }
    return false;
}

template<class L, class T, class TileT>
struct WindowLayout {
    static constexpr int line = lineNodes<T>;
    static_assert(TileT::TX == line, "tiles of moments are a cache line wide");
    static constexpr int rows = L::D == 3 ? TileT::TY : 1, layers = L::D == 3 ? TileT::TZ : TileT::TY;
    static constexpr int rim = L::D == 3 ? 1 : 0;                   // rows before and behind those of a layer
    static constexpr int below = 2 * (L::D - 1), above = below + 1; // faces that the window enters and leaves by

    // Values of a stack's layer, and of a row of it.
    static constexpr int stackRow(int stack) { return numberInStack<L>(L::Q, stack) * line; }
    static constexpr int stackLayer(int stack) { return (rows + 2 * rim) * stackRow(stack); }

    static constexpr int faceRow(int face) { return numberInFace<L>(L::Q, face) * line; }

    struct Face {
        std::array<std::int32_t, (rows * layers + line - 1) / line * line> at{}; // of each row's moments; filled up
        int n = 0, size = 0;
    };
    static constexpr auto face = [] {
        std::array<Face, faces> all{};
        for (int f = 0; f < 2 * L::D; ++f) {
            Face& face = all[f];
            for (int r = 0; r < rows * layers; ++r) {
                const int y = r % rows, s = r / rows;
                const int position = f / 2 == L::D - 1 ? s : y, end = f / 2 == L::D - 1 ? layers - 1 : rows - 1;
                if (f < 2 || position == (f % 2 ? end : 0)) face.at[face.n++] = r * line;
            }
            for (int i = face.n; i < int(face.at.size()); ++i) face.at[i] = face.at[face.n - 1];
            face.size = f < 2 ? laneAt<L, T, 0>(int(face.at.size()), 0) : face.n * faceRow(f);
        }
        return all;
    }();

    // lines of memory
    static LBM_INLINE void copy(const T* from, T* to, int values) { std::memcpy(to, from, values * sizeof(T)); }
};

} // namespace lbm
