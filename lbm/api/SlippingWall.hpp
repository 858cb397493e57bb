// SlippingWall: walls past which the fluid slips with a velocity that is known, and what it gains from there on, as where a wall law
// decides the stress (WallScheme::slipping). What a link returns is then made of the node's own populations alone, which are right
// where the viscosity, and the slope of the velocity, change from node to node: as if the wall were further off, with the velocity
// that the fluid would have there.
//
// Besides, populations carry momentum along the wall: of second order in the velocity,
//   Q = w (9 (c.u)^2 - 3 u^2)/2,
// comes in the fluid from the link's other end. A wall returns the node's own, where the velocity is another one. At a wall at
// rest Q is next to nothing. At one that slips the difference is some 3 u/(tau - 1/2) times the stress, of which what does not
// cancel between links is friction that nobody asked for: a channel of atan(1/2) to the lattice, whose walls slip at speed 0.05,
// had 1.6 times the right one at tau - 1/2 = 0.001; along axes and diagonals it cancels. A link takes no more of its wall's velocity
// than the part along itself, which makes the difference good.
//
// For collisions that drop what populations carry in third order (regularized); of others who tells links adds what the node's own
// carry there, which a wall returns with the other sign (LawLink.hpp). Units: lattice. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

namespace lbm {

// Velocity to tell a link of a wall of WallScheme::slipping among `patches` (one entry a patch of the Domain), where the fluid has
// the velocity `atWall`, and inwards gains `gain` over a link's whole length. Between two walls it is atWall.
Vec3 slippingWall(const Domain&, const std::vector<LinkValue>& patches, const Link&, const Vec3& atWall,
                  const Vec3& gain);

// What such a link returns less of, over 6 w c.u, for the velocity u that it is told, or one of another interpolatedWall. The rest of a
// wall's part follows from populations.
double slippingShare(const Domain&, const std::vector<LinkValue>& patches, const Link&);

} // namespace lbm
