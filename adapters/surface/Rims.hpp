// Rims: the loops of open edges at which a surface ends, and the caps that close them.
//
// A rim is a closed chain of edges that one triangle each uses; where two rims touch in a point each becomes a
// loop of its own. Its cap is made of triangles between the rim's own points, so that the surface is closed
// there to the last digit, oriented as the surface is, and nearly flat if the rim is.
// SI units. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/TriangleMesh.hpp"

namespace lbm {

struct Rim {
    std::vector<int> points; // of the mesh, in the sense in which a cap turns
    std::int16_t region = 0; // of the surface along most of its edges
    Vec3 centre{};           // of the cap's area, in the mean plane
    Vec3 normal{};           // of the cap, out of what the surface holds; 0 without area
    double area = 0;         // of the cap, along its normal
    double perimeter = 0;
    double deviation = 0; // farthest point of the rim from the mean plane
    double reach = 0;     // farthest point from the centre
    bool simple = true;   // seen along the normal it does not cross itself

    // Other rims, numbers in the list, or -1
    int within = -1; // lies in this one's cap
    int facing = -1; // lies where this one is: surfaces that were to meet there, and do not quite
    int holds = -1;  // lies in the cap of this one

    double radius() const; // of the circle with its area
    double width() const;  // hydraulic diameter
    bool flat() const { return deviation <= 0.1 * radius(); }
};

struct RimList {
    std::vector<Rim> all;        // largest first; of equal ones those with lower x, then y, then z
    std::int64_t strayEdges = 0; // open, in no loop
};

RimList rimsOf(const TriangleMesh& mesh);

// Appends the rim's cap as region `name`. Throws SurfaceError if the rim is not simple or has no area.
void closeRim(TriangleMesh& mesh, const Rim& rim, const std::string& name);

// What became of a rim.
struct RimFate {
    Rim rim;
    std::string patch;   // its cap's; empty: a hole
    std::string surface; // the region it belongs to
    std::string why;     // it is a hole
};

// A table with centre, normal, area and radius of each; of holes the largest alone. Empty without rims.
std::string rimsText(const std::vector<RimFate>& rims);

} // namespace lbm
