// PatchPlane: the plane that a patch's links cross near a node, by least squares.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

namespace lbm {

// Unit normal of the patch at a node that has links through it, outwards. `linkSum`: the sum of these links, which is
// taken itself where they are too few to tell.
Vec3 outwardNormal(const Domain&, NodeIndex node, int patch, const Int3& linkSum);

} // namespace lbm
