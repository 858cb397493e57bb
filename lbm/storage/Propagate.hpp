// Where propagation reads and writes, for a pack of nodes of a tile and for a whole row of them.
//   gather:  value that arrives at x along c_q, read at x - c_q from slot(q)
//   scatter: value that leaves x along c_q, written at x + c_q into slot q
// Where the neighbour is no fluid the value is reflected at the node itself. Packs are gathered and scattered by
// the collision (Collide.hpp), from the addresses listed here. Rows go through a buffer of the tile's layout, in
// the tiles that have more to do between than collide: boundary nodes and remote links.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Pack.hpp"
#include "lbm/device/Row.hpp"
#include "lbm/device/Unroll.hpp"
#include "lbm/physics/Collide.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace lbm {

template<class L, class T, class TileT>
struct Propagate {
    using Geometry = TileGeometry<L, T, TileT>;
    using Detail = typename Geometry::TileDetail;
    using Mask = typename TileT::Mask;
    static constexpr int TX = TileT::TX, N = TileT::N;
    static constexpr std::size_t tileSize = std::size_t(L::Q)*N;

    // Populations of a tile, and of the buffer, lie in blocks of a cache line of nodes: [block][q][node in block].
    // What a collision reads and writes is then one run of memory, which both the memory and streaming stores
    // want (19 runs side by side cost a fifth of the bandwidth of a copy).
    static constexpr int block = lineNodes<T>, blockSize = L::Q*block, blocks = N/block;
    static_assert(N % block == 0 && (block % TX == 0 || TX % block == 0));
    using RowT = Row<T, TX, blockSize>;

    using Traits = PackTraits<Pack<T>>;
    static constexpr int W = Traits::width, packs = N/W;
    static constexpr bool packsFitRows = TX % W == 0;

    static constexpr int node(int q, int local) { return local/block*blockSize + q*block + local % block; }

    static constexpr int at(int q, int row, int lane = 0) { return node(q, row*TX + lane); }

    // rowAt for every row of a tile.
    template<int dy, int dz>
    static constexpr auto places = [] {
        std::array<typename TileT::RowPlace, TileT::rows> table{};
        for (int row = 0; row < TileT::rows; ++row)
            table[row] = TileT::rowAt(row % TileT::TY, row/TileT::TY, dy, dz);
        return table;
    }();

    // What a uniform tile would have.
    static const Detail& wholeTile()
    {
        static const Detail whole = [] {
            Detail d{};
            constexpr auto full = Mask((1ull << TX) - 1);
            for (int row = 0; row < TileT::rows; ++row) {
                d.fluid[row] = full;
                for (int q = 0; q < L::Q; ++q) d.shifted[q][row] = full;
            }
            return d;
        }();
        return whole;
    }

    // Rows of a layer with at least one fluid node, in order.
    struct Rows {
        int n = 0;
        int row[TileT::TY];
    };

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

    // The surroundings of every pack of a tile.
    static constexpr auto packPlaces = [] {
        std::array<PackPlaces, packs> table{};
        for (int p = 0; p < packs; ++p)
            for (int n = 0; n < 27; ++n) {
                const int row = p*W/TX, x = p*W % TX + (n % 3 - 1)*W;
                const int dx = x < 0 ? -1 : x >= TX ? 1 : 0;
                const auto to = TileT::rowAt(row % TileT::TY, row/TileT::TY, n/3 % 3 - 1, n/9 - 1);
                table[p].tile[n] = 13 + dx + to.tile;
                table[p].offset[n] = node(0, to.row*TX + x - dx*TX);
            }
        return table;
    }();

    // What a uniform tile lists.
    static constexpr auto everyPack = [] {
        std::array<const PackPlaces*, packs> list{};
        for (int p = 0; p < packs; ++p) list[p] = &packPlaces[p];
        return list;
    }();

    // What another tile lists.
    struct PackLists {
        const PackPlaces* pack[packs];
        PackWalls<T> walls[packs];
    };

    static unsigned lanes(const Mask (&masks)[TileT::rows], int pack)
    {
        const int row = pack*W/TX;
        if constexpr (packsFitRows) return masks[row] >> pack*W % TX & ((1u << W) - 1);
        unsigned all = 0;
        for (int k = 0; k < W/TX; ++k) all |= unsigned(masks[row + k]) << k*TX;
        return all;
    }

    // The tile's packs with a fluid node.
    static void listPacks(const Detail& d, PackLists& lists, TileView<T>& view)
    {
        view.n = 0;
        view.pack = lists.pack;
        for (int p = 0; p < packs; ++p)
            if (lanes(d.fluid, p) != 0) lists.pack[view.n++] = &packPlaces[p];
    }

    static void listWalls(const Detail& d, PackLists& lists, TileView<T>& view)
    {
        view.walls = lists.walls;
        for (int i = 0; i < view.n; ++i) {
            PackWalls<T>& w = lists.walls[i];
            const int p = int(lists.pack[i] - packPlaces.data());
            w.fluid = lanes(d.fluid, p);
            unsigned all = w.fluid;
            for (int q = 1; q < L::Q; ++q) all &= w.arrives[q] = lanes(d.shifted[q], p);
            w.any = all != (1u << W) - 1;
        }
    }

    template<bool swapped>
    static void gather(const T* data, const TileView<T>& around, const Detail& d, const RemoteLink* remotes,
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
            buffer[at(r.q, position[r.local/TX], r.local % TX)] = data[r.source*tileSize + node(slot, r.sourceLocal)];
        }
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

    static void scatter(T* data, const TileView<T>& around, const Detail& d, const RemoteLink* remotes,
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
            data[r.source*tileSize + node(q, r.sourceLocal)] = buffer[at(q, position[r.local/TX], r.local % TX)];
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
        constexpr int run = std::min(TX, block);
        for (int k = 0; k < rows.n; ++k)
            for (int q = 0; q < L::Q; ++q)
                for (int x = 0; x < TX; x += run) {
                    T* target = own + at(swapped ? opposite(q) : q, rows.row[k], x);
                    const T* source = buffer + at(q, k, x);
                    if constexpr (streamed && packsFitRows)
                        for (int i = 0; i < run; i += W) Traits::stream(target + i, Traits::load(source + i));
                    else
                        std::memcpy(target, source, run*sizeof(T));
                }
    }
};

} // namespace lbm
