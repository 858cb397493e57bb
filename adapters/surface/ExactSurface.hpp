// ExactSurface: a triangle mesh on the integers. Coordinates count 2^-bits of the node spacing from node
// (0,0,0), so that a node is a whole multiple of unit() and every sign below is exact: coordinates stay
// under 2^40, products of three of them under 2^126.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/SurfaceDomain.hpp"

#include <algorithm>

namespace lbm::exact {

using Coordinate = std::int64_t;
__extension__ typedef __int128 Wide;
using Point = std::array<Coordinate, 3>;
using WidePoint = std::array<Wide, 3>;

inline int sign(Wide value) { return (value > 0) - (value < 0); }

inline Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

inline WidePoint cross(const Point& a, const Point& b)
{
    return {Wide(a[1]) * b[2] - Wide(a[2]) * b[1], Wide(a[2]) * b[0] - Wide(a[0]) * b[2],
            Wide(a[0]) * b[1] - Wide(a[1]) * b[0]};
}

inline Wide dot(const WidePoint& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct Triangle {
    std::array<Point, 3> corner;
    WidePoint normal; // twice the area

    bool degenerate() const { return normal[0] == 0 && normal[1] == 0 && normal[2] == 0; }
    // Positive on the side that the normal points to.
    Wide height(const Point& p) const { return dot(normal, minus(p, corner[0])); }
    Coordinate min(int axis) const { return std::min({corner[0][axis], corner[1][axis], corner[2][axis]}); }
    Coordinate max(int axis) const { return std::max({corner[0][axis], corner[1][axis], corner[2][axis]}); }
};

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
