// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/ColumnScan.hpp"

#include "adapters/surface/NodeWords.hpp"

namespace lbm::exact {

namespace {

// A triangle seen along `axis`: columns are points of the plane (u, v), the two axes that follow it.
struct Projection {
    const Triangle& triangle;
    int axis, u, v;
    int orientation; // of the projected triangle; 0: seen edge-on

    Projection(const Triangle& t, int axis_) :
        triangle(t), axis(axis_), u((axis_ + 1) % 3), v((axis_ + 2) % 3), orientation(sign(t.normal[axis_]))
    {}

    // Side of edge i on which (pu, pv) lies, positive for the triangle's own; 0: on the edge's line.
    int side(int i, Coordinate pu, Coordinate pv) const
    {
        const Point& a = triangle.corner[i];
        const Point& b = triangle.corner[(i + 1) % 3];
        return orientation * sign(Wide(b[u] - a[u]) * (pv - a[v]) - Wide(b[v] - a[v]) * (pu - a[u]));
    }

    // Side after the infinitely small move (first u, then v).
    int movedSide(int i, Coordinate pu, Coordinate pv) const
    {
        if (const int s = side(i, pu, pv)) return s;
        const Coordinate du = triangle.corner[(i + 1) % 3][u] - triangle.corner[i][u];
        const Coordinate dv = triangle.corner[(i + 1) % 3][v] - triangle.corner[i][v];
        return orientation * (dv != 0 ? -sign(dv) : sign(du));
    }

    bool crosses(Coordinate pu, Coordinate pv) const
    {
        return movedSide(0, pu, pv) > 0 && movedSide(1, pu, pv) > 0 && movedSide(2, pu, pv) > 0;
    }

    bool touches(Coordinate pu, Coordinate pv) const
    {
        return side(0, pu, pv) >= 0 && side(1, pu, pv) >= 0 && side(2, pu, pv) >= 0;
    }
};

// Whether a point lies beyond the triangle's plane along +axis, after the small moves; planes seen
// edge-on are never asked.
bool beyond(const Projection& p, const Point& point)
{
    const WidePoint& n = p.triangle.normal;
    int s = sign(p.triangle.height(point));
    for (int axis : {p.u, p.v, p.axis})
        if (s == 0) s = sign(n[axis]);
    return s * p.orientation > 0;
}

// The first number in [low, high) for which `test` holds, or high; test changes once from false to true.
template<class Test>
Coordinate firstTrue(Coordinate low, Coordinate high, const Test& test)
{
    while (low < high) {
        const Coordinate middle = low + (high - low) / 2;
        if (test(middle)) high = middle;
        else low = middle + 1;
    }
    return low;
}

struct Range {
    Coordinate begin, end;

    Range within(Coordinate low, Coordinate high) const { return {std::max(begin, low), std::min(end, high)}; }
};

Range nodeRange(const Surface& surface, const Triangle& t, int axis)
{
    return {surface.ceilNode(t.min(axis)), surface.floorNode(t.max(axis)) + 1};
}

Point place(const Projection& p, Coordinate along, Coordinate u, Coordinate v)
{
    Point point;
    point[p.axis] = along;
    point[p.u] = u;
    point[p.v] = v;
    return point;
}

// Calls act(node) for the nodes of the slab that lie exactly on the triangle.
template<class Act>
void forNodesOn(const Surface& surface, const Triangle& t, const std::array<Range, 3>& box, const Act& act)
{
    auto size = [&](int axis) { return t.normal[axis] < 0 ? -t.normal[axis] : t.normal[axis]; };
    int axis = 0;
    for (int a : {1, 2})
        if (size(a) > size(axis)) axis = a;

    const Projection p(t, axis);
    const Coordinate unit = surface.unit();
    for (Coordinate v = box[p.v].begin; v < box[p.v].end; ++v) {
        for (Coordinate u = box[p.u].begin; u < box[p.u].end; ++u) {
            if (!p.touches(u * unit, v * unit)) continue;
            auto height = [&](Coordinate i) {
                return p.orientation * sign(t.height(place(p, i * unit, u * unit, v * unit)));
            };
            const Range along = box[axis];
            const Coordinate i = firstTrue(along.begin, along.end, [&](Coordinate j) { return height(j) >= 0; });
            if (i < along.end && height(i) == 0) act(place(p, i, u, v));
        }
    }
}

std::array<Range, 3> nodeBox(const Surface& surface, const Triangle& t, const Slab& slab)
{
    return {nodeRange(surface, t, 0).within(0, slab.size[0]), nodeRange(surface, t, 1).within(0, slab.size[1]),
            nodeRange(surface, t, 2).within(slab.begin, slab.end)};
}

void flipBehind(const Surface& surface, const Triangle& t, const Slab& slab, BitSet& inside)
{
    const Projection p(t, 0);
    if (p.orientation == 0) return;
    const Coordinate unit = surface.unit();
    const std::array<Range, 3> box = nodeBox(surface, t, slab);
    const Range along = nodeRange(surface, t, 0).within(0, slab.size[0]);
    for (Coordinate z = box[2].begin; z < box[2].end; ++z) {
        for (Coordinate y = box[1].begin; y < box[1].end; ++y) {
            if (!p.crosses(y * unit, z * unit)) continue;
            // beyond() is false before the triangle's extent and true behind it
            const Coordinate begin = std::min<Coordinate>(along.begin, slab.size[0]);
            const Coordinate x = firstTrue(begin, std::max(begin, along.end), [&](Coordinate i) {
                return beyond(p, {i * unit, y * unit, z * unit});
            });
            if (x < slab.size[0]) {
                const NodeIndex node = x + NodeIndex(slab.size[0]) * (y + NodeIndex(slab.size[1]) * z);
                inside.set(node, !inside[node]);
            }
        }
    }
}

} // namespace

void flipInside(const Surface& surface, const Slab& slab, BitSet& inside)
{
    for (std::size_t t = 0; t < surface.size(); ++t) {
        if (!surface.reaches(t, slab.begin, slab.end)) continue;
        flipBehind(surface, surface.triangle(t), slab, inside);
    }
    const NodeIndex row = slab.size[0];
    for (NodeIndex r = NodeIndex(slab.size[1]) * slab.begin; r < NodeIndex(slab.size[1]) * slab.end; ++r) {
        bool state = false;
        forWords(int(row), [&](int x, int n) {
            const NodeWord flips = wordAt(inside, r * row + x, n) & lowest(n);
            if (!flips && !state) return;
            NodeWord in = flips; // parity of the flips up to each node
            for (int shift = 1; shift < nodesOfWord; shift *= 2) in ^= in << shift;
            if (state) in = ~in;
            state = in >> (n - 1) & 1;
            putWord(inside, r * row + x, n, in);
        });
    }
}

std::int64_t clearOnSurface(const Surface& surface, const std::vector<bool>& skippedRegions, const Slab& slab,
                            BitSet& fluid)
{
    std::int64_t cleared = 0;
    for (std::size_t t = 0; t < surface.size(); ++t) {
        if (!surface.reaches(t, slab.begin, slab.end)) continue;
        if (!skippedRegions.empty() && skippedRegions[surface.region(t)]) continue;
        const Triangle triangle = surface.triangle(t);
        if (triangle.degenerate()) continue;
        const std::array<Range, 3> box = nodeBox(surface, triangle, slab);
        if (box[0].begin >= box[0].end || box[2].begin >= box[2].end) continue;
        forNodesOn(surface, triangle, box, [&](const Point& n) {
            const NodeIndex node = n[0] + NodeIndex(slab.size[0]) * (n[1] + NodeIndex(slab.size[1]) * n[2]);
            cleared += fluid[node];
            fluid.clear(node);
        });
    }
    return cleared;
}

bool isInside(const Surface& surface, const Point& point)
{
    bool inside = false;
    for (std::size_t t = 0; t < surface.size(); ++t) {
        const Triangle triangle = surface.triangle(t);
        const Projection p(triangle, 0);
        if (p.orientation != 0 && p.crosses(point[1], point[2]) && beyond(p, point)) inside = !inside;
    }
    return inside;
}

} // namespace lbm::exact
