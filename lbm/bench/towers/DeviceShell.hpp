// DeviceShell: towers of one velocity set on CUDA devices, for DeviceTowers. shells/ has a source for each. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/towers/TowerKernels.hpp"
#include "lbm/storage/papers/lrnla/InnerFolds.hpp"

namespace lbm::bench {

// As the functions of DeviceTowers.
template<class L, class S>
struct DeviceShell {
    static std::unique_ptr<TowerBox> box(const TowerCase&);
    static std::unique_ptr<lrnla::InnerFolds> inner(const TowerCase&, const lrnla::SharedBox&);
    static double bytes(const TowerCase&);
};

} // namespace lbm::bench
