// SlabPlan: how thick slabs are and how many steps a pass has where a domain streams through a device (lbm/geometry/Slabs.hpp). A pass
// carries every node over the link once each way while it makes its steps: there are to be as many as let the device,
// not the link, be what limits, if memory allows; what is left of it goes to thick slabs, for which launches count less.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/Slabs.hpp"

#include <functional>
#include <string>

namespace lbm {

// Bytes and bytes per second.
struct SlabFacts {
    std::size_t budget; // for the windows
    double nodeBytes;   // of a node, crossing the link once
    double linkRate;    // each way, while both are in use
    double deviceRate;  // of a step, which reads and writes a node
    double nodesOfTile;
    double startLayers; // of nodes: what it costs to begin a column of tiles, where threads slide along them
    int layersOfTile;
    std::function<std::size_t(const SlabShape&, int steps)> windowBytes;
};

struct SlabPlan {
    SlabShape shape;
    int steps = 0;                       // 0: nothing fits
    std::size_t windows = 0;             // bytes
    double linkTime = 0, deviceTime = 0; // seconds a node and step, by the model: the greater one counts
};

// What a part of a domain has to say of slabs through its device: shape without bounds, and tiles below each layer ([layers + 1]).
struct SlabOffer {
    SlabFacts facts;
    SlabShape shape;
    std::vector<std::int32_t> below;
};

// below: tiles below each layer. shape: reach and what else steps ask for; its bounds are chosen here. wanted: steps of a pass and
// layers of a slab where they are given, else 0. Where nothing fits, `windows` says what the least would take.
SlabPlan planSlabs(const SlabFacts&, SlabShape shape, const std::vector<std::int32_t>& below, int wantedSteps,
                   int wantedLayers);

// Slabs that several parts step together: what the least of budgets, the slowest of links and devices and the furthest of reaches ask
// for. All have the same layers. Throws std::logic_error where they do not.
SlabPlan planSlabs(const std::vector<SlabOffer>&, int wantedSteps, int wantedLayers);

// In words.
std::string describe(const SlabPlan&);

} // namespace lbm
