// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/InstructionSet.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace lbm {

namespace {

const char* const extensionNames[] = {"sse4.2", "avx",     "f16c",     "fma",      "bmi2",
                                      "avx2",   "avx512f", "avx512dq", "avx512bw", "avx512vl"};

#if defined(__x86_64__)
// clang 14 does not ask for it by name.
bool hasF16c()
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}
#endif

} // namespace

std::uint32_t extensionsHere()
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool has[] = {bool(__builtin_cpu_supports("sse4.2")),
                        bool(__builtin_cpu_supports("avx")),
                        hasF16c(),
                        bool(__builtin_cpu_supports("fma")),
                        bool(__builtin_cpu_supports("bmi2")),
                        bool(__builtin_cpu_supports("avx2")),
                        bool(__builtin_cpu_supports("avx512f")),
                        bool(__builtin_cpu_supports("avx512dq")),
                        bool(__builtin_cpu_supports("avx512bw")),
                        bool(__builtin_cpu_supports("avx512vl"))};
    std::uint32_t all = 0;
    for (int i = 0; i < int(sizeof(has)); ++i) all |= std::uint32_t(has[i]) << i;
    return all;
#else
    return extensionsOfKernels; // other processors: nothing is told of them
#endif
}

std::string missingExtensions(std::uint32_t needed, std::uint32_t present)
{
    std::string names;
    for (int i = 0; i < int(sizeof(extensionNames) / sizeof(*extensionNames)); ++i)
        if ((needed & ~present) >> i & 1) names += (names.empty() ? "" : " ") + std::string(extensionNames[i]);
    return names;
}

void checkProcessor()
{
    const std::string missing = missingExtensions(extensionsOfKernels, extensionsHere());
    if (!missing.empty())
        throw UnsupportedProcessor("the kernels of this build are for a processor with " + missing
                                   + ", which this one lacks: build on this machine, or with LBM_NATIVE=OFF for any");
}

} // namespace lbm
