// GeometryJson: what options say of a geometry, as lbmBench's files hold it. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Options.hpp"

#include <nlohmann/json.hpp>

namespace lbm::bench {

// Keys: lbm/bench/README.md. Defined in Report.cpp.
nlohmann::ordered_json geometryJson(const Options&);

} // namespace lbm::bench
