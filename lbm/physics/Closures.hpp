// Closures: relaxation times that follow from a node's own stress, and collisions that use them. Before collision the part
// of the momentum flux beyond equilibrium, without its trace, is Pi = -2/3 inertia tau S (Kruger et al. 2017, section 4.1),
// so that the shear rate g = sqrt(2 S:S) and tau have to agree:
//   sqrt(Pi:Pi)/inertia = sqrt(2)/3 tau g.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/NodeStress.hpp"
#include "lbm/physics/NodeValues.hpp"
#include "lbm/physics/RateTable.hpp"
#include "lbm/physics/RelaxMoments.hpp"

namespace lbm {

// tau = tau_0 + 3 Cs^2 g, of which the positive root: tau = tau_0/2 + sqrt(tau_0^2/4 + 9/sqrt(2) Cs^2 stress).
// Hou, Sterling, Chen & Doolen 1996. At least 1/2 + 3 |u|/Re, where a largest grid Reynolds number Re is given: collisions bear
// no more, whatever eddies leave of viscosity. speedSquare(): asked for only then.
struct Smagorinsky {
    static constexpr const char* name = "smagorinsky";
    static constexpr bool byNode = false;

    template<class R, class S, class Speed>
    LBM_HD static LBM_INLINE R tau(const R& stressSquare, const ClosureData<S>& c, Speed&& speedSquare)
    {
        const R own = R(c.half) + squareRoot(R(R(c.halfSquare) + R(c.growth) * squareRoot(stressSquare)));
        return c.least > 0 ? larger(own, guarded(squareRoot(speedSquare()), c)) : own;
    }

    template<class R, class S>
    LBM_HD static LBM_INLINE R guarded(const R& speed, const ClosureData<S>& c)
    {
        return R(S(0.5)) + R(c.least) * speed;
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

    template<class R, class S, class Speed>
    LBM_HD static LBM_INLINE R tau(const R& stressSquare, const ClosureData<S>& c, Speed&&)
    {
        return laneByLane(squareRoot(stressSquare), [&](S s) { return bounded(RateTable<S>::at(c.ofStress, s), c); });
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

// Where strain is known instead of stress: relaxation time at a shear rate and a speed. For a few nodes: it asks which closure it
// is. own: a node's tau where it is told from outside. Eddies that follow from a gradient are left out.
template<class S>
LBM_HD S relaxationTime(const ClosureData<S>& c, S shearRate, S speed, S own)
{
    if (c.kind == RateKind::node) return own;
    if (c.kind == RateKind::smagorinsky)
        return larger(S(c.tau + 3 * c.square * shearRate), Smagorinsky::guarded(speed, c));
    if (c.kind == RateKind::shearRate) return ShearRate::bounded(RateTable<S>::at(c.ofStrain, shearRate), c);
    return c.tau;
}

// sqrt(2 S:S); strain: xx, xy, xz, yy, yz, zz.
template<class V>
LBM_HD V shearRateOf(const V (&s)[6])
{
    return squareRoot(V(2 * (s[0] * s[0] + s[3] * s[3] + s[5] * s[5]) + 4 * (s[1] * s[1] + s[2] * s[2] + s[4] * s[4])));
}

// A collision with the rates that a closure gives it node by node, and forces that may differ from node to node.
template<class Collision, class ClosureT>
struct Closed {
    using Closure = ClosureT;
    using Plain = Collision;
    static constexpr bool ofStrain = takesStrain<Collision>;
    static constexpr const char* name = Collision::name;
    template<class L>
    static constexpr bool supports = Collision::template supports<L>;

    template<class L, class Eq, class R, class S>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S>& p, const NodeValues<R>& at)
    {
        if constexpr (requires(MomentSet<L, R> & m) { relax<Eq>(m, MomentRates<S>(p), at); }) {
            relaxPopulations<Closed, L, Eq>(g, MomentRates<S>(p), at);
        } else if constexpr (requires(R(&j)[3]) { Collision::template addPairs<L>(g, j[0], j); }) {
            R r, j[3];
            Collision::template addPairs<L>(g, r, j);
            const auto moments = [&]() __attribute__((always_inline)) { return momentsOfPairs<L>(r, j, g); };
            Collision::template relaxPairs<L, Eq>(g, r, j, parameters<Eq>(moments, p, at));
        } else {
            const auto moments = [&]() __attribute__((always_inline)) { return momentsOf<L>(g); };
            Collision::template apply<L, Eq>(g, parameters<Eq>(moments, p, at));
        }
    }

    template<class Eq, class L, class R, class S>
    requires requires(MomentSet<L, R>& m, const MomentRates<S, R>& r) { Collision::template relaxBeyond<Eq>(m, r); }
    LBM_HD static LBM_INLINE void relax(MomentSet<L, R>& m, const MomentRates<S>& p, const NodeValues<R>& at)
    {
        relaxDeviation<Eq>(m, p, at);
        addEquilibrium<Eq>(m, R(1));
    }

    template<class Eq, class L, class R, class S>
    LBM_HD static LBM_INLINE void relaxDeviation(MomentSet<L, R>& m, const MomentRates<S>& p, const NodeValues<R>& at)
    {
        addEquilibrium<Eq>(m, R(-1));
        const R tau = tauBeyond<Eq>(m, p.closure, at), omega = R(1) / tau;
        if constexpr (ofStrain) Collision::template addDifferences<Eq>(m, tau, p.closure, at);
        Collision::template relaxBeyond<Eq>(m, MomentRates<S, R>(omega, at.force, at.forced));
    }

    template<class Eq, class L, class R, class Visit>
    LBM_HD static LBM_INLINE void populations(const MomentSet<L, R>& m, Visit&& visit)
    {
        Collision::template populations<Eq>(m, visit);
    }

private:
    // m: less j j/inertia of second moments; of no use where nodes are told tau from outside.
    template<class Eq, class L, class R, class S>
    LBM_HD static LBM_INLINE R tauBeyond(const MomentSet<L, R>& m, const ClosureData<S>& c, const NodeValues<R>& at)
    {
        if constexpr (Closure::byNode) return at.tau;
        else
            return Closure::tau(
                stressSquare<Eq>(m, at.force, at.forced),
                c, [&]() __attribute__((always_inline)) { return speedSquare<Eq>(m, at); });
    }

    // Of the velocity, which has half of the force; what arrives has nothing of it.
    template<class Eq, class L, class R>
    LBM_HD static LBM_INLINE R speedSquare(const MomentSet<L, R>& m, const NodeValues<R>& at)
    {
        R square(0);
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            const R j = at.forced ? R(m.value[1 + a] + constant<R>(0.5) * at.force[a]) : m.value[1 + a];
            square += j * j;
        });
        if (__is_same(Eq, Incompressible)) return square;
        const R inertia = Eq::inertia(m.value[0]);
        return square / (inertia * inertia);
    }

    // Both rates, as lbm::parameters has them, by one division: packs wait long for each. moments(): of what arrives.
    template<class Eq, class Moments, class R, class S>
    LBM_HD static LBM_INLINE Parameters<S, R> parameters(Moments&& moments, const Parameters<S>& p,
                                                         const NodeValues<R>& at)
    {
        R tau = at.tau;
        if constexpr (!Closure::byNode) {
            auto m = moments();
            addEquilibrium<Eq>(m, R(-1));
            tau = tauBeyond<Eq>(m, p.closure, at);
        }
        const R sum = tau + R(S(2) * p.closure.magic - S(0.5)); // omegaOdd = (2 tau - 1)/sum
        const R inverse = R(1) / (tau * sum);
        Parameters<S, R> local;
        local.omega = inverse * sum;
        local.omegaOdd = inverse * (tau * (R(2) * tau - R(1)));
        for (int a = 0; a < 3; ++a) local.force[a] = at.force[a];
        local.forced = at.forced;
        return local;
    }
};

template<class Collision, class Closure>
constexpr const char* closureName<Closed<Collision, Closure>> = Closure::name;

} // namespace lbm
