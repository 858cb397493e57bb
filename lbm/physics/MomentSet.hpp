// MomentSet: what regularized collisions know of a node: density, momentum and the second Hermite moment
//   r = sum g,  j = sum c g,  pi_ab = sum (c_a c_b - delta_ab/3) g      with g the deviation from the weight,
// 6 values in two dimensions and 10 in three, whatever the lattice, and the populations that they stand for,
//   g_q = w_q (r + 3 c.j + 9/2 (c_a c_b - delta_ab/3) pi_ab)
// (equations (8)-(10) and (16) of Gounley, Vardhan, Draeger, Valero-Lara, Moore & Randles 2022).
// Of a lattice WithThird 17 values: raw moments of third order come behind them, and what such a collision leaves (and is stored) are
// density, momentum and cumulants in the places of the others (Cumulant.hpp).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Scalar.hpp"
#include "lbm/physics/LineMoments.hpp"
#include "lbm/physics/ThirdMoments.hpp"

namespace lbm {

template<class L, class R>
struct MomentSet : FactorsOf<L>::template Type<R> {
    using Factors = typename FactorsOf<L>::template Type<R>;
    static constexpr int tensor = L::D * (L::D + 1) / 2, ofSecond = 1 + L::D + tensor,
                         count = ofSecond + (keepsThird<L> ? 7 : 0);

    R value[count]; // r; j; pi as xx, xy, (xz,) yy, (yz, zz); (xyy, xzz, yzz, yxx, zxx, zyy, xyz)

    // Place of pi_ab.
    static constexpr int pi(int a, int b) { return a > b ? pi(b, a) : 1 + L::D + a * L::D - a * (a - 1) / 2 + b - a; }

    // Places of the moments of c_a c_b^2, a and b not the same, and of c_x c_y c_z.
    static constexpr int third(int a, int b) { return ofSecond + 2 * a + (b == (a + 1) % 3 ? 0 : 1); }
    static constexpr int mixed = count - 1;

    // Of those which populations are made with; moments of second order have none.
    template<class F>
    LBM_HD LBM_INLINE void take([[maybe_unused]] const F& factors)
    {
        if constexpr (keepsThird<L>) {
            this->plane = R(factors.plane);
            this->edge = R(factors.edge);
        }
    }
};

// visit(place in a MomentSet, place on lines) of all moments of a lattice WithThird.
template<class L, class Visit>
LBM_HD LBM_INLINE void eachPlaceOnLines(Visit&& visit)
{
    using M = MomentSet<L, float>;
    visit(Constant<0>{}, Constant<0>{});
    unroll<3>([&](auto a) __attribute__((always_inline)) {
        constexpr int x = powerStride(a);
        visit(Constant<1 + a>{}, Constant<x>{});
        unroll<3>([&](auto b) __attribute__((always_inline)) {
            constexpr int y = powerStride(b);
            if constexpr (b >= a) visit(Constant<M::pi(a, b)>{}, Constant<x + y>{});
            if constexpr (int(a) != int(b)) visit(Constant<M::third(a, b)>{}, Constant<x + 2 * y>{});
        });
    });
    visit(Constant<M::mixed>{}, Constant<13>{});
}

// sum += value, or -= for a negative sign; the first time sum = value, so that no zero is added. `first` is known when
// compiling, once loops are unrolled.
template<int sign, class R>
LBM_HD LBM_INLINE void accumulate(R& sum, bool& first, const R& value)
{
    if constexpr (sign > 0) sum = first ? value : R(sum + value);
    if constexpr (sign < 0) sum = first ? R(-value) : R(sum - value);
    if constexpr (sign != 0) first = false;
}

// What population q adds to the k-th raw moment of third order.
template<class L>
constexpr int thirdPower(int q, int k)
{
    const int a = k / 2, b = (a + 1 + k % 2) % 3;
    return k == 6 ? L::c[q][0] * L::c[q][1] * L::c[q][2] : L::c[q][a] * L::c[q][b] * L::c[q][b];
}

// From raw moments of second order what the weights have of them.
template<class L, class R>
LBM_HD LBM_INLINE void subtractWeights(MomentSet<L, R>& m)
{
    const R third = constant<R>(1.0 / 3) * m.value[0];
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { m.value[MomentSet<L, R>::pi(a, a)] -= third; });
}

template<class L, class R>
LBM_HD LBM_INLINE MomentSet<L, R> momentsOf(const R (&g)[L::Q])
{
    using M = MomentSet<L, R>;
    M m;
    if constexpr (keepsThird<L>) {
        R line[L::Q];
        rawMoments<L>(g, line);
        eachPlaceOnLines<L>([&](auto k, auto place) __attribute__((always_inline)) { m.value[k] = line[place]; });
        subtractWeights(m);
        return m;
    }
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
    subtractWeights(m);
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
