// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/boundary/Reach.hpp"
#include "lbm/geometry/PartDomain.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/PartCosts.hpp"
#include "lbm/storage/rows/Runs.hpp"

#include <algorithm>

namespace lbm {

// Kernels do not include what describes all storages
static_assert(Runs<double>::bytes == runBytes && Runs<double>::gap == runGap);
static_assert(Runs<float>::bytes == runBytes && Runs<float>::gap == runGap);

namespace {

struct TileCounts {
    std::int64_t all = 1, kept = 0; // of the box; with a fluid node
};

TileCounts countTiles(const Domain& domain, const Int3& extents)
{
    Int3 n;
    for (int a = 0; a < 3; ++a) n[a] = (domain.size[a] + extents[a] - 1) / extents[a];
    TileCounts counts;
    counts.all = std::int64_t(n[0]) * n[1] * n[2];
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
    counts.kept = kept;
    return counts;
}

// Populations that leave a tile across x, which some storages of moments keep besides: both ways on a GPU.
double faceValues(const KernelRow& row, const Int3& tile)
{
    if (storageOf(row).stored != Stored::moments || (!isOnHost(row) && !storageOf(row).keepsFaces)) return 0;
    double across = 0;
    for (const Int3& c : latticeDirections(row.lattice)) across += c[0] == 1;
    return across * tile[1] * tile[2] * (isOnHost(row) ? 1 : 2);
}

// That a node may be told for itself; what follows from velocities around it, too, where the step does not find it.
int toldValues(const KernelRow& row, const Config& config)
{
    const bool inStep = isOnHost(row) && storageOf(row).stored == Stored::moments;
    const FoundAround found = inStep ? FoundAround{false, false} : foundAround(config);
    const int D = latticeDimensions(config.lattice);
    return (findClosure(config.closure)->byNode || found.tau ? 1 : 0) + (config.nodeForces ? D : 0)
        + (found.strain ? D * (D + 1) / 2 : 0);
}

// What each link takes in tables of boundaries, about: curved ones; openings and moving walls with their nodes.
constexpr double curvedLinkBytes = 64, boundaryLinkBytes = 160;

double linkBytes(const Domain& domain, const Config& config)
{
    const std::vector<std::int64_t> counts = linksPerPatch(domain);
    double bytes = 4.0 * double(domain.links.size()); // each one's number in its patch, while tables are made
    for (std::size_t p = 0; p < counts.size(); ++p) {
        const BoundaryKind kind = config.patches[p].kind;
        if (kind == BoundaryKind::wall) continue;
        bytes += double(counts[p]) * (kind == BoundaryKind::interpolatedWall ? curvedLinkBytes : boundaryLinkBytes);
    }
    return bytes;
}

// What lists of ghosts take, about: on a GPU both ends' places and which populations are wanted; on a CPU rows of values that are
// copied, for steps and for readers.
double haloBytes(const KernelRow& row, const PartDomain& part)
{
    double ghosts = 0;
    part.forGhosts([&](NodeIndex) { ++ghosts; });
    constexpr double places = 20, row8 = 24.0 / 8;
    return ghosts * (isOnHost(row) ? places + 2 * row8 * storedState(row).values : places);
}

MemoryUse ofParts(const KernelRow& row, const Domain& domain, Config config, const Int3& extents)
{
    const Bricks bricks(domain, partsOf(config), extents, cutCosts(row, config));
    config.parts = 1;
    config.device = row.device;
    MemoryUse all;
    for (int p = 0; p < bricks.count(); ++p) {
        const PartDomain part(domain, bricks[p], reachOf(config), extents);
        const MemoryUse own = expectedMemory(*part.domain(), config);
        all.populations += own.populations;
        all.geometry += own.geometry + std::size_t(haloBytes(row, part));
    }
    return all;
}

} // namespace

MemoryUse expectedMemory(const Domain& domain, const Config& config)
{
    const KernelRow& row = findKernel(config);
    const Int3 extents = tileExtents(row.tile);
    if (partsOf(config) != 1) {
        MemoryUse all = ofParts(row, domain, config, extents);
        all.ideal = populationBytes(row, double(domain.fluidNodes()));
        return all;
    }
    const TileCounts tiles = countTiles(domain, extents);
    const double nodesInTile = double(extents[0]) * extents[1] * extents[2], kept = double(tiles.kept);
    const StoredState state = storedState(row);
    MemoryUse use;
    use.populations = populationBytes(row, kept * nodesInTile)
        + std::size_t(kept * faceValues(row, extents) * state.valueBytes * state.copies)
        + std::size_t(kept * nodesInTile * toldValues(row, config) * valueBytes(row));
    use.ideal = populationBytes(row, double(domain.fluidNodes()));

    // The tiles around each one, where its details lie, and, as if there were walls in all of them, a bit a population
    constexpr double words = (27 + 2) * 4, rowOrder = 1.0 / 8;
    const double q = double(latticeDirections(row.lattice).size());
    use.geometry = std::size_t(4.0 * double(tiles.all) + kept * (words + nodesInTile * ((q + 1) / 8 + rowOrder))
                               + linkBytes(domain, config));
    return use;
}

} // namespace lbm
