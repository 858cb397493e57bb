// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Measure.hpp"

#include "lbm/api/HostMemory.hpp"
#include "lbm/api/NodeBoxes.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/geometry/BoxCut.hpp"
#include "lbm/solver/Devices.hpp"
#include "lbm/solver/PartCosts.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include <omp.h>

namespace lbm::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Cases = std::map<std::string, std::pair<std::shared_ptr<const Domain>, std::vector<LinkValue>>>;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Run {
    Row row;
    std::unique_ptr<Solver> solver;
};

// fluidNodes: of the domain of each lattice.
void checkMemory(const std::vector<Run>& runs, const std::map<std::string, double>& fluidNodes)
{
    double need = 0;
    for (const Run& run : runs)
        if (isOnHost(run.row.kernel)) // other devices say it themselves
            need += double(populationBytes(run.row.kernel, fluidNodes.at(run.row.config.lattice)));
    const auto have = double(availableMemory());
    if (need <= have) return;
    std::ostringstream message;
    message << "populations of all rows take at least " << need / 1e9 << " GB, " << have / 1e9
            << " GB are free: take a smaller --size or fewer rows";
    throw std::runtime_error(message.str());
}

// A flow without symmetry, so that nothing stays zero or denormal: waves along sums of the axes' phases, of which sines and cosines
// are looked up.
class StirringFlow {
public:
    explicit StirringFlow(const Domain& domain) : flat_(domain.dimensions == 2)
    {
        for (int a = 0; a < 3; ++a)
            for (int x = 0; x < domain.size[a]; ++x)
                waves_[a].push_back(waveAt(6.283185307179586 * x / domain.size[a]));
    }

    Macroscopic at(const Int3& node) const
    {
        const Wave &x = waves_[0][node[0]], &y = waves_[1][node[1]], &z = waves_[2][node[2]];
        const Wave xy = sum(x, y);
        Macroscopic m;
        m.density = 1 + 0.001 * sum(sum(xy, y), z).cosine;
        m.velocity = {0.02 * sum(y, one_).sine, 0.015 * sum(x, two_).sine, flat_ ? 0 : 0.01 * xy.cosine};
        return m;
    }

    // From the box's first node, by its ends along each axis.
    LinearState in(const NodeBox& box) const
    {
        LinearState s;
        s.origin = box.low;
        s.atOrigin = at(box.low);
        for (int a = 0; a < 3; ++a) {
            if (box.size[a] < 2) continue;
            Int3 end = box.low;
            end[a] += box.size[a] - 1;
            const Macroscopic there = at(end);
            s.densitySlope[a] = (there.density - s.atOrigin.density) / (box.size[a] - 1);
            for (int b = 0; b < 3; ++b)
                s.velocitySlope[a][b] = (there.velocity[b] - s.atOrigin.velocity[b]) / (box.size[a] - 1);
        }
        return s;
    }

private:
    struct Wave {
        double cosine, sine;
    };
    static Wave waveAt(double phase) { return {std::cos(phase), std::sin(phase)}; }
    static Wave sum(const Wave& a, const Wave& b)
    {
        return {a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
    }

    bool flat_;
    Wave one_ = waveAt(1), two_ = waveAt(2);
    std::vector<Wave> waves_[3];
};

// Boxes of nodes with a state each that is linear in them, as cases of lbmFoam start from their meshes' cells: states of nodes are made
// where the lattice lives. So small that waves as long as the domain stay waves; some layers of boxes at a time.
void stir(Solver& solver)
{
    constexpr Int3 most{32, 8, 4};
    constexpr int fewest = 64;
    constexpr std::int64_t atOnce = std::int64_t(1) << 18;
    const Domain& domain = solver.domain();
    const StirringFlow flow(domain);
    Int3 edge, count;
    for (int a = 0; a < 3; ++a) {
        edge[a] = int(std::bit_floor(unsigned(std::clamp(domain.size[a] / fewest, 1, most[a]))));
        count[a] = (domain.size[a] + edge[a] - 1) / edge[a];
    }
    const std::int64_t inLayer = std::int64_t(count[0]) * count[1], all = inLayer * count[2],
                       together = std::max(atOnce / inLayer, std::int64_t(1)) * inLayer;
    for (std::int64_t first = 0; first < all; first += together) {
        std::vector<NodeBox> boxes(std::size_t(std::min(together, all - first)));
        std::vector<std::uint8_t> has(boxes.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const std::int64_t n = first + std::int64_t(i);
            const Int3 at{int(n % count[0]), int(n / count[0] % count[1]), int(n / inLayer)};
            for (int a = 0; a < 3; ++a) {
                boxes[i].low[a] = at[a] * edge[a];
                boxes[i].size[a] = std::min(edge[a], domain.size[a] - boxes[i].low[a]);
            }
            has[i] = fluidNodes(domain, boxes[i]) > 0;
        }
        NodeBoxes wet;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            if (has[i]) wet.boxes.push_back(boxes[i]);
        if (wet.boxes.empty()) continue;
        std::vector<LinearState> states(wet.boxes.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < states.size(); ++i) states[i] = flow.in(wet.boxes[i]);
        solver.initialise(wet, states.data());
    }
}

// Planes of slip have a normal: that of the box's side which a link leaves through.
void setNormals(Solver& solver, const std::vector<LinkValue>& patches)
{
    const Domain& domain = solver.domain();
    for (std::size_t p = 0; p < patches.size(); ++p) {
        if (patches[p].kind != BoundaryKind::slip) continue;
        std::vector<LinkValue> values;
        for (const Link& link : domain.links) {
            if (link.patch != std::int16_t(p)) continue;
            const Int3 x = domain.coordinates(link.node), c = directionOf(link.direction);
            LinkValue value = patches[p];
            for (int a = 2; a >= 0; --a)
                if (x[a] + c[a] < 0 || x[a] + c[a] >= domain.size[a]) {
                    value.velocity = {0, 0, 0};
                    value.velocity[a] = c[a];
                }
            values.push_back(value);
        }
        solver.setBoundary(int(p), values.data(), values.size());
    }
}

// Where kernels take values by node: such that differ everywhere and follow the flow in nothing.
void tellNodes(Solver& solver, const Config& config)
{
    const bool byNode = findClosure(config.closure)->byNode;
    if (!byNode && !config.nodeForces) return;
    const Domain& domain = solver.domain();
    std::vector<NodeIndex> nodes;
    std::vector<double> taus, forces;
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        if (!domain.fluid[i]) continue;
        const Int3 x = domain.coordinates(i);
        const double wave = std::sin(0.05 * x[0] + 0.07 * x[1] + 0.03 * x[2]);
        nodes.push_back(i);
        taus.push_back(0.5 + (config.tau - 0.5) * (1 + 0.5 * wave));
        for (int a = 0; a < 3; ++a) forces.push_back(a < domain.dimensions ? 1e-6 * wave : 0);
    }
    if (byNode) solver.setRelaxationTimes(nodes.data(), nodes.size(), taus.data());
    if (config.nodeForces) solver.setForces(nodes.data(), nodes.size(), forces.data());
}

void setUp(Run& run, const Cases& cases)
{
    Row& row = run.row;
    const auto& [domain, patches] = cases.at(row.config.lattice);
    row.config.patches = patches;
    for (LinkValue& patch : row.config.patches)
        if (patch.kind == BoundaryKind::wall) patch = row.wall;
    const auto start = Clock::now();
    run.solver = makeSolver(domain, row.config);
    row.setupSeconds = since(start);
    setNormals(*run.solver, row.config.patches);
    tellNodes(*run.solver, row.config);
    stir(*run.solver);
    row.tiling = run.solver->tiling();
    row.memory = run.solver->memory();
    row.executor = run.solver->executor();
    // Slabs spare the link, not the device's memory
    row.stepsOfPass = row.executor.empty() ? run.solver->stepsOfPass() : 1;
    row.porosity = domain->porosity();
}

void predict(std::vector<Run>& runs, const Cases& cases)
{
    for (const auto& [lattice, made] : cases) {
        model::Predictor predictor(*made.first);
        for (Run& run : runs) {
            const Config& config = run.row.config;
            if (config.lattice != lattice || !model::Predictor::knows(run.row.kernel)) continue;
            const bool oneByOne =
                partsOf(config) > 1 ? !partsPassOverBox(run.row.kernel, *made.first, config) : hasForces(config);
            run.row.predicted = predictor.predict(run.row.kernel, foundAround(config).any(), oneByOne);
        }
    }
}

int stepsFor(Run& run, int wanted)
{
    const int stepsOfPass = run.solver->stepsOfPass();
    run.solver->advance(2); // pages, caches, thread pool
    // Parts know from then on how they step
    run.row.executor = run.solver->executor();
    if (run.solver->stepsOfPass() != stepsOfPass) run.row.stepsOfPass = run.solver->stepsOfPass();
    if (wanted > 0) return wanted;
    const auto start = Clock::now();
    run.solver->advance(2);
    const double seconds = since(start) / 2;
    return 2 * std::clamp(int(std::lround(0.17 / std::max(seconds, 1e-6))), 1, 50000);
}

// By all ranks, which are taken to be on this host.
std::vector<std::string> devicesInUse(const Config& config)
{
    if (config.ranks == 1) return devicesOf(config);
    std::set<std::string> words;
    for (int rank = 0; rank < config.ranks; ++rank)
        for (const std::string& word : devicesOfRank(config, {rank, config.ranks})) words.insert(word);
    return {words.begin(), words.end()};
}

void measureOnce(Run& run, Bandwidth& probe)
{
    Row& row = run.row;
    const auto bandwidth = [&] {
        return row.traffic == Traffic::memcpy ? deviceBandwidth(devicesInUse(row.config))
                                              : probe.measure(row.traffic, row.streams, row.valueBytes, row.threads);
    };
    const double before = bandwidth();
    const auto start = Clock::now();
    run.solver->advance(row.steps);
    const double seconds = since(start);
    row.samples.push_back({1e-6 * double(row.tiling.fluidNodes) * row.steps / seconds, (before + bandwidth()) / 2});
}

// As fields of a mesh with such cells are read.
NodeBoxes meansOf(const Domain& domain, int edge)
{
    NodeBoxes boxes;
    NodeBox box;
    for (box.low[2] = 0; box.low[2] < domain.size[2]; box.low[2] += edge)
        for (box.low[1] = 0; box.low[1] < domain.size[1]; box.low[1] += edge)
            for (box.low[0] = 0; box.low[0] < domain.size[0]; box.low[0] += edge) {
                for (int a = 0; a < 3; ++a) box.size[a] = std::min(edge, domain.size[a] - box.low[a]);
                if (const std::int64_t n = fluidNodes(domain, box); n > 0) {
                    box.weight = 1 / double(n);
                    boxes.boxes.push_back(box);
                }
            }
    return boxes;
}

void readMeans(Run& run, int edge, int repeats)
{
    const auto set = run.solver->place(meansOf(run.solver->domain(), edge));
    std::vector<double> values(set->size() * valuesOf(Reading::flow));
    run.solver->sample(*set, Reading::flow, values.data()); // memory to work in
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto start = Clock::now();
        run.solver->sample(*set, Reading::flow, values.data());
        run.row.read.push_back(1e-6 * double(run.row.tiling.fluidNodes) / since(start));
    }
}

} // namespace

std::vector<Row> measure(const Options& options, const std::vector<Config>& configs,
                         const std::vector<GeometrySource>& sources, Predict ask)
{
    std::vector<Run> runs;
    bool recorded = false, planes = false;
    for (const Config& config : configs) {
        Run run;
        run.row.config = config;
        run.row.kernel = findKernel(config);
        run.row.wall = config.patches.front();
        recorded = recorded || run.row.wall.kind != BoundaryKind::wall;
        planes = planes || run.row.wall.kind == BoundaryKind::slip;
        run.row.threads = config.threads ? config.threads : omp_get_max_threads();
        const StoredState stored = storedState(run.row.kernel);
        run.row.streams = stored.values;
        run.row.valueBytes = stored.valueBytes;
        // A pattern that holds every value twice moves it from one copy to the other.
        run.row.traffic = !isOnHost(run.row.kernel) ? Traffic::memcpy
            : stored.copies == 2                    ? Traffic::copy
                                                    : Traffic::inPlace;
        runs.push_back(std::move(run));
    }

    // Before anything large is made, and again when the fluid nodes have been counted.
    std::map<std::string, double> fluidNodes;
    for (const std::string& lattice : options.lattice) fluidNodes[lattice] = expectedFluidNodes(options, lattice);
    checkMemory(runs, fluidNodes);
    Cases cases;
    for (const std::string& lattice : options.lattice) {
        GeneratedCase made = makeGeometry(options, lattice, sources);
        if (recorded) recordWalls(made, latticeDirections(lattice), planes);
        fluidNodes[lattice] = double(made.domain.fluidNodes());
        cases[lattice] = {std::make_shared<const Domain>(std::move(made.domain)), std::move(made.patches)};
    }
    checkMemory(runs, fluidNodes);
    if (ask == Predict::yes) predict(runs, cases);
    for (Run& run : runs) setUp(run, cases);
    for (Run& run : runs) run.row.steps = stepsFor(run, options.steps);

    Bandwidth probe;
    for (int repeat = 0; repeat < options.repeats; ++repeat)
        for (Run& run : runs) measureOnce(run, probe);
    for (Run& run : runs)
        if (options.read > 0) readMeans(run, options.read, options.repeats);

    std::vector<Row> rows;
    for (Run& run : runs) {
        if (run.solver->health(1).bad >= 0)
            throw std::runtime_error(name(run.row.kernel) + ": the flow is not finite after the run");
        rows.push_back(std::move(run.row));
    }
    return rows;
}

} // namespace lbm::bench
