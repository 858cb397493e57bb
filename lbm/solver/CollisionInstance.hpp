// Body of the generated source of one collision, lattice and precision, which includes that collision's header first.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Closures.hpp"
#include "lbm/physics/Equilibrium.hpp"
#include "lbm/solver/CollideEntry.hpp"

namespace lbm {

// The scalar kernel serves `ab` alone, which collides in the buffer.
template<class L, class Collision, class Eq, class T>
void addCollision(std::vector<CollideEntry<T>>& entries)
{
    static_assert(Collision::template supports<L>, "kernels.list asks for a collision that this lattice lacks");
    entries.push_back({L::name, Collision::name, closureName<Collision>, Eq::name, "simd",
                       collideKernel<L, Collision, Eq, Pack<T>, T>()});
    entries.push_back({L::name,
                       Collision::name,
                       closureName<Collision>,
                       Eq::name,
                       "scalar",
                       {&collideOwn<L, Collision, Eq, T, T>, nullptr, nullptr, {}}});
}

template<class L, class T, class Collision, class... Equilibria>
void addCollisions(std::vector<CollideEntry<T>>& entries)
{
    (addCollision<L, Collision, Equilibria>(entries), ...);
}

} // namespace lbm
