// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerHetero.hpp"

#include "lbm/bench/towers/DeviceTowers.hpp"
#include "lbm/bench/towers/TowerMeasure.hpp"
#include "lbm/bench/towers/TowerTables.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <omp.h>

namespace lbm::bench {
namespace {

// MLUPS. Those of a part: of its own nodes.
struct Balance {
    double share; // of the nodes that are the device's
    double together, stepwise;
    double threads;      // towers of the CPU by itself, as many steps at once
    double link, device; // what inner blocks and slopes over the link allow, and towers on the device by itself

    double model() const { return std::min(std::min(link, device) / share, threads / (1 - share)); }
};

double measured(const Options& o, const TowerCase& c, int threads, Bandwidth& probe, double* roof = nullptr)
{
    TowerRow row{c, {"D3Q19", 19, true}, threads, {}, {}};
    measureTowers(row, o, probe);
    if (roof) *roof = median(row.roof);
    return median(row.mlups);
}

Balance balanceOf(const Options& o, const std::string& precision, int size, int n, double link, Bandwidth& probe)
{
    const int threads = omp_get_max_threads();
    const double N = size / 2.0;
    Balance b{};
    b.share = model::cube(1 - n / N);
    b.together =
        measured(o, {"D3Q19", precision, "bgk", size, n, n, o.tau, o.device, true}, threads, probe, &b.stepwise);
    b.threads = measured(o, {"D3Q19", precision, "bgk", size, n, n, o.tau}, threads, probe);
    b.device = measured(o, {"D3Q19", precision, "bgk", std::min(size, 256), deviceFold, n, o.tau, o.device}, 1, probe);
    const model::NodeCost cost = shellCost(19, precision == "float" ? 4 : 8);
    // Each way half of what goes both ways
    b.link = 1e-6 * 2 * link / (cost.operations / model::innerIntensity(cost, N, n));
    return b;
}

} // namespace

void printHetero(std::ostream& out, const Options& o, Bandwidth& probe)
{
    constexpr int least = 64; // of the largest n, two blocks of a half
    const int size = std::max(2 * least, int(std::lround(512 * o.scale / least)) * least);
    const double link = linkRate(o.device);
    out << size << " nodes a side in the host's memory, " << omp_get_max_threads() << " threads, link "
        << withDigits(1e-9 * link, 1) << " GB/s each way; threads, link, device: what each allows for its own nodes\n";
    for (const std::string& precision : o.precision) {
        printColumns(
            out, "D3Q19 bgk " + precision,
            {"share", "MLUPS", "GPUPS", "threads", "link", "device", "model", "of model", "stepwise", "of that"});
        for (const int n : {8, 16, 32, 64}) {
            if (size / 2 / n < 2 || size / 2 % n != 0) continue;
            const Balance b = balanceOf(o, precision, size, n, link, probe);
            printColumns(out, "  n = NT = " + std::to_string(n),
                         {withDigits(b.share, 2), withDigits(b.together, 1), withDigits(1e-3 * 19 * b.together, 2),
                          withDigits(b.threads, 1), withDigits(b.link, 1), withDigits(b.device, 1),
                          withDigits(b.model(), 1), withDigits(b.together / b.model(), 2), withDigits(b.stepwise, 1),
                          withDigits(b.together / b.stepwise, 2)});
            out << std::flush;
        }
    }
    out << "The paper prints 1310 MLUPS (512 nodes a side, n = 32, float, 16 cores and an RTX 3080 over PCIe 4)\n";
}

} // namespace lbm::bench
