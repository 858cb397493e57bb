// Relaxation of moments as regularized collisions share it: second moments by omega, their trace to that of
// j* j*/inertia (see Regularized.hpp). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentEquilibrium.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

// What relaxation multiplies by, ready for use: a GPU has no registers to spare for products of parameters.
template<class S, class W = S>
struct MomentRates {
    W keep;
    W force[3];
    W pull[3];
    bool forced;
    ClosureData<S> closure;

    LBM_HD explicit MomentRates(const Parameters<S>& p) : MomentRates(p.omega, p.force, p.forced)
    {
        closure = p.closure;
    }

    LBM_HD MomentRates(const W& omega, const W (&f)[3], bool isForced) : keep(W(1) - omega), forced(isForced)
    {
        for (int a = 0; a < 3; ++a) {
            force[a] = f[a];
            pull[a] = constant<W>(0.25) * omega * f[a];
        }
    }
};

// As relax, but of second moments only what is beyond j* j*/inertia is left, which is
//   (1 - omega) (pi - j j/inertia) - omega/4 F F/inertia
template<class Eq, class L, class R, class S, class W>
LBM_HD LBM_INLINE void relaxDeviation(MomentSet<L, R>& m, const MomentRates<S, W>& p)
{
    using M = MomentSet<L, R>;
    addEquilibrium<Eq>(m, R(-1));
    unroll<M::tensor>([&](auto k) __attribute__((always_inline)) { m.value[1 + L::D + k] *= R(p.keep); });
    if (p.forced) {
        const R inertia = Eq::inertia(m.value[0]);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            m.value[1 + a] += R(p.force[a]);
            const R share = __is_same(Eq, Incompressible) ? R(p.pull[a]) : R(R(p.pull[a]) / inertia);
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                m.value[M::pi(a, a + i)] -= share * R(p.force[a + i]);
            });
        });
    }
    const R surplus = constant<R>(1.0 / L::D) * traceOf(m);
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[M::pi(a, a)] -= surplus; });
}

template<class Eq, class L, class R, class S, class W>
LBM_HD LBM_INLINE void relaxMoments(MomentSet<L, R>& m, const MomentRates<S, W>& p)
{
    relaxDeviation<Eq>(m, p);
    addEquilibrium<Eq>(m, R(1));
}

} // namespace lbm
