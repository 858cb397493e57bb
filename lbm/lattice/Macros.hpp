// What differs between a host and a CUDA compiler, and nothing else.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#ifdef __CUDACC__
#define LBM_HD __host__ __device__
#else
#define LBM_HD
#endif

#define LBM_INLINE inline __attribute__((always_inline))
