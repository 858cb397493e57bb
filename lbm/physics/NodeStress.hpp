// NodeStress: Pi:Pi/inertia^2 of what arrives at a node, Pi the part of the momentum flux beyond equilibrium, without its trace.
// Momentum lacks half of the force, and with it equilibrium what Guo's source brings of second order, but for F F/4 inertia.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentEquilibrium.hpp"

namespace lbm {

// m: second moments less j j/inertia, whatever their trace: of the diagonal no more than differences count.
template<class Eq, class L, class R, class F>
LBM_HD LBM_INLINE R stressSquare(MomentSet<L, R> m, const F (&force)[3], bool forced)
{
    using M = MomentSet<L, R>;
    const R inverse = __is_same(Eq, Incompressible) ? R(1) : R(R(1) / Eq::inertia(m.value[0]));
    if (forced)
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            const R share = constant<R>(0.25) * R(force[a]) * inverse;
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                m.value[M::pi(a, a + i)] += share * R(force[a + i]);
            });
        });
    R apart(0), mixed(0);
    bool first = true;
    unroll<L::D - 1>([&](auto a) __attribute__((always_inline)) {
        unroll<L::D - 1 - a>([&](auto i) __attribute__((always_inline)) {
            constexpr int b = a + 1 + i;
            const R difference = m.value[M::pi(a, a)] - m.value[M::pi(b, b)], product = m.value[M::pi(a, b)];
            apart = first ? R(difference * difference) : R(apart + difference * difference);
            mixed = first ? R(product * product) : R(mixed + product * product);
            first = false;
        });
    });
    const R square = constant<R>(1.0 / L::D) * apart + R(2) * mixed;
    return __is_same(Eq, Incompressible) ? square : R(square * (inverse * inverse));
}

// r, j, g: as Trt::addPairs makes them. Their second moments, but for the trace: links that move along most axes count less for
// the others instead, and those that move along all not at all.
template<class L, class R>
LBM_HD LBM_INLINE MomentSet<L, R> momentsOfPairs(const R& r, const R (&j)[3], const R (&g)[L::Q])
{
    using M = MomentSet<L, R>;
    M m;
    m.value[0] = r;
    bool first[M::count];
    for (bool& f : first) f = true;
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[1 + a] = j[a]; });
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1,
                      axes = L::c[q][0] * L::c[q][0] + L::c[q][1] * L::c[q][1] + L::c[q][2] * L::c[q][2];
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            constexpr int ca = L::c[q][a], own = axes == 1 ? ca * ca : ca * ca - 1;
            accumulate<own>(m.value[M::pi(a, a)], first[M::pi(a, a)], g[q]);
            unroll<L::D - 1 - a>([&](auto i) __attribute__((always_inline)) {
                constexpr int b = a + 1 + i;
                accumulate<ca * L::c[q][b]>(m.value[M::pi(a, b)], first[M::pi(a, b)], g[q]);
            });
        });
    });
    return m;
}

} // namespace lbm
