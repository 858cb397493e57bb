// TileNode: the tiles as one thread of a device sees them, a node at a time. Populations: [tile][slot][node].
// A node knows two sorts of links: to the node across, and reflecting ones, whose population comes back to it.
// Everything else (openings, moving walls, wraps off the tiles' boundaries) is a reflecting link whose value
// is replaced before the step, see Exchange.hpp.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/NodeAccess.hpp"

namespace lbm {

template<class LatticeT, class TileT>
class TileNode : public NodeAccess<TileNode<LatticeT, TileT>, LatticeT> {
public:
    using L = LatticeT;
    using Tile = TileT;
    static constexpr int N = TileT::N;
    static constexpr std::size_t tileSize = std::size_t(L::Q)*N;

    // What a node must know of each of the 27 tiles around it.
    using Around = std::int32_t;

    LBM_HD static Around around(const TilesView& view, std::int32_t tile, int n)
    {
        return view.neighbours[std::size_t(tile)*27 + n];
    }

    // around: [27], of the tile.
    LBM_HD TileNode(const TilesView& view, const Around* around, std::int32_t tile, int local)
    :
        around_(around), own_(tile*tileSize + local),
        x_{local % TileT::TX, local/TileT::TX % TileT::TY, local/(TileT::TX*TileT::TY)}
    {
        const std::int32_t detail = view.detailOf[tile];
        links_ = detail < 0 ? 0 : view.links[std::size_t(detail)*N + local];
    }

    LBM_HD bool fluid() const { return !(links_ & solidNode); }

    LBM_HD std::size_t own(int slot) const { return own_ + slot*N; }

    // The slot `sign` links along q; if that link reflects, the other slot at the node itself.
    template<int q, int sign>
    LBM_HD std::size_t across(int slot, int reflected) const
    {
        if (links_ >> (sign < 0 ? q : opposite(q)) & 1) return own(reflected);
        const TileStep there = nodeAcross<L, TileT, q, sign>(x_);
        return std::size_t(std::uint32_t(around_[there.tile]))*tileSize + slot*N + there.node;
    }

private:
    const Around* around_;
    std::size_t own_;
    int x_[3];
    std::uint32_t links_;
};

// Patterns on tiles say which node they see through; TileNode unless they specialise this.
template<class Phases, class L, class TileT>
struct NodeOf {
    using Type = TileNode<L, TileT>;
};

} // namespace lbm
