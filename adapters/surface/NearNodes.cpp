// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/NearNodes.hpp"

#include <cmath>

namespace lbm::exact {

namespace {

constexpr double slack = 1e-3;  // spacings; far above the rounding of the estimates below
constexpr double sliver = 1e-6; // thinner triangles (height over longest side) are taken by their box

using Corners = std::array<Vec3, 3>;

struct Box {
    Int3 begin, end;

    bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
};

// Nodes of the slab within one spacing of the triangle's box.
Box reach(const Corners& t, const Slab& slab)
{
    Box box{{0, 0, slab.begin}, {slab.size[0], slab.size[1], slab.end}};
    for (int a = 0; a < 3; ++a) {
        const double low = std::min({t[0][a], t[1][a], t[2][a]}) - 1 - slack;
        const double high = std::max({t[0][a], t[1][a], t[2][a]}) + 1 + slack;
        if (low > box.begin[a]) box.begin[a] = int(std::min(std::ceil(low), double(box.end[a])));
        if (high < box.end[a] - 1) box.end[a] = int(std::max(std::floor(high) + 1, double(box.begin[a])));
    }
    return box;
}

class Marker {
public:
    Marker(const Slab& slab, BitSet& marks) : slab_(slab), marks_(marks) {}

    void mark(const Corners& t)
    {
        const Box box = reach(t, slab_);
        if (box.empty()) return;
        const Vec3 a = difference(t[1], t[0]), b = difference(t[2], t[0]);
        const Vec3 n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
        const double longest = std::max(largest(a), largest(b));
        if (largest(n) <= sliver * longest * longest) markAll(box);
        else markLayer(t, n, box);
    }

private:
    static Vec3 difference(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
    static double largest(const Vec3& v) { return std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])}); }

    void set(const Int3& node)
    {
        marks_.set(node[0] + NodeIndex(slab_.size[0]) * (node[1] + NodeIndex(slab_.size[1]) * (node[2] - slab_.begin)));
    }

    void markAll(const Box& box)
    {
        Int3 n;
        for (n[2] = box.begin[2]; n[2] < box.end[2]; ++n[2])
            for (n[1] = box.begin[1]; n[1] < box.end[1]; ++n[1])
                for (n[0] = box.begin[0]; n[0] < box.end[0]; ++n[0]) set(n);
    }

    // Columns along the normal's longest component w that pass within a spacing (in u and in v) of the
    // triangle, and their nodes within one step of its plane.
    void markLayer(const Corners& t, const Vec3& n, const Box& box)
    {
        int w = 0;
        for (int axis : {1, 2})
            if (std::abs(n[axis]) > std::abs(n[w])) w = axis;
        const int u = (w + 1) % 3, v = (w + 2) % 3;
        const double half = (std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2])) / std::abs(n[w]) + slack;

        Int3 node;
        for (node[v] = box.begin[v]; node[v] < box.end[v]; ++node[v]) {
            for (node[u] = box.begin[u]; node[u] < box.end[u]; ++node[u]) {
                if (!nearProjection(t, n[w] > 0 ? 1 : -1, u, v, node)) continue;
                const double height = t[0][w] - (n[u] * (node[u] - t[0][u]) + n[v] * (node[v] - t[0][v])) / n[w];
                const double low = std::max(double(box.begin[w]), std::ceil(height - half));
                const double high = std::min(double(box.end[w] - 1), std::floor(height + half));
                for (double along = low; along <= high; ++along) {
                    node[w] = int(along);
                    set(node);
                }
            }
        }
    }

    static bool nearProjection(const Corners& t, int orientation, int u, int v, const Int3& node)
    {
        for (int i = 0; i < 3; ++i) {
            const Vec3& a = t[i];
            const Vec3& b = t[(i + 1) % 3];
            const double du = b[u] - a[u], dv = b[v] - a[v];
            const double side = orientation * (du * (node[v] - a[v]) - dv * (node[u] - a[u]));
            if (side < -(1 + slack) * (std::abs(du) + std::abs(dv))) return false;
        }
        return true;
    }

    const Slab& slab_;
    BitSet& marks_;
};

} // namespace

BitSet nearNodes(const Surface& surface, const std::vector<bool>& skippedRegions, const std::array<bool, 3>& periodic,
                 const Slab& slab)
{
    BitSet marks(NodeIndex(slab.size[0]) * slab.size[1] * (slab.end - slab.begin));
    Marker marker(slab, marks);
    Int3 image;
    auto repeats = [&](int axis) { return periodic[axis] ? 1 : 0; };
    for (std::size_t t = 0; t < surface.size(); ++t) {
        // A spacing away at most, and the slack
        if (!periodic[2] && !surface.reaches(t, slab.begin - 2, slab.end + 1)) continue;
        if (!skippedRegions.empty() && skippedRegions[surface.region(t)]) continue;
        const Corners corners = surface.place(t);
        for (image[0] = -repeats(0); image[0] <= repeats(0); ++image[0])
            for (image[1] = -repeats(1); image[1] <= repeats(1); ++image[1])
                for (image[2] = -repeats(2); image[2] <= repeats(2); ++image[2]) {
                    Corners shifted = corners;
                    for (Vec3& corner : shifted)
                        for (int a = 0; a < 3; ++a) corner[a] += image[a] * double(slab.size[a]);
                    marker.mark(shifted);
                }
    }
    return marks;
}

} // namespace lbm::exact
