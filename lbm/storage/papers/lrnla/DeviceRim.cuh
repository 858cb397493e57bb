// DeviceRim: what crosses between the cells of a box in the host's memory, eight octants each, and those of towers on a device, an octant
// after the other: blocks at the bases, lines at the slopes (Levchenko & Perepelkina 2022, section 2.6). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/DevicePass.cuh"

namespace lbm::lrnla {

constexpr int octantsOfCell = 8;

// A line of the box, and where towers leave or find its cells: the line of theirs, and the place among those that cross a slope. cell:
// that it begins at, from the corner of the device's blocks.
struct RimLine {
    std::uint64_t inBox;
    std::uint32_t line;
    std::uint16_t within, cell[3];
};

template<class L, class S>
struct RimCopy {
    static constexpr int threads = 128, steps = 8; // of a line at once
    static constexpr int cellWords = L::Q * octantsOfCell * int(sizeof(S)) / 16;
    static_assert(L::Q * octantsOfCell * sizeof(S) % 16 == 0);

    uint4* box;   // in the host's memory
    Chunk* lines; // as DevicePass
    std::size_t linesOfOctant;
    int length;

    // copy(q, octant, f) for each value of each cell among `count` that lie in shared memory, behind those of towers.
    template<class Copy>
    __device__ void each(const RimLine& at, int first, int count, const Copy& copy) const
    {
        constexpr int chunks = chunksOf<L, S>, values = 16 / int(sizeof(S));
        for (int i = threadIdx.x; i < count * octantsOfCell * chunks; i += threads) {
            const int octant = i % octantsOfCell, chunk = i / octantsOfCell % chunks, step = i / octantsOfCell / chunks;
            Chunk* there = lines
                + ((octant * linesOfOctant + at.line) * std::size_t(length) + first + step) * (chunks * slopeCells)
                + chunk * slopeCells + at.within;
            copy(there, step, chunk * values, octant);
        }
    }
    __device__ uint4* boxLine(const RimLine& at, int first) const
    {
        return box + (at.inBox * std::size_t(length) + first) * cellWords;
    }
};

template<class S>
union ChunkValues {
    Chunk chunk;
    S f[16 / sizeof(S)];
    __device__ ChunkValues() {}
};

// From the box to where towers will find them; a block is a line.
template<class L, class S>
__global__ void __launch_bounds__(RimCopy<L, S>::threads) takeLines(const RimCopy<L, S> rim, const RimLine* at)
{
    using Rim = RimCopy<L, S>;
    __shared__ uint4 cells[Rim::steps * Rim::cellWords];
    const S* f = reinterpret_cast<const S*>(cells);
    const RimLine own = at[blockIdx.x];
    for (int first = 0; first < rim.length; first += Rim::steps) {
        const int count = min(Rim::steps, rim.length - first);
        const uint4* from = rim.boxLine(own, first);
        for (int i = threadIdx.x; i < count * Rim::cellWords; i += Rim::threads) cells[i] = from[i];
        __syncthreads();
        rim.each(own, first, count, [&](Chunk* there, int step, int q, int octant) {
            ChunkValues<S> values;
            for (int k = 0; k < 16 / int(sizeof(S)); ++k)
                values.f[k] = q + k < L::Q ? f[(step * L::Q + q + k) * octantsOfCell + octant] : S(0);
            *there = values.chunk;
        });
        __syncthreads();
    }
}

// And back from where they have left them.
template<class L, class S>
__global__ void __launch_bounds__(RimCopy<L, S>::threads) giveLines(const RimCopy<L, S> rim, const RimLine* at)
{
    using Rim = RimCopy<L, S>;
    __shared__ uint4 cells[Rim::steps * Rim::cellWords];
    S* f = reinterpret_cast<S*>(cells);
    const RimLine own = at[blockIdx.x];
    for (int first = 0; first < rim.length; first += Rim::steps) {
        const int count = min(Rim::steps, rim.length - first);
        rim.each(own, first, count, [&](Chunk* there, int step, int q, int octant) {
            ChunkValues<S> values;
            values.chunk = *there;
            for (int k = 0; k < 16 / int(sizeof(S)); ++k)
                if (q + k < L::Q) f[(step * L::Q + q + k) * octantsOfCell + octant] = values.f[k];
        });
        __syncthreads();
        uint4* to = rim.boxLine(own, first);
        for (int i = threadIdx.x; i < count * Rim::cellWords; i += Rim::threads) to[i] = cells[i];
        __syncthreads();
    }
}

// What walls keep beside cells, of all octants each: in the host's memory, and by places of the device's own.
template<class S>
struct RimValues {
    static constexpr int threads = 128;

    S *box, *own;
    const KeptLinks* kept;      // [z][y][x], own places
    const std::uint32_t* toOwn; // of a block's places, what is added to those in the box
    int cells[3], blocks[3], length;
};

// Goes along with a line's cells, the step-th of which is as many further on; a block is a line.
template<class S, bool take>
__global__ void __launch_bounds__(RimValues<S>::threads) moveValues(const RimValues<S> rim, const RimLine* at)
{
    const RimLine line = at[blockIdx.x];
    const int octant = threadIdx.x % octantsOfCell;
    for (int step = threadIdx.x / octantsOfCell; step < rim.length; step += rim.threads / octantsOfCell) {
        const int x = line.cell[0] + step, y = line.cell[1] + step, z = line.cell[2] + step, n = rim.length;
        const KeptLinks kept = rim.kept[(std::size_t(z) * rim.cells[1] + y) * rim.cells[0] + x];
        if (kept.links == 0) continue;
        const std::uint32_t toOwn = rim.toOwn[(std::size_t(z / n) * rim.blocks[1] + y / n) * rim.blocks[0] + x / n];
        for (int i = 0; i < countBits(kept.links); ++i) {
            S* own = rim.own + std::size_t(kept.first + i) * octantsOfCell + octant;
            S* there = rim.box + std::size_t(std::uint32_t(kept.first + i - toOwn)) * octantsOfCell + octant;
            if (take) *own = *there;
            else *there = *own;
        }
    }
}

// Blocks of n^3 cells along Morton's curve, [cell][link][octant], and tiles of towers, [octant][link][z][y][x]. 32 cells in turn
// are 256 threads'; blockIdx.y: which block and tile.
constexpr int unfoldedCells = 32, unfoldThreads = unfoldedCells * octantsOfCell;

__device__ inline std::size_t mortonOf(int flat, int n)
{
    const int x = flat % n, y = flat / n % n, z = flat / n / n;
    std::size_t code = 0;
    for (int bit = 0; n >> bit > 1; ++bit)
        code |= (std::size_t(x >> bit & 1) | std::size_t(y >> bit & 1) << 1 | std::size_t(z >> bit & 1) << 2)
            << 3 * bit;
    return code;
}

template<class L, class S, bool unfold>
__global__ void __launch_bounds__(unfoldThreads) turnBlocks(int n, S* blocks, S* tiles)
{
    __shared__ S turned[octantsOfCell][unfoldedCells + 1];
    const std::size_t cells = std::size_t(n) * n * n, own = std::size_t(blockIdx.y) * cells * L::Q * octantsOfCell;
    const int t = threadIdx.x;
    const int blockOctant = t % octantsOfCell, blockCell = t / octantsOfCell;
    const int tileCell = t % unfoldedCells, tileOctant = t / unfoldedCells;
    const std::size_t first = std::size_t(blockIdx.x) * unfoldedCells;
    S* block = blocks + own + mortonOf(int(first) + blockCell, n) * L::Q * octantsOfCell + blockOctant;
    S* tile = tiles + own + std::size_t(tileOctant) * L::Q * cells + first + tileCell;
    for (int q = 0; q < L::Q; ++q) {
        if (unfold) turned[blockOctant][blockCell] = block[q * octantsOfCell];
        else turned[tileOctant][tileCell] = tile[q * cells];
        __syncthreads();
        if (unfold) tile[q * cells] = turned[tileOctant][tileCell];
        else block[q * octantsOfCell] = turned[blockOctant][blockCell];
        __syncthreads();
    }
}

} // namespace lbm::lrnla
