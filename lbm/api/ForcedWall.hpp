// ForcedWall: interpolated walls beside a force that differs from node to node, as buoyancy does. Where pressure balances the force F of
// a node, what it sends along a link c, what it sends away from the wall, and what arrives along c differ by w c.F/cs2 each, in which
// the fluid is at rest. Bounce-back half-way takes the first alone, which is right; an interpolated wall (lbm/boundary/InterpolatedWall.hpp)
// mixes the others in, and lets fluid through: a closed room loses mass where F points to its walls.
// Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"

namespace lbm {

// What a link of an interpolatedWall among `patches` (one entry a patch of the Domain) is to be told besides its wall's velocity,
// per force F per unit mass of its node: fluid that rests stays at rest then.
double velocityPerForce(const Domain&, const std::vector<LinkValue>& patches, const Link&);

} // namespace lbm
