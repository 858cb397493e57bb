// ScalingReport: what lbm/model says of a geometry cut for many devices, as a table. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Geometry.hpp"

#include <iosfwd>
#include <vector>

namespace lbm::bench {

// Of each of the rows, all of the domain's lattice, for the numbers of parts that the options name. Throws UsageError where the
// speed of one device is not known.
void printScaling(std::ostream&, const Options&, const GeneratedCase&, const std::vector<KernelRow>&);

} // namespace lbm::bench
