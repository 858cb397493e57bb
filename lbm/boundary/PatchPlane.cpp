// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/boundary/PatchPlane.hpp"

#include "lbm/boundary/dot.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {

namespace {

Vec3 unit(const Vec3& v)
{
    const double length = std::sqrt(dot(v, v));
    return length > 0 ? Vec3{v[0] / length, v[1] / length, v[2] / length} : v;
}

// n with n.p = 1 for all points p added, in the sense of least squares. Points are turned into an upper triangle one by one
// (Givens rotations): sums of products would square what rounding does to points that hardly span a plane.
class PlaneFit {
public:
    explicit PlaneFit(int dimensions)
    {
        if (dimensions == 2) r_[2][2] = 1;
    }

    void add(const Vec3& p)
    {
        double row[4] = {p[0], p[1], p[2], 1};
        for (int i = 0; i < 3; ++i) {
            const double length = std::sqrt(r_[i][i] * r_[i][i] + row[i] * row[i]);
            if (length == 0) continue;
            const double c = r_[i][i] / length, s = row[i] / length;
            for (int j = i; j < 4; ++j) {
                const double above = r_[i][j];
                r_[i][j] = c * above + s * row[j];
                row[j] = c * row[j] - s * above;
            }
        }
        left_ += row[3] * row[3];
        ++points_;
    }

    // false: the points do not span a plane. What decides is the determinant of the sums of products against their trace.
    bool solve(Vec3& n) const
    {
        double size = 0, whole = 1;
        for (int i = 0; i < 3; ++i) {
            whole *= r_[i][i] * r_[i][i];
            for (int j = i; j < 3; ++j) size += r_[i][j] * r_[i][j];
        }
        if (!(whole > 1e-6 * size * size)) return false;
        for (int i = 2; i >= 0; --i) {
            n[i] = r_[i][3];
            for (int j = i + 1; j < 3; ++j) n[i] -= r_[i][j] * n[j];
            n[i] /= r_[i][i];
        }
        return true;
    }

    // Of the points from the plane n.p = 1, root mean square.
    double deviation(const Vec3& n) const { return std::sqrt(left_ / (points_ * dot(n, n))); }

private:
    double r_[3][4] = {}; // the triangle and, last, the right-hand side
    double left_ = 0;     // squares of what no n makes 1
    int points_ = 0;
};

} // namespace

PatchPlane patchPlane(const Domain& domain, const LinkFinder& finder, NodeIndex node, int patch, const Int3& linkSum)
{
    const Vec3 guess = unit({double(linkSum[0]), double(linkSum[1]), double(linkSum[2])});
    if (linkSum == Int3{0, 0, 0}) return {guess}; // on both sides of the node
    const Int3 x = domain.coordinates(node);
    const int depth = domain.dimensions == 2 ? 0 : 1;
    PlaneFit fit(domain.dimensions);
    std::pair<std::size_t, std::size_t> links;
    NodeIndex before = -2;
    for (int dz = -depth; dz <= depth; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const NodeIndex near = domain.neighbour(x, {dx, dy, dz});
                if (near < 0) continue;
                // Links of nodes side by side follow each other
                links = near == before + 1 ? finder.from(links.second, near) : finder.of(near);
                before = near;
                for (std::size_t i = links.first; i < links.second; ++i) {
                    const Link& link = domain.links[i];
                    if (link.patch != patch) continue;
                    // From a point inside, for the plane must not go through the origin
                    const Int3 c = directionOf(link.direction);
                    const double s = link.fraction;
                    fit.add({dx + s * c[0] + 2 * guess[0], dy + s * c[1] + 2 * guess[1], dz + s * c[2] + 2 * guess[2]});
                }
            }
    Vec3 normal;
    if (!fit.solve(normal)) return {guess};
    const double deviation = fit.deviation(normal);
    normal = unit(normal);
    return {dot(normal, guess) > 0.5 ? normal : guess, deviation};
}

Vec3 outwardNormal(const Domain& domain, const LinkFinder& finder, NodeIndex node, int patch, const Int3& linkSum)
{
    return patchPlane(domain, finder, node, patch, linkSum).outward;
}

} // namespace lbm
