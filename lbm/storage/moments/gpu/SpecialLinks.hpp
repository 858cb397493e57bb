// SpecialLinks: what happens before a step of the moment representation at links that are more than resting walls.
// Populations of the nodes concerned are made from their moments, boundaries and remote ends say what arrives
// instead of what a wall would send back, and the difference becomes a correction of the node's sums, which the
// step adds. Boundaries themselves are those of every pattern.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/MomentView.hpp"

namespace lbm {

template<class Collision, class Eq, class L, class R>
LBM_HD inline void populationsOf(const MomentSet<L, R>& m, R (&g)[L::Q])
{
    Collision::template populations<Eq>(
        m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
            g[q] = even + odd;
            if constexpr (q != 0) g[q + 1] = even - odd;
        });
}

template<class Collision, class Eq, class Tiles, class L, class T>
LBM_HD void rememberNode(const BoundaryView<L, T>& boundary, const SpecialView<L, T>& special, int i,
                         const Tiles& tiles)
{
    const RememberedNode node = special.kept[i];
    RememberedPopulations<L, T>& own = special.remembered[i];
    T g[L::Q];
    populationsOf<Collision, Eq>(tiles.template load<Eq>(node.place.tile, node.place.local), g);
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        own.after[q] = g[q];
        own.incoming[q] = g[opposite(q)];
        if (node.state >= 0) boundary.sent[node.state].of[q] = g[q];
    });
}

template<class L, class T>
LBM_HD void completeSpecial(const BoundaryView<L, T>& boundary, const SpecialView<L, T>& special, int i,
                            const Parameters<T>& p)
{
    const std::int32_t number = special.kept[i].state;
    const BoundaryState& state = boundary.states[number];
    if (state.firstLink == state.lastLink) return;
    const BoundaryTable<L, T> table = boundary.table(p);
    const BoundaryNode<L, T> known(table, number);
    for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k)
        if (onlyDonor(boundary.shares, boundary.links.made[k]) < 0)
            special.remembered[i].incoming[boundary.links.made[k].direction] = incoming(known, k);
}

template<class L, class T>
LBM_HD void swapSpecial(const BoundaryView<L, T>& boundary, const SpecialView<L, T>& special, int i)
{
    const int q = boundary.pairs[i].q;
    RememberedPopulations<L, T>& a = special.remembered[special.pairEnds[2 * i]];
    RememberedPopulations<L, T>& b = special.remembered[special.pairEnds[2 * i + 1]];
    a.incoming[q] = b.after[q];
    b.incoming[opposite(q)] = a.after[opposite(q)];
}

template<class Collision, class Eq, class Tiles>
LBM_HD typename Tiles::Value populationOf(const Tiles& tiles, std::int32_t tile, int local, int q)
{
    using L = typename Tiles::Lattice;
    typename Tiles::Value g[L::Q], value(0);
    populationsOf<Collision, Eq>(tiles.template load<Eq>(tile, local), g);
    unroll<L::Q>([&](auto i) __attribute__((always_inline)) {
        if (i == q) value = g[i];
    });
    return value;
}

template<class Collision, class Eq, class L, class T, class Tiles>
LBM_HD void rememberDistant(const BoundaryView<L, T>& boundary, int i, const Tiles& tiles)
{
    i = boundary.distantByTile[i];
    const DistantPopulation& distant = boundary.distant[i];
    boundary.distantValue[i] = populationOf<Collision, Eq>(tiles, distant.tile, distant.local, distant.q);
}

// Population q that arrives from the node behind.
template<class Collision, class Eq, class L, class TileT, class T, class Tiles>
LBM_HD T arrivingAt(const TilesView& view, const NodePlace& place, int q, const Tiles& tiles)
{
    const int local = place.local;
    const int x[3] = {local % TileT::TX, local / TileT::TX % TileT::TY, local / (TileT::TX * TileT::TY)};
    TileStep from{13, local};
    unroll<L::Q - 1>([&](auto i) __attribute__((always_inline)) {
        if (i + 1 == q) from = nodeAcross<L, TileT, i + 1, -1>(x);
    });
    return populationOf<Collision, Eq>(tiles, view.neighbours[std::size_t(place.tile) * 27 + from.tile], from.node, q);
}

// After the step, which has made the moments of a node at such an opening from what arrived: density and momentum are still
// those, but for the force. strain, tau: of the velocities around it before the step, of collisions that take them; tau null: it is
// told.
template<class Collision, class Eq, class L, class T>
LBM_HD bool imposeMoments(const BoundaryView<L, T>& boundary, int i, const Parameters<T>& p,
                          [[maybe_unused]] int tileNodes, [[maybe_unused]] const T* strain,
                          [[maybe_unused]] const T* tau, MomentSet<L, T>& m)
{
    const BoundaryTable<L, T> table = boundary.table(p);
    NodeValues<T> own = valuesOf(table, boundary.openings[i].state);
    // Of what steps find boundary nodes have no copy
    [[maybe_unused]] const NodePlace at = boundary.places[boundary.openings[i].state];
    if constexpr (takesNodeTau<Collision>)
        own.tau = tau ? *tau : p.closure.fields.tau[std::size_t(at.tile) * tileNodes + at.local];
    if constexpr (takesStrain<Collision>)
        for (int k = 0; k < strainComponents<L::D>; ++k) own.strain[k] = strain[k];
    T j[3] = {0, 0, 0};
    for (int a = 0; a < L::D; ++a) j[a] = m.value[1 + a] - own.force[a];
    const VelocityGradient<L, T> gradient(table, boundary.openings[i]);
    const OpeningState<T> state = gradient.state(m.value[0], j);
    if (!state.imposed) return false;
    gradient.moments(state, m.value);
    if constexpr (takesNodeValues<Collision>) Collision::template relax<Eq>(m, MomentRates<T>(p), own);
    else Collision::template relax<Eq>(m, typename RatesOf<Collision, T>::Type(p));
    return true;
}

// Over a link that needs the state of one other node, which its moments tell: nothing of it has to go through memory, and outlets and
// sides of symmetry are large.
template<class Collision, class Eq, class L, class T, class Tiles>
LBM_HD T incomingFrom(const BoundaryView<L, T>& boundary, const BoundaryNode<L, T>& known, std::uint32_t k,
                      std::int32_t donor, const Tiles& tiles)
{
    const BoundaryLink<T> link = boundary.links[k];
    const NodePlace there = boundary.places[donor];
    if (isPlane(BoundaryKind(link.kind))) {
        const T seen = populationOf<Collision, Eq>(tiles, there.tile, there.local, link.mirror);
        return BoundaryKind(link.kind) == BoundaryKind::shear ? seen + link.r : seen;
    }
    T sent[L::Q];
    populationsOf<Collision, Eq>(tiles.template load<Eq>(there.tile, there.local), sent);
    return fromDonor(known, BoundaryNode<L, T>(known.table(), donor, sent), link, boundary.openingMemory[k]);
}

// alone: no state is written down for these links, so that all are completed here.
template<class Collision, class Eq, class L, class T, class Tiles>
LBM_HD void completeHere(const BoundaryView<L, T>& boundary, std::int32_t state, bool alone, const Parameters<T>& p,
                         const Tiles& tiles, const T (&after)[L::Q], T (&arriving)[L::Q])
{
    const BoundaryTable<L, T> table = boundary.table(p);
    const BoundaryNode<L, T> known(table, state, after);
    for (std::uint32_t k = boundary.states[state].firstLink; k < boundary.states[state].lastLink; ++k) {
        T& value = arriving[boundary.links.made[k].direction];
        const std::int32_t donor = onlyDonor(boundary.shares, boundary.links.made[k]);
        if (donor >= 0) value = incomingFrom<Collision, Eq>(boundary, known, k, donor, tiles);
        else if (alone) value = incoming(known, k);
    }
}

// What another population over link q than the one reflected changes in a node's sums.
template<int q, class L, class T>
LBM_HD LBM_INLINE void addChange(T change, MomentSet<L, T>& sum)
{
    sum.value[0] += change;
    unroll<L::D>([&](auto a) __attribute__((always_inline)) {
        constexpr int ca = L::c[q][a];
        sum.value[1 + a] += T(ca) * change;
        unroll<L::D - a>([&](auto k) __attribute__((always_inline)) {
            constexpr int b = a + k;
            constexpr double h = ca * L::c[q][b] - (k == 0 ? 1.0 / 3 : 0);
            sum.value[MomentSet<L, T>::pi(a, b)] += T(h) * change;
        });
    });
    unroll<MomentSet<L, T>::count - MomentSet<L, T>::ofSecond>([&](auto k) __attribute__((always_inline)) {
        constexpr int h = thirdPower<L>(q, k);
        if constexpr (h != 0) sum.value[MomentSet<L, T>::ofSecond + k] += T(h) * change;
    });
}

template<class Collision, class Eq, class L, class T, class Tiles>
LBM_HD void addMirrors(const SpecialView<L, T>& special, const SpecialNode& node, const Tiles& tiles,
                       const T (&after)[L::Q], MomentSet<L, T>& sum)
{
    for (std::int32_t k = node.firstMirror; k < node.lastMirror; ++k) {
        const MirrorLink link = special.mirrors[k];
        const T seen = populationOf<Collision, Eq>(tiles, link.tile, link.local, link.mirror);
        unroll<L::Q - 1>([&](auto j) __attribute__((always_inline)) {
            constexpr int q = j + 1;
            if (q == link.direction) addChange<q>(seen - after[opposite(q)], sum);
        });
    }
}

template<class Collision, class Eq, class TileT, class Tiles, class L, class T>
LBM_HD void addLinks(const TilesView& view, const BoundaryView<L, T>& boundary, const SpecialView<L, T>& special,
                     const SpecialNode& node, const Parameters<T>& p, const Tiles& tiles, const T (&after)[L::Q],
                     MomentSet<L, T>& sum)
{
    const NodePlace place = node.place;
    const std::uint32_t word = view.links[std::size_t(view.detailOf[place.tile]) * TileT::N + place.local];
    T incoming[L::Q];
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        incoming[q] = node.kept < 0 ? after[opposite(q)] : special.remembered[node.kept].incoming[q];
    });
    const bool alone = node.state >= 0;
    const std::int32_t state = alone || node.kept < 0 ? node.state : special.kept[node.kept].state;
    if (state >= 0) completeHere<Collision, Eq>(boundary, state, alone, p, tiles, after, incoming);
    for (int k = node.firstCurved; k < node.lastCurved; ++k) {
        const CurvedLink<T> link = boundary.curved[k];
        const int away = opposite(link.direction);
        T arriving = 0;
        if (link.arriving != 0)
            arriving =
                word >> away & 1 ? incoming[away] : arrivingAt<Collision, Eq, L, TileT, T>(view, place, away, tiles);
        T& value = incoming[link.direction];
        value = interpolated(T(link.reflected), T(link.arriving), link.kept(), value, arriving, after[link.direction],
                             link.move);
        if (link.distant >= 0) value += T(link.further) * boundary.distantValue[link.distant];
    }
    unroll<L::Q - 1>([&](auto j) __attribute__((always_inline)) {
        constexpr int q = j + 1;
        addChange<q>(word >> q & 1 ? incoming[q] - after[opposite(q)] : T(0), sum);
    });
}

template<class Collision, class Eq, class TileT, class Tiles, class L, class T>
LBM_HD void correctSpecial(const TilesView& view, const BoundaryView<L, T>& boundary, const SpecialView<L, T>& special,
                           int i, const Parameters<T>& p, const Tiles& tiles)
{
    using M = MomentSet<L, T>;
    const SpecialNode node = special.nodes[i];
    T after[L::Q]; // made here: nodes at walls are many, and to fetch these would be more to read
    populationsOf<Collision, Eq>(tiles.template load<Eq>(node.place.tile, node.place.local), after);
    M sum;
    unroll<M::count>([&](auto k) __attribute__((always_inline)) { sum.value[k] = T(0); });
    if (node.firstMirror < node.lastMirror) addMirrors<Collision, Eq>(special, node, tiles, after, sum);
    else addLinks<Collision, Eq, TileT>(view, boundary, special, node, p, tiles, after, sum);
    unroll<M::count>([&](auto k) __attribute__((always_inline)) {
        special.corrections[std::size_t(i) * M::count + k] = sum.value[k];
    });
}

} // namespace lbm
