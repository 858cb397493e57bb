// Towers on a device where the build has no GPU kernels. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/DeviceTowers.hpp"

#include <stdexcept>

namespace lbm::bench {

DeviceRates deviceRates(const std::string& device)
{
    throw std::invalid_argument("LRnLA: device '" + device + "': this build has no GPU kernels (preset cuda has)");
}

std::unique_ptr<TowerBox> makeDeviceTowers(const TowerCase& c)
{
    deviceRates(c.device);
    return nullptr;
}

std::unique_ptr<lrnla::InnerFolds> makeInnerFolds(const TowerCase& c, const lrnla::SharedBox&)
{
    deviceRates(c.device);
    return nullptr;
}

double linkRate(const std::string& device) { return deviceRates(device).words; }

double deviceTowerBytes(const TowerCase& c)
{
    deviceRates(c.device);
    return 0;
}

} // namespace lbm::bench
