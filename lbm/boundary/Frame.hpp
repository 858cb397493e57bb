// Frames that move past each other: on either side of the link velocities are seen from another frame, as around the zone of a
// rotor whose nodes turn with it. What the node at the other end sent arrives, with the equilibrium that belongs to the node's own
// frame; stress is the same in both. `velocity`, V, is that of the other frame seen from the node's, half-way along the link.
//
// Both ends put the same mean velocity of the two nodes into the terms of second order: what is added to one population is then
// taken from the one that goes the other way, but for 3 w c.V either way. Around a body of nodes the sum of that is the sum of
// div V over them, zero for a rotation: mass is conserved to rounding (with the incompressible equilibrium).
//
// Pressure may jump between the two nodes, as across a fan: what arrives has the density of its own side, higher by `r` than the other
// end's (Zhang & Kwok 2006, whose pressure drops between periodic sides). What is added one way is taken from what goes the other
// way: mass stays, and both nodes together gain the jump as momentum, with no force in either.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Frame {
    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>& node, const BoundaryNode<L, T>& donor,
                             const BoundaryLink<T>& link)
    {
        const int q = link.direction;
        T seen[3], told[3];
        for (int a = 0; a < 3; ++a) {
            seen[a] = T(0.5) * (node.u[a] + donor.u[a] + link.velocity[a]);
            told[a] = seen[a] - link.velocity[a];
        }
        const T density = T(0.5) * (node.r + donor.r);
        const T jump = T(weightOf<L>(q)) * link.r;
        return donor.after(q) + jump + node.equilibrium(q, density, seen) - node.equilibrium(q, density, told);
    }
};

} // namespace lbm
