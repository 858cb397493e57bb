// Regularized collision: what is left of the non-equilibrium after projection onto its second moment relaxes with
// omega, everything else is dropped (Latt & Chopard 2006; equations (12)-(18) of Gounley et al. 2022):
//   pi* = inertia u u + (1 - omega) (pi - inertia u u) + (1 - omega/2) (u F + F u),  j* = j + F
// but for its trace, which is sound and no shear: it becomes that of j* j*/inertia (bulk viscosity cs^2/D). Relaxing with
// omega, while the fourth moments are dropped, it makes pressure that alternates from node to node along a moving wall
// grow: 1.8 % a step at tau 0.517 and Mach 0.1. Nor need it be stored, then.
// The result is a function of few moments, so that a storage may keep those instead of populations (storage/moments).
// What such a collision offers besides apply: `relax`, moments to moments, which leaves them the trace of j* j*/inertia;
// `relaxDeviation`, the same less j* j*/inertia, and `relaxBeyond`, less that before, too; and `populations`, which moments
// stand for.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/RelaxMoments.hpp"

namespace lbm {

struct Regularized : MomentRelaxation {
    static constexpr const char* name = "regularized";
    template<class L>
    static constexpr bool supports = true;

    template<class Eq, class L, class R, class Visit>
    LBM_HD static LBM_INLINE void populations(const MomentSet<L, R>& m, Visit&& visit)
    {
        momentPairs(m, visit);
    }

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        relaxPopulations<Regularized, L, Eq>(g, MomentRates<S, W>(p.omega, p.force, p.forced));
    }
};

} // namespace lbm
