// WallLags: when walls past which the fluid slips answer what their links let through (SlipBalance.hpp), and the flow across them.
//
// What is counted is known after the fact, and sound that a wall answers late grows: a wall that gives way belongs behind the first
// quarter of a period, one that pushes behind the third. What is counted is therefore followed by lags one behind the other, each as
// long as sound takes across the domain (diagonal over the lattice's speed): of any sound that has room on it the answer comes half a
// period late and more, and a small one. A mean that stays is answered whole.
//
// Units: lattice. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cmath>

namespace lbm {

namespace wallLags {

constexpr int count = 3; // one behind the other

// Of its way that each goes in so many steps. diagonal: of the domain, in nodes.
inline double share(double diagonal, double steps) { return 1 - std::exp(-steps / diagonal); }

// behind: of each lag; before: what the first one follows. Also on a device.
template<class Type>
constexpr void follow(Type* behind, const Type& before, double share)
{
    const Type* ahead = &before;
    for (int k = 0; k < count; ahead = &behind[k++]) behind[k] += share * (*ahead - behind[k]);
}

} // namespace wallLags

} // namespace lbm
