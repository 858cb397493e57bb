// Cumulants, all rates one but that of the shear stress (Geier, Schonherr, Pasquali & Krafczyk 2015, their AllOne): what is left
// of the second cumulants relaxes with omega, their trace and all higher ones vanish. On D3Q27 and, of the same products of lines,
// D2Q9; on lattices with fewer links moments that cumulants are made of depend on each other.
//
// The diagonal of the stress is freed of what such lattices lack of c_a^3, for which c_a stands:
//   n_aa* = (1 - omega) n_aa - 3 (1 - omega/2) inertia u_a^2 d_a u_a,   d_a u_a = -3/2 omega n_aa/inertia,
// n without its trace before and after: what the term adds to it is a pressure, by which the moments would be no function of ten.
// Quasi-compressible, that has no effect on shear; incompressible, a shear wave across a stream of 0.1 at 45 degrees to it decays by
// 1 % faster at tau 0.51 (recursiveRegularized: 1 % slower, cumulant, which keeps the trace: 0.05 %).
// As collisions by moments (see Regularized.hpp) it is a function of ten of them, so that a storage may keep those.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/CumulantMoments.hpp"
#include "lbm/physics/RelaxMoments.hpp"

namespace lbm {

struct CumulantOnes {
    static constexpr const char* name = "cumulantOnes";
    template<class L>
    static constexpr bool supports = isProductOfLines<L>;

    template<class Eq, class L, class R, class S, class W>
    LBM_HD static LBM_INLINE void relaxBeyond(MomentSet<L, R>& m, const MomentRates<S, W>& p)
    {
        using M = MomentSet<L, R>;
        const R inverse = __is_same(Eq, Incompressible) ? R(1) : R(R(1) / Eq::inertia(m.value[0]));
        // 9/2 omega (1 - omega/2) of u_a^2 n_aa
        const R factor = R(constant<W>(2.25) * (W(1) - p.keep * p.keep));
        R u[L::D], term[L::D], mean(0);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            u[a] = m.value[1 + a];
            term[a] = m.value[M::pi(a, a)];
            if (p.forced) {
                const R half = R(constant<W>(0.5) * p.force[a]);
                u[a] += half;
                term[a] += inverse * (half * half);
            }
            mean += constant<R>(1.0 / L::D) * term[a];
        });
        R surplus(0);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            if constexpr (!__is_same(Eq, Incompressible)) u[a] *= inverse;
            term[a] = factor * (u[a] * u[a]) * (term[a] - mean);
            surplus += constant<R>(1.0 / L::D) * term[a];
        });
        MomentRelaxation::relaxBeyond<Eq>(m, p);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[M::pi(a, a)] += term[a] - surplus; });
    }

    template<class Eq, class L, class R, class S, class W>
    LBM_HD static LBM_INLINE void relaxDeviation(MomentSet<L, R>& m, const MomentRates<S, W>& p)
    {
        addEquilibrium<Eq>(m, R(-1));
        relaxBeyond<Eq>(m, p);
    }

    template<class Eq, class L, class R, class S, class W>
    LBM_HD static LBM_INLINE void relax(MomentSet<L, R>& m, const MomentRates<S, W>& p)
    {
        relaxDeviation<Eq>(m, p);
        addEquilibrium<Eq>(m, R(1));
    }

    template<class Eq, class L, class R, class Visit>
    LBM_HD static LBM_INLINE void populations(const MomentSet<L, R>& m, Visit&& visit)
    {
        using M = MomentSet<L, R>;
        const R inverse = __is_same(Eq, Incompressible) ? R(1) : R(R(1) / Eq::inertia(m.value[0]));
        R u[3], central[L::Q];
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            u[a] = __is_same(Eq, Incompressible) ? m.value[1 + a] : R(inverse * m.value[1 + a]);
        });
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                constexpr int b = a + i, place = powerStride(a) + powerStride(b);
                const R pi = m.value[M::pi(a, b)];
                central[place] = (__is_same(Eq, Incompressible) ? pi : R(inverse * pi)) - u[a] * u[b];
            });
        });
        completeCentralMoments<false>(central);
        shiftMoments<L>(central, u);
        pairsOfMoments<L, Eq>(m.value[0], central, visit);
    }

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        relaxPopulations<CumulantOnes, L, Eq>(g, MomentRates<S, W>(p.omega, p.force, p.forced));
    }
};

} // namespace lbm
