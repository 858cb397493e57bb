// Pressure opening: behind it the flow goes on as at the donor, one link further in, but for the density,
// which is such that the imposed one lies half-way, and for PressureVelocity the velocity likewise. Keeping
// the donor's population whole keeps developed flow as it is, to rounding; a ghost made from the node's own
// moments gives diagonal links the wrong tangential velocity and does not converge.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Pressure {
    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>&, const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link)
    {
        const int q = link.direction;
        return donor.after(q) + donor.equilibrium(q, 2*link.r - donor.r, donor.u) - donor.equilibrium(q, donor.r, donor.u);
    }
};

struct PressureVelocity {
    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>&, const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link)
    {
        const int q = link.direction;
        T ghost[3];
        for (int a = 0; a < 3; ++a) ghost[a] = 2*link.velocity[a] - donor.u[a];
        return donor.after(q) + donor.equilibrium(q, 2*link.r - donor.r, ghost) - donor.equilibrium(q, donor.r, donor.u);
    }
};

} // namespace lbm
