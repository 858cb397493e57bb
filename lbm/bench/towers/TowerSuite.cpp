// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerSuite.hpp"

#include "lbm/bench/towers/TowerMeasure.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

#include <omp.h>

namespace lbm::bench {
namespace {

using model::NodeCost;
using Columns = std::vector<std::string>;

bool wasGiven(const Options& o, const char* name)
{
    return std::find(o.given.begin(), o.given.end(), name) != o.given.end();
}

std::string shown(double value, int digits)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

std::string sized(double bytes)
{
    const char* unit[] = {"B", "K", "M", "G"};
    int u = 0;
    for (; u < 3 && bytes >= 1000; ++u) bytes /= 1024;
    return shown(bytes, bytes < 10 && u > 0 ? 2 : 0) + unit[u];
}

void printColumns(std::ostream& out, const std::string& title, const Columns& columns)
{
    out << std::left << std::setw(24) << title << std::right;
    for (const std::string& text : columns) out << std::setw(11) << text;
    out << '\n';
}

NodeCost costOf(int values, int valueBytes)
{
    for (int shells = 0; shells < 8; ++shells)
        if (const NodeCost c = model::bgkCost(shells & 1, shells & 2, shells & 4, valueBytes); c.values == values)
            return c;
    throw std::logic_error("no shells have " + std::to_string(values) + " links");
}

void printTable1(std::ostream& out)
{
    printColumns(out, "velocities", {"values", "S/B", "FLOp", "a value", "O", "a value"});
    for (const int values : {1, 7, 9, 13, 15, 19, 21, 27}) {
        const NodeCost c = costOf(values, 4);
        printColumns(out, "D3Q" + std::to_string(values),
                     {shown(values, 0), shown(c.bytes, 0), shown(c.flop, 0), shown(c.flop / values, 1),
                      shown(c.operations, 0), shown(c.operations / values, 1)});
    }
}

// Printed: data of vectors of eight octants, and intensity.
void printTable2(std::ostream& out)
{
    const NodeCost c = costOf(19, 4);
    constexpr double k = 1024, M = k * k;
    struct Line {
        double m, steps, vector, intensity;
    };
    printColumns(out, "D3Q19 float, N = 256", {"loc.V", "paper", "AI", "paper", "AI of (3.3)"});
    printColumns(out, "cube of 512^3, 32", {"", "", shown(model::cubeIntensity(c, 32), 1), "69.6", ""});
    // The data of its ConeFold<32> are those of 16 steps
    for (const Line& p : {Line{32, 16, 69 * M, 9.6}, Line{16, 32, 26.7 * M, 6.2}, Line{8, 32, 5.6 * M, 3.7},
                          Line{4, 32, 1.04 * M, 2.5}, Line{2, 32, 152 * k, 2.2}})
        printColumns(out, "TorreFold<" + shown(p.m, 0) + ',' + shown(p.steps, 0) + '>',
                     {sized(model::footprintCells(p.m, p.steps) * c.bytes * 8), sized(p.vector),
                      shown(model::footprintIntensity(c, p.m, p.steps), 1), shown(p.intensity, 1),
                      shown(model::torreIntensity(c, p.m, p.steps), 1)});
    printColumns(
        out, "LRnLA cell",
        {sized(model::lrnlaCellCells * c.bytes * 8), "8.9K", shown(model::lrnlaCellIntensity(c), 1), "2.3", ""});
    printColumns(out, "cell", {sized(c.bytes * 8), "608B", shown(model::cellIntensity(c), 1), "1.1", ""});
    printColumns(out, "stepwise", {"", "", shown(c.intensity(), 1), "2.2", ""});
}

struct Machine {
    int threads;
    std::vector<model::MemoryLevel> levels;
};

void printLevels(std::ostream& out, const std::vector<Machine>& machines)
{
    for (const Machine& machine : machines)
        for (const model::MemoryLevel& level : machine.levels)
            printColumns(out, level.name + std::string(", ") + std::to_string(machine.threads) + " threads",
                         {level.bytes > 0 ? sized(level.bytes) : "", shown(1e-9 * level.bandwidth, 1) + " GB/s"});
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
    Study s{{{shell.name, precision, "bgk", size, fold, steps, o.tau}, shell, machine.threads, {}, {}}, 0, {}};
    measureTowers(s.row, o, probe);
    s.computed = tierMlups(s.row.towers, machine.threads);
    s.limits = model::towerLimits(costOf(shell.values, valueBytes), 8, fold, steps, machine.levels);
    return s;
}

Columns speeds(const Study& s, const std::string& paper)
{
    const double reached = median(s.row.mlups), roof = median(s.row.roof);
    return {std::to_string(s.row.towers.size),
            std::to_string(s.row.threads),
            shown(reached, 1),
            shown(1e-3 * reached * s.row.shell.values, 2),
            shown(s.peak(), 1),
            shown(reached / s.peak(), 2),
            shown(roof, 1),
            shown(reached / roof, 2),
            paper};
}

const Columns speedTitles = {"size", "threads", "MLUPS", "GPUPS", "model", "of model", "stepwise", "of that", "paper"};

// What it cannot be faster than at each level, MLUPS.
void printLimits(std::ostream& out, const Study& s)
{
    for (const model::TowerLimit& limit : s.limits)
        printColumns(out, "  TorreFold<" + shown(limit.m, 0) + ',' + std::to_string(s.row.towers.stepsAtOnce) + '>',
                     {sized(limit.footprint), "with", limit.level, shown(limit.bytesPerNode, 1) + " B",
                      shown(1e-6 * limit.updates, 1)});
    printColumns(out, "  tiers in L1", {"", "", "", "", shown(s.computed, 1)});
}

int boxOf(const Options& o, double nodes)
{
    const int whole = 2 * o.fold.front();
    return std::max(whole, int(std::lround(nodes * o.scale / whole)) * whole);
}

// Figures 7 to 9: one thread and all. Printed for 1 and 16 threads.
void printFigures8And9(std::ostream& out, const Options& o, const std::vector<Machine>& machines, Bandwidth& probe)
{
    for (const std::string& precision : o.precision)
        for (const Machine& machine : machines) {
            const Shell shell{"D3Q19", 19, true};
            const Study s = study(o, shell, precision, boxOf(o, 512), machine, probe);
            const bool paper = precision == "float" && (machine.threads == 1 || machine.threads == 16);
            printColumns(out, "D3Q19 bgk " + precision, speedTitles);
            printColumns(out, "towers", speeds(s, !paper ? "-" : machine.threads == 1 ? "230 x1" : "820 x16"));
            const double roof = median(s.row.roof);
            printColumns(out, "  stepwise, two passes", {shown(roof / 2, 1)});
            printColumns(out, "  steps to be fused", {shown(std::ceil(s.computed / roof), 0)});
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
                printColumns(out, shell.name + (shell.solvesNavierStokes ? " " : "* ") + precision, speeds(s, "-"));
                out << std::flush;
            }
}

Options ofSuite(const Options& base)
{
    for (const char* name : {"--storage", "--collision", "--equilibrium", "--device", "--json", "--model", "--wall",
                             "--force", "--parts", "--closure", "--arithmetic"})
        if (wasGiven(base, name)) throw UsageError(std::string(name) + " means nothing to --suite " + base.suite);
    Options o = base;
    if (!wasGiven(base, "--precision")) o.precision = {"float"};
    if (!wasGiven(base, "--fold")) o.fold = {32};
    if (!wasGiven(base, "--steps-at-once")) o.stepsAtOnce = {32};
    if (!wasGiven(base, "--repeats")) o.repeats = 3;
    if (o.threads.empty()) o.threads = {1, omp_get_max_threads()};
    if (o.fold.size() > 1 || o.stepsAtOnce.size() > 1)
        throw UsageError("--suite " + o.suite + ": one --fold, one --steps-at-once");
    return o;
}

} // namespace

void runTowerSuite(std::ostream& out, const Options& options)
{
    const Options o = ofSuite(options);
    out << o.suite << ": Levchenko & Perepelkina 2022, AMD Ryzen R9 5950X; n = " << o.fold.front()
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
