// Recursive regularization with a share of finite differences (Jacob, Malaspinas & Sagaut 2018): before collision
//   Pi = sigma Pi + (1 - sigma) (-2/3 inertia tau S)
// with Pi the stress beyond equilibrium of what arrives, without its trace, and S the strain rate of velocities around the node by
// central differences, one-sided at links to anything but fluid. Third moments follow from what collision leaves (RecursiveRegularized).
// What alternates from node to node makes no central difference: of it (1 - sigma) is lost in each step.
// S is of the velocities before the step, momentum over inertia with the whole of the force: a step older than what arrives, which
// is an error of second order. They come from the storage (NodeValues::strain), 1 - sigma is ClosureData::differences.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/NodeValues.hpp"
#include "lbm/physics/RecursiveRegularized.hpp"

namespace lbm {

struct HybridRegularized : RecursiveRegularized {
    static constexpr const char* name = "hybridRegularized";
    static constexpr bool ofStrain = true;

    // One relaxation time and force for all nodes
    struct Closure {
        static constexpr bool byNode = false;
    };
    using Plain = RecursiveRegularized;

    // m: less j j/inertia of second moments; in the same way -2/3 inertia tau S lacks F F/(4 inertia) (NodeStress.hpp).
    template<class Eq, class L, class R, class S, class W>
    LBM_HD static LBM_INLINE void addDifferences(MomentSet<L, R>& m, const W& tau, const ClosureData<S>& c,
                                                 const NodeValues<R>& at)
    {
        using M = MomentSet<L, R>;
        const R inertia = Eq::inertia(m.value[0]), share = R(c.differences), kept = R(S(1) - c.differences);
        const R factor = __is_same(Eq, Incompressible)
            ? R(W(constant<W>(-2.0 / 3) * W(c.differences)) * tau)
            : R(R(W(constant<W>(-2.0 / 3) * W(c.differences)) * tau) * inertia);
        unroll<M::tensor>([&](auto k) __attribute__((always_inline)) {
            m.value[1 + L::D + k] = kept * m.value[1 + L::D + k] + factor * at.strain[k];
        });
        if (!at.forced) return;
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            const R quarter = constant<R>(0.25) * (share * at.force[a]) / inertia;
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                m.value[M::pi(a, a + i)] -= quarter * at.force[a + i];
            });
        });
    }

    template<class Eq, class L, class R, class S>
    LBM_HD static LBM_INLINE void relaxDeviation(MomentSet<L, R>& m, const MomentRates<S>& p, const NodeValues<R>& at)
    {
        addEquilibrium<Eq>(m, R(-1));
        addDifferences<Eq>(m, p.closure.tau, p.closure, at);
        relaxBeyond<Eq>(m, p);
    }

    template<class Eq, class L, class R, class S>
    LBM_HD static LBM_INLINE void relax(MomentSet<L, R>& m, const MomentRates<S>& p, const NodeValues<R>& at)
    {
        relaxDeviation<Eq>(m, p, at);
        addEquilibrium<Eq>(m, R(1));
    }

    template<class L, class Eq, class R, class S>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S>& p, const NodeValues<R>& at)
    {
        relaxPopulations<HybridRegularized, L, Eq>(g, MomentRates<S>(p), at);
    }
};

} // namespace lbm
