// Recursive regularization: as Regularized, and the third Hermite moments follow from the lower ones (Malaspinas 2015):
//   a_abc = inertia u_a u_b u_c + u_a n_bc + u_b n_ac + u_c n_ab,  n = pi* - inertia u u
// with u = j*/inertia and pi* after collision, so that they need no memory. With a force F that is the exact-difference
// view of it: about the momentum after the step, n holds (1 - omega) of what it was about the momentum before.
// Moments of products that the lattice tells apart take part: on D3Q19 they come in sums and differences of
// c_a^2 c_b and c_d^2 c_b, each with its own norm (Jacob, Malaspinas & Sagaut 2018); c_x c_y c_z on D3Q27 alone.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/RelaxMoments.hpp"

namespace lbm {

struct RecursiveRegularized : MomentRelaxation {
    static constexpr const char* name = "recursiveRegularized";
    template<class L>
    static constexpr bool supports = !__is_same(L, D3Q15);

    template<class Eq, class L, class R, class Visit>
    LBM_HD static LBM_INLINE void populations(const MomentSet<L, R>& m, Visit&& visit)
    {
        using M = MomentSet<L, R>;
        const R inertia = Eq::inertia(m.value[0]);
        R u[L::D];
        const R inverse = __is_same(Eq, Incompressible) ? R(1) : R(1) / inertia;
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            u[a] = __is_same(Eq, Incompressible) ? m.value[1 + a] : R(m.value[1 + a] * inverse);
        });
        // a_aab, by [a][b]; in the place of a = b nothing.
        R third[L::D][L::D], mixed(0);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            unroll<L::D>([&](auto b) __attribute__((always_inline)) {
                if constexpr (int(a) != int(b))
                    third[a][b] =
                        R(2) * u[a] * (m.value[M::pi(a, b)] - inertia * u[a] * u[b]) + u[b] * m.value[M::pi(a, a)];
            });
        });
        if constexpr (L::Q == 27)
            mixed = u[0] * m.value[M::pi(1, 2)] + u[1] * m.value[M::pi(0, 2)]
                + u[2] * (m.value[M::pi(0, 1)] - R(2) * inertia * u[0] * u[1]);
        momentPairs(
            m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                unroll<L::D>([&](auto a) __attribute__((always_inline)) {
                    unroll<L::D>([&](auto b) __attribute__((always_inline)) {
                        constexpr double share = int(a) == int(b) ? 0 : L::w[q] * shareOf<L>(q, a, b);
                        if constexpr (share != 0) odd += constant<R>(share) * third[a][b];
                    });
                });
                if constexpr (L::Q == 27) {
                    constexpr double share = 27 * L::w[q] * L::c[q][0] * L::c[q][1] * L::c[q][2];
                    if constexpr (share != 0) odd += constant<R>(share) * mixed;
                }
                visit(q, even, odd);
            });
    }

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        relaxPopulations<RecursiveRegularized, L, Eq>(g, MomentRates<S, W>(p.omega, p.force, p.forced));
    }

private:
    // What a_aab adds to a population, without its weight: polynomials over their norms (sum of w times their square).
    template<class L>
    static constexpr double shareOf(int q, int a, int b)
    {
        const double ca = L::c[q][a] * L::c[q][a], cb = L::c[q][b];
        if (L::Q != 19) return 13.5 * (ca - 1.0 / 3) * cb;
        const int d = 3 - a - b;
        const double cd = L::c[q][d] * L::c[q][d];
        return 13.5 * (ca + cd - 2.0 / 3) * cb + 4.5 * (ca - cd) * cb;
    }
};

} // namespace lbm
