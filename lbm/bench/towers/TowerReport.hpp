// TowerReport: the speed of LRnLA towers (Levchenko & Perepelkina 2022) beside what the memory allows to those who go
// through it once a step. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Geometry.hpp"

#include <iosfwd>

namespace lbm::bench {

// A line for each lattice of the paper that the options name (all, where they name none), precision, collision, n, NT and number
// of threads; the options' geometry, whose walls are at rest. Throws UsageError for what does not fit together,
// std::runtime_error if the flow is not finite afterwards.
void printTowers(std::ostream&, const Options&, const std::vector<GeometrySource>&);

} // namespace lbm::bench
