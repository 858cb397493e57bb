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

// A link as its layer sees it.
struct WallLink {
    std::uint32_t bits;

    static constexpr std::uint32_t beforeStep = 0xFFFFFFFFu;
    static constexpr int places = 512;

    // node: number in its layer. place: in the layer with its rim, see Layer::place. first: of its node. asksBelow: takes a share of
    // what comes up from the layer below.
    static WallLink at(int node, int place, int direction, bool asksBelow, bool first)
    {
        return {std::uint32_t(node | place << 9 | direction << 18 | int(asksBelow) << 23 | int(first) << 24)};
    }

    LBM_HD bool inStep() const { return bits != beforeStep; }
    LBM_HD int node() const { return bits & (places - 1); }
    LBM_HD int place() const { return bits >> 9 & (places - 1); }
    LBM_HD int direction() const { return bits >> 18 & 31; } // of what arrives
    LBM_HD bool asksBelow() const { return bits >> 23 & 1; }
    LBM_HD bool first() const { return bits >> 24 & 1; }
};

template<class T>
struct WallsView {
    CurvedView<T> curved;         // its sentAway: what came up from the layer below, where shared memory has no place for it
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
    static constexpr int rimY = L::D == 3 ? 1 : 0, width = TileT::TX + 2;
    static_assert(width * (nodes / TileT::TX + 2 * rimY) <= WallLink::places && L::Q <= 31);

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
            const int inItsLayer = node.local % nodes;
            const int place = inItsLayer % TileT::TX + 1 + width * (inItsLayer / TileT::TX + rimY);
            links.push_back(inStep ? WallLink::at(inItsLayer, place, q, asksBelow, first)
                                   : WallLink{WallLink::beforeStep});
        }
        for (std::size_t i = 1; i < inLayer.size(); ++i) inLayer[i] += inLayer[i - 1];
    }

    std::size_t bytes() const { return links.size() * sizeof(WallLink) + inLayer.size() * sizeof(std::uint32_t); }
};

} // namespace lbm
