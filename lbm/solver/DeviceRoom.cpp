// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/DeviceRoom.hpp"

#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#include "lbm/solver/SlabFit.hpp"
#endif

#include <stdexcept>

namespace lbm {

DeviceRoom deviceRoom(const std::string& word)
{
#ifdef LBM_CUDA
    const cuda::Device device(word);
    return {device.name(), double(memoryBudget(device, Config()))};
#else
    throw std::invalid_argument("device '" + word + "': this build has kernels for the processor alone");
#endif
}

} // namespace lbm
