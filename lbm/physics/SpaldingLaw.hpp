// Spalding's law of the wall, for all of the layer beside a smooth wall:
//   y+ = u+ + (exp(k) - 1 - k - k^2/2 - k^3/6)/E,   k = kappa u+
// (Spalding, J. Appl. Mech. 28, 1961), and what follows from it. On a host or a device.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Scalar.hpp"

#include <cmath>

namespace lbm::spalding {

struct Constants {
    double kappa, E;
};

// y+ at a u+, and how much it grows with that.
struct Point {
    double yPlus, slope;
};

LBM_HD inline Point at(double plus, const Constants& c)
{
    const double k = c.kappa * plus, e = std::exp(k);
    return {plus + (e - 1 - k * (1 + k * (0.5 + k / 6))) / c.E, 1 + c.kappa * (e - 1 - k * (1 + 0.5 * k)) / c.E};
}

constexpr int mostRounds = 50;
constexpr double settled = 1e-8, still = 1e-150;

// Friction velocity of a flow at u in a distance y from the wall. By Newton for u+, of Re = u y/nu = u+ y+(u+), which is convex and
// grows: from above it comes down without a swing, from below one step leads above. Re bounds u+ by the viscous layer alone, and by
// the law's last term alone. near: a friction velocity that is not far off, where to begin; 0: none is known.
LBM_HD inline double frictionVelocity(double u, double y, double nu, const Constants& c, double near = 0)
{
    if (!(u > still)) return 0;
    const double re = u * y / nu, viscous = std::sqrt(re), other = std::log(1 + c.E * re) / c.kappa + 1;
    const double most = viscous < other ? viscous : other;
    double plus = near > 0 && u < most * near ? u / near : most;
    for (int i = 0; i < mostRounds; ++i) {
        const Point law = at(plus, c);
        const double step = (plus * law.yPlus - re) / (law.yPlus + plus * law.slope);
        plus = plus - step < most ? plus - step : most;
        if (magnitude(step) < settled * plus) break;
    }
    return u / plus;
}

// u+ at a y+, the same way; bounds are y+ itself and the law's last term alone.
LBM_HD inline double velocityAt(double yPlus, const Constants& c)
{
    const double other = std::log(1 + c.E * yPlus) / c.kappa + 1;
    double plus = yPlus < other ? yPlus : other;
    for (int i = 0; i < mostRounds; ++i) {
        const Point law = at(plus, c);
        const double step = (law.yPlus - yPlus) / law.slope;
        plus -= step;
        if (magnitude(step) <= settled * plus) break;
    }
    return plus;
}

} // namespace lbm::spalding
