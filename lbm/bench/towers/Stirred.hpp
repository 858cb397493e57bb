// Stirred: a flow in a periodic box that is nowhere the same, in lattice units. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Equilibrium.hpp"

#include <array>
#include <cmath>

namespace lbm::bench {

template<class L, class S>
struct Stirred {
    int size; // nodes a side

    LBM_HD void operator()(const std::array<int, 3>& x, S (&f)[L::Q]) const
    {
        const double wave = 6.283185307179586 / size;
        const double u[3] = {0.02 * std::sin(wave * x[1] + 1), 0.015 * std::sin(wave * x[0] + 2),
                             0.01 * std::cos(wave * (x[0] + x[1]))};
        const double r = 0.001 * std::cos(wave * (x[0] + 2 * x[1] + x[2]));
        double g[L::Q];
        equilibrium<L, QuasiCompressible>(r, u, g);
        for (int q = 0; q < L::Q; ++q) f[q] = S(g[q]);
    }
};

} // namespace lbm::bench
