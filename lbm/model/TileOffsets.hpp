// TileOffsets: how many tiles a lattice needs, depending on where the grid of tiles begins.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

namespace lbm {

struct TileChoice {
    Int3 extents;
    // Nodes that the grid begins before the first fluid node along each axis.
    Int3 offset{0, 0, 0};
    std::int64_t tiles = 0, tilesWithoutOffset = 0;
    double porosity = 0, porosityWithoutOffset = 0; // fluid nodes over nodes in tiles
};

// The best of all offsets; of equal ones the lowest, x last.
TileChoice bestTileOffset(const Domain& domain, const Int3& extents);

} // namespace lbm
