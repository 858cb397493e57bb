// OpeningNodes: what lies around the nodes at openings that impose a whole state by differences of velocities (see
// lbm/boundary/VelocityGradient.hpp). Distances in links.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <array>
#include <vector>

namespace lbm {

// One side along an axis: a fluid node, or a link (record in Domain::links) of a patch that may tell a velocity, or, if both
// are -1, a resting wall at this distance; 0: nothing.
struct NodeSide {
    NodeIndex node = -1;
    std::int64_t link = -1;
    float distance = 0;
};

// A link through the opening, and the fluid node straight behind, -1: none.
struct NearOpening {
    std::int64_t link;
    NodeIndex behind;
    float distance;
};

struct NodeSurroundings {
    NodeIndex node;
    int axis = -1, sign = 0;          // of a link straight through the opening, the one closest to its normal
    std::vector<NearOpening> nearest; // the shortest links, 6 at most
    std::array<std::array<NodeSide, 2>, 3> side;
};

// Of every node with a link of these directions (codes) through a patch that asks for it, in the order of Domain::links.
std::vector<NodeSurroundings> openingNodes(const Domain&, const std::vector<LinkValue>& patches,
                                           const std::vector<std::uint8_t>& directions);

} // namespace lbm
