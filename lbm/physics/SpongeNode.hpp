// SpongeNode: what a sponge (lbm/api/Sponge.hpp) makes of one node, on a host or a device: the only place where this physics stands.
// Units: lattice. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Sponge.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/lattice/Unroll.hpp"

#include <cmath>

namespace lbm::sponge {

// What multiplies the k-th value of a mean where steps become so many times as long: pressures go with the square of velocities.
LBM_HD constexpr double unitsOf(int k, double longer) { return k == 0 ? longer * longer : longer; }

// c_q . v
template<class L, int q>
LBM_HD LBM_INLINE double along(const double (&v)[Sponge::meanValues])
{
    double sum = 0;
    unroll<L::D>([&](auto a) __attribute__((always_inline)) {
        constexpr int c = L::c[q][a];
        if constexpr (c != 0) sum += c * v[1 + a];
    });
    return sum;
}

// f: populations after collision, less the weights; most: of this node, the exponent of what is left. The mean first takes its share of
// the flow that is there.
template<class L>
LBM_HD inline void relax(double* f, double (&mean)[Sponge::meanValues], double newest, double most)
{
    double is[Sponge::meanValues] = {};
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        is[0] += f[q];
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            constexpr int c = L::c[q][a];
            if constexpr (c != 0) is[1 + a] += c * f[q];
        });
    });

    const double s = 1 - std::exp(-most);
    double change[Sponge::meanValues], squares = 0;
    for (int k = 0; k < Sponge::meanValues; ++k) {
        mean[k] += newest * (is[k] - mean[k]);
        change[k] = -s * (is[k] - mean[k]);
        if (k > 0) squares += change[k] * (2 * is[k] + change[k]);
    }
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        const double before = along<L, q>(is), by = along<L, q>(change);
        constexpr double w = L::w[q];
        f[q] += w * (change[0] + 3 * by + 4.5 * by * (2 * before + by) - 1.5 * squares);
    });
}

} // namespace lbm::sponge
