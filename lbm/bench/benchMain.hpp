// benchMain: lbmBench but for the geometries that need more than lbm/.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Geometry.hpp"

namespace lbm::bench {

// Exit code: 0 done, 1 the run failed, 2 the command line is wrong.
int benchMain(int argc, const char* const* argv, const std::vector<GeometrySource>& = {});

} // namespace lbm::bench
