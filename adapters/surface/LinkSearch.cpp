// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/LinkSearch.hpp"

#include <cmath>
#include <limits>

namespace lbm::exact {

namespace {

// Hits closer to each other than this share of a link count as one place.
constexpr double samePlace = 1e-6;

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

Wide along(const WidePoint& v, const Int3& c)
{
    Wide sum = 0;
    for (int a = 0; a < 3; ++a) {
        if (c[a] > 0) sum += v[a];
        if (c[a] < 0) sum -= v[a];
    }
    return sum;
}

// A triangle seen from a node. The line from the node along c passes on one side of each edge; the
// triple products `around` have one sign where it passes through the triangle, their sum is the
// normal's component, and the plane is met after offset/(normal component) spacings.
struct View {
    std::array<WidePoint, 3> edge;
    WidePoint normal;
    Wide offset;

    View(const Triangle& t, const Point& node)
    {
        const Point a = minus(t.corner[0], node), b = minus(t.corner[1], node), c = minus(t.corner[2], node);
        edge = {cross(a, b), cross(b, c), cross(c, a)};
        normal = t.normal;
        offset = dot(normal, a);
    }

    // The three shares of the corners in the point where the line meets the plane, smallest one.
    double smallestShare(const Int3& c, Wide slope) const
    {
        double least = std::numeric_limits<double>::max();
        for (const WidePoint& e : edge) least = std::min(least, double(along(e, c)) / double(slope));
        return least;
    }

    bool passesThrough(const Int3& c, Wide slope) const
    {
        const int s = sign(slope);
        for (const WidePoint& e : edge)
            if (s * sign(along(e, c)) < 0) return false;
        return true;
    }
};

Point placeOf(const Int3& node, Coordinate unit) { return {node[0] * unit, node[1] * unit, node[2] * unit}; }

} // namespace

LinkSearch::LinkSearch(const Surface& surface, const TriangleFinder& finder, const LatticeBox& box,
                       const std::vector<Int3>& directions, const std::vector<bool>& preferred, int outerSide) :
    surface_(surface), finder_(finder), box_(box), directions_(directions), preferred_(preferred), outerSide_(outerSide)
{}

// A link that wraps also meets what lies behind the other end of the box.
template<class Act>
void LinkSearch::forImages(const Int3& node, const Act& act) const
{
    std::array<std::vector<int>, 3> places;
    for (int a = 0; a < 3; ++a) {
        places[a] = {node[a]};
        if (box_.periodic[a] && node[a] == 0) places[a].push_back(box_.size[a]);
        if (box_.periodic[a] && node[a] == box_.size[a] - 1) places[a].push_back(-1);
    }
    for (int x : places[0])
        for (int y : places[1])
            for (int z : places[2]) act(Int3{x, y, z});
}

const std::vector<Hit>& LinkSearch::search(const Int3& node)
{
    hits_.assign(directions_.size(), Hit());
    bool inner = true;
    for (int a = 0; a < 3; ++a) inner &= !box_.periodic[a] || (node[a] > 0 && node[a] < box_.size[a] - 1);
    if (inner) searchImage(node);
    else forImages(node, [&](const Int3& image) { searchImage(image); });
    return hits_;
}

void LinkSearch::searchImage(const Int3& node)
{
    finder_.find(node, candidates_);
    const Point point = placeOf(node, surface_.unit());
    for (unsigned t : candidates_) searchTriangle(t, point);
}

void LinkSearch::searchTriangle(unsigned t, const Point& node)
{
    const Coordinate unit = surface_.unit();
    const Triangle triangle = surface_.triangle(t);
    for (int a = 0; a < 3; ++a)
        if (triangle.min(a) > node[a] + unit || triangle.max(a) < node[a] - unit) return;
    const WidePoint& n = triangle.normal;
    const Wide height = triangle.height(node);
    if (magnitude(height) > Wide(unit) * (magnitude(n[0]) + magnitude(n[1]) + magnitude(n[2]))) return;

    const View view(triangle, node);
    for (std::size_t q = 0; q < directions_.size(); ++q) {
        const Wide slope = along(n, directions_[q]);
        if (slope == 0 || sign(slope) != sign(view.offset)) continue;
        if (magnitude(view.offset) > magnitude(slope) * unit) continue;
        if (!view.passesThrough(directions_[q], slope)) continue;

        const Hit hit{double(view.offset) / double(slope) / double(unit), std::int16_t(surface_.region(t)),
                      sign(slope) == outerSide_, isPreferred(t)};
        if (better(hit, hits_[q])) hits_[q] = hit;
    }
}

bool LinkSearch::isPreferred(unsigned t) const { return !preferred_.empty() && preferred_[surface_.region(t)]; }

bool LinkSearch::better(const Hit& hit, const Hit& best) const
{
    if (!best || hit.fraction < best.fraction - samePlace) return true;
    if (hit.fraction > best.fraction + samePlace) return false;
    if (hit.leaving != best.leaving) return hit.leaving;
    return hit.preferred && !best.preferred;
}

Hit LinkSearch::nearestMiss(const Int3& node, const Int3& direction)
{
    Hit best;
    double bestShare = std::numeric_limits<double>::lowest();
    forImages(node, [&](const Int3& image) {
        finder_.find(image, candidates_);
        for (unsigned t : candidates_) {
            const Triangle triangle = surface_.triangle(t);
            const View view(triangle, placeOf(image, surface_.unit()));
            const Wide slope = along(view.normal, direction);
            if (slope == 0) continue;
            const double fraction = double(view.offset) / double(slope) / double(surface_.unit());
            const double share = view.smallestShare(direction, slope);
            if (!(fraction > 0 && fraction <= 1) || share <= bestShare) continue;
            bestShare = share;
            best = {fraction, std::int16_t(surface_.region(t)), sign(slope) == outerSide_, isPreferred(t)};
        }
    });
    return best;
}

} // namespace lbm::exact
