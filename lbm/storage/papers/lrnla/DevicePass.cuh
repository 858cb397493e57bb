// DevicePass: what the towers of a pass on a device share, and the shared memory that one takes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/CellWalls.hpp"
#include "lbm/storage/papers/lrnla/DeviceExchange.cuh"

#include <cstdint>

namespace lbm::lrnla {

// Sixteen bytes of a cell, the unit in which lines are read and written.
struct alignas(16) Chunk {
    unsigned words[4];
};
template<class L, class S>
constexpr int chunksOf = (L::Q * int(sizeof(S)) + 15) / 16;

// Cells that cross the three slopes in a step, by where they leave: a face of 64 for each axis, in which some are unused.
constexpr int slopeCells = 3 * torreSide * torreSide;

// Of cells as WallCells has them; null without walls.
template<class S>
struct DeviceWalls {
    const std::uint32_t* blocked = nullptr; // [octant][z][y][x]
    const KeptLinks* kept = nullptr;        // [z][y][x]
    KeptValues<S> values;                   // of octant 0
    int cells[3] = {};                      // extents of both
};

// A pass: `steps` steps of all cells. Towers are numbered along x, y, z; number 0 lies `before` towers to the left of the box.
template<class S>
struct DevicePass {
    int cells[3], towers[3];
    int before, first, steps;
    int handed; // times that a tower moves on: after each step, or after each but the last
    S* tiles;   // [octant][link][z][y][x], `extent` of x, y and z, of places whose bits of `within` are alike
    int extent[3], within;
    Chunk* lines;               // [octant][line][time that a tower moves on][chunk][slopeCells]
    const std::uint32_t* order; // right ones first, ten bits an axis
    int* done;                  // [octant][tower]: the number of the pass that it has last been through
    int* taken;                 // towers that have begun
    int number;                 // of the pass
    std::size_t linesOfOctant, towersOfOctant;
    DeviceWalls<S> walls;
};

// Where a tower's line begins: diagonals start in three faces of the towers.
__host__ __device__ inline std::size_t lineOf(const int (&towers)[3], int x, int y, int z)
{
    const int least = x < y ? (x < z ? x : z) : (y < z ? y : z);
    x -= least;
    y -= least;
    z -= least;
    if (z == 0) return std::size_t(y) * towers[0] + x;
    if (y == 0) return std::size_t(towers[0]) * towers[1] + std::size_t(z) * towers[0] + x;
    return std::size_t(towers[0]) * (towers[1] + towers[2]) + std::size_t(z) * towers[1] + y;
}

template<class L, class S>
struct TorreShared {
    static constexpr std::size_t most = 227 * 1024;
    static constexpr std::size_t exchange = std::size_t(exchangedLinks<L>) * torreThreads * sizeof(S);
    static constexpr std::size_t arriving = std::size_t(chunksOf<L, S>) * torreThreads * sizeof(Chunk);
    static constexpr std::size_t leaving = std::size_t(torreSide) * torreThreads * sizeof(std::uint16_t);
    // Else a buffer serves for both, after one more barrier
    static constexpr bool twice = 2 * exchange + arriving + leaving <= most - 1024;
    static constexpr std::size_t bytes = (twice ? 2 : 1) * exchange + arriving + leaving;
    static constexpr int blocks =
        sizeof(S) * L::Q <= 80 && 2 * (bytes + 1024) <= most + 1024 ? 2 : 1; // a multiprocessor
};

} // namespace lbm::lrnla
