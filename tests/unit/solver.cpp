// The public interface of a solver: errors, sampling, health. Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"

#include "lbm/api/Collision.hpp"
#include "lbm/api/Solver.hpp"
#include "lbm/bench/geometries/generators.hpp"
#include "lbm/device/InstructionSet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace lbm;

namespace {

std::shared_ptr<const Domain> shared(GeneratedCase made)
{
    return std::make_shared<const Domain>(std::move(made.domain));
}

template<class Error, class Action>
void expectComplaint(const std::string& about, Action&& action)
{
    try {
        action();
        FAIL() << "no complaint about " << about;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(about), std::string::npos) << error.what();
    }
}

struct Cavity {
    GeneratedCase made = cavity3D(6, latticeDirections("D3Q19"));
    Config config;
    std::unique_ptr<Solver> solver;

    Cavity()
    {
        config.patches = made.patches;
        solver = makeSolver(std::make_shared<const Domain>(made.domain), config);
    }
};

} // namespace

TEST(Solver, unknownWordsAreNamedWithTheValidOnes)
{
    const auto domain = shared(box({4, 4, 4}));
    const auto expect = [&](std::string Config::*entry, const char* word, const char* valid) {
        Config config;
        config.*entry = word;
        expectComplaint<UnknownKernel>(word, [&] { makeSolver(domain, config); });
        expectComplaint<UnknownKernel>(valid, [&] { makeSolver(domain, config); });
    };
    expect(&Config::lattice, "D3Q20", "D3Q19");
    expect(&Config::collision, "BGK", "bgk");
    expect(&Config::equilibrium, "compressible", "incompressible");
    expect(&Config::storage, "a-b", "t2c");
    expect(&Config::precision, "half", "float");
    expect(&Config::device, "tpu", "cpu");
    expect(&Config::arithmetic, "vector", "simd");
    expect(&Config::tile, "3x3x3", "x4");
}

// A row of kernels.list that a build of the default ones lacks.
TEST(Solver, rareKernelsAreNamedWithTheBuildThatHasThem)
{
    Config config;
    config.lattice = "D3Q15";
    try {
        findKernel(config);
        GTEST_SKIP() << "this build has all";
    } catch (const UnknownKernel& missing) {
        EXPECT_NE(std::string(missing.what()).find("LBM_KERNELS=all"), std::string::npos) << missing.what();
    }
    config.lattice = "D3Q16";
    expectComplaint<UnknownKernel>("D3Q16", [&] { findKernel(config); });
    try {
        findKernel(config);
    } catch (const UnknownKernel& missing) {
        EXPECT_EQ(std::string(missing.what()).find("LBM_KERNELS"), std::string::npos) << missing.what();
    }
}

TEST(Solver, everyCollisionIsDescribed)
{
    for (const KernelRow& row : kernels()) EXPECT_NE(findCollision(row.collision), nullptr) << row.collision;
}

TEST(Solver, processorsThatLackInstructionsAreTold)
{
    EXPECT_EQ(missingExtensions(avx2 | avx512f, sse42 | avx | avx2), "avx512f");
    EXPECT_EQ(missingExtensions(avx | Extension::fma, 0), "avx fma");
    EXPECT_EQ(missingExtensions(avx, avx | avx2), "");
    EXPECT_NO_THROW(checkProcessor()); // it has come so far
}

TEST(Solver, refusesWhatCannotRun)
{
    const auto domain = shared(box({4, 4, 4}));
    for (double tau : {0.5, 0.3, -1.0, std::nan("")}) {
        Config config;
        config.tau = tau;
        expectComplaint<std::invalid_argument>("tau", [&] { makeSolver(domain, config); });
    }
    Config config;
    config.patches.resize(1);
    expectComplaint<std::invalid_argument>("patches", [&] { makeSolver(domain, config); });
    config = Config();
    config.lattice = "D2Q9";
    expectComplaint<std::invalid_argument>("D2Q9", [&] { makeSolver(domain, config); });
    Domain empty = box({4, 4, 4}).domain;
    empty.fluid = BitSet(64);
    expectComplaint<std::invalid_argument>("no fluid node",
                                           [&] { makeSolver(std::make_shared<const Domain>(empty), Config()); });
}

TEST(Solver, boundaryValuesMustFitThePatch)
{
    Cavity c;
    const std::vector<LinkValue> values(std::size_t(linksPerPatch(c.made.domain)[0]), c.made.patches[0]);
    EXPECT_NO_THROW(c.solver->setBoundary(0, values.data(), values.size()));
    EXPECT_THROW(c.solver->setBoundary(0, values.data(), values.size() - 1), std::invalid_argument);
    auto open = values;
    open.back().kind = BoundaryKind::pressure;
    EXPECT_THROW(c.solver->setBoundary(0, open.data(), open.size()), std::invalid_argument);
    EXPECT_THROW(c.solver->setBoundary(1, values.data(), std::size_t(linksPerPatch(c.made.domain)[1])),
                 std::invalid_argument);
    EXPECT_THROW(c.solver->setBoundary(2, values.data(), values.size()), std::invalid_argument);
    EXPECT_THROW(c.solver->setBoundary(-1, values.data(), values.size()), std::invalid_argument);
}

TEST(Solver, onlyFluidNodesHaveAState)
{
    Domain domain = box({4, 4, 4}).domain;
    domain.fluid.clear(5);
    const auto solver = makeSolver(std::make_shared<const Domain>(domain), Config());
    std::vector<double> f(19);
    for (NodeIndex node : {NodeIndex(5), NodeIndex(-1), NodeIndex(64)}) {
        Macroscopic m;
        EXPECT_THROW(solver->getPopulations(&node, 1, f.data()), std::out_of_range);
        EXPECT_THROW(solver->setPopulations(&node, 1, f.data()), std::out_of_range);
        EXPECT_THROW(solver->sample(&node, 1, &m), std::out_of_range);
        EXPECT_THROW(solver->initialise(&node, 1, &m), std::out_of_range);
    }
}

TEST(Solver, countsStepsNodesAndMemory)
{
    Cavity c;
    EXPECT_EQ(c.solver->step(), 0);
    c.solver->advance(3);
    c.solver->advance(0);
    EXPECT_EQ(c.solver->step(), 3);
    EXPECT_EQ(c.solver->tiling().fluidNodes, 216);
    const auto facts = c.solver->tiling();
    EXPECT_DOUBLE_EQ(facts.tilePorosity, 216.0 / (double(facts.tiles) * facts.nodesPerTile));
    EXPECT_EQ(c.solver->memory().ideal, 216u * 19 * 8);
    EXPECT_GE(c.solver->memory().populations, c.solver->memory().ideal);
    EXPECT_GE(c.solver->memory().populations, populationBytes(c.solver->row(), 216));
}

// Before a solver is made: what it will take, tiles with few fluid nodes and walls of every kind included.
TEST(Solver, memoryIsExpectedBeforeItIsTaken)
{
    const GeneratedCase cases[] = {cavity3D(40, latticeDirections("D3Q19")), ras(64, 0.3, 12), ras(64, 0.9, 12)};
    for (const GeneratedCase& made : cases)
        for (const auto& [storage, collision] :
             {std::pair("aa", "trt"), std::pair("t2c", "trt"), std::pair("moments", "regularized")})
            for (const char* precision : {"double", "float"}) {
                Config config;
                config.patches = made.patches;
                config.storage = storage;
                config.collision = collision;
                config.precision = precision;
                config.threads = 1;
                if (!lbm::test::leftOut(config).empty()) continue;
                const MemoryUse expected = expectedMemory(made.domain, config);
                const MemoryUse held = makeSolver(std::make_shared<const Domain>(made.domain), config)->memory();
                EXPECT_NEAR(double(expected.populations) / double(held.populations), 1, 0.1)
                    << storage << ' ' << precision;
                EXPECT_NEAR(double(expected.populations + expected.geometry) / double(held.populations + held.geometry),
                            1, 0.15)
                    << storage << ' ' << precision;
            }
}

// Tiles with ghost buffers, by hand: as many as (27) of Tomczak & Szafran 2019 says where tiles lie on all sides, else
// those alone that another tile reads.
TEST(Solver, ghostBuffersAreThoseThatTwoTilesNeed)
{
    Config ghosts;
    ghosts.collision = "bgk";
    ghosts.storage = "tgb";
    SKIP_IF_LEFT_OUT(ghosts);
    const auto bytes = [&](const char* lattice, const Int3& size, bool periodic) {
        auto made = box(size);
        made.domain.periodic = {periodic, periodic, periodic};
        Config config = ghosts;
        config.lattice = lattice;
        return makeSolver(shared(std::move(made)), config)->memory().populations;
    };
    const std::size_t s = sizeof(double);
    EXPECT_EQ(bytes("D2Q9", {64, 48, 1}, true), 12 * (256 * 9 + 2 * (4 + 2 * 4) * 16) * s);
    EXPECT_EQ(bytes("D3Q19", {12, 12, 16}, true), 36 * (64 * 19 + 2 * (6 + 2 * 12) * 16) * s);
    EXPECT_EQ(bytes("D2Q9", {16, 16, 1}, false), 256 * 9 * s);
    EXPECT_EQ(bytes("D2Q9", {32, 16, 1}, false), (2 * 256 * 9 + 2 * (3 + 3) * 16) * s);
    // Four tiles around a corner: diagonals also go round it, in the buffers of the other axis.
    EXPECT_EQ(bytes("D2Q9", {32, 32, 1}, false), (4 * 256 * 9 + 2 * 4 * (3 + 3) * 16) * s);
}

TEST(Solver, healthFindsTheFirstNodeThatIsNotFinite)
{
    Cavity c;
    const NodeIndex bad = c.made.domain.index(3, 2, 4);
    EXPECT_EQ(c.solver->health(1).bad, -1);
    std::vector<double> f(19, 0);
    f[3] = std::numeric_limits<double>::quiet_NaN();
    c.solver->setPopulations(&bad, 1, f.data());
    EXPECT_EQ(c.solver->health(1).bad, bad);
}

TEST(Solver, healthFindsExtremes)
{
    Cavity c;
    const NodeIndex fast = c.made.domain.index(1, 5, 0), dense = c.made.domain.index(4, 4, 4);
    const Macroscopic states[2] = {{0.99, {0.03, 0.04, 0}, {}}, {1.02, {0, 0, 0}, {}}};
    const NodeIndex nodes[2] = {fast, dense};
    c.solver->initialise(nodes, 2, states);
    const Health health = c.solver->health(1);
    EXPECT_EQ(health.bad, -1);
    EXPECT_EQ(health.fastest, fast);
    EXPECT_NEAR(health.maxSpeed, 0.05, 1e-12);
    EXPECT_NEAR(health.minDensity, 0.99, 1e-12);
    EXPECT_NEAR(health.maxDensity, 1.02, 1e-12);
    EXPECT_NEAR(health.excess, 0.01, 1e-12);
    EXPECT_EQ(health.nodes, c.made.domain.fluidNodes());
}

// Strain that was put in comes out, without and with a force. (At tau = 1 a collision leaves nothing of it.)
TEST(Solver, strainRateIsSampledAsInitialised)
{
    for (double tau : {0.51, 0.8, 2.0})
        for (double force : {0.0, 1e-3}) {
            Config config;
            config.tau = tau;
            config.force = {force, 0, 0};
            const auto domain = shared(box({4, 4, 4}));
            const auto solver = makeSolver(domain, config);
            const NodeIndex node = 21;
            const Macroscopic in{1.01, {0.05, -0.02, 0.03}, {1e-3, 2e-3, -3e-3, 4e-3, 5e-4, -5e-3}};
            Macroscopic out;
            solver->initialise(&node, 1, &in);
            solver->sample(&node, 1, &out);
            EXPECT_NEAR(out.density, in.density, 1e-14);
            for (int a = 0; a < 3; ++a) EXPECT_NEAR(out.velocity[a], in.velocity[a], 1e-14);
            for (int k = 0; k < 6; ++k) EXPECT_NEAR(out.strainRate[k], in.strainRate[k], 1e-11) << "tau " << tau;
        }
}

// The strain rate of a decaying vortex, after the flow has made its own populations.
TEST(Solver, strainRateFollowsTheFlow)
{
    const int n = 32;
    const double k = 2 * std::numbers::pi / n, U = 0.01;
    Config config;
    config.lattice = "D2Q9";
    config.tau = 0.8;
    const auto domain = shared(box({n, n, 1}));
    const auto solver = makeSolver(domain, config);
    for (NodeIndex i = 0; i < domain->nodes(); ++i) {
        const double x = k * domain->coordinates(i)[0], y = k * domain->coordinates(i)[1];
        Macroscopic m;
        m.velocity = {U * std::sin(x) * std::cos(y), -U * std::cos(x) * std::sin(y), 0};
        m.density = 1 + 3 * U * U / 4 * (std::cos(2 * x) + std::cos(2 * y));
        solver->initialise(&i, 1, &m);
    }
    const int steps = 60;
    solver->advance(steps);
    const double decay = std::exp(-2 * k * k * (config.tau - 0.5) / 3 * steps);
    for (NodeIndex i = 0; i < domain->nodes(); ++i) {
        const double x = k * domain->coordinates(i)[0], y = k * domain->coordinates(i)[1];
        Macroscopic m;
        solver->sample(&i, 1, &m);
        const double xx = decay * U * k * std::cos(x) * std::cos(y);
        ASSERT_NEAR(m.strainRate[0], xx, 0.03 * U * k);
        ASSERT_NEAR(m.strainRate[3], -xx, 0.03 * U * k);
        ASSERT_NEAR(m.strainRate[1], 0, 0.03 * U * k);
    }
}
