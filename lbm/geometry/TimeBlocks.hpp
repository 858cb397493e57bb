// TimeBlocks: the order in which steps in place go through tiles so that a block of them makes several while it stays in a cache.
// Lines of tiles along x are put together in blocks, some along y and some along z. At each step of a pass a block lies
// lower by what a step reaches, along both: what lies below was advanced with the blocks before it, and nothing is computed
// twice. Along a periodic axis a block has all lines, for the ends look at each other. (Skewing of wave fronts, as in
// Wolfe 1989; as Slabs, which takes whole layers through a device.) C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/TileGrid.hpp"

#include <array>
#include <vector>

namespace lbm {

// A step of a block: all threads share its tiles and meet before the next one.
struct BlockStep {
    int step; // of the pass
    std::vector<TileRange> ranges;
    std::int32_t tiles;
};

// Lines in a block, along y and z; 0: there is no such block.
using BlockWidths = std::array<int, 2>;

class TimeBlocks {
public:
    // reach: of a step, in nodes. Tiles are numbered row by row.
    TimeBlocks(const TileGrid&, const Domain&, int reach);

    // Else blocks have all tiles.
    bool possible() const { return !whole(0) || !whole(1); }

    // Thinner ones, in steps' reaches, reload so much at each step that nothing is gained.
    static constexpr int thinnest = 3;

    // As many lines as a cache has room for that holds so many tiles, the outermost that a step of a block reaches included.
    BlockWidths widthsFor(double tiles) const;

    // As many along both axes; along periodic ones, all.
    BlockWidths widthsOf(int lines) const;

    // Every tile makes every step of a pass.
    std::vector<BlockStep> pass(int steps, const BlockWidths&) const;

private:
    bool whole(int a) const { return skew_[a] == 0; }
    BlockStep blockStep(const std::array<TileRange, 2>& lines, int step) const;

    std::array<int, 2> lines_, skew_; // a block is lower by so many lines at each step; 0: has all
    std::vector<std::int32_t> first_; // tile of a line; y fastest
};

} // namespace lbm
