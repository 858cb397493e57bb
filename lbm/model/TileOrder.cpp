// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/TileOrder.hpp"

#include "lbm/geometry/TileGrid.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

namespace lbm::model {
namespace {

// The bits of the coordinates in turns.
std::uint64_t mortonCode(const Int3& x)
{
    constexpr int bits = 21;
    std::uint64_t code = 0;
    for (int i = 0; i < bits; ++i)
        for (int a = 0; a < 3; ++a) code |= (std::uint64_t(x[a]) >> i & 1) << (3 * i + a);
    return code;
}

// Number of each tile along the curve.
std::vector<std::int32_t> alongCurve(const TileGrid& grid)
{
    std::vector<std::uint64_t> code(grid.tiles());
    for (std::int32_t t = 0; t < grid.tiles(); ++t) {
        const Int3 o = grid.origin(t), e = grid.extents();
        code[t] = mortonCode({o[0] / e[0], o[1] / e[1], o[2] / e[2]});
    }
    std::vector<std::int32_t> order(grid.tiles()), number(grid.tiles());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return code[a] < code[b]; });
    for (std::int32_t i = 0; i < grid.tiles(); ++i) number[order[i]] = i;
    return number;
}

double shareWithin(const TileGrid& grid, const std::vector<std::int32_t>& number, std::int64_t window)
{
    std::int64_t pairs = 0, near = 0;
    for (std::int32_t t = 0; t < grid.tiles(); ++t)
        for (const int upwards : {14, 16, 22}) {
            const std::int32_t other = grid.neighbours(t)[upwards];
            if (other == grid.tiles()) continue;
            ++pairs;
            near += std::llabs(std::int64_t(number[t]) - number[other]) <= window;
        }
    return pairs ? double(near) / double(pairs) : 1;
}

} // namespace

TileOrder compareOrders(const Domain& domain, const Int3& extents, std::int64_t window)
{
    for (const int e : extents)
        if (e < 1) throw std::invalid_argument("model: the extents of a tile are at least 1");
    const TileGrid grid(domain, extents);
    std::vector<std::int32_t> rows(grid.tiles());
    std::iota(rows.begin(), rows.end(), 0);
    return {extents, window, shareWithin(grid, rows, window), shareWithin(grid, alongCurve(grid), window)};
}

} // namespace lbm::model
