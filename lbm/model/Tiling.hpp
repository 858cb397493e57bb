// Tiling: what performance models need to know of a domain covered with tiles of one size; names as in section 2
// and 3 of Tomczak & Szafran 2019 (porosity, tile porosity, alpha_M, alpha_B). C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm::model {

struct Tiling {
    Int3 extents{1, 1, 1};
    std::int64_t nodes = 0, fluidNodes = 0; // of the box
    std::int64_t allTiles = 0, tiles = 0;   // of the box; with a fluid node

    // Tiles that are all fluid, as is everything one link around them, without a node that has a link record;
    // and tiles that are all fluid among neighbours that are.
    std::int64_t plainTiles = 0, innerTiles = 0;

    double alphaM = 1; // ghost buffers needed, over all that the tiles could have
    double alphaB = 1; // values of ghost buffers moved in a step, over those of all buffers

    int nodesPerTile() const { return extents[0] * extents[1] * extents[2]; }
    double porosity() const { return double(fluidNodes) / double(nodes); }
    double tilePorosity() const { return double(fluidNodes) / (double(tiles) * nodesPerTile()); }
    double allOverFluid() const { return double(allTiles) / double(tiles); }
    double innerShare() const { return double(innerTiles) * nodesPerTile() / double(fluidNodes); } // of fluid nodes
};

// Directions: of a lattice. A ghost buffer lies at a face of a tile, one for each direction that leaves through it;
// it is needed where a tile with fluid reads it (sections 3.1.1.2 and 3.1.2.3 of the paper). Throws
// std::invalid_argument for extents below 1 or a domain without a fluid node.
Tiling measureTiling(const Domain&, const Int3& extents, const std::vector<Int3>& directions);

// Nodes of those groups of `group` successive nodes of a tile (x fastest) that hold a fluid node: what memory moves
// in units of `group` values.
std::int64_t nodesInGroups(const Domain&, const Int3& extents, int group);

// Nodes stored by tiles that keep fluid nodes only, rounded up to `group` in each tile.
std::int64_t nodesPacked(const Domain&, const Int3& extents, int group);

} // namespace lbm::model
