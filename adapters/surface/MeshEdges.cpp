// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/MeshEdges.hpp"

#include <algorithm>
#include <numeric>

namespace lbm {

std::vector<int> mergedPoints(const std::vector<Vec3>& points)
{
    std::vector<int> order(points.size()), first(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return points[a] != points[b] ? points[a] < points[b] : a < b; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && points[order[i]] == points[order[i - 1]];
        first[order[i]] = same ? first[order[i - 1]] : order[i];
    }
    return first;
}

std::vector<HalfEdge> sortedHalfEdges(const TriangleMesh& mesh, const std::vector<int>& merged,
                                      const std::vector<bool>& skipped)
{
    std::vector<HalfEdge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (!skipped.empty() && skipped[t]) continue;
        for (int i = 0; i < 3; ++i) {
            const int a = merged[mesh.triangles[t][i]], b = merged[mesh.triangles[t][(i + 1) % 3]];
            if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b, std::int8_t(i), std::int64_t(t)});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
        if (a.low != b.low) return a.low < b.low;
        if (a.high != b.high) return a.high < b.high;
        return a.triangle < b.triangle;
    });
    return edges;
}

} // namespace lbm
