// BlockRows: arithmetic of a row of nodes along x in blocks of several steps (BlockSweep.hpp), D3Q19 and D2Q9.
//
// Lanes of a register hold nodes that are a part of the row apart, so that the node beside is the same lane of the register beside; ends
// of parts are turned round. A row's moments become populations, which are summed at once by where they go: along x, then to the
// rows below, here and above (z), then to the lines of rows before, here and behind (y). Sums wait in the place of moments that
// have been used; the 5 that go on along y wait apart. All of it is linear, so that what is missing at the end of a block may be added later.
// D2Q9 has nothing along y: its second axis is z here (alongSweep).
//
// Before a collision a node has r, j and the second moments P_ab = sum c_a c_b g; after it pi_ab, less r/3 (MomentSet).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Unroll.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/storage/moments/cpu/BlockCounts.hpp"
#include "lbm/storage/rows/Runs.hpp"

#include <array>
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

    static BlockRates collides(const Parameters<T>& p, int dimensions)
    {
        const auto f = alongSweep(std::array{T(p.force[0]), T(p.force[1]), T(p.force[2])}, dimensions);
        return {p.omega, 1, T(1) / 3, {f[0], f[1], f[2]}, p.forced};
    }
    static BlockRates streams() { return {0, 0, 0, {0, 0, 0}, false, true}; }
};

template<class L, class T>
struct BlockRows {
    static_assert((L::D == 2 && L::Q == 9) || (L::D == 3 && L::Q == 19));
    static constexpr bool planar = L::D == 2;
    static constexpr BlockCounts counts = BlockCounts::of(L::D);
    static constexpr int count = counts.count, passing = counts.passing, summed = counts.summed,
                         carried = counts.carried, ends = counts.ends;
    static constexpr int lanes = 64 / int(sizeof(T));
    using V [[gnu::vector_size(64)]] = T;
    using Lane [[gnu::vector_size(64)]] = std::conditional_t<sizeof(T) == 8, long long, int>;
    // Places of moments
    static constexpr int none = -1, R = 0, JX = 1, JY = planar ? none : 2, JZ = planar ? 2 : 3, XX = planar ? 3 : 4,
                         YY = planar ? none : 5, ZZ = planar ? 4 : 6, XY = planar ? none : 7, XZ = planar ? 5 : 8,
                         YZ = planar ? none : 9;

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
    // across: (+, +), (+, -), (-, +), (-, -). In two dimensions 0 (0), 1 (+), 2 (-) along z; an array has one element at least.
    static constexpr int groups = planar ? 3 : 5, up = groups - 2, down = groups - 1, diagonals = planar ? 0 : 4,
                         acrossRoom = planar ? 1 : 4;
    struct Populations {
        V forwards[groups], still[groups], backwards[groups], across[acrossRoom];
    };

    // visit(population, x, y, z) of each but the one at rest.
    template<class All, class Visit>
    static LBM_INLINE void eachLink(All& f, Visit&& visit)
    {
        constexpr int ofLine[] = {0, 1, -1, 0, 0, 1, 1, -1, -1}, ofRow[] = {0, 0, 0, 1, -1, 1, -1, 1, -1};
        unroll<groups + diagonals>([&](auto g) __attribute__((always_inline)) {
            using Y = Constant<planar ? 0 : ofLine[g]>;
            using Z = Constant<planar ? ofRow[g + (g > 0 ? 2 : 0)] : ofRow[g]>;
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
        scaled(JZ, -z);
        scaled(XX, x * x);
        scaled(ZZ, z * z);
        scaled(XZ, x * z);
        if constexpr (!planar) {
            scaled(JY, -y);
            scaled(YY, y * y);
            scaled(XY, x * y);
            scaled(YZ, y * z);
        }
    }

    // Momentum and second moments less r/3 after the collision.
    struct Stress {
        V x, y, z, xx, yy, zz, xy, xz, yz; // of y nothing in two dimensions
    };
    static LBM_INLINE Stress relaxed(const V* m, const BlockRates<T>& rates)
    {
        const V keep = all(1 - rates.rate), c = m[R] * all(rates.third), x = m[JX], z = m[JZ];
        const V ox = all(rates.rate) * x;
        Stress a;
        a.x = x;
        a.z = z;
        a.xx = keep * (m[XX] - c - x * x);
        a.zz = keep * (m[ZZ] - c - z * z);
        a.xz = keep * m[XZ] + ox * z;
        if constexpr (!planar) {
            const V y = m[JY], oy = all(rates.rate) * y;
            a.y = y;
            a.yy = keep * (m[YY] - c - y * y);
            a.xy = keep * m[XY] + ox * y;
            a.yz = keep * m[YZ] + oy * z;
        }
        if (rates.forced) push(a, rates);
        const V surplus = all(rates.trace / L::D) * trace(a);
        a.xx += a.x * a.x - surplus;
        if constexpr (!planar) a.yy += a.y * a.y - surplus;
        a.zz += a.z * a.z - surplus;
        return a;
    }

    static LBM_INLINE V trace(const Stress& a)
    {
        if constexpr (planar) return a.xx + a.zz;
        else return a.xx + a.yy + a.zz;
    }

    // As MomentRelaxation::relaxBeyond: j* = j + F, and -omega/4 F F of what is beyond j* j*.
    static LBM_INLINE void push(Stress& a, const BlockRates<T>& rates)
    {
        const V fx = all(rates.force[0]), fz = all(rates.force[2]);
        const V pull = all(rates.rate / 4), more = all(1 - rates.rate / 4);
        a.xx -= pull * fx * fx;
        a.zz -= pull * fz * fz;
        a.xz += a.x * fz + fx * a.z + more * fx * fz;
        if constexpr (!planar) {
            const V fy = all(rates.force[1]);
            a.yy -= pull * fy * fy;
            a.xy += a.x * fy + fx * a.y + more * fx * fy;
            a.yz += a.y * fz + fy * a.z + more * fy * fz;
            a.y += fy;
        }
        a.x += fx;
        a.z += fz;
    }

    static void relax(V* m, const BlockRates<T>& rates)
    {
        const Stress a = relaxed(m, rates);
        m[JX] = a.x;
        m[JZ] = a.z;
        m[XX] = a.xx;
        m[ZZ] = a.zz;
        m[XZ] = a.xz;
        if constexpr (!planar) {
            m[JY] = a.y;
            m[YY] = a.yy;
            m[XY] = a.xy;
            m[YZ] = a.yz;
        }
    }

    // of links along two axes: (+, +), (-, -), (+, -), (-, +).
    static LBM_INLINE void four(V even, V shear, V sum, V difference, V& pp, V& mm, V& pm, V& mp)
    {
        const V same = even + shear, other = even - shear;
        pp = same + sum;
        mm = same - sum;
        pm = other + difference;
        mp = other - difference;
    }

    // See momentPairs (MomentSet.hpp).
    static LBM_INLINE Populations collided(const V* m, const BlockRates<T>& rates)
    {
        const Stress a = relaxed(m, rates);
        const V b = m[R] - all(T(1.5)) * trace(a);
        if constexpr (planar) return ofPlane(a, b);
        else return ofSpace(a, b);
    }

    static LBM_INLINE Populations ofPlane(const Stress& a, V b)
    {
        const V half = all(T(0.5)), third = all(T(1) / 3), b1 = all(T(1) / 9) * b, b2 = all(T(1) / 36) * b;
        const V twelfth = all(T(1) / 12), tx = twelfth * a.x, tz = twelfth * a.z;
        const V ex = half * a.xx + b1, ez = half * a.zz + b1;
        Populations f;
        f.still[0] = all(T(4) / 9) * b;
        f.forwards[0] = ex + third * a.x;
        f.backwards[0] = ex - third * a.x;
        f.still[up] = ez + third * a.z;
        f.still[down] = ez - third * a.z;
        four(all(T(0.125)) * (a.xx + a.zz) + b2, all(T(0.25)) * a.xz, tx + tz, tx - tz, f.forwards[up],
             f.backwards[down], f.forwards[down], f.backwards[up]);
        return f;
    }

    static LBM_INLINE Populations ofSpace(const Stress& a, V b)
    {
        const V third = all(T(1) / 3), quarter = all(T(0.25)), x = a.x, y = a.y, z = a.z;
        const V axx = a.xx, ayy = a.yy, azz = a.zz, axy = quarter * a.xy, axz = quarter * a.xz, ayz = quarter * a.yz;
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
        if constexpr (planar) completeAlone(of, a, here);
        else completeBetween(of, a, line, here, before, later);
    }

    static LBM_INLINE void completeAlone(const V* of, const FromAbove& a, V* here)
    {
        here[R] = of[0] + a.sum;
        here[JX] = of[1] + a.x;
        here[XX] = of[2] + a.xx;
        here[JZ] = of[3] - a.sum;
        here[ZZ] = of[3] + a.sum;
        here[XZ] = of[4] - a.x;
    }

    static LBM_INLINE void completeBetween(const V* of, const FromAbove& a, V* line, V* here, V* before, V* later)
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
