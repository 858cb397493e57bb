// TRT: the even part of each pair of links relaxes with omega, the odd part with the rate that keeps
// the magic parameter, so that a half-way wall stays where it is for every viscosity.
// Ginzburg, Verhaeghe & d'Humieres 2008.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Force.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

struct Trt {
    static constexpr const char* name = "trt";
    template<class L>
    static constexpr bool supports = true;

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        R r, j[3];
        addPairs<L>(g, r, j);
        relaxPairs<L, Eq>(g, r, j, p);
    }

    // Sums and differences of opposite links take the populations' place: nothing else is kept meanwhile.
    template<class L, class R>
    LBM_HD static LBM_INLINE void addPairs(R (&g)[L::Q], R& r, R (&j)[3])
    {
        r = g[0];
        for (R& component : j) component = R(0);
        unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
            constexpr int q = 2 * pair + 1;
            const R sum = g[q] + g[q + 1];
            g[q + 1] = g[q] - g[q + 1];
            g[q] = sum;
            r += sum;
            unroll<L::D>([&](auto a) __attribute__((always_inline)) {
                if constexpr (L::c[q][a] == 1) j[a] += g[q + 1];
                if constexpr (L::c[q][a] == -1) j[a] -= g[q + 1];
            });
        });
    }

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void relaxPairs(R (&g)[L::Q], const R& r, const R (&j)[3], const Parameters<S, W>& p)
    {
        const R F[3] = {R(p.force[0]), R(p.force[1]), R(p.force[2])};
        const R half[3] = {R(S(0.5) * p.force[0]), R(S(0.5) * p.force[1]), R(S(0.5) * p.force[2])};
        R u[3];
        velocityFromMomentum<Eq>(r, j, half, u);
        const R omega = R(p.omega), omegaOdd = R(p.omegaOdd);
        const R keepEven = R(constant<W>(0.5) - constant<W>(0.5) * p.omega),
                keepOdd = R(constant<W>(0.5) - constant<W>(0.5) * p.omegaOdd);
        equilibriumPairs<L, Eq>(
            r, u, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                if constexpr (q == 0) {
                    g[0] += omega * (even - g[0]);
                } else {
                    const R plus = keepEven * g[q] + omega * even;
                    const R minus = keepOdd * g[q + 1] + omegaOdd * odd;
                    g[q] = plus + minus;
                    g[q + 1] = plus - minus;
                }
            });
        if (p.forced) {
            const R weightEven = R(W(1) - constant<W>(0.5) * p.omega),
                    weightOdd = R(W(1) - constant<W>(0.5) * p.omegaOdd);
            forcePairs<L>(
                u, F, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                    g[q] += weightEven * even + weightOdd * odd;
                    if constexpr (q != 0) g[q + 1] += weightEven * even - weightOdd * odd;
                });
        }
    }
};

} // namespace lbm
