// CumulantMoments: what collisions of cumulants share, on lattices that are products of lines, D2Q9 and D3Q27: moments of
// populations, central moments of a distribution of which the cumulants are known, and the populations that have them
// (Geier, Schonherr, Pasquali & Krafczyk 2015).
//
// Moments, in the places of LineMoments.hpp, after collision are those
// of a distribution of unit density, less what the weights have of them (1, 1/3, 1/9, 1/27 where all powers are even): density r
// enters populations at the end,
//   g = w r + inertia g',   inertia = 1 + r, or 1 of the incompressible equilibrium,
// so that both equilibria need no arithmetic of their own and single precision keeps its digits. Incompressible, w r is no part of
// what moves with the flow, as it is none in that equilibrium: cumulants are those of what remains, of unit density.
//
// Cumulants from the second on stay what they are when a distribution is shifted: a force shifts it from j/inertia to
// (j + F)/inertia between the way there and the way back. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/LineMoments.hpp"
#include "lbm/physics/MomentEquilibrium.hpp"

namespace lbm {

constexpr double momentOfWeights(int place)
{
    double value = 1;
    for (; place > 0; place /= 3) value *= place % 3 == 0 ? 1 : place % 3 == 1 ? 0 : 1.0 / 3;
    return value;
}

// m: given second and third central moments, and in places of the fourth order cumulants; completed by the fourth, fifth and sixth
// central moments, of which no other cumulants are left. high: cumulants of third and fourth order do not vanish; else nothing is
// read there.
template<bool high, class R>
LBM_HD LBM_INLINE void completeCentralMoments(R (&m)[9])
{
    static_assert(!high);
    m[5] = m[7] = R(0);
    m[8] = constant<R>(1.0 / 3) * (m[2] + m[6]) + m[2] * m[6] + R(2) * (m[4] * m[4]);
}

template<bool high, class R>
LBM_HD LBM_INLINE void completeCentralMoments(R (&m)[27])
{
    constexpr int xyz = 13;
    const R third = constant<R>(1.0 / 3);
    R sixth = R(8) * (m[4] * m[10] * m[12]) - R(2) * (m[2] * m[6] * m[18]);
    unroll<3>([&](auto axis) __attribute__((always_inline)) {
        constexpr int x = powerStride(axis), y = powerStride((axis + 1) % 3), z = powerStride((axis + 2) % 3);
        const R xx = m[2 * x], yy = m[2 * y], zz = m[2 * z], xy = m[x + y], xz = m[x + z], yz = m[y + z];
        const R product = yy * zz;
        R plane = product + R(2) * (yz * yz), mixed = (third + xx) * yz + R(2) * (xy * xz);
        if constexpr (high) {
            const R xyy = m[x + 2 * y], xzz = m[x + 2 * z];
            sixth += R(4) * (yz * m[2 * x + y + z]) + R(2) * (xyy * xzz);
            plane += m[2 * y + 2 * z];
            mixed += m[2 * x + y + z];
            m[x + 2 * y + 2 * z] = (third + zz) * xyy + (third + yy) * xzz
                + R(2) * (R(2) * (yz * m[xyz]) + xy * m[y + 2 * z] + xz * m[2 * y + z]);
        } else {
            m[x + 2 * y] = m[x + 2 * z] = m[x + 2 * y + 2 * z] = R(0);
        }
        m[2 * x + y + z] = mixed;
        m[2 * y + 2 * z] = plane + third * (yy + zz);
        sixth += third * (plane + third * xx) - constant<R>(2.0 / 3) * product + xx * m[2 * y + 2 * z];
    });
    if constexpr (high) sixth += R(4) * (m[xyz] * m[xyz]);
    else m[xyz] = R(0);
    m[26] = sixth;
}

// Central moments about u become moments. Those of order zero and one are taken for zero.
template<class L, class R>
LBM_HD LBM_INLINE void shiftMoments(R (&m)[L::Q], const R (&u)[3])
{
    unroll<L::D>([&](auto axis) __attribute__((always_inline)) {
        unroll<L::Q / 3>([&](auto line) __attribute__((always_inline)) {
            constexpr int s = powerStride(axis), k = lineStart(line, axis);
            constexpr double weights = momentOfWeights(k);
            const R& v = u[axis];
            if constexpr (k == 0) {
                m[s] = v;
                m[2 * s] += v * v;
            } else if constexpr (k % 3 + k / 3 % 3 + k / 9 == 1 && k > s) {
                m[k + 2 * s] += R(2) * (v * m[k + s]); // nothing has moved along the line's own axis yet
            } else {
                const R before = m[k + s];
                if constexpr (weights == 0) m[k + s] += v * m[k];
                else m[k + s] += v * (m[k] + constant<R>(weights));
                m[k + 2 * s] += v * (before + m[k + s]);
            }
        });
    });
}

// One of the moments that a population is made from: of each axis along which link q leads power 1 where the bit of `choice` is
// set, else 2, and power 0 of the others.
struct MomentOfLink {
    int place, sign;
    bool odd;
};

template<class L>
constexpr MomentOfLink momentOfLink(int q, int choice)
{
    MomentOfLink term{0, 1, false};
    for (int a = 0; a < L::D; ++a) {
        if (L::c[q][a] == 0) continue;
        const bool one = choice & 1;
        choice >>= 1;
        term.place += powerStride(a) * (one ? 1 : 2);
        if (one) {
            term.sign *= L::c[q][a];
            term.odd = !term.odd;
        }
    }
    return term;
}

// visit(q, even, odd) as momentPairs does it. m: moments of unit density, given up.
template<class L, class Eq, class R, class Visit>
LBM_HD LBM_INLINE void pairsOfMoments(const R& r, R (&m)[L::Q], Visit&& visit)
{
    // Power 0 of each axis becomes the share of c = 0, power 2 that of c = 1 and c = -1, of which half is one's
    unroll<L::D>([&](auto axis) __attribute__((always_inline)) {
        unroll<L::Q / 3>([&](auto line) __attribute__((always_inline)) {
            constexpr int s = powerStride(axis), k = lineStart(line, axis);
            if constexpr (int(axis) == 0 && k == 0) m[0] = -m[2];
            else m[k] -= m[k + 2 * s];
        });
    });
    const R inertia = Eq::inertia(r);
    visit(Constant<0>{}, R(constant<R>(linkWeight<L, 0>) * r + inertia * m[0]), R(0));
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1;
        constexpr int length = L::c[q][0] * L::c[q][0] + L::c[q][1] * L::c[q][1] + L::c[q][2] * L::c[q][2];
        R sum[2]; // even, odd
        bool first[2] = {true, true};
        unroll<(1 << length)>([&](auto choice) __attribute__((always_inline)) {
            constexpr auto term = momentOfLink<L>(q, choice);
            accumulate<term.sign>(sum[term.odd], first[term.odd], m[term.place]);
        });
        const R scale = constant<R>(1.0 / (1 << length)) * inertia;
        visit(Constant<q>{}, R(constant<R>(linkWeight<L, q>) * r + scale * sum[0]), R(scale * sum[1]));
    });
}

} // namespace lbm
