// PatchPlane: the plane that a patch's links cross near a node, by least squares.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/LinkFinder.hpp"

namespace lbm {

struct PatchPlane {
    Vec3 outward; // unit normal
    // Of the places where links cross the patch from the plane: root mean square, in node distances
    double deviation = 0;
};

// At a node that has links through the patch. `linkSum`: the sum of these links, which is the normal where they are too few
// to tell.
PatchPlane patchPlane(const Domain&, const LinkFinder&, NodeIndex node, int patch, const Int3& linkSum);

Vec3 outwardNormal(const Domain&, const LinkFinder&, NodeIndex node, int patch, const Int3& linkSum);

} // namespace lbm
