// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/SuiteRun.hpp"

#include "lbm/bench/ModelReport.hpp"
#include "lbm/bench/OpeningCost.hpp"
#include "lbm/bench/Report.hpp"
#include "lbm/bench/towers/TowerSuite.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

namespace lbm::bench {
namespace {

bool given(const Options& o, const char* name)
{
    return std::find(o.given.begin(), o.given.end(), name) != o.given.end();
}

Options optionsOf(const SuiteCase& c, const Options& base)
{
    Options o = base;
    o.geometry = c.geometry;
    o.width = c.size;
    o.size = std::max(1, int(std::lround(c.size * base.scale)));
    if (c.spheres > 0) o.porosity = c.spheres;
    o.diameter = std::min(o.diameter, double(o.size));
    o.lattice = {c.lattice};
    if (!c.tiles.empty()) o.tile = c.tiles;
    if (!given(base, "--storage")) o.storage = c.storages;
    if (!given(base, "--collision")) o.collision = c.collisions;
    if (!given(base, "--equilibrium")) o.equilibrium = c.equilibria;
    if (!given(base, "--precision")) o.precision = c.precisions;
    return o;
}

const Published* published(const SuiteCase& c, const KernelRow& row)
{
    const auto fits = [](const std::string& word, const std::string& wanted) { return word.empty() || word == wanted; };
    for (const Published& p : c.published)
        if (fits(p.storage, row.storage) && fits(p.collision, row.collision) && fits(p.equilibrium, row.equilibrium))
            return &p;
    return nullptr;
}

std::string fixed(double value, int digits, bool known = true)
{
    std::ostringstream text;
    if (known) text << std::fixed << std::setprecision(digits) << value;
    else text << '-';
    return text.str();
}

void printLine(std::ostream& out, const std::string& kernel, const std::vector<std::string>& columns)
{
    out << std::left << std::setw(52) << kernel << std::right;
    for (const std::string& text : columns) out << std::setw(10) << text;
    out << '\n';
}

void printRow(std::ostream& out, const SuiteCase& c, const Row& row)
{
    const Published* paper = published(c, row.kernel);
    const double reached = efficiency(row).median, theirs = paper ? paper->utilisation : 0;
    const bool predicted = row.predicted.has_value();
    printLine(out, shortName(row.kernel),
              {fixed(mlups(row).median, 1), fixed(reached, 3),
               fixed(predicted ? row.predicted->efficiency() : 0, 3, predicted && row.predicted->share > 0),
               fixed(paper ? paper->mlups : 0, 1, paper), fixed(theirs, 3, theirs > 0),
               fixed(reached / theirs, 2, theirs > 0), fixed(memoryPerFluidNode(row), 1),
               fixed(predicted ? row.predicted->memory : 0, 1, predicted), fixed(row.tiling.tilePorosity, 3)});
}

// Kernels of a case that this build holds; the storages of the others.
std::vector<Config> available(const Options& o, std::set<std::string>& missing)
{
    std::vector<Config> configs;
    for (const Config& config : o.configs()) {
        try {
            findKernel(config);
            configs.push_back(config);
        } catch (const UnknownKernel&) {
            missing.insert(config.storage + ' ' + config.collision);
        }
    }
    return configs;
}

// Rows that share all but their storage are measured in turns; more at once might not fit into memory.
std::vector<Row> measureCase(const Options& o, const std::vector<Config>& configs,
                             const std::vector<GeometrySource>& sources)
{
    std::map<std::array<std::string, 3>, std::vector<Config>> groups;
    for (const Config& c : configs) groups[{c.precision, c.collision, c.equilibrium}].push_back(c);
    std::vector<Row> rows;
    for (const auto& [words, group] : groups)
        for (Row& row : measure(o, group, sources, Predict::yes)) rows.push_back(std::move(row));
    return rows;
}

} // namespace

void runSuite(std::ostream& out, const Options& options, const std::vector<GeometrySource>& sources)
{
    const Suite& suite = findSuite(options.suite);
    if (suite.towers) return runTowerSuite(out, options);
    if (!options.json.empty()) checkWritable(options.json);
    out << suite.name << ": " << suite.paper << "; their utilisation is " << suite.utilisation
        << ", ours of the bandwidth measured around each repeat\n";
    std::vector<Part> parts;
    std::set<std::string> missing;
    bool any = false;
    for (const SuiteCase& c : suite.cases) {
        if ((c.table + ' ' + c.name).find(options.only) == std::string::npos) continue;
        any = true;
        const Options o = optionsOf(c, options);
        out << '\n' << c.table << ", " << c.name << '\n';
        if (!c.model.empty())
            printOverheads(out, makeGeometry(o, c.lattice, sources).domain, c.lattice, c.model.front());
        const std::vector<Config> configs = available(o, missing);
        if (options.model || configs.empty()) continue;
        parts.push_back({c.table, c.name, o, measureCase(o, configs, sources)});
        printLine(out, std::to_string(parts.back().rows.front().tiling.fluidNodes) + " fluid nodes",
                  {"MLUPS", "utilised", "model", "paper", "utilised", "ratio", "memory/B", "model", "phi_t"});
        for (const Row& row : parts.back().rows) printRow(out, c, row);
        if (c.openings) printOpeningCost(out, makeGeometry(o, c.lattice, sources), c.lattice, parts.back().rows);
        out << std::flush;
    }
    if (!any) throw UsageError("--only " + options.only + ": no case of " + suite.name + " holds it");
    if (!missing.empty()) {
        out << "\nleft out, for this build or device has no such kernels:";
        for (const std::string& word : missing) out << ' ' << word << ';';
        out << '\n';
    }
    if (!options.model && parts.empty())
        throw UsageError("--suite " + suite.name + ": no kernel of it is in this build");
    if (!options.json.empty()) writeSuiteJson(options.json, suite.name, parts);
}

} // namespace lbm::bench
