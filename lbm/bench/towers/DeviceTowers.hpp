// DeviceTowers: boxes that LRnLA towers advance on a CUDA device, for TowerKernels. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/towers/TowerKernels.hpp"
#include "lbm/storage/papers/lrnla/InnerFolds.hpp"

namespace lbm::bench {

// What they find wrong is said as by makeTowers and towerBytes. In a build without CUDA all is.
std::unique_ptr<TowerBox> makeDeviceTowers(const TowerCase&);
double deviceTowerBytes(const TowerCase&);

// Of a case of both together, whose box is in the host's memory; shared among the devices that it names.
std::unique_ptr<lrnla::InnerFolds> makeInnerFolds(const TowerCase&, const lrnla::SharedBox&);

// What its multiprocessors do in a second at the clock that it is made for.
struct DeviceRates {
    std::string name;
    double words;                  // of four bytes, shuffled or through shared memory
    double singleFlop, doubleFlop; // a fused multiplication and addition is two
};
DeviceRates deviceRates(const std::string& device);

// Bytes a second each way between the host's memory and the device, both ways in use.
double linkRate(const std::string& device);

} // namespace lbm::bench
