// DeviceClimb: the kernel of a pass, a tower a block. Blocks take towers from one list, whose order holds for all of them: whoever
// waits, waits for a tower that another block has already begun. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/DeviceTorre.cuh"

namespace lbm::lrnla {

__device__ inline int acquired(const int* flag)
{
    int value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}
__device__ inline void release(int* flag, int value)
{
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

template<class L, class S, bool folds, bool walls, class Collide>
__global__ void __launch_bounds__(torreThreads, TorreShared<L, S>::blocks)
    climbTowers(const __grid_constant__ DevicePass<S> pass, const __grid_constant__ Collide relax)
{
    extern __shared__ __align__(16) char shared[];
    __shared__ Chunk* lines[8];
    __shared__ int taken, base[3];
    int octant = 0;
    if constexpr (folds) octant = cooperative_groups::this_cluster().block_rank();
    // Blocks begin in whatever order: each takes the next tower, so that those it waits for have begun
    if (octant == 0 && threadIdx.x == 0) taken = atomicAdd(pass.taken, 1);
    syncOctants<folds>();
    const int* told = &taken;
    if constexpr (folds) told = cooperative_groups::this_cluster().map_shared_rank(&taken, 0);
    const std::uint32_t code = pass.order[*told];
    const int tower[3] = {int(code & 1023), int(code >> 10 & 1023), int(code >> 20)};
    const auto number = [&](int x, int y, int z) {
        return octant * pass.towersOfOctant + (std::size_t(z) * pass.towers[1] + y) * pass.towers[0] + x;
    };
    if (threadIdx.x < 3)
        base[threadIdx.x] = (int(code >> 10 * threadIdx.x & 1023) - pass.before) * torreSide + pass.first;
    if (threadIdx.x < 8) {
        const int t = threadIdx.x;
        const int x = tower[0] + (t & 1), y = tower[1] + (t >> 1 & 1), z = tower[2] + (t >> 2);
        const bool there = x < pass.towers[0] && y < pass.towers[1] && z < pass.towers[2];
        lines[t] = !there ? nullptr
                          : pass.lines
                + (octant * pass.linesOfOctant + lineOf(pass.towers, x, y, z)) * std::size_t(pass.handed)
                    * (chunksOf<L, S> * slopeCells);
        if (there && (t == 1 || t == 2 || t == 4)) {
            while (acquired(pass.done + number(x, y, z)) != pass.number) __nanosleep(50);
        }
    }
    syncOctants<folds>(); // nobody reads `taken` any more
    DeviceTorre<L, S, folds, walls, Collide>(pass, relax, octant, shared, lines)
        .climb(base, pass.tiles + octant * std::size_t(L::Q) * pass.cells[0] * pass.cells[1] * pass.cells[2]);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        release(pass.done + number(int(code & 1023), int(code >> 10 & 1023), int(code >> 20)), pass.number);
    }
}

} // namespace lbm::lrnla
