// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/api/StepChoice.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/api/TeamSize.hpp"
#include "lbm/boundary/Reach.hpp"
#include "lbm/geometry/PartDomain.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/model/DomainCounts.hpp"
#include "lbm/solver/PartCosts.hpp"
#include "lbm/storage/moments/cpu/BlockPlan.hpp"
#include "lbm/storage/rows/PopulationPlan.hpp"
#include "lbm/storage/rows/Runs.hpp"

namespace lbm {

// Kernels do not include what describes all storages
static_assert(Runs<double>::bytes == runBytes && Runs<double>::gap == runGap);
static_assert(Runs<float>::bytes == runBytes && Runs<float>::gap == runGap);

namespace {

// What lists of ghosts take, about: on a GPU both ends' places and which populations are wanted; on a CPU rows of values that are
// copied, for steps and for readers.
double haloBytes(const KernelRow& row, const PartDomain& part)
{
    double ghosts = 0;
    part.forGhosts([&](NodeIndex) { ++ghosts; });
    // A record of rows (RowCopies) for eight values: at faces across x for fewer, at others for more
    constexpr double places = 20, perValue = 32.0 / 8;
    return ghosts * (isOnHost(row) ? places + 2 * perValue * storedState(row).values : places);
}

// Of a box that a CPU takes in blocks; nothing where steps go one by one. (A wall or opening that is told what blocks cannot have ends
// them, and while nodes are handed over both forms are there.)
BlockPlan::Memory memoryOfBlocks(const Domain& domain, const KernelRow& row, const Config& config)
{
    if (!config.blocks) return {};
    const int threads = threadsFor(config, domain.fluidNodes()), bytes = valueBytes(row);
    if (takesRowBlocks(row)) {
        const std::vector<Int3> directions = latticeDirections(row.lattice);
        if (PopulationPlan::of(domain, config, bytes, int(directions.size()), threads).steps == 0) return {};
        const PopulationPlan::Memory memory = PopulationPlan::memoryOf(domain, config, bytes, directions);
        return {memory.values, memory.tableBytes};
    }
    if (!takesBlocks(row)) return {};
    const BlockPlan plan = BlockPlan::of(domain, config, bytes, threads);
    return plan.steps ? plan.memoryOf(domain, config, 64 / bytes, threads) : BlockPlan::Memory{};
}

MemoryUse ofParts(const KernelRow& row, const Domain& domain, Config config, const Int3& extents)
{
    const Bricks bricks(domain, partsOf(config), extents, cutCosts(row, config), config.cuts);
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
    MemoryUse use = model::memoryOf(model::countDomain(domain, row), row, config);
    if (const BlockPlan::Memory blocks = memoryOfBlocks(domain, row, config); blocks.values > 0) {
        use.populations = std::size_t(blocks.values) * valueBytes(row);
        use.geometry += std::size_t(blocks.tableBytes);
    }
    return use;
}

} // namespace lbm
