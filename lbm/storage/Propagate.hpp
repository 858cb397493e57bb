// The two halves of propagation between a tile's memory and a buffer [q][node] in cache, which collisions
// work on. The buffer of a tile that is not uniform holds only its rows with a fluid node.
//   gather:  buffer[q][x] = value that arrives at x along c_q, read at x - c_q from slot(q)
//   scatter: value that leaves x along c_q, written at x + c_q into slot q
// Where the neighbour is no fluid the value is reflected at the node itself.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/device/Unroll.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <cstring>

namespace lbm {

template<class L, class T, class TileT>
struct Propagate {
    using Geometry = TileGeometry<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;
    using Mask = typename TileT::Mask;
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
    template<bool swapped, bool fetch>
    static void gatherUniform(const T* data, std::int32_t tile, const std::array<std::int32_t, 27>& nb, T* buffer)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int slot = swapped ? opposite(q) : int(q);
            constexpr int cx = L::c[q][0], cy = L::c[q][1], cz = L::c[q][2];
            for (int z = 0; z < TileT::TZ; ++z)
                for (int y = 0; y < TileT::TY; ++y) {
                    const auto from = TileT::rowAt(y, z, -cy, -cz);
                    const T* source = data + nb[13 + from.tile]*tileSize + slot*N + from.row*TX;
                    T* target = buffer + q*N + (y + TileT::TY*z)*TX;
                    // One vector that starts a lane off its row, then the lane that belongs to the next tile.
                    std::memcpy(target, source - cx, TX*sizeof(T));
                    if constexpr (cx != 0) {
                        const T* side = data + nb[13 + from.tile - cx]*tileSize + slot*N + from.row*TX;
                        if constexpr (cx == 1) target[0] = side[TX - 1];
                        else target[TX - 1] = side[0];
                    }
                    if constexpr (fetch)
                        __builtin_prefetch(data + (tile + 1)*tileSize + q*N + (y + TileT::TY*z)*TX, swapped);
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
            for (int k = 0; k < rows.n; ++k) {
                const int row = rows.row[k];
                const auto from = TileT::rowAt(row % TileT::TY, row/TileT::TY, -cy, -cz);
                const T* source = data + nb[13 + from.tile]*tileSize + slot*N + from.row*TX;
                T shifted[TX];
                std::memcpy(shifted, source - cx, TX*sizeof(T));
                if constexpr (cx != 0) {
                    const T* side = data + nb[13 + from.tile - cx]*tileSize + slot*N + from.row*TX;
                    if constexpr (cx == 1) shifted[0] = side[TX - 1];
                    else shifted[TX - 1] = side[0];
                }
                const T* reflected = own + opposite(slot)*N + row*TX;
                T* target = buffer + q*N + k*TX;
                const unsigned take = d.shifted[q][row], fluid = d.fluid[row];
                #pragma GCC ivdep
                for (int x = 0; x < TX; ++x) {
                    const T value = take >> x & 1 ? shifted[x] : reflected[x];
                    target[x] = fluid >> x & 1 ? value : T(0);
                }
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

    template<bool fetch>
    static void scatterUniform(T* data, std::int32_t tile, const std::array<std::int32_t, 27>& nb, const T* buffer)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0], cy = L::c[q][1], cz = L::c[q][2];
            for (int z = 0; z < TileT::TZ; ++z)
                for (int y = 0; y < TileT::TY; ++y) {
                    const auto to = TileT::rowAt(y, z, cy, cz);
                    T* target = data + nb[13 + to.tile]*tileSize + q*N + to.row*TX;
                    const T* source = buffer + q*N + (y + TileT::TY*z)*TX;
                    if constexpr (cx == 0) {
                        std::memcpy(target, source, TX*sizeof(T));
                    } else {
                        T* side = data + nb[13 + to.tile + cx]*tileSize + q*N + to.row*TX;
                        if constexpr (cx == 1) {
                            std::memcpy(target + 1, source, (TX - 1)*sizeof(T));
                            side[0] = source[TX - 1];
                        } else {
                            std::memcpy(target, source + 1, (TX - 1)*sizeof(T));
                            side[TX - 1] = source[0];
                        }
                    }
                    if constexpr (fetch)
                        __builtin_prefetch(data + (tile + 1)*tileSize + q*N + (y + TileT::TY*z)*TX, 1);
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
            for (int k = 0; k < rows.n; ++k) {
                const int row = rows.row[k];
                const auto to = TileT::rowAt(row % TileT::TY, row/TileT::TY, cy, cz);
                T* target = data + nb[13 + to.tile]*tileSize + q*N + to.row*TX + cx;
                T* reflected = own + back*N + row*TX;
                const T* source = buffer + q*N + k*TX;
                unsigned out = d.shifted[back][row];
                unsigned bounce = d.fluid[row] & ~out;
                if (remote.any) bounce &= ~unsigned(remote.out[q][row]);
                if constexpr (cx != 0) {
                    constexpr int edge = cx == 1 ? TX - 1 : 0;
                    if (out >> edge & 1)
                        data[nb[13 + to.tile + cx]*tileSize + q*N + to.row*TX + (cx == 1 ? 0 : TX - 1)] = source[edge];
                    out &= ~(1u << edge);
                }
                for (int x = 0; x < TX; ++x)
                    if (out >> x & 1) target[x] = source[x];
                if (bounce)
                    for (int x = 0; x < TX; ++x)
                        if (bounce >> x & 1) reflected[x] = source[x];
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
            for (int k = 0; k < rows.n; ++k) {
                const T* source = own + q*N + rows.row[k]*TX;
                T* target = buffer + q*N + k*TX;
                const unsigned fluid = d.fluid[rows.row[k]];
                #pragma GCC ivdep
                for (int x = 0; x < TX; ++x) target[x] = fluid >> x & 1 ? source[x] : T(0);
            }
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
