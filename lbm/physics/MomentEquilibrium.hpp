// Second moments of equilibrium, j_a j_b/inertia, and their trace, which those of moments have after collision (Regularized).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/MomentSet.hpp"

namespace lbm {

template<class L, class R>
LBM_HD LBM_INLINE R traceOf(const MomentSet<L, R>& m)
{
    R trace = m.value[MomentSet<L, R>::pi(0, 0)];
    unroll<L::D - 1>([&](auto a)
                         __attribute__((always_inline)) { trace += m.value[MomentSet<L, R>::pi(a + 1, a + 1)]; });
    return trace;
}

// What the trace is after collision.
template<class Eq, class L, class R>
LBM_HD LBM_INLINE R equilibriumTrace(const MomentSet<L, R>& m)
{
    R square = m.value[1] * m.value[1];
    unroll<L::D - 1>([&](auto a) __attribute__((always_inline)) { square += m.value[2 + a] * m.value[2 + a]; });
    if constexpr (__is_same(Eq, Incompressible)) return square;
    else return square / Eq::inertia(m.value[0]);
}

// The last moment after collision, of which the others are known, if it is such.
template<class Eq, class L, class R>
LBM_HD LBM_INLINE void completeTrace([[maybe_unused]] MomentSet<L, R>& m)
{
    if constexpr (keepsThird<L>) return;
    constexpr int last = MomentSet<L, R>::pi(L::D - 1, L::D - 1);
    m.value[last] = R(0);
    m.value[last] = equilibriumTrace<Eq>(m) - traceOf(m);
}

// pi_ab += sign j_a j_b/inertia
template<class Eq, class L, class R>
LBM_HD LBM_INLINE void addEquilibrium(MomentSet<L, R>& m, const R& sign)
{
    using M = MomentSet<L, R>;
    const R factor = __is_same(Eq, Incompressible) ? sign : R(sign / Eq::inertia(m.value[0]));
    unroll<L::D>([&](auto a) __attribute__((always_inline)) {
        const R j = factor * m.value[1 + a];
        unroll<L::D - a>([&](auto i)
                             __attribute__((always_inline)) { m.value[M::pi(a, a + i)] += j * m.value[1 + a + i]; });
    });
}

} // namespace lbm
