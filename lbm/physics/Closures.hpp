// Closures: relaxation times that follow from a node's own stress, and collisions that use them. Before collision the part
// of the momentum flux beyond equilibrium, without its trace, is Pi = -2/3 inertia tau S (Kruger et al. 2017, section 4.1),
// so that the shear rate g = sqrt(2 S:S) and tau have to agree:
//   sqrt(Pi:Pi)/inertia = sqrt(2)/3 tau g.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentEquilibrium.hpp"
#include "lbm/physics/NodeValues.hpp"
#include "lbm/physics/RateTable.hpp"
#include "lbm/physics/RelaxMoments.hpp"

namespace lbm {

// tau = tau_0 + 3 Cs^2 g, of which the positive root: tau = (tau_0 + sqrt(tau_0^2 + 18 sqrt(2) Cs^2 stress))/2.
// Hou, Sterling, Chen & Doolen 1996.
struct Smagorinsky {
    static constexpr const char* name = "smagorinsky";
    static constexpr bool byNode = false;

    template<class R, class S>
    LBM_HD static LBM_INLINE R tau(const R& stress, const ClosureData<S>& c)
    {
        constexpr double factor = 25.455844122715711; // 18 sqrt(2)
        return constant<R>(0.5) * (R(c.tau) + squareRoot(R(R(c.tau * c.tau) + R(S(factor) * c.square) * stress)));
    }
};

// Viscosity as any function of the shear rate, solved for beforehand (closureTable in lbm/solver/ClosureState.hpp).
struct ShearRate {
    static constexpr const char* name = "shearRate";
    static constexpr bool byNode = false;

    template<class S>
    LBM_HD static S bounded(S tau, const ClosureData<S>& c)
    {
        return tau < c.least ? c.least : tau > c.most ? c.most : tau;
    }

    template<class R, class S>
    LBM_HD static LBM_INLINE R tau(const R& stress, const ClosureData<S>& c)
    {
        return laneByLane(stress, [&](S s) { return bounded(RateTable<S>::at(c.ofStress, s), c); });
    }
};

// As each node has been told (Solver::setRelaxationTimes).
struct NodeField {
    static constexpr const char* name = "nodeField";
    static constexpr bool byNode = true;
};

// Of a collision: "constant" unless it is Closed (below).
template<class Collision>
constexpr const char* closureName = "constant";

// Where strain is known instead of stress: relaxation time at a shear rate. For a few nodes: it asks which closure it is.
// own: a node's tau where it is told from outside.
template<class S>
LBM_HD S relaxationTime(const ClosureData<S>& c, S shearRate, S own)
{
    if (c.kind == RateKind::node) return own;
    if (c.kind == RateKind::smagorinsky) return c.tau + 3 * c.square * shearRate;
    if (c.kind == RateKind::shearRate) return ShearRate::bounded(RateTable<S>::at(c.ofStrain, shearRate), c);
    return c.tau;
}

// sqrt(2 S:S); strain: xx, xy, xz, yy, yz, zz.
template<class V>
LBM_HD V shearRateOf(const V (&s)[6])
{
    return squareRoot(V(2 * (s[0] * s[0] + s[3] * s[3] + s[5] * s[5]) + 4 * (s[1] * s[1] + s[2] * s[2] + s[4] * s[4])));
}

// sqrt(Pi:Pi)/inertia of what arrives at a node. Momentum lacks half of the force, and with it equilibrium what Guo's
// source brings of second order, but for F F/4 inertia.
template<class Eq, class L, class R, class S>
LBM_HD LBM_INLINE R stressOf(MomentSet<L, R> m, const S (&force)[3], bool forced)
{
    using M = MomentSet<L, R>;
    const R inertia = Eq::inertia(m.value[0]);
    const R inverse = __is_same(Eq, Incompressible) ? R(1) : R(R(1) / inertia);
    addEquilibrium<Eq>(m, R(-1));
    if (forced)
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            const R share = constant<R>(0.25) * R(force[a]) * inverse;
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                m.value[M::pi(a, a + i)] += share * R(force[a + i]);
            });
        });
    const R mean = constant<R>(1.0 / L::D) * traceOf(m);
    R square(0);
    unroll<L::D>([&](auto a) __attribute__((always_inline)) {
        const R own = m.value[M::pi(a, a)] - mean;
        square += own * own;
        unroll<L::D - a - 1>([&](auto i) __attribute__((always_inline)) {
            const R mixed = m.value[M::pi(a, a + 1 + i)];
            square += R(2) * (mixed * mixed);
        });
    });
    return squareRoot(square) * inverse;
}

// A collision with the rates that a closure gives it node by node, and forces that may differ from node to node.
template<class Collision, class ClosureT>
struct Closed {
    using Closure = ClosureT;
    static constexpr const char* name = Collision::name;
    template<class L>
    static constexpr bool supports = Collision::template supports<L>;

    template<class L, class Eq, class R, class S>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S>& p, const NodeValues<R>& at)
    {
        const R tau = relaxationTimeOf<Eq>(
            [&]() __attribute__((always_inline)) { return momentsOf<L>(g); }, p.closure, at);
        const R above = tau - constant<R>(0.5);
        Parameters<S, R> local;
        local.omega = R(1) / tau;
        local.omegaOdd = above / (R(p.closure.magic) + constant<R>(0.5) * above);
        for (int a = 0; a < 3; ++a) local.force[a] = at.force[a];
        local.forced = at.forced;
        Collision::template apply<L, Eq>(g, local);
    }

    template<class Eq, class L, class R, class S>
    requires requires(MomentSet<L, R>& m, const MomentRates<S, R>& r) { Collision::template relax<Eq>(m, r); }
    LBM_HD static LBM_INLINE void relax(MomentSet<L, R>& m, const MomentRates<S>& p, const NodeValues<R>& at)
    {
        Collision::template relax<Eq>(m, rates<Eq>(m, p, at));
    }

    template<class Eq, class L, class R, class S>
    LBM_HD static LBM_INLINE void relaxDeviation(MomentSet<L, R>& m, const MomentRates<S>& p, const NodeValues<R>& at)
    {
        Collision::template relaxDeviation<Eq>(m, rates<Eq>(m, p, at));
    }

    template<class Eq, class L, class R, class Visit>
    LBM_HD static LBM_INLINE void populations(const MomentSet<L, R>& m, Visit&& visit)
    {
        Collision::template populations<Eq>(m, visit);
    }

private:
    // moments(): of what arrives; they are needed where tau follows from the stress alone.
    template<class Eq, class Moments, class R, class S>
    LBM_HD static LBM_INLINE R relaxationTimeOf(Moments&& moments, const ClosureData<S>& c, const NodeValues<R>& at)
    {
        if constexpr (Closure::byNode) return at.tau;
        else return Closure::tau(stressOf<Eq>(moments(), at.force, at.forced), c);
    }

    template<class Eq, class L, class R, class S>
    LBM_HD static LBM_INLINE MomentRates<S, R> rates(const MomentSet<L, R>& m, const MomentRates<S>& p,
                                                     const NodeValues<R>& at)
    {
        const R tau = relaxationTimeOf<Eq>(
            [&]() __attribute__((always_inline)) { return m; }, p.closure, at);
        return {R(1) / tau, at.force, at.forced};
    }
};

template<class Collision, class Closure>
constexpr const char* closureName<Closed<Collision, Closure>> = Closure::name;

} // namespace lbm
