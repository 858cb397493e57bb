// The table of boundaries: one line a kind.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Frame.hpp"
#include "lbm/boundary/Outflow.hpp"
#include "lbm/boundary/Pressure.hpp"
#include "lbm/boundary/Slip.hpp"
#include "lbm/boundary/Velocity.hpp"

namespace lbm {

// Kinds that need the node alone.
template<class L, class T>
LBM_HD T reflected(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link, T& mean)
{
    switch (BoundaryKind(link.kind)) {
        case BoundaryKind::movingWall:
        case BoundaryKind::velocity: return Velocity::incoming(node, link, mean);
        case BoundaryKind::slip: return Slip::alongWall(node, link);
        case BoundaryKind::shear: return Slip::alongWall(node, link) + link.r;
        default: return node.after(opposite(link.direction));
    }
}

template<class L, class T>
LBM_HD T fromDonor(const BoundaryNode<L, T>& node, const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link,
                   T& mean)
{
    switch (BoundaryKind(link.kind)) {
        case BoundaryKind::pressure: return Pressure::incoming(donor, link, mean);
        case BoundaryKind::pressureVelocity: return PressureVelocity::incoming(donor, link);
        case BoundaryKind::outflow: return Outflow::incoming(donor, link);
        case BoundaryKind::turn: return donor.after(link.mirror);
        case BoundaryKind::frame: return Frame::incoming(node, donor, link);
        case BoundaryKind::slip: return Slip::incoming(donor, link); // a mirror
        case BoundaryKind::shear: return Slip::incoming(donor, link) + link.r;
        default: return reflected(node, link, mean);
    }
}

// What link q is in the plane of symmetry that `corner` belongs to, and in one behind that; -1: no link.
template<class L, class T>
LBM_HD int inCornersMirrors(const BoundaryTable<L, T>& table, int q, const BoundaryLink<T>& corner)
{
    T normal[3];
    Slip::normalOf(corner, normal);
    const int once = Slip::mirrored<L>(q, normal);
    if (once < 0 || corner.donor >= BoundaryLink<T>::restingWall) return once;
    const BoundaryLink<T> third = table.links[BoundaryLink<T>::cornerLink(corner.donor)];
    if (!isPlane(BoundaryKind(third.kind))) return once;
    Slip::normalOf(third, normal);
    return Slip::mirrored<L>(once, normal);
}

// A plane whose mirror shows an opening with a pressure, to which `corner` belongs: what comes from there, mirrored. mean: of
// `link`. Of openings with a velocity what is reflected at the edge itself is the same.
template<class L, class T>
LBM_HD T openingInMirror(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link, BoundaryLink<T> corner, T& mean)
{
    T normal[3];
    Slip::normalOf(link, normal);
    const int shown = Slip::mirrored<L>(link.direction, normal);
    if (shown < 0) return reflected(node, link, mean);
    corner.direction = std::uint8_t(shown);
    const T mirrored = fromDonor(node, node, corner, mean);
    return BoundaryKind(link.kind) == BoundaryKind::shear ? mirrored + link.r : mirrored;
}

// A wall that reaches a plane meets its image there, which moves the other way across: `corner`, of the wall, goes along the plane of
// `link` alone.
template<class T>
LBM_HD void goAlongPlane(const BoundaryLink<T>& link, BoundaryLink<T>& corner)
{
    const BoundaryKind kind = BoundaryKind(corner.kind);
    if (!isPlane(BoundaryKind(link.kind)) || (kind != BoundaryKind::movingWall && kind != BoundaryKind::velocity))
        return;
    T normal[3];
    Slip::normalOf(link, normal);
    const T across = corner.velocity[0] * normal[0] + corner.velocity[1] * normal[1] + corner.velocity[2] * normal[2];
    for (int a = 0; a < 3; ++a) corner.velocity[a] -= across * normal[a];
}

// An opening meets an interpolated wall, which goes on behind it as straight as it comes. Half-way, where populations are turned,
// the fluid then moves along that: by so much of the node's speed beside the wall's. What flows on with such a link comes
// back with its image, by which the wall lies where it does. With one of the two alone a stream through the opening lost mass at its
// rim, or gained, and passed with a pressure that was off by that, times the inverse Mach number. Along openings oblique to the lattice
// a link's image is none, and to let fluid through by the node's own speed ran away there: these turn it half-way, as before.
template<class L, class T>
LBM_HD void goAlongWall(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link, BoundaryLink<T>& corner)
{
    if (BoundaryKind(corner.kind) != BoundaryKind::interpolatedWall) return;
    corner.kind = std::uint8_t(BoundaryKind::movingWall);
    if (isPlane(BoundaryKind(link.kind))) return;
    for (int a = 0; a < 3; ++a) corner.velocity[a] += corner.reach * (node.u[a] - corner.velocity[a]);
}

// The donor would lie behind another patch, to which `corner` belongs.
template<class L, class T>
LBM_HD T atCorner(const BoundaryNode<L, T>& node, BoundaryLink<T> link, BoundaryLink<T> corner, T& mean)
{
    if (isPlane(BoundaryKind(link.kind)) && imposesPressure(BoundaryKind(corner.kind)))
        return openingInMirror(node, link, corner, mean);
    int direction = -1;
    if (isPlane(BoundaryKind(corner.kind))) direction = inCornersMirrors<L>(node.table(), link.direction, corner);
    else if (needsDonor(BoundaryKind(corner.kind))) direction = link.direction;
    if (direction < 0) {
        corner.direction = link.direction;
        corner.recovery = 0;
        goAlongWall(node, link, corner);
        goAlongPlane(link, corner);
        return reflected(node, corner, mean);
    }
    link.direction = std::uint8_t(direction);
    if (isPlane(BoundaryKind(link.kind))) {
        link.mirror = std::int8_t(Slip::mirrorOf<L>(link));
        if (link.mirror < 0) return reflected(node, link, mean);
    }
    return fromDonor(node, node, link, mean);
}

// index: of the link, in the node's table. Of mirrors nothing of the node itself need be known: seenInMirror is faster.
template<class L, class T>
LBM_HD T incoming(const BoundaryNode<L, T>& node, std::uint32_t index)
{
    const auto& table = node.table();
    const BoundaryLink<T> link = table.links[index];
    T& mean = table.means[index];
    if (!needsDonor(BoundaryKind(link.kind))) return reflected(node, link, mean);
    if (link.donor >= 0) {
        if (isPlane(BoundaryKind(link.kind)) && Slip::goesRound(link)) return Slip::seenInMirror(table, link);
        if (Slip::isOblique(link)) return Slip::oblique(node, link);
        MixedState<L, T> there;
        mix(table, table.shares + link.donor, link.shares, there);
        return fromDonor(node, BoundaryNode<L, T>(table, there), link, mean);
    }
    if (link.donor == BoundaryLink<T>::restingWall) return node.after(opposite(link.direction));
    return atCorner(node, link, table.links[BoundaryLink<T>::cornerLink(link.donor)], mean);
}

} // namespace lbm
