// Periodic boxes without walls, which a GPU takes several steps a pass through: large ones, for small ones go step by step.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/StepChoice.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/geometry/BoxCut.hpp"
#include "lbm/model/Prediction.hpp"
#include "lbm/storage/BlockReach.hpp"
#include "tests/built.hpp"
#include "tests/equivalence/Scenarios.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#endif

namespace lbm::test {
namespace {

// Not all columns of a pass have all their rows in the box, nor all pieces of them all their layers.
std::shared_ptr<const Domain> periodicBox(const Int3& size)
{
    auto domain = std::make_shared<Domain>();
    domain->dimensions = size[2] == 1 ? 2 : 3;
    domain->size = size;
    domain->periodic = {true, true, size[2] > 1};
    domain->fluid = BitSet(domain->nodes(), true);
    return domain;
}

Config configOf(const std::string& device, const std::string& precision, const std::string& tile)
{
    Config config;
    config.lattice = "D3Q19";
    config.collision = "regularized";
    config.equilibrium = "incompressible";
    config.storage = device == "cpu" ? "ab" : "moments";
    config.device = device;
    config.precision = precision;
    config.tile = tile;
    config.tau = 0.6;
    return config;
}

// No symmetry, and every wave that a step could get wrong.
std::vector<Macroscopic> statesOf(const Domain& domain, const std::vector<NodeIndex>& nodes)
{
    std::vector<Macroscopic> states(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Int3 x = domain.coordinates(nodes[i]);
        const auto wave = [&](int a, int b, int c) {
            return std::sin(0.7 * a * x[0] + 0.9 * b * x[1] + 1.1 * c * x[2]);
        };
        states[i].density = 1 + 0.004 * wave(1, 2, -1);
        states[i].velocity = {0.03 * wave(3, 1, 2), 0.02 * wave(1, -2, 2),
                              domain.dimensions == 2 ? 0 : 0.025 * wave(2, 1, 1)};
    }
    return states;
}

std::vector<double> populationsAt(const Solver& solver, const std::vector<NodeIndex>& looked)
{
    std::vector<double> values(looked.size() * solver.directions());
    solver.getPopulations(looked.data(), looked.size(), values.data());
    return values;
}

// steps: of the calls of advance, one after the other.
std::vector<double> after(const std::vector<int>& steps, Solver& solver, const std::vector<NodeIndex>& nodes,
                          const std::vector<Macroscopic>& states, const std::vector<NodeIndex>& looked)
{
    solver.initialise(nodes.data(), nodes.size(), states.data());
    for (const int n : steps) solver.advance(n);
    return populationsAt(solver, looked);
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::isfinite(a[i]) ? std::abs(a[i] - b[i]) : 1);
    return most;
}

} // namespace

#ifdef LBM_CUDA
namespace {

// Waves of x and y velocity along z, which decay as by diffusion; no two layers are alike.
struct Shear {
    Int3 size;
    double viscosity;

    Macroscopic at(int z, double time) const
    {
        Macroscopic m;
        const auto add = [&](int a, double speed, int number, double phase) {
            const double k = 2 * std::numbers::pi * number / size[2], u = speed * std::exp(-viscosity * k * k * time);
            m.velocity[a] += u * std::sin(k * z + phase);
            m.strainRate[a == 0 ? 2 : 4] += 0.5 * u * k * std::cos(k * z + phase);
        };
        add(0, 0.02, 1, 0.3);
        add(0, 0.03, size[2] / 32, 0);
        add(1, 0.02, 2, 1);
        add(1, 0.02, size[2] / 48, 0);
        return m;
    }
};

// Some nodes of a layer after the other: of all there is no list.
void fill(Solver& solver, const Shear& flow)
{
    const NodeIndex layer = NodeIndex(flow.size[0]) * flow.size[1];
    std::vector<NodeIndex> nodes(1 << 18);
    std::vector<Macroscopic> states(nodes.size());
    for (int z = 0; z < flow.size[2]; ++z) {
        std::fill(states.begin(), states.end(), flow.at(z, 0));
        for (NodeIndex first = 0; first < layer; first += NodeIndex(nodes.size())) {
            std::iota(nodes.begin(), nodes.end(), layer * z + first);
            solver.initialise(nodes.data(), std::min(nodes.size(), std::size_t(layer - first)), states.data());
        }
    }
}

// Of the mean velocity of some nodes of each layer, at other places in each; over the fastest one's speed.
double largestError(const Solver& solver, const Shear& flow, double time)
{
    constexpr int looked = 256;
    std::vector<NodeIndex> nodes;
    for (int z = 0; z < flow.size[2]; ++z)
        for (int i = 0; i < looked; ++i)
            nodes.push_back(solver.domain().index((7 * z + 5 * i) % flow.size[0], (11 * z + 3 * i) % flow.size[1], z));
    std::vector<Macroscopic> states(nodes.size());
    solver.sample(nodes.data(), nodes.size(), states.data());
    double most = 0;
    for (int z = 0; z < flow.size[2]; ++z) {
        const Macroscopic expected = flow.at(z, time);
        for (int a = 0; a < 3; ++a) {
            double mean = 0;
            for (int i = 0; i < looked; ++i) mean += states[std::size_t(z) * looked + i].velocity[a] / looked;
            most = std::max(most, std::isfinite(mean) ? std::abs(mean - expected.velocity[a]) : 1);
        }
    }
    return most / 0.05;
}

} // namespace

// Numbers of nodes and of values go beyond 32 bits in all that a step, access to nodes and health do. The largest box that fits: of
// more nodes than 2^32, or than 2^31. Each row in a box of its own.
TEST(Boxes, countBeyondWhat32BitsDo)
{
    SKIP_WITHOUT_DEVICE();
    const std::size_t memory = cuda::Device("cuda").freeBytes();
    int rows = 0;
    for (const KernelRow& row : kernels()) {
        if (row.device != "cuda" || row.lattice != "D3Q19" || row.collision != "regularized"
            || row.closure != "constant" || row.equilibrium != "incompressible" || row.storage != "moments16Single")
            continue;
        int n = 0;
        for (const int longest : {1632, 1312})
            if (n == 0 && 20.5 * std::pow(longest, 3) < double(memory)) n = longest;
        if (n == 0) GTEST_SKIP() << "of 46 GB of a device's memory there are " << double(memory) / 1e9;
        ++rows;
        Config config = configOf("cuda", row.precision, row.tile);
        config.storage = row.storage;
        config.tau = 0.8;
        const auto solver = makeSolver(periodicBox({n, n, n}), config);
        ASSERT_GT(solver->domain().nodes(), NodeIndex(INT32_MAX));
        const Shear flow{{n, n, n}, (config.tau - 0.5) / 3};
        fill(*solver, flow);
        EXPECT_LT(largestError(*solver, flow, 0), 2e-3) << name(row); // what 16 bits make of it
        solver->advance(60);
        EXPECT_LT(largestError(*solver, flow, 60), 5e-3) << name(row);
        EXPECT_GT(largestError(*solver, flow, 0), 0.05) << name(row); // the decay is seen
        const Health health = solver->health(1);
        EXPECT_EQ(health.nodes, solver->domain().nodes());
        EXPECT_LT(health.bad, 0);
        EXPECT_LT(std::abs(health.excess) / double(health.nodes), 1e-6) << name(row);
        const Int3 fastest = solver->domain().coordinates(health.fastest);
        const Vec3 u = flow.at(fastest[2], 60).velocity;
        EXPECT_NEAR(health.maxSpeed, std::hypot(u[0], u[1]), 2e-3) << name(row);
    }
    if (rows == 0) GTEST_SKIP() << "no moments16Single in this build";
}

// By where nodes lie in the whole, whatever parts have them, over three events of steps. Where a part does not begin with a tile of the whole, populations
// that cross a tile's sides there do not do so here, and kernels find them by other instructions: the same where products and sums are kept apart.
TEST(Boxes, roundSixteenBitsAlikeInParts)
{
    SKIP_WITHOUT_DEVICE();
    auto domain = std::make_shared<Domain>(*periodicBox({96, 48, 64}));
    for (NodeIndex i = 0; i < domain->nodes(); i += 29) domain->fluid.clear(i);
    std::vector<NodeIndex> nodes;
    domain->fluid.forEachIn(0, domain->nodes(), [&](std::int64_t i) { nodes.push_back(i); });
    const std::vector<Macroscopic> states = statesOf(*domain, nodes);
    std::vector<CutNumbers> cuts = {{{1, 2, 1}}, {{1, 1, 4}}, {{3, 1, 1}}};
#ifdef LBM_EXACT
    for (const Int3& pieces : {Int3{2, 1, 1}, Int3{1, 5, 1}, Int3{1, 1, 3}, Int3{2, 2, 3}}) cuts.push_back({pieces});
#endif
    int rows = 0;
    for (const KernelRow& row : kernels()) {
        if (row.device != "cuda" || row.lattice != "D3Q19" || row.closure != "constant"
            || storageOf(row).valueBytes != 2)
            continue;
        ++rows;
        Config config = configOf("cuda", row.precision, row.tile);
        config.storage = row.storage;
        config.collision = row.collision;
        config.equilibrium = row.equilibrium;
        const std::vector<double> whole = after({1, 2, 5}, *makeSolver(domain, config), nodes, states, nodes);
        for (const CutNumbers& numbers : cuts) {
            config.cuts = numbers;
            config.parts = int(numbers.count());
            const std::vector<double> found = after({1, 2, 5}, *makeSolver(domain, config), nodes, states, nodes);
            EXPECT_TRUE(found == whole) << name(row) << ", " << numbers.pieces[0] << " x " << numbers.pieces[1] << " x "
                                        << numbers.pieces[2] << ": " << largestDifference(whole, found);
        }
    }
    if (rows == 0) GTEST_SKIP() << "no moments of 16 bits in this build";
}

// Half of the floor is interpolated in the step. So many columns of tiles that those with such walls are stepped apart from the others;
// of parts, to which they are compared, they are not.
TEST(Boxes, stepRunsWithWallsApart)
{
    SKIP_WITHOUT_DEVICE();
    if (cuda::Device("cuda").freeBytes() < std::size_t(20e9)) GTEST_SKIP() << "20 GB of a device's memory are needed";
    auto domain = std::make_shared<Domain>(*periodicBox({1024, 1280, 32}));
    domain->periodic[2] = false;
    domain->patches = {"floor"};
    for (NodeIndex i = 0; i < NodeIndex(domain->size[0]) * domain->size[1]; ++i)
        for (std::uint8_t d = 0; d < 9; ++d) {
            const Int3 c = directionOf(d), x = domain->coordinates(i);
            if (c[2] < 0 && c[0] * c[1] == 0 && x[0] < domain->size[0] / 2)
                domain->links.push_back({i, 0.3f, std::int16_t(0), d});
        }
    domain->check();
    const Shear flow{domain->size, 0.1};
    std::vector<NodeIndex> looked;
    for (NodeIndex i = 0; i < domain->nodes(); i += 97) looked.push_back(i);
    int rows = 0;
    for (const KernelRow& row : kernels()) {
        if (row.device != "cuda" || row.storage != "moments" || row.lattice != "D3Q19" || row.closure != "constant"
            || row.equilibrium != "incompressible" || row.tile.rfind("32x", 0) != 0)
            continue;
        ++rows;
        Config config = configOf("cuda", row.precision, row.tile);
        config.collision = row.collision;
        config.patches.resize(1);
        config.patches[0].kind = BoundaryKind::interpolatedWall;
        const auto valuesOf = [&](int parts) {
            config.parts = parts;
            const auto solver = makeSolver(domain, config);
            fill(*solver, flow);
            solver->advance(5);
            std::vector<double> values(looked.size() * solver->directions());
            solver->getPopulations(looked.data(), looked.size(), values.data());
            return values;
        };
        EXPECT_LT(largestDifference(valuesOf(1), valuesOf(2)), row.precision == "double" ? 1e-15 : 3e-7) << name(row);
    }
    if (rows == 0) GTEST_SKIP() << "no moments with rows of 32 nodes in this build";
}
#endif

// A box that no third cache is thought to hold. A force is for steps one by one.
TEST(Boxes, takeBlocksOnACpu)
{
    const auto domain = periodicBox({128, 80, 128});
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    std::vector<NodeIndex> looked;
    for (std::size_t i = 0; i < nodes.size(); i += 5) looked.push_back(nodes[i]); // no divisor of an extent
    const std::vector<Macroscopic> states = statesOf(*domain, nodes);
    Config config = configOf("cpu", "double", "");
    SKIP_IF_LEFT_OUT(config);
    const auto plain = makeSolver(domain, config);
    config.storage = "moments";
    config.arithmetic.clear();
    SKIP_IF_LEFT_OUT(config);
    config.threads = 2;
    EXPECT_EQ(makeSolver(domain, config)->stepsOfPass(), 1); // what is not asked for keeps its bits
    config.blocks = true;
    const auto solver = makeSolver(domain, config);
    ASSERT_GT(solver->stepsOfPass(), 1); // how many is the second cache's matter
    const MemoryUse held = solver->memory();
    EXPECT_NEAR(double(expectedMemory(*domain, config).populations) / double(held.populations), 1, 0.05);
    const std::vector<double> expected = after({7, 2}, *plain, nodes, states, looked);
    const std::vector<double> own = after({7, 2}, *solver, nodes, states, looked);
    EXPECT_LT(largestDifference(own, expected), 1e-15);
    EXPECT_EQ(after({7, 2}, *solver, nodes, states, looked), own);
    EXPECT_LT(largestDifference(after({1, 3, 5}, *solver, nodes, states, looked), own), 1e-15);

    const auto pushed = [&](Solver& s) {
        s.setForce({1e-4, 0, 2e-5});
        s.advance(9);
        return populationsAt(s, looked);
    };
    const std::vector<double> others = pushed(*plain);
    EXPECT_LT(largestDifference(pushed(*solver), others), 1e-15);
    EXPECT_GT(largestDifference(others, expected), 1e-5);
    EXPECT_GT(solver->stepsOfPass(), 1);
    EXPECT_GT(makeSolver(periodicBox({64, 64, 64}), config)->stepsOfPass(), 1); // yes is yes, be it small
    EXPECT_EQ(makeSolver(periodicBox({60, 64, 64}), config)->stepsOfPass(), 1);
    EXPECT_NE(blocksObstacle(*periodicBox({60, 64, 64}), config).find("60 nodes along x"), std::string::npos);
    EXPECT_EQ(blocksObstacle(*domain, config), "");
}

// In two dimensions pieces are cut along y.
TEST(Boxes, takeBlocksInAPlaneOnACpu)
{
    const auto domain = periodicBox({1536, 640, 1});
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    std::vector<NodeIndex> looked;
    for (std::size_t i = 0; i < nodes.size(); i += 7) looked.push_back(nodes[i]);
    const std::vector<Macroscopic> states = statesOf(*domain, nodes);
    Config config = configOf("cpu", "double", "");
    config.lattice = "D2Q9";
    SKIP_IF_LEFT_OUT(config);
    const auto plain = makeSolver(domain, config);
    config.storage = "moments";
    config.arithmetic.clear();
    SKIP_IF_LEFT_OUT(config);
    config.threads = 2;
    config.blocks = true;
    EXPECT_EQ(blocksObstacle(*domain, config), "");
    const auto solver = makeSolver(domain, config);
    ASSERT_GT(solver->stepsOfPass(), 1);
    EXPECT_NEAR(double(expectedMemory(*domain, config).populations) / double(solver->memory().populations), 1, 0.05);
    const std::vector<double> expected = after({7, 2}, *plain, nodes, states, looked);
    EXPECT_LT(largestDifference(after({7, 2}, *solver, nodes, states, looked), expected), 1e-15);
    const auto pushed = [&](Solver& s) {
        s.setForce({1e-4, 2e-5, 0});
        s.advance(9);
        return populationsAt(s, looked);
    };
    const std::vector<double> others = pushed(*plain);
    EXPECT_LT(largestDifference(pushed(*solver), others), 1e-15);
    EXPECT_GT(largestDifference(others, expected), 1e-5);
    EXPECT_NE(blocksObstacle(*periodicBox({1540, 640, 1}), config).find("1540 nodes along x"), std::string::npos);
    EXPECT_NE(blocksObstacle(*periodicBox({64, 4, 1}), config).find("4 rows along y"), std::string::npos);
}

namespace {

// A duct along x with a block of solid nodes in the fluid; each side is a patch. Rows are no whole registers.
std::shared_ptr<const Domain> duct(const Int3& size)
{
    auto domain = std::make_shared<Domain>();
    domain->size = size;
    domain->patches = {"in", "out", "before", "behind", "below", "above", "column"};
    domain->fluid = BitSet(domain->nodes(), true);
    const auto inColumn = [&](const Int3& x) {
        return std::abs(x[0] - size[0] / 3) < 9 && std::abs(x[1] - size[1] / 2) < 7
            && std::abs(x[2] - size[2] / 2) < 30;
    };
    for (NodeIndex i = 0; i < domain->nodes(); ++i) domain->fluid.set(i, !inColumn(domain->coordinates(i)));
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        for (int code = 0; code < 27 && domain->fluid[i]; ++code) {
            const Int3 c = directionOf(std::uint8_t(code)), x = domain->coordinates(i);
            const NodeIndex end = domain->neighbour(x, c);
            if (code == 13 || (end >= 0 && domain->fluid[end])) continue;
            int patch = 6;
            for (int a = 0; a < 3 && patch == 6; ++a)
                if (x[a] + c[a] < 0) patch = 2 * a;
                else if (x[a] + c[a] >= size[a]) patch = 2 * a + 1;
            domain->links.push_back({i, 0.3F, std::int16_t(patch), std::uint8_t(code)});
        }
    domain->check();
    return domain;
}

} // namespace

// What an opening imposes may change between runs; to let sound out through one that did not begin so ends blocks, not the run.
TEST(Boxes, takeBlocksWithOpeningsOnACpu)
{
    const auto domain = duct({134, 80, 128});
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    std::vector<NodeIndex> looked;
    for (std::size_t i = 0; i < nodes.size(); i += 5) looked.push_back(nodes[i]);
    const std::vector<Macroscopic> states = statesOf(*domain, nodes);
    Config config = configOf("cpu", "double", "");
    config.patches.resize(7);
    config.patches[0].kind = BoundaryKind::velocity;
    config.patches[0].velocity = {0.03, 0, 0.004};
    config.patches[1].kind = BoundaryKind::pressure;
    config.patches[1].density = 0.998;
    for (int side = 2; side < 6; ++side) {
        config.patches[side].kind = BoundaryKind::movingWall;
        config.patches[side].velocity = {0.01 * side, side < 4 ? 0 : 0.02, side < 4 ? -0.015 : 0};
    }
    config.patches[6].kind = BoundaryKind::interpolatedWall;
    config.patches[6].scheme = WallScheme::linear;
    SKIP_IF_LEFT_OUT(config);
    const auto plain = makeSolver(domain, config);
    config.storage = "moments";
    config.threads = 2;
    config.blocks = true;
    SKIP_IF_LEFT_OUT(config);
    const auto solver = makeSolver(domain, config);
    ASSERT_GT(solver->stepsOfPass(), 1);
    EXPECT_NEAR(double(expectedMemory(*domain, config).populations) / double(solver->memory().populations), 1, 0.05);
    const std::vector<double> expected = after({9, 2}, *plain, nodes, states, looked);
    EXPECT_LT(largestDifference(after({9, 2}, *solver, nodes, states, looked), expected), 1e-15);

    std::vector<LinkValue> in(linksPerPatch(*domain)[0], config.patches[0]);
    for (const double recovery : {0.0, 0.02}) {
        for (LinkValue& value : in) {
            value.velocity[0] = 0.05;
            value.recovery = recovery;
        }
        for (Solver* s : {plain.get(), solver.get()}) {
            s->setBoundary(0, in.data(), in.size());
            s->advance(5);
        }
        EXPECT_GT(solver->stepsOfPass(), 1);
        EXPECT_LT(largestDifference(populationsAt(*solver, looked), populationsAt(*plain, looked)), 1e-15);
    }
    EXPECT_GT(largestDifference(populationsAt(*plain, looked), expected), 1e-3);
    // A wall that becomes an opening ends blocks, not the run
    in.assign(linksPerPatch(*domain)[3], config.patches[3]);
    for (LinkValue& value : in) value.kind = BoundaryKind::velocity;
    for (Solver* s : {plain.get(), solver.get()}) {
        s->setBoundary(3, in.data(), in.size());
        s->advance(5);
    }
    EXPECT_EQ(solver->stepsOfPass(), 1);
    EXPECT_LT(largestDifference(populationsAt(*solver, looked), populationsAt(*plain, looked)), 1e-15);

    config.patches[6].scheme = WallScheme::quadratic; // draws on a second node behind
    EXPECT_EQ(makeSolver(domain, config)->stepsOfPass(), 1);
    EXPECT_NE(blocksObstacle(*domain, config).find("patch column is a quadratic wall"), std::string::npos);
}

// By rates that are told in place of measured ones.
TEST(Boxes, takeBlocksWhereTheyAreFaster)
{
    Config config = configOf("cpu", "double", "");
    config.storage = "moments";
    config.arithmetic.clear();
    config.threads = 2;
    config.blocks = true; // what the choice begins with does not count
    SKIP_IF_LEFT_OUT(config);
    const auto domain = periodicBox({128, 80, 128});
    int asked = 0;
    const auto choose = [&](const Domain& d, const Config& c, const StepWish& run, std::vector<double> rates) {
        return chooseSteps(d, c, run,
                           [&](std::shared_ptr<const Domain> sample, const std::vector<Config>& ways, int n) {
                               ++asked;
                               EXPECT_EQ(ways.size(), rates.size());
                               EXPECT_GT(sample->fluidNodes(), 0);
                               EXPECT_LE(sample->nodes(), d.nodes() + 16 * sample->size[0] * sample->size[2]);
                               EXPECT_GT(n, 1);
                               return rates;
                           });
    };
    const StepWish run{1e6, 100, false};
#ifdef LBM_EXACT
    const StepChoice exact = choose(*domain, config, run, {});
    EXPECT_FALSE(exact.config.blocks);
    EXPECT_NE(exact.reason.find("last bit"), std::string::npos) << exact.reason;
    EXPECT_EQ(asked, 0);
    return;
#endif
    const StepChoice faster = choose(*domain, config, run, {100e6, 120e6});
    EXPECT_TRUE(faster.config.blocks);
    EXPECT_NE(faster.reason.find("moments in blocks; measured"), std::string::npos) << faster.reason;
    EXPECT_NE(faster.reason.find("120 MLUPS"), std::string::npos) << faster.reason;
    EXPECT_FALSE(choose(*domain, config, run, {170e6, 140e6}).config.blocks);
    EXPECT_FALSE(choose(*domain, config, run, {100e6, 104e6}).config.blocks); // not worth it
    EXPECT_EQ(asked, 3);

    // Storage is free, too
    Config populations = config;
    populations.storage = "aa";
    SKIP_IF_LEFT_OUT(populations);
    const StepWish any{1e6, 100, true};
    const StepChoice given = choose(*domain, populations, run, {100e6, 150e6});
    EXPECT_EQ(given.config.storage, "aa");
    EXPECT_TRUE(given.config.blocks);
    EXPECT_FALSE(choose(*domain, populations, run, {100e6, 0}).config.blocks);
    EXPECT_EQ(asked, 5);
    const StepChoice blocks = choose(*domain, populations, any, {100e6, 150e6, 170e6, 175e6});
    EXPECT_EQ(blocks.config.storage, "moments");
    EXPECT_TRUE(blocks.config.blocks);
    const StepChoice inRows = choose(*domain, populations, any, {100e6, 150e6, 170e6, 180e6});
    EXPECT_EQ(inRows.config.storage, "aa");
    EXPECT_TRUE(inRows.config.blocks);
    const StepChoice plain = choose(*domain, populations, any, {100e6, 150e6, 130e6, 140e6});
    EXPECT_EQ(plain.config.storage, "moments");
    EXPECT_FALSE(plain.config.blocks);
    EXPECT_EQ(choose(*domain, populations, any, {160e6, 150e6, 130e6, 140e6}).config.storage, "aa");
    EXPECT_EQ(asked, 9);

    // A third of the box is no fluid: what blocks gain is lost there
    const auto walled = duct({134, 80, 128});
    config.patches.assign(7, LinkValue{});
    EXPECT_FALSE(choose(*walled, config, run, {100e6, 106e6}).config.blocks);
    EXPECT_TRUE(choose(*walled, config, run, {100e6, 200e6}).config.blocks);
    EXPECT_EQ(asked, 11);

    // Nothing is measured in vain
    config.patches.clear();
    const auto refused = [&](const Domain& d, const StepWish& w) { return choose(d, config, w, {}).reason; };
    EXPECT_NE(refused(*periodicBox({64, 64, 64}), run).find("caches"), std::string::npos);
    EXPECT_NE(refused(*domain, {100, 100, false}).find("too short"), std::string::npos);
    EXPECT_NE(refused(*domain, {1e6, 1, false}).find("one by one"), std::string::npos);
    EXPECT_NE(refused(*periodicBox({132, 80, 128}), run).find("132 nodes along x"), std::string::npos);
    EXPECT_EQ(asked, 11);
}

// The sample is of two dimensions, too, in whole pieces along y.
TEST(Boxes, takeBlocksInAPlaneWhereTheyAreFaster)
{
#ifdef LBM_EXACT
    GTEST_SKIP() << "blocks are not chosen where kernels agree to the last bit";
#endif
    Config config = configOf("cpu", "double", "");
    config.lattice = "D2Q9";
    config.storage = "moments";
    config.arithmetic.clear();
    config.threads = 2;
    SKIP_IF_LEFT_OUT(config);
    const auto domain = periodicBox({2048, 3000, 1});
    std::shared_ptr<const Domain> seen;
    const auto choose = [&](const Domain& d, double inBlocks) {
        return chooseSteps(d, config, {1e6, 100, false},
                           [&](std::shared_ptr<const Domain> sample, const std::vector<Config>&, int) {
                               seen = sample;
                               return std::vector<double>{100e6, inBlocks};
                           });
    };
    EXPECT_TRUE(choose(*domain, 120e6).config.blocks);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->dimensions, 2);
    EXPECT_EQ(seen->size[0], 2048);
    EXPECT_EQ(seen->size[2], 1);
    EXPECT_LE(seen->size[1], 3000);
    EXPECT_GE(double(seen->nodes()) * 6 * sizeof(double), 48 << 20);
    EXPECT_EQ(blocksObstacle(*seen, config), "");
    EXPECT_FALSE(choose(*domain, 104e6).config.blocks);
    const StepChoice small = choose(*periodicBox({1024, 1024, 1}), 120e6);
    EXPECT_FALSE(small.config.blocks);
    EXPECT_NE(small.reason.find("50 MB of moments are less than 101 MB"), std::string::npos) << small.reason;
}

// Measured ones are speeds, whatever they are: of the sample's updates each.
TEST(Boxes, measureStepsBothWays)
{
    Config config = configOf("cpu", "double", "");
    config.storage = "moments";
    config.arithmetic.clear();
    SKIP_IF_LEFT_OUT(config);
    Config blocks = config;
    blocks.blocks = true;
    const std::vector<double> rates = measureSteps(periodicBox({64, 32, 32}), {config, blocks}, 6);
    ASSERT_EQ(rates.size(), 2u);
    for (const double rate : rates) EXPECT_TRUE(rate > 1e3 && rate < 1e12) << rate;
    EXPECT_EQ(measureSteps(periodicBox({60, 32, 32}), {config, blocks}, 6)[1], 0); // 60 nodes are no whole registers
}

namespace {

// All fluid; each side that is not periodic is a patch.
std::shared_ptr<const Domain> fullBox(const Int3& size, const std::array<bool, 3>& periodic)
{
    auto domain = std::make_shared<Domain>();
    domain->size = size;
    domain->periodic = periodic;
    domain->patches = {"west", "east", "before", "behind", "below", "above"};
    domain->fluid = BitSet(domain->nodes(), true);
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        for (int code = 0; code < 27; ++code) {
            const Int3 c = directionOf(std::uint8_t(code)), x = domain->coordinates(i);
            if (code == 13 || domain->neighbour(x, c) >= 0) continue;
            int patch = -1;
            for (int a = 0; a < 3; ++a)
                if (!periodic[a] && x[a] + c[a] < 0) patch = 2 * a;
                else if (!periodic[a] && x[a] + c[a] >= size[a]) patch = 2 * a + 1;
            domain->links.push_back({i, 0.5F, std::int16_t(patch), std::uint8_t(code)});
        }
    domain->check();
    return domain;
}

} // namespace

// Of storage aa: the order of rows alone differs, whoever has which, so that neither calls nor threads show in the digits.
TEST(Boxes, takeBlocksOfPopulationsOnACpu)
{
    int compared = 0;
    for (int axes = 0; axes < 8; ++axes)
        for (const std::string precision : {"double", "float"}) {
            const auto domain = fullBox({32, 40, 48}, {(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0});
            const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
            const std::vector<Macroscopic> states = statesOf(*domain, nodes);
            Config config = configOf("cpu", precision, "");
            config.collision = "trt";
            config.patches.resize(6);
            for (const int side : {1, 2, 5}) {
                config.patches[side].kind = side == 2 ? BoundaryKind::velocity : BoundaryKind::movingWall;
                config.patches[side].velocity = {side == 1 ? 0 : 0.03, side == 2 ? 0.005 : 0.02, side == 5 ? 0 : 0.01};
            }
            if (!leftOut(config).empty()) continue;
            const auto plain = makeSolver(domain, config);
            config.storage = "aa";
            if (!leftOut(config).empty()) continue;
            ++compared;
            EXPECT_EQ(makeSolver(domain, config)->stepsOfPass(), 1);
            config.blocks = true;
            config.threads = 1 + axes % 4;
            const auto solver = makeSolver(domain, config);
            ASSERT_GT(solver->stepsOfPass(), 1);
            EXPECT_NEAR(double(expectedMemory(*domain, config).populations) / double(solver->memory().populations), 1,
                        0.05);
            const double close = precision == "double" ? 2e-15 : 6e-7;
            const std::vector<double> expected = after({20, 3}, *plain, nodes, states, nodes),
                                      own = after({20, 3}, *solver, nodes, states, nodes);
            EXPECT_LT(largestDifference(own, expected), close);
            EXPECT_EQ(after({1, 2, 20}, *solver, nodes, states, nodes), own);
            config.threads = 3;
            EXPECT_EQ(after({23}, *makeSolver(domain, config), nodes, states, nodes), own);

            // Told anew: a force, what each link of an opening brings
            std::vector<LinkValue> links(linksPerPatch(*domain)[2], config.patches[2]);
            for (const double recovery : {0.0, 0.02}) {
                for (std::size_t i = 0; i < links.size(); ++i) {
                    links[i].velocity = {0.02 * std::sin(double(i)), 0.003, 0.01};
                    links[i].recovery = recovery;
                }
                for (Solver* s : {plain.get(), solver.get()}) {
                    s->setForce({1e-4, 0, 2e-5});
                    if (!links.empty()) s->setBoundary(2, links.data(), links.size());
                    s->advance(5);
                }
                EXPECT_GT(solver->stepsOfPass(), 1);
                const std::vector<double> pushed = populationsAt(*plain, nodes);
                EXPECT_LT(largestDifference(populationsAt(*solver, nodes), pushed), close);
                EXPECT_GT(largestDifference(pushed, expected), 1e-4);
            }
            // A wall that becomes an opening ends blocks, not the run
            links.assign(linksPerPatch(*domain)[1], config.patches[1]);
            for (LinkValue& value : links) value.kind = BoundaryKind::velocity;
            for (Solver* s : {plain.get(), solver.get()}) {
                if (!links.empty()) s->setBoundary(1, links.data(), links.size());
                s->advance(5);
            }
            EXPECT_EQ(solver->stepsOfPass() == 1, !links.empty());
            EXPECT_LT(largestDifference(populationsAt(*solver, nodes), populationsAt(*plain, nodes)), close);
        }
    if (compared == 0) GTEST_SKIP() << "no trt in storages ab and aa in this build";
}

namespace {

// Of what blocks cannot have: the next best. Walls that begin with a velocity stay walls, openings let sound out from the start.
void replaceWhatIsFar(Scenario& scenario)
{
    const auto replace = [](LinkValue& value) {
        value.velocityGradient = false;
        if (value.scheme == WallScheme::quadratic) value.scheme = WallScheme::linear;
    };
    for (LinkValue& value : scenario.patches) {
        replace(value);
        const bool moves = value.kind == BoundaryKind::velocity || value.kind == BoundaryKind::movingWall;
        value.recovery = moves ? 0.03 : 0;
    }
    for (Event& event : scenario.events)
        for (auto& [patch, values] : event.boundaries)
            for (LinkValue& value : values) {
                replace(value);
                if (scenario.patches[patch].kind == BoundaryKind::movingWall && value.kind == BoundaryKind::velocity)
                    value.kind = BoundaryKind::movingWall;
            }
}

// Links that take their flow from far away get the first patch, a wall, which no event tells anything; until none is left, for what
// the others take theirs from follows from which links are theirs.
void wallWhatIsFar(Scenario& scenario)
{
    if (scenario.patches.empty() || scenario.patches[0].kind != BoundaryKind::wall) return;
    auto domain = std::make_shared<Domain>(*scenario.domain);
    Config config;
    config.patches = scenario.patches;
    for (bool found = true; found;) {
        std::vector<bool> far(domain->links.size(), false);
        for (const auto& run : donorsOf(*domain, config))
            for (const Donor& donor : run) far[donor.link] = !farDonor(*domain, {{donor}}).empty();
        for (Event& event : scenario.events)
            for (auto& [patch, values] : event.boundaries) {
                std::vector<LinkValue> kept;
                std::size_t k = 0;
                for (std::size_t i = 0; i < far.size(); ++i)
                    if (domain->links[i].patch == patch && !far[i]) kept.push_back(values[k++]);
                    else if (domain->links[i].patch == patch) ++k;
                values = kept;
            }
        for (std::size_t i = 0; i < far.size(); ++i)
            if (far[i]) domain->links[i].patch = 0;
        found = std::find(far.begin(), far.end(), true) != far.end();
    }
    domain->check();
    scenario.domain = domain;
}

// Found once a lattice: donors take longer than some rows' steps.
const std::vector<Scenario>& nearScenarios(const std::string& lattice)
{
    static std::map<std::string, std::vector<Scenario>> known;
    std::vector<Scenario>& list = known[lattice];
    if (!list.empty()) return list;
    list = scenarios(latticeDirections(lattice));
    for (Scenario& scenario : list) {
        replaceWhatIsFar(scenario);
        wallWhatIsFar(scenario);
    }
    return list;
}

// A wall that moves, whose values blocks add; -1: none.
int movingPatchOf(const Scenario& scenario)
{
    const std::vector<std::int64_t> links = linksPerPatch(*scenario.domain);
    for (std::size_t p = 0; p < scenario.patches.size(); ++p)
        if (scenario.patches[p].kind == BoundaryKind::movingWall && links[p] > 0) return int(p);
    return -1;
}

// What follows from the flow in place of fixed values: blocks end, and go on step by step.
std::vector<double> afterBlocks(Solver& solver, const Scenario& scenario, int patch, int before)
{
    solver.advance(before);
    LinkValue opening;
    opening.kind = BoundaryKind::velocity;
    opening.velocity = {0.01, 0.02, 0};
    opening.recovery = 0.02;
    const std::vector<LinkValue> values(linksPerPatch(*scenario.domain)[patch], opening);
    solver.setBoundary(patch, values.data(), values.size());
    solver.advance(5);
    return populationsAt(solver, fluidNodesOf(*scenario.domain));
}

// At all events, so many times as many steps apart; told in calls of so many steps.
std::vector<std::vector<double>> course(Solver& solver, const Scenario& scenario, int times, int call)
{
    const std::vector<NodeIndex> nodes = fluidNodesOf(*scenario.domain);
    const std::vector<double> start = randomPopulations(nodes.size(), solver.directions());
    solver.setPopulations(nodes.data(), nodes.size(), start.data());
    std::vector<std::vector<double>> stops;
    for (const Event& event : scenario.events) {
        for (int left = event.steps * times; left > 0; left -= call) solver.advance(std::min(left, call));
        stops.push_back(populationsAt(solver, nodes));
        for (const auto& [patch, values] : event.boundaries) solver.setBoundary(patch, values.data(), values.size());
        solver.setForce(event.force);
        solver.setRelaxationTime(event.tau);
        solver.setMagic(event.magic);
    }
    return stops;
}

} // namespace

// All that storages may get wrong, where blocks take it: obstacles, walls without thickness, openings of all kinds, which may change,
// planes of symmetry, interpolated walls; rows that are no whole registers; two dimensions; rates that follow from the stress.
TEST(Boxes, takeScenariosInBlocksOfPopulations)
{
    std::map<std::string, int> taken, left;
    for (const KernelRow& row : kernels()) {
        if (!takesRowBlocks(row)) continue;
        for (const Scenario& scenario : nearScenarios(row.lattice)) {
            Config config;
            config.lattice = row.lattice;
            config.collision = row.collision;
            config.equilibrium = row.equilibrium;
            config.precision = row.precision;
            config.storage = row.storage;
            config.tile = row.tile;
            for (const ClosureDescriptor& closure : closureDescriptors)
                if (closure.kernel == row.closure && config.closure == "constant") config.closure = closure.name;
            if (config.closure == "smagorinsky") config.coefficients = {0.5, 0.25};
            if (config.closure == "powerLaw") config.coefficients = {0.02, 0.6, 0.03, 0.3};
            config.tau = scenario.tau;
            config.force = scenario.force;
            config.patches = scenario.patches;
            const auto plain = makeSolver(scenario.domain, config);
            config.blocks = true;
            config.threads = 1 + int(taken[scenario.name] % 2);
            const auto blocks = makeSolver(scenario.domain, config);
            if (blocks->stepsOfPass() == 1) {
                EXPECT_NE(blocksObstacle(*scenario.domain, config), "") << name(row) << ' ' << scenario.name;
                continue;
            }
            ++taken[scenario.name];
            constexpr int times = 3;
            const auto expected = course(*plain, scenario, times, times), own = course(*blocks, scenario, times, 5);
            const double close = row.precision == "double" ? 4e-15 : 2e-6;
            for (std::size_t e = 0; e < own.size(); ++e)
                EXPECT_LT(largestDifference(own[e], expected[e]), close)
                    << name(row) << ' ' << scenario.name << ", event " << e;
            EXPECT_EQ(course(*makeSolver(scenario.domain, config), scenario, times, 1), own)
                << name(row) << ' ' << scenario.name;
            EXPECT_GT(blocks->stepsOfPass(), 1) << name(row) << ' ' << scenario.name;
            const int moving = movingPatchOf(scenario);
            if (moving < 0) continue;
            const int before = taken[scenario.name] % 2; // copies of states take turns
            EXPECT_LT(largestDifference(afterBlocks(*blocks, scenario, moving, before),
                                        afterBlocks(*plain, scenario, moving, before)),
                      close)
                << name(row) << ' ' << scenario.name << ", after blocks";
            // Beside densities what a wall adds follows from the flow anyhow
            EXPECT_EQ(blocks->stepsOfPass() == 1, row.equilibrium == "incompressible")
                << name(row) << ' ' << scenario.name;
            left[scenario.name] += blocks->stepsOfPass() == 1;
        }
    }
    if (taken.empty()) GTEST_SKIP() << "no storage aa in this build";
    for (const char* scenario :
         {"closed", "tileWallsPeriodicX", "tileWallsPeriodic", "periodicTilesWithSolids", "loneNodes", "edges",
          "thinWall", "curvedWalls", "movingWalls", "mirrors", "openings", "openingsPeriodic"})
        EXPECT_GT(taken[scenario], 0) << scenario;
    EXPECT_GT(left["openings"], 1);
}

// Not where boundaries look further than a line, forces differ from node to node, or the axis that is cut has too few layers.
TEST(Boxes, stepOneByOneWhatBlocksOfPopulationsCannotHave)
{
    Config config = configOf("cpu", "double", "");
    config.collision = "trt";
    config.storage = "aa";
    config.blocks = true;
    config.threads = 2;
    SKIP_IF_LEFT_OUT(config);
    const auto steps = [&](const std::shared_ptr<const Domain>& domain) {
        return makeSolver(domain, config)->stepsOfPass();
    };
    EXPECT_GT(steps(periodicBox({34, 40, 48})), 1);
    EXPECT_EQ(steps(periodicBox({32, 8, 48})), 1);
    EXPECT_EQ(steps(periodicBox({32, 40, 7})), 1);
    config.patches.resize(6);
    const auto box = fullBox({34, 40, 48}, {false, false, false});
    for (const BoundaryKind kind : {BoundaryKind::pressure, BoundaryKind::outflow, BoundaryKind::velocity}) {
        config.patches[0].kind = kind;
        EXPECT_GT(steps(box), 1);
    }
    config.patches[0].velocityGradient = true; // of the velocity
    EXPECT_EQ(steps(box), 1);
    config.patches[0].velocityGradient = false;
    config.patches[0].kind = BoundaryKind::interpolatedWall;
    EXPECT_EQ(steps(box), 1);
    EXPECT_NE(blocksObstacle(*box, config).find("quadratic wall"), std::string::npos) << blocksObstacle(*box, config);
    config.patches[0].scheme = WallScheme::linear;
    EXPECT_GT(steps(box), 1);
    config.parts = 2;
    EXPECT_NE(blocksObstacle(*box, config), "");
}

#ifdef LBM_CUDA
// Parts on devices of their own, cut across y, have the bits of one device: rows of the box and of parts are no multiples of a column's.
TEST(Boxes, takeTwoStepsAPassOnSeveralDevices)
{
    SKIP_WITHOUT_DEVICE();
    const int devices = cuda::deviceCount();
    if (devices < 2) GTEST_SKIP() << "there is one device";
    const auto domain = periodicBox({128, 80 * devices, 132});
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    std::vector<NodeIndex> looked;
    for (std::size_t i = 0; i < nodes.size(); i += 5) looked.push_back(nodes[i]); // no divisor of an extent
    const std::vector<Macroscopic> states = statesOf(*domain, nodes);
    int rows = 0;
    for (const KernelRow& row : kernels()) {
        if (!passesOverBoxes(row) || row.tile.rfind("32x", 0) != 0) continue;
        ++rows;
        Config config = configOf("cuda", row.precision, row.tile);
        const auto one = makeSolver(domain, config);
        config.parts = devices;
        config.device = "cuda:all";
        const auto several = makeSolver(domain, config);
        for (const std::vector<int>& steps : {std::vector<int>{7}, {1, 1, 1, 1, 1, 1, 1}, {3, 2, 2}, {200}})
            EXPECT_TRUE(after(steps, *several, nodes, states, looked) == after(steps, *one, nodes, states, looked))
                << name(row) << ' ' << steps.size();
        EXPECT_EQ(several->stepsOfPass(), 2) << name(row) << ' ' << several->executor();

        // Nodes that are told other values, a force, for which steps go one by one, and again none.
        for (Solver* solver : {one.get(), several.get()}) {
            solver->initialise(nodes.data() + nodes.size() / 3, nodes.size() / 3, states.data());
            solver->advance(3);
        }
        EXPECT_TRUE(populationsAt(*several, looked) == populationsAt(*one, looked)) << name(row);
        for (Solver* solver : {one.get(), several.get()}) {
            solver->setForce({1e-5, 0, 0});
            EXPECT_EQ(solver->stepsOfPass(), 1) << name(row);
            solver->advance(3);
            solver->setForce({0, 0, 0});
            solver->advance(5);
        }
        EXPECT_LT(largestDifference(populationsAt(*several, looked), populationsAt(*one, looked)),
                  row.precision == "double" ? 1e-15 : 3e-7)
            << name(row);

        // Where halos go by way of the host, parts step one by one.
        config.exchange = "mpi";
        const auto byHost = makeSolver(domain, config);
        EXPECT_LT(
            largestDifference(after({7}, *byHost, nodes, states, looked), after({7}, *one, nodes, states, looked)),
            row.precision == "double" ? 1e-15 : 3e-7)
            << name(row);
        EXPECT_EQ(byHost->stepsOfPass(), 1) << name(row);
    }
    EXPECT_GT(rows, 0);
}
#endif

TEST(Boxes, takeTwoStepsAPass)
{
    SKIP_WITHOUT_DEVICE();
    const auto domain = periodicBox({128, 128, 132});
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    std::vector<NodeIndex> looked;
    for (std::size_t i = 0; i < nodes.size(); i += 5) looked.push_back(nodes[i]); // no divisor of an extent
    const std::vector<Macroscopic> states = statesOf(*domain, nodes);
    SKIP_IF_LEFT_OUT(configOf("cpu", "double", ""));
    const auto plain = makeSolver(domain, configOf("cpu", "double", ""));
    const std::vector<double> expected = after({7}, *plain, nodes, states, looked);
    int rows = 0;
    for (const KernelRow& row : kernels()) {
        if (row.device != "cuda" || row.storage != "moments" || row.lattice != "D3Q19" || row.collision != "regularized"
            || row.closure != "constant" || row.equilibrium != "incompressible" || row.tile.rfind("32x", 0) != 0)
            continue;
        ++rows;
        const auto solver = makeSolver(domain, configOf("cuda", row.precision, row.tile));
        EXPECT_EQ(solver->stepsOfPass(), 2) << name(row);
        EXPECT_EQ(model::Predictor(*domain).predict(row).steps, 2) << name(row);
        const std::vector<double> together = after({7}, *solver, nodes, states, looked);
        EXPECT_LT(largestDifference(together, expected), row.precision == "double" ? 1e-15 : 3e-7) << name(row);
        EXPECT_EQ(after({1, 1, 1, 1, 1, 1, 1}, *solver, nodes, states, looked), together) << name(row);
        EXPECT_EQ(after({3, 2, 2}, *solver, nodes, states, looked), together) << name(row);

        // A force is for steps one by one, which need what passes do not keep.
        solver->setForce({1e-4, 0, 0});
        EXPECT_EQ(solver->stepsOfPass(), 1) << name(row);
        solver->setForce({0, 0, 0});
        const std::vector<double> onePass = after({2}, *solver, nodes, states, looked);
        solver->initialise(nodes.data(), nodes.size(), states.data());
        solver->advance(2);
        solver->setForce({1e-30, 0, 0}); // too little to be seen
        solver->advance(5);
        std::vector<double> mixed(looked.size() * solver->directions());
        solver->getPopulations(looked.data(), looked.size(), mixed.data());
        EXPECT_LT(largestDifference(mixed, expected), row.precision == "double" ? 1e-15 : 3e-7) << name(row);
        EXPECT_GT(largestDifference(onePass, expected), 1e-5) << name(row); // five steps are seen
    }
    EXPECT_GT(rows, 0);
    EXPECT_EQ(makeSolver(periodicBox({32, 16, 16}), configOf("cuda", "double", ""))->stepsOfPass(), 1);
}

} // namespace lbm::test
