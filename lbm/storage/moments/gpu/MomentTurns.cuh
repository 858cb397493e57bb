// Turns of the blocks of threads in a step with one copy of the moments (see MomentRing).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>

namespace lbm {

// Blocks take runs in their order, each when no one reads any more what it is going to overwrite.
struct TurnsView {
    unsigned long long *taken, *finished; // runs, of all steps; the second says how many in a row are known to be
    unsigned* finishedIn;                 // [runs]: the last step, modulo 2^32
    const std::int32_t* after;            // [runs]: so many must be finished
    unsigned long long step;

#ifdef __CUDACC__
    __device__ int take(int runs) const { return int(atomicAdd(taken, 1ull) - step * runs); }

    __device__ void await(int run, int runs) const
    {
        const unsigned long long begin = step * runs, needed = begin + after[run];
        unsigned long long known = atomicAdd(finished, 0ull);
        if (known >= needed) return;
        if (known < begin) known = begin;
        const volatile unsigned* last = finishedIn;
        while (known < needed)
            if (last[known - begin] == unsigned(step + 1)) ++known;
            else __nanosleep(100);
        __threadfence();
        atomicMax(finished, known);
    }

    __device__ void finish(int run) const
    {
        __threadfence();
        atomicExch(finishedIn + run, unsigned(step + 1));
    }
#endif
};

} // namespace lbm
