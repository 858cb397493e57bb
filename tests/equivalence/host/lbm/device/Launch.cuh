// In the place of lbm/device/Launch.cuh: steps are run one after the other. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

namespace lbm {

inline void letNextBegin() {}
inline void awaitPrevious() {}

} // namespace lbm
