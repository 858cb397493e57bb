// DeviceFill: first populations of towers on a device, and whether they have remained finite. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Unroll.hpp"
#include "lbm/storage/papers/lrnla/DevicePass.cuh"
#include "lbm/storage/papers/lrnla/Folding.hpp"

#include <cmath>

namespace lbm::lrnla {

// In a device's code tables of links are no memory: they are looked up while it is compiled.
template<class L, int q>
__device__ Kept keptAsOf(int i, int octant)
{
    Kept kept{};
    unroll<8>([&](auto mirrored) __attribute__((always_inline)) {
        if (mirrored != (i ^ octant)) return;
        constexpr int link = mirroredLink<L>(q, mirrored);
        kept = {i ^ outward<L>(link), link};
    });
    return kept;
}

// fill(x, f): populations that have arrived at a node, a fluid one.
template<class L, class S, class Fill>
__global__ void fillTowers(const Folding folding, std::int64_t steps, S* tiles, const DeviceWalls<S> walls,
                           const Fill fill)
{
    const Place& size = folding.size();
    const Place& cells = folding.cells();
    const std::size_t node = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (node >= std::size_t(size[0]) * size[1] * size[2]) return;
    const Place x{int(node % size[0]), int(node / size[0] % size[1]), int(node / size[0] / size[1])};
    const Folding::Home home = folding.home(x, steps);
    const std::size_t cell = (std::size_t(home.cell[2]) * cells[1] + home.cell[1]) * cells[0] + home.cell[0];
    const std::size_t all = std::size_t(cells[0]) * cells[1] * cells[2];
    CellWalls<L, S> own;
    if (walls.blocked) own = {walls.blocked[home.octant * all + cell], walls.kept[cell]};
    if (own.blocked & 1) return;
    const bool odd = (steps & 1) != 0;
    constexpr std::uint32_t byThird = linksByThird<L>;
    S f[L::Q];
    fill(x, f);
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        const Folding::At at =
            folding.find(x, steps, [](int i, int octant) { return keptAsOf<L, decltype(q)::value>(i, octant); });
        const int link = at.link;
        if (own.arriving(odd) >> link & 1) {
            const int even = odd ? opposite(link) : link;
            if (byThird >> link & 1) walls.values.at(own.kept, even)[home.octant] = f[q];
            else tiles[(std::size_t(home.octant) * L::Q + link) * all + cell] = f[q];
            return;
        }
        tiles[(((std::size_t(at.octant) * L::Q + at.link) * cells[2] + at.cell[2]) * cells[1] + at.cell[1]) * cells[0]
              + at.cell[0]] = f[q];
    });
}

template<class S>
__global__ void countInfinite(const S* values, std::size_t n, int* count)
{
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += std::size_t(gridDim.x) * blockDim.x)
        if (!isfinite(values[i])) atomicAdd(count, 1);
}

} // namespace lbm::lrnla
