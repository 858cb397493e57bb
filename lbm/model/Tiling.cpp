// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/Tiling.hpp"

#include "lbm/geometry/TileGrid.hpp"

#include <algorithm>
#include <stdexcept>

namespace lbm::model {
namespace {

// f(local) for each fluid node of a tile.
template<class F>
void forFluid(const Domain& domain, const TileGrid& grid, std::int32_t tile, F&& f)
{
    const Int3 o = grid.origin(tile), e = grid.extents();
    for (int k = 0; k < e[2] && o[2] + k < domain.size[2]; ++k)
        for (int j = 0; j < e[1] && o[1] + j < domain.size[1]; ++j)
            for (int i = 0; i < e[0] && o[0] + i < domain.size[0]; ++i)
                if (domain.fluid[domain.index(o[0] + i, o[1] + j, o[2] + k)]) f(i + e[0] * (j + e[1] * k));
}

int fluidNodesOf(const Domain& domain, const TileGrid& grid, std::int32_t tile)
{
    int n = 0;
    forFluid(domain, grid, tile, [&](int) { ++n; });
    return n;
}

int code(const Int3& d) { return 13 + d[0] + 3 * d[1] + 9 * d[2]; }

// Layers beyond the box count as solid but where tiles wrap.
bool fluidAround(const Domain& domain, const TileGrid& grid, std::int32_t tile)
{
    const Int3 o = grid.origin(tile), e = grid.extents();
    const int above = domain.dimensions == 3 ? 1 : 0;
    for (int k = -above; k < e[2] + above; ++k)
        for (int j = -1; j <= e[1]; ++j)
            for (int i = -1; i <= e[0]; ++i) {
                Int3 x = {o[0] + i, o[1] + j, o[2] + k};
                for (int a = 0; a < 3; ++a) {
                    if (x[a] >= 0 && x[a] < domain.size[a]) continue;
                    if (!grid.wraps(a)) return false;
                    x[a] = (x[a] + domain.size[a]) % domain.size[a];
                }
                if (!domain.fluid[domain.index(x[0], x[1], x[2])]) return false;
            }
    return true;
}

bool amongFull(const TileGrid& grid, const std::vector<char>& full, std::int32_t tile, bool flat)
{
    const int layer = flat ? 9 : 0; // in two dimensions there is nothing above and below
    for (int n = layer; n < 27 - layer; ++n) {
        const std::int32_t other = grid.neighbours(tile)[n];
        if (other == grid.tiles() || !full[other]) return false;
    }
    return true;
}

// The ghost buffers of one direction: one for each axis that it crosses, of the size of that face. Every set of these
// axes leads to one neighbour.
class GhostBuffers {
public:
    GhostBuffers(const TileGrid& grid, const Int3& c, int dimensions) : grid_(grid), c_(c), dimensions_(dimensions)
    {
        for (int a = 0; a < 3; ++a)
            if (c[a] != 0) {
                axes_[count_++] = a;
                area_[a] = grid.nodesPerTile() / grid.extents()[a];
            }
    }

    bool any() const { return count_ > 0; }

    // Values of the buffers that the neighbours downstream read.
    double written(std::int32_t tile) const
    {
        bool used[3] = {false, false, false};
        // Neighbours across a face need that face's; those across edges and corners any of theirs.
        for (int size = 1; size <= count_; ++size)
            forSets(size, [&](int set) {
                if (!present(tile, set, 1)) return;
                bool served = false;
                for (int i = 0; i < count_; ++i) served = served || (set >> i & 1 && used[i]);
                for (int i = 0; !served && i < count_; ++i)
                    if (set >> i & 1) used[i] = served = true;
            });
        double sum = 0;
        for (int i = 0; i < count_; ++i) sum += used[i] ? area_[axes_[i]] : 0;
        return sum;
    }

    // Values read from the buffers of the neighbours upstream: whole buffers, but one value from a corner.
    double read(std::int32_t tile, bool all) const
    {
        double sum = 0;
        for (int size = 1; size <= count_; ++size)
            forSets(size, [&](int set) {
                if (all || present(tile, set, -1)) sum += size == dimensions_ ? 1 : firstArea(set);
            });
        return sum;
    }

    double most() const
    {
        double sum = 0;
        for (int i = 0; i < count_; ++i) sum += area_[axes_[i]];
        return sum;
    }

private:
    template<class F>
    void forSets(int size, F&& f) const
    {
        for (int set = 1; set < 1 << count_; ++set)
            if (__builtin_popcount(unsigned(set)) == size) f(set);
    }

    bool present(std::int32_t tile, int set, int sign) const
    {
        Int3 d{0, 0, 0};
        for (int i = 0; i < count_; ++i)
            if (set >> i & 1) d[axes_[i]] = sign * c_[axes_[i]];
        return grid_.neighbours(tile)[code(d)] != grid_.tiles();
    }

    double firstArea(int set) const { return area_[axes_[__builtin_ctz(unsigned(set))]]; }

    const TileGrid& grid_;
    Int3 c_;
    int dimensions_, axes_[3] = {}, count_ = 0;
    double area_[3] = {};
};

void measureGhostBuffers(const TileGrid& grid, const std::vector<Int3>& directions, int dimensions, Tiling& result)
{
    double written = 0, moved = 0, most = 0, mostMoved = 0;
    for (const Int3& c : directions) {
        const GhostBuffers buffers(grid, c, dimensions);
        if (!buffers.any()) continue;
        for (std::int32_t t = 0; t < grid.tiles(); ++t) {
            const double w = buffers.written(t);
            written += w;
            moved += w + buffers.read(t, false);
            most += buffers.most();
            mostMoved += buffers.most() + buffers.read(t, true);
        }
    }
    result.alphaM = written / most;
    result.alphaB = moved / mostMoved;
}

void checkExtents(const Int3& extents)
{
    for (const int e : extents)
        if (e < 1) throw std::invalid_argument("model: the extents of a tile are at least 1");
}

} // namespace

Tiling measureTiling(const Domain& domain, const Int3& extents, const std::vector<Int3>& directions)
{
    checkExtents(extents);
    if (domain.fluidNodes() == 0) throw std::invalid_argument("model: the domain has no fluid node");
    const TileGrid grid(domain, extents);
    Tiling result;
    result.extents = extents;
    result.nodes = domain.nodes();
    result.fluidNodes = domain.fluidNodes();
    result.tiles = grid.tiles();
    result.allTiles = 1;
    for (int a = 0; a < 3; ++a) result.allTiles *= (domain.size[a] + extents[a] - 1) / extents[a];

    std::vector<char> full(grid.tiles()), linked(grid.tiles(), 0);
    for (std::int32_t t = 0; t < grid.tiles(); ++t) full[t] = fluidNodesOf(domain, grid, t) == grid.nodesPerTile();
    for (const Link& link : domain.links) linked[grid.place(domain.coordinates(link.node)).tile] = 1;
    for (std::int32_t t = 0; t < grid.tiles(); ++t) {
        if (!full[t]) continue;
        result.plainTiles += !linked[t] && fluidAround(domain, grid, t);
        result.innerTiles += amongFull(grid, full, t, domain.dimensions == 2);
    }
    measureGhostBuffers(grid, directions, domain.dimensions, result);
    return result;
}

std::int64_t nodesInGroups(const Domain& domain, const Int3& extents, int group)
{
    checkExtents(extents);
    const TileGrid grid(domain, extents);
    std::int64_t groups = 0;
    for (std::int32_t t = 0; t < grid.tiles(); ++t) {
        int last = -1;
        forFluid(domain, grid, t, [&](int local) {
            groups += local / group != last;
            last = local / group;
        });
    }
    return groups * group;
}

std::int64_t nodesPacked(const Domain& domain, const Int3& extents, int group)
{
    checkExtents(extents);
    const TileGrid grid(domain, extents);
    std::int64_t nodes = 0;
    for (std::int32_t t = 0; t < grid.tiles(); ++t)
        nodes += (fluidNodesOf(domain, grid, t) + group - 1) / group * group;
    return nodes;
}

} // namespace lbm::model
