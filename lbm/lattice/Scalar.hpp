// constant<R>(v): a number given in double as value type R, rounded to R's own element type first. squareRoot, magnitude, larger,
// and lane by lane what has no arithmetic of its own, for one value or as many as R has lanes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <cmath>

namespace lbm {

template<class R>
LBM_HD LBM_INLINE R constant(double v)
{
    if constexpr (requires { typename R::value_type; }) return R(typename R::value_type(v));
    else return R(v);
}

template<class R>
LBM_HD LBM_INLINE R squareRoot(const R& v)
{
    using std::sqrt;
    return sqrt(v);
}

template<class R>
LBM_HD LBM_INLINE R magnitude(const R& v)
{
    using std::fabs;
    return fabs(v);
}

template<class R>
LBM_HD LBM_INLINE R larger(const R& a, const R& b)
{
    if constexpr (requires { typename R::value_type; }) return max(a, b);
    else return a > b ? a : b;
}

template<class R, class F>
LBM_HD LBM_INLINE R laneByLane(const R& v, F&& f)
{
    if constexpr (requires { typename R::value_type; })
        return R([&](auto i) { return f(typename R::value_type(v[i])); });
    else return f(v);
}

} // namespace lbm
