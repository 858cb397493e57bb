// Octants: the eight mirrored parts of a folded box in one register (ReFold; Perepelkina & Levchenko 2019), lane bit a: the
// upper half along axis a, which is numbered from its end. What lies beyond an end of the folded box is the node itself in the
// lane across. One value instead of eight folds nothing: there the ends are planes of symmetry.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <experimental/simd>
#include <utility>

#ifdef __AVX512DQ__
#include <immintrin.h>
#endif

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
    static R acrossAll(int, const R& v) { return v; }
    static R lane(const R& v, int) { return v; }
    static void setLane(R& v, int, R s) { v = s; }

    static LBM_INLINE R select(int lanes, const R& a, const R& b) { return lanes ? b : a; }
    static LBM_INLINE void swap(int lanes, R& a, R& b)
    {
        if (lanes) std::swap(a, b);
    }
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
    static R acrossAll(int axes, const R& v)
    {
        return R([&](auto lane) { return S(v[lane ^ axes]); });
    }
    static S lane(const R& v, int lane) { return v[lane]; }
    static void setLane(R& v, int lane, S s) { v[lane] = s; }

    // b in those lanes whose bits are set, else a.
    static LBM_INLINE R select(int lanes, const R& a, const R& b)
    {
#ifdef __AVX512DQ__
        if constexpr (sizeof(S) == 4) return R(_mm256_mask_blend_ps(__mmask8(lanes), __m256(a), __m256(b)));
        else return R(_mm512_mask_blend_pd(__mmask8(lanes), __m512d(a), __m512d(b)));
#else
        return R([&](auto lane) { return lanes >> lane & 1 ? S(b[lane]) : S(a[lane]); });
#endif
    }
    static LBM_INLINE void swap(int lanes, R& a, R& b)
    {
        const R ofA = a;
        a = select(lanes, a, b);
        b = select(lanes, b, ofA);
    }
};

// Two cells' values in one register, where registers are as wide as that: half as many operations for both.
template<class R>
struct CellPair {
    static constexpr bool fits = false;
};

#ifdef __AVX512DQ__
template<>
struct CellPair<Octants<float>> {
    static constexpr bool fits = true;
    using R = Octants<float>;
    using Wide = std::experimental::simd<float, std::experimental::simd_abi::deduce_t<float, 16>>;

    static LBM_INLINE Wide join(const R& a, const R& b)
    {
        return Wide(_mm512_insertf32x8(_mm512_castps256_ps512(__m256(a)), __m256(b), 1));
    }
    static LBM_INLINE R first(const Wide& v) { return R(_mm512_castps512_ps256(__m512(v))); }
    static LBM_INLINE R second(const Wide& v) { return R(_mm512_extractf32x8_ps(__m512(v), 1)); }
};
#endif

} // namespace lbm::lrnla
