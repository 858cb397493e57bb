// BoxNodes: where kernels find the fluid nodes of a box (NodeBoxes), 32 at a time: what is kept of it is the box, and a bit a node if not
// all are fluid. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/NodeBoxes.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"

#include <cstdint>

namespace lbm {

// Where nodes lie whose places follow from their coordinates alone (NodeTables without runs).
struct TileMapView {
    const std::int32_t* map; // [tiles of the box]
    int count[2];            // of them, along x and y

    template<class TileT>
    LBM_HD NodePlace place(const Int3& x) const
    {
        const std::int64_t tile = x[0] / TileT::TX
            + std::int64_t(count[0]) * (x[1] / TileT::TY + std::int64_t(count[1]) * (x[2] / TileT::TZ));
        return {map[tile], x[0] % TileT::TX + TileT::TX * (x[1] % TileT::TY + TileT::TY * (x[2] % TileT::TZ))};
    }
};

struct BoxesView {
    const NodeBox* boxes;          // of a block
    const std::size_t* begin;      // how many fluid nodes lie before each box, of all
    const std::size_t* firstWords; // of each box's bits
    const std::uint32_t* words;
    TileMapView tiles;
};

struct BoxNodes {
    const NodeBox* box = nullptr;
    const std::uint32_t* words = nullptr; // null: all are fluid
    int nodes = 0;                        // 0 where none is fluid

    BoxNodes() = default;
    LBM_HD BoxNodes(const BoxesView& view, int g) : box(view.boxes + g)
    {
        const std::size_t fluid = view.begin[g + 1] - view.begin[g];
        nodes = fluid == 0 ? 0 : int(nodesIn(*box));
        if (fluid != std::size_t(nodes)) words = view.words + view.firstWords[g];
    }

    // Which of nodes `first` to first + 31 are fluid; first: a multiple of 32.
    LBM_HD std::uint32_t fluidFrom(int first) const
    {
        if (first >= nodes) return 0;
        if (words) return words[first / 32];
        return nodes - first < 32 ? (std::uint32_t(1) << (nodes - first)) - 1 : ~std::uint32_t(0);
    }

    LBM_HD Int3 node(int i) const
    {
        const int row = i / box->size[0];
        return {box->low[0] + i % box->size[0], box->low[1] + row % box->size[1], box->low[2] + row / box->size[1]};
    }
};

} // namespace lbm
