// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/NodeBoxes.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace lbm {

namespace {

// Nodes whose states are written out at a time.
constexpr std::size_t atOnce = std::size_t(1) << 20;

// Kernels count them, 32 at a time, in 31 bits.
constexpr std::int64_t mostOfBox = std::numeric_limits<std::int32_t>::max() - 32;

bool isInside(const Domain& domain, const NodeBox& box)
{
    for (int a = 0; a < 3; ++a)
        if (box.low[a] < 0 || box.size[a] < 0 || box.size[a] > domain.size[a] - box.low[a]) return false;
    return true;
}

} // namespace

std::int64_t fluidNodes(const Domain& domain, const NodeBox& box)
{
    std::int64_t n = 0;
    for (int z = box.low[2]; z < box.low[2] + box.size[2]; ++z)
        for (int y = box.low[1]; y < box.low[1] + box.size[1]; ++y)
            n += domain.fluid.countIn(domain.index(box.low[0], y, z), box.size[0]);
    return n;
}

void putPieces(const NodeBox& box, std::int64_t most, std::vector<NodeBox>& pieces)
{
    if (nodesIn(box) <= most) return pieces.push_back(box);
    std::vector<NodeBox> rest{box};
    while (!rest.empty()) {
        NodeBox low = rest.back();
        rest.pop_back();
        const auto longest = std::max_element(low.size.rbegin(), low.size.rend());
        if (nodesIn(low) <= most || *longest < 2) {
            pieces.push_back(low);
            continue;
        }
        const auto a = std::size_t(low.size.rend() - longest - 1);
        NodeBox high = low;
        low.size[a] /= 2;
        high.size[a] -= low.size[a];
        high.low[a] += low.size[a];
        high.weight = weightAt(low, high.low[0], high.low[1], high.low[2]);
        rest.push_back(high);
        rest.push_back(low);
    }
}

std::vector<NodeBox> piecesOf(const NodeBox& box, std::int64_t most)
{
    std::vector<NodeBox> pieces;
    putPieces(box, most, pieces);
    return pieces;
}

void requireInside(const Domain& domain, const NodeBoxes& boxes)
{
    if (boxes.kind != NodeSet::Kind::sumsOfFlow && boxes.kind != NodeSet::Kind::sumsOfStates)
        throw std::invalid_argument("solver: boxes of nodes are for sums of flow or of states");
    for (const NodeBox& box : boxes.boxes) requireInside(domain, box);
}

void requireInside(const Domain& domain, const NodeBox& box)
{
    if (!isInside(domain, box)) throw std::out_of_range("solver: a box of nodes reaches beyond the domain's");
    if (nodesIn(box) > mostOfBox)
        throw std::invalid_argument("solver: a box of more than 2^31 nodes, which piecesOf makes smaller ones of");
}

NodeGroups termsOf(const Domain& domain, const NodeBoxes& boxes)
{
    requireInside(domain, boxes);
    NodeGroups groups(boxes.kind);
    for (const NodeBox& box : boxes.boxes) {
        forFluid(domain, box, [&](NodeIndex node, int x, int y, int z) { groups.add(node, weightAt(box, x, y, z)); });
        groups.endGroup();
    }
    return groups;
}

std::shared_ptr<const NodeSet> Solver::place(const NodeBoxes& boxes) const { return place(termsOf(domain(), boxes)); }

void Solver::initialise(const NodeBoxes& boxes, const LinearState* states)
{
    requireInside(domain(), boxes);
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> own;
    const auto flush = [&] {
        initialise(nodes.data(), nodes.size(), own.data());
        nodes.clear();
        own.clear();
    };
    for (std::size_t b = 0; b < boxes.boxes.size(); ++b) {
        forFluid(domain(), boxes.boxes[b], [&](NodeIndex node, int x, int y, int z) {
            nodes.push_back(node);
            own.push_back(stateAt(states[b], x, y, z));
        });
        if (nodes.size() >= atOnce) flush();
    }
    if (!nodes.empty()) flush();
}

} // namespace lbm
