// A device that fails for good, as one does whose kernel reads what is not there: from then on every call of it is refused.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

namespace lbm::test {

// Begins a kernel that fails after that time, beside whatever else the process has begun there; with no time it has failed when this
// returns.
void failLater(int device, double seconds);

} // namespace lbm::test
