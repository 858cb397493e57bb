// Checks of NodeChecks.hpp of as many nodes as a device is told at a time, by all threads: the fault that is named is the first one's.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/NodeChecks.hpp"

#include <vector>

namespace lbm {

// tau: [nodes]; forces: [nodes][3].
void checkNodeTaus(const Domain&, const std::vector<NodeIndex>& nodes, const double* tau, bool single);
void checkNodeForces(const Domain&, const std::vector<NodeIndex>& nodes, const double* forces);

} // namespace lbm
