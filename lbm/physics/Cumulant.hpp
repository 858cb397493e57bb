// Cumulants with the rates of third order and the terms of fourth that leave diffusion an error of fourth order, where viscosity is
// small (Geier, Pasquali & Schonherr 2017, "K17": J. Comput. Phys. 348, 862-888; omega_2, of bulk viscosity, is one, as are the
// rates of fourth order and above). With omega = omega_1, C the cumulants times inertia, of unit density below:
//   C_xyy + C_xzz, C_xyy - C_xzz, C_xyz  relax with omega_3, omega_4, omega_5 (CumulantRates), each slowed down to
//                                        omega_i + (1 - omega_i) |C|/(limit + |C|), limit = 0.01;
//   C_yyzz* = -2/3 (1/omega - 1/2) A (d_y v + d_z w),  C_xxyz* = -1/3 (1/omega - 1/2) B (d_y w + d_z v);
//   C_aa*   = (1 - omega) C_aa' + trace*/3 - 3 (1 - omega/2) (u_a^2 d_a u_a)',   ' without the mean over axes,
//   trace*  = -3/2 sum of u_a^2 d_a u_a;
//   d_a u_a = -omega (3 C_aa - trace)/2 - trace/2,
// but in cumulants of fourth order, which take strain rates from what collision leaves: d_a u_a = -3/2 omega C_aa*'/(1 - omega),
// d_y w + d_z v = -3 omega C_yz*/(1 - omega). That differs by a share of the order of u^2 and by the divergence, of terms that are of
// fourth order in wave numbers; and what a collision leaves is a function of density, momentum and cumulants of second and third order,
// 17 values, which a storage may keep in place of populations (ThirdMoments.hpp).
// The paper's rates are those of viscosities below 1/42: omega_4 leaves 0..2 below omega = 7/4, A and B have poles at 1 and 2/5.
// Below 7/4 all rates of third order are one and A = B = 0, with a steady transition up to omega = 1.8 (tau 0.556).
//
// In a stream U along a wave the viscosity keeps an error of U^2 k^2 over omega_4, of second order: c_x^3 is c_x, by which the third
// moments of what moves along x lack 3 U^2 C_xy. At U = 0.1, 32 nodes a wave and tau 0.51 it is 0.2 % (at rest 0.01 %).
//
// D3Q27 alone: with fewer links the third cumulants are not there to be told apart, and on D2Q9 their rates would be others (there is
// cumulantOnes). Both equilibria: see CumulantMoments.hpp. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/CumulantMoments.hpp"
#include "lbm/physics/CumulantRates.hpp"

namespace lbm {

struct Cumulant {
    static constexpr const char* name = "cumulant";
    template<class L>
    static constexpr bool supports = L::Q == 27;
    static constexpr bool ofThird = true;
    template<class S>
    using Rates = CumulantRelaxation<S>;

    static constexpr double limit = 0.01;

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        const CumulantRelaxation<S, W> rates(p);
        R m[L::Q];
        rawMoments<L>(g, m);
        const R r = m[0], third = constant<R>(1.0 / 3) * r;
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int place = 2 * powerStride(a);
            m[place] -= third;
        });
        R u[3], h[3];
        collide<Eq>(r, m, u, h, rates);
        for (int a = 0; a < 3; ++a) u[a] += h[a] + h[a];
        completed<L, Eq>(
            r, m, u, rates, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                g[q] = even + odd;
                if constexpr (q != 0) g[q + 1] = even - odd;
            });
    }

    // Of a lattice WithThird: raw moments to density, momentum and cumulants of unit density after collision.
    template<class Eq, class L, class R, class S, class W>
    LBM_HD static LBM_INLINE void relax(MomentSet<L, R>& s,
                                        const CumulantRelaxation<S, W>& rates) requires keepsThird<L>
    {
        R m[27], u[3], h[3];
        eachPlaceOnLines<L>([&](auto k, auto place) __attribute__((always_inline)) { m[place] = s.value[k]; });
        collide<Eq>(s.value[0], m, u, h, rates);
        putCumulants(s, m);
        s.take(rates);
        if (rates.forced)
            for (int a = 0; a < 3; ++a) s.value[1 + a] += R(rates.force[a]);
    }

    // Populations of what `relax` leaves.
    template<class Eq, class L, class R, class Visit>
    LBM_HD static LBM_INLINE void populations(const MomentSet<L, R>& s, Visit&& visit) requires keepsThird<L>
    {
        const R inverse = __is_same(Eq, Incompressible) ? R(1) : R(R(1) / Eq::inertia(s.value[0]));
        R m[27], u[3];
        eachPlaceOnLines<L>([&](auto k, auto place) __attribute__((always_inline)) { m[place] = s.value[k]; });
        for (int a = 0; a < 3; ++a) u[a] = __is_same(Eq, Incompressible) ? s.value[1 + a] : R(inverse * s.value[1 + a]);
        completed<L, Eq>(s.value[0], m, u, s, visit);
    }

    // Raw moments to the same, without a collision.
    template<class Eq, class L, class R>
    LBM_HD static LBM_INLINE void toCumulants(MomentSet<L, R>& s)
    {
        R m[27], u[3];
        eachPlaceOnLines<L>([&](auto k, auto place) __attribute__((always_inline)) { m[place] = s.value[k]; });
        toUnitDensity<Eq>(s.value[0], m, u);
        centralMoments(m, u);
        putCumulants(s, m);
    }

private:
    static constexpr int xyz = 13;

    // Those of second order on.
    template<class L, class R>
    LBM_HD static LBM_INLINE void putCumulants(MomentSet<L, R>& s, const R (&m)[27])
    {
        eachPlaceOnLines<L>([&](auto k, auto place) __attribute__((always_inline)) {
            if constexpr (k > 3) s.value[k] = m[place];
        });
    }

    // m: moments up to the third, of the second what the weights have is taken off; then cumulants after collision. u: before
    // the force acts; h: what half of it adds.
    template<class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void collide(const R& r, R (&m)[27], R (&u)[3], R (&h)[3],
                                          const CumulantRelaxation<S, W>& rates)
    {
        const R inverse = toUnitDensity<Eq>(r, m, u);
        for (int a = 0; a < 3; ++a) {
            // Chosen before it is spread over a register: GCC 12 (-O3) makes of the other order a force that acts on its first node alone
            const R half = R(constant<W>(0.5) * (rates.forced ? rates.force[a] : W(0)));
            h[a] = __is_same(Eq, Incompressible) ? half : R(inverse * half);
        }
        centralMoments(m, u);
        relaxSecond(m, u, h, rates);
        relaxThird(m, rates);
    }

    template<class L, class Eq, class R, class F, class Visit>
    LBM_HD static LBM_INLINE void completed(const R& r, R (&m)[27], const R (&u)[3], const F& factors, Visit&& visit)
    {
        const R mean = constant<R>(1.0 / 3) * (m[2] + m[6] + m[18]);
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int b = (a + 1) % 3, c = (a + 2) % 3, x = powerStride(a), y = powerStride(b), z = powerStride(c);
            m[2 * y + 2 * z] = R(factors.plane) * (m[2 * x] - mean);
            m[2 * x + y + z] = R(factors.edge) * m[y + z];
        });
        completeCentralMoments<true>(m);
        shiftMoments<L>(m, u);
        pairsOfMoments<L, Eq>(r, m, visit);
    }

    // Returns one over inertia.
    template<class Eq, class R>
    LBM_HD static LBM_INLINE R toUnitDensity(const R& r, R (&m)[27], R (&u)[3])
    {
        constexpr bool heavy = !__is_same(Eq, Incompressible);
        const R inverse = heavy ? R(R(1) / Eq::inertia(r)) : R(1);
        const auto scale = [&](R & v) __attribute__((always_inline))
        {
            if constexpr (heavy) v *= inverse;
        };
        unroll<3>([&](auto axis) __attribute__((always_inline)) {
            constexpr int x = powerStride(axis), y = powerStride((axis + 1) % 3), z = powerStride((axis + 2) % 3);
            u[axis] = m[x];
            scale(u[axis]);
            scale(m[2 * x]);
            scale(m[y + z]);
            scale(m[x + 2 * y]);
            scale(m[x + 2 * z]);
        });
        scale(m[xyz]);
        return inverse;
    }

    // Of second and third order, beyond those of the weights.
    template<class R>
    LBM_HD static LBM_INLINE void centralMoments(R (&m)[27], const R (&u)[3])
    {
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int x = powerStride(a), b = (a + 1) % 3, y = powerStride(b);
            m[2 * x] -= u[a] * u[a];
            m[x + y] -= u[a] * u[b];
        });
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int b = (a + 1) % 3, c = (a + 2) % 3, x = powerStride(a), y = powerStride(b), z = powerStride(c);
            const R third = constant<R>(1.0 / 3);
            m[x + 2 * y] -= u[a] * (third + m[2 * y] + u[b] * u[b]) + R(2) * (u[b] * m[x + y]);
            m[x + 2 * z] -= u[a] * (third + m[2 * z] + u[c] * u[c]) + R(2) * (u[c] * m[x + z]);
            m[xyz] -= u[a] * m[y + z];
        });
        m[xyz] -= u[0] * (u[1] * u[2]);
    }

    template<class R, class S, class W>
    LBM_HD static LBM_INLINE void relaxSecond(R (&m)[27], const R (&u)[3], const R (&h)[3],
                                              const CumulantRelaxation<S, W>& p)
    {
        const R omega = R(p.omega), keep = R(W(1) - p.omega);
        // Half of a force brings h h to the stress, and takes it away again
        if (p.forced)
            unroll<3>([&](auto a) __attribute__((always_inline)) {
                constexpr int x = powerStride(a), b = (a + 1) % 3, y = powerStride(b);
                m[2 * x] += h[a] * h[a];
                m[x + y] += h[a] * h[b];
            });
        const R trace = m[2] + m[6] + m[18], mean = constant<R>(1.0 / 3) * trace;
        R gradient[3], term[3];
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int x = powerStride(a);
            m[2 * x] -= mean;
            gradient[a] = constant<R>(-1.5) * (omega * m[2 * x]) - constant<R>(0.5) * trace;
            const R v = u[a] + h[a];
            term[a] = v * v * gradient[a];
        });
        const R sum = term[0] + term[1] + term[2];
        const R ofTerm = R(constant<W>(1.5) * p.omega - W(3)), ofSum = R(constant<W>(0.5) * (W(1) - p.omega)) * sum;
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int b = (a + 1) % 3, c = (a + 2) % 3, x = powerStride(a), y = powerStride(b), z = powerStride(c);
            m[2 * x] = keep * m[2 * x] + ofTerm * term[a] + ofSum;
            m[y + z] *= keep;
        });
        if (p.forced) {
            const R square = constant<R>(1.0 / 3) * (h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
            unroll<3>([&](auto a) __attribute__((always_inline)) {
                constexpr int x = powerStride(a), b = (a + 1) % 3, y = powerStride(b);
                m[2 * x] -= h[a] * h[a] - square;
                m[x + y] -= h[a] * h[b];
            });
        }
    }

    template<class R, class W>
    LBM_HD static LBM_INLINE void relaxThird(R (&m)[27], const CumulantRates<W>& rates)
    {
        // One division for all: packs wait long for each
        R plus[3], minus[3], ofPlus[3], ofMinus[3], both[3];
        const R ofMixed = constant<R>(limit) + magnitude(m[xyz]);
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int b = (a + 1) % 3, c = (a + 2) % 3, x = powerStride(a), y = powerStride(b), z = powerStride(c);
            plus[a] = m[x + 2 * y] + m[x + 2 * z];
            minus[a] = m[x + 2 * y] - m[x + 2 * z];
            ofPlus[a] = constant<R>(limit) + magnitude(plus[a]);
            ofMinus[a] = constant<R>(limit) + magnitude(minus[a]);
            both[a] = ofPlus[a] * ofMinus[a];
        });
        const R first = both[0] * both[1], last = both[2] * ofMixed, inverse = constant<R>(limit) / (first * last);
        const R ofFirst = constant<R>(0.5) * (inverse * last), ofLast = inverse * first;
        const R share[3] = {ofFirst * both[1], ofFirst * both[0], constant<R>(0.5) * (ofLast * ofMixed)};
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int b = (a + 1) % 3, c = (a + 2) % 3, x = powerStride(a), y = powerStride(b), z = powerStride(c);
            plus[a] *= R(rates.plus) * (share[a] * ofMinus[a]);
            minus[a] *= R(rates.minus) * (share[a] * ofPlus[a]);
            m[x + 2 * y] = plus[a] + minus[a];
            m[x + 2 * z] = plus[a] - minus[a];
        });
        m[xyz] *= R(rates.mixed) * (ofLast * both[2]);
    }
};

} // namespace lbm
