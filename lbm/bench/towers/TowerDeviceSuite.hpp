// TowerDeviceSuite: what the paper says of towers on GPUs as far as they are no part of a computation together with a CPU, beside a
// model with this device's rates. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Options.hpp"

#include <iosfwd>

namespace lbm::bench {

// Figures 8 and 9 for ConeTorre<8, NT> and Figure 11. Throws UsageError as runTowerSuite does.
void printDeviceSuite(std::ostream&, const Options&);

} // namespace lbm::bench
