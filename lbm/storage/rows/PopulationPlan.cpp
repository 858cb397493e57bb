// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/rows/PopulationPlan.hpp"

#include "lbm/storage/rows/RowMasks.hpp"

#include <algorithm>

#include <unistd.h>

namespace lbm {
namespace {

constexpr int bytesOfLine = 64;

} // namespace

PopulationPlan PopulationPlan::of(int rows, int threads, double cacheBytes, double rowBytes)
{
    constexpr int most = 8; // further ones save less than a tenth of what memory moves
    constexpr double room = 2;
    for (int steps = most; steps > 1; --steps) {
        const int pieces = rows / (2 * steps) / threads * threads;
        if (pieces == 0) continue;
        const int width = (rows + pieces - 1) / pieces;
        if (rowBytes * width * steps <= room * cacheBytes) return {rows, pieces, steps};
    }
    return {};
}

PopulationPlan PopulationPlan::of(const Domain& domain, const Config& config, int valueBytes, int populations,
                                  int threads)
{
    const int lanes = bytesOfLine / valueBytes;
    PopulationPlan none;
    none.obstacle = reachObstacle(domain, config);
    if (!none.obstacle.empty()) return none;
    const RowShape shape(domain, lanes);
    const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    PopulationPlan plan = of(shape.rows(), threads, cache > 0 ? double(cache) : 1 << 20,
                             double(shape.nodes()) * populations * valueBytes);
    const std::string axis = shape.row == 1 ? "y" : "z";
    if (plan.steps == 0)
        none.obstacle = "a thread has too few layers along " + axis + ", or too long rows for its second cache";
    // Along a periodic y a piece's first step must have begun its turn before the last one ends it
    else if (shape.wraps[shape.line] && shape.lines() <= 4 * plan.steps)
        none.obstacle = "too few nodes along the periodic y";
    else return plan;
    return none;
}

double PopulationPlan::share(const Domain& domain, int valueBytes, const std::vector<Int3>& directions)
{
    constexpr double masked = 1.5; // times as long as others
    const RowShape shape(domain, bytesOfLine / valueBytes);
    const RowMasks::Counts counts = RowMasks(domain, shape, directions).counts(shape);
    const double rows = double(shape.lines()) * shape.rows(), all = rows * shape.registers - counts.empty;
    return double(domain.fluidNodes()) / shape.lanes / (all + (masked - 1) * std::max(counts.masked - 2 * rows, 0.0));
}

PopulationPlan::Memory PopulationPlan::memoryOf(const Domain& domain, const Config& config, int valueBytes,
                                                const std::vector<Int3>& directions)
{
    const int lanes = bytesOfLine / valueBytes;
    const RowShape shape(domain, lanes);
    const double populations = double(directions.size());
    Memory memory;
    // Between populations and lines lie a few registers that nobody uses
    memory.values = ((double(shape.nodes()) * shape.rows() + 5 * lanes) * populations + 3 * lanes) * shape.lines();
    memory.tableBytes = double(RowMasks(domain, shape, directions).bytes());
    double told = 0;
    for (const Link& link : domain.links) told += config.patches[link.patch].kind != BoundaryKind::wall;
    constexpr double entry = 8; // of what links add, and where it is
    if (told > 0) memory.tableBytes += told * (entry + valueBytes + entry) + 4.0 * shape.lines() * shape.rows();
    return memory;
}

} // namespace lbm
