// Cumulant: collision in cumulants, by their definition: moments of all orders up to two an axis, cumulants one by one from the
// recursion that ties them to moments, and back. For D2Q9 (rates one) and D3Q27. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/reference/Collision.hpp"

namespace lbm::reference {

// optimised: rates and terms of Geier, Pasquali & Schonherr 2017 beside omega; else all rates one but that.
// Throws std::invalid_argument for other lattices.
void collideCumulants(const LatticeData&, Equilibrium, double omega, bool optimised, const Vector& force,
                      Populations& f);

} // namespace lbm::reference
