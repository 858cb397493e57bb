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
// up: lane 0 from the last lane of `before`, lane x from lane x - 1; down: the other way round. Aligned loads
// and a shift in registers: loads and stores that cross a cache line cost several times as much.
template<class T, int W> struct MaskedChunk;

template<> struct MaskedChunk<double, 8> {
    using V = __m512d;
    using M = __mmask8;
    static LBM_INLINE V zero(unsigned m, const double* p) { return _mm512_maskz_loadu_pd(M(m), p); }
    static LBM_INLINE V load(const double* p) { return _mm512_loadu_pd(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm512_mask_mov_pd(v, M(m), other); }
    static LBM_INLINE void store(double* p, V v) { _mm512_storeu_pd(p, v); }
    static LBM_INLINE void store(double* p, unsigned m, V v) { _mm512_mask_storeu_pd(p, M(m), v); }
    static LBM_INLINE V up(V before, V v) { return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(v), _mm512_castpd_si512(before), 7)); }
    static LBM_INLINE V down(V v, V behind) { return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(behind), _mm512_castpd_si512(v), 1)); }
};

template<> struct MaskedChunk<double, 4> {
    using V = __m256d;
    using M = __mmask8;
    static LBM_INLINE V zero(unsigned m, const double* p) { return _mm256_maskz_loadu_pd(M(m), p); }
    static LBM_INLINE V load(const double* p) { return _mm256_loadu_pd(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm256_mask_mov_pd(v, M(m), other); }
    static LBM_INLINE void store(double* p, V v) { _mm256_storeu_pd(p, v); }
    static LBM_INLINE void store(double* p, unsigned m, V v) { _mm256_mask_storeu_pd(p, M(m), v); }
    static LBM_INLINE V up(V before, V v) { return _mm256_castsi256_pd(_mm256_alignr_epi64(_mm256_castpd_si256(v), _mm256_castpd_si256(before), 3)); }
    static LBM_INLINE V down(V v, V behind) { return _mm256_castsi256_pd(_mm256_alignr_epi64(_mm256_castpd_si256(behind), _mm256_castpd_si256(v), 1)); }
};

template<> struct MaskedChunk<float, 16> {
    using V = __m512;
    using M = __mmask16;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm512_maskz_loadu_ps(M(m), p); }
    static LBM_INLINE V load(const float* p) { return _mm512_loadu_ps(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm512_mask_mov_ps(v, M(m), other); }
    static LBM_INLINE void store(float* p, V v) { _mm512_storeu_ps(p, v); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm512_mask_storeu_ps(p, M(m), v); }
    static LBM_INLINE V up(V before, V v) { return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(v), _mm512_castps_si512(before), 15)); }
    static LBM_INLINE V down(V v, V behind) { return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(behind), _mm512_castps_si512(v), 1)); }
};

template<> struct MaskedChunk<float, 8> {
    using V = __m256;
    using M = __mmask8;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm256_maskz_loadu_ps(M(m), p); }
    static LBM_INLINE V load(const float* p) { return _mm256_loadu_ps(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm256_mask_mov_ps(v, M(m), other); }
    static LBM_INLINE void store(float* p, V v) { _mm256_storeu_ps(p, v); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm256_mask_storeu_ps(p, M(m), v); }
    static LBM_INLINE V up(V before, V v) { return _mm256_castsi256_ps(_mm256_alignr_epi32(_mm256_castps_si256(v), _mm256_castps_si256(before), 7)); }
    static LBM_INLINE V down(V v, V behind) { return _mm256_castsi256_ps(_mm256_alignr_epi32(_mm256_castps_si256(behind), _mm256_castps_si256(v), 1)); }
};

template<> struct MaskedChunk<float, 4> {
    using V = __m128;
    using M = __mmask8;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm_maskz_loadu_ps(M(m), p); }
    static LBM_INLINE V load(const float* p) { return _mm_loadu_ps(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm_mask_mov_ps(v, M(m), other); }
    static LBM_INLINE void store(float* p, V v) { _mm_storeu_ps(p, v); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm_mask_storeu_ps(p, M(m), v); }
    static LBM_INLINE V up(V before, V v) { return _mm_castsi128_ps(_mm_alignr_epi32(_mm_castps_si128(v), _mm_castps_si128(before), 3)); }
    static LBM_INLINE V down(V v, V behind) { return _mm_castsi128_ps(_mm_alignr_epi32(_mm_castps_si128(behind), _mm_castps_si128(v), 1)); }
};
#endif

template<class T, int TX>
struct Row {
    static constexpr unsigned full = unsigned((1ull << TX) - 1);
    static constexpr int widest = 64/int(sizeof(T));
    static constexpr int W = TX < widest ? TX : widest;
    static_assert(TX % W == 0);

    // The row beside: target[x] = source[x - cx], the lane that falls outside the row coming from `side`.
    template<int cx>
    static LBM_INLINE void shiftIn(T* target, const T* source, const T* side)
    {
#ifdef LBM_MASKED_ROWS
        using C = MaskedChunk<T, W>;
        for (int c = 0; c < TX; c += W) C::store(target + c, shifted<cx>(source, side, c));
#else
        shiftIn<cx>(target, source, side, source, full, full);
#endif
    }

    // The same where `take` is set; else other[x] where `fluid` is set; else 0.
    template<int cx>
    static LBM_INLINE void shiftIn(T* target, const T* source, const T* side, const T* other, unsigned take,
                                   unsigned fluid)
    {
#ifdef LBM_MASKED_ROWS
        using C = MaskedChunk<T, W>;
        for (int c = 0; c < TX; c += W)
            C::store(target + c, C::over(C::zero(fluid >> c, other + c), take >> c, shifted<cx>(source, side, c)));
#else
        constexpr int edge = cx == 1 ? 0 : cx == -1 ? TX - 1 : -1, sideLane = cx == 1 ? TX - 1 : 0;
        for (int x = 0; x < TX; ++x)
            target[x] = take >> x & 1 ? (x == edge ? side[sideLane] : source[x - cx]) : fluid >> x & 1 ? other[x] : T(0);
#endif
    }

    // out: target[x + cx] = source[x], the lane that falls outside the row going to `side`.
    template<int cx>
    static LBM_INLINE void shiftOut(T* target, T* side, const T* source, unsigned out)
    {
        constexpr int edge = cx == 1 ? TX - 1 : 0, sideLane = cx == 1 ? 0 : TX - 1;
        if constexpr (cx == 0) {
            copy(target, source, out);
            return;
        }
        if (out >> edge & 1) side[sideLane] = source[edge];
        out &= ~(1u << edge);
#ifdef LBM_MASKED_ROWS
        using C = MaskedChunk<T, W>;
        const unsigned in = cx == 1 ? out << 1 : out >> 1;
        for (int c = 0; c < TX; c += W) C::store(target + c, in >> c, shifted<cx>(source, source, c));
#else
        copy(target + cx, source, out);
#endif
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
        for (int c = 0; c < TX; c += W) C::store(target + c, C::zero(lanes >> c, source + c));
#else
        for (int x = 0; x < TX; ++x) target[x] = lanes >> x & 1 ? source[x] : T(0);
#endif
    }

private:
#ifdef LBM_MASKED_ROWS
    // Lanes c.. of the shifted row, in registers.
    template<int cx>
    static LBM_INLINE auto shifted(const T* source, const T* side, int c)
    {
        using C = MaskedChunk<T, W>;
        const auto here = C::load(source + c);
        if constexpr (cx == 1) return C::up(C::load(c == 0 ? side + TX - W : source + c - W), here);
        else if constexpr (cx == -1) return C::down(here, C::load(c + W == TX ? side : source + c + W));
        else return here;
    }
#endif
};

} // namespace lbm
