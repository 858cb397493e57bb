// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/ModelReport.hpp"

#include "lbm/api/Storage.hpp"
#include "lbm/bench/format.hpp"
#include "lbm/bench/Report.hpp"
#include "lbm/bench/ScalingReport.hpp"
#include "lbm/model/Prediction.hpp"
#include "lbm/model/TileOffsets.hpp"
#include "lbm/model/TileOrder.hpp"

#include <algorithm>
#include <ostream>
#include <set>

namespace lbm::bench {
namespace {

using namespace lbm::model;

struct Named {
    const char* name;
    Method method;
};

const Named methods[] = {{"TGB", Method::ghostBuffers},
                         {"T2C", Method::twoCopies},
                         {"FIA", Method::fluidIndex},
                         {"CM", Method::connectivity},
                         {"ideal FIA", Method::idealFluidIndex},
                         {"ideal CM", Method::idealConnectivity},
                         {"dense", Method::dense}};

void printTiling(std::ostream& out, const Domain& domain, const KernelRow& row, const Tiling& t)
{
    out << format(
        "tiles %s: %lld of %lld kept, %lld of them without a wall, tile porosity %.3f, alpha_M %.3f, alpha_B %.3f\n",
        row.tile.c_str(), static_cast<long long>(t.tiles), static_cast<long long>(t.allTiles),
        static_cast<long long>(t.plainTiles), t.tilePorosity(), t.alphaM, t.alphaB);
    constexpr std::int64_t nearTiles = 256;
    const TileChoice offset = bestTileOffset(domain, t.extents);
    const TileOrder order = compareOrders(domain, t.extents, nearTiles);
    out << format(
        "  better tilings: grid begins (%d %d %d) before the first fluid node: tile porosity %.3f; neighbours within %d "
        "tiles %.3f row by row, %.3f along a Morton curve\n",
        offset.offset[0], offset.offset[1], offset.offset[2], offset.porosity, int(nearTiles), order.rows, order.curve);
}

// Of published methods, with the tile of a row.
void printMethods(std::ostream& out, const KernelRow& row, const Tiling& t)
{
    Sizes sizes;
    sizes.value = valueBytes(row);
    const SparseCase c = sparseCase(t, latticeDirections(row.lattice), sizes);
    out << format("\noverheads, %s %s, tile %s\n%-12s%10s%10s%14s\n", row.lattice.c_str(), row.precision.c_str(),
                  row.tile.c_str(), "method", "memory", "traffic", "transactions");
    for (const Named& m : methods) {
        const TrafficOverhead traffic = trafficOverhead(m.method, c);
        out << format("%-12s%10.3f%10.3f%14.3f\n", m.name, memoryOverhead(m.method, c).sum(), traffic.ideal(),
                      traffic.burst());
    }
}

// Of closures that share kernels one may look at velocities around nodes.
bool looksAround(const Options& options, const KernelRow& row)
{
    const auto configs = options.configs();
    return std::any_of(configs.begin(), configs.end(), [&](const Config& config) {
        return config.collision == row.collision && findClosure(config.closure)->kernel == row.closure
            && foundAround(config).any();
    });
}

void printPrediction(std::ostream& out, const KernelRow& row, Predictor& predictor, double fluidNodes, bool around)
{
    if (!Predictor::knows(row)) {
        out << format("%-52s  no equations\n", shortName(row).c_str());
        return;
    }
    constexpr double sector = 32;
    const Prediction p = predictor.predict(row, around);
    out << format("%-52s%10.1f%10.1f%10.3f%14.0f", shortName(row).c_str(), p.memory, p.traffic, p.overhead(),
                  p.traffic * fluidNodes / sector);
    out << (p.share > 0 ? format("%12.3f\n", p.efficiency()) : format("%12s\n", "-"));
}

// Each once, however many walls, threads and parts there are. A row of a device that this build has no kernels for is planned with if
// its tile is named.
std::vector<KernelRow> rowsToPlan(const Options& options)
{
    std::vector<KernelRow> rows;
    const auto add = [&](const KernelRow& row) {
        const auto same = [&](const KernelRow& r) { return name(r) == name(row) && r.tile == row.tile; };
        if (std::none_of(rows.begin(), rows.end(), same)) rows.push_back(row);
    };
    for (const Config& config : options.configs()) {
        const std::string device = config.device.substr(0, config.device.find(':'));
        const bool built =
            std::any_of(kernels().begin(), kernels().end(), [&](const KernelRow& row) { return row.device == device; });
        if (built || config.tile.empty() || !findStorage(device, config.storage)) add(findKernel(config));
        else
            add({config.lattice, config.collision, std::string(findClosure(config.closure)->kernel), config.equilibrium,
                 config.storage, config.precision, device, "simt", config.tile});
    }
    return rows;
}

std::vector<KernelRow> rowsOn(const std::vector<KernelRow>& rows, const std::string& lattice)
{
    std::vector<KernelRow> own;
    for (const KernelRow& row : rows)
        if (row.lattice == lattice) own.push_back(row);
    return own;
}

} // namespace

void printModel(std::ostream& out, const Options& options, const std::vector<GeometrySource>& sources)
{
    const std::vector<KernelRow> rows = rowsToPlan(options);
    for (const std::string& lattice : options.lattice) {
        GeneratedCase made = makeGeometry(options, lattice, sources);
        const LinkValue wall = options.configs().front().patches.front();
        if (wall.kind != BoundaryKind::wall)
            recordWalls(made, latticeDirections(lattice), wall.kind == BoundaryKind::slip);
        const Domain& domain = made.domain;
        Predictor predictor(domain);
        out << "geometry " << options.geometry << ": " << domain.size[0] << " x " << domain.size[1] << " x "
            << domain.size[2] << " nodes, " << domain.fluidNodes() << " fluid, porosity "
            << format("%.3f", domain.porosity()) << '\n';
        if (options.isGiven("--parts")) {
            printScaling(out, options, made, rowsOn(rows, lattice));
            continue;
        }
        std::set<std::string> tiles;
        for (const KernelRow& row : rows)
            if (row.lattice == lattice && tiles.insert(row.tile).second)
                printTiling(out, domain, row, predictor.tiling(row));
        std::set<std::string> shown;
        for (const KernelRow& row : rows)
            if (row.lattice == lattice && shown.insert(row.precision + row.tile).second)
                printMethods(out, row, predictor.tiling(row));
        out << format("\n%-52s%10s%10s%10s%14s%12s\n", "kernel; bytes a fluid node", "memory", "traffic", "overhead",
                      "32 B a step", "efficiency");
        for (const KernelRow& row : rows)
            if (row.lattice == lattice)
                printPrediction(out, row, predictor, double(domain.fluidNodes()), looksAround(options, row));
        out << '\n';
    }
}

void printOverheads(std::ostream& out, const Domain& domain, const std::string& lattice, const PublishedModel& paper)
{
    const bool flat = domain.dimensions == 2;
    const auto directions = latticeDirections(lattice);
    const Tiling t = measureTiling(domain, flat ? Int3{16, 16, 1} : Int3{4, 4, 4}, directions);
    const SparseCase c = sparseCase(t, directions, Sizes());
    const auto line = [&](const char* whose, double phi, double phiT, double alphaM,
                          const std::array<double, 4>& memory, const std::array<double, 4>& traffic, double burst) {
        out << format("%-7s%6.2f%7.2f%9.2f  |%6.2f%6.2f%6.2f%6.2f |%7.3f%7.3f%7.3f%7.3f |%7.3f\n", whose, phi, phiT,
                      alphaM, memory[0], memory[1], memory[2], memory[3], traffic[0], traffic[1], traffic[2],
                      traffic[3], burst);
    };
    std::array<double, 4> memory, traffic;
    for (int m = 0; m < 4; ++m) {
        memory[m] = memoryOverhead(methods[m].method, c).sum();
        traffic[m] = trafficOverhead(methods[m].method, c).ideal();
    }
    out << "Table 1: phi  phi_t  alpha_M  | memory TGB  T2C  FIA  CM | traffic TGB  T2C    FIA    CM | transactions ("
        << (flat ? "TGB" : "T2C") << ")\n";
    line("ours", t.porosity(), t.tilePorosity(), t.alphaM, memory, traffic,
         trafficOverhead(flat ? Method::ghostBuffers : Method::twoCopies, c).burst());
    line("paper", paper.porosity, paper.tilePorosity, paper.alphaM, paper.memory, paper.traffic, paper.burst);
    out << format("paper, transactions measured: %.3f\n", paper.measured);
}

} // namespace lbm::bench
