// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/boundary/CurvedWall.hpp"

namespace lbm {

namespace {

// The fluid node along c, or -1 if there is none or a record says that something lies between.
NodeIndex openNeighbour(const Domain& domain, NodeIndex node, const Int3& c)
{
    if (findLink(domain, node, c)) return -1;
    const NodeIndex there = domain.neighbour(domain.coordinates(node), c);
    return there >= 0 && domain.fluid[there] ? there : -1;
}

// The scheme for a node with a wall on its other side, too.
WallInterpolation besideGap(WallScheme scheme, double fraction)
{
    return interpolateWall(scheme == WallScheme::quadratic ? WallScheme::linear : scheme, fraction);
}

} // namespace

CurvedWall curvedWall(const Domain& domain, const std::vector<LinkValue>& patches, const Link& link)
{
    const Int3 c = directionOf(link.direction), inward{-c[0], -c[1], -c[2]};
    const WallScheme scheme = patches[link.patch].scheme;
    CurvedWall wall;

    const Link* across = findLink(domain, link.node, inward);
    if (across && patches[across->patch].kind == BoundaryKind::interpolatedWall) {
        wall.across = across;
        wall.shares = interpolateGap(besideGap(scheme, link.fraction),
                                     besideGap(patches[across->patch].scheme, across->fraction));
        return wall;
    }
    if (scheme == WallScheme::quadratic) {
        wall.furtherOut = link.fraction < 0.5;
        wall.further = openNeighbour(domain, link.node, inward);
        if (wall.furtherOut && wall.further >= 0) wall.further = openNeighbour(domain, wall.further, inward);
        if (wall.further >= 0) {
            wall.shares = interpolateWall(scheme, link.fraction);
            return wall;
        }
    }
    wall.shares = besideGap(scheme, link.fraction);
    return wall;
}

} // namespace lbm
