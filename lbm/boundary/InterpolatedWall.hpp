// Interpolated wall: bounce-back at the place where the link q meets the wall, at a fraction s of its length, from
// three populations that the node has at hand: what it sent to the wall (f*_out), what it sent away from the wall
// (f*_in), and what arrives along the outgoing direction in this step (f_out, sent by the node behind it before):
//   f_in = a f*_out + b f_out + (1 - a - b) f*_in + (a + b) 6 w c.u
// Linear interpolation of Bouzidi, Firdaouss & Lallemand 2001. All three shares are between 0 and 1, which damps
// whatever the start leaves behind. (The central scheme CLI of Ginzburg, Verhaeghe & d'Humieres 2008, a = 1 and
// b = (1 - 2s)/(1 + 2s), was tried: it leaves momentum that alternates from node to node and step to step for ever.)
// Where walls cut the link on both sides, f_out is the other wall's unknown; both are then solved for. The density
// in front of c.u is taken as 1, for an error of the order of Mach squared.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Macros.hpp"

namespace lbm {

// f_in of the formula, with a, b, f*_out, f_out, f*_in and the wall's share.
template<class T>
LBM_HD LBM_INLINE T interpolated(T a, T b, T out, T arriving, T away, T move)
{
    return a*out + b*arriving + (1 - a - b)*away + move;
}

struct WallInterpolation {
    double reflected = 1, arriving = 0;     // a, b

    double kept() const { return 1 - reflected - arriving; }
};

inline WallInterpolation interpolateWall(double fraction)
{
    if (fraction < 0.5) return {2*fraction, 1 - 2*fraction};
    return {1/(2*fraction), 0};
}

// Both sides cut: f_in without f_out, the other side's equation put in. Both walls count as moving alike.
inline WallInterpolation interpolateGap(const WallInterpolation& own, const WallInterpolation& other)
{
    const double share = 1/(1 - own.arriving*other.arriving);
    return {share*(own.reflected + own.arriving*other.kept()), 0};
}

} // namespace lbm
