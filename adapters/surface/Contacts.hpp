// Contacts: triangles that cross or touch others. Candidates by Embree, decided exactly.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/ExactSurface.hpp"

namespace lbm::exact {

struct Contact {
    int a, b;     // numbers of two triangles, a < b
    bool crosses; // one passes through the other; false: they only touch, or share an area
};

// Pairs of triangles that have a place, but no corner, in common; sorted. Triangles without area are left out.
std::vector<Contact> contacts(const Surface& surface, const std::vector<int>& mergedPoints);

} // namespace lbm::exact
