// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/geometries/Tubes.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {
namespace {

Vec3 along(const Vec3& a, const Vec3& b, double t)
{
    return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
}

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double catmullRom(double a, double b, double c, double d, double t)
{
    return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

} // namespace

double Tube::relativeDistance(const Vec3& point) const
{
    const Vec3 axis = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const Vec3 x = {point[0] - from[0], point[1] - from[1], point[2] - from[2]};
    const double squared = dot(axis, axis);
    const double t = squared > 0 ? std::clamp(dot(x, axis) / squared, 0.0, 1.0) : 0;
    const Vec3 foot = along(from, to, t);
    const Vec3 d = {point[0] - foot[0], point[1] - foot[1], point[2] - foot[2]};
    return std::sqrt(dot(d, d)) / (fromRadius + t * (toRadius - fromRadius));
}

std::vector<Tube> curve(const std::vector<CurvePoint>& points, int piecesPerPoint)
{
    const int n = int(points.size());
    const auto at = [&](int i) -> const CurvePoint& { return points[std::clamp(i, 0, n - 1)]; };
    std::vector<Tube> tubes;
    CurvePoint last = points.front();
    for (int i = 0; i + 1 < n; ++i)
        for (int k = 1; k <= piecesPerPoint; ++k) {
            const double t = double(k) / piecesPerPoint;
            CurvePoint next{{}, at(i).radius + t * (at(i + 1).radius - at(i).radius)};
            for (int a = 0; a < 3; ++a)
                next.at[a] = catmullRom(at(i - 1).at[a], at(i).at[a], at(i + 1).at[a], at(i + 2).at[a], t);
            tubes.push_back({last.at, next.at, last.radius, next.radius});
            last = next;
        }
    return tubes;
}

std::int64_t addFluid(Domain& domain, const Tube& tube)
{
    const double reach = std::max(tube.fromRadius, tube.toRadius);
    Int3 low, high;
    for (int a = 0; a < 3; ++a) {
        low[a] = std::max(0, int(std::ceil(std::min(tube.from[a], tube.to[a]) - reach)));
        high[a] = std::min(domain.size[a] - 1, int(std::floor(std::max(tube.from[a], tube.to[a]) + reach)));
    }
    std::int64_t added = 0;
    for (int z = low[2]; z <= high[2]; ++z)
        for (int y = low[1]; y <= high[1]; ++y)
            for (int x = low[0]; x <= high[0]; ++x) {
                const NodeIndex node = domain.index(x, y, z);
                if (domain.fluid[node] || tube.relativeDistance({double(x), double(y), double(z)}) > 1) continue;
                domain.fluid.set(node);
                ++added;
            }
    return added;
}

double radiusFactor(const std::vector<Tube>& tubes, const Int3& size, double porosity)
{
    // The share of a few hundred thousand points, evenly spread.
    constexpr int longest = 80;
    const int side = std::max({size[0], size[1], size[2]});
    Int3 points;
    for (int a = 0; a < 3; ++a) points[a] = std::max(1, size[a] * longest / side);
    std::vector<double> distance;
    for (int k = 0; k < points[2]; ++k)
        for (int j = 0; j < points[1]; ++j)
            for (int i = 0; i < points[0]; ++i) {
                const Vec3 x = {(i + 0.5) * size[0] / points[0] - 0.5, (j + 0.5) * size[1] / points[1] - 0.5,
                                (k + 0.5) * size[2] / points[2] - 0.5};
                double least = tubes.front().relativeDistance(x);
                for (const Tube& tube : tubes) least = std::min(least, tube.relativeDistance(x));
                distance.push_back(least);
            }
    const auto nth = distance.begin() + std::ptrdiff_t(porosity * double(distance.size()));
    std::nth_element(distance.begin(), nth, distance.end());
    return *nth;
}

} // namespace lbm
