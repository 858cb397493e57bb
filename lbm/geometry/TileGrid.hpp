// TileGrid: covers a Domain with equal tiles, from node (0,0,0) on, and drops those without a fluid node
// (section 3 of Tomczak & Szafran 2019). Extents are run-time data here; kernels fix them as template
// arguments. A missing neighbour is the number tiles(): one spare tile that nobody's result depends on.
// Of a part (PartDomain) those tiles come first that steps work on: all but such as hold ghosts alone.
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

// Tiles in a row: from the first to behind the last.
struct TileRange {
    std::int32_t first, last;
    std::int32_t count() const { return last - first; }
};

// Of a part's tiles those of its rim look at ghosts or hold what others' ghosts are of; inner ones do neither.
enum class PartOfTiles { rim, inner };

// Up to two, one behind the other: around the end of a periodic axis.
using TileRanges = std::array<TileRange, 2>;

// How the tiles that steps work on are numbered: row by row of the box, or the inner ones before those of the rim, so that each
// are a range. Without rows first, all count as the rim's. Ghosts alone are always last, but in layers: there they lie in the row
// where the box has them, and steps work on them, too, for slabs that stream through a device are to be ranges of all tiles.
enum class TileOrder { rows, rimLast, layers };

class TileGrid {
public:
    TileGrid(const Domain&, const Int3& extents, TileOrder order = TileOrder::rows);

    std::int32_t tiles() const { return std::int32_t(positions_.size()); }
    std::int32_t stepped() const { return stepped_; } // tiles that hold more than ghosts
    bool stepsGhosts() const { return stepsGhosts_; } // some of them hold ghosts, too
    // Whether a tile counts as the rim's, however it is numbered.
    bool isOfRim(const Domain& domain, std::int32_t tile) const { return isRim(domain, positions_[tile]); }
    // Whether ghosts are all that it has.
    bool isOfGhosts(const Domain&, std::int32_t tile) const;
    TileRange range(PartOfTiles part) const
    {
        return part == PartOfTiles::inner ? TileRange{0, inner_} : TileRange{inner_, stepped_};
    }
    const Int3& extents() const { return extents_; }
    // Tiles of the whole box along each axis, and the number of each, x fastest; -1: none is kept there.
    const Int3& count() const { return count_; }
    const std::vector<std::int32_t>& map() const { return map_; }
    // How many tiles lie below each layer of tiles along an axis along which they are numbered layer by layer, and how many there
    // are: [layers + 1].
    std::vector<std::int32_t> tilesBelow(int axis) const;
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
    void number(const Domain&, TileOrder);
    void findNeighbours();
    bool isRim(const Domain&, std::int32_t box) const;
    Int3 originOf(std::int32_t box) const;

    Int3 extents_, count_;
    std::int32_t inner_ = 0, stepped_ = 0;
    bool stepsGhosts_ = false;
    std::array<bool, 3> wraps_;
    std::vector<std::int32_t> map_;
    std::vector<std::int32_t> positions_;
    std::vector<std::array<std::int32_t, 27>> neighbours_;
};

} // namespace lbm
