// MeshEdges: which triangles meet at which edges. An edge is known by the places of its two ends, not by
// point numbers, for files store corners once a triangle.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/TriangleMesh.hpp"

namespace lbm {

// For each point the lowest number of a point at the same place.
std::vector<int> mergedPoints(const std::vector<Vec3>& points);

struct HalfEdge {
    int low, high;    // merged point numbers
    bool forward;     // runs from low to high
    std::int8_t side; // of the triangle: from its corner `side` to the next one
    std::int64_t triangle;

    bool sameEdge(const HalfEdge& other) const { return low == other.low && high == other.high; }
};

// Sorted by edge, then triangle; sides without length are left out, and triangles for which `skipped`
// (empty, or one entry a triangle) is true.
std::vector<HalfEdge> sortedHalfEdges(const TriangleMesh& mesh, const std::vector<int>& merged,
                                      const std::vector<bool>& skipped = {});

// Calls act(begin, end) for each group of half edges that are one edge.
template<class Act>
void forEdges(const std::vector<HalfEdge>& edges, const Act& act)
{
    for (std::size_t begin = 0, end; begin < edges.size(); begin = end) {
        for (end = begin; end < edges.size() && edges[end].sameEdge(edges[begin]); ++end) {}
        act(begin, end);
    }
}

} // namespace lbm
