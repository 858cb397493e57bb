// Moving wall and velocity opening: the reflected population plus what the imposed velocity adds. This
// is bounce-back of the non-equilibrium part (Zou & He 1997) link by link, at the half-way point, for
// any orientation, edges and corners included; it conserves mass but for the imposed flux. Ladd 1994.
// Where the stream leaves, a share of it would grow near tau 1/2: see Leaving.hpp.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Leaving.hpp"

namespace lbm {

struct Velocity {
    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link, T& mean)
    {
        T velocity[3];
        for (int a = 0; a < 3; ++a) velocity[a] = link.velocity[a];
        if (link.recovery > 0) {
            const T wave = NonReflecting::speedLeaving(node, link, mean);
            for (int a = 0; a < 3; ++a) velocity[a] += wave * link.outward[a];
        }
        const T turned = node.after(opposite(link.direction)) + node.wallTransfer(link.direction, velocity);
        return Leaving::happens(link) ? turned - Leaving::replaced(node, link, velocity, mean) : turned;
    }
};

} // namespace lbm
