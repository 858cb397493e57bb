// InstructionSet: what the kernels of this build were compiled for (LBM_NATIVE), and whether this processor has it, so
// that another one gets a sentence in place of an illegal instruction. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace lbm {

// One bit an extension of x86-64, in the order of extensionNames in InstructionSet.cpp.
enum Extension : std::uint32_t {
    sse42 = 1,
    avx = 2,
    f16c = 4,
    fma = 8,
    bmi2 = 16,
    avx2 = 32,
    avx512f = 64,
    avx512dq = 128,
    avx512bw = 256,
    avx512vl = 512
};

// Compiled with the kernels' options: data alone, for code there may not run here.
extern const std::uint32_t extensionsOfKernels;

// Of the processor that runs this.
std::uint32_t extensionsHere();

// Names of extensions that are needed and not there, separated by blanks.
std::string missingExtensions(std::uint32_t needed, std::uint32_t present);

struct UnsupportedProcessor : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws UnsupportedProcessor if the kernels cannot run here. Whatever asks the registry for kernels comes through it.
void checkProcessor();

} // namespace lbm
