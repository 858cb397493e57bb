// CudaPeers: which CUDA devices' memory kernels of another one reach by themselves. Failures throw cuda::Error.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"

namespace lbm::cuda {

// Whether kernels on `own` may read and write what is in the memory of `other`; from now on they may.
bool reaches(const Device& own, const Device& other);

} // namespace lbm::cuda
