// Slip and symmetry; link.velocity holds the unit normal. A plane along the lattice reflects like a mirror:
// the population that the donor sent to the mirrored direction arrives. Elsewhere a wall that moves with the
// fluid's own tangential velocity takes no shear and lets nothing through.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Slip {
    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>& node, const BoundaryNode<L, T>& donor,
                             const BoundaryLink<T>& link)
    {
        // The donor is the mirror image of the ghost if the plane between them is the wall.
        const Int3 inward = directionOf(link.inward);
        T across[3];
        normalPart<L>(link.direction, link.velocity, across);
        for (int a = 0; a < 3; ++a)
            if (!near(across[a], T(inward[a]))) return alongWall(node, link);
        const int mirror = mirrored<L>(link.direction, link.velocity);
        return mirror >= 0 ? donor.after(mirror) : alongWall(node, link);
    }

    template<class L, class T>
    LBM_HD static T alongWall(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
    {
        const T normal = node.u[0] * link.velocity[0] + node.u[1] * link.velocity[1] + node.u[2] * link.velocity[2];
        T wall[3];
        for (int a = 0; a < 3; ++a) wall[a] = node.u[a] - normal * link.velocity[a];
        return node.after(opposite(link.direction)) + node.wallTransfer(link.direction, wall);
    }

    // The direction that a plane with this normal mirrors to q; -1 if the lattice has none.
    template<class L, class T>
    LBM_HD static int mirrored(int q, const T (&normal)[3])
    {
        T across[3];
        normalPart<L>(q, normal, across);
        for (int p = 0; p < L::Q; ++p)
            if (near(component<L>(q, 0) - 2 * across[0], T(component<L>(p, 0)))
                && near(component<L>(q, 1) - 2 * across[1], T(component<L>(p, 1)))
                && near(component<L>(q, 2) - 2 * across[2], T(component<L>(p, 2))))
                return p;
        return -1;
    }

private:
    template<class L, class T>
    LBM_HD static void normalPart(int q, const T (&n)[3], T (&part)[3])
    {
        const T length = component<L>(q, 0) * n[0] + component<L>(q, 1) * n[1] + component<L>(q, 2) * n[2];
        for (int a = 0; a < 3; ++a) part[a] = length * n[a];
    }

    template<class T>
    LBM_HD static bool near(T a, T b)
    {
        return a - b < T(1e-4) && b - a < T(1e-4);
    }
};

} // namespace lbm
