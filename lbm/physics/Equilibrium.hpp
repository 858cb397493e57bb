// Equilibria, second order in u. Populations are stored as deviation from the weight, g = f - w, so
// that single precision keeps its digits; density enters as r = rho - 1.
//   quasi-compressible: f = w rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2),  u = sum c f / rho
//   incompressible:     f = w (rho + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2),    u = sum c f
// (He & Luo 1997; equations (3)-(6) of Tomczak & Szafran 2019.)
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"
#include "lbm/lattice/Scalar.hpp"
#include "lbm/lattice/Unroll.hpp"

namespace lbm {

template<class R>
struct Hydrodynamics {
    R r;    // rho - 1
    R j[3]; // momentum, without half of the force
    R u[3]; // velocity, with half of the force
};

// c.v for a compile-time link: additions only.
template<class L, int q, class R>
LBM_HD LBM_INLINE R dot(const R (&v)[3])
{
    R sum{};
    bool first = true;
    unroll<L::D>([&](auto a) __attribute__((always_inline)) {
        constexpr int c = L::c[q][a];
        if constexpr (c == 1) {
            sum = first ? R(v[a]) : R(sum + v[a]);
            first = false;
        }
        if constexpr (c == -1) {
            sum = first ? R(-v[a]) : R(sum - v[a]);
            first = false;
        }
    });
    return sum;
}

// Density and momentum. Pairs of opposite links are added first: even and odd sums share the work.
template<class L, class R>
LBM_HD LBM_INLINE void densityAndMomentum(const R (&g)[L::Q], R& r, R (&j)[3])
{
    r = g[0];
    for (R& component : j) component = R(0);
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1;
        r += g[q] + g[q + 1];
        const R odd = g[q] - g[q + 1];
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            if constexpr (L::c[q][a] == 1) j[a] += odd;
            if constexpr (L::c[q][a] == -1) j[a] -= odd;
        });
    });
}

struct QuasiCompressible {
    static constexpr const char* name = "quasiCompressible";
    template<class R>
    LBM_HD static LBM_INLINE R inertia(R r)
    {
        return r + R(1);
    }
};

struct Incompressible {
    static constexpr const char* name = "incompressible";
    template<class R>
    LBM_HD static LBM_INLINE R inertia(R)
    {
        return R(1);
    }
};

template<class Eq, class R>
LBM_HD LBM_INLINE void velocityFromMomentum(R r, const R (&j)[3], const R (&halfForce)[3], R (&u)[3])
{
    if constexpr (__is_same(Eq, Incompressible)) {
        for (int a = 0; a < 3; ++a) u[a] = j[a] + halfForce[a];
    } else {
        const R inverse = R(1) / Eq::inertia(r);
        for (int a = 0; a < 3; ++a) u[a] = (j[a] + halfForce[a]) * inverse;
    }
}

// Equilibrium of all links by pairs: calls back visit(q, even, odd) for each pair (q, q+1), where
// g_q = even + odd and g_{q+1} = even - odd; q = 0 comes alone, with odd = 0.
template<class L, class Eq, class R, class Visit>
LBM_HD LBM_INLINE void equilibriumPairs(R r, const R (&u)[3], Visit&& visit)
{
    R uu = u[0] * u[0];
    unroll<L::D - 1>([&](auto a) __attribute__((always_inline)) { uu += u[a + 1] * u[a + 1]; });
    const R inertia = Eq::inertia(r);
    const R base = r - constant<R>(1.5) * inertia * uu;
    visit(Constant<0>{}, R(constant<R>(linkWeight<L, 0>) * base), R(0));
    unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int q = 2 * pair + 1;
        const R cu = dot<L, q>(u);
        if constexpr (__is_same(Eq, Incompressible)) {
            visit(Constant<q>{},
                  R(constant<R>(linkWeight<L, q>) * base + constant<R>(4.5 * linkWeight<L, q>) * (cu * cu)),
                  R(constant<R>(3 * linkWeight<L, q>) * cu));
        } else {
            const R weighted = inertia * cu;
            visit(Constant<q>{},
                  R(constant<R>(linkWeight<L, q>) * base + constant<R>(4.5 * linkWeight<L, q>) * (weighted * cu)),
                  R(constant<R>(3 * linkWeight<L, q>) * weighted));
        }
    });
}

template<class L, class Eq, class R>
LBM_HD LBM_INLINE void equilibrium(R r, const R (&u)[3], R (&g)[L::Q])
{
    equilibriumPairs<L, Eq>(
        r, u, [&](auto q, R even, R odd) __attribute__((always_inline)) {
            g[q] = even + odd;
            if constexpr (q != 0) g[q + 1] = even - odd;
        });
}

} // namespace lbm
