// Outflow: zero gradient of velocity and stress: what comes in is what the donor sent the same way before, but
// for the density, which goes on falling or rising as it does between the donor and the place beyond it. Were it
// held, too, it would act as a force against the stream, and mass would gather without end.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Outflow {
    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link)
    {
        const int q = link.direction;
        if (link.donor < 0 || link.sharesBeyond == 0) return donor.after(q);
        MixedState<L, T> beyond;
        mix(donor.table(), donor.table().shares + link.donor + link.shares, link.sharesBeyond, beyond);
        const T density = 2 * donor.r - BoundaryNode<L, T>(donor.table(), beyond).r;
        return donor.after(q) + donor.equilibrium(q, density, donor.u) - donor.equilibrium(q, donor.r, donor.u);
    }
};

} // namespace lbm
