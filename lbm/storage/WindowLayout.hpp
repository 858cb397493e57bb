// WindowLayout: where populations of a tile lie while a sweep passes over it: those of its own rows, and around them, across
// y and z, what the neighbours' faces send, so that nodes gather at fixed distances. Across x the windows of the
// tiles before and behind serve. A face holds only what leaves through it, row by row.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Lanes.hpp"
#include "lbm/physics/CollideMoments.hpp"
#include "lbm/storage/Tile.hpp"

#include <cstring>
#include <vector>

namespace lbm {

// The face that the neighbour at n (by 13 + dx + 3 dy + 9 dz) shows: that of the highest axis that n differs on, so that
// few faces serve all edges.
constexpr int faceShown(int n)
{
    const int d[3] = {n % 3 - 1, n/3 % 3 - 1, n/9 - 1};
    for (int a = 2; a >= 0; --a)
        if (d[a] != 0) return 2*a + (d[a] < 0);
    return -1;
}

// Population q comes from the neighbour at n, wherever it comes in.
template<class L>
constexpr bool comesFrom(int q, int n)
{
    const int d[3] = {n % 3 - 1, n/3 % 3 - 1, n/9 - 1};
    for (int a = 0; a < 3; ++a)
        if (d[a] != 0 && L::c[q][a] != -d[a]) return false;
    return n != 13;
}

template<class L>
constexpr bool sends(int n)
{
    for (int q = 0; q < L::Q; ++q)
        if (comesFrom<L>(q, n)) return true;
    return false;
}

template<class L, class T, class TileT>
struct WindowLayout {
    static constexpr int line = lineNodes<T>, across = TileT::TX/line, rows = TileT::N/line, rimZ = L::D == 3 ? 1 : 0;
    static_assert(TileT::TX % line == 0, "a tile's rows are whole cache lines");

    // x in rows.
    static constexpr int at(int x, int y, int z)
    {
        return (((z + rimZ)*(TileT::TY + 2) + y + 1)*across + x)*L::Q*line;
    }
    static constexpr int size = at(0, TileT::TY + 1, TileT::TZ - 1 + rimZ);

    static constexpr auto own = [] {
        std::array<std::int32_t, rows> table{};
        for (int row = 0; row < rows; ++row) table[row] = at(row % across, row/across % TileT::TY, row/across/TileT::TY);
        return table;
    }();

    // The rows around each row; the windows are numbers 12, 13 and 14 of those around.
    static constexpr auto around = [] {
        std::array<RowPlaces, rows> table{};
        for (int row = 0; row < rows; ++row)
            for (int n = 0; n < 27; ++n) {
                const int x = row % across + n % 3 - 1, z = row/across/TileT::TY + (rimZ ? n/9 - 1 : 0);
                const int window = x < 0 ? -1 : x >= across ? 1 : 0;
                table[row].tile[n] = 13 + window;
                table[row].offset[n] = at(x - window*across, row/across % TileT::TY + n/3 % 3 - 1, z);
            }
        return table;
    }();

    // Rows of a face, in order, and where they lie in it.
    struct Face {
        std::uint8_t row[rows];
        std::int32_t places[rows];
        int n = 0, size = 0;
    };
    static constexpr auto face = [] {
        std::array<Face, faces> all{};
        const int extent[3] = {across, TileT::TY, TileT::TZ};
        for (int f = 0; f < faces; ++f)
            for (int row = 0; row < rows; ++row) {
                const int x[3] = {row % across, row/across % TileT::TY, row/across/TileT::TY};
                if (x[f/2] != (f % 2 ? extent[f/2] - 1 : 0)) continue;
                all[f].row[all[f].n++] = std::uint8_t(row);
                all[f].places[row] = all[f].size;
                all[f].size += numberInFace<L>(L::Q, f)*line;
            }
        return all;
    }();

    struct Copy { std::int32_t from, to; };     // of a line

    // From a tile's window to its face.
    static const std::vector<Copy>& leaving(int f)
    {
        static const auto all = [] {
            std::array<std::vector<Copy>, faces> copies;
            for (int g = 0; g < faces; ++g)
                for (int i = 0; i < face[g].n; ++i)
                    for (int q = 0; q < L::Q; ++q)
                        if (leaves<L>(q, g))
                            copies[g].push_back({own[face[g].row[i]] + q*line,
                                                 face[g].places[face[g].row[i]] + numberInFace<L>(q, g)*line});
            return copies;
        }();
        return all[f];
    }

    // From the face that the neighbour at n shows to the window of the tile, or, for neighbours across x, to the one beside.
    static const std::vector<Copy>& arriving(int n)
    {
        static const auto all = [] {
            std::array<std::vector<Copy>, 27> copies;
            for (int m = 0; m < 27; ++m)
                if (sends<L>(m)) copies[m] = arrivingFrom(m);
            return copies;
        }();
        return all[n];
    }

    static void copy(const std::vector<Copy>& lines, const T* from, T* to)
    {
        for (const Copy& c : lines) std::memcpy(to + c.to, from + c.from, line*sizeof(T));
    }

private:
    static std::vector<Copy> arrivingFrom(int n)
    {
        std::vector<Copy> copies;
        const int f = faceShown(n), d[3] = {n % 3 - 1, n/3 % 3 - 1, n/9 - 1};
        const int extent[3] = {across, TileT::TY, TileT::TZ};
        for (int i = 0; i < face[f].n; ++i) {
            const int row = face[f].row[i];
            int x[3] = {row % across, row/across % TileT::TY, row/across/TileT::TY};
            bool shown = true;
            for (int a = 0; a < 3; ++a) shown = shown && (d[a] == 0 || x[a] == (d[a] < 0 ? extent[a] - 1 : 0));
            if (!shown) continue;
            for (int a = 1; a < 3; ++a) x[a] += d[a]*extent[a];
            for (int q = 0; q < L::Q; ++q)
                if (comesFrom<L>(q, n))
                    copies.push_back({face[f].places[row] + numberInFace<L>(q, f)*line, at(x[0], x[1], x[2]) + q*line});
        }
        return copies;
    }
};

} // namespace lbm
