// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Report.hpp"

#include "lbm/bench/Geometry.hpp"
#include "lbm/bench/GeometryJson.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

namespace lbm::bench {
namespace {

using Json = nlohmann::ordered_json;

Spread spread(std::vector<double> v)
{
    std::sort(v.begin(), v.end());
    const std::size_t half = v.size() / 2;
    return {v.size() % 2 ? v[half] : (v[half - 1] + v[half]) / 2, v.front(), v.back()};
}

template<class Value>
Spread spread(const Row& row, Value&& value)
{
    std::vector<double> v;
    for (const Sample& sample : row.samples) v.push_back(value(sample));
    return spread(std::move(v));
}

Spread bandwidth(const Row& row)
{
    return spread(row, [](const Sample& s) { return s.bandwidth; });
}
const char* word(const LinkValue& wall)
{
    return wall.kind == BoundaryKind::slip            ? "slip"
        : wall.kind == BoundaryKind::interpolatedWall ? "interpolated"
                                                      : "halfway";
}

std::string label(const Row& row)
{
    std::string text = shortName(row.kernel);
    if (row.wall.kind != BoundaryKind::wall) text.append(1, ' ').append(word(row.wall));
    if (row.config.nodeForces) text += " byNode";
    const int parts = partsOf(row.config);
    if (parts > 1) text += ' ' + std::to_string(parts) + " parts";
    if (row.config.ranks > 1) text += " on " + std::to_string(row.config.ranks) + " ranks";
    if (parts == 1 && !row.executor.empty()) text += " slabs";
    if (row.stepsOfPass > 1) text += ' ' + std::to_string(row.stepsOfPass) + " steps a pass";
    return text;
}

const char* word(Traffic traffic)
{
    return traffic == Traffic::memcpy ? "memcpy" : traffic == Traffic::copy ? "copy" : "inPlace";
}

Json json(const Spread& s) { return {{"median", s.median}, {"min", s.min}, {"max", s.max}}; }

Json json(const Row& row)
{
    const KernelRow& k = row.kernel;
    Json object = {{"name", name(k)},
                   {"lattice", k.lattice},
                   {"collision", k.collision},
                   {"closure", k.closure},
                   {"equilibrium", k.equilibrium},
                   {"storage", k.storage},
                   {"precision", k.precision},
                   {"device", k.device},
                   {"arithmetic", k.arithmetic},
                   {"tile", k.tile},
                   {"wall", word(row.wall)},
                   {"force", row.config.nodeForces ? "byNode" : "uniform"},
                   {"threads", row.threads},
                   {"devices", row.config.device},
                   {"parts", partsOf(row.config)},
                   {"ranks", row.config.ranks},
                   {"steps", row.steps},
                   {"repeats", row.samples.size()},
                   {"fluidNodes", row.tiling.fluidNodes},
                   {"porosity", row.porosity},
                   {"tilePorosity", row.tiling.tilePorosity},
                   {"tiles", row.tiling.tiles},
                   {"uniformTiles", row.tiling.uniformTiles},
                   {"nodesPerTile", row.tiling.nodesPerTile},
                   {"mlups", json(mlups(row))},
                   {"bytesPerNode", row.bytesPerNode()},
                   {"traffic", word(row.traffic)},
                   {"bandwidth", json(bandwidth(row))},
                   {"efficiency", json(efficiency(row))},
                   {"memory",
                    {{"populations", row.memory.populations},
                     {"geometry", row.memory.geometry},
                     {"ideal", row.memory.ideal},
                     {"perFluidNode", memoryPerFluidNode(row)}}},
                   {"executor", row.executor},
                   {"stepsOfPass", row.stepsOfPass},
                   {"setupSeconds", row.setupSeconds}};
    if (!row.read.empty()) object["read"] = json(spread(row.read));
    if (row.predicted)
        object["predicted"] = {{"memoryPerFluidNode", row.predicted->memory},
                               {"trafficPerFluidNode", row.predicted->traffic},
                               {"efficiency", row.predicted->efficiency()}};
    return object;
}

Json json(const std::vector<Row>& rows)
{
    Json list = Json::array();
    for (const Row& row : rows) list.push_back(json(row));
    return list;
}

[[noreturn]] void cannotWrite(const std::string& file, int error)
{
    throw std::runtime_error("cannot write " + file + ": " + std::strerror(error));
}

// What is no regular file (a device, a pipe, a link) is not replaced, but written to.
bool replaceable(const std::string& file)
{
    const std::filesystem::file_status status = std::filesystem::symlink_status(file);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

// A new file beside `file`, of a name that nobody has. By hand (mkstemp): std::filesystem does not make such names.
std::string makePart(const std::string& file)
{
    std::string part = file + ".XXXXXX";
    const int descriptor = mkstemp(part.data());
    if (descriptor < 0) cannotWrite(file, errno);
    fchmod(descriptor, 0644);
    close(descriptor);
    return part;
}

// A name that is not UTF-8 comes with U+FFFD in place of what is not.
std::string textOf(const Json& content) { return content.dump(1, ' ', false, Json::error_handler_t::replace) + '\n'; }

void fill(const std::string& target, const std::string& file, const std::string& text)
{
    errno = 0;
    std::ofstream out(target);
    if (out) out << text;
    out.close();
    if (!out) cannotWrite(file, errno ? errno : EIO);
}

// Of standard output and error, which goes there? Opened anew, a file would begin from its start again; -1: neither.
int standardDescriptor(const std::string& file)
{
    struct stat wanted, facts;
    if (stat(file.c_str(), &wanted) != 0) return -1;
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
        if (fstat(descriptor, &facts) == 0 && facts.st_dev == wanted.st_dev && facts.st_ino == wanted.st_ino)
            return descriptor;
    return -1;
}

void append(int descriptor, const std::string& file, const std::string& text)
{
    std::cout.flush();
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(descriptor, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR) cannotWrite(file, errno);
        if (n > 0) done += std::size_t(n);
    }
}

} // namespace

nlohmann::ordered_json geometryJson(const Options& o)
{
    const GeometryOptions options = optionsOf(o.geometry);
    Json object = {{"name", o.geometry}};
    if (options.width) object["width"] = o.width;
    else object["size"] = o.size;
    if (options.spheres) object.update({{"porosity", o.porosity}, {"diameter", o.diameter}, {"seed", o.seed}});
    return object;
}

// All of it or nothing where that can be: a file that takes its name when it is complete.
void writeWhole(const std::string& file, const std::string& text)
{
    if (const int descriptor = standardDescriptor(file); descriptor >= 0) return append(descriptor, file, text);
    if (!replaceable(file)) return fill(file, file, text);
    const std::string part = makePart(file);
    std::error_code error;
    try {
        fill(part, file, text);
        std::filesystem::rename(part, file, error);
        if (error) cannotWrite(file, error.value());
    } catch (const std::runtime_error&) {
        std::filesystem::remove(part, error);
        throw;
    }
}

std::string shortName(const KernelRow& k)
{
    const std::string closure = k.closure == uniformClosure().kernel ? "" : ' ' + k.closure;
    std::string text = k.lattice + ' ' + k.collision + closure + ' ' + k.equilibrium + ' ' + k.storage + ' '
        + k.precision + ' ' + k.tile;
    return k.arithmetic == "scalar" ? text + ' ' + k.arithmetic : text;
}

Spread mlups(const Row& row)
{
    return spread(row, [](const Sample& s) { return s.mlups; });
}

Spread efficiency(const Row& row)
{
    return spread(row, [&](const Sample& s) { return 1e6 * s.mlups * row.bytesPerNode() / s.bandwidth; });
}

double memoryPerFluidNode(const Row& row)
{
    return double(row.memory.populations + row.memory.geometry) / double(row.tiling.fluidNodes);
}

void listKernels(std::ostream& out, const std::vector<KernelRow>& kernels)
{
    constexpr int width[] = {8, 22, 13, 19, 17, 11, 8, 12, 0};
    const auto line = [&](const std::vector<std::string>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) out << std::left << std::setw(width[i]) << words[i];
        out << '\n';
    };
    line({"lattice", "collision", "closure", "equilibrium", "storage", "precision", "device", "arithmetic", "tile"});
    for (const KernelRow& k : kernels)
        line(
            {k.lattice, k.collision, k.closure, k.equilibrium, k.storage, k.precision, k.device, k.arithmetic, k.tile});
}

void printTable(std::ostream& out, const Options& options, const std::vector<Row>& rows)
{
    std::size_t width = 0;
    for (const Row& row : rows) width = std::max(width, label(row).size());

    out << "geometry " << options.geometry << ", size " << options.size << ", porosity " << std::setprecision(3)
        << rows.front().porosity << ", " << rows.front().tiling.fluidNodes << " fluid nodes\n"
        << "efficiency: MLUPS x bytes per node over the bandwidth measured around each repeat ("
        << rows.front().samples.size() << " repeats, medians)\n\n"
        << std::left << std::setw(int(width)) << "kernel" << std::right << std::setw(8) << "threads" << std::setw(9)
        << "MLUPS" << std::setw(18) << "min .. max" << std::setw(8) << "B/node" << std::setw(11) << "ceiling"
        << std::setw(7) << "GB/s" << std::setw(11) << "efficiency" << std::setw(10) << "memory/B" << std::setw(7)
        << "phi_t" << '\n';
    for (const Row& row : rows) {
        const Spread m = mlups(row);
        std::ostringstream range;
        range << std::fixed << std::setprecision(1) << m.min << " .. " << m.max;
        out << std::left << std::setw(int(width)) << label(row) << std::right << std::fixed << std::setw(8)
            << row.threads << std::setprecision(1) << std::setw(9) << m.median << std::setw(18) << range.str()
            << std::setw(8) << row.bytesPerNode() << std::setw(11) << word(row.traffic) << std::setw(7)
            << bandwidth(row).median * 1e-9 << std::setprecision(3) << std::setw(11) << efficiency(row).median
            << std::setprecision(0) << std::setw(10) << memoryPerFluidNode(row) << std::setprecision(2) << std::setw(7)
            << row.tiling.tilePorosity << '\n';
        if (!row.executor.empty()) out << "    " << row.executor << '\n';
        if (row.read.empty()) continue;
        const Spread read = spread(row.read);
        out << "    means of boxes of " << options.read << " nodes a side: " << std::setprecision(0) << read.median
            << " million nodes a second read (" << read.min << " .. " << read.max << ")\n";
    }
}

void checkWritable(const std::string& file)
{
    if (standardDescriptor(file) >= 0) return;
    if (replaceable(file)) {
        std::filesystem::remove(makePart(file));
        return;
    }
    // Opening a pipe would end whoever reads from it; a link may lead to what is yet to be made
    if (std::filesystem::exists(file) && access(file.c_str(), W_OK) != 0) cannotWrite(file, errno);
    if (std::filesystem::is_directory(file)) cannotWrite(file, EISDIR);
}

void writeJson(const std::string& file, const Options& options, const std::vector<Row>& rows)
{
    writeWhole(file,
               textOf({{"program", "lbmBench"},
                       {"format", 1},
                       {"geometry", geometryJson(options)},
                       {"tau", options.tau},
                       {"rows", json(rows)}}));
}

void writeSuiteJson(const std::string& file, const std::string& suite, const std::vector<Part>& parts)
{
    Json cases = Json::array();
    for (const Part& part : parts)
        cases.push_back({{"table", part.table},
                         {"name", part.name},
                         {"geometry", geometryJson(part.options)},
                         {"tau", part.options.tau},
                         {"rows", json(part.rows)}});
    writeWhole(file, textOf({{"program", "lbmBench"}, {"format", 1}, {"suite", suite}, {"cases", cases}}));
}

} // namespace lbm::bench
