// Pressure opening: the missing population comes from a ghost node one link away whose density makes the
// imposed one lie half-way; velocity is the node's (zero gradient) or, for PressureVelocity, such that the
// imposed one lies half-way; the non-equilibrium part is the node's, regularized (Latt et al. 2008).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Pressure {
    template<class L, class T>
    static T incoming(BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
    {
        const int q = link.direction;
        return node.equilibrium(q, 2*link.r - node.r, node.u) + node.regularized(q);
    }
};

struct PressureVelocity {
    template<class L, class T>
    static T incoming(BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
    {
        const int q = link.direction;
        T ghost[3];
        for (int a = 0; a < 3; ++a) ghost[a] = 2*link.velocity[a] - node.u[a];
        return node.equilibrium(q, 2*link.r - node.r, ghost) + node.regularized(q);
    }
};

} // namespace lbm
