// connectivity and fluidIndex: only fluid nodes are stored, one after another, and found by indices of four bytes.
// Section 2.3 of Tomczak & Szafran 2019, after Bernaschi et al. 2010, Huang et al. 2015 and Nita et al. 2013.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/nodes/TileNode.hpp"

namespace lbm {

// connectivity: an index a population of a node says where it comes from; walls are links to the node itself.
struct ConnectivityPhases : T2cPhases {
    static constexpr const char* name = "connectivity";
    static constexpr Layout layout = Layout::fluidNodes;
};

// fluidIndex: a map of the box gives each fluid node its number. One kernel moves, another collides in place.
struct FluidIndexPhases : T2cPhases {
    static constexpr const char* name = "fluidIndex";
    static constexpr Layout layout = Layout::fluidIndex;
};

template<class LatticeT, class TileT>
class ConnectivityNode : public NodeAccess<ConnectivityNode<LatticeT, TileT>, LatticeT> {
public:
    using Around = NothingAround;
    using Lone = ConnectivityNode;
    using L = LatticeT;
    using Tile = TileT;
    static constexpr int N = TileT::N, known = 0;

    template<class Source>
    LBM_HD ConnectivityNode(const TilesView& view, const Source&, std::int32_t run, int local) :
        view_(view), node_(std::size_t(run) * N + local)
    {}

    LBM_HD bool fluid() const { return node_ < view_.stored; }
    LBM_HD std::size_t own(int slot) const { return slot * view_.stored + node_; }

    // The index knows the slot, too.
    template<int q, int sign>
    LBM_HD std::size_t across(int, int) const
    {
        static_assert(sign < 0, "indices lead to where populations come from");
        return view_.sources[(q - 1) * view_.stored + node_];
    }

private:
    const TilesView& view_;
    std::size_t node_;
};

// A node of the box.
template<class LatticeT, class TileT>
class FluidIndexNode : public NodeAccess<FluidIndexNode<LatticeT, TileT>, LatticeT> {
public:
    using Around = NothingAround;
    using Lone = FluidIndexNode;
    using L = LatticeT;
    using Tile = TileT;
    static constexpr int N = TileT::N, known = 0;
    static constexpr bool movesFirst = true;

    template<class Source>
    LBM_HD FluidIndexNode(const TilesView& view, const Source&, std::int32_t run, int local) :
        view_(view),
        box_(std::uint32_t(run) * N + local),
        number_(box_ < std::uint64_t(view.size[0]) * view.size[1] * view.size[2] ? view.index[box_] : -1),
        links_(view.links && number_ >= 0 ? view.links[box_] : 0)
    {}

    LBM_HD bool fluid() const { return number_ >= 0; }
    LBM_HD std::size_t own(int slot) const { return slot * view_.stored + number_; }

    template<int q, int sign>
    LBM_HD std::size_t across(int slot, int reflected) const
    {
        const std::int64_t there = BoxPlace(view_, box_).template across<L, q, sign>(view_);
        const std::int32_t number = there < 0 ? -1 : view_.index[there];
        const bool cut = links_ >> (sign < 0 ? q : opposite(q)) & 1;
        return number < 0 || cut ? own(reflected) : slot * view_.stored + number;
    }

private:
    const TilesView& view_;
    std::uint32_t box_;
    std::int32_t number_;
    std::uint32_t links_;
};

template<class L, class TileT>
struct NodeOf<ConnectivityPhases, L, TileT> {
    using Type = ConnectivityNode<L, TileT>;
};

template<class L, class TileT>
struct NodeOf<FluidIndexPhases, L, TileT> {
    using Type = FluidIndexNode<L, TileT>;
};

} // namespace lbm
