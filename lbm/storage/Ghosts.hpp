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

    // crossed: bit a, axis a was crossed. Bits of axes that q does not move along are 0.
    LBM_HD static constexpr int first(int crossed) { return crossed & 1 ? 0 : crossed & 2 ? 1 : 2; }
};

struct GhostEntry {
    std::int32_t buffer;

    LBM_HD static GhostEntry of(const TilesView& view, std::int32_t tile, int n, int entries)
    {
        return {view.ghosts[std::size_t(tile)*entries + n]};
    }
};

template<class L, class TileT>
struct GhostsAround : GhostEntry {
    LBM_HD static GhostsAround of(const TilesView& view, std::int32_t tile, int n)
    {
        return {GhostEntry::of(view, tile, n, GhostTable<L, TileT>::entries)};
    }
};

template<class LatticeT, class TileT, class Source = const GhostsAround<LatticeT, TileT>*>
class GhostNode {
public:
    using Around = GhostsAround<LatticeT, TileT>;
    using Lone = GhostNode<LatticeT, TileT, Lookup<Around>>;
    using L = LatticeT;
    using Tile = TileT;
    using Table = GhostTable<L, TileT>;
    static constexpr int N = TileT::N, known = Table::entries;
    static constexpr bool inPlace = true;       // nodes store where others of their tile load

    LBM_HD GhostNode(const TilesView& view, Source around, std::int32_t tile, int local)
    :
        view_(view), around_(around), start_(std::size_t(tile)*L::Q*N),
        x_{local % TileT::TX, local/TileT::TX % TileT::TY, local/(TileT::TX*TileT::TY)}, local_(local)
    {
        const std::int32_t detail = view.detailOf[tile];
        links_ = detail < 0 ? 0 : view.links[std::size_t(detail)*N + local];
    }

    LBM_HD bool fluid() const { return !(links_ & solidNode); }

    template<class Access, int q>
    LBM_HD std::size_t load() const
    {
        const auto [crossed, node, position] = step<q, -1>();
        if (q == 0 || crossed == 0 || links_ >> q & 1) return own(q, local_);
        constexpr int base = Table::readBase(q);
        return ghost<Access>(base + compact<q>(crossed) - 1, position);
    }

    template<class Access, int q>
    LBM_HD std::size_t store() const
    {
        const auto [crossed, node, position] = step<q, 1>();
        if (q == 0) return own(q, local_);
        if (links_ >> opposite(q) & 1) return own(opposite(q), local_);
        if (crossed == 0) return own(q, node);
        const int axis = Table::first(crossed);
        const int rank = axis == 0 ? 0 : axis == 1 ? Table::rank(q, 1) : Table::rank(q, 2);
        return ghost<Access>(Table::writeBase(q) + rank, position);
    }

    template<class Next, int q>
    LBM_HD std::size_t waiting() const { return store<Next, q>(); }

    template<class Next>
    LBM_HD std::size_t reflected(int q) const { return own(q, local_); }

private:
    struct Step {
        int crossed, node, position;    // position: in the face, of the node on the side that the population leaves
    };

    LBM_HD std::size_t own(int slot, int node) const { return start_ + slot*N + node; }

    template<class Access>
    LBM_HD std::size_t ghost(int entry, int position) const
    {
        return view_.ghostStart[Access::copy] + std::size_t(around_[entry].buffer)*Table::face + position;
    }

    // To the node `sign` links along q. Populations are stored at the end of links that lie inside the tile.
    template<int q, int sign>
    LBM_HD LBM_INLINE Step step() const
    {
        int to[3] = {x_[0], x_[1], x_[2]}, crossed = 0;
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int c = sign*L::c[q][a];
            to[a] += c;
            if constexpr (c > 0) {
                if (to[a] == Table::edge) { to[a] = 0; crossed |= 1 << a; }
            }
            if constexpr (c < 0) {
                if (to[a] < 0) { to[a] = Table::edge - 1; crossed |= 1 << a; }
            }
        });
        const int* leaving = sign < 0 ? to : x_;
        const int axis = Table::first(crossed);
        const int position = axis == 0 ? leaving[1] + Table::edge*leaving[2]
            : axis == 1 ? leaving[0] + Table::edge*leaving[2] : leaving[0] + Table::edge*leaving[1];
        return {crossed, to[0] + TileT::TX*(to[1] + TileT::TY*to[2]), position};
    }

    // Bits of the axes that q moves along, next to each other.
    template<int q>
    LBM_HD static LBM_INLINE int compact(int crossed)
    {
        int bits = 0;
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            if constexpr (L::c[q][a] != 0) bits |= (crossed >> a & 1) << Table::rank(q, a);
        });
        return bits;
    }

    const TilesView& view_;
    Source around_;
    std::size_t start_;
    int x_[3], local_;
    std::uint32_t links_;
};

template<class L, class TileT>
struct NodeOf<TgbPhases, L, TileT> {
    using Type = GhostNode<L, TileT>;
};

} // namespace lbm
