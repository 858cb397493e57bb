// tgb: tiles with ghost buffers. One copy of the populations; what stays in a tile is left at its node and gathered there
// in the next step, what leaves it is put into a buffer of its face and fetched from there. Of the buffers there are two copies, one
// read and one written, and only those that a tile with fluid on the other side may read.
// Section 3 of Tomczak & Szafran 2019. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/GhostTable.hpp"

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
    template<int q, int sign>
    using Way = GhostWay<L, TileT, q, sign>;
    static constexpr int N = TileT::N, known = Table::entries;
    static constexpr bool inPlace = true;     // nodes store where others of their tile load
    static constexpr bool staged = L::D == 2; // see GhostStep.cuh

    LBM_HD GhostNode(const TilesView& view, Source around, std::int32_t tile, int local) :
        view_(view),
        around_(around),
        start_(std::size_t(tile) * L::Q * N),
        x_{local % TileT::TX, local / TileT::TX % TileT::TY, local / (TileT::TX * TileT::TY)},
        local_(local)
    {
        if constexpr (!plain) {
            const std::int32_t detail = view.detailOf[tile];
            links_ = detail < 0 ? 0 : view.links[std::size_t(detail) * N + local];
        }
    }

    LBM_HD bool fluid() const { return plain || !(links_ & solidNode); }

    template<class Access, int q>
    LBM_HD std::size_t load() const
    {
        const Way<q, -1> way(x_);
        if (reflects(q)) return own(opposite(q), local_);
        if (!way.leaves()) return own(q, local_ - shift(q));
        return ghost<Access>(way.entryRead(), way.position(x_));
    }

    template<class Access, int q>
    LBM_HD std::size_t store() const
    {
        const Way<q, 1> way(x_);
        if (!way.leaves() || reflects(opposite(q))) return own(q, local_);
        return ghost<Access>(way.entryWritten(), way.position(x_));
    }

    template<class Next, int q>
    LBM_HD std::size_t waiting() const
    {
        return store<Next, q>();
    }

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
    LBM_HD std::size_t reflected(int q) const
    {
        return own(opposite(q), local_);
    }

private:
    LBM_HD static int shift(int q)
    {
        return component<L>(q, 0) + TileT::TX * (component<L>(q, 1) + TileT::TY * component<L>(q, 2));
    }
    LBM_HD std::size_t own(int slot, int node) const { return start_ + slot * N + node; }
    LBM_HD bool reflects(int q) const { return !plain && (links_ >> q & 1) && q != 0; }

    template<class Access>
    LBM_HD std::size_t ghost(int entry, int position) const
    {
        return view_.ghostStart[Access::copy] + std::size_t(around_[entry].buffer) * Table::face + position;
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
