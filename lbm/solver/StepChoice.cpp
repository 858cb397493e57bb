// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/StepChoice.hpp"

#include "lbm/api/Solver.hpp"
#include "lbm/api/TeamSize.hpp"
#include "lbm/storage/moments/cpu/BlockPlan.hpp"

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
constexpr int rounds = 2, mostTogether = 12, warmUp = 2;

double bytesOf(const Int3& n, int valueBytes) { return double(n[0]) * n[1] * n[2] * BlockPlan::values * valueBytes; }

std::string megabytes(double bytes) { return std::to_string(std::int64_t(std::lround(bytes / 1e6))) + " MB"; }

// As long rows, and as thick pieces where it may; memory's speed is seen in what no cache holds.
std::shared_ptr<const Domain> sampleOf(const Domain& domain, int valueBytes, const BlockPlan& plan, int threads)
{
    constexpr double wantedBytes = 192 << 20; // what third caches are called is no guide: guests are told their host's
    constexpr int leastLines = 16;
    const double wanted = std::min(wantedBytes, std::max(bytesOf(domain.size, valueBytes) / 2, smallest / 2));
    const int lanes = 64 / valueBytes;
    const auto sample = std::make_shared<Domain>();
    Int3& n = sample->size;
    n = domain.size;
    n[0] = BlockPlan::registersOf(domain, lanes) * lanes;
    const double line = bytesOf({n[0], 1, 1}, valueBytes);
    if (line * n[2] * leastLines > wanted) {
        const int width = std::max(4, plan.steps ? plan.cuts[1] : 0), turn = width * threads;
        n[2] = std::min(n[2], std::max(1, int(wanted / line / leastLines / turn)) * turn);
    }
    n[1] = std::clamp(int(wanted / line / n[2]), leastLines, std::max(n[1], leastLines));
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

std::string nameOf(const Config& c) { return c.storage + (c.blocks ? " in blocks" : ""); }

} // namespace

bool takesBlocks(const KernelRow& row)
{
    return isOnHost(row) && row.storage == "moments" && row.lattice == "D3Q19" && row.collision == "regularized"
        && row.closure == "constant" && row.equilibrium == "incompressible";
}

std::string blocksObstacle(const Domain& domain, const Config& config)
{
    const KernelRow& row = findKernel(config);
    if (domain.dimensions == 2) return "lattices of two dimensions have no blocks";
    if (!takesBlocks(row))
        return "blocks are for storage moments on a CPU, D3Q19, collision regularized, equilibrium incompressible and one "
               "viscosity for all nodes";
    return BlockPlan::of(domain, config, valueBytes(row), threadsFor(config, domain.fluidNodes())).obstacle;
}

std::vector<double> measureSteps(std::shared_ptr<const Domain> sample, const std::vector<Config>& configs, int together)
{
    using Clock = std::chrono::steady_clock;
    std::vector<std::unique_ptr<Solver>> solvers;
    for (Config config : configs) {
        config.patches.clear();
        config.force = {0, 0, 0};
        solvers.push_back(makeSolver(sample, config));
        solvers.back()->advance(warmUp);
    }
    // In turns, so that what else the machine does meets all; the best of each, which it met least
    std::vector<double> seconds(configs.size(), 1e30);
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < solvers.size(); ++i) {
            const auto start = Clock::now();
            solvers[i]->advance(together);
            seconds[i] = std::min(seconds[i], std::chrono::duration<double>(Clock::now() - start).count());
        }
    std::vector<double> rates;
    for (const double s : seconds) rates.push_back(double(sample->nodes()) * together / s);
    return rates;
}

StepChoice chooseSteps(const Domain& domain, const Config& given, const StepWish& run, const MeasureSteps& measure)
{
    constexpr const char* moments = "moments";
    Config plain = given;
    plain.blocks = false;
    StepChoice choice{plain, {}};
    if (!isOnHost(findKernel(plain))) return choice;
    const Config ofMoments = withStorage(plain, moments, false);
    if (plain.storage != moments && (!run.storage || !isBuilt(ofMoments))) return choice;
    if (!takesBlocks(findKernel(ofMoments))) return choice;

    const std::string oneByOne = "step by step: ";
    if (exact) {
        choice.reason = oneByOne + "kernels of this build agree to the last bit";
        return choice;
    }
    const int bytes = valueBytes(findKernel(ofMoments)), threads = threadsFor(plain, domain.fluidNodes());
    const double all = bytesOf(domain.size, bytes);
    if (all < smallest) {
        choice.reason =
            oneByOne + megabytes(all) + " of moments are less than " + megabytes(smallest) + ", which caches may hold";
        return choice;
    }
    if (partsOf(plain) > 1) {
        choice.reason = oneByOne + "the lattice is cut into parts";
        return choice;
    }
    const BlockPlan plan = BlockPlan::of(domain, ofMoments, bytes, threads);
    const int together = int(std::min<double>(
        {run.together, double(mostTogether), plan.steps ? double(passesTogether * plan.steps) : mostTogether}));
    std::string obstacle = plan.obstacle;
    if (obstacle.empty() && run.together < 2) obstacle = "steps are told one by one";
    std::vector<Config> ways = {plain};
    if (plain.storage != moments) ways.push_back(ofMoments);
    if (obstacle.empty()) ways.push_back(withStorage(plain, moments, true));
    if (ways.size() == 1) {
        choice.reason = oneByOne + obstacle;
        return choice;
    }
    const auto sample = sampleOf(domain, bytes, plan, threads);
    const double updates = double(sample->nodes()) * (together * rounds + warmUp) * double(ways.size());
    if (updates > repaid * run.steps * double(domain.fluidNodes())) {
        choice.reason = oneByOne + "the run is too short for a measurement of blocks to be repaid";
        return choice;
    }

    std::vector<Config> measured = ways;
    for (Config& way : measured) way.threads = threads; // not as few as the sample would take
    const std::vector<double> rates = measure(sample, measured, together);
    const double share = BlockPlan::share(domain, ofMoments, bytes);
    std::ostringstream told;
    told.precision(3);
    std::size_t best = 0;
    const auto speed = [&](std::size_t i) { return rates[i] * (ways[i].blocks ? share : 1); };
    for (std::size_t i = 0; i < ways.size(); ++i) {
        told << (i ? ", " : "; measured on " + std::to_string(sample->nodes()) + " nodes: ") << nameOf(ways[i]) << ' '
             << rates[i] / 1e6;
        if (speed(i) > worth * speed(best)) best = i;
    }
    told << " MLUPS";
    if (ways.back().blocks && share < 0.995) told << ", blocks here " << share << " times that for what is no fluid";
    if (!obstacle.empty()) told << "; no blocks: " << obstacle;
    choice.config = ways[best];
    choice.reason = nameOf(ways[best]) + told.str();
    return choice;
}

} // namespace lbm
