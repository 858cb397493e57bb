// ExactSurface: a triangle mesh on the integers (lbm/surface/Exact.hpp): a node is a whole multiple of unit().
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/SurfaceDomain.hpp"
#include "lbm/surface/Exact.hpp"

#include <algorithm>

namespace lbm::exact {

class Surface {
public:
    // Throws SurfaceError if the extent leaves fewer than 16 bits.
    Surface(const TriangleMesh& mesh, const LatticeBox& box);

    int bits() const { return bits_; }
    Coordinate unit() const { return Coordinate(1) << bits_; }
    std::size_t size() const { return mesh_.triangles.size(); }
    int region(std::size_t t) const { return mesh_.regions[t]; }
    const std::vector<Point>& points() const { return points_; }
    const Int3& corners(std::size_t t) const { return mesh_.triangles[t]; }
    Triangle triangle(std::size_t t) const;
    // Whether a part of it may lie between two planes of nodes or on them: each slab asks all triangles.
    bool reaches(std::size_t t, Coordinate firstPlane, Coordinate lastPlane) const
    {
        const Int3& c = mesh_.triangles[t];
        const Coordinate a = points_[c[0]][2], b = points_[c[1]][2], d = points_[c[2]][2];
        return std::min({a, b, d}) <= lastPlane * unit() && std::max({a, b, d}) >= firstPlane * unit();
    }
    // Corners in node spacings from node (0,0,0), without rounding.
    std::array<Vec3, 3> place(std::size_t t) const;
    // Nearest representable place of a position in SI units.
    Point snap(const Vec3& position) const;

    // The first node at or after a coordinate, and the last one at or before it.
    Coordinate ceilNode(Coordinate x) const { return -((-x) >> bits_); }
    Coordinate floorNode(Coordinate x) const { return x >> bits_; }

private:
    const TriangleMesh& mesh_;
    Vec3 origin_;
    double scale_; // representable steps a metre
    int bits_;
    std::vector<Point> points_;
};

} // namespace lbm::exact
