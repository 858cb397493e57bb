// GhostTable: which ghost buffers a tile reads and writes, and which way populations take to and from them; see Ghosts.hpp.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/nodes/TileNode.hpp"

namespace lbm {

// A tile's table: buffers it reads, by population and by the axes along which it left its tile; buffers it writes, by
// population and axis. A population that leaves along several axes lies in the buffer of the first.
template<class L, class TileT>
struct GhostTable {
    static constexpr int edge = TileT::TX, face = TileT::N / edge;
    static_assert(TileT::TY == edge && TileT::TZ == (L::D == 3 ? edge : 1), "ghost buffers need square or cubic tiles");

    static constexpr int axes(int q)
    {
        int n = 0;
        for (int a = 0; a < 3; ++a) n += L::c[q][a] != 0;
        return n;
    }

    // Number of the axis among those that q moves along.
    static constexpr int rank(int q, int axis)
    {
        int n = 0;
        for (int a = 0; a < axis; ++a) n += L::c[q][a] != 0;
        return n;
    }

    static constexpr int readBase(int q)
    {
        int n = 0;
        for (int p = 1; p < q; ++p) n += (1 << axes(p)) - 1;
        return n;
    }

    static constexpr int reads = readBase(L::Q);

    static constexpr int writeBase(int q)
    {
        int n = reads;
        for (int p = 1; p < q; ++p) n += axes(p);
        return n;
    }

    static constexpr int entries = writeBase(L::Q), writes = entries - reads;

    // crossed: bit a, axis a was crossed.
    static constexpr int first(int crossed) { return crossed & 1 ? 0 : crossed & 2 ? 1 : 2; }
};

template<class L, class TileT>
struct GhostEntry {
    std::int32_t buffer;

    LBM_HD static GhostEntry of(const TilesView& view, std::int32_t tile, int n)
    {
        return {view.ghosts[std::size_t(tile) * GhostTable<L, TileT>::entries + n]};
    }
};

// The way from node x of a tile to the one `sign` links along q: which faces of the tile it crosses, where it ends.
template<class L, class TileT, int q, int sign>
struct GhostWay {
    using Table = GhostTable<L, TileT>;
    bool over[3];
    int end[3];

    LBM_HD LBM_INLINE explicit GhostWay(const int (&x)[3])
    {
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int c = sign * L::c[q][a];
            over[a] = c > 0 ? x[a] == Table::edge - 1 : c < 0 ? x[a] == 0 : false;
            end[a] = !over[a] ? x[a] + c : c > 0 ? 0 : Table::edge - 1;
        });
    }

    LBM_HD LBM_INLINE bool leaves() const { return over[0] | over[1] | over[2]; }

    // Within the face that is crossed first, of the node on the side that the population leaves.
    LBM_HD LBM_INLINE int position(const int (&x)[3]) const
    {
        const int(&at)[3] = sign < 0 ? end : x;
        return over[0] ? at[1] + Table::edge * at[2]
            : over[1]  ? at[0] + Table::edge * at[2]
                       : at[0] + Table::edge * at[1];
    }

    LBM_HD LBM_INLINE int entryRead() const
    {
        int bits = 0;
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            if constexpr (L::c[q][a] != 0) bits += int(over[a]) << Table::rank(q, a);
        });
        return Table::readBase(q) + bits - 1;
    }

    LBM_HD LBM_INLINE int entryWritten() const
    {
        return Table::writeBase(q) + (over[0] ? 0 : over[1] ? Table::rank(q, 1) : Table::rank(q, 2));
    }
};

} // namespace lbm
