// The arithmetic of passes over a box (see BoxPass): D3Q19, regularized, incompressible. Each rounding is told, and none is
// left to the compiler, so that one step at a time and two give the same bits.
// Second moments are about the deviation from the weights, as in MomentSet; of those stored the trace is that of j j.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Rounded.hpp"
#include "lbm/lattice/Unroll.hpp"

namespace lbm {

// a b + c, rounded once.
template<class R>
__device__ LBM_INLINE Rounded<R> joined(Rounded<R> a, Rounded<R> b, Rounded<R> c)
{
    if constexpr (sizeof(R) == 8) return {__fma_rn(a.value, b.value, c.value)};
    else return {__fmaf_rn(a.value, b.value, c.value)};
}
template<class R>
__device__ LBM_INLINE Rounded<R> joined(double a, Rounded<R> b, Rounded<R> c)
{
    return joined(Rounded<R>{R(a)}, b, c);
}

// The sixteen links that move within a layer, which is across z.
struct BoxLinks {
    static constexpr int count = 16;
    static constexpr int x[count] = {1, -1, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    static constexpr int y[count] = {0, 0, 1, -1, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    static constexpr int z[count] = {0, 0, 0, 0, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
};

// As they are stored: r; j; pi as xx, xy, xz, yy, yz.
template<class R>
struct BoxMoments {
    static constexpr int count = 9;
    Rounded<R> value[count];
};

// What a node keeps of the populations that stay in its column: those at rest, up and down.
template<class R>
struct BoxColumn {
    Rounded<R> rest, up, down;
};

// put(Constant<link>, population) of all BoxLinks.
template<class R, class Put>
__device__ LBM_INLINE BoxColumn<R> sendFrom(const BoxMoments<R>& m, Put&& put)
{
    using V = Rounded<R>;
    const V jx = m.value[1], jy = m.value[2], jz = m.value[3];
    const V square = joined(jx, jx, joined(jy, jy, jz * jz));
    const V base = joined(-1.0 / 24, square, (1.0 / 36) * m.value[0]); // 1/36 of r - 3/2 tr pi
    const V xx = 0.125 * m.value[4], yy = 0.125 * m.value[7], zz = 0.125 * square - (xx + yy);
    const V ax = (1.0 / 12) * jx, ay = (1.0 / 12) * jy, az = (1.0 / 12) * jz;
    const V alongX = base + xx, alongY = base + yy, alongZ = base + zz;
    const auto pair = [&](auto link, V even, V odd) __attribute__((always_inline))
    {
        constexpr int first = decltype(link)::value;
        put(Constant<first>{}, even + odd);
        put(Constant<first + 1>{}, even - odd);
    };
    const auto diagonals = [&](auto link, V even, V mixed, V a, V b) __attribute__((always_inline))
    {
        constexpr int first = decltype(link)::value;
        pair(Constant<first>{}, joined(0.25, mixed, even), a + b);
        pair(Constant<first + 2>{}, joined(-0.25, mixed, even), a - b);
    };
    pair(Constant<0>{}, 2.0 * alongX, 2.0 * ax);
    pair(Constant<2>{}, 2.0 * alongY, 2.0 * ay);
    diagonals(Constant<4>{}, alongX + yy, m.value[5], ax, ay);
    diagonals(Constant<8>{}, alongX + zz, m.value[6], ax, az);
    diagonals(Constant<12>{}, alongY + zz, m.value[8], ay, az);
    return {12.0 * base, joined(2.0, az, 2.0 * alongZ), joined(-2.0, az, 2.0 * alongZ)};
}

// Unfinished sums of a column: of its node in the layer below, of which what comes down is missing; and what goes up to the
// next layer. (upN, upX, upY: what came up to the node.)
template<class R>
struct BoxSums {
    Rounded<R> n{}, x{}, y{}, xx{}, xy{}, yy{}, upN{}, upX{}, upY{};
};
template<class R>
struct BoxAbove {
    Rounded<R> n{}, x{}, y{}, xx{}, yy{};
};

// get(Constant<link>): what arrives over it from the layer at hand, `column` what stays. Returns the node of the layer below
// after its collision.
template<class R, class Get>
__device__ LBM_INLINE BoxMoments<R> gatherAt(BoxSums<R>& sums, BoxAbove<R>& above, const BoxColumn<R>& column,
                                             Rounded<R> omega, Rounded<R> keep, Get&& get)
{
    using V = Rounded<R>;
    BoxMoments<R> m;
    {
        const V fromX = get(Constant<10>{}), toX = get(Constant<9>{}), fromY = get(Constant<14>{}),
                toY = get(Constant<13>{});
        const V evenX = fromX + toX, evenY = fromY + toY, n = column.down + (evenX + evenY);
        const V oddX = fromX - toX, oddY = fromY - toY;
        const V r = sums.n + n, x = sums.x + oddX, y = sums.y + oddY, z = sums.upN - n;
        const V xx = sums.xx + evenX, yy = sums.yy + evenY, zz = sums.upN + n;
        const V square = joined(x, x, joined(y, y, z * z)), trace = (xx + yy) + (zz - r);
        const V sound = ((1.0 / 3) * keep) * (square - trace), third = (1.0 / 3) * r;
        const V ox = omega * x, oy = omega * y;
        m.value[0] = r;
        m.value[1] = x;
        m.value[2] = y;
        m.value[3] = z;
        m.value[4] = joined(keep, xx - third, joined(ox, x, sound));
        m.value[5] = joined(keep, sums.xy, ox * y);
        m.value[6] = joined(keep, sums.upX - oddX, ox * z);
        m.value[7] = joined(keep, yy - third, joined(oy, y, sound));
        m.value[8] = joined(keep, sums.upY - oddY, oy * z);
    }
    {
        const V a = get(Constant<0>{}), b = get(Constant<1>{}), c = get(Constant<2>{}), d = get(Constant<3>{});
        const V e = get(Constant<4>{}), f = get(Constant<5>{}), g = get(Constant<6>{}), h = get(Constant<7>{});
        const V x = a + b, y = c + d, rising = e + f, falling = g + h, both = rising + falling;
        const V oddRising = e - f, oddFalling = g - h;
        sums = {above.n + (column.rest + ((x + y) + both)),
                above.x + ((a - b) + (oddRising + oddFalling)),
                above.y + ((c - d) + (oddRising - oddFalling)),
                above.xx + (x + both),
                rising - falling,
                above.yy + (y + both),
                above.n,
                above.x,
                above.y};
    }
    {
        const V fromX = get(Constant<8>{}), toX = get(Constant<11>{}), fromY = get(Constant<12>{}),
                toY = get(Constant<15>{});
        const V evenX = fromX + toX, evenY = fromY + toY;
        above = {column.up + (evenX + evenY), fromX - toX, fromY - toY, evenX, evenY};
    }
    return m;
}

} // namespace lbm
