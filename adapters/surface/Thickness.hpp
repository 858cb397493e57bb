// Thickness: how far it is from a surface to the next one, through the fluid (gap) and through the solid
// (wall), by rays along the normals of the triangles.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/ExactSurface.hpp"

namespace lbm::exact {

struct Thickness {
    // One a triangle, in node spacings; 0: not measured, or nothing that faces it is there.
    std::vector<float> gap, wall;
};

// outward: for each triangle 1 if its corners are counter-clockwise seen from the fluid, -1 if clockwise,
// 0 if it is not to be measured (it still ends the rays of others, whichever way it faces).
Thickness thickness(const Surface& surface, const std::vector<std::int8_t>& outward, int threads);

} // namespace lbm::exact
