// How many threads work on a domain.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

namespace lbm {

// Config's own number; where that is 0 as many as OpenMP would take, but no more than small domains gain by: a step
// ends with a barrier, which a few thousand nodes a thread do not pay for. One number for all that is done with a domain,
// since OpenMP ends threads that the next region does not need.
int threadsFor(const Config&, NodeIndex fluidNodes);

} // namespace lbm
