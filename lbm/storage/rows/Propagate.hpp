// Where the populations of a tile's rows lie, and propagation of single rows between memory and a buffer of the
// same layout in cache.
//   gather:  buffer(q, x) = value that arrives at x along c_q, read at x - c_q from slot(q)
//   scatter: value that leaves x along c_q, written at x + c_q into slot q
// Where the neighbour is no fluid the value is reflected at the node itself. Most rows are gathered and scattered by
// the collision (Collide.hpp); the buffer is for those that have more between than to collide.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Row.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/storage/rows/Collide.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <array>
#include <cstring>

namespace lbm {

template<class L, class T, class TileT>
struct Propagate {
    using Geometry = TileGeometry<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;
    static constexpr int N = TileT::N, RX = Geometry::RX, rows = Geometry::rows;
    using RowT = Row<T, RX>;

    // Populations lie as Runs says: [group of tiles][q][tile of the group][node]. Values are numbered from a tile's first
    // one. The buffer is laid out as a tile is.
    static constexpr int block = lineNodes<T>, stride = Runs<T>::stride, groupTiles = Runs<T>::nodes / N;
    static constexpr std::size_t groupSize = std::size_t(L::Q) * stride;
    static_assert(N % block == 0 && block % RX == 0 && Runs<T>::nodes % N == 0 && groupSize <= 1 << 16);

    static LBM_INLINE std::size_t start(std::int32_t tile)
    {
        const auto t = std::uint32_t(tile);
        return t / groupTiles * groupSize + t % groupTiles * N;
    }
    static constexpr int node(int q, int local) { return q * stride + local; }
    static constexpr int at(int q, int row) { return node(q, row * RX); }

    // A narrow tile's rows share lines: collisions cannot move them.
    static constexpr bool wide = RX == block;

    // The surroundings of every row of a tile.
    static constexpr auto places = [] {
        constexpr int across = TileT::TX / RX;
        std::array<RowPlaces, rows> table{};
        for (int row = 0; row < rows; ++row)
            for (int n = 0; n < 27; ++n) {
                const auto to =
                    TileT::template rowAt<RX>(row % across + n % 3 - 1, row / across % TileT::TY + n / 3 % 3 - 1,
                                              row / across / TileT::TY + n / 9 - 1);
                table[row].tile[n] = to.tile;
                table[row].offset[n] = at(0, to.row);
            }
        return table;
    }();

    // Of a uniform tile.
    static constexpr Detail whole = [] {
        Detail d{};
        for (int row = 0; row < rows; ++row) {
            d.fluid[row] = typename Geometry::Mask((1u << RX) - 1);
            for (auto& mask : d.arrives[row]) mask = d.fluid[row];
            d.order[row] = std::uint8_t(row);
        }
        d.plain = d.walled = d.curved = d.bordered = d.active = std::uint8_t(rows);
        return d;
    }();

    // Some of a tile's rows; row k of them is row k of the buffer.
    struct Rows {
        const std::uint8_t* row;
        int n;
    };

    // Number of every row in the buffer, -1 for rows left out.
    static void invert(const Rows& some, int (&position)[rows])
    {
        for (int& p : position) p = -1;
        for (int k = 0; k < some.n; ++k) position[some.row[k]] = k;
    }

    // visit(k, row, source, side): row k of some, and the rows where it and its outermost lane are after a shift.
    template<int cx, int cy, int cz, class Visit>
    static LBM_INLINE void shift(const TileView<T>& around, const Rows& some, Visit&& visit)
    {
#pragma GCC unroll 1
        for (int k = 0; k < some.n; ++k) {
            const int row = some.row[k];
            const RowPlaces& place = places[row];
            constexpr int inner = 13 + 3 * cy + 9 * cz, outer = inner + cx;
            visit(k, row, around.tile[place.tile[inner]] + place.offset[inner],
                  around.tile[place.tile[outer]] + place.offset[outer]);
        }
    }

    template<bool swapped>
    static void gather(const T* data, const TileView<T>& around, const Detail& d, const RemoteLink* remotes,
                       const Rows& some, T* buffer)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int slot = swapped ? opposite(q) : int(q), cx = L::c[q][0];
            shift<-cx, -L::c[q][1], -L::c[q][2]>(
                around, some, [&](int k, int row, const T* source, const T* side) __attribute__((always_inline)) {
                    RowT::template shiftIn<cx>(buffer + at(q, k), source + slot * stride, side + slot * stride,
                                               around.tile[13] + at(opposite(slot), row), d.arrives[row][q],
                                               d.fluid[row]);
                });
        });
        if (d.firstRemote == d.lastRemote) return;
        int position[rows];
        invert(some, position);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            const RemoteLink& r = remotes[i];
            if (position[r.local / RX] < 0) continue;
            const int slot = swapped ? opposite(r.q) : int(r.q);
            buffer[at(r.q, position[r.local / RX]) + r.local % RX] = data[start(r.source) + node(slot, r.sourceLocal)];
        }
    }

    // Lanes that leave by a remote link, as TileDetail::arrives; all zero for most tiles.
    struct RemoteLanes {
        bool any;
        typename Geometry::Mask out[rows][L::Q];
    };

    static void remoteLanes(const Detail& d, const RemoteLink* remotes, RemoteLanes& lanes)
    {
        lanes.any = d.firstRemote != d.lastRemote;
        if (!lanes.any) return;
        std::memset(lanes.out, 0, sizeof lanes.out);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i)
            lanes.out[remotes[i].local / RX][opposite(remotes[i].q)] |= 1u << remotes[i].local % RX;
    }

    static void scatter(T* data, const TileView<T>& around, const Detail& d, const RemoteLink* remotes,
                        const Rows& some, const T* buffer)
    {
        RemoteLanes remote;
        remoteLanes(d, remotes, remote);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0], back = opposite(q);
            shift<cx, L::c[q][1], L::c[q][2]>(
                around, some, [&](int k, int row, T* target, T* side) __attribute__((always_inline)) {
                    const unsigned out = d.arrives[row][back];
                    unsigned bounce = d.fluid[row] & ~out;
                    if (remote.any) bounce &= ~unsigned(remote.out[row][q]);
                    RowT::template shiftOut<cx>(target + q * stride, side + q * stride, buffer + at(q, k), out);
                    RowT::copy(around.tile[13] + at(back, row), buffer + at(q, k), bounce);
                });
        });
        if (!remote.any) return;
        int position[rows];
        invert(some, position);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            // The link that population r.q arrives by is the one that its opposite leaves by.
            const RemoteLink& r = remotes[i];
            if (position[r.local / RX] < 0) continue;
            const int q = opposite(r.q);
            data[start(r.source) + node(q, r.sourceLocal)] = buffer[at(q, position[r.local / RX]) + r.local % RX];
        }
    }

    // Rows of a tile's own memory to the buffer and back.
    static void pick(const T* own, const Rows& some, const Detail& d, T* buffer)
    {
        for (int k = 0; k < some.n; ++k)
            for (int q = 0; q < L::Q; ++q)
                RowT::select(buffer + at(q, k), own + at(q, some.row[k]), d.fluid[some.row[k]]);
    }

    template<bool swapped, bool streamed>
    static void put(T* own, const Rows& some, const T* buffer)
    {
        using Traits = PackTraits<Pack<T>>;
        for (int k = 0; k < some.n; ++k)
            for (int q = 0; q < L::Q; ++q) {
                T* target = own + at(swapped ? opposite(q) : q, some.row[k]);
                const T* source = buffer + at(q, k);
                if constexpr (streamed && wide)
                    for (int x = 0; x < RX; x += Traits::width) Traits::stream(target + x, Traits::load(source + x));
                else std::memcpy(target, source, RX * sizeof(T));
            }
    }
};

} // namespace lbm
