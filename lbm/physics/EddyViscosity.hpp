// Eddy viscosity of a velocity gradient, with a filter as wide as nodes are apart: models that know rotation from strain, so that
// where a laminar flow has shear alone, as beside a wall, they have no viscosity; and the gradient itself, from the velocities
// around a node. Lattice units. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Scalar.hpp"
#include "lbm/lattice/Unroll.hpp"
#include "lbm/physics/Parameters.hpp"

namespace lbm {

// The derivative along one axis, of differences beyond and before the node: central where there are nodes on both sides, one-sided
// where there is a link to something else (a wall, an opening, a plane), which tells no velocity; 0 with nothing on either side.
// hasHigh, hasLow: a mask of R's lanes, or a bool. choose(mask, a, b): a where the mask is set, else b.
template<class R, class Mask, class Choose>
LBM_HD LBM_INLINE R derivative(const R& low, const R& here, const R& high, const Mask& hasLow, const Mask& hasHigh,
                               Choose&& choose)
{
    const R l = choose(hasLow, low, here), h = choose(hasHigh, high, here);
    const R above = choose(hasHigh, h, R(here + (here - l))), below = choose(hasLow, l, R(here - (h - here)));
    return constant<R>(0.5) * (above - below);
}

// g[a][b] = du_b/dx_a
template<class R>
using VelocityGradientTensor = R[3][3];

namespace eddies {

// Nicoud & Ducros 1999; S and Sd as OpenFOAM's WALE has them: Sd = dev(symm(g.g)),
//   nu = Cw^2 (Sd:Sd)^(3/2) / ((S:S)^(5/2) + (Sd:Sd)^(5/4)) = Cw^2 a^6/(b^5 + a^5),  a^4 = Sd:Sd, b^2 = S:S.
// Rates are multiplied by `scale` meanwhile, so that a^5 of the slowest flow is a number in single precision.
template<class R, class S>
LBM_HD LBM_INLINE R wale(const VelocityGradientTensor<R>& g, const S& square)
{
    constexpr double scale = 1024;
    R d[3][3];
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) d[a][b] = g[a][0] * g[0][b] + g[a][1] * g[1][b] + g[a][2] * g[2][b];
    const R third = constant<R>(1.0 / 3) * (d[0][0] + d[1][1] + d[2][2]);
    const R half = constant<R>(0.5);
    const R dx = d[0][0] - third, dy = d[1][1] - third, dz = d[2][2] - third;
    const R dxy = half * (d[0][1] + d[1][0]), dxz = half * (d[0][2] + d[2][0]), dyz = half * (d[1][2] + d[2][1]);
    const R sxy = half * (g[0][1] + g[1][0]), sxz = half * (g[0][2] + g[2][0]), syz = half * (g[1][2] + g[2][1]);
    const R rotational = dx * dx + dy * dy + dz * dz + R(2) * (dxy * dxy + dxz * dxz + dyz * dyz);
    const R strain =
        g[0][0] * g[0][0] + g[1][1] * g[1][1] + g[2][2] * g[2][2] + R(2) * (sxy * sxy + sxz * sxz + syz * syz);
    const R a2 = constant<R>(scale * scale) * squareRoot(rotational), a = squareRoot(a2), a4 = a2 * a2;
    const R b = constant<R>(scale) * squareRoot(strain), b2 = b * b;
    return R(S(square) * S(1 / scale)) * (a4 * a2) / (b2 * b2 * b + a4 * a + constant<R>(1e-30));
}

// Vreman 2004, equations (5) to (8): nu = c sqrt(B/(g:g)), B the second invariant of g^T g, which is the sum of the squares of
// all minors of g of second order (Cauchy & Binet): so written it is 0 in shear, to the last bit.
template<class R, class S>
LBM_HD LBM_INLINE R vreman(const VelocityGradientTensor<R>& g, const S& constantOf)
{
    R second(0), square(0);
    for (int a = 0; a < 3; ++a) {
        const int i = (a + 1) % 3, j = (a + 2) % 3;
        for (int b = 0; b < 3; ++b) {
            const int k = (b + 1) % 3, l = (b + 2) % 3;
            const R minor = g[i][k] * g[j][l] - g[i][l] * g[j][k];
            second += minor * minor;
            square += g[a][b] * g[a][b];
        }
    }
    return R(constantOf) * squareRoot(R(second / (square + constant<R>(1e-30))));
}

// Verstappen 2011: nu = c max(r, 0)/q with q = S:S/2 and r = -det S.
template<class R, class S>
LBM_HD LBM_INLINE R qr(const VelocityGradientTensor<R>& g, const S& constantOf)
{
    const R half = constant<R>(0.5);
    const R xy = half * (g[0][1] + g[1][0]), xz = half * (g[0][2] + g[2][0]), yz = half * (g[1][2] + g[2][1]);
    const R third = constant<R>(1.0 / 3) * (g[0][0] + g[1][1] + g[2][2]); // of the bulk, no shear
    const R x = g[0][0] - third, y = g[1][1] - third, z = g[2][2] - third;
    const R q = half * (x * x + y * y + z * z) + (xy * xy + xz * xz + yz * yz);
    const R r = x * (yz * yz - y * z) + xy * (xy * z - xz * yz) + xz * (xz * y - xy * yz);
    return R(constantOf) * larger(r, R(0)) / (q + constant<R>(1e-30));
}

// Of one of them, known when compiling.
template<RateKind kind, class R, class S>
LBM_HD LBM_INLINE R viscosity(const VelocityGradientTensor<R>& g, const S& constantOf)
{
    static_assert(isOfGradient(kind));
    if constexpr (kind == RateKind::wale) return wale(g, constantOf);
    else if constexpr (kind == RateKind::vreman) return vreman(g, constantOf);
    else return qr(g, constantOf);
}

} // namespace eddies

// visit(k, component of S): as placeOfStrain numbers them.
template<int D, class R, class Visit>
LBM_HD LBM_INLINE void strainOf(const VelocityGradientTensor<R>& g, Visit&& visit)
{
    unroll<D>([&](auto a) __attribute__((always_inline)) {
        visit(Constant<a * D - a*(a - 1) / 2>{}, g[a][a]);
        unroll<D - 1 - a>([&](auto i) __attribute__((always_inline)) {
            constexpr int b = a + 1 + i;
            visit(Constant<a * D - a*(a - 1) / 2 + b - a>{}, R(constant<R>(0.5) * (g[a][b] + g[b][a])));
        });
    });
}

// tau of a closure whose rates are of a gradient (isOfGradient), one known when compiling. At least 1/2 + 3 |u|/Re, as of
// Smagorinsky's.
template<RateKind kind, class R, class S>
LBM_HD LBM_INLINE R tauOfGradient(const VelocityGradientTensor<R>& g, const R (&u)[3], const ClosureData<S>& c)
{
    const R own = R(c.tau) + R(3) * eddies::viscosity<kind>(g, c.square);
    if (!(c.least > 0)) return own;
    return larger(own, R(R(S(0.5)) + R(c.least) * squareRoot(R(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]))));
}

// visit(Constant<kind>): of those kinds, the one that is asked for.
template<class Visit>
LBM_HD LBM_INLINE void withGradientKind(RateKind kind, Visit&& visit)
{
    if (kind == RateKind::wale) visit(Constant<int(RateKind::wale)>{});
    else if (kind == RateKind::vreman) visit(Constant<int(RateKind::vreman)>{});
    else if (kind == RateKind::qr) visit(Constant<int(RateKind::qr)>{});
}

} // namespace lbm
