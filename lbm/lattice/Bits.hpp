// How many bits of a word are set, on hosts and devices. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <cstdint>
#include <type_traits>

namespace lbm {

// Of 64 bits or fewer.
template<class Word>
LBM_HD constexpr int bitsOf(Word word)
{
    static_assert(std::is_unsigned_v<Word>);
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(Word) > sizeof(std::uint32_t)) return __popcll(word);
    else return __popc(word);
#else
    return __builtin_popcountll(word);
#endif
}

} // namespace lbm
