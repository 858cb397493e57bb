// Regularized collision: what is left of the non-equilibrium after projection onto its second moment relaxes with
// omega, everything else is dropped (Latt & Chopard 2006; equations (12)-(18) of Gounley et al. 2022):
//   pi* = inertia u u + (1 - omega) (pi - inertia u u) + (1 - omega/2) (u F + F u),  j* = j + F
// but for its trace, which is sound and no shear: it becomes that of j* j*/inertia (bulk viscosity cs^2/D). Relaxing with
// omega, while the fourth moments are dropped, it makes pressure that alternates from node to node along a moving wall
// grow: 1.8 % a step at tau 0.517 and Mach 0.1. Nor need it be stored, then.
// The result is a function of few moments, so that a storage may keep those instead of populations (storage/moments).
// What such a collision offers besides apply: `relax`, moments to moments, which leaves them the trace of j* j*/inertia;
// `relaxDeviation`, the same less j* j*/inertia; and `populations`, which moments stand for.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentEquilibrium.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

// What relaxation multiplies by, ready for use: a GPU has no registers to spare for products of parameters.
template<class S>
struct MomentRates {
    S keep, force[3], pull[3];
    bool forced;

    LBM_HD explicit MomentRates(const Parameters<S>& p) : keep(S(1) - p.omega), forced(p.forced)
    {
        for (int a = 0; a < 3; ++a) {
            force[a] = p.force[a];
            pull[a] = S(0.25)*p.omega*p.force[a];
        }
    }
};

// As relax, but of second moments only what is beyond j* j*/inertia is left, which is
//   (1 - omega) (pi - j j/inertia) - omega/4 F F/inertia
template<class Eq, class L, class R, class S>
LBM_HD LBM_INLINE void relaxDeviation(MomentSet<L, R>& m, const MomentRates<S>& p)
{
    using M = MomentSet<L, R>;
    addEquilibrium<Eq>(m, R(-1));
    unroll<M::tensor>([&](auto k) __attribute__((always_inline)) { m.value[1 + L::D + k] *= R(p.keep); });
    if (p.forced) {
        const R inertia = Eq::inertia(m.value[0]);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            m.value[1 + a] += R(p.force[a]);
            const R share = __is_same(Eq, Incompressible) ? R(p.pull[a]) : R(R(p.pull[a])/inertia);
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) { m.value[M::pi(a, a + i)] -= share*R(p.force[a + i]); });
        });
    }
    const R surplus = constant<R>(1.0/L::D)*traceOf(m);
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[M::pi(a, a)] -= surplus; });
}

template<class Eq, class L, class R, class S>
LBM_HD LBM_INLINE void relaxMoments(MomentSet<L, R>& m, const MomentRates<S>& p)
{
    relaxDeviation<Eq>(m, p);
    addEquilibrium<Eq>(m, R(1));
}

struct Regularized {
    static constexpr const char* name = "regularized";
    template<class L> static constexpr bool supports = true;

    template<class Eq, class L, class R, class S>
    LBM_HD static LBM_INLINE void relax(MomentSet<L, R>& m, const MomentRates<S>& p) { relaxMoments<Eq>(m, p); }

    template<class Eq, class L, class R, class S>
    LBM_HD static LBM_INLINE void relaxDeviation(MomentSet<L, R>& m, const MomentRates<S>& p) { lbm::relaxDeviation<Eq>(m, p); }

    template<class Eq, class L, class R, class Visit>
    LBM_HD static LBM_INLINE void populations(const MomentSet<L, R>& m, Visit&& visit) { momentPairs(m, visit); }

    template<class L, class Eq, class R, class S>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S>& p)
    {
        auto m = momentsOf<L>(g);
        relax<Eq>(m, MomentRates<S>(p));
        populations<Eq>(m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
            g[q] = even + odd;
            if constexpr (q != 0) g[q + 1] = even - odd;
        });
    }
};

} // namespace lbm
