// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/ScalingReport.hpp"

#include "lbm/api/Solver.hpp"
#include "lbm/bench/format.hpp"
#include "lbm/bench/Report.hpp"
#include "lbm/model/Prediction.hpp"
#include "lbm/model/Scaling.hpp"
#include "lbm/solver/PartCosts.hpp"

#include <chrono>
#include <cmath>
#include <ostream>

namespace lbm::bench {
namespace {

using namespace lbm::model;

// An H200's, by its driver's copies within the device (lbm/bench/results/h200.md)
constexpr double bandwidthOfH200 = 4313e9;

// Of one device alone.
double rateOf(const Options& options, const KernelRow& row, const Domain& domain)
{
    if (options.rate > 0) return 1e6 * options.rate;
    const bool known = Predictor::knows(row) && !isOnHost(row);
    const Prediction p =
        known ? Predictor(domain).predict(row, false, true) : Prediction{}; // step by step, as most cuts
    if (p.share <= 0)
        throw UsageError("--rate: the model does not tell how fast one device is with " + shortName(row)
                         + "; say its MLUPS");
    return bandwidthOfH200 * p.efficiency() / p.least;
}

Machine machineOf(const Options& options, const KernelRow& row, const Config& config, double rate)
{
    Machine machine{};
    machine.rate = rate;
    // Of a CPU: two threads' share of a machine's memory (lbm/bench/results/moments.md)
    constexpr double hostBandwidth = 50e9;
    machine.memory = isOnHost(row) ? hostBandwidth : bandwidthOfH200;
    // Fitted to two H200 (lbm/bench/results/scaling.md)
    constexpr double attended = 15e-6;
    machine.attended = isOnHost(row) ? 0 : attended;
    machine.overlaps = overlapsHandover(row, config);
    machine.within = findConnection(options.link.front());
    machine.between = findConnection(options.link.back());
    machine.perHost = options.perHost;
    return machine;
}

std::string described(const Connection& c)
{
    return c.name
        + format(" (%.0f GB/s, %.1f us%s)", 1e-9 * c.bandwidth, 1e6 * c.latency,
                 c.hops > 1 ? format(", %d hops", c.hops).c_str() : "");
}

const char* head = "%7s%11s%11s%9s%9s%11s%9s | strong:%8s%9s%7s | weak:%9s%9s%7s\n";

std::string line(int parts, const CutSums& sums, const Scaling& strong, const Scaling& weak)
{
    return format("%7d%11lld%11lld%8.1f%%%8.1f%%%11.3f%9.3f |", parts, static_cast<long long>(sums.least),
                  static_cast<long long>(sums.most), 100 * sums.imbalance,
                  100 * double(sums.ghosts) / double(sums.nodes), 1e-6 * strong.bytes, 1e-6 * strong.mostBytes)
        + format("%16.0f%9.0f%7.3f |%15.0f%9.0f%7.3f\n", 1e6 * strong.time, 1e-6 * strong.rate, strong.efficiency,
                 1e6 * weak.time, 1e-6 * weak.rate, weak.efficiency);
}

void printRow(std::ostream& out, const Options& options, const Domain& domain, const Config& config,
              const KernelRow& row)
{
    const double rate = rateOf(options, row, domain);
    const Machine machine = machineOf(options, row, config, rate);
    const CutView view = cutView(row, config);
    const CutCosts costs = cutCosts(row, config);
    out << "\nscaling, " << shortName(row) << ", tile " << row.tile << ", one device " << format("%.0f", 1e-6 * rate)
        << " MLUPS, links " << described(machine.within) << " within hosts of " << machine.perHost << ", "
        << described(machine.between) << " between"
        << (machine.overlaps ? ", beside inner tiles" : ", behind all tiles") << '\n'
        << format(head, "devices", "least", "most nodes", "above", "ghosts", "MB a step", "MB most", "us", "MLUPS",
                  "eff.", "us", "MLUPS", "eff.");
    const Bytes bytes = [&row](const TakenGhosts& over) { return handedOverBytes(row, over); };
    double seconds = 0;
    for (const int parts : options.parts) {
        const auto start = std::chrono::steady_clock::now();
        const Bricks bricks(domain, parts, view.tile, costs);
        const std::vector<BrickFacts> facts = factsOf(domain, bricks, view, costs);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        out << line(parts, sumsOf(facts), predictScaling(facts, bytes, machine),
                    predictScaling(facts, bytes, machine, std::cbrt(double(parts))));
    }
    out << format("cuts made and counted in %.2f s\n", seconds);
}

} // namespace

void printScaling(std::ostream& out, const Options& options, const GeneratedCase& made,
                  const std::vector<KernelRow>& rows)
{
    Config config = options.configs().front();
    const LinkValue wall = config.patches.front();
    config.patches = made.patches;
    for (LinkValue& patch : config.patches)
        if (patch.kind == BoundaryKind::wall) patch = wall;
    for (const KernelRow& row : rows) printRow(out, options, made.domain, config, row);
    out << "above: cost of the dearest part over the mean; ghosts: of the nodes; MB most: of the device that takes or gives most; "
           "weak: the shape refined\nuntil each device has as many nodes as the geometry has now\n";
}

} // namespace lbm::bench
