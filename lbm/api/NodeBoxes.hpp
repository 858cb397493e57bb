// NodeBoxes: groups of a NodeSet that are boxes of nodes, such as the cells of a mesh that is coarser than the lattice: of each
// the fluid nodes, weighed linearly over the box. A group takes the memory of a box, whatever it holds. LinearState: what nodes
// of a box begin with. Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <cmath>

namespace lbm {

// `size` nodes along each axis from `low` on, inside the Domain's box; a node at x weighs weight + slope.(x - low).
struct NodeBox {
    Int3 low{0, 0, 0}, size{0, 0, 0};
    double weight = 0;
    Vec3 slope{0, 0, 0};
};

struct NodeBoxes {
    explicit NodeBoxes(NodeSet::Kind sums = NodeSet::Kind::sumsOfFlow) : kind(sums) {}

    NodeSet::Kind kind; // sumsOfFlow or sumsOfStates
    std::vector<NodeBox> boxes;
};

// The strain rate is the same in the whole box. `origin` may lie outside it.
struct LinearState {
    Int3 origin{0, 0, 0};
    Macroscopic atOrigin;
    Vec3 densitySlope{0, 0, 0};          // along each axis
    std::array<Vec3, 3> velocitySlope{}; // [axis][component]
};

// The same rounding wherever they are computed. Constant expressions in name, which device compilers take for their own, too;
// templates, since std::fma is none.
template<class Int>
constexpr double linear(double value, const double* slope, Int x, Int y, Int z)
{
    return std::fma(slope[2], double(z), std::fma(slope[1], double(y), std::fma(slope[0], double(x), value)));
}

template<class Int>
constexpr double weightAt(const NodeBox& box, Int x, Int y, Int z)
{
    return linear(box.weight, &box.slope[0], x - box.low[0], y - box.low[1], z - box.low[2]);
}

template<class Int>
constexpr Macroscopic stateAt(const LinearState& s, Int x, Int y, Int z)
{
    x -= s.origin[0], y -= s.origin[1], z -= s.origin[2];
    Macroscopic m = s.atOrigin;
    m.density = 1 + linear(m.density - 1, &s.densitySlope[0], x, y, z);
    for (int b = 0; b < 3; ++b) {
        const double slope[3] = {s.velocitySlope[0][b], s.velocitySlope[1][b], s.velocitySlope[2][b]};
        m.velocity[b] = linear(m.velocity[b], slope, x, y, z);
    }
    return m;
}

// f(node, x, y, z) of the fluid nodes of a box, by number: the order in which they are summed.
template<class F>
void forFluid(const Domain& domain, const NodeBox& box, F&& f)
{
    for (int z = box.low[2]; z < box.low[2] + box.size[2]; ++z)
        for (int y = box.low[1]; y < box.low[1] + box.size[1]; ++y) {
            const NodeIndex row = domain.index(box.low[0], y, z);
            domain.fluid.forEachIn(row, box.size[0], [&](std::int64_t x) { f(row + x, box.low[0] + int(x), y, z); });
        }
}

constexpr std::int64_t nodesIn(const NodeBox& box) { return std::int64_t(box.size[0]) * box.size[1] * box.size[2]; }

std::int64_t fluidNodes(const Domain&, const NodeBox&);

// Boxes that make up this one, whose nodes weigh in them what they do in it but for rounding, each of `most` nodes or fewer. Always
// the same ones: sums over them, added up, do not depend on who makes them. One thread or warp lists and sums a box: a single large
// one is slow (a cell with 2 million nodes takes a device some 40 ms).
void putPieces(const NodeBox&, std::int64_t most, std::vector<NodeBox>& pieces); // behind those there
std::vector<NodeBox> piecesOf(const NodeBox&, std::int64_t most);

// The first node of a row along x of a box, of rows by y and then z.
inline NodeIndex firstOfRow(const Domain& domain, const NodeBox& box, std::size_t row)
{
    return domain.index(box.low[0], box.low[1] + int(row % std::size_t(box.size[1])),
                        box.low[2] + int(row / std::size_t(box.size[1])));
}

// Throws std::out_of_range unless every box lies inside the Domain's, std::invalid_argument for one of more than 2^31 nodes or a kind
// that boxes cannot be of.
void requireInside(const Domain&, const NodeBoxes&);
void requireInside(const Domain&, const NodeBox&);

// The same groups, term by term.
NodeGroups termsOf(const Domain&, const NodeBoxes&);

} // namespace lbm
