// SuiteRun: measures a suite case by case and prints it beside the paper's figures and the model's.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Geometry.hpp"

#include <iosfwd>
#include <vector>

namespace lbm::bench {

// Of the options, those of a suite, the device, threads, tau, steps and repeats count; --storage, --collision,
// --equilibrium and --precision, where given, take the place of the suite's lists. With --model nothing is measured.
// Kernels that the build lacks are named and left out. Throws UsageError if nothing is left, and as measure does.
void runSuite(std::ostream&, const Options&, const std::vector<GeometrySource>&);

} // namespace lbm::bench
