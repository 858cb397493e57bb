// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerSuite.hpp"

#include "lbm/bench/Suites.hpp"
#include "lbm/bench/towers/TowerDeviceSuite.hpp"
#include "lbm/bench/towers/TowerMeasure.hpp"
#include "lbm/bench/towers/TowerTables.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <omp.h>

namespace lbm::bench {
namespace {

struct Machine {
    int threads;
    std::vector<model::MemoryLevel> levels;
};

void printLevels(std::ostream& out, const std::vector<Machine>& machines)
{
    for (const Machine& machine : machines)
        for (const model::MemoryLevel& level : machine.levels)
            printLevel(out, level.name + std::string(", ") + std::to_string(machine.threads) + " threads",
                       level.bytes > 0 ? sized(level.bytes) : "", level.bandwidth);
}

struct Study {
    TowerRow row;
    double computed; // MLUPS of tiers alone
    std::vector<model::TowerLimit> limits;

    double peak() const { return 1e-6 * model::towerPeak(limits, 1e6 * computed); }
};

Study study(const Options& o, const Shell& shell, const std::string& precision, int size, const Machine& machine,
            Bandwidth& probe)
{
    const int fold = o.fold.front(), steps = o.stepsAtOnce.front(), valueBytes = precision == "float" ? 4 : 8;
    Study s{
        {{shell.name, precision, "bgk", size, fold, steps, o.tau, o.device}, shell, machine.threads, {}, {}}, 0, {}};
    measureTowers(s.row, o, probe);
    s.computed = tierMlups(s.row.towers, machine.threads);
    s.limits = model::towerLimits(shellCost(shell.values, valueBytes), 8, fold, steps, machine.levels);
    return s;
}

Columns speeds(const Study& s)
{
    const double reached = median(s.row.mlups), roof = median(s.row.roof);
    return {std::to_string(s.row.towers.size),
            std::to_string(s.row.threads),
            withDigits(reached, 1),
            withDigits(1e-3 * reached * s.row.shell.values, 2),
            withDigits(s.peak(), 1),
            withDigits(reached / s.peak(), 2),
            withDigits(roof, 1),
            withDigits(reached / roof, 2)};
}

const Columns speedTitles = {"size", "threads", "MLUPS", "GPUPS", "model", "of model", "stepwise", "of that"};

// What it cannot be faster than at each level, MLUPS.
void printLimits(std::ostream& out, const Study& s)
{
    for (const model::TowerLimit& limit : s.limits)
        printLimit(out, "TorreFold<" + withDigits(limit.m, 0) + ',' + std::to_string(s.row.towers.stepsAtOnce) + '>',
                   sized(limit.footprint), limit.level, limit.bytesPerNode, 1e-6 * limit.updates);
    printColumns(out, "  tiers in L1", {"", "", "", "", withDigits(s.computed, 1)});
}

int boxOf(const Options& o, double nodes)
{
    const int whole = 2 * o.fold.front();
    return std::max(whole, int(std::lround(nodes * o.scale / whole)) * whole);
}

// Figures 7 to 9: one thread and all.
void printFigures8And9(std::ostream& out, const Options& o, const std::vector<Machine>& machines, Bandwidth& probe)
{
    for (const std::string& precision : o.precision)
        for (const Machine& machine : machines) {
            const Shell shell{"D3Q19", 19, true};
            const Study s = study(o, shell, precision, boxOf(o, 512), machine, probe);
            const PaperSpeed& paper = machine.threads == 1 ? paperFigure8 : paperFigure9;
            printColumns(out, "D3Q19 bgk " + precision, speedTitles);
            printColumns(out, "towers", speeds(s));
            if (precision == "float")
                printColumns(
                    out, "  the paper's",
                    {"512", std::to_string(paper.threads), withDigits(paper.mlups, 1), withDigits(paper.gpups, 2)});
            const double roof = median(s.row.roof);
            printColumns(out, "  stepwise, two passes", {withDigits(roof / 2, 1)});
            const std::string fused =
                machine.threads == 1 ? "" : "the paper's: " + std::to_string(paperFusedSteps) + ", of 16 threads";
            printColumns(out, "  steps to be fused", {withDigits(std::ceil(s.computed / roof), 0), ' ' + fused});
            printLimits(out, s);
            out << std::flush;
        }
}

void printFigure11(std::ostream& out, const Options& o, const Machine& machine, Bandwidth& probe)
{
    printColumns(out, "bgk", speedTitles);
    for (const std::string& precision : o.precision)
        for (const double nodes : {128., 256., 512.})
            for (const Shell& shell : shells()) {
                const Study s = study(o, shell, precision, boxOf(o, nodes), machine, probe);
                printColumns(out, shell.name + (shell.solvesNavierStokes ? " " : "* ") + precision, speeds(s));
                out << std::flush;
            }
}

Options ofSuite(const Options& base)
{
    for (const char* name : {"--storage", "--collision", "--equilibrium", "--json", "--model", "--wall", "--force",
                             "--parts", "--closure", "--arithmetic"})
        if (base.isGiven(name)) throw UsageError(std::string(name) + " means nothing to --suite " + base.suite);
    Options o = base;
    if (!base.isGiven("--precision")) o.precision = {"float"};
    if (!base.isGiven("--fold")) o.fold = {32};
    if (!base.isGiven("--steps-at-once")) o.stepsAtOnce = {32};
    if (!base.isGiven("--repeats")) o.repeats = 3;
    if (o.threads.empty()) o.threads = {1, omp_get_max_threads()};
    if (o.fold.size() > 1 || o.stepsAtOnce.size() > 1)
        throw UsageError("--suite " + o.suite + ": one --fold, one --steps-at-once");
    return o;
}

} // namespace

void runTowerSuite(std::ostream& out, const Options& options)
{
    const Options o = ofSuite(options);
    if (o.device != "cpu") return printDeviceSuite(out, o);
    out << o.suite << ": " << findSuite(o.suite).paper << "; n = " << o.fold.front()
        << ", NT = " << o.stepsAtOnce.front() << "; limits and speeds in MLUPS; * solves no Navier-Stokes equations\n";
    bool any = false;
    const auto part = [&](const char* title, auto&& print) {
        if (std::string(title).find(o.only) == std::string::npos) return;
        any = true;
        out << '\n' << title << '\n';
        print();
    };
    part("Table 1, operations of BGK in single precision", [&] { printTable1(out); });
    part("Table 2, data and intensity", [&] { printTable2(out); });
    std::vector<Machine> machines;
    Bandwidth probe;
    const auto measured = [&]() -> const std::vector<Machine>& {
        if (machines.empty())
            for (const int threads : o.threads) machines.push_back({threads, measureLevels(threads, probe)});
        return machines;
    };
    part("Levels of memory", [&] { printLevels(out, measured()); });
    part("Figures 7, 8 and 9", [&] { printFigures8And9(out, o, measured(), probe); });
    part("Figure 11, values a node", [&] { printFigure11(out, o, measured().back(), probe); });
    if (!any) throw UsageError("--only " + o.only + ": no part of " + o.suite + " holds it");
}

} // namespace lbm::bench
