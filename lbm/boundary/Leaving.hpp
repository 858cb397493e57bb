// Leaving: velocity openings through which the stream leaves. Bounce-back sends in again the stress of what came out, which a
// collision near tau 1/2 all but turns to its negative, so that it alternates from step to step. A stream that enters carries that
// away; one that leaves feeds it: with 0.05 spacings a step by 6 % a step (regularized, four nodes a wave along the opening, by linear
// stability, tau 0.5001), with cumulants by 15 % at any wave number. A share of the stress is replaced by what follows from the velocities
// of node and opening, which lie half a link apart along the normal n: with d = u(node) - u(opening), at tau 1/2,
//   neq = -3 w rho ((c.n)(c.d) - n.d/3),
// that is, of both what differs from their running means alone: in steady flow nothing is replaced, and what passes is what is imposed
// in the mean. Where the opening lets sound out as well, the memory is that of NonReflecting, and all of the share is replaced, which
// keeps what passes to the order of the square of the shear rate.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/NonReflecting.hpp"

namespace lbm {

struct Leaving {
    // Of a link with a velocity.
    template<class T>
    LBM_HD static bool happens(const BoundaryLink<T>& link)
    {
        return BoundaryKind(link.kind) == BoundaryKind::velocity && NonReflecting::through(link, link.velocity) > 0;
    }

    // What is to be taken off what is reflected. imposed: velocity, with the wave that leaves.
    template<class L, class T>
    LBM_HD static T replaced(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link, const T (&imposed)[3],
                             T& mean)
    {
        const T taken = share(NonReflecting::through(link, link.velocity), node.tau);
        if (!(taken > 0)) return T(0);
        const T stress = stressBeyond(node, link, imposed);
        return taken * (link.recovery > 0 ? stress : NonReflecting::deviation(stress, rate<T>, mean));
    }

private:
    template<class T>
    static constexpr T rate = T(0.1); // of the mean, a step; from 0.01 to 0.1 nothing depends on it

    // 6 U - 4 (tau - 1/2), from 0 to 1. By linear stability of regularized (three lattices), hybridRegularized and both cumulants with
    // speeds up to 0.15 no wave grows by more than it does far from openings (but for cumulants along an opening that they pass faster
    // than through it: by 2 % a step, 8 % before).
    template<class T>
    LBM_HD static T share(T outflow, T tau)
    {
        const T wanted = 6 * outflow - 4 * (tau - T(0.5));
        return wanted < 0 ? T(0) : wanted > 1 ? T(1) : wanted;
    }

    // Beyond equilibrium, that the population opposite to the link's has, less what it has by the two velocities.
    template<class L, class T>
    LBM_HD static T stressBeyond(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link, const T (&imposed)[3])
    {
        const int q = opposite(link.direction);
        T d[3];
        for (int a = 0; a < 3; ++a) d[a] = node.u[a] - imposed[a];
        const T both = 3 * node.linkDot(q, link.outward) * node.linkDot(q, d) - NonReflecting::through(link, d);
        return node.after(q) - node.equilibrium(q, node.r, node.u) + T(weightOf<L>(q)) * node.inertia(node.r) * both;
    }
};

} // namespace lbm
