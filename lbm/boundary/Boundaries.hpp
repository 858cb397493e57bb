// The table of boundaries: one line a kind.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Outflow.hpp"
#include "lbm/boundary/Pressure.hpp"
#include "lbm/boundary/Slip.hpp"
#include "lbm/boundary/Velocity.hpp"

namespace lbm {

// Kinds that need the node alone.
template<class L, class T>
LBM_HD T reflected(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
{
    switch (BoundaryKind(link.kind)) {
        case BoundaryKind::movingWall:
        case BoundaryKind::velocity: return Velocity::incoming(node, link);
        case BoundaryKind::slip: return Slip::alongWall(node, link);
        default: return node.after(opposite(link.direction));
    }
}

template<class L, class T>
LBM_HD T fromDonor(const BoundaryNode<L, T>& node, const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link)
{
    switch (BoundaryKind(link.kind)) {
        case BoundaryKind::pressure: return Pressure::incoming(node, donor, link);
        case BoundaryKind::pressureVelocity: return PressureVelocity::incoming(node, donor, link);
        case BoundaryKind::outflow: return Outflow::incoming(node, donor, link);
        case BoundaryKind::slip: return Slip::incoming(node, donor, link);
        default: return reflected(node, link);
    }
}

// The donor would lie behind another patch, to which `corner` belongs.
template<class L, class T>
LBM_HD T atCorner(const BoundaryNode<L, T>& node, BoundaryLink<T> link, BoundaryLink<T> corner)
{
    if (BoundaryKind(corner.kind) == BoundaryKind::slip) {
        const int mirror = Slip::mirrored<L>(link.direction, corner.velocity);
        if (mirror >= 0) {
            link.direction = std::uint8_t(mirror);
            return fromDonor(node, node, link);
        }
    } else if (needsDonor(BoundaryKind(corner.kind))) {
        return fromDonor(node, node, link);
    }
    corner.direction = link.direction;
    return reflected(node, corner);
}

template<class L, class T>
LBM_HD T incoming(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
{
    if (!needsDonor(BoundaryKind(link.kind))) return reflected(node, link);
    const auto& table = node.table();
    if (link.donor >= 0) return fromDonor(node, BoundaryNode<L, T>(table, link.donor), link);
    if (link.donor == BoundaryLink<T>::restingWall) return node.after(opposite(link.direction));
    return atCorner(node, link, table.links[BoundaryLink<T>::cornerLink(link.donor)]);
}

} // namespace lbm
