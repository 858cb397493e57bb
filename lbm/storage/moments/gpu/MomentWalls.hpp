// MomentWalls: what a step in moments must know of interpolated walls. In the layer of nodes that a block of threads has in hand
// there is, for each reflecting link, what its node sent to the wall, and nobody but the node reads it: what the wall
// brings back takes its place. What the formula (lbm/boundary/InterpolatedWall.hpp) asks for besides is in the layer, too, but
// for what arrives from another one: from below it is kept until then, from above it is added when the node is finished.
// Links are listed layer by layer, in the order of TileGeometry's.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/nodes/CurvedNodes.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"

#include <vector>

namespace lbm {

// A link as its layer sees it, in 16 bits.
struct WallLink {
    std::uint16_t bits;

    static constexpr int places = 512; // of nodes in a layer
    static constexpr std::uint16_t beforeStep = 0xFFFF;

    // first: of its node; asksBelow: takes a share of what comes up from the layer below.
    static WallLink at(int place, int direction, bool asksBelow, bool first)
    {
        return {std::uint16_t(place | direction << 9 | int(asksBelow) << 14 | int(first) << 15)};
    }

    LBM_HD bool inStep() const { return bits != beforeStep; }
    LBM_HD int place() const { return bits & (places - 1); }
    LBM_HD int direction() const { return bits >> 9 & 31; } // of what arrives
    LBM_HD bool asksBelow() const { return bits >> 14 & 1; }
    LBM_HD bool first() const { return bits >> 15; }
};

template<class T>
struct WallsView {
    CurvedView<T> curved;         // its sentAway holds what came up from the layer below
    const WallLink* links;        // as records
    const std::uint32_t* inLayer; // [tiles][layers], and one more: the first link of each layer
};

// What kernels are given: nothing where no wall is interpolated in the step.
struct NoWalls {};
template<bool walls, class T>
using WallsGiven = std::conditional_t<walls, WallsView<T>, NoWalls>;

template<class L, class TileT>
struct WallTables {
    static constexpr int layers = L::D == 3 ? TileT::TZ : TileT::TY, nodes = TileT::N / layers;
    static_assert(nodes <= WallLink::places && L::Q <= 31);

    std::vector<WallLink> links;
    std::vector<std::uint32_t> inLayer;
    bool any = false;

    template<class Tables>
    explicit WallTables(const Tables& nodeTables) : inLayer(std::size_t(nodeTables.grid().tiles()) * layers + 1, 0)
    {
        const auto& tables = nodeTables.tables();
        std::pair<std::int32_t, int> last = {-1, -1};
        for (std::size_t i = 0; i < tables.curvedPlaces.size(); ++i) {
            const NodePlace node = tables.curvedPlaces[i].node();
            const int q = tables.curvedPlaces[i].direction;
            const bool first = std::pair(node.tile, int(node.local)) != last;
            last = {node.tile, node.local};
            ++inLayer[std::size_t(node.tile) * layers + node.local / nodes + 1];
            const bool inStep =
                tables.links[std::size_t(tables.detailOf[node.tile]) * TileT::N + node.local] & curvedNode;
            any = any || inStep;
            const bool asksBelow = L::c[q][L::D - 1] < 0 && tables.shares[i].arriving != 0;
            links.push_back(inStep ? WallLink::at(node.local % nodes, q, asksBelow, first)
                                   : WallLink{WallLink::beforeStep});
        }
        for (std::size_t i = 1; i < inLayer.size(); ++i) inLayer[i] += inLayer[i - 1];
    }

    std::size_t bytes() const { return links.size() * sizeof(WallLink) + inLayer.size() * sizeof(std::uint32_t); }
};

} // namespace lbm
