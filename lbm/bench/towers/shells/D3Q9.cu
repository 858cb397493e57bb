// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/DeviceShell.cuh"
#include "lbm/storage/papers/lrnla/Shells.hpp"

namespace lbm::bench {
template struct DeviceShell<lrnla::D3Q9, float>;
template struct DeviceShell<lrnla::D3Q9, double>;
} // namespace lbm::bench
