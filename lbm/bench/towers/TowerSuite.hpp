// TowerSuite: what Levchenko & Perepelkina 2022 print of CPUs, beside the model with this machine's levels of memory and what its
// towers reach. Figures 10 and 12 are of towers on GPUs beside those on CPUs, which are not here. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Options.hpp"

#include <iosfwd>

namespace lbm::bench {

// Of the options, those of a suite without kernels count: --only, --scale (1: boxes of 512 nodes a side), --threads (1 and all),
// --precision (float), --repeats, --steps, --tau, --fold and --steps-at-once (32). Throws UsageError for others.
void runTowerSuite(std::ostream&, const Options&);

} // namespace lbm::bench
