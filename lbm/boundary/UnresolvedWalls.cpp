// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/UnresolvedWalls.hpp"

#include "lbm/api/MirrorPairs.hpp"
#include "lbm/boundary/dot.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {
namespace {

struct Range {
    std::size_t first, last;
};

bool isSlipping(const Vec3& normal) { return dot(normal, normal) > 0; }

// The least cosine of the angle between two of the node's walls.
double leastCosine(const std::vector<Vec3>& normals, Range links)
{
    double least = 1;
    for (std::size_t i = links.first; i < links.last; ++i)
        for (std::size_t k = i + 1; k < links.last; ++k)
            if (isSlipping(normals[i]) && isSlipping(normals[k])) least = std::min(least, dot(normals[i], normals[k]));
    return least;
}

// How fast mass arrives, per time step and velocity away from the walls: that velocity grows. 1: as much as a plane across an
// axis reflects. What slips past the walls brings 6 w (c - (c.n) n).u over a link; at a plane none of that along its normal.
double feedback(const Domain& domain, const std::vector<double>& weights, const std::vector<Vec3>& normals, Range links)
{
    constexpr double plane = 1.0 / 6; // weight of its links
    Vec3 away{0, 0, 0}, brought{0, 0, 0};
    for (std::size_t i = links.first; i < links.last; ++i) {
        if (!isSlipping(normals[i])) continue;
        const Link& link = domain.links[i];
        const Int3 out = directionOf(link.direction);
        const double weight = weights[link.direction], across = dot(normals[i], out);
        for (int a = 0; a < 3; ++a) {
            away[a] -= weight * normals[i][a];
            brought[a] -= weight * (out[a] - across * normals[i][a]);
        }
    }
    const double length = std::sqrt(dot(away, away));
    return length > 0 ? dot(away, brought) / (length * plane) : 0;
}

int axisOf(const Vec3& normal)
{
    int axis = 0;
    for (int a = 1; a < 3; ++a)
        if (std::abs(normal[a]) > std::abs(normal[axis])) axis = a;
    return axis;
}

} // namespace

std::vector<bool> unresolvedWalls(const Domain& domain, const std::vector<double>& weights,
                                  const std::vector<Vec3>& normals)
{
    // Planes may meet at right angles, where the second is 0.12 at most.
    constexpr double sharpest = -0.1, most = 0.13;
    std::vector<bool> unresolved(domain.links.size(), false);
    for (Range node{0, 0}; node.first < domain.links.size(); node.first = node.last) {
        while (node.last < domain.links.size() && domain.links[node.last].node == domain.links[node.first].node)
            ++node.last;
        if (leastCosine(normals, node) > sharpest && feedback(domain, weights, normals, node) < most) continue;
        for (std::size_t i = node.first; i < node.last; ++i) unresolved[i] = isSlipping(normals[i]);
    }
    return unresolved;
}

void stickInPairs(const Domain& domain, const std::vector<Vec3>& normals, const std::vector<bool>& mirrors,
                  std::vector<bool>& stuck)
{
    for (std::size_t i = 0; i < domain.links.size(); ++i) {
        if (!stuck[i] || !mirrors[i]) continue;
        const Link* image = mirrorImage(domain, domain.links[i], axisOf(normals[i]));
        if (!image) continue;
        const std::size_t other = std::size_t(image - domain.links.data());
        if (mirrors[other]) stuck[other] = true;
    }
}

} // namespace lbm
