// Crossing: where the links of a node meet a triangle, decided exactly. For a processor and for a GPU, with the same results to the
// last bit, if neither contracts products and sums. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/surface/Exact.hpp"

namespace lbm::exact {

struct Hit {
    double fraction = 0; // 0: no hit
    std::int16_t region = -1;
    bool leaving = false;   // through a triangle whose outer side faces away from the node
    bool preferred = false; // of a region that takes links which meet several in one place

    LBM_HD explicit operator bool() const { return fraction > 0; }
};

// Hits closer to each other than this share of a link count as one place.
constexpr double samePlace = 1e-6;

// Depends on the order of hits where places are nearly one: they are to be taken by ascending numbers of triangles.
LBM_HD inline bool better(const Hit& hit, const Hit& best)
{
    if (!best || hit.fraction < best.fraction - samePlace) return true;
    if (hit.fraction > best.fraction + samePlace) return false;
    if (hit.leaving != best.leaving) return hit.leaving;
    return hit.preferred && !best.preferred;
}

LBM_HD inline Wide along(const WidePoint& v, const Int3& c)
{
    Wide sum = 0;
    for (int a = 0; a < 3; ++a) {
        if (c[a] > 0) sum += v[a];
        if (c[a] < 0) sum -= v[a];
    }
    return sum;
}

LBM_HD inline Point placeOf(const Int3& node, Coordinate unit)
{
    return {node[0] * unit, node[1] * unit, node[2] * unit};
}

// A triangle seen from a node. The line from the node along c passes on one side of each edge; the
// triple products `edge` have one sign where it passes through the triangle, their sum is the
// normal's component, and the plane is met after offset/(normal component) spacings.
struct View {
    std::array<WidePoint, 3> edge;
    WidePoint normal;
    Wide offset;

    LBM_HD View(const Triangle& t, const Point& node)
    {
        const Point a = minus(t.corner[0], node), b = minus(t.corner[1], node), c = minus(t.corner[2], node);
        edge = {cross(a, b), cross(b, c), cross(c, a)};
        normal = t.normal;
        offset = dot(normal, a);
    }

    LBM_HD bool passesThrough(const Int3& c, Wide slope) const
    {
        const int s = sign(slope);
        for (const WidePoint& e : edge)
            if (s * sign(along(e, c)) < 0) return false;
        return true;
    }

    LBM_HD double fraction(Wide slope, Coordinate unit) const
    {
        return toDouble(offset) / toDouble(slope) / double(unit);
    }
};

// What a search looks for.
struct LinkRays {
    Coordinate unit = 1; // of a spacing
    int outerSide = 1;   // 1: normals point out of the fluid; -1: into it
    int count = 0;
    Int3 direction[27] = {};
};

// hits: of each direction; replaced by better ones.
LBM_HD inline void crossLinks(const Triangle& triangle, std::int16_t region, bool preferred, const Point& node,
                              const LinkRays& rays, Hit* hits)
{
    const WidePoint& n = triangle.normal;
    const Wide reach = Wide(rays.unit) * (magnitude(n[0]) + magnitude(n[1]) + magnitude(n[2]));
    if (magnitude(triangle.height(node)) > reach) return;

    const View view(triangle, node);
    for (int q = 0; q < rays.count; ++q) {
        const Int3& c = rays.direction[q];
        const Wide slope = along(n, c);
        if (slope == 0 || sign(slope) != sign(view.offset)) continue;
        if (magnitude(view.offset) > magnitude(slope) * rays.unit) continue;
        if (!view.passesThrough(c, slope)) continue;

        const Hit hit{view.fraction(slope, rays.unit), region, sign(slope) == rays.outerSide, preferred};
        if (better(hit, hits[q])) hits[q] = hit;
    }
}

} // namespace lbm::exact
