// The few vector operations that adapters/surface needs in double precision.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::vec {

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }

inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double magnitude(const Vec3& a) { return std::sqrt(dot(a, a)); }

inline Vec3 cross(const Vec3& a, const Vec3& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Distance of a place from a triangle: inside its prism from the plane, else from its sides.
inline double distance(const std::array<Vec3, 3>& t, const Vec3& p)
{
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    bool within = dot(n, n) > 0;
    double nearest = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        const Vec3 side = t[(i + 1) % 3] - t[i], to = p - t[i];
        within = within && dot(cross(side, to), n) >= 0;
        const double length2 = dot(side, side);
        const double share = length2 > 0 ? std::clamp(dot(side, to) / length2, 0.0, 1.0) : 0;
        nearest = std::min(nearest, magnitude(to - share * side));
    }
    return within ? std::abs(dot(p - t[0], n)) / magnitude(n) : nearest;
}

} // namespace lbm::vec
