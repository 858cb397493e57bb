// DeviceExchange: populations between the cells of a group where a thread is a cell of ConeTorre<8, NT> (Levchenko & Perepelkina
// 2022, listing 2). Cells keep their thread while the tower moves by a cell a step: a thread stands for all places that are
// alike modulo 8. After an even number of steps a group is eight threads of one warp, which shuffle; after an odd one it lies
// across warps, and what crosses y and z goes through shared memory. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Unroll.hpp"
#include "lbm/storage/papers/lrnla/MirroredLinks.hpp"

#include <cooperative_groups.h>

namespace lbm::lrnla {

constexpr int torreSide = 8, torreThreads = torreSide * torreSide * torreSide;

// Bits of a thread's number: x0 y0 z0 x1 x2 y1 y2 z1 z2. A warp is rows of eight along x, two by two.
__device__ inline void slotOf(int thread, int (&slot)[3])
{
    slot[0] = (thread & 1) | (thread >> 2 & 6);
    slot[1] = (thread >> 1 & 1) | (thread >> 4 & 6);
    slot[2] = (thread >> 2 & 1) | (thread >> 6 & 6);
}

// Which thread stands across an axis, as bits of its number that differ.
struct Partners {
    int across[3];

    template<int axes>
    __device__ int to() const
    {
        return (axes & 1 ? across[0] : 0) ^ (axes & 2 ? across[1] : 0) ^ (axes & 4 ? across[2] : 0);
    }
    __device__ int to(int axes) const
    {
        return (axes & 1 ? across[0] : 0) ^ (axes & 2 ? across[1] : 0) ^ (axes & 4 ? across[2] : 0);
    }
};

// Within a warp, and where groups begin at odd slots: there the upper of two slots is the next even one, modulo 8.
__device__ inline Partners evenPartners() { return {{1, 2, 4}}; }
__device__ inline Partners oddPartners(const int (&slot)[3])
{
    constexpr int shift[3] = {2, 4, 6}; // of the upper two bits of a slot in a thread's number
    Partners p;
    for (int a = 0; a < 3; ++a) {
        const int other = (slot[a] + (slot[a] & 1 ? 1 : -1)) & (torreSide - 1);
        const int bits = slot[a] ^ other;
        p.across[a] = (bits & 1) << a | (bits & 6) << shift[a];
    }
    return p;
}

// Which of the links that some axes are exchanged for q is.
template<class L, int sign>
constexpr int exchangedBefore(int q)
{
    int count = 0;
    for (int p = 0; p < q; ++p) count += axesOf<L, sign>(p) != 0;
    return count;
}
template<class L>
constexpr int exchangedLinks = exchangedBefore<L, 1>(L::Q);

// Walls of a thread's cell: exchanged<q, sign>(own, other) is what it has after an exchange, keep(f) comes before it is compacted.
struct NoWalls {
    template<int q, int sign, class S>
    __device__ LBM_INLINE S exchanged(const S&, const S& other) const
    {
        return other;
    }
    template<class F>
    __device__ LBM_INLINE void keep(const F&) const
    {}
};

// sign: 1 compacts, -1 decompacts.
template<class L, int sign, class S, class Walls>
__device__ LBM_INLINE void exchangeInWarp(S (&f)[L::Q], const Walls& walls)
{
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        constexpr int axes = axesOf<L, sign>(q);
        if constexpr (axes != 0)
            f[q] = walls.template exchanged<decltype(q)::value, sign>(f[q], __shfl_xor_sync(~0u, f[q], axes));
    });
}

// Along x alone warps keep to themselves.
template<class L, int sign, class S, class Walls>
__device__ LBM_INLINE void exchangeInBlock(S (&f)[L::Q], S* buffer, const Partners& partners, int thread,
                                           const Walls& walls)
{
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        if constexpr (constexpr int axes = axesOf<L, sign>(q); (axes & 6) != 0)
            buffer[exchangedBefore<L, sign>(q) * torreThreads + thread] = f[q];
        else if constexpr (axes == 1)
            f[q] = walls.template exchanged<decltype(q)::value, sign>(
                f[q], __shfl_sync(~0u, f[q], (thread ^ partners.across[0]) & 31));
    });
    __syncthreads();
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        if constexpr (constexpr int axes = axesOf<L, sign>(q); (axes & 6) != 0)
            f[q] = walls.template exchanged<decltype(q)::value, sign>(
                f[q], buffer[exchangedBefore<L, sign>(q) * torreThreads + (thread ^ partners.to<axes>())]);
    });
}

// All threads of the octants' blocks.
template<bool folds>
__device__ inline void syncOctants()
{
    if constexpr (folds) {
        __syncwarp();
        asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    } else __syncthreads();
}

// At ends of the box. beyond: axes along which half of the thread's group is beyond one: there the cell is its own neighbour, in
// the octant across where the box is folded. What cells beyond an end get means nothing.
template<class L, int sign, bool folds, class S, class Walls>
__device__ void exchangeAtEnds(S (&f)[L::Q], S* buffer, const Partners& partners, int thread, int beyond,
                               const Walls& walls)
{
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        if constexpr (axesOf<L, sign>(q) != 0) buffer[exchangedBefore<L, sign>(q) * torreThreads + thread] = f[q];
    });
    syncOctants<folds>();
    unroll<L::Q>([&](auto q) __attribute__((always_inline)) {
        constexpr int axes = axesOf<L, sign>(q);
        if constexpr (axes != 0) {
            const S* from = buffer;
            if constexpr (folds) {
                auto cluster = cooperative_groups::this_cluster();
                from = cluster.map_shared_rank(buffer, cluster.block_rank() ^ (axes & beyond));
            }
            f[q] = walls.template exchanged<decltype(q)::value, sign>(
                f[q], from[exchangedBefore<L, sign>(q) * torreThreads + (thread ^ partners.to(axes & ~beyond))]);
        }
    });
}

} // namespace lbm::lrnla
