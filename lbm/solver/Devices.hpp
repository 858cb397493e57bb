// Devices: which ones a Config names, of which ranks (lbm/api/Ranks.hpp) take what is theirs, and that they are there before
// anything is made on them.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

namespace lbm {

// Which of the ranks of its host this process is. Alone unless who leads or serves ranks says so.
struct PlaceOnHost {
    int number = 0, ranks = 1;
};
PlaceOnHost& placeOnHost();

// Those of this process, one by one. Throws std::invalid_argument for a list that cannot be read, and what devicesOfRank does.
std::vector<std::string> devicesOf(const Config&);

// Of a rank at such a place those that are its own. The devices of the host that the Config names are shared out in their order,
// to each rank as many; of a single word without a number or name, `cuda`, which means all of the host, each takes one. Throws
// std::invalid_argument where there are fewer than ranks or one is named twice, unless the Config shares devices, and where
// ranks would not have as many each.
std::vector<std::string> devicesOfRank(const Config&, const PlaceOnHost&);

// One of a rank's devices, of which the first rank has so many.
struct DeviceOfRank {
    int number = 0, ofSo = 1;
};

// Its word, of a rank with these. Throws std::invalid_argument where they are not as many as the first one's.
const std::string& deviceOfRank(const std::vector<std::string>& words, const DeviceOfRank&);

// Of several: that each is there, that none is named twice unless the Config shares devices, that each has as many parts, and
// that the way of exchange is one. Throws std::invalid_argument; for a device that is not there cuda::Error.
void checkDevices(const Config&);

} // namespace lbm
