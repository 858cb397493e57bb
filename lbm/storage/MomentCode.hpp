// MomentCode: moments of a node as they are stored: as they are, or in 16 bits. In 16 bits the second moments are
// stored without j_a j_b, so that what is rounded is the small deviation from equilibrium, and everything is scaled
// into the range where half precision has its 11 digits: |r|, |j| up to 32, the deviation up to 4, the smallest
// full-digit value 3e-8 and 4e-9. Arithmetic is in R.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/MomentSet.hpp"

#ifdef __CUDACC__
#include <cuda_fp16.h>
#endif

namespace lbm {

template<class L, class R, class S>
struct MomentCode {
    using M = MomentSet<L, R>;

    using Raw = M;

    // p: the first moment of the node; the next one is N values further.
    template<int N>
    LBM_HD static LBM_INLINE Raw read(const S* p)
    {
        Raw raw;
        unroll<M::count>([&](auto k) __attribute__((always_inline)) { raw.value[k] = p[k*N]; });
        return raw;
    }

    LBM_HD static LBM_INLINE M decode(const Raw& raw) { return raw; }

    template<int N>
    LBM_HD static LBM_INLINE void store(S* p, const M& m)
    {
        unroll<M::count>([&](auto k) __attribute__((always_inline)) { p[k*N] = S(m.value[k]); });
    }
};

#ifdef __CUDACC__
template<class L>
struct MomentCode<L, float, __half> {
    using M = MomentSet<L, float>;
    static constexpr float low = 2048, high = 16384;

    struct Raw { __half value[M::count]; };

    template<int N>
    __device__ static LBM_INLINE Raw read(const __half* p)
    {
        Raw raw;
        unroll<M::count>([&](auto k) __attribute__((always_inline)) { raw.value[k] = p[k*N]; });
        return raw;
    }

    __device__ static LBM_INLINE M decode(const Raw& raw)
    {
        M m;
        unroll<M::count>([&](auto k) __attribute__((always_inline)) {
            m.value[k] = __half2float(raw.value[k])*(k <= L::D ? 1/low : 1/high);
        });
        addProducts(m, 1);
        return m;
    }

    template<int N>
    __device__ static LBM_INLINE void store(__half* p, const M& moments)
    {
        M m = moments;
        addProducts(m, -1);
        unroll<M::count>([&](auto k) __attribute__((always_inline)) {
            p[k*N] = __float2half_rn(m.value[k]*(k <= L::D ? low : high));
        });
    }

private:
    __device__ static LBM_INLINE void addProducts(M& m, float sign)
    {
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                m.value[M::pi(a, a + i)] += sign*m.value[1 + a]*m.value[1 + a + i];
            });
        });
    }
};
#endif

} // namespace lbm
