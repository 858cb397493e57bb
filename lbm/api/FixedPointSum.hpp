// FixedPointSum: of many values of the order of 1, the same to the last bit in whatever order they come and however many parts, ranks,
// devices and threads share them: sums of integers have no rounding that an order could change. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>

namespace lbm {

// FixedPointSum sum{}: 0. Without braces it is what memory holds, as what threads of a device share has to be. constexpr: for devices, too.
class FixedPointSum {
public:
    static constexpr double largest = 64; // what is larger, or smaller than its negative, counts as much

    // x: finite; as a multiple of 2^-53, which all differences of 1 and a double of at least 1/2 are. Of fewer than 2^33 values.
    constexpr void add(double x)
    {
        x = x > largest ? largest : x < -largest ? -largest : x;
        const std::int64_t coarse = std::int64_t(x * 0x1p24);
        coarse_ += coarse;
        fine_ += std::int64_t((x - double(coarse) * 0x1p-24) * 0x1p53); // the difference has no rounding
    }

    constexpr void add(const FixedPointSum& more)
    {
        coarse_ += more.coarse_;
        fine_ += more.fine_;
    }

    constexpr operator double() const { return double(coarse_) * 0x1p-24 + double(fine_) * 0x1p-53; }

private:
    std::int64_t coarse_, fine_; // in units of 2^-24 and 2^-53
};

} // namespace lbm
