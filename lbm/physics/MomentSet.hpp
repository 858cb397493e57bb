// MomentSet: what regularized collisions know of a node: density, momentum and the second Hermite moment
//   r = sum g,  j = sum c g,  pi_ab = sum (c_a c_b - delta_ab/3) g      with g the deviation from the weight,
// 6 values in two dimensions and 10 in three, whatever the lattice, and the populations that they stand for,
//   g_q = w_q (r + 3 c.j + 9/2 (c_a c_b - delta_ab/3) pi_ab)
// (equations (8)-(10) and (16) of Gounley, Vardhan, Draeger, Valero-Lara, Moore & Randles 2022).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"
#include "lbm/lattice/Scalar.hpp"
#include "lbm/lattice/Unroll.hpp"

namespace lbm {

template<class L, class R>
struct MomentSet {
    static constexpr int tensor = L::D * (L::D + 1) / 2, count = 1 + L::D + tensor;

    R value[count]; // r; j; pi as xx, xy, (xz,) yy, (yz, zz)

    // Place of pi_ab.
    static constexpr int pi(int a, int b) { return a > b ? pi(b, a) : 1 + L::D + a * L::D - a * (a - 1) / 2 + b - a; }
};

// sum += value, or -= for a negative sign; the first time sum = value, so that no zero is added. `first` is known when
// compiling, once loops are unrolled.
template<int sign, class R>
LBM_HD LBM_INLINE void accumulate(R& sum, bool& first, const R& value)
{
    if constexpr (sign > 0) sum = first ? value : R(sum + value);
    if constexpr (sign < 0) sum = first ? R(-value) : R(sum - value);
    if constexpr (sign != 0) first = false;
}

template<class L, class R>
LBM_HD LBM_INLINE MomentSet<L, R> momentsOf(const R (&g)[L::Q])
{
    using M = MomentSet<L, R>;
    M m;
    m.value[0] = g[0];
    bool first[M::count];
    for (bool& f : first) f = true;
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1;
        const R even = g[q] + g[q + 1], odd = g[q] - g[q + 1];
        m.value[0] += even;
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            constexpr int ca = L::c[q][a];
            accumulate<ca>(m.value[1 + a], first[1 + a], odd);
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                constexpr int b = a + i, place = M::pi(a, b);
                accumulate<ca * L::c[q][b]>(m.value[place], first[place], even);
            });
        });
    });
    const R third = constant<R>(1.0 / 3) * m.value[0];
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[M::pi(a, a)] -= third; });
    return m;
}

// Calls back visit(q, even, odd) for each pair (q, q+1), where g_q = even + odd and g_{q+1} = even - odd; q = 0 comes
// alone, with odd = 0.
template<class L, class R, class Visit>
LBM_HD LBM_INLINE void momentPairs(const MomentSet<L, R>& m, Visit&& visit)
{
    using M = MomentSet<L, R>;
    R trace = m.value[M::pi(0, 0)];
    unroll<L::D - 1>([&](auto a) __attribute__((always_inline)) { trace += m.value[M::pi(a + 1, a + 1)]; });
    const R base = m.value[0] - constant<R>(1.5) * trace;
    visit(Constant<0>{}, R(constant<R>(linkWeight<L, 0>) * base), R(0));
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1;
        R flux(0), mixed(0), odd(0);
        bool firstFlux = true, firstMixed = true, firstOdd = true;
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            constexpr int ca = L::c[q][a];
            accumulate<ca * ca>(flux, firstFlux, m.value[M::pi(a, a)]);
            accumulate<ca>(odd, firstOdd, m.value[1 + a]);
            unroll<L::D - a - 1>([&](auto i) __attribute__((always_inline)) {
                constexpr int b = a + 1 + i;
                accumulate<ca * L::c[q][b]>(mixed, firstMixed, m.value[M::pi(a, b)]);
            });
        });
        constexpr double w = linkWeight<L, q>;
        const R even = constant<R>(w) * base + constant<R>(4.5 * w) * flux;
        visit(Constant<q>{}, firstMixed ? even : R(even + constant<R>(9 * w) * mixed), R(constant<R>(3 * w) * odd));
    });
}

} // namespace lbm
