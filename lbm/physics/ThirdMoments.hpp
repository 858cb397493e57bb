// What a storage keeps of a node besides the moments of MomentSet for a collision that is a function of moments up to the third
// order: seven more, of c_a c_b^2 and c_x c_y c_z, on D3Q27. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Lattice.hpp"

namespace lbm {

// The lattice, to whoever stores such moments of it.
template<class L>
struct WithThird : L {
    static_assert(L::Q == 27, "moments of third order are told apart on D3Q27 alone");
};

template<class L>
constexpr bool keepsThird = false;
template<class L>
constexpr bool keepsThird<WithThird<L>> = true;

// Cumulants of fourth order after collision over those of second: C_yyzz over C_xx without its trace, C_xxyz over C_yz. No value of a
// node: they follow from the relaxation time.
template<class R>
struct FourthFactors {
    R plane, edge;
};
struct NoFactors {};

template<class L>
struct FactorsOf {
    template<class R>
    using Type = NoFactors;
};
template<class L>
struct FactorsOf<WithThird<L>> {
    template<class R>
    using Type = FourthFactors<R>;
};

// Of collisions that ask for such moments.
template<class Collision>
constexpr bool takesThird = requires
{
    requires Collision::ofThird;
};

// What storages of moments take for the lattice of rows with these collisions.
template<class L, class Collision, class... Others>
struct KeptLattice {
    static_assert((... && (takesThird<Others> == takesThird<Collision>)),
                  "kernels.list: collisions that keep other moments have a line of their own in storage moments");
    using Type = L;
};
template<class L, class Collision, class... Others>
requires takesThird<Collision>
struct KeptLattice<L, Collision, Others...> {
    static_assert((... && takesThird<Others>),
                  "kernels.list: collisions that keep other moments have a line of their own in storage moments");
    using Type = WithThird<L>;
};

} // namespace lbm
