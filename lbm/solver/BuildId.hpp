// BuildId: which build of this project a process runs. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string>

namespace lbm {

struct ProcessBuild {
    std::string
        ids; // what the linker gave the program and those libraries of this project that are loaded (GNU build ID)
    std::string place; // program and host
};
ProcessBuild buildOfProcess();

// Its name.
std::string host();

} // namespace lbm
