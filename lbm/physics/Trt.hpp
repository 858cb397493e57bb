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
    template<class L> static constexpr bool supports = true;

    template<class L, class Eq, class R, class S>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S>& p)
    {
        const R F[3] = {R(p.force[0]), R(p.force[1]), R(p.force[2])};
        const R half[3] = {R(S(0.5)*p.force[0]), R(S(0.5)*p.force[1]), R(S(0.5)*p.force[2])};
        R r, j[3], u[3];
        densityAndMomentum<L>(g, r, j);
        velocityFromMomentum<Eq>(r, j, half, u);

        const R omega = R(p.omega);
        const R halfEven = R(S(0.5)*p.omega), halfOdd = R(S(0.5)*p.omegaOdd);
        const R omegaOdd = R(p.omegaOdd);
        equilibriumPairs<L, Eq>(r, u, [&](auto q, R even, R odd) __attribute__((always_inline)) {
            if constexpr (q == 0) {
                g[0] += omega*(even - g[0]);
            } else {
                const R plus = omega*even - halfEven*(g[q] + g[q + 1]);
                const R minus = omegaOdd*odd - halfOdd*(g[q] - g[q + 1]);
                g[q] += plus + minus;
                g[q + 1] += plus - minus;
            }
        });
        if (p.forced) {
            const R weightEven = R(S(1) - S(0.5)*p.omega), weightOdd = R(S(1) - S(0.5)*p.omegaOdd);
            forcePairs<L>(u, F, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                g[q] += weightEven*even + weightOdd*odd;
                if constexpr (q != 0) g[q + 1] += weightEven*even - weightOdd*odd;
            });
        }
    }
};

} // namespace lbm
