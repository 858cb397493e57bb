// Pack<T>: the value type R of vectorized cell updates, std::experimental::simd of the widest registers,
// with what it lacks: a streaming store, its width as a constant, and moves of single lanes (Lanes).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Lanes.hpp"

#include <experimental/simd>

#if defined(__AVX512F__) || defined(__AVX__)
#include <immintrin.h>
#endif

namespace lbm {

template<class T>
using Pack = std::experimental::native_simd<T>;

template<class R>
struct PackTraits {
    using Scalar = R;
    static constexpr int width = 1;
    static LBM_INLINE R load(const R* p) { return *p; }
    static LBM_INLINE void store(R* p, R v) { *p = v; }
    static LBM_INLINE void stream(R* p, R v) { *p = v; }
    static LBM_INLINE R apart(R r)
    {
        asm("" : "+m"(r));
        return r;
    }
};

template<class T, class Abi>
struct PackTraits<std::experimental::simd<T, Abi>> {
    using R = std::experimental::simd<T, Abi>;
    using Scalar = T;
    static constexpr int width = int(R::size());

    static LBM_INLINE R load(const T* p) { return R(p, std::experimental::element_aligned); }
    static LBM_INLINE void store(T* p, R v) { v.copy_to(p, std::experimental::element_aligned); }

    using V = typename Lanes<T, width>::V;
    static LBM_INLINE R fromLanes(V v)
    {
        if constexpr (requires { v.lane; }) return load(v.lane);
        else return R(v);
    }
    static LBM_INLINE V toLanes(R r)
    {
        if constexpr (requires(V v) { v.lane; }) {
            V v;
            store(v.lane, r);
            return v;
        } else {
            return static_cast<V>(r);
        }
    }

    // The same number; what follows is not joined with the product that it may be, as if it came from memory.
    static LBM_INLINE R apart(R r)
    {
        V v = toLanes(r);
#if defined(__x86_64__)
        if constexpr (requires { v.lane; }) asm("" : "+m"(v));
        else asm("" : "+v"(v));
#else
        asm("" : "+m"(v));
#endif
        return fromLanes(v);
    }

    // p aligned to the register. Bypasses the caches: the line is not read before it is written.
    static LBM_INLINE void stream(T* p, R v)
    {
#if defined(__AVX512F__)
        if constexpr (sizeof(R) == 64) {
            if constexpr (sizeof(T) == 8) _mm512_stream_pd(p, static_cast<__m512d>(v));
            else _mm512_stream_ps(p, static_cast<__m512>(v));
            return;
        }
#endif
#if defined(__AVX__)
        if constexpr (sizeof(R) == 32) {
            if constexpr (sizeof(T) == 8) _mm256_stream_pd(p, static_cast<__m256d>(v));
            else _mm256_stream_ps(p, static_cast<__m256>(v));
            return;
        }
#endif
        store(p, v);
    }
};

// Streaming stores are weakly ordered: the thread that made them fences before others may read.
inline void streamFence()
{
#if defined(__AVX__)
    _mm_sfence();
#endif
}

} // namespace lbm
