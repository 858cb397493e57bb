// MomentWalls: what a step in moments must know of interpolated walls. In the layer of nodes that a block of threads has in hand
// there is, for each reflecting link, what its node sent to the wall, and nobody but the node reads it: what the wall
// brings back takes its place. What the formula (lbm/boundary/InterpolatedWall.hpp) asks for besides is in the layer, too, but
// for what arrives from another one: from below it is kept until then, from above it is added when the node is finished.
// Links are listed layer by layer, in the order of TileGeometry's.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/LayerShape.hpp"
#include "lbm/storage/nodes/CurvedNodes.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"

#include <vector>

namespace lbm {

// A link as its layer sees it, where it lies in shared memory: what the node sent to the wall, what it sent away from it, some
// slots further or before, and what arrives along the outgoing direction, some places further or before.
struct WallLink {
    std::uint32_t bits;

    static constexpr int places = 512, slots = 32, slotsApart = 2, mostApart = 63;
    static constexpr std::uint32_t asksBelowBit = 1u << 24, inLayerBit = 1u << 25, firstBit = 1u << 26,
                                   inStepBit = 1u << 27;

    // away: in slots. behind: in places.
    static constexpr WallLink at(int slot, int place, int away, int behind)
    {
        return {std::uint32_t(slot | place << 5 | (away + slotsApart) << 14 | (behind + mostApart) << 17) | inStepBit};
    }
    // One that the step has nothing to do with.
    static constexpr LBM_HD WallLink none() { return {slotsApart << 14 | mostApart << 17}; }

    LBM_HD bool inStep() const { return bits & inStepBit; }
    LBM_HD int slot() const { return bits & (slots - 1); }
    LBM_HD int place() const { return bits >> 5 & (places - 1); }
    LBM_HD int away() const { return int(bits >> 14 & 7) - slotsApart; }
    LBM_HD int behind() const { return int(bits >> 17 & 127) - mostApart; }
    // Takes a share of what comes up from the layer below, or of what is in the layer itself.
    LBM_HD bool asksBelow() const { return bits & asksBelowBit; }
    LBM_HD bool asksLayer() const { return bits & inLayerBit; }
    LBM_HD bool first() const { return bits & firstBit; } // of its node
};

template<class T>
struct WallsView {
    CurvedView<T> curved;  // its sentAway: what came up from the layer below, where shared memory has no place for it
    const WallLink* links; // as records
    const std::uint32_t* inLayer; // [tiles][layers], and one more: the first link of each layer
};

// What kernels are given: nothing where no wall is interpolated in the step.
struct NoWalls {};
template<bool walls, class T>
using WallsGiven = std::conditional_t<walls, WallsView<T>, NoWalls>;

template<class L, class TileT>
struct WallTables {
    using Shape = Layer<L, TileT>;
    static_assert(Shape::size <= WallLink::places && Shape::windowSlots <= WallLink::slots);
    static_assert(Shape::width + 1 <= WallLink::mostApart || L::D == 2);

    std::vector<WallLink> links;
    std::vector<std::uint32_t> inLayer;
    bool any = false;

    template<class Tables>
    explicit WallTables(const Tables& nodeTables) :
        inLayer(std::size_t(nodeTables.grid().tiles()) * Shape::depth + 1, 0)
    {
        const auto& tables = nodeTables.tables();
        std::pair<std::int32_t, int> last = {-1, -1};
        for (std::size_t i = 0, between = 0; i < tables.curvedPlaces.size(); ++i) {
            const NodePlace node = tables.curvedPlaces[i].node();
            const bool inStep = between == tables.between.size() || std::size_t(tables.between[between]) != i;
            if (!inStep) ++between;
            any = any || inStep;
            ++inLayer[std::size_t(node.tile) * Shape::depth + node.local / Shape::nodes + 1];
            links.push_back(
                inStep ? linkOf(node.local % Shape::nodes, tables.curvedPlaces[i].direction, tables.shares[i].arriving)
                       : WallLink::none());
            if (inStep && std::pair(node.tile, int(node.local)) != last) links.back().bits |= WallLink::firstBit;
            last = {node.tile, node.local};
        }
        for (std::size_t i = 1; i < inLayer.size(); ++i) inLayer[i] += inLayer[i - 1];
    }

    std::size_t bytes() const { return links.size() * sizeof(WallLink) + inLayer.size() * sizeof(std::uint32_t); }

private:
    // q: of what arrives; share: of what arrives along the outgoing direction.
    static WallLink linkOf(int node, int q, float share)
    {
        const int out = opposite(q), slot = Shape::windowSlot(out);
        WallLink link = WallLink::at(slot, Shape::place(node % Shape::X, node / Shape::X), Shape::windowSlot(q) - slot,
                                     -Shape::cx(out) - Shape::width * Shape::cy(out));
        if (share != 0 && Shape::along(q) < 0) link.bits |= WallLink::asksBelowBit;
        if (share != 0 && Shape::along(q) == 0) link.bits |= WallLink::inLayerBit;
        return link;
    }
};

} // namespace lbm
