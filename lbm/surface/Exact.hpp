// Exact: places and triangles on the integers. Coordinates count 2^-bits of the node spacing from node (0,0,0), so that every sign
// below is exact: they stay under 2^40, products of three of them under 2^126. For a processor and for a GPU, with the same
// results. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"
#include "lbm/lattice/Macros.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace lbm::exact {

using Coordinate = std::int64_t;
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 WideSize;
using Point = std::array<Coordinate, 3>;
using WidePoint = std::array<Wide, 3>;

LBM_HD inline int sign(Wide value) { return (value > 0) - (value < 0); }
LBM_HD inline Wide magnitude(Wide value) { return value < 0 ? -value : value; }

LBM_HD inline Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

LBM_HD inline WidePoint cross(const Point& a, const Point& b)
{
    return {Wide(a[1]) * b[2] - Wide(a[2]) * b[1], Wide(a[2]) * b[0] - Wide(a[0]) * b[2],
            Wide(a[0]) * b[1] - Wide(a[1]) * b[0]};
}

LBM_HD inline Wide dot(const WidePoint& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

LBM_HD inline int leadingZeros(std::uint64_t value) // of one that is not 0
{
#ifdef __CUDA_ARCH__
    return __clzll(static_cast<long long>(value));
#else
    return __builtin_clzll(value);
#endif
}

// The nearest double, the even one of two: by hand, for nobody says how a GPU's compiler rounds 128 bits.
LBM_HD inline double toDouble(Wide value)
{
    const WideSize size = value < 0 ? -WideSize(value) : WideSize(value);
    const auto high = std::uint64_t(size >> 64);
    double result;
    if (high == 0) {
        result = double(std::uint64_t(size));
    } else {
        // What 64 bits do not hold makes a tie no tie
        const int lost = 64 - leadingZeros(high);
        const bool rest = (size & ((WideSize(1) << lost) - 1)) != 0;
        result = double(std::uint64_t(size >> lost) | std::uint64_t(rest)) * double(std::uint64_t(1) << (lost - 1)) * 2;
    }
    return value < 0 ? -result : result;
}

struct Triangle {
    std::array<Point, 3> corner;
    WidePoint normal; // twice the area

    LBM_HD bool degenerate() const { return normal[0] == 0 && normal[1] == 0 && normal[2] == 0; }
    // Positive on the side that the normal points to.
    LBM_HD Wide height(const Point& p) const { return dot(normal, minus(p, corner[0])); }
    Coordinate min(int axis) const { return std::min({corner[0][axis], corner[1][axis], corner[2][axis]}); }
    Coordinate max(int axis) const { return std::max({corner[0][axis], corner[1][axis], corner[2][axis]}); }
};

LBM_HD inline Triangle triangleOf(const std::array<Point, 3>& corner)
{
    return {corner, cross(minus(corner[1], corner[0]), minus(corner[2], corner[0]))};
}

} // namespace lbm::exact
