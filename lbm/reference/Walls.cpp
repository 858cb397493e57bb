// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Walls.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lbm::reference {
namespace {

// The only place where anything is rounded on purpose. Kernels hold shares as floats, which would show in populations at
// 1e-10, where they are compared to 4e-15.
double asHeld(double share) { return double(float(share)); }

// Each share by itself, so that a rest remains to one, which the population takes that goes away from the wall. Where only
// two have a share that leave for the wall, they are told in steps of 2^-24 instead, of which floats hold every multiple.
WallShares asHeld(const WallShares& exact)
{
    WallShares held;
    if (exact.further == 0 && exact.away == 0) {
        held.arriving = std::ldexp(std::round(std::ldexp(exact.arriving, 24)), -24);
        held.sent = 1 - held.arriving;
        return held;
    }
    held.sent = asHeld(exact.sent);
    held.arriving = asHeld(exact.arriving);
    held.further = asHeld(exact.further);
    held.away = 1 - held.sent - held.arriving - held.further;
    return held;
}

struct Point {
    double WallShares::*share;
    double place;
};

// Lagrange's polynomial at 0.
WallShares throughPoints(const std::vector<Point>& points)
{
    WallShares shares;
    for (const Point& p : points) {
        double product = 1;
        for (const Point& other : points)
            if (other.share != p.share) product *= other.place / (other.place - p.place);
        shares.*p.share = product;
    }
    return shares;
}

std::vector<Point> pointsOf(WallScheme scheme, double s)
{
    if (scheme == WallScheme::slipping) return {{&WallShares::sent, 1 - 2 * std::max(s, 0.75)}, {&WallShares::away, 1}};
    const Point sent{&WallShares::sent, 1 - 2 * s}, arriving{&WallShares::arriving, -2 * s}, away{&WallShares::away, 1};
    if (scheme == WallScheme::local) return {arriving, away};
    std::vector<Point> points{sent, nearWall(s) ? arriving : away};
    if (scheme == WallScheme::quadratic) points.push_back({&WallShares::further, nearWall(s) ? -1 - 2 * s : 2});
    return points;
}

} // namespace

WallShares wallShares(WallScheme scheme, double s)
{
    WallShares shares = asHeld(throughPoints(pointsOf(scheme, s)));
    shares.turned = shares.sent + shares.arriving + (nearWall(s) ? shares.further : 0);
    return shares;
}

// in = rIn + b out, out = rOut + d in.
GapShares gapShares(const WallShares& own, const WallShares& across)
{
    const double b = own.arriving, d = across.arriving;
    const auto in = [=](double rIn, double rOut) { return (rIn + b * rOut) / (1 - b * d); };
    // What one wall's node sends to it is what it sends away from the other
    const double sent = asHeld(in(own.sent, across.away));
    return {sent, 1 - sent, in(own.turned, 0), in(0, across.turned)};
}

} // namespace lbm::reference
