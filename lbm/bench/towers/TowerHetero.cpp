// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerHetero.hpp"

#include "lbm/bench/towers/DeviceTowers.hpp"
#include "lbm/bench/towers/TowerMeasure.hpp"
#include "lbm/bench/towers/TowerTables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>

#include <omp.h>

namespace lbm::bench {
namespace {

// MLUPS. Those of a part: of its own nodes.
struct Balance {
    double share; // of the nodes that are the device's
    double together, stepwise;
    double threads;      // towers of the CPU by itself, as many steps at once
    double link, device; // what inner blocks and slopes over the links allow, and towers on the devices by themselves
    double bandwidth;    // of a device's memory, bytes a second

    double model() const { return std::min(std::min(link, device) / share, threads / (1 - share)); }
};

// Of the devices, each of which is asked once, however often it is named.
struct DevicesUsed {
    std::set<std::string> devices;
    double link = 0; // bytes a second each way, of all

    explicit DevicesUsed(const Options& o)
    {
        for (const std::string& word : towerDevices(o))
            if (devices.insert(word).second) link += linkRate(word);
    }
};

double measured(const Options& o, const TowerCase& c, int threads, Bandwidth& probe, double* roof = nullptr)
{
    TowerRow row{c, {"D3Q19", 19, true}, threads, {}, {}};
    measureTowers(row, o, probe);
    if (roof) *roof = median(row.roof);
    return median(row.mlups);
}

model::NodeCost costOf(const std::string& precision) { return shellCost(19, precision == "float" ? 4 : 8); }

// Of inner blocks and slopes over the links, both ways.
double innerBytes(const std::string& precision, double N, double n)
{
    const model::NodeCost cost = costOf(precision);
    return cost.operations / model::innerIntensity(cost, N, n);
}

Balance balanceOf(const Options& o, const std::string& precision, int size, int n, const DevicesUsed& used,
                  Bandwidth& probe)
{
    const int threads = omp_get_max_threads();
    const double N = size / 2.0;
    Balance b{};
    b.share = model::cube(1 - n / N);
    b.together =
        measured(o, {"D3Q19", precision, "bgk", size, n, n, o.tau, o.device, true}, threads, probe, &b.stepwise);
    b.threads = measured(o, {"D3Q19", precision, "bgk", size, n, n, o.tau}, threads, probe);
    double roof = 0;
    for (const std::string& word : used.devices)
        b.device +=
            measured(o, {"D3Q19", precision, "bgk", std::min(size, 256), deviceFold, n, o.tau, word}, 1, probe, &roof);
    b.bandwidth = 1e6 * roof * 2 * costOf(precision).bytes;
    // Each way half of what goes both ways
    b.link = 1e-6 * 2 * used.link / innerBytes(precision, N, n);
    return b;
}

// Figure 12: what each task allows for the nodes that are its own.
void printTogetherLimits(std::ostream& out, const std::string& precision, int size, int n, const Balance& b,
                         const DevicesUsed& used, Bandwidth& probe)
{
    const model::NodeCost cost = costOf(precision);
    const int threads = omp_get_max_threads();
    const std::vector<model::MemoryLevel> levels = measureLevels(threads, probe);
    const std::string nText = std::to_string(n);
    out << "Limits for n = NT = " << n << '\n';
    printLevel(out, "link", "", 2 * used.link);
    printLevel(out, "device", "", b.bandwidth);
    for (const model::MemoryLevel& level : levels)
        printLevel(out, level.name + std::string(", ") + std::to_string(threads) + " threads",
                   level.bytes > 0 ? sized(level.bytes) : "", level.bandwidth);
    printLimit(out, "ReFoldTF<" + std::to_string(size / 2 - n) + ',' + nText + '>', "", "link",
               innerBytes(precision, size / 2, n), b.link);
    const double tower = cost.operations / model::torreIntensity(cost, deviceFold, n);
    printLimit(out, "ConeTorre<8," + nText + '>', "", "device", tower, 1e-6 * b.bandwidth / tower);
    for (const model::TowerLimit& limit : model::towerLimits(cost, 8, n, n, levels))
        printLimit(out, "TorreFold<" + withDigits(limit.m, 0) + ',' + nText + '>', sized(limit.footprint), limit.level,
                   limit.bytesPerNode, 1e-6 * limit.updates);
    const double tiers = tierMlups({"D3Q19", precision, "bgk", size, n, n, 0.6}, threads);
    printColumns(out, "  tiers in L1", {"", "", "", "", withDigits(tiers, 1)});
    const double overLink = 1e-6 * 2 * used.link / (2 * cost.bytes);
    printColumns(out, "  steps to be fused",
                 {withDigits(std::ceil(b.device / overLink), 0),
                  " over the link, for towers on the device; the paper's: " + std::to_string(paperFusedStepsOverLink)
                      + ", for its operations"});
}

} // namespace

void printHetero(std::ostream& out, const Options& o, Bandwidth& probe)
{
    constexpr int least = 64; // of the largest n, two blocks of a half
    const int size = std::max(2 * least, int(std::lround(512 * o.scale / least)) * least);
    const DevicesUsed used(o);
    out << size << " nodes a side in the host's memory, " << omp_get_max_threads() << " threads, "
        << used.devices.size() << (used.devices.size() == 1 ? " device" : " devices") << ", links "
        << withDigits(1e-9 * used.link, 1)
        << " GB/s each way; threads, link, device: what each allows for its own nodes\n";
    for (const std::string& precision : o.precision) {
        printColumns(
            out, "D3Q19 bgk " + precision,
            {"share", "MLUPS", "GPUPS", "threads", "link", "device", "model", "of model", "stepwise", "of that"});
        std::map<int, Balance> sweep;
        for (const int n : {8, 16, 32, 64}) {
            if (size / 2 / n < 2 || size / 2 % n != 0) continue;
            const Balance b = sweep[n] = balanceOf(o, precision, size, n, used, probe);
            printColumns(out, "  n = NT = " + std::to_string(n),
                         {withDigits(b.share, 2), withDigits(b.together, 1), withDigits(1e-3 * 19 * b.together, 2),
                          withDigits(b.threads, 1), withDigits(b.link, 1), withDigits(b.device, 1),
                          withDigits(b.model(), 1), withDigits(b.together / b.model(), 2), withDigits(b.stepwise, 1),
                          withDigits(b.together / b.stepwise, 2)});
            out << std::flush;
        }
        if (precision == "float")
            printColumns(out, "  the paper's, n = 32",
                         {"0.67", withDigits(paperFigure12.mlups, 1), withDigits(paperFigure12.gpups, 2),
                          " 512 nodes a side, 16 cores and an RTX 3080 over PCIe 4"});
        const auto fastest = std::max_element(sweep.begin(), sweep.end(), [](const auto& a, const auto& b) {
            return a.second.together < b.second.together;
        });
        printTogetherLimits(out, precision, size, fastest->first, fastest->second, used, probe);
    }
}

} // namespace lbm::bench
