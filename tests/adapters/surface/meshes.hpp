// Closed surfaces with known insides, and checks that hold for every Domain.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/SurfaceDomain.hpp"

#include <cmath>
#include <functional>

namespace lbm::test {

const double pi = std::acos(-1.0);

std::vector<Int3> d3q27();
std::vector<Int3> d2q9();

TriangleMesh boxMesh(const Vec3& min, const Vec3& max, const std::array<std::string, 6>& names);
TriangleMesh boxMesh(const Vec3& min, const Vec3& max); // xMin xMax ...
TriangleMesh sphereMesh(const Vec3& centre, double radius, int rings);
TriangleMesh torusMesh(const Vec3& centre, double ring, double tube, int n);
// Corners at distance `radius` along the axes.
TriangleMesh octahedronMesh(const Vec3& centre, double radius);

TriangleMesh moved(TriangleMesh mesh, const std::function<Vec3(const Vec3&)>& move);
TriangleMesh turned(const TriangleMesh& mesh, double angle); // about (1, 2, 3)
TriangleMesh flipped(TriangleMesh mesh);

// Node (0,0,0) at the origin, spacing 1.
LatticeBox unitBox(const Int3& size);

Vec3 position(const Domain& domain, NodeIndex node);

// The link of a node along c, or nullptr.
const Link* findLink(const Domain& domain, const Int3& node, const Int3& c);

// Every link to a solid node or out of the box is listed, and links between fluid nodes from both sides.
// Returns the first fault, or nothing.
std::string linkFault(const Domain& domain, const std::vector<Int3>& directions);

// Solid angle of the surface over 4 pi: 1 inside, 0 outside (Van Oosterom and Strackee, 1983).
double windingNumber(const TriangleMesh& mesh, const Vec3& p);

// Nearest crossing of the segment from p to p + c, as share of c in (0, 1]; 2 if there is none.
double nearestCrossing(const TriangleMesh& mesh, const Vec3& p, const Vec3& c);

} // namespace lbm::test
