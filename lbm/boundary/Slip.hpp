// Slip and symmetry: a wall that moves with the fluid's own tangential velocity takes no shear and lets
// nothing through, whatever its orientation. link.velocity holds the unit normal.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Slip {
    template<class L, class T>
    static T incoming(BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
    {
        const T normal = node.u[0]*link.velocity[0] + node.u[1]*link.velocity[1] + node.u[2]*link.velocity[2];
        T wall[3];
        for (int a = 0; a < 3; ++a) wall[a] = node.u[a] - normal*link.velocity[a];
        return node.after(opposite(link.direction)) + node.wallTransfer(link.direction, wall);
    }
};

} // namespace lbm
