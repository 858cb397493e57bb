// OpeningCost: what openings that impose a node's whole state cost, of populations and of moments (Figure 10 of Gounley et
// al. 2022): the time of both forms for the openings of a case, one thread, and its share of a step.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Geometry.hpp"
#include "lbm/bench/Measure.hpp"

#include <iosfwd>

namespace lbm::bench {

// The vessel is opened where it meets the sides of its box. rows: measured on the same case, closed; each is set against the form that its storage takes.
void printOpeningCost(std::ostream&, const GeneratedCase&, const std::string& lattice, const std::vector<Row>& rows);

} // namespace lbm::bench
