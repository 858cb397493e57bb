// Accuracy: what storage and precision of kernels cost, in three flows of n nodes a side (in three dimensions 4 deep and
// periodic): Taylor-Green vortices until they have lost half their speed, flow between plates, a lid-driven cavity.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/bench/Options.hpp"

#include <iosfwd>

namespace lbm::bench {

// A line for each kernel that the options name, after one for the first of them in double precision, which the others are
// held against; n is the options' size. Throws as makeSolver does.
void printAccuracy(std::ostream&, const Options&);

} // namespace lbm::bench
