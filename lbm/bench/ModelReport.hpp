// ModelReport: what lbm/model says, as tables. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Geometry.hpp"
#include "lbm/bench/Suites.hpp"

#include <iosfwd>
#include <vector>

namespace lbm::bench {

// Porosities, overheads of published methods and predictions for the kernels that the options name. Throws as
// makeGeometry and findKernel do.
void printModel(std::ostream&, const Options&, const std::vector<GeometrySource>&);

// Overheads for tiles of 16x16 or 4x4x4 beside those that the paper prints for its own geometry.
void printOverheads(std::ostream&, const Domain&, const std::string& lattice, const PublishedModel&);

} // namespace lbm::bench
