// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/TileOffsets.hpp"

#include <algorithm>
#include <limits>

namespace lbm {

namespace {

// One byte a cell of a box: whether it holds fluid.
struct Occupied {
    Int3 size;
    std::vector<char> cell;

    std::size_t index(int x, int y, int z) const { return x + std::size_t(size[0]) * (y + std::size_t(size[1]) * z); }
};

// The box of all fluid nodes.
Occupied fluidOf(const Domain& domain)
{
    Int3 low = domain.size, high{-1, -1, -1};
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        if (!domain.fluid[node]) continue;
        const Int3 at = domain.coordinates(node);
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], at[a]);
            high[a] = std::max(high[a], at[a]);
        }
    }
    Occupied result{{high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1}, {}};
    result.cell.resize(std::size_t(result.size[0]) * result.size[1] * result.size[2]);
    std::size_t i = 0;
    for (int z = low[2]; z <= high[2]; ++z)
        for (int y = low[1]; y <= high[1]; ++y)
            for (int x = low[0]; x <= high[0]; ++x) result.cell[i++] = domain.fluid[domain.index(x, y, z)];
    return result;
}

// Cells joined by `extent` along an axis, the first group `offset` short.
Occupied joined(const Occupied& from, int axis, int extent, int offset)
{
    Occupied to{from.size, {}};
    to.size[axis] = (from.size[axis] + offset + extent - 1) / extent;
    to.cell.assign(std::size_t(to.size[0]) * to.size[1] * to.size[2], 0);
    std::size_t i = 0;
    Int3 c;
    for (c[2] = 0; c[2] < from.size[2]; ++c[2]) {
        for (c[1] = 0; c[1] < from.size[1]; ++c[1]) {
            for (c[0] = 0; c[0] < from.size[0]; ++c[0], ++i) {
                if (!from.cell[i]) continue;
                Int3 t = c;
                t[axis] = (c[axis] + offset) / extent;
                to.cell[to.index(t[0], t[1], t[2])] = 1;
            }
        }
    }
    return to;
}

} // namespace

TileChoice bestTileOffset(const Domain& domain, const Int3& extents)
{
    TileChoice best{extents};
    best.tiles = std::numeric_limits<std::int64_t>::max();
    const Occupied nodes = fluidOf(domain);
    Int3 offset;
    for (offset[0] = 0; offset[0] < extents[0]; ++offset[0]) {
        const Occupied x = joined(nodes, 0, extents[0], offset[0]);
        for (offset[1] = 0; offset[1] < extents[1]; ++offset[1]) {
            const Occupied xy = joined(x, 1, extents[1], offset[1]);
            for (offset[2] = 0; offset[2] < extents[2]; ++offset[2]) {
                const Occupied tiles = joined(xy, 2, extents[2], offset[2]);
                const std::int64_t n = std::count(tiles.cell.begin(), tiles.cell.end(), 1);
                if (offset == Int3{0, 0, 0}) best.tilesWithoutOffset = n;
                if (n >= best.tiles) continue;
                best.tiles = n;
                best.offset = offset;
            }
        }
    }
    const double tileNodes = double(extents[0]) * extents[1] * extents[2];
    best.porosity = double(domain.fluidNodes()) / (double(best.tiles) * tileNodes);
    best.porosityWithoutOffset = double(domain.fluidNodes()) / (double(best.tilesWithoutOffset) * tileNodes);
    return best;
}

} // namespace lbm
