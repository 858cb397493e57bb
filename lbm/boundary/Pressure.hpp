// Pressure opening: behind it the flow goes on as at the donor, across the opening from the ghost, but for the density,
// which is such that the imposed one lies where the opening is, and the velocity: for PressureVelocity likewise, for
// Pressure what it is told to gain up to the opening (nothing: it stays). Without that a flow that does gain some passes only
// with the density at the donor off by three times as much, which is first order, times the inverse Mach number. Keeping
// the donor's population whole keeps developed flow as it is, to rounding; a ghost made from the node's own
// moments gives diagonal links the wrong tangential velocity and does not converge.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/NonReflecting.hpp"

namespace lbm {

struct Pressure {
    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link, T& mean)
    {
        const int q = link.direction;
        T imposed = link.r;
        if (link.recovery > 0) {
            const T wave = NonReflecting::deviation(NonReflecting::through(link, donor.u), link.recovery, mean);
            imposed += wave / NonReflecting::velocityOfDensity(donor, mean);
        }
        const T density = donor.r + link.reach * (imposed - donor.r);
        T ghost[3];
        for (int a = 0; a < 3; ++a) ghost[a] = donor.u[a] + link.reach * link.velocity[a];
        return donor.after(q) + donor.equilibrium(q, density, ghost) - donor.equilibrium(q, donor.r, donor.u);
    }
};

struct PressureVelocity {
    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link)
    {
        const int q = link.direction;
        T ghost[3];
        for (int a = 0; a < 3; ++a) ghost[a] = donor.u[a] + link.reach * (link.velocity[a] - donor.u[a]);
        const T density = donor.r + link.reach * (link.r - donor.r);
        return donor.after(q) + donor.equilibrium(q, density, ghost) - donor.equilibrium(q, donor.r, donor.u);
    }
};

} // namespace lbm
