// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/DomainCounts.hpp"

#include "lbm/api/Storage.hpp"
#include "lbm/geometry/TileGrid.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::model {
namespace {

// Tiles with a fluid node.
std::int64_t countTiles(const Domain& domain, const Int3& extents, const Int3& n)
{
    const auto anyFluid = [&](const Int3& tile) {
        Int3 end;
        for (int a = 0; a < 3; ++a) end[a] = std::min((tile[a] + 1) * extents[a], domain.size[a]);
        for (int z = tile[2] * extents[2]; z < end[2]; ++z)
            for (int y = tile[1] * extents[1]; y < end[1]; ++y)
                for (int x = tile[0] * extents[0]; x < end[0]; ++x)
                    if (domain.fluid[domain.index(x, y, z)]) return true;
        return false;
    };
    std::int64_t kept = 0;
#pragma omp parallel for schedule(dynamic) collapse(2) reduction(+ : kept)
    for (int z = 0; z < n[2]; ++z)
        for (int y = 0; y < n[1]; ++y)
            for (int x = 0; x < n[0]; ++x) kept += anyFluid({x, y, z});
    return kept;
}

// Of the last nodes along an axis.
double fluidAtEnd(const Domain& domain, int axis)
{
    Int3 first{0, 0, 0};
    first[axis] = domain.size[axis] - 1;
    double fluid = 0, all = 0;
    for (int z = first[2]; z < domain.size[2]; ++z)
        for (int y = first[1]; y < domain.size[1]; ++y)
            for (int x = first[0]; x < domain.size[0]; ++x, ++all) fluid += domain.fluid[domain.index(x, y, z)];
    return fluid / all;
}

int tilesAlong(int nodes, int extent) { return (nodes + extent - 1) / extent; }

// Populations that leave a tile across x, which some storages of moments keep besides, and velocities: both ways on a GPU.
double faceValues(const KernelRow& row, const Config& config, const Int3& tile)
{
    const bool flat = latticeDimensions(row.lattice) == 2;
    if (storageOf(row).stored != Stored::moments || (!isOnHost(row) && (flat || !storageOf(row).keepsFaces))) return 0;
    double across = 0;
    for (const Int3& c : latticeDirections(row.lattice)) across += c[0] == 1;
    if (isOnHost(row) ? foundAround(config).any() : keepsFaceVelocities(row)) across += latticeDimensions(row.lattice);
    return across * tile[1] * tile[2] * (isOnHost(row) ? 1 : 2);
}

// That a node may be told for itself; what follows from velocities around it, too, where the step does not find it.
int toldValues(const KernelRow& row, const Config& config)
{
    FoundAround found = foundAround(config);
    if (storageOf(row).stored == Stored::moments) found = {false, false};
    const int D = latticeDimensions(config.lattice);
    return (findClosure(config.closure)->byNode || found.tau ? 1 : 0) + (config.nodeForces ? D : 0)
        + (found.strain ? D * (D + 1) / 2 : 0);
}

// What each link takes in tables of boundaries, about: curved ones; openings and moving walls with their nodes.
constexpr double curvedLinkBytes = 64, boundaryLinkBytes = 160;

double linkBytes(const DomainCounts& counts, const Config& config)
{
    double bytes = 4.0 * counts.links(); // each one's number in its patch, while tables are made
    for (std::size_t p = 0; p < counts.patchLinks.size(); ++p) {
        const BoundaryKind kind = config.patches[p].kind;
        if (kind == BoundaryKind::wall) continue;
        bytes += counts.patchLinks[p] * (kind == BoundaryKind::interpolatedWall ? curvedLinkBytes : boundaryLinkBytes);
    }
    return bytes;
}

} // namespace

double DomainCounts::links() const
{
    double all = 0;
    for (const double n : patchLinks) all += n;
    return all;
}

DomainCounts DomainCounts::refined(double times) const
{
    const double area = std::pow(times, dimensions - 1), volume = area * times;
    const double inTile = double(tile[0]) * tile[1] * tile[2];
    DomainCounts result = *this;
    result.box = box * volume;
    result.fluid = fluid * volume;
    result.tiles = (result.fluid + (tiles * inTile - fluid) * area) / inTile;
    result.boxTiles = (result.box + (boxTiles * inTile - box) * area) / inTile;
    for (double& n : result.patchLinks) n *= area;
    return result;
}

double DomainCounts::beyondBox(const Int3& ofSize) const
{
    Vec3 inTiles{1, 1, 1};
    for (int a = 0; a < 3; ++a) inTiles[a] = double(tilesAlong(ofSize[a], tile[a])) * tile[a];
    const double x = ofSize[0], y = ofSize[1];
    return lastLayer[2] * x * y * (inTiles[2] - ofSize[2]) + lastLayer[1] * x * (inTiles[1] - y) * inTiles[2]
        + lastLayer[0] * (inTiles[0] - x) * inTiles[1] * inTiles[2];
}

DomainCounts DomainCounts::refined(double times, const Int3& finerSize, double finerFluid) const
{
    DomainCounts result = refined(times);
    result.size = finerSize;
    result.box = result.boxTiles = 1;
    for (int a = 0; a < 3; ++a) {
        result.box *= finerSize[a];
        result.boxTiles *= tilesAlong(finerSize[a], tile[a]);
    }
    if (finerFluid > 0) result.fluid = finerFluid;
    const double inTile = double(tile[0]) * tile[1] * tile[2];
    const double atWalls = std::max(tiles * inTile - fluid - beyondBox(size), 0.0);
    const double all = result.fluid + atWalls * std::pow(times, dimensions - 1) + beyondBox(finerSize);
    result.tiles = std::min(all / inTile, result.boxTiles);
    return result;
}

DomainCounts countDomain(const Domain& domain, const KernelRow& row)
{
    const Int3 tile = tileExtents(row.tile);
    Int3 n;
    for (int a = 0; a < 3; ++a) n[a] = tilesAlong(domain.size[a], tile[a]);
    DomainCounts counts;
    counts.dimensions = domain.dimensions;
    counts.tile = tile;
    counts.size = domain.size;
    for (int a = 0; a < 3; ++a) counts.lastLayer[a] = fluidAtEnd(domain, a);
    counts.box = double(domain.nodes());
    counts.fluid = double(domain.fluidNodes());
    counts.boxTiles = double(n[0]) * n[1] * n[2];
    counts.tiles = double(countTiles(domain, tile, n));
    for (const std::int64_t links : linksPerPatch(domain)) counts.patchLinks.push_back(double(links));
    return counts;
}

MemoryUse memoryOf(const DomainCounts& counts, const KernelRow& row, const Config& config)
{
    const double nodesInTile = double(counts.tile[0]) * counts.tile[1] * counts.tile[2], kept = counts.tiles;
    const StoredState state = storedState(row);
    MemoryUse use;
    use.populations = populationBytes(row, kept * nodesInTile)
        + std::size_t(kept * faceValues(row, config, counts.tile) * state.valueBytes * state.copies)
        + std::size_t(kept * nodesInTile * toldValues(row, config) * valueBytes(row));
    use.ideal = populationBytes(row, counts.fluid);

    // The tiles around each one, where its details lie, and, as if there were walls in all of them, a bit a population
    constexpr double words = (27 + 2) * 4, rowOrder = 1.0 / 8;
    const double q = double(latticeDirections(row.lattice).size());
    use.geometry = std::size_t(4.0 * counts.boxTiles + kept * (words + nodesInTile * ((q + 1) / 8 + rowOrder))
                               + linkBytes(counts, config));
    return use;
}

} // namespace lbm::model
