// Cumulants with the rates of third order and the terms of fourth that leave diffusion an error of fourth order, where viscosity is
// small (Geier, Pasquali & Schonherr 2017, "K17": J. Comput. Phys. 348, 862-888; omega_2, of bulk viscosity, is one, as are the
// rates of fourth order and above). With omega = omega_1, C the cumulants times inertia, of unit density below:
//   C_xyy + C_xzz, C_xyy - C_xzz, C_xyz  relax with omega_3, omega_4, omega_5 (CumulantRates), each slowed down to
//                                        omega_i + (1 - omega_i) |C|/(limit + |C|), limit = 0.01;
//   C_yyzz* = -2/3 (1/omega - 1/2) A (d_y v + d_z w),  C_xxyz* = -1/3 (1/omega - 1/2) B (d_y w + d_z v);
//   C_aa*   = (1 - omega) C_aa' + trace*/3 - 3 (1 - omega/2) (u_a^2 d_a u_a)',   ' without the mean over axes,
//   trace*  = -3/2 sum of u_a^2 d_a u_a;
//   d_a u_a = -omega (3 C_aa - trace)/2 - trace/2,  d_y w + d_z v = -3 omega C_yz.
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
#include "lbm/physics/RelaxMoments.hpp"

namespace lbm {

// What relaxation multiplies by. W: as in Parameters.
template<class W>
struct CumulantRates {
    W plus, minus, mixed; // 1 - omega_3, 1 - omega_4, 1 - omega_5
    W plane;              // -2/3 (1/omega - 1/2) A
    W edge;               // C_xxyz* over C_yz: (1 - omega/2) B

    LBM_HD LBM_INLINE explicit CumulantRates(const W& omega)
    {
        const W beyond = positivePart(W(omega - constant<W>(1.75))), o = beyond + constant<W>(1.75);
        const W share = W(1) - positivePart(W(W(1) - W(20) * beyond));
        const W square = o * o, left = W(2) - o;
        const W ofPlus = W(8) + W(14) * o - W(7) * square, ofMinus = W(56) - W(50) * o + W(9) * square,
                ofMixed = W(48) + W(152) * o + square * (W(29) * o - W(130)), pole = (o - W(1)) * (W(5) * o - W(2));
        // One division for all
        const W first = ofPlus * ofMinus, second = ofMixed * pole, inverse = share / (first * second * o);
        const W firstInverse = inverse * (second * o), secondInverse = inverse * first;
        plus = share - W(8) * left * (W(1) + W(2) * o) * (firstInverse * ofMinus);
        minus = share - W(8) * left * (W(7) - W(4) * o) * (firstInverse * ofPlus);
        mixed = share - W(24) * left * (W(2) + W(7) * o - W(3) * square) * (secondInverse * (pole * o));
        const W scale = left * secondInverse * ofMixed;
        plane = constant<W>(-1.0 / 3) * scale * (W(4) + W(2) * o - W(3) * square);
        edge = constant<W>(1.0 / 6) * scale * o * (W(4) + W(28) * o - W(14) * square);
    }

private:
    LBM_HD static LBM_INLINE W positivePart(const W& v) { return constant<W>(0.5) * (v + magnitude(v)); }
};

struct Cumulant {
    static constexpr const char* name = "cumulant";
    template<class L>
    static constexpr bool supports = L::Q == 27;

    static constexpr double limit = 0.01;

    template<class L, class Eq, class R, class S, class W>
    LBM_HD static LBM_INLINE void apply(R (&g)[L::Q], const Parameters<S, W>& p)
    {
        constexpr bool heavy = !__is_same(Eq, Incompressible);
        R m[L::Q];
        rawMoments<L>(g, m);
        const R r = m[0];
        R u[3], h[3];
        toUnitDensity<heavy>(Eq::inertia(r), r, p, m, u, h);
        centralMoments(m, u);
        relax(m, u, h, p);
        completeCentralMoments<true>(m);
        for (int a = 0; a < 3; ++a) u[a] += h[a] + h[a];
        shiftMoments<L>(m, u);
        pairsOfMoments<L, Eq>(
            r, m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                g[q] = even + odd;
                if constexpr (q != 0) g[q + 1] = even - odd;
            });
    }

private:
    static constexpr int xyz = 13;

    // Moments up to the third. u: before the force acts. h: what half of it adds.
    template<bool heavy, class R, class S, class W>
    LBM_HD static LBM_INLINE void toUnitDensity(const R& inertia, const R& r, const Parameters<S, W>& p, R (&m)[27],
                                                R (&u)[3], R (&h)[3])
    {
        const R inverse = heavy ? R(R(1) / inertia) : R(1);
        const auto scaled = [&](const R& v) __attribute__((always_inline)) { return heavy ? R(inverse * v) : v; };
        const R third = constant<R>(1.0 / 3) * r;
        unroll<3>([&](auto axis) __attribute__((always_inline)) {
            constexpr int x = powerStride(axis), y = powerStride((axis + 1) % 3), z = powerStride((axis + 2) % 3);
            u[axis] = scaled(m[x]);
            h[axis] = p.forced ? scaled(constant<R>(0.5) * R(p.force[axis])) : R(0);
            m[2 * x] = scaled(m[2 * x] - third);
            m[y + z] = scaled(m[y + z]);
            m[x + 2 * y] = scaled(m[x + 2 * y]);
            m[x + 2 * z] = scaled(m[x + 2 * z]);
        });
        m[xyz] = scaled(m[xyz]);
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

    // Cumulants up to the fourth order after collision.
    template<class R, class S, class W>
    LBM_HD static LBM_INLINE void relax(R (&m)[27], const R (&u)[3], const R (&h)[3], const Parameters<S, W>& p)
    {
        const CumulantRates<W> rates(p.omega);
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
            m[2 * y + 2 * z] = R(rates.plane) * (gradient[b] + gradient[c]);
            m[2 * x + y + z] = R(rates.edge) * m[y + z];
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
        relaxThird(m, rates);
    }

    template<class R, class W>
    LBM_HD static LBM_INLINE void relaxThird(R (&m)[27], const CumulantRates<W>& rates)
    {
        // Pairs share a division: packs wait long for each
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            constexpr int b = (a + 1) % 3, c = (a + 2) % 3, x = powerStride(a), y = powerStride(b), z = powerStride(c);
            R plus = m[x + 2 * y] + m[x + 2 * z], minus = m[x + 2 * y] - m[x + 2 * z];
            const R limitHalf = constant<R>(0.5 * limit);
            const R ofPlus = constant<R>(limit) + magnitude(plus), ofMinus = constant<R>(limit) + magnitude(minus);
            const R inverse = limitHalf / (ofPlus * ofMinus);
            plus *= R(rates.plus) * (inverse * ofMinus);
            minus *= R(rates.minus) * (inverse * ofPlus);
            m[x + 2 * y] = plus + minus;
            m[x + 2 * z] = plus - minus;
        });
        m[xyz] *= R(rates.mixed) * constant<R>(limit) / (constant<R>(limit) + magnitude(m[xyz]));
    }
};

} // namespace lbm
