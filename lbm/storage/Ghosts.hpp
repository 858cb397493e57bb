// tgb: tiles with ghost buffers. One copy of the populations; what stays in a tile is scattered there, what leaves it
// is put into a buffer of its face and fetched from there in the next step. Of the buffers there are two copies, one
// read and one written, and only those that a tile with fluid on the other side may read.
// Section 3 of Tomczak & Szafran 2019. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/TileNode.hpp"

namespace lbm {

// Loads what the last step left, and what it put into copy n of the buffers, or stores likewise.
template<int n>
struct GhostAccess {
    static constexpr int copy = n;
    static constexpr bool neighbour = true;
};

struct TgbPhases {
    static constexpr const char* name = "tgb";
    static constexpr Layout layout = Layout::ghostTiles;
    static constexpr int copies = 1;
    using Even = Phase<GhostAccess<0>, GhostAccess<1>>;
    using Odd = Phase<GhostAccess<1>, GhostAccess<0>>;
};

// A tile's table: buffers it reads, by population and by the axes along which it left its tile; buffers it writes, by
// population and axis. A population that leaves along several axes lies in the buffer of the first.
template<class L, class TileT>
struct GhostTable {
    static constexpr int edge = TileT::TX, face = TileT::N/edge;
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
        return {view.ghosts[std::size_t(tile)*GhostTable<L, TileT>::entries + n]};
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
            constexpr int c = sign*L::c[q][a];
            over[a] = c > 0 ? x[a] == Table::edge - 1 : c < 0 ? x[a] == 0 : false;
            end[a] = !over[a] ? x[a] + c : c > 0 ? 0 : Table::edge - 1;
        });
    }

    LBM_HD LBM_INLINE bool leaves() const { return over[0] | over[1] | over[2]; }

    // Within the face that is crossed first, of the node on the side that the population leaves.
    LBM_HD LBM_INLINE int position(const int (&x)[3]) const
    {
        const int (&at)[3] = sign < 0 ? end : x;
        return over[0] ? at[1] + Table::edge*at[2] : over[1] ? at[0] + Table::edge*at[2] : at[0] + Table::edge*at[1];
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

// plain: of a tile of which no link reflects.
template<class LatticeT, class TileT, bool plain = false, class Source = const GhostEntry<LatticeT, TileT>*>
class GhostNode {
public:
    using Around = GhostEntry<LatticeT, TileT>;
    using Lone = GhostNode<LatticeT, TileT, false, Lookup<Around>>;
    using Whole = GhostNode<LatticeT, TileT, true, Source>;
    using L = LatticeT;
    using Tile = TileT;
    using Table = GhostTable<L, TileT>;
    template<int q, int sign> using Way = GhostWay<L, TileT, q, sign>;
    static constexpr int N = TileT::N, known = Table::entries;
    static constexpr bool inPlace = true;       // nodes store where others of their tile load

    LBM_HD GhostNode(const TilesView& view, Source around, std::int32_t tile, int local)
    :
        view_(view), around_(around), start_(std::size_t(tile)*L::Q*N),
        x_{local % TileT::TX, local/TileT::TX % TileT::TY, local/(TileT::TX*TileT::TY)}, local_(local)
    {
        if constexpr (!plain) {
            const std::int32_t detail = view.detailOf[tile];
            links_ = detail < 0 ? 0 : view.links[std::size_t(detail)*N + local];
        }
    }

    LBM_HD bool fluid() const { return plain || !(links_ & solidNode); }

    template<class Access, int q>
    LBM_HD std::size_t load() const
    {
        const Way<q, -1> way(x_);
        if (!way.leaves() || reflects(q)) return own(q, local_);
        return ghost<Access>(way.entryRead(), way.position(x_));
    }

    template<class Access, int q>
    LBM_HD std::size_t store() const
    {
        const Way<q, 1> way(x_);
        if (q == 0) return own(q, local_);
        if (reflects(opposite(q))) return own(opposite(q), local_);
        if (!way.leaves()) return own(q, local_ + shift(q));
        return ghost<Access>(way.entryWritten(), way.position(x_));
    }

    template<class Next, int q>
    LBM_HD std::size_t waiting() const { return store<Next, q>(); }

    // Both with q known at run time only.
    template<class Access>
    LBM_HD std::size_t load(int q) const
    {
        std::size_t at = 0;
        unroll<L::Q>([&](auto i) __attribute__((always_inline)) {
            if (i == q) at = load<Access, i>();
        });
        return at;
    }

    template<class Next>
    LBM_HD std::size_t waiting(int q) const
    {
        std::size_t at = 0;
        unroll<L::Q>([&](auto i) __attribute__((always_inline)) {
            if (i == q) at = waiting<Next, i>();
        });
        return at;
    }

    template<class Next>
    LBM_HD std::size_t reflected(int q) const { return own(q, local_); }

    // Loads and stores of all populations where few nodes lie at faces: addresses within the tile differ by constants.
    static constexpr bool mostlyInside = L::D == 2;

    template<class Access, class T>
    LBM_HD LBM_INLINE void loadAll(const T* from, T (&g)[L::Q]) const
    {
        const T* own = from + start_ + local_;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if (!Way<q, -1>(x_).leaves()) g[q] = own[q*N];
        });
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            if (Way<q, -1>(x_).leaves()) g[q] = from[load<Access, q>()];
        });
    }

    template<class Access, class T>
    LBM_HD LBM_INLINE void storeAll(T* to, const T (&g)[L::Q]) const
    {
        T* own = to + start_ + local_;
        unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
            const bool elsewhere = Way<q, 1>(x_).leaves() | reflects(opposite(q));
            if (!elsewhere) own[q*N + shift(q)] = g[q];
            else to[store<Access, q>()] = g[q];
        });
    }

private:
    LBM_HD static int shift(int q)
    {
        return component<L>(q, 0) + TileT::TX*(component<L>(q, 1) + TileT::TY*component<L>(q, 2));
    }
    LBM_HD std::size_t own(int slot, int node) const { return start_ + slot*N + node; }
    LBM_HD bool reflects(int q) const { return !plain && (links_ >> q & 1) && q != 0; }

    template<class Access>
    LBM_HD std::size_t ghost(int entry, int position) const
    {
        return view_.ghostStart[Access::copy] + std::size_t(around_[entry].buffer)*Table::face + position;
    }

    const TilesView& view_;
    Source around_;
    std::size_t start_;
    int x_[3], local_;
    std::uint32_t links_ = 0;
};

template<class L, class TileT>
struct NodeOf<TgbPhases, L, TileT> {
    using Type = GhostNode<L, TileT>;
};

} // namespace lbm
