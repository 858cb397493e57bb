// BGK: one relaxation time for everything. Bhatnagar, Gross & Krook 1954.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Force.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

struct Bgk {
    static constexpr const char* name = "bgk";
    template<class L>
    static constexpr bool supports = true;

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        const R F[3] = {R(p.force[0]), R(p.force[1]), R(p.force[2])};
        const R half[3] = {R(S(0.5) * p.force[0]), R(S(0.5) * p.force[1]), R(S(0.5) * p.force[2])};
        R r, j[3], u[3];
        densityAndMomentum<L>(g, r, j);
        velocityFromMomentum<Eq>(r, j, half, u);

        const R omega = R(p.omega), keep = R(W(1) - p.omega);
        equilibriumPairs<L, Eq>(
            r, u, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                g[q] = keep * g[q] + omega * (even + odd);
                if constexpr (q != 0) g[q + 1] = keep * g[q + 1] + omega * (even - odd);
            });
        if (p.forced) {
            const R weight = R(W(1) - constant<W>(0.5) * p.omega);
            forcePairs<L>(
                u, F, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                    g[q] += weight * (even + odd);
                    if constexpr (q != 0) g[q + 1] += weight * (even - odd);
                });
        }
    }
};

} // namespace lbm
