// Relaxation of moments as regularized collisions share it: second moments by omega, their trace to that of
// j* j*/inertia (see Regularized.hpp). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentEquilibrium.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

// What relaxation multiplies by, ready for use: a GPU has no registers to spare for products of parameters.
template<class S, class W = S>
struct MomentRates {
    W keep;
    W force[3];
    W pull[3];
    bool forced;
    ClosureData<S> closure;

    LBM_HD explicit MomentRates(const Parameters<S>& p) : MomentRates(p.omega, p.force, p.forced)
    {
        closure = p.closure;
    }

    LBM_HD MomentRates(const W& omega, const W (&f)[3], bool isForced) : keep(W(1) - omega), forced(isForced)
    {
        for (int a = 0; a < 3; ++a) {
            force[a] = f[a];
            pull[a] = constant<W>(0.25) * omega * f[a];
        }
    }
};

// What storages of moments keep ready for a collision.
template<class Collision, class S>
struct RatesOf {
    using Type = MomentRates<S>;
};
template<class Collision, class S>
requires takesThird<Collision>
struct RatesOf<Collision, S> {
    using Type = typename Collision::template Rates<S>;
};

// Raw moments become what the collision's storages keep.
template<class Collision, class Eq, class L, class R, class F>
LBM_HD LBM_INLINE void toStored([[maybe_unused]] MomentSet<L, R>& m, [[maybe_unused]] const F& factors)
{
    if constexpr (keepsThird<L>) {
        Collision::template toCumulants<Eq>(m);
        m.take(factors);
    }
}

// Members of collisions that relax so (see Regularized.hpp).
struct MomentRelaxation {
    // What is beyond j j/inertia of second moments becomes what is beyond j* j*/inertia:
    //   (1 - omega) (pi - j j/inertia) - omega/4 F F/inertia
    template<class Eq, class L, class R, class S, class W>
    LBM_HD static LBM_INLINE void relaxBeyond(MomentSet<L, R>& m, const MomentRates<S, W>& p)
    {
        using M = MomentSet<L, R>;
        unroll<M::tensor>([&](auto k) __attribute__((always_inline)) { m.value[1 + L::D + k] *= R(p.keep); });
        if (p.forced) {
            const R inertia = Eq::inertia(m.value[0]);
            unroll<L::D>([&](auto a) __attribute__((always_inline)) {
                m.value[1 + a] += R(p.force[a]);
                const R share = __is_same(Eq, Incompressible) ? R(p.pull[a]) : R(R(p.pull[a]) / inertia);
                unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                    m.value[M::pi(a, a + i)] -= share * R(p.force[a + i]);
                });
            });
        }
        const R surplus = constant<R>(1.0 / L::D) * traceOf(m);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[M::pi(a, a)] -= surplus; });
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
};

// Populations by a collision that is a function of their moments. given: what its relax takes.
template<class Collision, class L, class Eq, class R, class... Given>
LBM_HD LBM_INLINE void relaxPopulations(R (&g)[L::Q], const Given&... given)
{
    auto m = momentsOf<L>(g);
    Collision::template relax<Eq>(m, given...);
    Collision::template populations<Eq>(
        m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
            g[q] = even + odd;
            if constexpr (q != 0) g[q + 1] = even - odd;
        });
}

} // namespace lbm
