// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/surface/SurfaceDevice.hpp"

#ifdef LBM_CUDA
#include "lbm/surface/CudaSurface.hpp"
#endif

namespace lbm {

std::unique_ptr<SurfaceDevice> SurfaceDevice::find(const std::string& word, int share, std::string& why)
{
    why.clear();
    if (word == "cpu") return nullptr;
#ifdef LBM_CUDA
    // What is wrong with the word, who makes a solver says
    try {
        return findCudaSurface(word, share);
    } catch (const std::exception& fault) {
        why = fault.what();
        return nullptr;
    }
#else
    static_cast<void>(share);
    why = "device '" + word + "': this build has kernels for the processor alone";
    return nullptr;
#endif
}

SurfaceDevice::Make& SurfaceDevice::make()
{
    static Make make = &find;
    return make;
}

} // namespace lbm
