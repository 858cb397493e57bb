// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/surface/SurfaceDevice.hpp"

#ifdef LBM_CUDA
#include "lbm/surface/CudaSurface.hpp"
#endif

namespace lbm {

void SurfaceDevice::checkWord(const std::string& word)
{
    if (word == "cpu" || word == "cuda" || word.rfind("cuda:", 0) == 0) return;
    throw std::invalid_argument("device '" + word + "' is none of cpu, cuda, cuda:NUMBER, cuda:NAME");
}

std::unique_ptr<SurfaceDevice> SurfaceDevice::find(const std::string& word, int share, std::string& why)
{
    why.clear();
    checkWord(word);
    if (word == "cpu") return nullptr;
#ifdef LBM_CUDA
    // What is wrong with names behind the colon, who makes a solver says
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

} // namespace lbm
