// The table of boundaries: one line a kind.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Outflow.hpp"
#include "lbm/boundary/Pressure.hpp"
#include "lbm/boundary/Slip.hpp"
#include "lbm/boundary/Velocity.hpp"
#include "lbm/solver/Config.hpp"

namespace lbm {

template<class L, class T>
T incoming(BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
{
    switch (BoundaryKind(link.kind)) {
        case BoundaryKind::wall: return node.after(opposite(link.direction));
        case BoundaryKind::movingWall:
        case BoundaryKind::velocity: return Velocity::incoming(node, link);
        case BoundaryKind::pressure: return Pressure::incoming(node, link);
        case BoundaryKind::pressureVelocity: return PressureVelocity::incoming(node, link);
        case BoundaryKind::outflow: return Outflow::incoming(node, link);
        case BoundaryKind::slip: return Slip::incoming(node, link);
    }
    __builtin_unreachable();
}

} // namespace lbm
