// The two halves of propagation between a tile's memory and a buffer of the same layout in cache, which collisions
// work on. The buffer of a tile that is not uniform holds only its rows with a fluid node.
//   gather:  buffer(q, x) = value that arrives at x along c_q, read at x - c_q from slot(q)
//   scatter: value that leaves x along c_q, written at x + c_q into slot q
// Where the neighbour is no fluid the value is reflected at the node itself.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/device/Row.hpp"
#include "lbm/device/Unroll.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <array>
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

    // Populations of a tile, and of the buffer, lie in blocks of `block` nodes: [block][q][node in block], a
    // cache line each. What a collision reads and writes is then one run of memory, which both the memory
    // and streaming stores want (19 runs side by side cost a fifth of the bandwidth of a copy).
    static constexpr int block = TX > int(64/sizeof(T)) ? TX : int(64/sizeof(T));
    static_assert(N % block == 0 && block % TX == 0);

    // Offset of the first value of population q in a row.
    static constexpr int at(int q, int row) { return row*TX/block*(L::Q*block) + q*block + row*TX % block; }
    static constexpr int node(int q, int local) { return at(q, local/TX) + local % TX; }

    // rowAt for every row of a tile.
    template<int dy, int dz>
    static constexpr auto places = [] {
        std::array<typename TileT::RowPlace, TileT::rows> table{};
        for (int row = 0; row < TileT::rows; ++row)
            table[row] = TileT::rowAt(row % TileT::TY, row/TileT::TY, dy, dz);
        return table;
    }();

    // Rows of a layer with at least one fluid node, in order.
    struct Rows {
        int n = 0;
        int row[TileT::TY];
    };

    static bool blockHasFluid(const Detail& d, int b)
    {
        unsigned any = 0;
        for (int row = b*(block/TX); row < (b + 1)*(block/TX); ++row) any |= d.fluid[row];
        return any != 0;
    }

    static Rows rowsOf(const Detail& d, int z)
    {
        Rows r;
        for (int row = z*TileT::TY; row < (z + 1)*TileT::TY; ++row)
            if (d.fluid[row]) r.row[r.n++] = row;
        return r;
    }

    // Position in the buffer of every row, -1 for rows left out.
    static void invert(const Rows& rows, int (&position)[TileT::rows])
    {
        for (int& p : position) p = -1;
        for (int k = 0; k < rows.n; ++k) position[rows.row[k]] = k;
    }

    // First value of the tiles around one, by 13 + dx + 3 dy + 9 dz.
    template<class Value>
    struct Around {
        Value* tile[27];

        Around(Value* data, const std::array<std::int32_t, 27>& neighbours)
        {
            for (int n = 0; n < 27; ++n) tile[n] = data + neighbours[n]*tileSize;
        }
    };

    // Uniform tiles are worked on layer by layer: what a layer reads is still in the first cache level when
    // it is written. visit(tile, offset, own) for the rows of layer z, shifted by (dy, dz): the shifted row
    // begins at around.tile[tile] + offset, the row itself at `own` in the layer's buffer. Everything about y
    // is a compile-time constant, for a row's move is few instructions and addresses must not outnumber them.
    static constexpr int layer = TileT::TY*TX;
    static_assert(layer % block == 0);

    template<int dy, int dz, class Visit>
    static LBM_INLINE void forRows(int z, Visit&& visit)
    {
        const int target = z + dz;
        const int step = target < 0 ? -1 : target >= TileT::TZ ? 1 : 0;
        const int offset = at(0, (target - step*TileT::TZ)*TileT::TY);
        unroll<TileT::TY>([&](auto y) __attribute__((always_inline)) {
            constexpr auto place = TileT::rowAt(y, 0, dy, 0);
            visit(13 + 9*step + place.tile, offset + at(0, place.row), at(0, y));
        });
    }

    // Asks for what a tile that comes soon will read from the tiles above and below: a whole layer of tiles
    // lies between their turns and its own, so that the second cache level has lost them or never had them.
    template<bool swapped>
    static void fetchLayers(const T* data, const std::array<std::int32_t, 27>& neighbours)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int slot = swapped ? opposite(q) : int(q), cz = L::c[q][2];
            if constexpr (cz != 0) {
                const T* other = data + neighbours[13 - 9*cz]*tileSize + at(slot, cz > 0 ? (TileT::TZ - 1)*TileT::TY : 0);
                unroll<TileT::TY>([&](auto y) __attribute__((always_inline)) {
                    __builtin_prefetch(other + at(0, y), 0, 2);
                });
            }
        });
    }

    // swapped: populations lie in the slot of the opposite link (the odd step of one-lattice patterns).
    template<bool swapped>
    static void gatherLayer(const Around<const T>& around, int z, T* buffer)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int slot = swapped ? opposite(q) : int(q);
            constexpr int cx = L::c[q][0];
            T* column = buffer + q*block;
            forRows<-L::c[q][1], -L::c[q][2]>(z, [&](int tile, int from, int to) __attribute__((always_inline)) {
                const T* source = around.tile[tile] + slot*block + from;
                const T* side = around.tile[tile - cx] + slot*block + from;
                RowT::template shiftIn<cx>(column + to, source, side);
            });
        });
    }

    template<bool swapped>
    static void gather(const T* data, const Around<const T>& around, const Detail& d, const RemoteLink* remotes,
                       const Rows& rows, T* buffer)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int slot = swapped ? opposite(q) : int(q);
            constexpr int cx = L::c[q][0];
            const T* own = around.tile[13];
            #pragma GCC unroll 1
            for (int k = 0; k < rows.n; ++k) {
                const int row = rows.row[k];
                const auto from = places<-L::c[q][1], -L::c[q][2]>[row];
                const T* source = around.tile[13 + from.tile] + at(slot, from.row);
                const T* side = around.tile[13 + from.tile - cx] + at(slot, from.row);
                RowT::template shiftIn<cx>(buffer + at(q, k), source, side, own + at(opposite(slot), row),
                                           d.shifted[q][row], d.fluid[row]);
            }
        });
        if (d.firstRemote == d.lastRemote) return;
        int position[TileT::rows];
        invert(rows, position);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            const RemoteLink& r = remotes[i];
            if (position[r.local/TX] < 0) continue;
            const int slot = swapped ? opposite(r.q) : int(r.q);
            buffer[at(r.q, position[r.local/TX]) + r.local % TX] = data[r.source*tileSize + node(slot, r.sourceLocal)];
        }
    }

    static void scatterLayer(const Around<T>& around, int z, const T* buffer)
    {
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0];
            const T* column = buffer + q*block;
            forRows<L::c[q][1], L::c[q][2]>(z, [&](int tile, int to, int from) __attribute__((always_inline)) {
                RowT::template shiftOut<cx>(around.tile[tile] + q*block + to, around.tile[tile + cx] + q*block + to,
                                            column + from, RowT::full);
            });
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

    static void scatter(T* data, const Around<T>& around, const Detail& d, const RemoteLink* remotes,
                        const Rows& rows, const T* buffer)
    {
        RemoteLanes remote;
        remoteLanes(d, remotes, remote);
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            constexpr int cx = L::c[q][0], back = opposite(q);
            T* own = around.tile[13];
            #pragma GCC unroll 1
            for (int k = 0; k < rows.n; ++k) {
                const int row = rows.row[k];
                const auto to = places<L::c[q][1], L::c[q][2]>[row];
                const T* source = buffer + at(q, k);
                const unsigned out = d.shifted[back][row];
                unsigned bounce = d.fluid[row] & ~out;
                if (remote.any) bounce &= ~unsigned(remote.out[q][row]);
                RowT::template shiftOut<cx>(around.tile[13 + to.tile] + at(q, to.row),
                                            around.tile[13 + to.tile + cx] + at(q, to.row), source, out);
                RowT::copy(own + at(back, row), source, bounce);
            }
        });
        if (!remote.any) return;
        int position[TileT::rows];
        invert(rows, position);
        for (std::uint32_t i = d.firstRemote; i < d.lastRemote; ++i) {
            // The link that population r.q arrives by is the one that its opposite leaves by.
            const RemoteLink& r = remotes[i];
            if (position[r.local/TX] < 0) continue;
            const int q = opposite(r.q);
            data[r.source*tileSize + node(q, r.sourceLocal)] = buffer[at(q, position[r.local/TX]) + r.local % TX];
        }
    }

    // Rows of a tile's own memory to the buffer and back.
    static void pick(const T* own, const Rows& rows, const Detail& d, T* buffer)
    {
        for (int k = 0; k < rows.n; ++k)
            for (int q = 0; q < L::Q; ++q)
                RowT::select(buffer + at(q, k), own + at(q, rows.row[k]), d.fluid[rows.row[k]]);
    }

    template<bool swapped, bool streamed>
    static void put(T* own, const Rows& rows, const T* buffer)
    {
        using Traits = PackTraits<Pack<T>>;
        constexpr bool wide = streamed && TX % Traits::width == 0;
        for (int k = 0; k < rows.n; ++k)
            for (int q = 0; q < L::Q; ++q) {
                T* target = own + at(swapped ? opposite(q) : q, rows.row[k]);
                const T* source = buffer + at(q, k);
                if constexpr (wide)
                    for (int x = 0; x < TX; x += Traits::width) Traits::stream(target + x, Traits::load(source + x));
                else
                    std::memcpy(target, source, TX*sizeof(T));
            }
    }
};

} // namespace lbm
