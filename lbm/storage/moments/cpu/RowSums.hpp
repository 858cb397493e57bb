// RowSums: what a row of nodes sends, summed at once to what the rows around it take of it, so that no population leaves the
// registers. Of the links that step on by the same rows and layers
//   s = sum g,  x = sum c_x g,  xx = sum c_x^2 g,
// and of three rows of a layer a plane: s, x, xx and, of three dimensions, y, yy, xy of what arrives at a row from that layer. Three
// planes are a node's moments.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentSet.hpp"
#include "lbm/storage/moments/cpu/MomentLayers.hpp"

namespace lbm {

// The link that goes on by cx nodes, `step` rows and `layer` layers; -1: there is none.
template<class L>
constexpr int linkTo(int cx, int step, int layer)
{
    for (int q = 0; q < L::Q; ++q)
        if (L::c[q][0] == cx && rowStep<L>(q) == step && stackOf<L>(q) == layer + 1) return q;
    return -1;
}

// Sums of one or three links; x and xx have a value where there are three.
template<class R>
struct RowSums {
    R s, x, xx;
};

template<class L>
constexpr bool hasSums(int step, int layer)
{
    return linkTo<L>(0, step, layer) >= 0;
}

template<class L>
constexpr bool hasSides(int step, int layer)
{
    return linkTo<L>(1, step, layer) >= 0;
}

// Whether q is the last of its sum's links.
template<class L>
constexpr bool completesSums(int q)
{
    for (int other = q + 1; other < L::Q; ++other)
        if (rowStep<L>(other) == rowStep<L>(q) && stackOf<L>(other) == stackOf<L>(q)) return false;
    return true;
}

template<class L, int step, int layer, class R>
LBM_INLINE RowSums<R> sumsOf(const R (&g)[L::Q])
{
    RowSums<R> sums;
    sums.s = g[linkTo<L>(0, step, layer)];
    if constexpr (hasSides<L>(step, layer)) {
        constexpr int up = linkTo<L>(1, step, layer), down = linkTo<L>(-1, step, layer);
        sums.x = g[up] - g[down];
        sums.xx = g[up] + g[down];
        sums.s += sums.xx;
    }
    return sums;
}

// Values of a plane, in the order s, x, xx, y, yy, xy.
template<class L>
constexpr int planeCount(int layer)
{
    return L::D == 2 ? 3 : hasSides<L>(1, layer) ? 6 : 5;
}

template<class L, int layer, class R>
struct Plane {
    static constexpr int count = planeCount<L>(layer);
    R value[count];

    Plane() = default;

    // Of a row: before, same, behind: from the row before it, and so on.
    LBM_INLINE Plane(const RowSums<R>& before, const RowSums<R>& same, const RowSums<R>& behind)
    {
        value[0] = same.s;
        value[1] = same.x;
        value[2] = same.xx;
        if constexpr (L::D == 3) {
            value[3] = before.s - behind.s;
            value[4] = before.s + behind.s;
            value[0] += value[4];
        }
        if constexpr (count == 6) {
            value[5] = before.x - behind.x;
            value[1] += before.x + behind.x;
            value[2] += before.xx + behind.xx;
        }
    }
};

// rising: of what comes up from the layer below; level: of the row's own; falling: of what comes down.
template<class L, class R>
LBM_INLINE MomentSet<L, R> momentsOf(const Plane<L, 1, R>& rising, const Plane<L, 0, R>& level,
                                     const Plane<L, -1, R>& falling)
{
    using M = MomentSet<L, R>;
    constexpr int z = L::D - 1;
    M m;
    const auto both = [&](int i) __attribute__((always_inline)) { return R(rising.value[i] + falling.value[i]); };
    const auto apart = [&](int i) __attribute__((always_inline)) { return R(rising.value[i] - falling.value[i]); };
    m.value[M::pi(z, z)] = both(0);
    m.value[0] = m.value[M::pi(z, z)] + level.value[0];
    m.value[1 + z] = apart(0);
    m.value[1] = both(1) + level.value[1];
    m.value[M::pi(0, z)] = apart(1);
    m.value[M::pi(0, 0)] = both(2) + level.value[2];
    if constexpr (L::D == 3) {
        m.value[2] = both(3) + level.value[3];
        m.value[M::pi(1, z)] = apart(3);
        m.value[M::pi(1, 1)] = both(4) + level.value[4];
        m.value[M::pi(0, 1)] = level.value[5];
        if constexpr (planeCount<L>(1) == 6) m.value[M::pi(0, 1)] += both(5);
    }
    const R third = constant<R>(1.0 / 3) * m.value[0];
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[M::pi(a, a)] -= third; });
    return m;
}

} // namespace lbm
