// MirrorFit: the flow behind a plane of symmetry that is oblique to the lattice, from nodes in front of it. What a mirror
// leaves as it is (density, tangential velocity, stresses along and across the plane) is an even function of the distance
// to the plane, what it turns (normal velocity, shear stress) an odd one. The shares are those of a polynomial that fits the
// nodes by weighted least squares: 1, s, t, s^2, st, t^2, n^2 or n, ns, nt, with n along the normal and s, t in the plane. Both
// take values at the ghost node to where momentum's flux through the plane is right to second order; a donor between
// nodes, which is exact for linear functions alone, would not be.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm {

struct MirrorShare {
    NodeIndex node;
    double even, odd;
};

// The points and all vectors are relative to the link's node; points behind the plane do not count. `ghost`: the link's
// other end. None if the nodes do not tell, for there are too few of them or they lie badly.
class MirrorFit {
public:
    static constexpr int reach = 2; // steps that nodes are away, along each axis

    MirrorFit(const Vec3& outward, const Vec3& onPlane, const Vec3& ghost);

    void add(NodeIndex node, const Vec3& at);
    std::vector<MirrorShare> shares() const;

private:
    static constexpr int evens = 7, odds = 3;

    struct Point {
        NodeIndex node;
        double weight, even[evens], odd[odds];
    };
    Point at(const Vec3& place) const;

    Vec3 outward_, onPlane_, image_, sides_[2];
    Point ghost_;
    std::vector<Point> points_;
};

} // namespace lbm
