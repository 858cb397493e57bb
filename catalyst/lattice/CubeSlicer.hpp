// CubeSlicer: cuts cubes along the axes, as LatticeCells has them, by planes. Which cubes a plane can meet is read off the
// boxes of runs of cells, made once for a topology, so that a slice costs what it shows and not what the lattice holds.
//
// Memory: a box of 24 bytes for 64 cells. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/insitu.h"
#include "lbm/api/Domain.hpp"

#include <array>
#include <vector>

namespace lbm {

// Convex polygons, each the cut through one cell, in the order of cells. Those of neighbours share their points.
struct SlicePolygons {
    std::vector<float> points;            // 3 each [m]
    std::vector<std::int32_t> offsets{0}; // one more than polygons, into connectivity
    std::vector<std::int32_t> connectivity;
    std::vector<std::int64_t> cells; // of each polygon
};

class CubeSlicer {
public:
    // Whether it can cut such a mesh: voxels with single-precision points
    static bool cuts(const lbmInsituMesh&);

    // Looks at the mesh's arrays for as long as it lives.
    explicit CubeSlicer(const lbmInsituMesh&);

    // Where normal*(x - origin) is one of the values, which may come in any order. A cube that the plane only touches
    // from below (in the sense of the normal) is cut, as VTK's filters have it. Ghosts are another process's to cut.
    SlicePolygons cut(const Vec3& normal, const Vec3& origin, const std::vector<double>& values) const;

private:
    using Box = std::array<float, 6>; // low and high corner
    Box boxOf(std::int64_t cell) const;

    lbmInsituMesh mesh_;
    std::vector<Box> boxes_;
};

} // namespace lbm
