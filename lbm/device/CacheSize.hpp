// Bytes of the processor's last cache, which its cores share; 0: not known. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstddef>

namespace lbm {

std::size_t cacheOfLastLevel();

} // namespace lbm
