// constant<R>(v): a number given in double as value type R, rounded to R's own element type first.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

namespace lbm {

template<class R>
LBM_HD LBM_INLINE R constant(double v)
{
    if constexpr (requires { typename R::value_type; }) return R(typename R::value_type(v));
    else return R(v);
}

} // namespace lbm
