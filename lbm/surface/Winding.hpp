// Winding: terms of the generalized winding number at a point, of near triangles and of far clusters of them (WindingTree of
// adapters/surface makes these and names the sources). For a processor and for a GPU, with the same results to the last bit, if
// neither contracts products and sums. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"
#include "lbm/lattice/Macros.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace lbm {

using Facet = std::array<Vec3, 3>; // corners, counter-clockwise seen from outside

// Moments of the area vectors n dA about the centre: of 1, of the offset, of its square. Of the latter
// only those combinations are kept that the expansion needs. Clusters are a tree in depth-first order.
struct WindingCluster {
    Vec3 centre{};
    double radius = 0;
    Vec3 first{};
    std::array<double, 6> second{}; // symmetric part: xx yy zz xy yz zx
    Vec3 thirdTrace{};
    std::array<double, 10> third{}; // symmetric part: xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz
    int begin = 0, end = 0;         // facets
    int skip = 0;                   // the next cluster that is not below this one
    bool leaf = false;
};

// Of one point: what far clusters make, and the half angle of near facets as a product of complex numbers, of which one arc tangent
// makes an angle, and its turns.
struct WindingSums {
    double far = 0, re = 1, im = 0, turns = 0;
};

// So many points at most are worked on together: what is far from all of them is far for each.
constexpr int packetPoints = 8;

struct PacketBounds {
    double low[3], high[3];

    LBM_HD double distance2(const Vec3& p) const
    {
        double sum2 = 0;
        for (int a = 0; a < 3; ++a) {
            const double below = low[a] - p[a], above = p[a] - high[a];
            double d = below > above ? below : above;
            d = d > 0 ? d : 0;
            sum2 += d * d;
        }
        return sum2;
    }

    // A cluster is expanded at points farther than `reach` of its radii.
    LBM_HD bool isFar(const WindingCluster& c, double reach) const
    {
        return distance2(c.centre) > reach * reach * c.radius * c.radius;
    }
};

// Taylor expansion of the solid angle's kernel d/|d|^3 about the centre, d from the point.
LBM_HD LBM_INLINE void addFar(const WindingCluster& c, double px, double py, double pz, double& sum)
{
    const auto& q = c.second;
    const auto& t = c.third;
    const auto& u = c.thirdTrace;
    const double trace = q[0] + q[1] + q[2];
    const double x = c.centre[0] - px, y = c.centre[1] - py, z = c.centre[2] - pz;
    const double distance2 = x * x + y * y + z * z;
    const double r2 = 1 / distance2, r3 = r2 / std::sqrt(distance2);
    const double line = c.first[0] * x + c.first[1] * y + c.first[2] * z;
    const double square = q[0] * x * x + q[1] * y * y + q[2] * z * z + 2 * (q[3] * x * y + q[4] * y * z + q[5] * z * x);
    const double cube = x * x * (t[0] * x + t[3] * y + t[4] * z) + y * y * (t[1] * y + t[5] * x + t[6] * z)
        + z * z * (t[2] * z + t[7] * x + t[8] * y) + t[9] * x * y * z;
    const double slope = u[0] * x + u[1] * y + u[2] * z;
    sum += r3 * (line + trace - 3 * r2 * square - 1.5 * r2 * slope + 7.5 * r2 * r2 * cube);
}

// Half of the solid angle; Van Oosterom & Strackee 1983.
LBM_HD LBM_INLINE void addNear(const Facet& f, double px, double py, double pz, double& sumRe, double& sumIm,
                               double& turns)
{
    const double ax = f[0][0] - px, ay = f[0][1] - py, az = f[0][2] - pz;
    const double bx = f[1][0] - px, by = f[1][1] - py, bz = f[1][2] - pz;
    const double cx = f[2][0] - px, cy = f[2][1] - py, cz = f[2][2] - pz;
    const double la = std::sqrt(ax * ax + ay * ay + az * az);
    const double lb = std::sqrt(bx * bx + by * by + bz * bz);
    const double lc = std::sqrt(cx * cx + cy * cy + cz * cz);
    const double s = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const double c = la * lb * lc + (ax * bx + ay * by + az * bz) * lc + (bx * cx + by * cy + bz * cz) * la
        + (cx * ax + cy * ay + cz * az) * lb;
    // on an edge or a corner both are 0: no angle
    const double one = c == 0 && s == 0 ? 1 : c;
    const double re = sumRe * one - sumIm * s, im = sumRe * s + sumIm * one;
    // two angles of one sign whose sum changed it have passed pi
    const double up = sumIm >= 0 && s >= 0 && im < 0 ? 1 : 0;
    const double down = sumIm < 0 && s < 0 && im >= 0 ? 1 : 0;
    turns += up - down;
    const double scale = 1 / (std::fabs(re) + std::fabs(im));
    sumRe = scale * re;
    sumIm = scale * im;
}

// Of one point of a packet. pace(i): i, the cluster to come, or -1, if other points that go along are to take theirs first.
template<class Pace>
LBM_HD inline WindingSums windingSums(const WindingCluster* clusters, int n, const Facet* facets,
                                      const PacketBounds& packet, const Vec3& point, double reach, const Pace& pace)
{
    WindingSums sums;
    int next = 0;
    while (true) {
        const int i = pace(next);
        if (i >= n) return sums;
        if (i < 0) continue;
        const WindingCluster& c = clusters[i];
        if (packet.isFar(c, reach)) {
            addFar(c, point[0], point[1], point[2], sums.far);
        } else if (c.leaf) {
            for (int f = c.begin; f < c.end; ++f)
                addNear(facets[f], point[0], point[1], point[2], sums.re, sums.im, sums.turns);
        } else {
            ++next;
            continue;
        }
        next = c.skip;
    }
}

} // namespace lbm
