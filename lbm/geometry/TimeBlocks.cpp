// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/TimeBlocks.hpp"

#include <algorithm>
#include <cmath>

namespace lbm {

TimeBlocks::TimeBlocks(const TileGrid& grid, const Domain& domain, int reach)
{
    const Int3& extents = grid.extents();
    for (int i = 0; i < 2; ++i) {
        const int a = i + 1;
        lines_[i] = (domain.size[a] + extents[a] - 1) / extents[a];
        skew_[i] = domain.periodic[a] || lines_[i] == 1 ? 0 : (reach + extents[a] - 1) / extents[a];
    }
    first_.assign(std::size_t(lines_[0]) * lines_[1] + 1, 0);
    for (std::int32_t t = 0; t < grid.stepped(); ++t) {
        const Int3 o = grid.origin(t);
        ++first_[std::size_t(o[2] / extents[2]) * lines_[0] + o[1] / extents[1] + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

BlockWidths TimeBlocks::widthsOf(int lines) const
{
    BlockWidths widths;
    for (int a = 0; a < 2; ++a) widths[a] = whole(a) ? lines_[a] : std::min(lines, lines_[a]);
    return widths;
}

BlockWidths TimeBlocks::widthsFor(double tiles) const
{
    const double room = tiles * (lines_[0] * double(lines_[1])) / std::max(first_.back(), 1); // lines
    const auto beside = [&](int a, double most) { return int(std::min<double>(most - skew_[a], lines_[a])); };
    BlockWidths widths = widthsOf(0);
    if (!possible()) return {0, 0};
    if (!whole(0) && !whole(1)) {
        // What a short axis leaves over is the other one's
        const int shorter = lines_[1] < lines_[0];
        widths[shorter] = beside(shorter, std::sqrt(room));
        widths[1 - shorter] = beside(1 - shorter, room / (widths[shorter] + skew_[shorter]));
    } else {
        const int cut = whole(0);
        widths[cut] = beside(cut, room / lines_[1 - cut]);
    }
    for (int a = 0; a < 2; ++a)
        if (!whole(a) && widths[a] < std::min(thinnest * skew_[a], lines_[a])) return {0, 0};
    return widths;
}

BlockStep TimeBlocks::blockStep(const std::array<TileRange, 2>& lines, int step) const
{
    BlockStep s{step, {}, 0};
    const auto& [y, z] = lines;
    for (std::int32_t k = z.first; k < z.last && y.count() > 0; ++k) {
        const std::int32_t* const row = first_.data() + std::size_t(k) * lines_[0];
        const TileRange tiles{row[y.first], row[y.last]};
        if (tiles.count() == 0) continue;
        s.ranges.push_back(tiles);
        s.tiles += tiles.count();
    }
    return s;
}

std::vector<BlockStep> TimeBlocks::pass(int steps, const BlockWidths& widths) const
{
    const auto at = [&](int a, int block, int step) {
        const auto bound = [&](int b) {
            return std::int32_t(std::clamp(b * widths[a] - step * skew_[a], 0, lines_[a]));
        };
        return TileRange{bound(block), bound(block + 1)};
    };
    // Blocks above the last line come down to it
    const auto blocks = [&](int a) { return (lines_[a] + (steps - 1) * skew_[a] + widths[a] - 1) / widths[a]; };
    std::vector<BlockStep> order;
    for (int bz = 0; bz < blocks(1); ++bz)
        for (int by = 0; by < blocks(0); ++by)
            for (int step = 0; step < steps; ++step) {
                BlockStep s = blockStep({at(0, by, step), at(1, bz, step)}, step);
                if (s.tiles > 0) order.push_back(std::move(s));
            }
    return order;
}

} // namespace lbm
