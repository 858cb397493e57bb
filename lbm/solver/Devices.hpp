// Devices: which ones a Config names, and that they are there before anything is made on them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

namespace lbm {

// One by one. Throws std::invalid_argument for a list that cannot be read.
std::vector<std::string> devicesOf(const Config&);

// Of a rank (lbm/api/Ranks.hpp) that is one of so many on its host, and of its number among them: the device that it takes. Those
// of the host, or those that the Config names, in their order; `cuda` alone names all. Throws std::invalid_argument where there
// are fewer than ranks, or one is named twice, unless the Config shares devices.
std::string deviceOfRank(const Config&, int number, int ofSo);

// Of several: that each is there, that none is named twice unless the Config shares devices, that each has as many parts, and
// that the way of exchange is one. Throws std::invalid_argument; for a device that is not there cuda::Error.
void checkDevices(const Config&);

} // namespace lbm
