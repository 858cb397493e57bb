// MirrorPairs: links that a plane across an axis mirrors into each other (lbm/boundary/Slip.hpp): what either gets is what the other
// has sent. Where only one of the two does, the fluid that its node has sent is lost, and what the other has sent is there twice.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm {

// The link that a plane across this axis mirrors into a link that crosses it; null: there is none, as of links straight into
// the plane, which get what they have sent, and where another wall stands in between.
const Link* mirrorImage(const Domain&, const Link&, int axis);

// Where a plane is of two patches of which one mirrors (mirrors, by patch: slip, symmetry, given shear) and the other does not, the two
// links of a pair, and their nodes' own links straight into the plane, may cross it on different sides of the border: a pair does so in two
// places, but where the plane lies half-way between nodes, and a node whose straight link is of another patch has no plane there to
// mirror at (lbm/boundary/Donors.cpp). Such pairs are made links of the patch that does not mirror. Returns how many belong to another patch now. threads 0: as many as OpenMP would take.
std::size_t joinMirrorPairs(Domain&, const std::vector<bool>& mirrors, int threads = 0);

} // namespace lbm
