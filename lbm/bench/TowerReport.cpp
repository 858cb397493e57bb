// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/TowerReport.hpp"

#include "lbm/bench/Measure.hpp"
#include "lbm/bench/TowerKernels.hpp"
#include "lbm/lattice/Lattice.hpp"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <ostream>
#include <sstream>

#include <omp.h>

namespace lbm::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct TowerRow {
    TowerCase towers;
    Shell shell;
    int threads;
    std::vector<double> mlups, roof; // of each repeat: reached, and what the memory allows one step at a time
};

double median(std::vector<double> v)
{
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
}

void checkLattices(const std::vector<std::string>& names)
{
    const std::vector<Shell> built = shells();
    std::string list;
    for (const Shell& shell : built) list += ' ' + shell.name;
    for (const std::string& name : names)
        if (std::none_of(built.begin(), built.end(), [&](const Shell& shell) { return shell.name == name; }))
            throw UsageError("--towers: --lattice " + name + " is none of" + list
                             + (built.size() == 1 ? " (a build with LBM_KERNELS=all has more)" : ""));
}

std::vector<TowerRow> rowsOf(const Options& o)
{
    const bool all = std::find(o.given.begin(), o.given.end(), "--lattice") == o.given.end();
    const std::vector<int> threads = o.threads.empty() ? std::vector<int>{omp_get_max_threads()} : o.threads;
    if (!all) checkLattices(o.lattice);
    std::vector<TowerRow> rows;
    for (const Shell& shell : shells()) {
        if (!all && std::find(o.lattice.begin(), o.lattice.end(), shell.name) == o.lattice.end()) continue;
        for (const std::string& precision : o.precision)
            for (const std::string& collision : o.collision)
                for (const int fold : o.fold)
                    for (const int steps : o.stepsAtOnce.empty() ? std::vector<int>{fold} : o.stepsAtOnce)
                        for (const int t : threads)
                            rows.push_back(
                                {{shell.name, precision, collision, o.size, fold, steps, o.tau}, shell, t, {}, {}});
    }
    return rows;
}

void checkMemory(const TowerCase& c)
{
    const double need = towerBytes(c), have = double(freeMemory());
    if (have == 0 || need <= have) return;
    std::ostringstream message;
    message << "towers of " << c.shell << " take " << need / 1e9 << " GB, " << have / 1e9
            << " GB are free: take a smaller --size or --steps-at-once";
    throw std::runtime_error(message.str());
}

void measureRow(TowerRow& row, const Options& o, Bandwidth& probe)
{
    const int valueBytes = row.towers.precision == "float" ? 4 : 8;
    const double nodes = double(o.size) * o.size * o.size;
    checkMemory(row.towers);
    const auto box = makeTowers(row.towers);
    const std::int64_t steps = o.steps > 0 ? o.steps : row.towers.stepsAtOnce;
    box->advance(steps, row.threads); // pages, caches, thread pool
    for (int repeat = 0; repeat < o.repeats; ++repeat) {
        const double bandwidth = probe.measure(Traffic::inPlace, D3Q19::Q, valueBytes, row.threads);
        const auto start = Clock::now();
        box->advance(steps, row.threads);
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        row.mlups.push_back(1e-6 * nodes * double(steps) / seconds);
        row.roof.push_back(1e-6 * bandwidth / (2.0 * row.shell.values * valueBytes));
    }
    if (!box->finite()) throw std::runtime_error("LRnLA " + row.shell.name + ": the flow is not finite after the run");
}

void printHead(std::ostream& out, int size)
{
    out << "LRnLA towers, quasi-compressible, periodic box of " << size
        << " nodes a side. stepwise: MLUPS that the memory's bandwidth\n"
           "allows, in 19 streams, to whoever reads and writes all populations once a step; * solves no Navier-Stokes equations\n\n";
    out << std::left << std::setw(28) << "kernel" << std::right;
    for (const char* title : {"n", "NT", "threads", "MLUPS", "GPUPS", "stepwise", "ratio", "B/node"})
        out << std::setw(10) << title;
    out << '\n' << std::fixed;
}

} // namespace

void printTowers(std::ostream& out, const Options& options)
{
    const auto column = [&](const auto& text, int width = 10) { out << std::setw(width) << text; };
    std::vector<TowerRow> rows = rowsOf(options);
    Bandwidth probe;
    for (TowerRow& row : rows) {
        try {
            measureRow(row, options, probe);
        } catch (const std::invalid_argument& fault) {
            throw UsageError(std::string("--towers: ") + fault.what());
        }
        if (&row == &rows.front()) printHead(out, options.size); // what does not fit has been refused by then
        const double mlups = median(row.mlups), roof = median(row.roof),
                     nodes = double(options.size) * options.size * options.size;
        out << std::left;
        column(row.shell.name + (row.shell.solvesNavierStokes ? "" : "*") + ' ' + row.towers.collision + ' '
                   + row.towers.precision,
               28);
        out << std::right;
        for (const int number : {row.towers.fold, row.towers.stepsAtOnce, row.threads}) column(number);
        out << std::setprecision(1);
        column(mlups);
        out << std::setprecision(2);
        column(1e-3 * mlups * row.shell.values);
        out << std::setprecision(1);
        column(roof);
        out << std::setprecision(2);
        column(mlups / roof);
        out << std::setprecision(1);
        column(towerBytes(row.towers) / nodes);
        out << std::endl;
    }
    out << std::defaultfloat;
}

} // namespace lbm::bench
