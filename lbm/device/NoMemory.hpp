// NoMemory: a device, or the host for one, has not the memory that was asked for; others may do with less, or without the device.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"

namespace lbm::cuda {

struct NoMemory : Error {
    using Error::Error;
};

} // namespace lbm::cuda
