// Tests of rare kernels skip, and say so, in a build that has the default ones alone (LBM_KERNELS), tests on a device where none is.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#endif

#include <string>

namespace lbm::test {

// Why this build has no kernel for a Config that another one has; empty: it has. Other faults are thrown.
inline std::string leftOut(const Config& config)
{
    try {
        findKernel(config);
    } catch (const UnknownKernel& missing) {
        if (std::string(missing.what()).find("LBM_KERNELS=all") == std::string::npos) throw;
        return missing.what();
    }
    return {};
}

// Why no device can be had; empty: one can.
inline std::string whyNoDevice()
{
#ifdef LBM_CUDA
    try {
        cuda::Device("cuda");
    } catch (const cuda::Error& missing) {
        return missing.what();
    }
    return {};
#else
    return "built without CUDA";
#endif
}

} // namespace lbm::test

// In a test, or in SetUp.
#define SKIP_IF_LEFT_OUT(config)                                                                                       \
    if (const std::string why = lbm::test::leftOut(config); !why.empty()) GTEST_SKIP() << why
#define SKIP_WITHOUT_DEVICE()                                                                                          \
    if (const std::string why = lbm::test::whyNoDevice(); !why.empty()) GTEST_SKIP() << why
