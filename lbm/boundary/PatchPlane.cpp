// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/boundary/PatchPlane.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {

namespace {

double dot(const Vec3& a, const Vec3& b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }

Vec3 unit(const Vec3& v)
{
    const double length = std::sqrt(dot(v, v));
    return length > 0 ? Vec3{v[0]/length, v[1]/length, v[2]/length} : v;
}

// n with n.p = 1 for all points p added, in the sense of least squares.
class PlaneFit {
public:
    explicit PlaneFit(int dimensions) { if (dimensions == 2) a_[2][2] = 1; }

    void add(const Vec3& p)
    {
        for (int i = 0; i < 3; ++i) {
            b_[i] += p[i];
            for (int j = 0; j < 3; ++j) a_[i][j] += p[i]*p[j];
        }
    }

    // By Cramer's rule; false: the points do not span a plane.
    bool solve(Vec3& n) const
    {
        const double whole = determinant(a_[0], a_[1], a_[2]);
        const double size = a_[0][0] + a_[1][1] + a_[2][2];
        if (!(whole > 1e-6*size*size)) return false;
        n = {determinant(b_, a_[1], a_[2])/whole, determinant(a_[0], b_, a_[2])/whole, determinant(a_[0], a_[1], b_)/whole};
        return true;
    }

private:
    static double determinant(const Vec3& a, const Vec3& b, const Vec3& c)
    {
        return a[0]*(b[1]*c[2] - b[2]*c[1]) - a[1]*(b[0]*c[2] - b[2]*c[0]) + a[2]*(b[0]*c[1] - b[1]*c[0]);
    }

    Vec3 a_[3] = {}, b_{0, 0, 0};       // a_ is symmetric
};

} // namespace

Vec3 outwardNormal(const Domain& domain, NodeIndex node, int patch, const Int3& lean)
{
    const Vec3 guess = unit({double(lean[0]), double(lean[1]), double(lean[2])});
    const Int3 x = domain.coordinates(node);
    const int depth = domain.dimensions == 2 ? 0 : 1;
    PlaneFit fit(domain.dimensions);
    for (int dz = -depth; dz <= depth; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const NodeIndex near = domain.neighbour(x, {dx, dy, dz});
                if (near < 0) continue;
                auto link = std::lower_bound(domain.links.begin(), domain.links.end(), near,
                    [](const Link& l, NodeIndex n) { return l.node < n; });
                for (; link != domain.links.end() && link->node == near; ++link) {
                    if (link->patch != patch) continue;
                    // From a point inside, for the plane must not go through the origin
                    const Int3 c = directionOf(link->direction);
                    const double s = link->fraction;
                    fit.add({dx + s*c[0] + 2*guess[0], dy + s*c[1] + 2*guess[1], dz + s*c[2] + 2*guess[2]});
                }
            }
    Vec3 normal;
    if (!fit.solve(normal)) return guess;
    normal = unit(normal);
    return dot(normal, guess) > 0.5 ? normal : guess;
}

} // namespace lbm
