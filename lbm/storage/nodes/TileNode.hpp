// TileNode: the tiles as one thread of a device sees them, a node at a time. Populations: [tile][slot][node].
// A node knows two sorts of links: to the node across, and reflecting ones, whose population comes back to it.
// Everything else (openings, moving walls, wraps off the tiles' boundaries) is a reflecting link whose value
// is replaced before the step, see LinksBeforeStep.hpp.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/nodes/NodeAccess.hpp"

namespace lbm {

// Where a tile's populations begin. slotsFirst: population 0 of all tiles lies before population 1 of any.
template<class L, class TileT, bool slotsFirst = false>
struct TileStart {
    std::size_t value;

    LBM_HD static TileStart of(const TilesView& view, std::int32_t tile, int n)
    {
        return {std::size_t(std::uint32_t(view.neighbours[std::size_t(tile) * 27 + n])) * (slotsFirst ? 1 : L::Q)
                * TileT::N};
    }
};

// Source: something with the 27 TileStart of the tile. (Nodes of tiles without walls that do not ask for them were
// tried: half the instructions, and slower.)
template<class LatticeT, class TileT, bool slotsFirst = false,
         class Source = const TileStart<LatticeT, TileT, slotsFirst>*>
class TileNode : public NodeAccess<TileNode<LatticeT, TileT, slotsFirst, Source>, LatticeT> {
    using Base = NodeAccess<TileNode, LatticeT>;

public:
    using Base::load;
    using Around = TileStart<LatticeT, TileT, slotsFirst>;
    using Lone = TileNode<LatticeT, TileT, slotsFirst, Lookup<Around>>;
    using L = LatticeT;
    using Tile = TileT;
    static constexpr int N = TileT::N, known = 27;

    LBM_HD TileNode(const TilesView& view, Source around, std::int32_t tile, int local) :
        around_(around),
        own_(around[13].value + local),
        stride_(slotsFirst ? view.stored : N),
        x_{local % TileT::TX, local / TileT::TX % TileT::TY, local / (TileT::TX * TileT::TY)}
    {
        const std::int32_t detail = view.detailOf[tile];
        links_ = detail < 0 ? 0 : view.links[std::size_t(detail) * N + local];
    }

    LBM_HD bool fluid() const { return !(links_ & solidNode); }
    LBM_HD bool curved() const { return links_ & curvedNode; }

    LBM_HD std::size_t own(int slot) const { return own_ + slot * stride(); }

    // The slot `sign` links along q; if that link reflects, the other slot at the node itself.
    template<int q, int sign>
    LBM_HD std::size_t across(int slot, int reflected) const
    {
        if (links_ >> (sign < 0 ? q : opposite(q)) & 1) return own(reflected);
        const TileStep there = nodeAcross<L, TileT, q, sign>(x_);
        return around_[there.tile].value + there.node + slot * stride();
    }

    // What arrives along q.
    template<class Access>
    LBM_HD std::size_t load(int q) const
    {
        const int slot = Access::slot(q);
        if (!Access::neighbour || q == 0) return own(slot);
        if (links_ >> q & 1) return own(Access::slot(opposite(q)));
        const TileStep there = nodeAcross<L, TileT>(x_, q, -1);
        return around_[there.tile].value + there.node + slot * stride();
    }

private:
    LBM_HD std::size_t stride() const { return slotsFirst ? stride_ : N; }

    Source around_;
    std::size_t own_, stride_;
    int x_[3];
    std::uint32_t links_;
};

// Patterns on tiles say which node they see through; TileNode unless they specialise this.
template<class Phases, class L, class TileT>
struct NodeOf {
    using Type = TileNode<L, TileT>;
};

} // namespace lbm
