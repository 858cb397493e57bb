// Walls: interpolated walls, all schemes from one picture. Follow the way of a population that goes to the wall and comes
// back: along it 0 is the node, reached after reflection; the wall lies at -s, s being the fraction of the link up to it; and
// -2s is the node, too, passed on the way out. At the end of a step, one link on, populations that are at hand have got to
//   1 - 2s    what the node sent to the wall (or beyond it: the wall has turned it round by then)
//   -2s       what arrives at the node along the link, sent by the node behind
//   -1 - 2s   what arrives at the node behind, sent by the second one
//   1         what the node sent away from the wall
//   2         what the node behind sent away from the wall
// and the missing one at 0 is that of the polynomial through some of these, the points of a scheme:
//   quadratic, linear   three or two of them: the first and those next to it on the side where 0 lies between points
//                       (Bouzidi, Firdaouss & Lallemand 2001)
//   local               -2s and 1, which need no other node (Zhao & Yong 2017)
// Whatever left the node or those behind it towards a wall that moves with u gets 6 w c.u on top when it is turned.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

namespace lbm::reference {

// In the missing population. further: of the third or, beyond half-way, of the fifth one above.
struct WallShares {
    double sent = 0, arriving = 0, further = 0, away = 0;
    double turned = 0; // of those sent to the wall, in sum
};

// 0 lies between what the node sent and what arrives if the wall is nearer than half-way.
inline bool nearWall(double s) { return s < 0.5; }

WallShares wallShares(WallScheme, double s);

// A node between two such walls: what arrives along the link is then the other wall's missing population. Both are
// unknowns of two equations.
struct GapShares {
    double sent, away;
    double turned, turnedAcross; // by this wall, by the other one
};

GapShares gapShares(const WallShares& own, const WallShares& across);

} // namespace lbm::reference
