// packed: two lattices, pull, as t2c, but tiles store their fluid nodes only, one after another: a 64-bit mask a
// tile says which they are, and a population count where. Memory and traffic then hardly depend on how
// much of the tiles is solid. The mask tells resting walls too; link words are left for thin walls.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Bits.hpp"
#include "lbm/storage/nodes/TileNode.hpp"

namespace lbm {

struct PackedPhases : T2cPhases {
    static constexpr const char* name = "packed";
    static constexpr Layout layout = Layout::packedTiles;
};

// Half of a tile: one count, of 32 bits, finds a node in it.
struct alignas(16) PackedHalf {
    std::size_t first; // slot 0 of its first fluid node
    std::uint32_t fluid, stride;

    LBM_HD bool has(int node) const { return fluid >> node & 1; }
    LBM_HD std::size_t at(int slot, int node) const
    {
        return first + slot * stride + bitsOf(fluid & ((std::uint32_t(1) << node) - 1));
    }
};

template<class L>
struct PackedAround {
    PackedHalf half[2];

    LBM_HD static PackedAround of(const TilesView& view, std::int32_t tile, int n)
    {
        const PackedTile t = view.packed[view.neighbours[std::size_t(tile) * 27 + n]];
        const auto low = std::uint32_t(t.fluid);
        const std::size_t first = std::size_t(t.first) * L::Q;
        return {{{first, low, t.stride}, {first + bitsOf(low), std::uint32_t(t.fluid >> 32), t.stride}}};
    }
};

// A node of a plain tile among full ones needs no masks: its tiles are whole.
template<class LatticeT, class TileT>
class WholeTileNode : public NodeAccess<WholeTileNode<LatticeT, TileT>, LatticeT> {
public:
    using Around = PackedAround<LatticeT>;
    using Tile = TileT;

    LBM_HD WholeTileNode(const TilesView&, const Around* around, std::int32_t, int local) :
        around_(around),
        own_(around[13].half[0].first + local),
        x_{local % TileT::TX, local / TileT::TX % TileT::TY, local / (TileT::TX * TileT::TY)}
    {}

    LBM_HD bool fluid() const { return true; }
    LBM_HD std::size_t own(int slot) const { return own_ + slot * TileT::N; }

    template<int q, int sign>
    LBM_HD std::size_t across(int slot, int) const
    {
        const TileStep there = nodeAcross<LatticeT, TileT, q, sign>(x_);
        return around_[there.tile].half[0].first + there.node + slot * TileT::N;
    }

private:
    const Around* around_;
    std::size_t own_;
    int x_[3];
};

// Source: something with the 27 PackedAround of the tile.
template<class LatticeT, class TileT, class Source = const PackedAround<LatticeT>*>
class PackedNode : public NodeAccess<PackedNode<LatticeT, TileT, Source>, LatticeT> {
public:
    using Around = PackedAround<LatticeT>;
    using Whole = WholeTileNode<LatticeT, TileT>;
    using Lone = PackedNode<LatticeT, TileT, Lookup<Around>>;
    using L = LatticeT;
    using Tile = TileT;
    static constexpr int N = TileT::N, known = 27;
    static_assert(N <= 64, "a tile's mask has 64 bits");

    LBM_HD PackedNode(const TilesView& view, Source around, std::int32_t tile, int local) :
        around_(around), x_{local % TileT::TX, local / TileT::TX % TileT::TY, local / (TileT::TX * TileT::TY)}
    {
        const PackedHalf half = around[13].half[local >> 5];
        const std::int32_t detail = view.detailOf[tile];
        links_ = detail < 0 ? 0 : view.links[std::size_t(detail) * N + local];
        fluid_ = half.has(local & 31);
        stride_ = half.stride;
        own_ = half.at(0, local & 31);
    }

    LBM_HD bool fluid() const { return fluid_; }
    LBM_HD bool curved() const { return links_ & curvedNode; }

    LBM_HD std::size_t own(int slot) const { return own_ + slot * stride_; }

    template<int q, int sign>
    LBM_HD std::size_t across(int slot, int reflected) const
    {
        const TileStep there = nodeAcross<L, TileT, q, sign>(x_);
        const PackedHalf half = around_[there.tile].half[there.node >> 5];
        const bool open = half.has(there.node & 31) && !(links_ >> (sign < 0 ? q : opposite(q)) & 1);
        return open ? half.at(slot, there.node & 31) : own(reflected);
    }

private:
    Source around_;
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
