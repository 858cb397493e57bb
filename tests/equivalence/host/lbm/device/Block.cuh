// In the place of lbm/device/Block.cuh. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "tests/equivalence/host/HostBlock.hpp"

namespace lbm {

inline void syncBlock() { hostBlock.sync(); }
inline void fetchAhead(const void*) {}

} // namespace lbm
