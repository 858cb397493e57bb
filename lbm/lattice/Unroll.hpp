// unroll<N>(f): f(Constant<0>) ... f(Constant<N-1>), so that a lattice's data are compile-time
// constants in the loop body and its zeros and ones vanish from the arithmetic.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <utility>

namespace lbm {

template<int I>
struct Constant {
    static constexpr int value = I;
    LBM_HD constexpr operator int() const { return I; }
};

template<int N, class F>
LBM_HD LBM_INLINE void unroll(F&& f)
{
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) { (f(Constant<I>{}), ...); }
    (std::make_integer_sequence<int, N>{});
}

} // namespace lbm
