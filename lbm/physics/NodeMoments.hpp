// NodeMoments: what a collision has left of a node whose moments are stored, in double, whatever they are stored as: all that a state is
// made of (Moments.hpp), without populations. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentEquilibrium.hpp"

#include <cmath>

namespace lbm {

struct NodeMoments {
    double r;         // density less 1
    double j[3];      // momentum, with the whole of the force
    double beyond[6]; // second moments (MomentSet) less j_a j_b/inertia: xx, xy, xz, yy, yz, zz; but for their trace
};

// Place in NodeMoments::beyond.
constexpr int placeBeyond(int a, int b) { return a == 0 ? b : a + b + 1; }

// The last one of second order, of which only what lies beside the trace counts.
template<class L>
LBM_HD LBM_INLINE void completeBeyond(NodeMoments& n)
{
    n.beyond[placeBeyond(L::D - 1, L::D - 1)] = L::D == 2 ? -n.beyond[0] : -(n.beyond[0] + n.beyond[3]);
}

// stored: values as a MomentSet after collision has them, all but the last one of second order where those of third are not kept; of
// lattices WithThird cumulants of unit density, which are beyond j j/inertia already. Each product is rounded with its sum, in whichever
// kernel: nodes that are read one by one and sums of them agree.
template<class Eq, class L, class R, int n>
LBM_HD LBM_INLINE NodeMoments nodeMoments(const R (&stored)[n])
{
    using M = MomentSet<L, R>;
    NodeMoments node{double(stored[0]), {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    unroll<L::D>([&](auto a) __attribute__((always_inline)) { node.j[a] = double(stored[1 + a]); });
    const double inertia = Eq::inertia(node.r);
    unroll<L::D>([&](auto a) __attribute__((always_inline)) {
        const double u = __is_same(Eq, Incompressible) ? node.j[a] : node.j[a] / inertia;
        unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
            constexpr int b = a + i, k = M::pi(a, b);
            if constexpr (keepsThird<L>) node.beyond[placeBeyond(a, b)] = inertia * double(stored[k]);
            else if constexpr (k < n) node.beyond[placeBeyond(a, b)] = std::fma(-u, node.j[b], double(stored[k]));
        });
    });
    if constexpr (!keepsThird<L>) completeBeyond<L>(node);
    return node;
}

} // namespace lbm
