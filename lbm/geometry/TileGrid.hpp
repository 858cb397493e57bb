// TileGrid: covers a Domain with equal tiles, from node (0,0,0) on, and drops those without a fluid node
// (section 3 of Tomczak & Szafran 2019). Extents are run-time data here; kernels fix them as template
// arguments. A missing neighbour is the number tiles(): one spare tile that nobody's result depends on.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lbm {

struct TilePlace {
    std::int32_t tile;  // -1: the node's tile is empty
    std::int32_t local; // node within the tile, x fastest
};

// Extents of a tile by its word (KernelRow::tile), such as 8x4x4. Throws std::invalid_argument for another word.
Int3 tileExtents(const std::string& tile);

class TileGrid {
public:
    TileGrid(const Domain&, const Int3& extents);

    std::int32_t tiles() const { return std::int32_t(positions_.size()); }
    const Int3& extents() const { return extents_; }
    int nodesPerTile() const { return extents_[0] * extents_[1] * extents_[2]; }

    // Box coordinates of the tile's first node.
    Int3 origin(std::int32_t tile) const;
    TilePlace place(const Int3& node) const;

    // By 13 + dx + 3 dy + 9 dz. Wraps along periodic axes whose length is a multiple of the extent.
    const std::array<std::int32_t, 27>& neighbours(std::int32_t tile) const { return neighbours_[tile]; }
    bool wraps(int axis) const { return wraps_[axis]; }

    std::size_t bytes() const
    {
        return map_.size() * sizeof(map_[0]) + positions_.size() * (sizeof(positions_[0]) + sizeof(neighbours_[0]));
    }

private:
    Int3 extents_, count_;
    std::array<bool, 3> wraps_;
    std::vector<std::int32_t> map_;
    std::vector<std::int32_t> positions_;
    std::vector<std::array<std::int32_t, 27>> neighbours_;
};

} // namespace lbm
