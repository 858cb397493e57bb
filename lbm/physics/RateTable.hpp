// RateTable: relaxation time as a function of one positive number, by a polynomial of third order in each of 32 intervals
// an octave. A power of the shear rate that has to be solved for takes tens of times longer, and arithmetic alone gives
// the same bits on every device. What the table holds is off by less than 1e-8 of itself where the function is smooth;
// below and above its octaves the first and the last value hold. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace lbm {

template<class S>
struct RateTable {
    using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;

    static constexpr int perOctave = 5;              // intervals: 2^5
    static constexpr int octaves = 48, lowest = -42; // from 2^lowest on
    static constexpr int intervals = octaves << perOctave, values = 4 * intervals;
    static constexpr int mantissa = sizeof(S) == 8 ? 52 : 23, bias = sizeof(S) == 8 ? 1023 : 127;
    static constexpr int below = mantissa - perOctave; // bits of a place within an interval

    // The smallest number of an interval; the next one's is its end.
    static S start(int interval) { return std::bit_cast<S>((Bits(interval) + firstInterval) << below); }

    // table: [interval][power of the place within].
    LBM_HD static S at(const S* table, S x)
    {
        const Bits bits = std::bit_cast<Bits>(x);
        const Bits number = bits >> below;
        if (number < firstInterval) return table[0];
        if (number >= firstInterval + intervals) return sum(table + values - 4, S(1));
        // The bits of the place as a number from 1 to 2
        const Bits place = (bits << perOctave & ((Bits(1) << mantissa) - 1)) | Bits(bias) << mantissa;
        return sum(table + 4 * (number - firstInterval), std::bit_cast<S>(place) - S(1));
    }

    // f(x) for x from start(0) to the end of the last interval: four values of each decide.
    template<class F>
    static void fill(S* table, F&& f)
    {
        double y3 = f(double(start(0)));
        for (int i = 0; i < intervals; ++i) {
            const double a = double(start(i)), h = double(start(i + 1)) - a;
            const double y0 = y3, y1 = f(a + h / 3), y2 = f(a + 2 * h / 3);
            y3 = f(a + h);
            table[4 * i] = S(y0);
            table[4 * i + 1] = S(-5.5 * y0 + 9 * y1 - 4.5 * y2 + y3);
            table[4 * i + 2] = S(9 * y0 - 22.5 * y1 + 18 * y2 - 4.5 * y3);
            table[4 * i + 3] = S(4.5 * (y3 - y0 + 3 * (y1 - y2)));
        }
    }

private:
    static constexpr Bits firstInterval = Bits(bias + lowest) << perOctave;

    LBM_HD static S sum(const S* c, S x) { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }
};

} // namespace lbm
