// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/TileGrid.hpp"

#include "lbm/api/Solver.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace lbm {

Int3 tileExtents(const std::string& tile)
{
    Int3 e{0, 0, 0};
    int end = 0;
    const int found = std::sscanf(tile.c_str(), "%dx%dx%d%n", &e[0], &e[1], &e[2], &end);
    if (found != 3 || end != int(tile.size()) || e[0] < 1 || e[1] < 1 || e[2] < 1)
        throw std::invalid_argument("tile '" + tile + "': not of the form 8x4x4");
    return e;
}

std::vector<std::int32_t> tileNumbers(const Domain& domain, const std::string& tile,
                                      const std::vector<NodeIndex>& nodes)
{
    const TileGrid grid(domain, tileExtents(tile));
    std::vector<std::int32_t> numbers(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) numbers[i] = grid.place(domain.coordinates(nodes[i])).tile;
    return numbers;
}

TileGrid::TileGrid(const Domain& domain, const Int3& extents, TileOrder order) : extents_(extents)
{
    std::int64_t boxes = 1;
    for (int a = 0; a < 3; ++a) {
        count_[a] = (domain.size[a] + extents_[a] - 1) / extents_[a];
        wraps_[a] = domain.periodic[a] && domain.size[a] % extents_[a] == 0;
        boxes *= count_[a];
    }
    if (boxes > INT32_MAX) throw std::invalid_argument("tiles: the box holds more than 2^31 tiles");
    map_.assign(boxes, -1);
    number(domain, order);
    findNeighbours();
}

void TileGrid::number(const Domain& domain, TileOrder order)
{
    // What a tile holds, until it has a number
    constexpr std::int32_t ghosts = 1, own = 2;
    const bool hasGhosts = domain.hasGhosts();
    // Of a row of nodes the `n` that a tile has, from x on.
    const auto heldOf = [&](int x, int y, int z, int n) {
        const NodeIndex first = domain.index(x, y, z);
        std::int32_t held = 0;
        if (!hasGhosts) return domain.fluid.countIn(first, n) > 0 ? own : held;
        domain.fluid.forEachIn(first, n, [&](std::int64_t i) {
            held |= domain.isGhost({x + int(i), y, z}) ? ghosts : own;
        });
        return held;
    };
#pragma omp parallel for schedule(static)
    for (int layer = 0; layer < count_[2]; ++layer)
        for (int z = layer * extents_[2]; z < std::min((layer + 1) * extents_[2], domain.size[2]); ++z)
            for (int y = 0; y < domain.size[1]; ++y) {
                std::int32_t* row =
                    &map_[std::int64_t(count_[0]) * (y / extents_[1] + std::int64_t(count_[1]) * layer)];
                for (int x = 0; x < domain.size[0]; x += extents_[0]) {
                    const std::int32_t held = heldOf(x, y, z, std::min(extents_[0], domain.size[0] - x));
                    if (held > 0) row[x / extents_[0]] = std::max(row[x / extents_[0]], 0) | held;
                }
            }
    const auto boxes = std::int32_t(map_.size());
    std::vector<std::int32_t> rim, apart;
    for (std::int32_t b = 0; b < boxes; ++b) {
        const std::int32_t held = map_[b];
        const bool left = held == ghosts && order != TileOrder::layers;
        stepsGhosts_ = stepsGhosts_ || (held > 0 && (held & ghosts) && !left);
        if (left) apart.push_back(b);
        else if (held >= 0 && hasGhosts && (order != TileOrder::rimLast || isRim(domain, b))) rim.push_back(b);
        else if (held >= 0) positions_.push_back(b);
    }
    inner_ = tiles();
    positions_.insert(positions_.end(), rim.begin(), rim.end());
    stepped_ = tiles();
    positions_.insert(positions_.end(), apart.begin(), apart.end());
    for (std::int32_t t = 0; t < tiles(); ++t) map_[positions_[t]] = t;
}

bool TileGrid::isRim(const Domain& domain, std::int32_t box) const
{
    const Int3 first = originOf(box);
    for (int a = 0; a < 3; ++a) {
        if (domain.ghostsBelow[a] > 0 && first[a] < domain.ghostsBelow[a] + domain.reach) return true;
        if (domain.ghostsAbove[a] > 0 && first[a] + extents_[a] > domain.size[a] - domain.ghostsAbove[a] - domain.reach)
            return true;
    }
    return false;
}

bool TileGrid::isOfGhosts(const Domain& domain, std::int32_t tile) const
{
    const Int3 first = origin(tile);
    for (int a = 0; a < 3; ++a)
        if (first[a] + extents_[a] <= domain.ghostsBelow[a] || first[a] >= domain.size[a] - domain.ghostsAbove[a])
            return true;
    return false;
}

void TileGrid::findNeighbours()
{
    neighbours_.resize(positions_.size());
#pragma omp parallel for schedule(static)
    for (std::int32_t t = 0; t < tiles(); ++t) {
        const Int3 here = origin(t);
        for (int n = 0; n < 27; ++n) {
            const Int3 d = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
            Int3 target;
            bool outside = false;
            for (int a = 0; a < 3; ++a) {
                target[a] = here[a] / extents_[a] + d[a];
                if (wraps_[a]) target[a] = (target[a] + count_[a]) % count_[a];
                outside = outside || target[a] < 0 || target[a] >= count_[a];
            }
            const std::int32_t found = outside
                ? -1
                : map_[target[0] + std::int64_t(count_[0]) * (target[1] + std::int64_t(count_[1]) * target[2])];
            neighbours_[t][n] = found < 0 ? tiles() : found;
        }
    }
}

std::vector<std::int32_t> TileGrid::tilesBelow(int axis) const
{
    std::vector<std::int32_t> below(std::size_t(count_[axis]) + 1, 0);
    for (std::int32_t t = 0; t < tiles(); ++t) ++below[std::size_t(origin(t)[axis] / extents_[axis]) + 1];
    for (std::size_t z = 1; z < below.size(); ++z) below[z] += below[z - 1];
    return below;
}

Int3 TileGrid::origin(std::int32_t tile) const { return originOf(positions_[tile]); }

Int3 TileGrid::originOf(std::int32_t box) const
{
    return {box % count_[0] * extents_[0], box / count_[0] % count_[1] * extents_[1],
            box / count_[0] / count_[1] * extents_[2]};
}

TilePlace TileGrid::place(const Int3& node) const
{
    const Int3 t = {node[0] / extents_[0], node[1] / extents_[1], node[2] / extents_[2]};
    const Int3 l = {node[0] % extents_[0], node[1] % extents_[1], node[2] % extents_[2]};
    return {map_[t[0] + std::int64_t(count_[0]) * (t[1] + std::int64_t(count_[1]) * t[2])],
            l[0] + extents_[0] * (l[1] + extents_[1] * l[2])};
}

} // namespace lbm
