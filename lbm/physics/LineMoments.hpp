// Moments of populations on lattices that are products of lines, D2Q9 and D3Q27. The moment of c_x^a c_y^b c_z^c, each power from 0 to
// 2, stands in the place a + 3 b + 9 c. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"
#include "lbm/lattice/Unroll.hpp"

namespace lbm {

template<class L>
constexpr bool isProductOfLines = L::Q == 9 || L::Q == 27;

// From one power of c_axis to the next.
constexpr int powerStride(int axis) { return axis == 0 ? 1 : axis == 1 ? 3 : 9; }

// Place of the lowest moment on the k-th line along an axis.
constexpr int lineStart(int k, int axis)
{
    return k % powerStride(axis) + k / powerStride(axis) * 3 * powerStride(axis);
}

// Where a population stands along lines: c = 0, 1, -1 of each axis.
template<class L>
constexpr int placeOnLines(int q)
{
    int place = 0;
    for (int a = 0; a < L::D; ++a) place += powerStride(a) * (L::c[q][a] == 0 ? 0 : L::c[q][a] == 1 ? 1 : 2);
    return place;
}

// m: moments of g.
template<class L, class R>
LBM_HD LBM_INLINE void rawMoments(const R (&g)[L::Q], R (&m)[L::Q])
{
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        constexpr int place = placeOnLines<L>(q);
        m[place] = g[q];
    });
    unroll<L::D>([&](auto axis) __attribute__((always_inline)) {
        unroll<L::Q / 3>([&](auto line) __attribute__((always_inline)) {
            constexpr int s = powerStride(axis), k = lineStart(line, axis);
            const R sum = m[k + s] + m[k + 2 * s];
            m[k + s] -= m[k + 2 * s];
            m[k + 2 * s] = sum;
            m[k] += sum;
        });
    });
}

} // namespace lbm
