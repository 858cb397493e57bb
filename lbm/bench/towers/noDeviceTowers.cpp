// Towers on a device where the build has no GPU kernels. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/DeviceTowers.hpp"

#include <stdexcept>

namespace lbm::bench {

std::unique_ptr<TowerBox> makeDeviceTowers(const TowerCase& c)
{
    throw std::invalid_argument("LRnLA: device '" + c.device + "': this build has no GPU kernels (preset cuda has)");
}

double deviceTowerBytes(const TowerCase& c)
{
    makeDeviceTowers(c);
    return 0;
}

} // namespace lbm::bench
