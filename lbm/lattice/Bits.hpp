// How many bits of a word are set, on hosts and devices. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <cstdint>

namespace lbm {

LBM_HD inline int bitsOf(std::uint32_t word)
{
#ifdef __CUDA_ARCH__
    return __popc(word);
#else
    return __builtin_popcount(word);
#endif
}

LBM_HD inline int bitsOf(std::uint64_t word)
{
#ifdef __CUDA_ARCH__
    return __popcll(word);
#else
    return __builtin_popcountll(word);
#endif
}

} // namespace lbm
