// What the generated sources of collisions tell the registry. Knows nothing of api/: an edit there recompiles no collision.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/rows/Collide.hpp"

#include <vector>

namespace lbm {

template<class T>
struct CollideEntry {
    const char *lattice, *collision, *closure, *equilibrium, *arithmetic;
    CollideKernel<T> kernel;
};

} // namespace lbm
