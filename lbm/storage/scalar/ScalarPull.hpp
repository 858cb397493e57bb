// What populations of a scalar bring to nodes: one source for the loops of a CPU and the threads of a GPU.
// Populations: [links][nodes]. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/ScalarLattice.hpp"
#include "lbm/physics/ScalarNode.hpp"
#include "lbm/storage/scalar/ScalarGeometry.hpp"

namespace lbm {

// What a link was told, in numbers that a step needs.
template<class R>
struct ScalarEnd {
    ScalarKind kind = ScalarKind::flux;
    R value = 0;
    R factor = 0; // of a value scalarShare, of a transfer its conductance
};

// Over a link that meets a patch.
template<int D, class R>
LBM_HD LBM_INLINE R broughtBy(const ScalarSlot& slot, const ScalarEnd<R>& end, const R* sent, std::int32_t nodes)
{
    const auto population = [&](int q, std::int32_t node) { return sent[std::size_t(q) * nodes + node]; };
    const R out = population(slot.link, slot.node);
    if (end.kind == ScalarKind::flux) return out + end.value;
    if (end.kind == ScalarKind::outflow || end.kind == ScalarKind::transfer) {
        R own = 0;
        for (int q = 0; q < ScalarLinks<D>::Q; ++q) own += population(q, slot.node);
        if (end.kind == ScalarKind::transfer) return out + end.factor * (end.value - own);
        return scalarFromValue(own, R(0), out, R(0), R(0));
    }
    // Between two patches nothing follows: half-way
    if (slot.behind < 0) return scalarFromValue(end.value, R(0), out, R(0), R(0));
    return scalarFromValue(end.value, end.factor, out, population(oppositeScalarLink(slot.link), slot.node),
                           population(slot.link, slot.behind));
}

// Population q, from a node or, as -1 - slot, from a link; arrives: of links.
template<class R>
LBM_HD LBM_INLINE R cameFrom(std::int32_t from, int q, const R* sent, const R* arrives, std::int32_t nodes)
{
    return from >= 0 ? sent[std::size_t(q) * nodes + from] : arrives[-1 - from];
}

// g: what has arrived at node i. velocity: of the flow, in the scalar's steps.
template<int D, class R>
LBM_HD LBM_INLINE void collideAndSend(R (&g)[1 + 2 * D], const double* velocity, const ScalarRates<R>& rates, R* next,
                                      std::int32_t nodes, std::int32_t i)
{
    R u[D];
    for (int a = 0; a < D; ++a) u[a] = R(velocity[a]);
    collideScalar<D>(g, u, rates);
    for (int q = 0; q < 1 + 2 * D; ++q) next[std::size_t(q) * nodes + i] = g[q];
}

} // namespace lbm
