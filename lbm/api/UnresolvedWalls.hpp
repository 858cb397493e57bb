// UnresolvedWalls: nodes between walls that the lattice does not resolve. Walls along which the fluid slips move with the
// node's own velocity (lbm/boundary/Slip.hpp), which is stable at planes and where two of them meet. In gaps, wedges and
// pockets of a node's width what the one wall lets pass along itself runs into another one: mass arrives and pushes the
// velocity on, and without friction it grows from step to step. There the fluid has to stick.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm {

// weights: of the lattice, by directionCode. normals: by link, the outward unit normal of a wall along which the fluid slips;
// zero: of another kind. The result is by link: at such a wall, of such a node.
std::vector<bool> unresolvedWalls(const Domain&, const std::vector<double>& weights, const std::vector<Vec3>& normals);

// Planes across an axis that the lattice takes to be half-way mirror a link into another one: what either gets is what the other has
// sent (lbm/boundary/Slip.hpp). Where one of the two sticks, so must the other: what a node that sticks has sent would come back to it
// and reach its neighbour, too, and what that one has sent would be lost. Mass would come and go, and what turns round from step to
// step would grow, by half a percent a step between the tyre of OpenFOAM's motorBike and its ground. mirrors: by link, at such a plane;
// stuck: by link, to which the others are added.
void stickInPairs(const Domain&, const std::vector<Vec3>& normals, const std::vector<bool>& mirrors,
                  std::vector<bool>& stuck);

} // namespace lbm
