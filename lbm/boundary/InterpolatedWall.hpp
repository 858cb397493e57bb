// Interpolated wall: bounce-back at the place where the link q meets the wall, at a fraction s of its length, from
// populations that are at hand: what the node sent to the wall (f*_out), what it sent away from the wall (f*_in), what
// arrives along the outgoing direction in this step (f_out, sent by the node behind it before), and for the quadratic
// scheme one more of a node further in (f*_more: f*_out of the second node behind for s < 1/2, else f*_in of the first):
//   f_in = a f*_out + b f_out + d f*_more + (1 - a - b - d) f*_in + m 6 w c.u
// Every scheme is exact for a flow that is linear along the link, which needs (1 - b)/(2 (a + b)) = s where d is 0.
//   linear, quadratic: Bouzidi, Firdaouss & Lallemand 2001
//   local: a = 0, b = 1/(1 + 2s), which needs nothing of other nodes but what arrives (Zhao & Yong 2017)
//   slipping: as linear with the wall further off, s >= 3/4, where its velocity is to be told (lbm/api/SlippingWall.hpp)
// The shares of linear and local lie between 0 and 1, which damps whatever the start leaves behind. (The central scheme
// CLI of Ginzburg, Verhaeghe & d'Humieres 2008, a = 1 and b = (1 - 2s)/(1 + 2s), was tried: it leaves momentum that
// alternates from node to node and step to step for ever.)
// Where walls cut the link on both sides, f_out is the other wall's unknown; both are then solved for, and the node's own
// populations are enough. The density in front of c.u is taken as 1, for an error of the order of Mach squared.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/lattice/Macros.hpp"

#include <cmath>

namespace lbm {

// f_in of the formula but for d f*_more, with a, b, 1 - a - b - d, f*_out, f_out, f*_in and the wall's share.
template<class T>
LBM_HD LBM_INLINE T interpolated(T a, T b, T kept, T out, T arriving, T away, T move)
{
    return a * out + b * arriving + kept * away + move;
}

// As kernels hold them: rounded, so that whoever adds up what a wall did finds the same.
struct WallInterpolation {
    float reflected = 1, arriving = 0, further = 0; // a, b, d
    double moved = 1, movedAcross = 0;              // m, and that of a wall on the other side, with its own c

    double kept() const { return 1 - double(reflected) - double(arriving) - double(further); }
};

// m is the share of populations of the outgoing direction, which f*_more is where the node behind has a share, too.
inline WallInterpolation wallInterpolation(double a, double b, double d)
{
    const WallInterpolation wall{float(a), float(b), float(d)};
    const double outgoing =
        double(wall.reflected) + double(wall.arriving) + (wall.arriving != 0 ? double(wall.further) : 0);
    return {wall.reflected, wall.arriving, wall.further, outgoing};
}

// Of slipping walls, the least s: bounce-back alone (s = 1/2) lets disturbances grow in a stream along a diagonal
constexpr double slippingPlace = 0.75;

inline WallInterpolation interpolateWall(WallScheme scheme, double s)
{
    const bool near = s < 0.5;
    switch (scheme) {
        case WallScheme::quadratic:
            return near ? wallInterpolation(s * (1 + 2 * s), 1 - 4 * s * s, -s * (1 - 2 * s))
                        : wallInterpolation(1 / (s * (2 * s + 1)), 0, -(2 * s - 1) / (2 * s + 1));
        case WallScheme::linear: {
            if (!near) return wallInterpolation(1 / (2 * s), 0, 0);
            // In steps of which floats hold every multiple: the shares then add up to one exactly.
            constexpr double steps = 1 << 24;
            const double arriving = std::round((1 - 2 * s) * steps) / steps;
            return wallInterpolation(1 - arriving, arriving, 0);
        }
        case WallScheme::slipping: return wallInterpolation(1 / (2 * std::fmax(s, slippingPlace)), 0, 0);
        case WallScheme::local: break;
    }
    return wallInterpolation(0, 1 / (1 + 2 * s), 0);
}

// Half-way along a link that meets a wall at s, how fast the fluid moves, of its node's speed beside the wall's: as much as on the
// straight line between them. Very close walls count as a quarter of a link away, for what a node is told in answer to its own
// speed is not to be more than that. Walls past which the fluid slips are told how fast it moves there.
inline double halfWayShare(WallScheme scheme, double s)
{
    return scheme == WallScheme::slipping ? 0 : 1 - 0.5 / std::fmax(s, 0.25);
}

// Both sides cut: f_in without f_out, the other side's equation put in. Not for the quadratic scheme.
inline WallInterpolation interpolateGap(const WallInterpolation& own, const WallInterpolation& other)
{
    const double b = own.arriving, share = 1 / (1 - b * double(other.arriving));
    return {float(share * (double(own.reflected) + b * other.kept())), 0, 0, share * own.moved,
            share * b * other.moved};
}

} // namespace lbm
