// SearchBlocks: which triangles the links of a block of nodes may meet, for searches that take many nodes at a time, and such a search.
// Blocks that no triangle comes near to have none. For a processor and for a GPU. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/surface/Crossing.hpp"

#include <algorithm>
#include <vector>

namespace lbm::exact {

constexpr int searchBlockEdge = 4;

// Nodes whose links may meet a triangle lie within these, ends included.
struct NodeReach {
    Int3 low, high;

    LBM_HD bool holds(const Int3& node) const
    {
        for (int a = 0; a < 3; ++a)
            if (node[a] < low[a] || node[a] > high[a]) return false;
        return true;
    }
};

struct TriangleMark {
    std::int16_t region;
    bool preferred;
};

// Of all triangles of a surface, by number.
struct SearchTriangles {
    std::vector<std::array<Point, 3>> corners;
    std::vector<NodeReach> reach;
    std::vector<TriangleMark> marks;

    static constexpr std::size_t bytesEach = sizeof(std::array<Point, 3>) + sizeof(NodeReach) + sizeof(TriangleMark);
};

// Of some planes of nodes: lists of blocks, x fastest. That of block b is triangles[begin[b]] to triangles[begin[b + 1] - 1], ascending.
struct SearchBlockLists {
    int zBegin = 0; // first plane of the first blocks
    Int3 blocks{};
    std::vector<std::uint32_t> begin, triangles;
};

// Of blocks that begin with the first of some nodes, and of these triangles' lists there: so many at most.
struct SearchBlockCounts {
    std::size_t blocks = 1, entries = 0;

    SearchBlockCounts(const SearchTriangles& triangles, const NodeReach& nodes)
    {
        for (int a = 0; a < 3; ++a) blocks *= std::size_t((nodes.high[a] - nodes.low[a]) / searchBlockEdge + 1);
        for (const NodeReach& reach : triangles.reach) {
            std::size_t own = 1;
            for (int a = 0; a < 3; ++a) {
                const int low = std::max(reach.low[a], nodes.low[a]), high = std::min(reach.high[a], nodes.high[a]);
                own *= high < low
                    ? 0
                    : std::size_t((high - nodes.low[a]) / searchBlockEdge - (low - nodes.low[a]) / searchBlockEdge + 1);
            }
            entries += own;
        }
    }
};

// The same as a search sees them.
struct SearchBlockView {
    const std::uint32_t *begin, *triangles;
    int zBegin;
    Int3 blocks;
    const std::array<Point, 3>* corners;
    const NodeReach* reach;
    const TriangleMark* marks;
};

// The nearest hit of each direction from a node of these planes; what lies behind a periodic end is not seen.
LBM_HD inline void searchBlock(const SearchBlockView& view, const LinkRays& rays, const Int3& node, Hit* hits)
{
    for (int q = 0; q < rays.count; ++q) hits[q] = Hit();
    const NodeIndex block = node[0] / searchBlockEdge
        + view.blocks[0]
            * (node[1] / searchBlockEdge + view.blocks[1] * NodeIndex((node[2] - view.zBegin) / searchBlockEdge));
    const Point place = placeOf(node, rays.unit);
    for (std::uint32_t i = view.begin[block]; i < view.begin[block + 1]; ++i) {
        const std::uint32_t t = view.triangles[i];
        if (!view.reach[t].holds(node)) continue;
        crossLinks(triangleOf(view.corners[t]), view.marks[t].region, view.marks[t].preferred, place, rays, hits);
    }
}

} // namespace lbm::exact
