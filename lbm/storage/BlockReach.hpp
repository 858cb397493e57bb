// BlockReach: what boundaries look at from a node, for blocks of several steps (moments/cpu/BlockPlan.hpp, rows/PopulationPlan.hpp), in which
// nodes a line away are a step ahead at most. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/boundary/Donors.hpp"

#include <string>

namespace lbm {

std::string patchName(const Domain&, int patch);

// Of openings and planes.
DonorRuns donorsOf(const Domain&, const Config&);

// Which opening or plane takes its flow from further away; which wall draws on a second node behind. Empty: none.
std::string farDonor(const Domain&, const DonorRuns&);
std::string quadraticWall(const Domain&, const Config&);

} // namespace lbm
