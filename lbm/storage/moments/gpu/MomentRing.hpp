// MomentRing: how one copy of the moments is enough. Runs of tiles are updated in a fixed order, several at a time; the tiles
// lie in that order in a ring, and new moments go some places in front of the old ones, where none are needed any more:
// who reads them has finished. Runs are ordered so that readers come soon after, around periodic axes, too: there tiles are
// taken from both ends in turns. Faces (see MomentFaces) have their own ring: their readers are further away.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/TileGrid.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace lbm {

struct TileRuns {
    std::vector<std::int32_t> tiles, first; // see RunsView
    std::int32_t count() const { return std::int32_t(first.size()) - 1; }
};

// By columns of tiles: along y before x.
inline void orderRuns(const TileGrid& grid, const Int3& boxSize, TileRuns& runs)
{
    const auto key = [&](std::int32_t run) {
        const Int3 at = grid.origin(runs.tiles[runs.first[run]]);
        Int3 place;
        for (int a = 0; a < 3; ++a) {
            const int n = (boxSize[a] + grid.extents()[a] - 1) / grid.extents()[a], i = at[a] / grid.extents()[a];
            place[a] = !grid.wraps(a) ? i : std::min(2 * i, 2 * (n - 1 - i) + 1);
        }
        return std::array<int, 4>{place[0], place[1], place[2], run};
    };
    std::vector<std::int32_t> order(runs.count());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::array<int, 4>> keys;
    for (std::int32_t run : order) keys.push_back(key(run));
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return keys[a] < keys[b]; });
    TileRuns sorted;
    for (std::int32_t run : order) {
        sorted.first.push_back(std::int32_t(sorted.tiles.size()));
        sorted.tiles.insert(sorted.tiles.end(), runs.tiles.begin() + runs.first[run],
                            runs.tiles.begin() + runs.first[run + 1]);
    }
    sorted.first.push_back(std::int32_t(sorted.tiles.size()));
    runs = std::move(sorted);
}

struct MomentRing {
    std::vector<std::int32_t> position;    // [tiles]
    std::vector<std::int32_t> after;       // [runs]: how many must be finished before a run writes
    std::int32_t shift = 0, faceShift = 0; // by so many slots everything moves up in a step

    // spare: slots beyond those that must be, so that runs need not wait.
    MomentRing(const TileGrid& grid, const TileRuns& runs, bool facesKept, std::int32_t spare) :
        position(grid.tiles()), after(runs.count(), 0)
    {
        // Ghosts, which no run updates, come last
        const std::int32_t tiles = grid.tiles(), stepped = grid.stepped();
        const auto tileAt = [&](std::int32_t i) { return i < stepped ? runs.tiles[i] : i; };
        std::iota(position.begin(), position.end(), 0);
        std::vector<std::int32_t> runOf(tiles, -1);
        for (std::int32_t run = 0; run < runs.count(); ++run)
            for (std::int32_t i = runs.first[run]; i < runs.first[run + 1]; ++i) {
                position[runs.tiles[i]] = i;
                runOf[runs.tiles[i]] = run;
            }
        // Of each place the last run that reads what lies there, of moments and of faces.
        std::vector<std::int32_t> last[2];
        for (int c = 0; c < 2; ++c) {
            last[c].assign(tiles, -1);
            for (std::int32_t i = 0; i < tiles; ++i)
                for (int n = 0; n < 27; ++n) {
                    const std::int32_t reader = grid.neighbours(tileAt(i))[n];
                    const bool asFace = facesKept && n % 3 != 1;
                    if (reader < tiles && asFace == (c == 1)) last[c][i] = std::max(last[c][i], runOf[reader]);
                }
            if (c == 0)
                for (std::int32_t i = 0; i < tiles; ++i) last[c][i] = std::max(last[c][i], runOf[tileAt(i)]);
            std::int32_t least = 0;
            for (std::int32_t i = 0; i < tiles; ++i)
                if (last[c][i] >= 0) least = std::max(least, runs.first[last[c][i] + 1] - i);
            (c == 0 ? shift : faceShift) = std::min(least + spare, tiles);
        }
        std::int32_t needed = 0;
        for (std::int32_t run = 0; run < runs.count(); ++run) {
            for (int c = 0; c < 2; ++c) {
                const std::int32_t moved = c == 0 ? shift : faceShift;
                for (std::int32_t i = std::max(runs.first[run] - moved, 0); i < runs.first[run + 1] - moved; ++i)
                    needed = std::max(needed, last[c][i] + 1);
            }
            after[run] = needed;
        }
    }

    std::size_t bytes() const { return (position.size() + 2 * after.size()) * sizeof(std::int32_t); }
};

} // namespace lbm
