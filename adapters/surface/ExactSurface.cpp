// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/ExactSurface.hpp"

#include <cmath>

namespace lbm::exact {

namespace {

constexpr int coordinateBits = 40, mostBits = 32, leastBits = 16;

// Largest coordinate, in node spacings, of surface and box.
double extent(const TriangleMesh& mesh, const LatticeBox& box)
{
    double most = 2 + std::max({box.size[0], box.size[1], box.size[2]});
    const Bounds b = bounds(mesh);
    for (int a = 0; a < 3; ++a)
        for (double x : {b.min[a], b.max[a]}) most = std::max(most, std::abs(x - box.origin[a]) / box.spacing);
    return most;
}

} // namespace

Surface::Surface(const TriangleMesh& mesh, const LatticeBox& box) : mesh_(mesh), origin_(box.origin)
{
    const int used = int(std::ceil(std::log2(extent(mesh, box))));
    bits_ = std::min(mostBits, coordinateBits - used);
    if (bits_ < leastBits)
        throw SurfaceError("the surface reaches over 2^" + std::to_string(used) + " node spacings; at most 2^"
                           + std::to_string(coordinateBits - leastBits) + " are possible");
    scale_ = std::ldexp(1.0, bits_) / box.spacing;
    points_.reserve(mesh.points.size());
    for (const Vec3& p : mesh.points) points_.push_back(snap(p));
}

Triangle Surface::triangle(std::size_t t) const
{
    const Int3& c = mesh_.triangles[t];
    return triangleOf({points_[c[0]], points_[c[1]], points_[c[2]]});
}

std::array<Vec3, 3> Surface::place(std::size_t t) const
{
    std::array<Vec3, 3> corners;
    for (int i = 0; i < 3; ++i)
        for (int a = 0; a < 3; ++a) corners[i][a] = double(points_[mesh_.triangles[t][i]][a]) / double(unit());
    return corners;
}

Point Surface::snap(const Vec3& position) const
{
    Point p;
    for (int a = 0; a < 3; ++a) p[a] = std::llround((position[a] - origin_[a]) * scale_);
    return p;
}

} // namespace lbm::exact
