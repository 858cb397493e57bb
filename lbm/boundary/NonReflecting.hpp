// NonReflecting: openings that let sound out. A sound wave that leaves changes density and normal velocity together,
//   u_n' = v rho',  v = cs/rho, and with the incompressible equilibrium U_n + sqrt(U_n^2 + cs^2),
// so an opening that imposes one of them adds to it what belongs to the wave in the other, which is what differs from
// its running mean: a wave shorter than 2 pi cs/recovery leaves, reflected by about recovery/(2 omega); slower changes
// are held against, and the mean of what is imposed stays imposed. (Linear relaxation as in Rudy & Strikwerda 1980 and
// Poinsot & Lele 1992 uses gradients in place of a memory; those of viscous flow would shift the mean pressure.)
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

#include <cmath>

namespace lbm {

struct NonReflecting {
    // What `value` differs from its running mean, which then follows.
    template<class T>
    LBM_HD static T deviation(T value, T recovery, T& mean)
    {
        if (!(mean == mean)) mean = value;
        const T difference = value - mean;
        mean += recovery * difference;
        return difference;
    }

    // v; outflow: U_n.
    template<class L, class T>
    LBM_HD static T velocityOfDensity(const BoundaryNode<L, T>& node, T outflow)
    {
        if (node.table().incompressible) return outflow + std::sqrt(outflow * outflow + T(1.0 / 3));
        return T(0.57735026918962576) / (1 + node.r);
    }

    template<class T>
    LBM_HD static T through(const BoundaryLink<T>& link, const T (&u)[3])
    {
        return link.outward[0] * u[0] + link.outward[1] * u[1] + link.outward[2] * u[2];
    }
};

} // namespace lbm
