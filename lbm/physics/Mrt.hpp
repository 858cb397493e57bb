// MRT with the orthogonal moments of Lallemand & Luo 2000 (D2Q9) and d'Humieres et al. 2002 (D3Q19),
// relaxed towards M feq. The shear moments relax with omega, the odd ones (q, m) with the rate of the
// magic parameter, energy and its square with the papers' rates, the even ghosts (pi) with 1.4.
//
// The matrix is never stored: each row is a polynomial of the link vector, evaluated at compile time.
// Even rows see only sums of opposite links and odd rows only differences, which halves the work.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Force.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

enum class MomentGroup { conserved, energy, energySquared, shear, ghost, odd };

template<class L> struct OrthogonalMoments;

template<> struct OrthogonalMoments<D2Q9> {
    static constexpr MomentGroup group[9] = {
        MomentGroup::conserved, MomentGroup::energy, MomentGroup::energySquared,
        MomentGroup::conserved, MomentGroup::odd, MomentGroup::conserved, MomentGroup::odd,
        MomentGroup::shear, MomentGroup::shear};
    static constexpr double energyRate = 1.64, energySquaredRate = 1.54;

    static constexpr double row(int m, int q)
    {
        const double x = D2Q9::c[q][0], y = D2Q9::c[q][1], s = x*x + y*y;
        switch (m) {
            case 0: return 1;
            case 1: return 3*s - 4;
            case 2: return 4 - 10.5*s + 4.5*s*s;
            case 3: return x;
            case 4: return (3*s - 5)*x;
            case 5: return y;
            case 6: return (3*s - 5)*y;
            case 7: return x*x - y*y;
            default: return x*y;
        }
    }
};

template<> struct OrthogonalMoments<D3Q19> {
    static constexpr MomentGroup group[19] = {
        MomentGroup::conserved, MomentGroup::energy, MomentGroup::energySquared,
        MomentGroup::conserved, MomentGroup::odd, MomentGroup::conserved, MomentGroup::odd,
        MomentGroup::conserved, MomentGroup::odd,
        MomentGroup::shear, MomentGroup::ghost, MomentGroup::shear, MomentGroup::ghost,
        MomentGroup::shear, MomentGroup::shear, MomentGroup::shear,
        MomentGroup::odd, MomentGroup::odd, MomentGroup::odd};
    static constexpr double energyRate = 1.19, energySquaredRate = 1.4;

    static constexpr double row(int m, int q)
    {
        const double x = D3Q19::c[q][0], y = D3Q19::c[q][1], z = D3Q19::c[q][2];
        const double s = x*x + y*y + z*z;
        switch (m) {
            case 0: return 1;
            case 1: return 19*s - 30;
            case 2: return (21*s*s - 53*s + 24)/2;
            case 3: return x;
            case 4: return (5*s - 9)*x;
            case 5: return y;
            case 6: return (5*s - 9)*y;
            case 7: return z;
            case 8: return (5*s - 9)*z;
            case 9: return 3*x*x - s;
            case 10: return (3*s - 5)*(3*x*x - s);
            case 11: return y*y - z*z;
            case 12: return (3*s - 5)*(y*y - z*z);
            case 13: return x*y;
            case 14: return y*z;
            case 15: return x*z;
            case 16: return (y*y - z*z)*x;
            case 17: return (z*z - x*x)*y;
            default: return (x*x - y*y)*z;
        }
    }
};

struct Mrt {
    static constexpr const char* name = "mrt";
    template<class L> static constexpr bool supports = requires { OrthogonalMoments<L>::energyRate; };

    static constexpr double ghostRate = 1.4;

    template<class L, int m>
    static constexpr double squaredNorm()
    {
        double sum = 0;
        for (int q = 0; q < L::Q; ++q) sum += OrthogonalMoments<L>::row(m, q)*OrthogonalMoments<L>::row(m, q);
        return sum;
    }

    template<class L, int m, class R, class S>
    LBM_HD static LBM_INLINE R rate(const Parameters<S>& p)
    {
        using M = OrthogonalMoments<L>;
        constexpr MomentGroup g = M::group[m];
        constexpr double scale = 1/squaredNorm<L, m>();
        if constexpr (g == MomentGroup::energy) return constant<R>(M::energyRate*scale);
        else if constexpr (g == MomentGroup::energySquared) return constant<R>(M::energySquaredRate*scale);
        else if constexpr (g == MomentGroup::ghost) return constant<R>(ghostRate*scale);
        else if constexpr (g == MomentGroup::shear) return R(p.omega*S(scale));
        else return R(p.omegaOdd*S(scale));
    }

    // sum += factor*value without a multiplication where the factor is one.
    template<int numerator, class R>
    LBM_HD static LBM_INLINE void accumulate(R& sum, R value)
    {
        if constexpr (numerator == 1) sum += value;
        else if constexpr (numerator == -1) sum -= value;
        else if constexpr (numerator != 0) sum += constant<R>(numerator)*value;
    }

    // Half of the force enters the moment before relaxation (Guo's source, relaxed like its moment).
    template<class L, class Eq, class R, class S>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S>& p)
    {
        using M = OrthogonalMoments<L>;
        constexpr int pairs = L::Q/2;
        const R F[3] = {R(p.force[0]), R(p.force[1]), R(p.force[2])};
        const R half[3] = {R(S(0.5)*p.force[0]), R(S(0.5)*p.force[1]), R(S(0.5)*p.force[2])};
        R r, j[3], u[3];
        densityAndMomentum<L>(g, r, j);
        velocityFromMomentum<Eq>(r, j, half, u);

        // Deviation from equilibrium, by pairs; index 0 is the rest population.
        R even[pairs + 1], odd[pairs + 1];
        equilibriumPairs<L, Eq>(r, u, [&](auto q, R e, R o) __attribute__((always_inline)) {
            constexpr int k = (q + 1)/2;
            if constexpr (q == 0) {
                even[0] = g[0] - e;
            } else {
                even[k] = g[q] + g[q + 1] - R(2)*e;
                odd[k] = g[q] - g[q + 1] - R(2)*o;
            }
        });
        if (p.forced) {
            // m += S - rate/2 S  equals relaxing (m + S/2) and adding S.
            forcePairs<L>(u, F, [&](auto q, R e, R o) __attribute__((always_inline)) {
                constexpr int k = (q + 1)/2;
                if constexpr (q == 0) {
                    even[0] += constant<R>(0.5)*e;
                    g[0] += e;
                } else {
                    even[k] += e;
                    odd[k] += o;
                    g[q] += e + o;
                    g[q + 1] += e - o;
                }
            });
        }

        R relaxedEven[pairs + 1], relaxedOdd[pairs + 1];
        for (int k = 0; k <= pairs; ++k) relaxedEven[k] = relaxedOdd[k] = R(0);
        unroll<L::Q>([&](auto m) __attribute__((always_inline)) {
            if constexpr (M::group[m] != MomentGroup::conserved) {
                constexpr bool isOdd = M::group[m] == MomentGroup::odd;
                R moment(0);
                unroll<pairs + 1>([&](auto k) __attribute__((always_inline)) {
                    constexpr int q = k == 0 ? 0 : 2*k - 1;
                    constexpr int factor = int(M::row(m, q));
                    if constexpr (isOdd) {
                        if constexpr (k != 0) accumulate<factor>(moment, odd[k]);
                    } else {
                        accumulate<factor>(moment, even[k]);
                    }
                });
                moment *= rate<L, m, R>(p);
                unroll<pairs + 1>([&](auto k) __attribute__((always_inline)) {
                    constexpr int q = k == 0 ? 0 : 2*k - 1;
                    constexpr int factor = int(M::row(m, q));
                    if constexpr (isOdd) accumulate<factor>(relaxedOdd[k], moment);
                    else accumulate<factor>(relaxedEven[k], moment);
                });
            }
        });
        g[0] -= relaxedEven[0];
        unroll<pairs>([&](auto i) __attribute__((always_inline)) {
            constexpr int k = i + 1, q = 2*k - 1;
            g[q] -= relaxedEven[k] + relaxedOdd[k];
            g[q + 1] -= relaxedEven[k] - relaxedOdd[k];
        });
    }
};

} // namespace lbm
