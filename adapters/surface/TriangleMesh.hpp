// TriangleMesh: a surface as plain data (SI units), its reader, and the test whether it is closed.
// C++17, no OpenFOAM type, so that the core's tools and OpenFOAM's applications share it.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace lbm {

struct TriangleMesh {
    std::vector<Vec3> points;
    std::vector<Int3> triangles;          // point numbers, counter-clockwise seen from outside
    std::vector<std::int16_t> regions;    // one a triangle, indexes regionNames
    std::vector<std::string> regionNames; // every name once
};

// A surface that cannot be read or is not fit for its use; what() names the file or surface and the fault.
struct SurfaceError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Reads STL (ascii, binary) or OBJ, each plain or .gz, by OpenFOAM's triSurface; coordinates times `scale`.
// Regions are the file's solids or groups that have triangles. Throws SurfaceError for a file that is missing, empty, cut
// short, of an unknown kind, or that holds no triangle or a coordinate that is not finite. OpenFOAM's
// own errors come as SurfaceError, too: the process goes on.
TriangleMesh readSurface(const std::string& file, double scale = 1);

// Number of the region of that name, added if there is none. Throws SurfaceError above 32767 regions.
std::int16_t regionNumber(TriangleMesh& mesh, const std::string& name);

// Appends `other`; regions of the same name become one.
void append(TriangleMesh& mesh, const TriangleMesh& other);

// Appends the six sides of a box, outward normals; names: xMin xMax yMin yMax zMin zMax.
void appendBox(TriangleMesh& mesh, const Vec3& min, const Vec3& max, const std::array<std::string, 6>& names);

struct Bounds {
    Vec3 min, max;
};

Bounds bounds(const TriangleMesh& mesh);

// Enclosed by a closed surface, SI units.
double volume(const TriangleMesh& mesh);

// Edges that keep a surface from being closed. An edge is known by the places of its two ends, not by
// point numbers. In a closed surface every edge is used as often in one sense as in the other.
struct EdgeDefects {
    std::int64_t open = 0;        // used by an odd number of triangles
    std::int64_t misoriented = 0; // used more often in one sense than in the other
    std::int64_t triangle = -1;   // a triangle at the first edge at fault, or -1
    std::array<Vec3, 2> edge{};   // its ends

    bool none() const { return open + misoriented == 0; }
};

EdgeDefects edgeDefects(const TriangleMesh& mesh);

// Throws SurfaceError with the number of open edges and the place of the first; `name` tells whose.
void requireClosed(const TriangleMesh& mesh, const std::string& name);

} // namespace lbm
