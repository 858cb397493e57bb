// What happens to a scalar in a node and at a link: populations along the axes, weight 1/8 each, the rest at the node, cs^2 = 1/4.
//
// Two relaxation times (Ginzburg, Adv. Water Resour. 28, 1171 (2005)): the odd part's decides the diffusivity (tau - 1/2)/4, the even
// part's follows from the magic number (tau+ - 1/2)(tau- - 1/2). With 1/8 a scalar that is a polynomial of second degree along a link
// has at the half-way place exactly the value that anti-bounce-back imposes: its closure in the steady state without flow is
// s + s'/2 + magic s'' for derivatives along the link.
//
// An equilibrium that is linear in the velocity alone diffuses by D (1 - 4 u^2) along it: the odd part, s u, changes in time as the flow
// carries s, by -u (u . grad s). This rate is taken out by a source of the odd part (Chopard, Falcone & Latt, Eur. Phys. J. Spec. Top.
// 171, 245 (2009)), with the gradient from what the odd part has beyond its equilibrium, -(tau/4 - u u/2) grad s, solved for in closed
// form. Nothing but the node is needed for it, the even part, and so what links to patches bring, stays as it is, and diffusion is the
// same in all directions. What is left of the kind is s du/dt.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <cstdint>

namespace lbm {

// Links by number: 0 at rest, then +x -x +y -y +z -z: opposite ones are next to each other, as in the lattices of flows.
template<int D>
struct ScalarLinks {
    static constexpr int dimensions = D, Q = 1 + 2 * D;
    LBM_HD static constexpr int axis(int q) { return (q - 1) / 2; }
    LBM_HD static constexpr int sign(int q) { return q % 2 ? 1 : -1; }
};

template<class R>
struct ScalarRates {
    R odd, even; // relaxation rates
};

template<class R>
LBM_HD LBM_INLINE ScalarRates<R> scalarRates(R diffusivity, R magic)
{
    const R beyond = 4 * diffusivity;
    return {1 / (R(0.5) + beyond), beyond / (beyond * R(0.5) + magic)};
}

// Those of a node. diffusivity: of nodes; null: `all` holds for each.
template<class R>
struct ScalarRatesOfNodes {
    ScalarRates<R> all;
    const R* diffusivity;
    R magic;

    LBM_HD LBM_INLINE ScalarRates<R> at(std::int32_t node) const
    {
        return diffusivity ? scalarRates(diffusivity[node], magic) : all;
    }
};

// g: what has arrived, then what is sent.
template<int D, class R>
LBM_HD LBM_INLINE void collideScalar(R (&g)[1 + 2 * D], const R (&u)[D], const ScalarRates<R>& rates)
{
    R pairs = 0;
    for (int a = 0; a < D; ++a) pairs += g[1 + 2 * a] + g[2 + 2 * a];
    const R s = g[0] + pairs, even = s * R(0.25), rest = s - D * even;
    g[0] += rates.even * (rest - g[0]);
    R beyond[D], along = 0, square = 0;
    for (int a = 0; a < D; ++a) {
        beyond[a] = g[1 + 2 * a] - g[2 + 2 * a] - s * u[a];
        along += u[a] * beyond[a];
        square += u[a] * u[a];
    }
    const R carried = (2 - rates.odd) * along / (R(0.5) / rates.odd - square);
    for (int a = 0; a < D; ++a) {
        const R sum = g[1 + 2 * a] + g[2 + 2 * a];
        const R plus = R(0.5) * (sum + rates.even * (even - sum));
        const R minus = R(0.5) * (s * u[a] + (1 - rates.odd) * beyond[a] + carried * u[a]);
        g[1 + 2 * a] = plus + minus;
        g[2 + 2 * a] = plus - minus;
    }
}

// The scalar's gradient, of what the odd part has `beyond` its equilibrium when it has arrived.
template<int D, class R>
LBM_HD LBM_INLINE void scalarGradient(const R (&beyond)[D], const R (&u)[D], R oddRate, R (&gradient)[D])
{
    R along = 0, square = 0;
    for (int a = 0; a < D; ++a) {
        along += u[a] * beyond[a];
        square += u[a] * u[a];
    }
    along /= R(0.5) / oddRate - square;
    for (int a = 0; a < D; ++a) gradient[a] = -4 * oddRate * (beyond[a] + along * u[a]);
}

// The reverse: what a node sends that has this scalar and gradient.
template<int D, class R>
LBM_HD LBM_INLINE void sendScalar(R (&g)[1 + 2 * D], R s, const R (&gradient)[D], const R (&u)[D], R oddRate)
{
    R along = 0;
    for (int a = 0; a < D; ++a) along += u[a] * gradient[a];
    g[0] = s * (1 - R(0.25) * D);
    for (int a = 0; a < D; ++a) {
        const R beyond = R(0.5) * along * u[a] - R(0.25) / oddRate * gradient[a];
        const R odd = s * u[a] + (1 - oddRate) * beyond - (1 - R(0.5) * oddRate) * along * u[a];
        g[1 + 2 * a] = R(0.125) * s + R(0.5) * odd;
        g[2 + 2 * a] = R(0.125) * s - R(0.5) * odd;
    }
}

// Of the way from one step's scalar to the next one's, where forces on the flow are taken: the flow collides 1, 2, ... stride of its
// steps on.
LBM_HD constexpr double scalarMiddle(int stride) { return 0.5 * (1 + 1.0 / stride); }
LBM_HD constexpr double scalarBetween(double before, double after, double middle)
{
    return before + middle * (after - before);
}

// Over terms `first` to `last` - 1 of a list of nodes.
template<class Index, class Node, class Value>
LBM_HD double scalarSum(Index first, Index last, const Node* nodes, const double* weights, const Value* values)
{
    double sum = 0;
    for (Index k = first; k < last; ++k) sum += weights[k] * double(values[nodes[k]]);
    return sum;
}

// What comes back over a link where the scalar is imposed at `fraction` of it: of `sent` into it, of `opposite`, which the node sent
// away from it, and of what `follows` in the link's direction from the node behind. Linear in between, whatever the relaxation times:
// CLI of Ginzburg, Verhaeghe & d'Humieres, Commun. Comput. Phys. 3, 427 (2008), for anti-bounce-back. At 1/2 the last two have no
// weight.
template<class R>
LBM_HD LBM_INLINE R scalarFromValue(R value, R share, R sent, R opposite, R follows)
{
    return -sent - share * (follows + opposite) + (1 + share) * R(0.25) * value;
}

// Of these two: 0 half-way.
template<class R>
LBM_HD LBM_INLINE R scalarShare(R fraction)
{
    return (1 - 2 * fraction) / (1 + 2 * fraction);
}

} // namespace lbm
