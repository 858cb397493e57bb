// Uniform body force after Guo, Zheng & Shi 2002: S_q = w_q [3 (c-u).F + 9 (c.u)(c.F)], given by pairs
// of opposite links as an even and an odd part, which collisions weigh with (1 - omega/2) each.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Equilibrium.hpp"

namespace lbm {

template<class L, class R, class Visit>
LBM_HD LBM_INLINE void forcePairs(const R (&u)[3], const R (&F)[3], Visit&& visit)
{
    R uF = u[0] * F[0];
    unroll<L::D - 1>([&](auto a) __attribute__((always_inline)) { uF += u[a + 1] * F[a + 1]; });
    visit(Constant<0>{}, R(constant<R>(-3 * linkWeight<L, 0>) * uF), R(0));
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1;
        const R cF = dot<L, q>(F);
        visit(Constant<q>{}, R(constant<R>(3 * linkWeight<L, q>) * (R(3) * dot<L, q>(u) * cF - uF)),
              R(constant<R>(3 * linkWeight<L, q>) * cF));
    });
}

} // namespace lbm
