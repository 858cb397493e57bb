// MRT with the orthogonal moments of Lallemand & Luo 2000 (D2Q9) and d'Humieres et al. 2002 (D3Q19),
// relaxed towards M feq. The shear moments relax with omega, the odd ones (q, m) with the rate of the
// magic parameter, energy and its square with the papers' rates, the even ghosts (pi) with 1.4.
//
// The matrix is never stored: each row is a polynomial of the link vector, projected at compile time on the sums of
// MirrorSums, where it falls into small blocks, and on the equilibrium, whose moments come from rho and u directly.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Equilibrium.hpp"
#include "lbm/physics/OrthogonalMoments.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

struct Mrt {
    static constexpr const char* name = "mrt";
    template<class L>
    static constexpr bool supports = requires
    {
        OrthogonalMoments<L>::energyRate;
    };

    static constexpr double ghostRate = 1.4;

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        if (p.forced) relax<L, Eq, true>(g, p);
        else relax<L, Eq, false>(g, p);
    }

private:
    // Of a polynomial as MomentProjection has it.
    template<class R>
    struct SecondOrder {
        R r, vector[3], product[6];
    };

    // sum += factor*value without a multiplication where the factor is one.
    template<class R>
    LBM_HD static LBM_INLINE void accumulate(auto factor, R& sum, R value)
    {
        constexpr double x = factor();
        if constexpr (x == 1) sum += value;
        else if constexpr (x == -1) sum -= value;
        else if constexpr (x != 0) sum += constant<R>(x) * value;
    }

    template<class L, int m, int i, int sign = 1>
    struct OnSum {
        constexpr double operator()() const { return sign * projection<L>.onSum[m][i]; }
    };

    template<class L, int m, class R>
    LBM_HD static LBM_INLINE R moment(const R (&sums)[L::Q])
    {
        R value(0);
        constexpr int block = projection<L>.block[m];
        unroll<projection<L>.sums[block].count>([&](auto k) __attribute__((always_inline)) {
            constexpr int i = projection<L>.sums[block].number[k];
            accumulate(OnSum<L, m, i>(), value, sums[i]);
        });
        return value;
    }

    template<class L, int m, class R>
    LBM_HD static LBM_INLINE R moment(const SecondOrder<R>& f)
    {
        R value(0);
        accumulate([] { return projection<L>.onDensity[m]; }, value, f.r);
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            accumulate([] { return projection<L>.onVector[m][decltype(a)::value]; }, value, f.vector[a]);
        });
        unroll<6>([&](auto k) __attribute__((always_inline)) {
            accumulate([] { return projection<L>.onProduct[m][decltype(k)::value]; }, value, f.product[k]);
        });
        return value;
    }

    // weight x y^T, symmetric, with what stands twice counted twice.
    template<class R>
    LBM_HD static LBM_INLINE void products(R weight, const R (&x)[3], const R (&y)[3], R (&product)[6])
    {
        const R v[3] = {weight * x[0], weight * x[1], weight * x[2]};
        product[0] = v[0] * y[0];
        product[1] = v[0] * y[1] + v[1] * y[0];
        product[2] = v[0] * y[2] + v[2] * y[0];
        product[3] = v[1] * y[1];
        product[4] = v[1] * y[2] + v[2] * y[1];
        product[5] = v[2] * y[2];
    }

    template<class L, int m, class R, class S, class W>
    LBM_HD static LBM_INLINE R rate(const Parameters<S, W>& p)
    {
        using M = OrthogonalMoments<L>;
        constexpr MomentGroup g = M::group[m];
        constexpr double scale = 1 / projection<L>.squaredNorm[m];
        if constexpr (g == MomentGroup::energy) return constant<R>(M::energyRate * scale);
        else if constexpr (g == MomentGroup::energySquared) return constant<R>(M::energySquaredRate * scale);
        else if constexpr (g == MomentGroup::ghost) return constant<R>(ghostRate * scale);
        else if constexpr (g == MomentGroup::shear) return R(p.omega * constant<W>(scale));
        else return R(p.omegaOdd * constant<W>(scale));
    }

    // What moment m loses, over its squared norm. Guo's source enters the half before relaxation and is
    // relaxed like its moment.
    template<class L, int m, bool forced, class R, class S, class W>
    LBM_HD static LBM_INLINE R loss(const R (&sums)[L::Q], const SecondOrder<R>& eq, const SecondOrder<R>& force,
                                    const Parameters<S, W>& p)
    {
        constexpr bool conserved = OrthogonalMoments<L>::group[m] == MomentGroup::conserved;
        R value(0);
        if constexpr (!conserved) value = moment<L, m>(sums) - moment<L, m>(eq);
        if constexpr (forced) {
            constexpr double scale = 1 / projection<L>.squaredNorm[m];
            const R source = moment<L, m>(force);
            if constexpr (conserved) return constant<R>(-scale) * source;
            else return rate<L, m, R>(p) * (value + constant<R>(0.5) * source) - constant<R>(scale) * source;
        } else if constexpr (conserved) {
            return value;
        } else {
            return rate<L, m, R>(p) * value;
        }
    }

    template<class L, class Eq, bool forced, class R, class S, class W>
    LBM_HD static LBM_INLINE void relax(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        using M = OrthogonalMoments<L>;
        MirrorSums<L>::transform(g);

        const R F[3] = {R(p.force[0]), R(p.force[1]), R(p.force[2])};
        const R half[3] = {R(S(0.5) * p.force[0]), R(S(0.5) * p.force[1]), R(S(0.5) * p.force[2])};
        R j[3] = {R(0), R(0), R(0)}, u[3];
        unroll<L::D>([&](auto a) __attribute__((always_inline)) { j[a] = moment<L, M::momentum[a]>(g); });
        SecondOrder<R> eq, force;
        eq.r = moment<L, 0>(g);
        velocityFromMomentum<Eq>(eq.r, j, half, u);
        const R inertia = Eq::inertia(eq.r);
        for (int a = 0; a < 3; ++a) eq.vector[a] = inertia * u[a];
        products(inertia, u, u, eq.product);
        if constexpr (forced) {
            force.r = R(0);
            for (int a = 0; a < 3; ++a) force.vector[a] = F[a];
            products(R(2), u, F, force.product);
        }

        // Block by block, so that few values are alive at a time.
        unroll<L::Q>([&](auto block) __attribute__((always_inline)) {
            constexpr int b = block;
            constexpr int moments = projection<L>.moments[b].count;
            if constexpr (moments > 0) {
                R lost[L::Q];
                unroll<moments>([&](auto k) __attribute__((always_inline)) {
                    constexpr int m = projection<L>.moments[b].number[k];
                    lost[m] = loss<L, m, forced>(g, eq, force, p);
                });
                unroll<projection<L>.sums[b].count>([&](auto n) __attribute__((always_inline)) {
                    constexpr int i = projection<L>.sums[b].number[n];
                    R value = constant<R>(1.0 / mirrorSums<L>.squaredNorm[i]) * g[i];
                    unroll<moments>([&](auto k) __attribute__((always_inline)) {
                        constexpr int m = projection<L>.moments[b].number[k];
                        if constexpr (forced || M::group[m] != MomentGroup::conserved)
                            accumulate(OnSum<L, m, i, -1>(), value, lost[m]);
                    });
                    g[i] = value;
                });
            }
        });
        MirrorSums<L>::transform(g);
    }
};

} // namespace lbm
