// NonReflecting: openings that let sound out. A sound wave that leaves changes density and normal velocity together,
//   u_n' = v rho',  v = cs/rho, and with the incompressible equilibrium U_n + sqrt(U_n^2 + cs^2),
// so an opening that imposes one of them adds to it what belongs to the wave in the other, which is what differs from
// its running mean: a wave shorter than 2 pi cs/recovery leaves, reflected by about recovery/(2 omega); slower changes
// are held against, and the mean of what is imposed stays imposed. (Linear relaxation as in Rudy & Strikwerda 1980 and
// Poinsot & Lele 1992 uses gradients in place of a memory; those of viscous flow would shift the mean pressure.)
// Where velocity is imposed, what leaves is taken from density and normal velocity together,
//   w = (2 v rho' + u_n')/3,  u_n' less what is imposed,
// which is u_n' of a wave that leaves. v rho' would be, too, but what alternates from node to node along the opening is no wave: nodes
// pass it on to those beside them within a step, and the velocity, a step late, takes it away once more. Regularized, it grew by 12 % a
// step in a fluid at rest (D3Q19, tau 1/2; 1.4 % at tau 0.6; D3Q27 14 %). By linear stability thirds are as stable as an opening that
// reflects, for any recovery; quarters are not on D3Q27. Halves, the characteristic (Thompson 1987), reflect more: u_n' has the
// reflected wave with the other sign, so that what is late by a part of a step counts by 1/(1 - share of u_n').
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

    // w, where the link's velocity is imposed. What it adds is itself a part of u_n' by the next step: with h for what the mean leaves,
    // u_n' = h (2 v rho' + u_n')/3. A mean that follows at two thirds of the rate makes of this u_n' = h v rho' with h as it is at the
    // whole rate.
    template<class L, class T>
    LBM_HD static T speedLeaving(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link, T& mean)
    {
        constexpr T share = T(2.0 / 3);
        const T imposed = through(link, link.velocity), v = velocityOfDensity(node, imposed);
        const T density = node.r + T(0.5) * (through(link, node.u) - imposed) / v;
        return share * v * deviation(density, share * link.recovery, mean);
    }
};

} // namespace lbm
