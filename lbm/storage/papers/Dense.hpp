// The dense ladder: all nodes of the box are stored, solid ones too. Its steps are those of Tran, Lee & Hong 2017
// (section 4): an array of structures or structures of arrays, push or pull, without branches at walls, with fewer
// registers, with tiles and their layout. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/nodes/TileNode.hpp"

namespace lbm {

struct PushPhases {
    static constexpr int copies = 2;
    using Even = Phase<Access<false, false>, Access<true, false>>;
    using Odd = Even;
};

// nodesFirst: the populations of a node lie together. branches: what a neighbour is, is asked of its type where a link
// is followed; else a word a node says which links are open, and addresses are chosen from two.
// bounded: the kernel's registers are bounded, so that more threads are resident.
template<class Pattern, bool nodesFirst_, bool branches_, bool bounded_>
struct Dense : Pattern {
    static constexpr Layout layout = branches_ ? Layout::box : Layout::wordBox;
    static constexpr bool nodesFirst = nodesFirst_, branches = branches_, bounded = bounded_;
};

struct DenseAosPhases : Dense<PushPhases, true, true, false> {
    static constexpr const char* name = "denseAos";
};
struct DensePushPhases : Dense<PushPhases, false, true, false> {
    static constexpr const char* name = "densePush";
};
struct DensePullPhases : Dense<T2cPhases, false, true, false> {
    static constexpr const char* name = "densePull";
};
struct DenseBranchlessPhases : Dense<T2cPhases, false, false, false> {
    static constexpr const char* name = "denseBranchless";
};
struct DenseBoundedPhases : Dense<T2cPhases, false, true, true> {
    static constexpr const char* name = "denseBounded";
};
struct DenseFullPhases : Dense<T2cPhases, false, false, true> {
    static constexpr const char* name = "denseFull";
};

// Tiles of the box, their nodes one after another; all tiles' populations 0 come before their populations 1.
struct DenseTiledPhases : T2cPhases {
    static constexpr const char* name = "denseTiled";
};

template<class LatticeT, class TileT, class Phases>
class DenseNode : public NodeAccess<DenseNode<LatticeT, TileT, Phases>, LatticeT> {
public:
    using Around = NothingAround;
    using Lone = DenseNode;
    using L = LatticeT;
    using Tile = TileT;
    static constexpr int N = TileT::N, known = 0;
    static constexpr bool bounded = Phases::bounded;

    template<class Source>
    LBM_HD DenseNode(const TilesView& view, const Source&, std::int32_t run, int local) :
        view_(view), node_(std::uint32_t(run) * N + local)
    {
        if (node_ >= view.stored) return;
        if constexpr (Phases::branches) {
            const std::uint8_t type = view.types[node_];
            fluid_ = type != solidType;
            links_ = type == thinWallType ? view.links[node_] : 0;
        } else {
            links_ = view.links[node_];
            fluid_ = !(links_ & solidNode);
        }
    }

    LBM_HD bool fluid() const { return fluid_; }
    LBM_HD std::size_t own(int slot) const { return at(slot, node_); }

    template<int q, int sign>
    LBM_HD std::size_t across(int slot, int reflected) const
    {
        const bool cut = links_ >> (sign < 0 ? q : opposite(q)) & 1;
        if constexpr (Phases::branches) {
            const std::int64_t there = BoxPlace(view_, node_).template across<L, q, sign>(view_);
            const bool outside = there < 0;
            const bool solid = view_.types[outside ? node_ : there] == solidType;
            return outside || solid || cut ? own(reflected) : at(slot, std::size_t(there));
        } else {
            const std::int64_t row = view_.size[0], layer = row * view_.size[1];
            const std::int64_t step = sign * (L::c[q][0] + row * L::c[q][1] + layer * L::c[q][2]);
            return cut ? own(reflected) : at(slot, std::size_t(node_ + step));
        }
    }

private:
    LBM_HD std::size_t at(int slot, std::size_t node) const
    {
        return Phases::nodesFirst ? node * L::Q + slot : slot * view_.stored + node;
    }

    const TilesView& view_;
    std::uint32_t node_, links_ = 0;
    bool fluid_ = false;
};

template<class Phases, class L, class TileT>
requires(Phases::layout == Layout::box || Phases::layout == Layout::wordBox) struct NodeOf<Phases, L, TileT> {
    using Type = DenseNode<L, TileT, Phases>;
};

template<class L, class TileT>
struct NodeOf<DenseTiledPhases, L, TileT> {
    using Type = TileNode<L, TileT, true>;
};

} // namespace lbm
