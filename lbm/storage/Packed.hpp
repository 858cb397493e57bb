// packed: two lattices, pull, as t2c, but tiles store their fluid nodes only, one after another: a 64-bit mask a
// tile says which they are, and a population count where. Memory and traffic then hardly depend on how
// much of the tiles is solid. The mask tells resting walls too; link words are left for thin walls.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/TileNode.hpp"

namespace lbm {

struct PackedPhases : T2cPhases {
    static constexpr const char* name = "packed";
};

LBM_HD inline int bitsBelow(std::uint64_t mask, int n)
{
    const std::uint64_t below = mask & ((std::uint64_t(1) << n) - 1);
#ifdef __CUDA_ARCH__
    return __popcll(below);
#else
    return __builtin_popcountll(below);
#endif
}

template<class LatticeT, class TileT>
class PackedNode : public NodeAccess<PackedNode<LatticeT, TileT>, LatticeT> {
public:
    using L = LatticeT;
    using Tile = TileT;
    static constexpr int N = TileT::N;
    static_assert(N <= 64, "a tile's mask has 64 bits");

    using Around = PackedTile;

    LBM_HD static Around around(const TileView& view, std::int32_t tile, int n)
    {
        return view.packed[view.neighbours[std::size_t(tile)*27 + n]];
    }

    LBM_HD PackedNode(const TileView& view, const Around* around, std::int32_t tile, int local)
    :
        view_(view), around_(around), tile_(tile),
        x_{local % TileT::TX, local/TileT::TX % TileT::TY, local/(TileT::TX*TileT::TY)}
    {
        const PackedTile own = tileAround(13);
        const std::int32_t detail = view.detailOf[tile];
        links_ = detail < 0 ? 0 : view.links[std::size_t(detail)*N + local];
        fluid_ = own.fluid >> local & 1;
        stride_ = own.stride;
        own_ = std::size_t(own.first)*L::Q + bitsBelow(own.fluid, local);
    }

    LBM_HD bool fluid() const { return fluid_; }

    LBM_HD std::size_t own(int slot) const { return own_ + slot*stride_; }

    template<int q, int sign>
    LBM_HD std::size_t across(int slot, int reflected) const
    {
        const TileStep there = nodeAcross<L, TileT, q, sign>(x_);
        const PackedTile tile = tileAround(there.tile);
        const bool open = tile.fluid >> there.node & 1 && !(links_ >> (sign < 0 ? q : opposite(q)) & 1);
        return open ? std::size_t(tile.first)*L::Q + slot*tile.stride + bitsBelow(tile.fluid, there.node) : own(reflected);
    }

private:
    LBM_HD PackedTile tileAround(int n) const { return around_ ? around_[n] : around(view_, tile_, n); }

    const TileView& view_;
    const Around* around_;
    std::int32_t tile_;
    int x_[3];
    std::size_t own_;
    std::uint32_t links_, stride_;
    bool fluid_;
};

template<class L, class TileT>
struct NodeOf<PackedPhases, L, TileT> {
    using Type = PackedNode<L, TileT>;
};

} // namespace lbm
