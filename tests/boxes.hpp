// Boxes that share no node and leave none out, of weights and states that differ from node to node.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/NodeBoxes.hpp"

#include <algorithm>

namespace lbm::test {

inline NodeBoxes boxesOf(const Domain& domain, const Int3& cell, NodeSet::Kind kind)
{
    NodeBoxes boxes(kind);
    for (int z = 0; z < domain.size[2]; z += cell[2])
        for (int y = 0; y < domain.size[1]; y += cell[1])
            for (int x = 0; x < domain.size[0]; x += cell[0]) {
                NodeBox box;
                box.low = {x, y, z};
                for (int a = 0; a < 3; ++a) box.size[a] = std::min(cell[a], domain.size[a] - box.low[a]);
                box.weight = 0.1 + 0.01 * double(boxes.boxes.size() % 7);
                box.slope = {0.01, -0.02, 0.005};
                boxes.boxes.push_back(box);
            }
    return boxes;
}

inline std::vector<LinearState> statesOf(const NodeBoxes& boxes, bool flat)
{
    std::vector<LinearState> states;
    for (const NodeBox& box : boxes.boxes) {
        const double some = 1e-4 * double(states.size() % 11);
        LinearState state;
        state.origin = box.low;
        state.atOrigin.density = 1 + some;
        state.atOrigin.velocity = {0.01 + some, -some, flat ? 0 : 2 * some};
        state.atOrigin.strainRate = {some, 2e-4, 0, -some, flat ? 0 : 1e-4, 0};
        state.densitySlope = {1e-4, 2e-4, flat ? 0 : -1e-4};
        state.velocitySlope = {Vec3{some, 2e-4, 0}, Vec3{1e-4, -some, 0}, Vec3{0, 0, 0}};
        if (!flat) state.velocitySlope[2] = {1e-4, 0, some};
        states.push_back(state);
    }
    return states;
}

// Of each node what its box gives it.
inline std::vector<Macroscopic> statesOfNodes(const Domain& domain, const NodeBoxes& boxes,
                                              const std::vector<LinearState>& states, std::vector<NodeIndex>& nodes)
{
    std::vector<Macroscopic> own;
    for (std::size_t b = 0; b < states.size(); ++b)
        forFluid(domain, boxes.boxes[b], [&](NodeIndex node, int x, int y, int z) {
            nodes.push_back(node);
            own.push_back(stateAt(states[b], x, y, z));
        });
    return own;
}

} // namespace lbm::test
