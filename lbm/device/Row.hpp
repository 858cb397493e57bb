// Row<T, TX>: moves of TX consecutive lanes under a mask (bit x: lane x). With AVX-512 a move is one or two
// instructions and touches no lane outside its mask; elsewhere it is a loop. Compilers make branches of
// such loops, which is why the instructions are named here.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Macros.hpp"

#include <cstring>

#if defined(__AVX512F__) && defined(__AVX512VL__)
#include <immintrin.h>
#define LBM_MASKED_ROWS 1
#endif

namespace lbm {

#ifdef LBM_MASKED_ROWS
template<class T, int W> struct MaskedChunk;

template<> struct MaskedChunk<double, 8> {
    using V = __m512d;
    static LBM_INLINE V zero(unsigned m, const double* p) { return _mm512_maskz_loadu_pd(__mmask8(m), p); }
    static LBM_INLINE V over(V v, unsigned m, const double* p) { return _mm512_mask_loadu_pd(v, __mmask8(m), p); }
    static LBM_INLINE V set(V v, unsigned m, double s) { return _mm512_mask_broadcastsd_pd(v, __mmask8(m), _mm_set_sd(s)); }
    static LBM_INLINE void store(double* p, unsigned m, V v) { _mm512_mask_storeu_pd(p, __mmask8(m), v); }
};

template<> struct MaskedChunk<double, 4> {
    using V = __m256d;
    static LBM_INLINE V zero(unsigned m, const double* p) { return _mm256_maskz_loadu_pd(__mmask8(m), p); }
    static LBM_INLINE V over(V v, unsigned m, const double* p) { return _mm256_mask_loadu_pd(v, __mmask8(m), p); }
    static LBM_INLINE V set(V v, unsigned m, double s) { return _mm256_mask_broadcastsd_pd(v, __mmask8(m), _mm_set_sd(s)); }
    static LBM_INLINE void store(double* p, unsigned m, V v) { _mm256_mask_storeu_pd(p, __mmask8(m), v); }
};

template<> struct MaskedChunk<float, 16> {
    using V = __m512;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm512_maskz_loadu_ps(__mmask16(m), p); }
    static LBM_INLINE V over(V v, unsigned m, const float* p) { return _mm512_mask_loadu_ps(v, __mmask16(m), p); }
    static LBM_INLINE V set(V v, unsigned m, float s) { return _mm512_mask_broadcastss_ps(v, __mmask16(m), _mm_set_ss(s)); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm512_mask_storeu_ps(p, __mmask16(m), v); }
};

template<> struct MaskedChunk<float, 8> {
    using V = __m256;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm256_maskz_loadu_ps(__mmask8(m), p); }
    static LBM_INLINE V over(V v, unsigned m, const float* p) { return _mm256_mask_loadu_ps(v, __mmask8(m), p); }
    static LBM_INLINE V set(V v, unsigned m, float s) { return _mm256_mask_broadcastss_ps(v, __mmask8(m), _mm_set_ss(s)); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm256_mask_storeu_ps(p, __mmask8(m), v); }
};

template<> struct MaskedChunk<float, 4> {
    using V = __m128;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm_maskz_loadu_ps(__mmask8(m), p); }
    static LBM_INLINE V over(V v, unsigned m, const float* p) { return _mm_mask_loadu_ps(v, __mmask8(m), p); }
    static LBM_INLINE V set(V v, unsigned m, float s) { return _mm_mask_broadcastss_ps(v, __mmask8(m), _mm_set_ss(s)); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm_mask_storeu_ps(p, __mmask8(m), v); }
};
#endif

template<class T, int TX>
struct Row {
    static constexpr unsigned full = unsigned((1ull << TX) - 1);
    static constexpr int widest = 64/int(sizeof(T));
    static constexpr int W = TX < widest ? TX : widest;
    static_assert(TX % W == 0);

    // target[x] = take: source[x - cx], where the lane that falls outside the row comes from `side` (its
    // neighbour row at the same offset); else fluid: other[x]; else 0. Lanes outside the masks are not read.
    template<int cx>
    static LBM_INLINE void shiftIn(T* target, const T* source, const T* side, const T* other, unsigned take,
                                   unsigned fluid)
    {
        constexpr int edge = cx == 1 ? 0 : TX - 1, sideLane = cx == 1 ? TX - 1 : 0;
        const unsigned inner = cx == 0 ? take : take & ~(1u << edge);
#ifdef LBM_MASKED_ROWS
        using C = MaskedChunk<T, W>;
        for (int c = 0; c < TX; c += W) {
            auto v = C::zero((fluid & ~take) >> c, other + c);
            v = C::over(v, inner >> c, source - cx + c);
            if constexpr (cx != 0)
                if (edge >= c && edge < c + W) v = C::set(v, (take & 1u << edge) >> c, side[sideLane]);
            C::store(target + c, ~0u, v);
        }
#else
        for (int x = 0; x < TX; ++x)
            target[x] = inner >> x & 1 ? source[x - cx] : (fluid & ~take) >> x & 1 ? other[x] : T(0);
        if constexpr (cx != 0)
            if (take >> edge & 1) target[edge] = side[sideLane];
#endif
    }

    // out: target[x + cx] = source[x], the lane that falls outside the row going to `side`.
    template<int cx>
    static LBM_INLINE void shiftOut(T* target, T* side, const T* source, unsigned out)
    {
        constexpr int edge = cx == 1 ? TX - 1 : 0, sideLane = cx == 1 ? 0 : TX - 1;
        if constexpr (cx != 0) {
            if (out >> edge & 1) side[sideLane] = source[edge];
            out &= ~(1u << edge);
        }
        copy(target + cx, source, out);
    }

    static LBM_INLINE void copy(T* target, const T* source, unsigned lanes)
    {
#ifdef LBM_MASKED_ROWS
        using C = MaskedChunk<T, W>;
        for (int c = 0; c < TX; c += W) C::store(target + c, lanes >> c, C::zero(lanes >> c, source + c));
#else
        for (int x = 0; x < TX; ++x)
            if (lanes >> x & 1) target[x] = source[x];
#endif
    }

    // target = source where the lane is set, else 0.
    static LBM_INLINE void select(T* target, const T* source, unsigned lanes)
    {
#ifdef LBM_MASKED_ROWS
        using C = MaskedChunk<T, W>;
        for (int c = 0; c < TX; c += W) C::store(target + c, ~0u, C::zero(lanes >> c, source + c));
#else
        for (int x = 0; x < TX; ++x) target[x] = lanes >> x & 1 ? source[x] : T(0);
#endif
    }
};

} // namespace lbm
