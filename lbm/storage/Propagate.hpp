// The two halves of propagation between a tile's memory and a buffer [q][node] in cache, which collisions
// work on. The buffer of a tile that is not uniform holds only its rows with a fluid node.
//   gather:  buffer[q][x] = value that arrives at x along c_q, read at x - c_q from slot(q)
//   scatter: value that leaves x along c_q, written at x + c_q into slot q
// Where the neighbour is no fluid the value is reflected at the node itself.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/device/Row.hpp"
#include "lbm/device/Unroll.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <cstring>

namespace lbm {

template<class L, class T, class TileT>
struct Propagate {
    using Geometry = TileGeometry<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;
    using Mask = typename TileT::Mask;
    using RowT = Row<T, TileT::TX>;
    static constexpr int TX = TileT::TX, N = TileT::N;
    static constexpr std::size_t tileSize = std::size_t(L::Q)*N;

    // Rows of a tile with at least one fluid node, in order.
    struct Rows {
        int n = 0;
        int row[TileT::rows];
    };

    static Rows rowsOf(const Detail& d)
    {
        Rows r;
        for (int row = 0; row < TileT::rows; ++row)
            if (d.fluid[row]) r.row[r.n++] = row;
        return r;
    }

    // Position in the buffer of every row, -1 for rows left out.
    static void invert(const Rows& rows, int (&position)[TileT::rows])
    {
        for (int& p : position) p = -1;
        for (int k = 0; k < rows.n; ++k) position[rows.row[k]] = k;
    }

    // swapped: populations lie in the slot of the opposite link (the odd step of one-lattice patterns).
    // The next tile is asked for meanwhile, a row's line at a time.
    template<bool swapped>
    static void gatherUniform(const T* data, std::int32_t tile, const std::array<std::int32_t, 27>& nb, T* buffer)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int slot = swapped ? opposite(q) : int(q);
            constexpr int cx = L::c[q][0], cy = L::c[q][1], cz = L::c[q][2];
            #pragma GCC unroll 1
            for (int row = 0; row < TileT::rows; ++row) {
                const auto from = TileT::rowAt(row % TileT::TY, row/TileT::TY, -cy, -cz);
                const T* source = data + nb[13 + from.tile]*tileSize + slot*N + from.row*TX;
                const T* side = data + nb[13 + from.tile - cx]*tileSize + slot*N + from.row*TX;
                RowT::template shiftIn<cx>(buffer + q*N + row*TX, source, side, source, RowT::full, RowT::full);
                __builtin_prefetch(data + (tile + 1)*tileSize + q*N + row*TX, swapped);
            }
        });
    }

    template<bool swapped>
    static void gather(const T* data, std::int32_t tile, const std::array<std::int32_t, 27>& nb, const Detail& d,
                       const RemoteLink* remotes, const Rows& rows, T* buffer)
    {
        const T* own = data + tile*tileSize;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int slot = swapped ? opposite(q) : int(q);
            constexpr int cx = L::c[q][0], cy = L::c[q][1], cz = L::c[q][2];
            #pragma GCC unroll 1
            for (int k = 0; k < rows.n; ++k) {
                const int row = rows.row[k];
                const auto from = TileT::rowAt(row % TileT::TY, row/TileT::TY, -cy, -cz);
                const T* source = data + nb[13 + from.tile]*tileSize + slot*N + from.row*TX;
                const T* side = data + nb[13 + from.tile - cx]*tileSize + slot*N + from.row*TX;
                RowT::template shiftIn<cx>(buffer + q*N + k*TX, source, side, own + opposite(slot)*N + row*TX,
                                           d.shifted[q][row], d.fluid[row]);
            }
        });
        if (d.firstRemote == d.lastRemote) return;
        int position[TileT::rows];
        invert(rows, position);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            const RemoteLink& r = remotes[i];
            const int slot = swapped ? opposite(r.q) : int(r.q);
            buffer[r.q*N + position[r.local/TX]*TX + r.local % TX] = data[r.source*tileSize + slot*N + r.sourceLocal];
        }
    }

    static void scatterUniform(T* data, const std::array<std::int32_t, 27>& nb, const T* buffer)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0], cy = L::c[q][1], cz = L::c[q][2];
            #pragma GCC unroll 1
            for (int row = 0; row < TileT::rows; ++row) {
                const auto to = TileT::rowAt(row % TileT::TY, row/TileT::TY, cy, cz);
                T* target = data + nb[13 + to.tile]*tileSize + q*N + to.row*TX;
                T* side = data + nb[13 + to.tile + cx]*tileSize + q*N + to.row*TX;
                RowT::template shiftOut<cx>(target, side, buffer + q*N + row*TX, RowT::full);
            }
        });
    }

    // Lanes that leave by a remote link, as TileDetail::shifted; all zero for most tiles.
    struct RemoteLanes {
        bool any;
        Mask out[L::Q][TileT::rows];
    };

    static void remoteLanes(const Detail& d, const RemoteLink* remotes, RemoteLanes& lanes)
    {
        lanes.any = d.firstRemote != d.lastRemote;
        if (!lanes.any) return;
        std::memset(lanes.out, 0, sizeof lanes.out);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i)
            lanes.out[opposite(remotes[i].q)][remotes[i].local/TX] |= Mask(Mask(1) << remotes[i].local % TX);
    }

    static void scatter(T* data, std::int32_t tile, const std::array<std::int32_t, 27>& nb, const Detail& d,
                        const RemoteLink* remotes, const Rows& rows, const T* buffer)
    {
        T* own = data + tile*tileSize;
        RemoteLanes remote;
        remoteLanes(d, remotes, remote);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0], cy = L::c[q][1], cz = L::c[q][2];
            constexpr int back = opposite(q);
            #pragma GCC unroll 1
            for (int k = 0; k < rows.n; ++k) {
                const int row = rows.row[k];
                const auto to = TileT::rowAt(row % TileT::TY, row/TileT::TY, cy, cz);
                T* target = data + nb[13 + to.tile]*tileSize + q*N + to.row*TX;
                T* side = data + nb[13 + to.tile + cx]*tileSize + q*N + to.row*TX;
                const T* source = buffer + q*N + k*TX;
                const unsigned out = d.shifted[back][row];
                unsigned bounce = d.fluid[row] & ~out;
                if (remote.any) bounce &= ~unsigned(remote.out[q][row]);
                RowT::template shiftOut<cx>(target, side, source, out);
                RowT::copy(own + back*N + row*TX, source, bounce);
            }
        });
        if (!remote.any) return;
        int position[TileT::rows];
        invert(rows, position);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            // The link that population r.q arrives by is the one that its opposite leaves by.
            const RemoteLink& r = remotes[i];
            const int q = opposite(r.q);
            data[r.source*tileSize + q*N + r.sourceLocal] = buffer[q*N + position[r.local/TX]*TX + r.local % TX];
        }
    }

    // Rows of a tile's own memory to the buffer and back.
    static void pick(const T* own, const Rows& rows, const Detail& d, T* buffer)
    {
        for (int q = 0; q < L::Q; ++q)
            for (int k = 0; k < rows.n; ++k)
                RowT::select(buffer + q*N + k*TX, own + q*N + rows.row[k]*TX, d.fluid[rows.row[k]]);
    }

    template<bool swapped, bool streamed>
    static void put(T* own, const Rows& rows, const T* buffer)
    {
        using Traits = PackTraits<Pack<T>>;
        constexpr bool wide = streamed && TX % Traits::width == 0;
        for (int q = 0; q < L::Q; ++q)
            for (int k = 0; k < rows.n; ++k) {
                T* target = own + (swapped ? opposite(q) : q)*N + rows.row[k]*TX;
                const T* source = buffer + q*N + k*TX;
                if constexpr (wide)
                    for (int x = 0; x < TX; x += Traits::width) Traits::stream(target + x, Traits::load(source + x));
                else
                    std::memcpy(target, source, TX*sizeof(T));
            }
    }
};

} // namespace lbm
