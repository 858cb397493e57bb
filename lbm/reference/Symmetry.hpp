// Symmetry: the flow behind a plane of symmetry that is oblique to the lattice. What a mirror leaves as it is goes on as a
// polynomial that is even in the distance to the plane, what it turns as an odd one; nodes nearby tell which, by least
// squares. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/reference/Neighbours.hpp"

#include <vector>

namespace lbm::reference {

struct Image {
    NodeIndex node;
    double even, odd; // shares of the ghost's state
};

// A plane with this unit normal that lies along the lattice (`inward` is its direction), half-way between the ends of the
// link; along an axis it is taken to.
bool isMirror(const Link&, const Vec3& outward, const Int3& inward);

// For the ghost at the end of a Link record of any other. None if the nodes do not tell.
std::vector<Image> imagesOf(const Domain&, const Neighbours&, int record, const Vec3& outward);

} // namespace lbm::reference
