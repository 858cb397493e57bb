// Domain: what an adapter hands to the core. A box of lattice nodes, which of them are fluid, and
// every lattice link that leaves the fluid, with the patch it crosses and where.
//
// Units: lattice (node spacing 1), but for `origin` and `spacing`, which place the box in SI space.
// This header is C++17, because OpenFOAM's headers are.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/BitSet.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lbm {

using NodeIndex = std::int64_t; // linear index in the box, x fastest
using Int3 = std::array<int, 3>;
using Vec3 = std::array<double, 3>;

// Every lattice shares one numbering of directions: (cx+1) + 3(cy+1) + 9(cz+1), 0..26, 13 at rest.
constexpr std::uint8_t directionCode(int cx, int cy, int cz)
{
    return static_cast<std::uint8_t>((cx + 1) + 3 * (cy + 1) + 9 * (cz + 1));
}

constexpr Int3 directionOf(std::uint8_t code) { return {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1}; }

// The link from `node` along directionOf(direction) meets `patch` at `fraction` of its length (0..1].
// A link between two fluid nodes is listed from both sides when a thin wall cuts it.
struct Link {
    NodeIndex node;
    float fraction;
    std::int16_t patch;
    std::uint8_t direction;
};

// A patch that repeats by quarter turns about an axis along the lattice: what leaves through it comes in where they take it.
struct Turn {
    std::int16_t patch;
    std::uint8_t axis;     // 0, 1 or 2
    std::uint8_t quarters; // 1, 2 or 3, each from the axis after that one to the next
    Int3 twiceCentre;      // twice the coordinates of a place on the axis
};

struct Domain {
    int dimensions = 3; // 2: size[2] == 1, no link has cz != 0
    Int3 size{0, 0, 0};
    std::array<bool, 3> periodic{false, false, false};
    BitSet fluid;                     // size[0]*size[1]*size[2] bits
    std::vector<Link> links;          // sorted by node, then direction
    std::vector<std::string> patches; // names; Link::patch indexes them
    std::vector<Turn> turns;          // of patches of the kind `turn`
    Vec3 origin{0, 0, 0};             // SI position of node (0,0,0)
    double spacing = 1;               // SI distance of neighbouring nodes

    // Layers of nodes at the box's sides that belong to other parts of a larger domain, which hand their state over before
    // each step (see lbm/geometry/PartDomain.hpp). Steps look that many nodes across such a side, one way or the other.
    Int3 ghostsBelow{0, 0, 0}, ghostsAbove{0, 0, 0};
    int reach = 0;
    // Where node (0,0,0) lies in that larger domain, below zero among images, and its size; of what is no part zeros.
    Int3 inWhole{0, 0, 0}, whole{0, 0, 0};
    const Int3& sizeOfWhole() const { return whole[0] > 0 ? whole : size; }
    bool hasGhosts() const { return ghostsBelow != Int3{0, 0, 0} || ghostsAbove != Int3{0, 0, 0}; }
    bool isGhost(const Int3& x) const
    {
        for (int a = 0; a < 3; ++a)
            if (x[a] < ghostsBelow[a] || x[a] >= size[a] - ghostsAbove[a]) return true;
        return false;
    }

    NodeIndex nodes() const { return NodeIndex(size[0]) * size[1] * size[2]; }
    NodeIndex index(int x, int y, int z) const { return x + NodeIndex(size[0]) * (y + NodeIndex(size[1]) * z); }
    Int3 coordinates(NodeIndex i) const
    {
        return {int(i % size[0]), int(i / size[0] % size[1]), int(i / size[0] / size[1])};
    }

    // Neighbour after periodic wrapping, or -1 outside the box; c may be any number of links.
    NodeIndex neighbour(const Int3& node, const Int3& c) const;

    NodeIndex fluidNodes() const { return fluid.count(); }
    double porosity() const { return nodes() ? double(fluidNodes()) / double(nodes()) : 0; }

    // Throws std::invalid_argument naming the first inconsistency (sizes, order, a link that starts
    // at a solid node, a patch number out of range, no fluid node).
    void check() const;
};

// The record of a node's link along c, or null.
const Link* findLink(const Domain&, NodeIndex node, const Int3& c);

// Where the end of a link through a patch that repeats by turns comes to lie: the fluid node, after one turn or more, and what they
// make of the link's direction; -1: none, or a wall ends the way back, as it may where it grazes the link behind the patch.
struct TurnedEnd {
    NodeIndex node = -1;
    Int3 direction{0, 0, 0};
};
TurnedEnd turnedEnd(const Domain&, const Link&);

// Number of links per patch, in patch order.
std::vector<std::int64_t> linksPerPatch(const Domain&);

} // namespace lbm
