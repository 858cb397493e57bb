// Lanes<T, W>: a register of W values and the moves of single lanes that rows of nodes need, a bit of a mask for
// each lane. With AVX-512 each is one instruction and touches no lane outside its mask; with AVX2 alone those of four doubles are
// two or three; elsewhere it is a loop. Compilers make branches of such loops, which is why the instructions are named here.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <cstdint>
#include <type_traits>

#if defined(__AVX2__) || (defined(__AVX512F__) && defined(__AVX512VL__))
#include <immintrin.h>
#endif

namespace lbm {

// Nodes whose values of one population fill a cache line.
template<class T>
constexpr int lineNodes = 64 / int(sizeof(T));

template<class T>
using LaneMask = std::conditional_t<lineNodes<T> <= 8, std::uint8_t, std::uint16_t>;

// Where the lanes of a mask go when W lanes turn by cx: those that stay in the row, and the one that leaves it and
// comes in at the other end of the row beside.
template<int cx, int W>
struct Shift {
    static constexpr unsigned inside(unsigned m) { return (cx == 1 ? m << 1 : m >> 1) & ((1u << W) - 1); }
    static constexpr unsigned outside(unsigned m) { return cx == 1 ? m >> (W - 1) : (m & 1) << (W - 1); }
};

// zero(m, p): p where the mask is set, else 0. over(v, m, w): w where the mask is set, else v.
// up: lane 0 from the last lane of `before`, lane x from lane x - 1; down: the other way round. Aligned loads
// and a shift in registers: loads and stores that cross a cache line cost several times as much.
// put(v, m, p): *p where the mask is set, else v. gather(p, at): lane x from p[at[x]].
template<class T, int W>
struct Lanes {
    struct V {
        T lane[W];
    };
    static LBM_INLINE V zero(unsigned m, const T* p)
    {
        return make([=](int x) { return m >> x & 1 ? p[x] : T(0); });
    }
    static V load(const T* p)
    {
        return make([=](int x) { return p[x]; });
    }
    static V over(V v, unsigned m, V w)
    {
        return make([&](int x) { return m >> x & 1 ? w.lane[x] : v.lane[x]; });
    }
    static LBM_INLINE void store(T* p, V v)
    {
        for (int x = 0; x < W; ++x) p[x] = v.lane[x];
    }
    static LBM_INLINE void store(T* p, unsigned m, V v)
    {
        for (int x = 0; x < W; ++x)
            if (m >> x & 1) p[x] = v.lane[x];
    }
    static V up(V before, V v)
    {
        return make([&](int x) { return x == 0 ? before.lane[W - 1] : v.lane[x - 1]; });
    }
    static V down(V v, V behind)
    {
        return make([&](int x) { return x == W - 1 ? behind.lane[0] : v.lane[x + 1]; });
    }
    static V put(V v, unsigned m, const T* p)
    {
        return make([&](int x) { return m >> x & 1 ? *p : v.lane[x]; });
    }
    static void storeFirst(T* p, V v) { *p = v.lane[0]; }
    static V gather(const T* p, const std::int32_t* at)
    {
        return make([=](int x) { return p[at[x]]; });
    }

private:
    template<class F>
    static LBM_INLINE V make(F&& f)
    {
        V v;
        for (int x = 0; x < W; ++x) v.lane[x] = f(x);
        return v;
    }
};

#if defined(__AVX512F__) && defined(__AVX512VL__)
template<>
struct Lanes<double, 8> {
    using V = __m512d;
    using M = __mmask8;
    static LBM_INLINE V zero(unsigned m, const double* p) { return _mm512_maskz_loadu_pd(M(m), p); }
    static LBM_INLINE V load(const double* p) { return _mm512_loadu_pd(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm512_mask_mov_pd(v, M(m), other); }
    static LBM_INLINE void store(double* p, V v) { _mm512_storeu_pd(p, v); }
    static LBM_INLINE void store(double* p, unsigned m, V v) { _mm512_mask_storeu_pd(p, M(m), v); }
    static LBM_INLINE V up(V before, V v)
    {
        return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(v), _mm512_castpd_si512(before), 7));
    }
    static LBM_INLINE V down(V v, V behind)
    {
        return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(behind), _mm512_castpd_si512(v), 1));
    }
    static LBM_INLINE V put(V v, unsigned m, const double* p)
    {
        return _mm512_mask_broadcastsd_pd(v, M(m), _mm_load_sd(p));
    }
    static LBM_INLINE void storeFirst(double* p, V v) { _mm_store_sd(p, _mm512_castpd512_pd128(v)); }
    static LBM_INLINE V gather(const double* p, const std::int32_t* at)
    {
        return _mm512_i32gather_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)), p, 8);
    }
};

template<>
struct Lanes<double, 4> {
    using V = __m256d;
    using M = __mmask8;
    static LBM_INLINE V zero(unsigned m, const double* p) { return _mm256_maskz_loadu_pd(M(m), p); }
    static LBM_INLINE V load(const double* p) { return _mm256_loadu_pd(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm256_mask_mov_pd(v, M(m), other); }
    static LBM_INLINE void store(double* p, V v) { _mm256_storeu_pd(p, v); }
    static LBM_INLINE void store(double* p, unsigned m, V v) { _mm256_mask_storeu_pd(p, M(m), v); }
    static LBM_INLINE V up(V before, V v)
    {
        return _mm256_castsi256_pd(_mm256_alignr_epi64(_mm256_castpd_si256(v), _mm256_castpd_si256(before), 3));
    }
    static LBM_INLINE V down(V v, V behind)
    {
        return _mm256_castsi256_pd(_mm256_alignr_epi64(_mm256_castpd_si256(behind), _mm256_castpd_si256(v), 1));
    }
    static LBM_INLINE V put(V v, unsigned m, const double* p)
    {
        return _mm256_mask_broadcastsd_pd(v, M(m), _mm_load_sd(p));
    }
    static LBM_INLINE void storeFirst(double* p, V v) { _mm_store_sd(p, _mm256_castpd256_pd128(v)); }
    static LBM_INLINE V gather(const double* p, const std::int32_t* at)
    {
        return _mm256_i32gather_pd(p, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), 8);
    }
};

template<>
struct Lanes<float, 16> {
    using V = __m512;
    using M = __mmask16;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm512_maskz_loadu_ps(M(m), p); }
    static LBM_INLINE V load(const float* p) { return _mm512_loadu_ps(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm512_mask_mov_ps(v, M(m), other); }
    static LBM_INLINE void store(float* p, V v) { _mm512_storeu_ps(p, v); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm512_mask_storeu_ps(p, M(m), v); }
    static LBM_INLINE V up(V before, V v)
    {
        return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(v), _mm512_castps_si512(before), 15));
    }
    static LBM_INLINE V down(V v, V behind)
    {
        return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(behind), _mm512_castps_si512(v), 1));
    }
    static LBM_INLINE V put(V v, unsigned m, const float* p)
    {
        return _mm512_mask_broadcastss_ps(v, M(m), _mm_load_ss(p));
    }
    static LBM_INLINE void storeFirst(float* p, V v) { _mm_store_ss(p, _mm512_castps512_ps128(v)); }
    static LBM_INLINE V gather(const float* p, const std::int32_t* at)
    {
        return _mm512_i32gather_ps(_mm512_loadu_si512(at), p, 4);
    }
};

template<>
struct Lanes<float, 8> {
    using V = __m256;
    using M = __mmask8;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm256_maskz_loadu_ps(M(m), p); }
    static LBM_INLINE V load(const float* p) { return _mm256_loadu_ps(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm256_mask_mov_ps(v, M(m), other); }
    static LBM_INLINE void store(float* p, V v) { _mm256_storeu_ps(p, v); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm256_mask_storeu_ps(p, M(m), v); }
    static LBM_INLINE V up(V before, V v)
    {
        return _mm256_castsi256_ps(_mm256_alignr_epi32(_mm256_castps_si256(v), _mm256_castps_si256(before), 7));
    }
    static LBM_INLINE V down(V v, V behind)
    {
        return _mm256_castsi256_ps(_mm256_alignr_epi32(_mm256_castps_si256(behind), _mm256_castps_si256(v), 1));
    }
    static LBM_INLINE V put(V v, unsigned m, const float* p)
    {
        return _mm256_mask_broadcastss_ps(v, M(m), _mm_load_ss(p));
    }
    static LBM_INLINE void storeFirst(float* p, V v) { _mm_store_ss(p, _mm256_castps256_ps128(v)); }
    static LBM_INLINE V gather(const float* p, const std::int32_t* at)
    {
        return _mm256_i32gather_ps(p, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)), 4);
    }
};

template<>
struct Lanes<float, 4> {
    using V = __m128;
    using M = __mmask8;
    static LBM_INLINE V zero(unsigned m, const float* p) { return _mm_maskz_loadu_ps(M(m), p); }
    static LBM_INLINE V load(const float* p) { return _mm_loadu_ps(p); }
    static LBM_INLINE V over(V v, unsigned m, V other) { return _mm_mask_mov_ps(v, M(m), other); }
    static LBM_INLINE void store(float* p, V v) { _mm_storeu_ps(p, v); }
    static LBM_INLINE void store(float* p, unsigned m, V v) { _mm_mask_storeu_ps(p, M(m), v); }
    static LBM_INLINE V up(V before, V v)
    {
        return _mm_castsi128_ps(_mm_alignr_epi32(_mm_castps_si128(v), _mm_castps_si128(before), 3));
    }
    static LBM_INLINE V down(V v, V behind)
    {
        return _mm_castsi128_ps(_mm_alignr_epi32(_mm_castps_si128(behind), _mm_castps_si128(v), 1));
    }
    static LBM_INLINE V put(V v, unsigned m, const float* p)
    {
        return _mm_mask_broadcastss_ps(v, M(m), _mm_load_ss(p));
    }
    static LBM_INLINE void storeFirst(float* p, V v) { _mm_store_ss(p, v); }
    static LBM_INLINE V gather(const float* p, const std::int32_t* at)
    {
        return _mm_i32gather_ps(p, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), 4);
    }
};
#elif defined(__AVX2__)
template<>
struct Lanes<double, 4> {
    using V = __m256d;
    static LBM_INLINE V zero(unsigned m, const double* p) { return _mm256_maskload_pd(p, wide(m)); }
    static LBM_INLINE V load(const double* p) { return _mm256_loadu_pd(p); }
    static LBM_INLINE V over(V v, unsigned m, V other)
    {
        return _mm256_blendv_pd(v, other, _mm256_castsi256_pd(wide(m)));
    }
    static LBM_INLINE void store(double* p, V v) { _mm256_storeu_pd(p, v); }
    static LBM_INLINE void store(double* p, unsigned m, V v)
    {
        // The instruction for it is a long one on some of these processors
        for (int x = 0; x < 4; ++x)
            if (m >> x & 1) p[x] = v[x];
    }
    static LBM_INLINE V up(V before, V v)
    {
        return _mm256_shuffle_pd(_mm256_permute2f128_pd(before, v, 0x21), v, 0b0101);
    }
    static LBM_INLINE V down(V v, V behind)
    {
        return _mm256_shuffle_pd(v, _mm256_permute2f128_pd(v, behind, 0x21), 0b0101);
    }
    static LBM_INLINE V put(V v, unsigned m, const double* p) { return over(v, m, _mm256_broadcast_sd(p)); }
    static LBM_INLINE void storeFirst(double* p, V v) { _mm_store_sd(p, _mm256_castpd256_pd128(v)); }
    static LBM_INLINE V gather(const double* p, const std::int32_t* at)
    {
        return _mm256_setr_pd(p[at[0]], p[at[1]], p[at[2]], p[at[3]]);
    }

private:
    // All bits of the lanes of a mask
    static LBM_INLINE __m256i wide(unsigned m)
    {
        const __m256i bits = _mm256_setr_epi64x(1, 2, 4, 8);
        return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(m), bits), bits);
    }
};
#endif

} // namespace lbm
