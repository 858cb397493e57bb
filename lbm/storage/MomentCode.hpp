// MomentCode: moments of a node as they are stored, all but the last, which follows from the trace of the stress: as they
// are, or as 16-bit integers. There second moments are
// stored without j_a j_b, so that what is rounded is the small deviation from equilibrium. r and j reach to 0.25 in steps
// of 8e-6, the deviation to 0.06 in steps of 2e-6; what lies beyond is cut off. Rounding is up or down with the
// probability of the remainder: rounded to nearest, changes below half a step would be lost for ever, and with them
// what the viscosity does in a step. (Half precision to nearest was tried: Taylor-Green at 128^3 off by 5 %.)
// Arithmetic is in R.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Regularized.hpp"

#include <cstdint>

namespace lbm {

template<class L, class R, class S>
struct MomentCode {
    using M = MomentSet<L, R>;
    static constexpr int count = M::count - 1;

    struct Raw { S value[count]; };

    // p: the first moment of the node; the next one is `stride` values further.
    template<int stride>
    LBM_HD static LBM_INLINE Raw read(const S* p)
    {
        Raw raw;
        unroll<count>([&](auto k) __attribute__((always_inline)) { raw.value[k] = p[k*stride]; });
        return raw;
    }

    template<class Eq>
    LBM_HD static LBM_INLINE M decode(const Raw& raw)
    {
        M m;
        unroll<count>([&](auto k) __attribute__((always_inline)) { m.value[k] = raw.value[k]; });
        completeTrace<Eq>(m);
        return m;
    }

    // Stores, and returns what will be read.

    template<class Eq, int stride>
    LBM_HD static LBM_INLINE M store(S* p, M m, std::uint32_t)
    {
        unroll<count>([&](auto k) __attribute__((always_inline)) { p[k*stride] = m.value[k]; });
        completeTrace<Eq>(m);
        return m;
    }
};

#ifdef __CUDACC__
template<class L>
struct MomentCode<L, float, std::int16_t> {
    using M = MomentSet<L, float>;
    static constexpr int count = M::count - 1;

    struct Raw { std::int16_t value[count]; };

    template<int stride>
    __device__ static LBM_INLINE Raw read(const std::int16_t* p)
    {
        Raw raw;
        unroll<count>([&](auto k) __attribute__((always_inline)) { raw.value[k] = p[k*stride]; });
        return raw;
    }

    template<class Eq>
    __device__ static LBM_INLINE M decode(const Raw& raw)
    {
        M m;
        unroll<count>([&](auto k) __attribute__((always_inline)) { m.value[k] = float(raw.value[k])*(1/scale(k)); });
        addProducts(m, 1);
        completeTrace<Eq>(m);
        return m;
    }

    // seed: different from step to step.
    template<class Eq, int stride>
    __device__ static LBM_INLINE M store(std::int16_t* p, const M& moments, std::uint32_t seed)
    {
        M m = moments;
        addProducts(m, -1);
        std::uint32_t random = (std::uint32_t(reinterpret_cast<std::uintptr_t>(p) >> 1) + seed*0x9E3779B1u)*0x85EBCA6Bu;
        random = (random ^ random >> 15)*0xC2B2AE35u;
        random ^= random >> 13;
        Raw raw;
        unroll<count>([&](auto k) __attribute__((always_inline)) {
            // Added to this number a value becomes an integer of its last bits: 7 of them to be rounded off.
            constexpr float integer = 12582912.f, most = 4194175.f;
            const float finer = fminf(fmaxf(m.value[k]*(128*scale(k)), -most), most);
            const std::uint32_t dither = __funnelshift_r(random, random, 3*k) & 127;
            p[k*stride] = raw.value[k] = std::int16_t((__float_as_int(finer + integer) - __float_as_int(integer) + int(dither)) >> 7);
        });
        return decode<Eq>(raw);
    }

private:
    __device__ static constexpr float scale(int k) { return k <= L::D ? 131072.f : 524288.f; }

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
