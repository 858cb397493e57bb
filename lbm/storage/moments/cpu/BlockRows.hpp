// BlockRows: arithmetic of a row of nodes along x in blocks of several steps (BlockSweep.hpp), D3Q19.
//
// Lanes of a register hold nodes that are a part of the row apart, so that the node beside is the same lane of the register beside; ends
// of parts are turned round. A row's moments become populations, which are summed at once by where they go: along x, then to the
// rows below, here and above (z), then to the lines of rows before, here and behind (y). Sums wait in the place of moments that
// have been used; the 5 that go on along y wait apart. All of it is linear, so that what is missing at the end of a block may be added later.
//
// Before a collision a node has r, j and the second moments P_ab = sum c_a c_b g; after it pi_ab, less r/3 (MomentSet).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Unroll.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/storage/moments/cpu/BlockCounts.hpp"
#include "lbm/storage/rows/Runs.hpp"

#include <cstddef>
#include <type_traits>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace lbm {

// What a step multiplies by and adds. Moments after their collision, which blocks begin with, only stream.
template<class T>
struct BlockRates {
    T rate, trace, third; // third: of r, in second moments
    T force[3];
    bool forced;
    bool begins = false; // the first of all steps: nothing has been sent before
    int copy = 0;        // that states of boundary nodes take, this step

    static BlockRates collides(const Parameters<T>& p)
    {
        return {p.omega, 1, T(1) / 3, {p.force[0], p.force[1], p.force[2]}, p.forced};
    }
    static BlockRates streams() { return {0, 0, 0, {0, 0, 0}, false, true}; }
};

template<class T>
struct BlockRows : BlockCounts {
    static constexpr int lanes = 64 / int(sizeof(T));
    using V [[gnu::vector_size(64)]] = T;
    using Lane [[gnu::vector_size(64)]] = std::conditional_t<sizeof(T) == 8, long long, int>;
    enum { R, JX, JY, JZ, XX, YY, ZZ, XY, XZ, YZ };

    static LBM_INLINE V all(T value) { return V{} + value; }
    static LBM_INLINE V turned(V v, int by)
    {
#ifdef __clang__ // has no shuffle by a register
        V r;
        for (int k = 0; k < lanes; ++k) r[k] = v[(k + by + lanes) % lanes];
        return r;
#else
        Lane from;
        for (int k = 0; k < lanes; ++k) from[k] = (k + by + lanes) % lanes;
        return __builtin_shuffle(v, from);
#endif
    }
    static LBM_INLINE V onlyFirst(V v)
    {
        V r = {};
        r[0] = v[0];
        return r;
    }
    static LBM_INLINE V onlyLast(V v)
    {
        V r = {};
        r[lanes - 1] = v[lanes - 1];
        return r;
    }

    // Lanes of the bits that are set; others are zero.
    static LBM_INLINE V only(V v, unsigned bits)
    {
#ifdef __AVX512F__
        if constexpr (sizeof(T) == 8) return V(_mm512_maskz_mov_pd(__mmask8(bits), __m512d(v)));
        else return V(_mm512_maskz_mov_ps(__mmask16(bits), __m512(v)));
#else
        for (int k = 0; k < lanes; ++k)
            if (!(bits >> k & 1)) v[k] = 0;
        return v;
#endif
    }

    // By where they go along (y, z): 0 (0, 0), 1 (+, 0), 2 (-, 0), 3 (0, +), 4 (0, -), each forwards, at rest and backwards along x;
    // across: (+, +), (+, -), (-, +), (-, -).
    struct Populations {
        V forwards[5], still[5], backwards[5], across[4];
    };

    // visit(population, x, y, z) of each but the one at rest.
    template<class All, class Visit>
    static LBM_INLINE void eachLink(All& f, Visit&& visit)
    {
        constexpr int y[] = {0, 1, -1, 0, 0, 1, 1, -1, -1}, z[] = {0, 0, 0, 1, -1, 1, -1, 1, -1};
        unroll<9>([&](auto g) __attribute__((always_inline)) {
            using Y = Constant<y[g]>;
            using Z = Constant<z[g]>;
            if constexpr (g > 4) {
                visit(f.across[g - 5], Constant<0>{}, Y{}, Z{});
            } else {
                visit(f.forwards[g], Constant<1>{}, Y{}, Z{});
                if constexpr (g > 0) visit(f.still[g], Constant<0>{}, Y{}, Z{});
                visit(f.backwards[g], Constant<-1>{}, Y{}, Z{});
            }
        });
    }

    // What has left along (x, y, z) comes back.
    template<class Value, class X, class Y, class Z>
    static LBM_INLINE void addAlong(Value* m, const Value& a, X x, Y y, Z z)
    {
        const auto scaled = [&](int k, int by) __attribute__((always_inline))
        {
            if (by > 0) m[k] += a;
            if (by < 0) m[k] -= a;
        };
        scaled(R, 1);
        scaled(JX, -x);
        scaled(JY, -y);
        scaled(JZ, -z);
        scaled(XX, x * x);
        scaled(YY, y * y);
        scaled(ZZ, z * z);
        scaled(XY, x * y);
        scaled(XZ, x * z);
        scaled(YZ, y * z);
    }

    // Momentum and second moments less r/3 after the collision.
    struct Stress {
        V x, y, z, xx, yy, zz, xy, xz, yz;
    };
    static LBM_INLINE Stress relaxed(const V* m, const BlockRates<T>& rates)
    {
        const V keep = all(1 - rates.rate), c = m[R] * all(rates.third), x = m[JX], y = m[JY], z = m[JZ];
        const V xx = x * x, yy = y * y, zz = z * z, ox = all(rates.rate) * x, oy = all(rates.rate) * y;
        Stress a;
        a.x = x;
        a.y = y;
        a.z = z;
        a.xx = keep * (m[XX] - c - xx);
        a.yy = keep * (m[YY] - c - yy);
        a.zz = keep * (m[ZZ] - c - zz);
        a.xy = keep * m[XY] + ox * y;
        a.xz = keep * m[XZ] + ox * z;
        a.yz = keep * m[YZ] + oy * z;
        if (rates.forced) push(a, rates);
        const V surplus = all(rates.trace / 3) * (a.xx + a.yy + a.zz);
        a.xx += a.x * a.x - surplus;
        a.yy += a.y * a.y - surplus;
        a.zz += a.z * a.z - surplus;
        return a;
    }

    // As MomentRelaxation::relaxBeyond: j* = j + F, and -omega/4 F F of what is beyond j* j*.
    static void push(Stress& a, const BlockRates<T>& rates)
    {
        const V fx = all(rates.force[0]), fy = all(rates.force[1]), fz = all(rates.force[2]);
        const V pull = all(rates.rate / 4), more = all(1 - rates.rate / 4);
        a.xx -= pull * fx * fx;
        a.yy -= pull * fy * fy;
        a.zz -= pull * fz * fz;
        a.xy += a.x * fy + fx * a.y + more * fx * fy;
        a.xz += a.x * fz + fx * a.z + more * fx * fz;
        a.yz += a.y * fz + fy * a.z + more * fy * fz;
        a.x += fx;
        a.y += fy;
        a.z += fz;
    }

    static void relax(V* m, const BlockRates<T>& rates)
    {
        const Stress a = relaxed(m, rates);
        m[JX] = a.x;
        m[JY] = a.y;
        m[JZ] = a.z;
        m[XX] = a.xx;
        m[YY] = a.yy;
        m[ZZ] = a.zz;
        m[XY] = a.xy;
        m[XZ] = a.xz;
        m[YZ] = a.yz;
    }

    static LBM_INLINE Populations collided(const V* m, const BlockRates<T>& rates)
    {
        const Stress a = relaxed(m, rates);
        const V third = all(T(1) / 3), quarter = all(T(0.25)), r = m[R], x = a.x, y = a.y, z = a.z;
        const V axx = a.xx, ayy = a.yy, azz = a.zz, axy = quarter * a.xy, axz = quarter * a.xz, ayz = quarter * a.yz;
        const V b = r - all(T(1.5)) * (axx + ayy + azz);
        Populations f;
        f.still[0] = third * b;
        const V b1 = all(T(1) / 18) * b, b2 = all(T(1) / 36) * b, six = all(T(1) / 6), eighth = all(T(0.125));
        const V ex = quarter * axx + b1, ey = quarter * ayy + b1, ez = quarter * azz + b1;
        f.forwards[0] = ex + six * x;
        f.backwards[0] = ex - six * x;
        f.still[1] = ey + six * y;
        f.still[2] = ey - six * y;
        f.still[3] = ez + six * z;
        f.still[4] = ez - six * z;
        const V twelfth = all(T(1) / 12), tx = twelfth * x, ty = twelfth * y, tz = twelfth * z;
        const V hx = eighth * axx + b2, hy = eighth * ayy, hz = eighth * azz;
        const auto four =
            [](V even, V shear, V sum, V difference, V & pp, V & mm, V & pm, V & mp) __attribute__((always_inline))
        {
            const V same = even + shear, other = even - shear;
            pp = same + sum;
            mm = same - sum;
            pm = other + difference;
            mp = other - difference;
        };
        four(hx + hy, axy, tx + ty, tx - ty, f.forwards[1], f.backwards[2], f.forwards[2], f.backwards[1]);
        four(hx + hz, axz, tx + tz, tx - tz, f.forwards[3], f.backwards[4], f.forwards[4], f.backwards[3]);
        four(hy + b2 + hz, ayz, ty + tz, ty - tz, f.across[0], f.across[3], f.across[1], f.across[2]);
        return f;
    }

    // To a row from the one above it: sums of those of (0, -), and the two of (+, -) and (-, -).
    struct FromAbove {
        V sum, x, xx, behind, before;
    };

    // Completes a row's sums along z (of: [summed]), then, with what waits from the line before (line: [passing], which becomes what waits
    // for the line behind), those along y but for what the line behind sends (here), and the row of the line before. `before`:
    // its moments; else what is to be added to them later is left in `later`.
    static LBM_INLINE void completeRow(const V* of, const FromAbove& a, V* line, V* here, V* before, V* later)
    {
        const V s = line[0], x = line[1], xx = line[2], zz = line[3], z = line[4];
        line[0] = of[5] + a.behind;
        line[1] = of[6];
        line[2] = of[7];
        line[3] = of[8] + a.behind;
        line[4] = of[8] - a.behind;
        here[R] = of[0] + a.sum + s;
        here[JX] = of[1] + a.x + x;
        here[XX] = of[2] + a.xx + xx;
        here[JZ] = of[3] - a.sum + z;
        here[ZZ] = of[3] + a.sum + zz;
        here[XZ] = of[4] - a.x;
        here[JY] = s; // and [YY], which is not told twice
        here[XY] = x;
        here[YZ] = z;
        const V back[passing] = {of[9] + a.before, of[10], of[11], of[12] + a.before, of[12] - a.before};
        if (before) addFromBehind(before, back);
        else if (later)
            for (int k = 0; k < passing; ++k) later[k] = back[k];
    }

    // s, x, xx, zz, z of the line behind, to a row that completeRow left.
    static LBM_INLINE void addFromBehind(V* m, const V* a)
    {
        const V s = m[JY];
        m[R] += a[0];
        m[JX] += a[1];
        m[XX] += a[2];
        m[ZZ] += a[3];
        m[JZ] += a[4];
        m[JY] = s - a[0];
        m[YY] = s + a[0];
        m[XY] -= a[1];
        m[YZ] -= a[4];
    }
    // To one that has had the line behind's.
    static LBM_INLINE void addFromBefore(V* m, const V* a)
    {
        m[R] += a[0];
        m[JX] += a[1];
        m[XX] += a[2];
        m[ZZ] += a[3];
        m[JZ] += a[4];
        m[JY] += a[0];
        m[YY] += a[0];
        m[XY] += a[1];
        m[YZ] += a[4];
    }
};

} // namespace lbm
