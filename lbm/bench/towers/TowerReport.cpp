// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/towers/TowerReport.hpp"

#include "lbm/bench/GeometryJson.hpp"
#include "lbm/bench/Report.hpp"
#include "lbm/bench/towers/TowerMeasure.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

#include <omp.h>

namespace lbm::bench {
namespace {

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

// Null for a cube of fluid.
std::shared_ptr<const Domain> domainOf(const Options& o, const std::vector<GeometrySource>& sources)
{
    if (o.geometry == "box" && o.length == 0) return nullptr;
    GeneratedCase made = makeGeometry(o, "D3Q19", sources);
    for (const Link& link : made.domain.links) {
        const NodeIndex there = made.domain.neighbour(made.domain.coordinates(link.node), directionOf(link.direction));
        if (there >= 0 && made.domain.fluid[there])
            throw UsageError("--towers: --geometry " + o.geometry
                             + " has walls between neighbouring nodes; towers have them at solid nodes alone");
    }
    made.domain.links = {};
    return std::make_shared<const Domain>(std::move(made.domain));
}

std::vector<TowerRow> rowsOf(const Options& o, const std::shared_ptr<const Domain>& domain)
{
    const bool all = std::find(o.given.begin(), o.given.end(), "--lattice") == o.given.end();
    const bool onHost = o.device == "cpu" || o.hetero;
    const std::vector<int> threads = !onHost ? std::vector<int>{1}
        : o.threads.empty()                  ? std::vector<int>{omp_get_max_threads()}
                                             : o.threads;
    const std::vector<int> folds = onHost ? o.fold : std::vector<int>{deviceFold};
    if (!all) checkLattices(o.lattice);
    std::vector<TowerRow> rows;
    for (const Shell& shell : shells()) {
        if (!all && std::find(o.lattice.begin(), o.lattice.end(), shell.name) == o.lattice.end()) continue;
        for (const std::string& precision : o.precision)
            for (const std::string& collision : o.collision)
                for (const int fold : folds)
                    for (const int steps : o.stepsAtOnce.empty() ? std::vector<int>{onHost ? fold : 32} : o.stepsAtOnce)
                        for (const int t : threads)
                            rows.push_back({{shell.name, precision, collision, o.size, fold, steps, o.tau, o.device,
                                             o.hetero, domain},
                                            shell,
                                            t,
                                            {},
                                            {}});
    }
    return rows;
}

void printHead(std::ostream& out, const Options& o, const TowerCase& c)
{
    const Int3 box = c.box();
    out << "LRnLA towers, quasi-compressible, geometry " << o.geometry << (c.hasWalls() ? ", walls at rest, " : ", ")
        << std::int64_t(c.fluidNodes()) << " fluid nodes of a box of " << box[0] << 'x' << box[1] << 'x' << box[2]
        << ".\nMLUPS of fluid nodes. stepwise: what the memory's bandwidth allows (in 19 streams, or a device's copies) to whoever reads and writes all populations once a step; * solves no Navier-Stokes equations\n\n";
    out << std::left << std::setw(28) << "kernel" << std::right;
    for (const char* title : {"n", "NT", "threads", "MLUPS", "GPUPS", "stepwise", "ratio", "B/node"})
        out << std::setw(10) << title;
    out << '\n' << std::fixed;
}

nlohmann::ordered_json json(const TowerRow& row, const Options& o)
{
    const TowerCase& c = row.towers;
    return {{"lattice", c.shell},
            {"collision", c.collision},
            {"equilibrium", "quasiCompressible"},
            {"storage", c.together ? "lrnlaHetero" : "lrnla"},
            {"precision", c.precision},
            {"device", c.device},
            {"fold", c.fold},
            {"stepsAtOnce", c.stepsAtOnce},
            {"threads", row.threads},
            {"size", c.size},
            {"geometry", geometryJson(o)},
            {"fluidNodes", std::int64_t(c.fluidNodes())},
            {"box", c.box()},
            {"mlups", row.mlups},
            {"stepwise", row.roof}};
}

} // namespace

void printTowers(std::ostream& out, const Options& options, const std::vector<GeometrySource>& sources)
{
    const auto column = [&](const auto& text, int width = 10) { out << std::setw(width) << text; };
    for (const char* name : {"--fold", "--threads"})
        if (options.device != "cpu" && !options.hetero && options.isGiven(name))
            throw UsageError("--towers: " + std::string(name) + " means nothing on a device: towers are of "
                             + std::to_string(deviceFold) + " cells a side there");
    if (!options.json.empty()) checkWritable(options.json);
    if (options.device != "cpu" && towerDevices(options).size() > 1 && !options.hetero)
        throw UsageError("--towers: --device " + options.device
                         + " names several; with --hetero alone they share a box");
    std::vector<TowerRow> rows = rowsOf(options, domainOf(options, sources));
    Bandwidth probe;
    for (TowerRow& row : rows) {
        measureTowers(row, options, probe);
        if (&row == &rows.front()) printHead(out, options, row.towers); // what does not fit has been refused by then
        const double mlups = median(row.mlups), roof = median(row.roof);
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
        column((towerBytes(row.towers) + row.wallBytes) / row.towers.fluidNodes());
        out << std::endl;
    }
    out << std::defaultfloat;
    if (options.json.empty()) return;
    nlohmann::ordered_json rowsOfAll = nlohmann::ordered_json::array();
    for (const TowerRow& row : rows) rowsOfAll.push_back(json(row, options));
    writeWhole(options.json,
               nlohmann::ordered_json{{"program", "lbmBench"}, {"format", 1}, {"towers", rowsOfAll}}.dump(1, ' ')
                   + '\n');
}

} // namespace lbm::bench
