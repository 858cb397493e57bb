// DeviceTowers: boxes that LRnLA towers advance on a CUDA device, for TowerKernels. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/towers/TowerKernels.hpp"

namespace lbm::bench {

// What they find wrong is said as by makeTowers and towerBytes. In a build without CUDA all is.
std::unique_ptr<TowerBox> makeDeviceTowers(const TowerCase&);
double deviceTowerBytes(const TowerCase&);

} // namespace lbm::bench
