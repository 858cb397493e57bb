// Tubes: fluid as a union of straight pieces whose radius changes along them, with round ends. What vessels and
// networks of channels are drawn with. Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm {

struct Tube {
    Vec3 from, to;
    double fromRadius, toRadius;

    // Distance of a point from the axis over the tube's radius there: at most 1 inside. From the nearest point of the
    // axis, which for a radius that changes slowly is all the same.
    double relativeDistance(const Vec3& point) const;
};

// Pieces of a smooth curve through the points, with radii between theirs (Catmull-Rom). At least two points.
struct CurvePoint {
    Vec3 at;
    double radius;
};
std::vector<Tube> curve(const std::vector<CurvePoint>&, int piecesPerPoint);

// Makes the nodes in the tube fluid and returns how many were not.
std::int64_t addFluid(Domain&, const Tube&);

// The factor for all radii at which the share `porosity` of the box is inside, to about a thousandth.
double radiusFactor(const std::vector<Tube>&, const Int3& size, double porosity);

} // namespace lbm
