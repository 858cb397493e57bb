// What the threads of a block do together, and what they ask of a device beside its arithmetic. Tests have the same of a host
// (tests/equivalence/host).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

namespace lbm {

// Threads with different tasks wait for each other at different places of the code, which __syncthreads is not for.
__device__ LBM_INLINE void syncBlock() { asm volatile("bar.sync 0;" ::: "memory"); }

// The second cache fetches what will be read there.
__device__ LBM_INLINE void fetchAhead(const void* place) { asm volatile("prefetch.global.L2 [%0];" ::"l"(place)); }

} // namespace lbm
