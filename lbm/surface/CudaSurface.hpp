// CudaSurface: SurfaceDevice on a GPU of CUDA's. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/surface/SurfaceDevice.hpp"

namespace lbm {

// See SurfaceDevice::find. Throws cuda::Error where none answers, std::invalid_argument for a list that cannot be read.
std::unique_ptr<SurfaceDevice> findCudaSurface(const std::string& word, int share);

} // namespace lbm
