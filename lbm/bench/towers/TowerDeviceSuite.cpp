// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerDeviceSuite.hpp"

#include "lbm/bench/towers/DeviceTowers.hpp"
#include "lbm/bench/towers/TowerHetero.hpp"
#include "lbm/bench/towers/TowerMeasure.hpp"
#include "lbm/bench/towers/TowerTables.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace lbm::bench {
namespace {

DeviceRates ratesOf(const std::string& device)
{
    try {
        return deviceRates(device);
    } catch (const std::invalid_argument& fault) {
        throw UsageError(fault.what());
    }
}

struct DeviceStudy {
    TowerRow row;
    double bandwidth;        // of the device's memory, 1e6 bytes a second
    double bytes, memory;    // of slopes and base with the device's memory, a node and step; MLUPS that it allows
    double words, exchanged; // within groups, of four bytes
    double computed;         // MLUPS of the operations of Table 1

    double peak() const { return std::min({memory, exchanged, computed}); }
};

model::ExchangedLinks exchanged(int values)
{
    for (int shells = 0; shells < 8; ++shells)
        if (model::bgkCost(shells & 1, shells & 2, shells & 4, 4).values == values)
            return model::exchangedLinks(shells & 1, shells & 2, shells & 4);
    throw std::logic_error("no shells have " + std::to_string(values) + " links");
}

DeviceStudy study(const Options& o, const Shell& shell, const std::string& precision, int size,
                  const DeviceRates& rates, Bandwidth& probe)
{
    const int steps = o.stepsAtOnce.front(), valueBytes = precision == "float" ? 4 : 8;
    DeviceStudy s{
        {{shell.name, precision, "bgk", size, deviceFold, steps, o.tau, o.device}, shell, 1, {}, {}}, 0, 0, 0, 0, 0, 0};
    measureTowers(s.row, o, probe);
    const model::NodeCost cost = shellCost(shell.values, valueBytes);
    s.bandwidth = median(s.row.roof) * 2 * cost.bytes; // as measured around the repeats
    s.bytes = cost.operations / model::torreIntensity(cost, deviceFold, steps);
    s.memory = s.bandwidth / s.bytes;
    s.words = model::exchangedWords(exchanged(shell.values), valueBytes);
    s.exchanged = 1e-6 * rates.words / s.words;
    s.computed = 1e-6 * (valueBytes == 4 ? rates.singleFlop : rates.doubleFlop) / cost.operations;
    return s;
}

const Columns titles = {"size", "NT", "MLUPS", "GPUPS", "model", "of model", "stepwise", "of that"};

Columns speeds(const DeviceStudy& s)
{
    const double reached = median(s.row.mlups), roof = median(s.row.roof);
    return {std::to_string(s.row.towers.size),
            std::to_string(s.row.towers.stepsAtOnce),
            withDigits(reached, 1),
            withDigits(1e-3 * reached * s.row.shell.values, 2),
            withDigits(s.peak(), 1),
            withDigits(reached / s.peak(), 2),
            withDigits(roof, 1),
            withDigits(reached / roof, 2)};
}

void printLimits(std::ostream& out, const DeviceStudy& s)
{
    const double roof = median(s.row.roof);
    printColumns(out, "  steps to be fused",
                 {withDigits(std::ceil(s.computed / roof), 0),
                  " the paper's: " + std::to_string(paperFusedStepsOnDevice) + ", of an RTX 3080"});
    printLevel(out, "device", "", 1e6 * s.bandwidth);
    printLimit(out, "ConeTorre<8," + std::to_string(s.row.towers.stepsAtOnce) + '>', "", "device", s.bytes, s.memory);
    printColumns(out, "  within groups", {withDigits(s.words, 1) + " words", "shared", withDigits(s.exchanged, 1)});
    printColumns(out, "  operations", {"", "", "", "", withDigits(s.computed, 1)});
}

int foldedBoxOf(const Options& o, double nodes)
{
    constexpr int whole = 2 * deviceFold;
    return std::max(whole, int(std::lround(nodes * o.scale / whole)) * whole);
}

} // namespace

void printDeviceSuite(std::ostream& out, const Options& all)
{
    for (const char* name : {"--fold", "--threads"})
        if (all.isGiven(name))
            throw UsageError(std::string(name) + " means nothing to --suite " + all.suite + " on a device");
    Options o = all;
    o.device = towerDevices(all).front(); // those together with a CPU use all
    const DeviceRates rates = ratesOf(o.device);
    out << rates.name << ", n = " << deviceFold
        << "; limits and speeds in MLUPS; * solves no Navier-Stokes equations\n";
    bool any = false;
    Bandwidth probe;
    const auto part = [&](const char* title, auto&& print) {
        if (std::string(title).find(o.only) == std::string::npos) return;
        any = true;
        out << '\n' << title << '\n';
        print();
    };
    part("Figures 8 and 9, on the device", [&] {
        for (const std::string& precision : o.precision) {
            const DeviceStudy s = study(o, {"D3Q19", 19, true}, precision, foldedBoxOf(o, 512), rates, probe);
            printColumns(out, "D3Q19 bgk " + precision, titles);
            printColumns(out, "towers", speeds(s));
            printLimits(out, s);
            out << std::flush;
        }
    });
    part("Figure 11, values a node, on the device", [&] {
        printColumns(out, "bgk", titles);
        for (const std::string& precision : o.precision)
            for (const double nodes : {128., 256., 512.})
                for (const Shell& shell : shells()) {
                    const DeviceStudy s = study(o, shell, precision, foldedBoxOf(o, nodes), rates, probe);
                    printColumns(out, shell.name + (shell.solvesNavierStokes ? " " : "* ") + precision, speeds(s));
                    out << std::flush;
                }
    });
    part("Figures 10 and 12, a CPU and the device together", [&] { printHetero(out, all, probe); });
    if (!any) throw UsageError("--only " + o.only + ": no part of " + o.suite + " on a device holds it");
}

} // namespace lbm::bench
