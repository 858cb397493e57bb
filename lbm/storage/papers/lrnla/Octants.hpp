// Octants: the eight mirrored parts of a folded box in one register (ReFold; Perepelkina & Levchenko 2019), lane bit a: the
// upper half along axis a, which is numbered from its end. What lies beyond an end of the folded box is the node itself in the
// lane across. One value instead of eight folds nothing: there the ends are planes of symmetry.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <experimental/simd>

namespace lbm::lrnla {

template<class S>
using Octants = std::experimental::simd<S, std::experimental::simd_abi::deduce_t<S, 8>>;

template<class R>
struct OctantTraits {
    using Scalar = R;
    static constexpr bool folds = false;

    template<int axis>
    static LBM_INLINE R across(const R& v)
    {
        return v;
    }
    static R lane(const R& v, int) { return v; }
    static void setLane(R& v, int, R s) { v = s; }
};

template<class S, class Abi>
struct OctantTraits<std::experimental::simd<S, Abi>> {
    using R = std::experimental::simd<S, Abi>;
    using Scalar = S;
    static constexpr bool folds = true;

    template<int axis>
    static LBM_INLINE R across(const R& v)
    {
        return R([&](auto lane) { return S(v[lane ^ 1 << axis]); });
    }
    static S lane(const R& v, int lane) { return v[lane]; }
    static void setLane(R& v, int lane, S s) { v[lane] = s; }
};

} // namespace lbm::lrnla
