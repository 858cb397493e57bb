// Compiled as the kernels are; see InstructionSet.hpp. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/InstructionSet.hpp"

namespace lbm {

constexpr std::uint32_t compiledFor()
{
    std::uint32_t all = 0;
#ifdef __SSE4_2__
    all |= sse42;
#endif
#ifdef __AVX__
    all |= avx;
#endif
#ifdef __F16C__
    all |= f16c;
#endif
#ifdef __FMA__
    all |= fma;
#endif
#ifdef __BMI2__
    all |= bmi2;
#endif
#ifdef __AVX2__
    all |= avx2;
#endif
#ifdef __AVX512F__
    all |= avx512f;
#endif
#ifdef __AVX512DQ__
    all |= avx512dq;
#endif
#ifdef __AVX512BW__
    all |= avx512bw;
#endif
#ifdef __AVX512VL__
    all |= avx512vl;
#endif
    return all;
}

constinit const std::uint32_t extensionsOfKernels = compiledFor();

} // namespace lbm
