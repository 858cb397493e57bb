// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/boundary/MirrorFit.hpp"

#include "lbm/boundary/dot.hpp"

#include <cmath>

namespace lbm {
namespace {

// Solves for x in place of b; the matrix is symmetric. False if it is nearly singular: then points lie badly. Functions that
// are zero at all of them are left out, which those across a two-dimensional domain are.
template<int n>
bool solve(double (&m)[n][n], double (&b)[n])
{
    constexpr double least = 1e-3; // of what is left of a function beside those before it
    constexpr double zero = 1e-9;  // beside the first one
    double diagonal[n];
    for (int i = 0; i < n; ++i) {
        diagonal[i] = m[i][i];
        if (diagonal[i] > zero * diagonal[0]) continue;
        for (int j = 0; j < n; ++j) m[i][j] = m[j][i] = i == j;
        diagonal[i] = 1;
        b[i] = 0;
    }
    for (int i = 0; i < n; ++i) {
        if (m[i][i] < least * diagonal[i]) return false;
        for (int k = i + 1; k < n; ++k) {
            const double factor = m[k][i] / m[i][i];
            for (int j = i; j < n; ++j) m[k][j] -= factor * m[i][j];
            b[k] -= factor * b[i];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) b[i] -= m[i][j] * b[j];
        b[i] /= m[i][i];
    }
    return true;
}

// Factors of the functions that make the sum over points what it should be at the ghost.
template<int n, class Points, class Functions>
bool fit(const Points& points, Functions&& functions, double (&factors)[n])
{
    double m[n][n] = {};
    for (const auto& point : points) {
        const auto& f = functions(point);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) m[i][j] += point.weight * f[i] * f[j];
    }
    return solve(m, factors);
}

template<int n>
double sum(const double (&a)[n], const double (&b)[n])
{
    double s = 0;
    for (int i = 0; i < n; ++i) s += a[i] * b[i];
    return s;
}

} // namespace

MirrorFit::MirrorFit(const Vec3& outward, const Vec3& onPlane, const Vec3& ghost) : outward_(outward)
{
    // Along the plane places are taken from the ghost's foot on it.
    const double distance = dot(outward, ghost) - dot(outward, onPlane);
    int least = 0;
    for (int a = 0; a < 3; ++a) {
        onPlane_[a] = ghost[a] - distance * outward[a];
        image_[a] = ghost[a] - 2 * distance * outward[a];
        if (std::abs(outward[a]) < std::abs(outward[least]) - 1e-6) least = a;
    }
    Vec3& s = sides_[0];
    for (int a = 0; a < 3; ++a) s[a] = (a == least) - outward[least] * outward[a];
    const double length = std::sqrt(dot(s, s));
    for (double& v : s) v /= length;
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        sides_[1][a] = outward[b] * s[c] - outward[c] * s[b];
    }
    ghost_ = at(ghost);
}

MirrorFit::Point MirrorFit::at(const Vec3& place) const
{
    Vec3 d;
    for (int a = 0; a < 3; ++a) d[a] = place[a] - onPlane_[a];
    const double n = dot(d, outward_), s = dot(d, sides_[0]), t = dot(d, sides_[1]);
    return {-1, 0, {1, s, t, s * s, s * t, t * t, n * n}, {n, n * s, n * t}};
}

void MirrorFit::add(NodeIndex node, const Vec3& place)
{
    constexpr double radius = 2.2;
    Point point = at(place);
    double square = 0;
    for (int a = 0; a < 3; ++a) square += (place[a] - image_[a]) * (place[a] - image_[a]);
    const double near = 1 - square / (radius * radius);
    if (near <= 0 || point.odd[0] >= 0) return;
    point.node = node;
    point.weight = near * near;
    points_.push_back(point);
}

std::vector<MirrorShare> MirrorFit::shares() const
{
    constexpr std::size_t fewest = 4;
    constexpr double most = 5; // shares in all, without their signs
    if (points_.size() < fewest) return {};
    double even[evens], odd[odds];
    for (int i = 0; i < evens; ++i) even[i] = ghost_.even[i];
    for (int i = 0; i < odds; ++i) odd[i] = ghost_.odd[i];
    const bool told = fit(
                          points_, [](const Point& p) -> const double(&)[evens] { return p.even; }, even)
        && fit(
                          points_, [](const Point& p) -> const double(&)[odds] { return p.odd; }, odd);
    if (!told) return {};

    std::vector<MirrorShare> shares;
    double whole = 0, evenSize = 0, oddSize = 0;
    for (const Point& p : points_) {
        shares.push_back({p.node, p.weight * sum(p.even, even), p.weight * sum(p.odd, odd)});
        whole += shares.back().even;
        evenSize += std::abs(shares.back().even);
        oddSize += std::abs(shares.back().odd);
    }
    if (!(evenSize < most) || !(oddSize < most) || whole < 0.5) return {};
    for (MirrorShare& share : shares) share.even /= whole; // mass
    return shares;
}

} // namespace lbm
