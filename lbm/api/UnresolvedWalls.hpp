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

} // namespace lbm
