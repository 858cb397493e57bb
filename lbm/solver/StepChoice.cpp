// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/StepChoice.hpp"

#include "lbm/api/Solver.hpp"
#include "lbm/api/TeamSize.hpp"
#include "lbm/storage/moments/cpu/BlockPlan.hpp"
#include "lbm/storage/rows/PopulationPlan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>

#include <unistd.h>

namespace lbm {
namespace {

#ifdef LBM_EXACT
constexpr bool exact = true;
#else
constexpr bool exact = false;
#endif

// What a third cache holds needs no blocks
constexpr double smallest = 96 << 20;

// Of a run, measurements' own updates
constexpr double repaid = 0.01;
constexpr int rounds = 2, mostTogether = 16, warmUp = 2;

double bytesOf(const Int3& n, int valueBytes, int values) { return double(n[0]) * n[1] * n[2] * values * valueBytes; }

int populationsOf(const KernelRow& row) { return std::stoi(row.lattice.substr(row.lattice.find('Q') + 1)); }

std::string inWords(double bytes)
{
    const bool small = bytes < 1e6;
    return std::to_string(std::int64_t(std::lround(bytes / (small ? 1e3 : 1e6)))) + (small ? " kB" : " MB");
}

// As long rows, and as thick pieces where it may; memory's speed is seen in what no cache holds.
// width: of the thickest piece.
std::shared_ptr<const Domain> sampleOf(const Domain& domain, int valueBytes, int width, int threads)
{
    constexpr double wantedBytes = 192 << 20; // what third caches are called is no guide: guests are told their host's
    const int leastLines = domain.dimensions == 2 ? 1 : 16, values = BlockPlan::valuesOf(domain);
    const double wanted = std::min(wantedBytes, std::max(bytesOf(domain.size, valueBytes, values) / 2, smallest / 2));
    const int lanes = 64 / valueBytes;
    Int3 n = alongSweep(domain.size, domain.dimensions);
    n[0] = BlockPlan::registersOf(domain, lanes) * lanes;
    const double line = bytesOf({n[0], 1, 1}, valueBytes, values);
    if (line * n[2] * leastLines > wanted) {
        const int turn = std::max(4, width) * threads;
        n[2] = std::min(n[2], std::max(1, int(wanted / line / leastLines / turn)) * turn);
    }
    n[1] = std::clamp(int(wanted / line / n[2]), leastLines, std::max(n[1], leastLines));
    const auto sample = std::make_shared<Domain>();
    sample->dimensions = domain.dimensions;
    sample->size = alongSweep(n, domain.dimensions);
    sample->fluid = BitSet(sample->nodes(), true);
    return sample;
}

Config withStorage(const Config& config, const std::string& storage, bool blocks)
{
    Config other = config;
    if (storage != config.storage) other.tile.clear();
    other.storage = storage;
    other.blocks = blocks;
    return other;
}

bool isBuilt(const Config& config)
{
    try {
        findKernel(config);
        return true;
    } catch (const UnknownKernel&) {
        return false;
    }
}

PopulationPlan rowsPlan(const Domain& domain, const Config& config, const KernelRow& row)
{
    return PopulationPlan::of(domain, config, valueBytes(row), populationsOf(row),
                              threadsFor(config, domain.fluidNodes()));
}

std::string nameOf(const Config& c) { return c.storage + (c.blocks ? " in blocks" : ""); }

} // namespace

bool takesBlocks(const KernelRow& row)
{
    return isOnHost(row) && row.storage == "moments" && (row.lattice == "D3Q19" || row.lattice == "D2Q9")
        && row.collision == "regularized" && row.closure == "constant" && row.equilibrium == "incompressible";
}

bool takesRowBlocks(const KernelRow& row)
{
    return isOnHost(row) && row.storage == "aa" && row.closure != "nodeField" && row.arithmetic == "simd";
}

std::string blocksObstacle(const Domain& domain, const Config& config)
{
    const KernelRow& row = findKernel(config);
    if (takesRowBlocks(row)) return rowsPlan(domain, config, row).obstacle;
    if (!takesBlocks(row))
        return "blocks are for a CPU: of storage aa where nodes are not told their viscosity, of storage moments with one viscosity, D3Q19 "
               "or D2Q9, collision regularized, equilibrium incompressible";
    return BlockPlan::of(domain, config, valueBytes(row), threadsFor(config, domain.fluidNodes())).obstacle;
}

std::vector<double> measureSteps(std::shared_ptr<const Domain> sample, const std::vector<Config>& configs, int together)
{
    using Clock = std::chrono::steady_clock;
    std::vector<double> rates(configs.size(), 0);
    // In turns, so that what else the machine does meets all; the best of each, which it met least. A solver at a time,
    // so that samples never take what the lattice itself will not.
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < configs.size(); ++i) {
            Config config = configs[i];
            config.patches.clear();
            config.force = {0, 0, 0};
            const auto solver = makeSolver(sample, config);
            solver->advance(warmUp);
            const auto start = Clock::now();
            solver->advance(together);
            const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
            // A sample that blocks do not take says nothing of them
            const bool asAsked = !config.blocks || solver->stepsOfPass() > 1;
            if (asAsked) rates[i] = std::max(rates[i], double(sample->nodes()) * together / std::max(seconds, 1e-9));
        }
    return rates;
}

StepChoice chooseSteps(const Domain& domain, const Config& given, const StepWish& run, const MeasureSteps& measure)
{
    constexpr const char *moments = "moments", *rows = "aa";
    Config plain = given;
    plain.blocks = false;
    StepChoice choice{plain, {}};
    if (!isOnHost(findKernel(plain))) return choice;
    const Config ofMoments = withStorage(plain, moments, false), ofRows = withStorage(plain, rows, false);
    const auto isThere = [&](const Config& c, bool (*takes)(const KernelRow&)) {
        return (c.storage == plain.storage || (run.storage && isBuilt(c))) && takes(findKernel(c));
    };
    const bool hasMoments = isThere(ofMoments, takesBlocks), hasRows = isThere(ofRows, takesRowBlocks);
    if (!hasMoments && !hasRows) return choice;

    const std::string oneByOne = "step by step: ";
    if (exact) {
        choice.reason = oneByOne + "kernels of this build agree to the last bit";
        return choice;
    }
    const KernelRow& first = findKernel(hasMoments ? ofMoments : ofRows);
    const int bytes = valueBytes(first), threads = threadsFor(plain, domain.fluidNodes());
    const double all = bytesOf(domain.size, bytes, hasMoments ? BlockPlan::valuesOf(domain) : populationsOf(first));
    if (all < smallest) {
        choice.reason = oneByOne + inWords(all) + " of " + (hasMoments ? moments : "populations") + " are less than "
            + inWords(smallest) + ", which caches may hold";
        return choice;
    }
    if (partsOf(plain) > 1) {
        choice.reason = oneByOne + "the lattice is cut into parts";
        return choice;
    }
    std::string obstacle;
    int steps = 0, width = 0;
    std::vector<Config> inBlocks;
    const auto offer = [&](const auto& plan, const Config& way) {
        if (plan.steps) {
            steps = std::max(steps, plan.steps);
            width = std::max(width, plan.cuts[1]);
            inBlocks.push_back(withStorage(plain, way.storage, true));
        } else if (obstacle.empty()) obstacle = plan.obstacle;
    };
    if (hasMoments) offer(BlockPlan::of(domain, ofMoments, bytes, threads), ofMoments);
    if (hasRows) offer(rowsPlan(domain, ofRows, findKernel(ofRows)), ofRows);
    const int together = int(
        std::min<double>({run.together, double(mostTogether), steps ? double(passesTogether * steps) : mostTogether}));
    if (run.together < 2) {
        inBlocks.clear();
        obstacle = "steps are told one by one";
    }
    std::vector<Config> ways = {plain};
    if (hasMoments && plain.storage != moments) ways.push_back(ofMoments);
    ways.insert(ways.end(), inBlocks.begin(), inBlocks.end());
    if (ways.size() == 1) {
        choice.reason = oneByOne + obstacle;
        return choice;
    }
    const auto sample = sampleOf(domain, bytes, width, threads);
    const double updates = double(sample->nodes()) * (together + warmUp) * rounds * double(ways.size());
    if (updates > repaid * run.steps * double(domain.fluidNodes())) {
        choice.reason = oneByOne + "the run is too short for a measurement of blocks to be repaid";
        return choice;
    }

    std::vector<Config> measured = ways;
    for (Config& way : measured) way.threads = threads; // not as few as the sample would take
    const std::vector<double> rates = measure(sample, measured, together);
    const double ofBlocks = hasMoments ? BlockPlan::share(domain, ofMoments, bytes) : 1,
                 ofRowBlocks = hasRows ? PopulationPlan::share(domain, bytes, latticeDirections(ofRows.lattice)) : 1;
    std::ostringstream told;
    told.precision(3);
    std::size_t best = 0;
    const auto shareOf = [&](const Config& way) {
        return !way.blocks ? 1 : way.storage == moments ? ofBlocks : ofRowBlocks;
    };
    const auto speed = [&](std::size_t i) { return rates[i] * shareOf(ways[i]); };
    for (std::size_t i = 0; i < ways.size(); ++i) {
        told << (i ? ", " : "; measured on " + std::to_string(sample->nodes()) + " nodes: ") << nameOf(ways[i]) << ' '
             << rates[i] / 1e6;
        if (speed(i) > worth * speed(best)) best = i;
    }
    told << " MLUPS";
    for (const Config& way : ways)
        if (const double share = shareOf(way); share < 0.995)
            told << ", " << nameOf(way) << " here " << share << " times that for walls and what is no fluid";
    if (inBlocks.empty()) told << "; no blocks: " << obstacle;
    choice.config = ways[best];
    choice.reason = nameOf(ways[best]) + told.str();
    return choice;
}

} // namespace lbm
