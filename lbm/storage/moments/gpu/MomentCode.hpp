// MomentCode: moments of a node as they are stored, all but the last, which follows from the trace of the stress (of lattices
// WithThird all): as they are, or as 16-bit integers. Of second moments those keep what is beyond j_a j_b/inertia, so that what is rounded is the
// small deviation from equilibrium. r and j reach to 0.25 in steps of 8e-6, the deviation to 0.06 in steps of 2e-6; what
// lies beyond is cut off. Rounding is up or down with the probability of the remainder: rounded to nearest, changes below
// half a step would be lost for ever, and with them what the viscosity does in a step. (Half precision to nearest was
// tried: Taylor-Green at 128^3 off by 5 %.)
// Arithmetic is in R.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/NodeMoments.hpp"

#include <cstdint>

namespace lbm {

// A moment of 16 bits. Two make a word. A row of nodes has all words of the first node, which are read and written at once,
// those of the second and so on, and then the last moments of all nodes, for they are an odd number. (A node beside a
// tile, which is read for itself, then takes two accesses of 32 bytes, not one for each moment.)
struct Short {
    std::uint16_t bits;
};

template<class L, class R, class S>
struct MomentCode {
    using M = MomentSet<L, R>;
    static constexpr int count = keepsThird<L> ? M::count : M::count - 1; // values of a node
    static constexpr bool rounds = false;

    struct Raw {
        S value[count];
    };

    // x: place of the node in its row of `stride` nodes. p: its first value, which is offsetOf(x) from where the row begins.
    static constexpr LBM_HD int offsetOf(int x) { return x; }

    template<int stride>
    LBM_HD static LBM_INLINE Raw read(const S* p, int)
    {
        Raw raw;
        unroll<count>([&](auto k) __attribute__((always_inline)) { raw.value[k] = p[k * stride]; });
        return raw;
    }

    // visit(p): what the threads of a row fetch together.
    template<int stride, class Visit>
    LBM_HD static LBM_INLINE void eachSector(const S* p, int x, Visit&& visit)
    {
        constexpr int sector = 32; // bytes
        if (x % (sector / int(sizeof(S))) == 0)
            unroll<count>([&](auto k) __attribute__((always_inline)) { visit(p + k * stride); });
    }

    template<class Eq>
    LBM_HD static LBM_INLINE M decode(const Raw& raw)
    {
        M m;
        unroll<count>([&](auto k) __attribute__((always_inline)) { m.value[k] = raw.value[k]; });
        completeTrace<Eq>(m);
        return m;
    }

    // For who reads states.
    template<class Eq>
    LBM_HD static LBM_INLINE NodeMoments known(const Raw& raw)
    {
        return nodeMoments<Eq, L>(raw.value);
    }

    // Stores, and returns what will be read. random: see RoundedPlaces.
    template<class Eq, int stride>
    LBM_HD static LBM_INLINE M store(S* p, int, M m, std::uint32_t)
    {
        unroll<count>([&](auto k) __attribute__((always_inline)) { p[k * stride] = m.value[k]; });
        completeTrace<Eq>(m);
        return m;
    }

    // What is stored, and nothing made of it: [count].
    template<int stride>
    LBM_HD static LBM_INLINE void getStored(const S* p, int, double* values)
    {
        unroll<count>([&](auto k) __attribute__((always_inline)) { values[k] = p[k * stride]; });
    }
    template<int stride>
    LBM_HD static LBM_INLINE void putStored(S* p, int, const double* values)
    {
        unroll<count>([&](auto k) __attribute__((always_inline)) { p[k * stride] = S(values[k]); });
    }

    // The same after relaxation. rates: the collision's; own: NodeValues, if it takes them.
    template<class Collision, class Eq, int stride, class Rates, class... Own>
    LBM_HD static LBM_INLINE M relax(S* p, int x, M m, const Rates& rates, std::uint32_t random, const Own&... own)
    {
        Collision::template relax<Eq>(m, rates, own...);
        return store<Eq, stride>(p, x, m, random);
    }
};

// Of moment k: steps in one.
template<class L>
constexpr float shortScale(int k)
{
    return k <= L::D ? 131072.f : 524288.f;
}

#ifdef __CUDACC__
template<class L>
struct MomentCode<L, float, Short> {
    using M = MomentSet<L, float>;
    static constexpr int count = M::count - 1, pairs = count / 2;
    static_assert(count % 2 == 1);
    static constexpr bool rounds = true;

    struct alignas(4 * pairs) Words {
        std::uint32_t value[pairs];
    };
    struct Raw {
        Words words;
        std::uint32_t last;
    };

    static constexpr LBM_HD int offsetOf(int x) { return 2 * pairs * x; }
    template<int stride>
    static constexpr LBM_HD unsigned offsetOfLast(int x)
    {
        return 2 * pairs * stride + x - offsetOf(x);
    }

    template<int stride>
    __device__ static LBM_INLINE Raw read(const Short* p, int x)
    {
        static_assert(count * stride * sizeof(Short) % alignof(Words) == 0);
        return {*reinterpret_cast<const Words*>(p), p[offsetOfLast<stride>(x)].bits};
    }

    template<int stride, class Visit>
    __device__ static LBM_INLINE void eachSector(const Short* p, int x, Visit&& visit)
    {
        constexpr int sector = 32; // bytes
        if (x % (sector / sizeof(Words)) == 0) visit(p);
        if (x % (sector / sizeof(Short)) == 0) visit(p + offsetOfLast<stride>(x));
    }

    template<class Eq>
    __device__ static LBM_INLINE M decode(const Raw& raw)
    {
        M m;
        unroll<count>([&](auto k) __attribute__((always_inline)) { m.value[k] = number<k>(raw); });
        constexpr int last = M::pi(L::D - 1, L::D - 1);
        m.value[last] = -m.value[M::pi(0, 0)];
        if constexpr (L::D == 3) m.value[last] -= m.value[M::pi(1, 1)];
        addEquilibrium<Eq>(m, 1.f);
        return m;
    }

    // As it is stored: equilibrium is not in it.
    template<class Eq>
    __device__ static LBM_INLINE NodeMoments known(const Raw& raw)
    {
        NodeMoments node{number<0>(raw), {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
        unroll<L::D>([&](auto a) __attribute__((always_inline)) {
            node.j[a] = number<1 + a>(raw);
            unroll<L::D - a>([&](auto i) __attribute__((always_inline)) {
                constexpr int k = M::pi(a, a + i);
                if constexpr (k < count) node.beyond[placeBeyond(a, a + i)] = number<k>(raw);
            });
        });
        completeBeyond<L>(node);
        return node;
    }

    template<class Eq, int stride>
    __device__ static LBM_INLINE M store(Short* p, int x, M m, std::uint32_t random)
    {
        addEquilibrium<Eq>(m, -1.f);
        return round<Eq, stride>(p, x, m, random);
    }

    template<class Collision, class Eq, int stride, class Rates, class... Own>
    __device__ static LBM_INLINE M relax(Short* p, int x, M m, const Rates& rates, std::uint32_t random,
                                         const Own&... own)
    {
        Collision::template relaxDeviation<Eq>(m, rates, own...);
        return round<Eq, stride>(p, x, m, random);
    }

    // The integers that are stored, of a node (see shortScale).
    template<int stride>
    __device__ static LBM_INLINE void getStored(const Short* p, int x, double* values)
    {
        const Raw raw = read<stride>(p, x);
        unroll<count>([&](auto k) __attribute__((always_inline)) {
            const std::uint32_t word = k == count - 1 ? raw.last : raw.words.value[k / 2] >> (k % 2 ? 16 : 0);
            values[k] = std::int16_t(word & 0xFFFF);
        });
    }
    template<int stride>
    __device__ static LBM_INLINE void putStored(Short* p, int x, const double* values)
    {
        const auto bits = [&](int k) { return std::uint32_t(std::uint16_t(std::int16_t(values[k]))); };
        Words words;
        unroll<pairs>([&](auto k)
                          __attribute__((always_inline)) { words.value[k] = bits(2 * k) | bits(2 * k + 1) << 16; });
        *reinterpret_cast<Words*>(p) = words;
        p[offsetOfLast<stride>(x)].bits = std::uint16_t(bits(count - 1));
    }

private:
    static constexpr float scale(int k) { return shortScale<L>(k); }

    // The k-th of those that are stored. A half of a word becomes the last bits of a large number.
    template<int k>
    __device__ static LBM_INLINE float number(const Raw& raw)
    {
        constexpr std::uint32_t large = 0x4B000000u, zero = 0x80008000u; // large: of the float 2^23
        constexpr float step = 1 / scale(k), lowest = -(8388608.f + 32768.f) * step;
        std::uint32_t word = raw.last;
        if constexpr (k < count - 1) word = raw.words.value[k / 2];
        return __uint_as_float(__byte_perm(word ^ zero, large, k % 2 ? 0x7632 : 0x7610)) * step + lowest;
    }

    // A random number below a step is added, and whole steps are stored. All in parts of a step, so many that what is to be
    // cut off is what an integer does not hold. Sums are rounded downwards: rounded to nearest they are larger on the
    // average, by 1.5e-4 of a step, which steps of time add up.
    template<class Eq, int stride>
    __device__ static LBM_INLINE M round(Short* p, int x, const M& m, std::uint32_t random)
    {
        constexpr float parts = 65536;
        constexpr std::uint32_t factor[] = {1, 0x9E3779B1u, 0x85EBCA6Bu, 0xC2B2AE35u, 0x27D4EB2Fu};
        static_assert(count <= 10);
        Raw raw;
        int before;
        unroll<count>([&](auto k) __attribute__((always_inline)) {
            const std::uint32_t both = random * factor[k / 2];
            const int whole =
                __float2int_rd(__fmaf_rd(m.value[k], parts * scale(k), std::uint16_t(k % 2 ? both >> 16 : both)));
            if constexpr (k == count - 1) raw.last = std::uint32_t(whole) >> 16;
            else if constexpr (k % 2 == 0) before = whole;
            else raw.words.value[k / 2] = __byte_perm(before, whole, 0x7632);
        });
        *reinterpret_cast<Words*>(p) = raw.words;
        p[offsetOfLast<stride>(x)].bits = std::uint16_t(raw.last);
        return decode<Eq>(raw);
    }
};
#endif

} // namespace lbm
