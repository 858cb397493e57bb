// DeviceRoom: how much memory devices have to give, before anything is made on them. C++17.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

#include <string>

namespace lbm {

struct DeviceRoom {
    std::string name; // of the device
    double bytes = 0; // that are free, less what is left to what a solver places later
};

// Of a device other than the processor. Throws what makeSolver throws where it is not there.
DeviceRoom deviceRoom(const std::string& word);

} // namespace lbm
