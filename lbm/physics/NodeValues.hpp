// NodeValues: what a node has been given from outside (Solver::setRelaxationTimes, Solver::setForces), in registers, for one node
// or as many as R has lanes. Collisions with a closure take them; whoever stores nodes loads them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Parameters.hpp"

#include <cstddef>
#include <cstdint>

namespace lbm {

template<class R>
struct NodeValues {
    R tau;      // where the closure takes it from outside, else nothing
    R force[3]; // a node's own, or the uniform one
    bool forced;
    R strain[6]; // rate by differences of velocities, of collisions that take it; components as placeOfStrain has them
};

// Collisions with one rate and force for all nodes know nothing of it.
template<class Collision>
constexpr bool takesNodeValues = requires
{
    typename Collision::Closure;
};

// The collision itself: what asks for no rates is the same with every closure.
template<class Collision>
struct WithoutClosure {
    using Type = Collision;
};

template<class Collision>
requires takesNodeValues<Collision>
struct WithoutClosure<Collision> {
    using Type = typename WithoutClosure<typename Collision::Plain>::Type;
};

template<class Collision>
constexpr bool takesNodeTau = [] {
    if constexpr (takesNodeValues<Collision>) return Collision::Closure::byNode;
    return false;
}();

// The strain rate that the velocities around a node make.
template<class Collision>
constexpr bool takesStrain = requires
{
    requires Collision::ofStrain;
};

// What a step loads for a node of a tile. nodeForces: there are forces by node, which is known when the step is compiled: a GPU has
// no registers for what it does not need. Source: Parameters or MomentRates.
template<class Collision, bool nodeForces, int D, class S, template<class, class> class Source>
LBM_HD LBM_INLINE NodeValues<S> loadValues(const Source<S, S>& p, std::int32_t tile, int local, int tileNodes)
{
    NodeValues<S> v{S(0), {p.force[0], p.force[1], p.force[2]}, nodeForces || p.forced, {}};
    const NodeFields<S>& f = p.closure.fields;
    if constexpr (takesNodeTau<Collision>) v.tau = f.tau[std::size_t(tile) * tileNodes + local];
    if constexpr (nodeForces)
        for (int a = 0; a < D; ++a) v.force[a] = f.force[placeOfForce<D>(tile, a, local, tileNodes)];
    if constexpr (takesStrain<Collision>)
        for (int k = 0; k < strainComponents<D>; ++k)
            v.strain[k] = f.strain[placeOfStrain<D>(tile, k, local, tileNodes)];
    return v;
}

// Of one node, whatever the closure: for boundaries and states. node: its number in all tiles of `tileNodes`.
template<int D, class S>
LBM_HD NodeValues<S> valuesOfNode(const Parameters<S>& p, std::size_t node, int tileNodes)
{
    const NodeFields<S>& f = p.closure.fields;
    NodeValues<S> v{p.closure.tau, {p.force[0], p.force[1], p.force[2]}, p.forced || f.force, {}};
    if (f.tau) v.tau = f.tau[node];
    for (int a = 0; f.force && a < 3; ++a)
        v.force[a] = a < D ? f.force[placeOfForce<D>(node / tileNodes, a, int(node % tileNodes), tileNodes)] : S(0);
    return v;
}

} // namespace lbm
