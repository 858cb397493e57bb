// Topology: what is wrong with the triangles of a surface, and its shells: triangles that hang together by
// edges which exactly two of them use. Every shell is given one orientation, the one that most of its area
// has in the file.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/TriangleMesh.hpp"

namespace lbm {

struct Shell {
    std::int64_t triangles = 0;
    std::int64_t freeSides = 0; // sides that end at an open edge or a branch; 0: closed
    bool orientable = true;
    double area = 0;   // SI
    double volume = 0; // that the triangles enclose, oriented as above, with holes closed to their middles
    Bounds bounds;

    bool closed() const { return freeSides == 0 && orientable; }
};

struct Topology {
    // Bits of `defects`.
    enum Defect : std::uint8_t {
        degenerate = 1, // without area
        repeated = 2,   // has the same three corners as an earlier triangle, in whatever order
        flipped = 4,    // oriented against its shell
        atOpenEdge = 8, // has an edge that no other triangle uses
        atBranch = 16,  // has an edge that three or more triangles use
        crossing = 32   // passes through another triangle (set by the report)
    };

    std::vector<std::uint8_t> defects; // one a triangle
    std::vector<int> shell;            // of each triangle; -1: in none (two corners in one place, or repeated)
    std::vector<Shell> shells;         // in the order of their first triangles
    std::int64_t openEdges = 0, branchEdges = 0, misorientedEdges = 0;

    std::int64_t count(Defect) const; // of triangles

    // Closed, oriented alike and without repetition; shells may still overlap.
    bool sound() const;
};

Topology topologyOf(const TriangleMesh& mesh);

// Corners of a triangle in the orientation of its shell.
std::array<Vec3, 3> orientedCorners(const TriangleMesh& mesh, const Topology& topology, std::size_t triangle);

} // namespace lbm
