// Ranks: what several processes make of a lattice is what one makes of it in as many parts, bit for bit, and without contraction of
// products and sums (preset exact) what it makes of it whole: for kernels of processors and devices, over a course of events. To be run by
// mpirun. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Ranks.hpp"
#include "lbm/api/Closure.hpp"
#include "lbm/api/Collision.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/geometry/BoxCut.hpp"
#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#include "lbm/device/Nccl.hpp"
#endif
#include "lbm/solver/DeviceExchange.hpp"
#include "lbm/solver/PassedRims.hpp"
#include "tests/boxes.hpp"
#include "tests/built.hpp"
#include "tests/equivalence/Scenarios.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace lbm::test {
namespace {

// One, for ranks take turns on few processors; more where clang's sanitizer of threads looks on (tests/build/races.sh).
int threadsOfARank()
{
    const char* told = std::getenv("LBM_THREADS_OF_A_RANK");
    return told ? std::atoi(told) : 1;
}

Config configOf(const KernelRow& row, const Scenario& scenario, int parts)
{
    Config c;
    c.lattice = row.lattice;
    c.collision = row.collision;
    c.equilibrium = row.equilibrium;
    c.storage = row.storage;
    c.precision = row.precision;
    c.device = row.device;
    c.arithmetic = row.arithmetic;
    c.tile = row.tile;
    for (const ClosureDescriptor& closure : closureDescriptors)
        if (closure.kernel == row.closure) {
            c.closure = closure.name;
            break;
        }
    if (c.closure == "smagorinsky") c.coefficients = {0.5, 0.25};
    if (c.closure == "powerLaw") c.coefficients = {0.02, 0.6, 0.03, 0.3};
    c.threads = threadsOfARank();
    c.parts = parts;
    c.tau = scenario.tau;
    c.force = scenario.force;
    c.patches = scenario.patches;
    c.nodeForces = scenario.nodeForces && row.closure != "constant";
    return c;
}

const std::vector<Scenario>& scenariosOf(const KernelRow& row)
{
    static std::map<std::string, std::vector<Scenario>> known;
    auto found = known.find(row.lattice);
    if (found == known.end()) found = known.emplace(row.lattice, scenarios(latticeDirections(row.lattice))).first;
    return found->second;
}

void tell(Solver& solver, const Config& config, const Scenario& scenario, std::size_t number)
{
    const bool byNode = findClosure(config.closure)->byNode;
    const Told told = toldAt(*scenario.domain, number);
    if (byNode) solver.setRelaxationTimes(told.nodes.data(), told.nodes.size(), told.tau.data());
    if (config.nodeForces) solver.setForces(told.nodes.data(), told.nodes.size(), told.forces.data());
}

// Means over runs of nodes, which lie in more than one part.
NodeGroups groupsOf(const std::vector<NodeIndex>& nodes, NodeSet::Kind kind, int directions)
{
    NodeGroups groups(kind);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (kind == NodeSet::Kind::sumsOfPopulations)
            groups.add(nodes[i], 0.7 + 0.1 * double(i % 3), int(i % directions));
        else groups.add(nodes[i], 0.1 + 0.01 * double(i % 7));
        if (i % 37 == 36) groups.endGroup();
    }
    groups.endGroup();
    return groups;
}

// All that a solver tells of its state.
std::vector<double> readingsOf(const Solver& solver, const std::vector<NodeIndex>& nodes)
{
    using Kind = NodeSet::Kind;
    std::vector<double> all, values;
    const auto keep = [&](const Extremes& seen) {
        all.insert(all.end(), values.begin(), values.end());
        all.insert(all.end(), {seen.speedSquare, seen.excess, seen.rate, seen.deviation});
    };
    const auto set = solver.place(nodes.data(), nodes.size());
    values.resize(nodes.size() * std::size_t(solver.directions()));
    keep(solver.getPopulations(*set, values.data()));
    values.resize(nodes.size() * std::size_t(storedState(solver.row()).values));
    solver.getStored(*set, values.data());
    keep({});
    for (const Reading reading : {Reading::flow, Reading::strainRate, Reading::state}) {
        values.resize(nodes.size() * std::size_t(valuesOf(reading)));
        keep(solver.sample(*set, reading, values.data()));
    }
    const auto means = solver.place(groupsOf(nodes, Kind::sumsOfStates, solver.directions()));
    values.resize(means->size() * std::size_t(valuesOf(Reading::state)));
    keep(solver.sample(*means, Reading::state, values.data()));
    const auto cells = solver.place(boxesOf(solver.domain(), {3, 2, 4}, Kind::sumsOfStates));
    values.resize(cells->size() * std::size_t(valuesOf(Reading::state)));
    keep(solver.sample(*cells, Reading::state, values.data()));
    const auto sums = solver.place(groupsOf(nodes, Kind::sumsOfPopulations, solver.directions()));
    values.resize(sums->size());
    keep(solver.sumPopulations(*sums, values.data()));
    values.clear();
    for (const OpeningMemory& memory : solver.openingMemory()) values.push_back(memory.mean);
    for (const int stride : {1, 5}) {
        const Health health = solver.health(stride);
        values.insert(values.end(),
                      {health.maxSpeed, health.minDensity, health.maxDensity, health.excess, double(health.nodes),
                       double(health.fastest), double(health.bad)});
    }
    keep({});
    return all;
}

using Course = std::vector<std::vector<double>>;

Course run(const Config& config, const Scenario& scenario)
{
    const std::vector<NodeIndex> nodes = fluidNodesOf(*scenario.domain);
    auto solver = makeSolver(scenario.domain, config);
    tell(*solver, config, scenario, 0);
    const auto start = randomPopulations(nodes.size(), std::size_t(solver->directions()));
    solver->setPopulations(nodes.data(), nodes.size(), start.data());
    Course course;
    std::size_t number = 0;
    for (const Event& event : scenario.events) {
        solver->advance(event.steps);
        course.push_back(readingsOf(*solver, nodes));
        // Another takes over what this one stores, and goes on
        std::vector<double> stored(nodes.size() * std::size_t(storedState(solver->row()).values));
        solver->getStored(nodes.data(), nodes.size(), stored.data());
        auto next = makeSolver(scenario.domain, config);
        next->advance(solver->step() % 2);
        next->setOpeningMemory(solver->openingMemory());
        next->setStateTau(solver->stateTau());
        next->setStored(nodes.data(), nodes.size(), stored.data());
        solver = std::move(next);
        for (const auto& [patch, values] : event.boundaries) solver->setBoundary(patch, values.data(), values.size());
        solver->setForce(event.force);
        solver->setRelaxationTime(event.tau);
        solver->setMagic(event.magic);
        tell(*solver, config, scenario, ++number);
    }
    return course;
}

bool same(const std::vector<double>& a, const std::vector<double>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expectSame(const Course& expected, const Course& found, const std::string& of)
{
    ASSERT_EQ(expected.size(), found.size()) << of;
    for (std::size_t e = 0; e < expected.size(); ++e) EXPECT_TRUE(same(expected[e], found[e])) << of << ", event " << e;
}

#ifdef LBM_EXACT
constexpr bool exact = true;
#else
constexpr bool exact = false;
#endif

class Kernel : public ::testing::TestWithParam<KernelRow> {
protected:
    void SetUp() override
    {
        if (isOnHost(GetParam())) return;
        SKIP_WITHOUT_DEVICE();
    }
};

TEST_P(Kernel, agreesOnRanks)
{
    int compared = 0;
    const auto& all = scenariosOf(GetParam());
    // Of three ranks, which have a neighbour on each side, fewer courses are run: they take turns on few processors
    const int most = ranks() == 2 ? 2 : 1;
    for (std::size_t i = 0; i < all.size(); i += (GetParam().arithmetic == "scalar" ? 3 : 7) * std::size_t(3 - most))
        for (int each = 1; each <= most; ++each) {
            Config config = configOf(GetParam(), all[i], each * ranks());
            if (all[i].domain->fluidNodes() < config.parts || !all[i].domain->turns.empty()) continue;
            const std::string of = all[i].name + ", " + std::to_string(each) + " parts a rank";
            const Course inParts = run(config, all[i]);
            if (exact && !sumsDependOnCuts(GetParam(), *all[i].domain))
                expectSame(run(configOf(GetParam(), all[i], 1), all[i]), inParts, of + ", beside one part");
            config.ranks = ranks();
            config.sharedDevices = true; // where there are fewer than ranks
            expectSame(inParts, run(config, all[i]), of);
            ++compared;
        }
    EXPECT_GT(compared, 0);
}

#ifdef LBM_CUDA
// Ways of exchange, each with what a solver says of it.
std::map<std::string, std::string> waysBetweenDevices()
{
    std::map<std::string, std::string> ways = {{"peer", "stored straight into"}, {"mpi", "by MPI"}};
    try {
        ways["nccl"] = "by " + cuda::ncclName();
    } catch (const cuda::Error& missing) {
        std::printf("exchange nccl: not run: %s\n", missing.what());
    }
    return ways;
}

// Each way by name, between ranks with a device each; and that it is the one.
TEST_P(Kernel, agreesByEachExchange)
{
    if (isOnHost(GetParam())) GTEST_SKIP() << "processors have one";
    if (const int devices = cuda::deviceCount(); devices < ranks())
        GTEST_SKIP() << "exchange between devices: not run, of " << ranks() << " devices there are " << devices;
    const std::map<std::string, std::string> ways = waysBetweenDevices();
    int compared = 0;
    const auto& all = scenariosOf(GetParam());
    for (std::size_t i = 0; i < all.size(); i += 7)
        for (const int each : {1, 2}) {
            Config config = configOf(GetParam(), all[i], each * ranks());
            if (all[i].domain->fluidNodes() < config.parts || !all[i].domain->turns.empty()) continue;
            const Course whole = run(config, all[i]);
            config.ranks = ranks();
            for (const auto& [way, words] : ways) {
                config.exchange = way;
                const std::string told = makeSolver(all[i].domain, config)->executor();
                EXPECT_NE(told.find(words), std::string::npos) << way << ": " << told;
                expectSame(whole, run(config, all[i]),
                           all[i].name + ", exchange " + way + ", " + std::to_string(each) + " parts a rank");
            }
            ++compared;
        }
    EXPECT_GT(compared, 0);
}

Scenario periodicBox(const Int3& size)
{
    auto domain = std::make_shared<Domain>();
    domain->size = size;
    domain->fluid = BitSet(domain->nodes(), true);
    domain->periodic = {true, true, true};
    Scenario box;
    box.domain = domain;
    return box;
}

// Steps, and other values of some nodes between them; returns values that nodes were told.
std::vector<double> stepInBetween(Solver& solver, const std::vector<NodeIndex>& nodes)
{
    std::vector<double> values = randomPopulations(nodes.size(), std::size_t(solver.directions()));
    solver.setPopulations(nodes.data(), nodes.size(), values.data());
    for (const int steps : {0, 7, 300, 1}) {
        solver.advance(steps);
        solver.setPopulations(nodes.data(), nodes.size() / 3, values.data());
    }
    solver.advance(20);
    return values;
}

// Steps store what others take into their ghosts where they do so between as many devices of one process, and nowhere else: in a box whose
// parts have a rim and inner tiles.
TEST_P(Kernel, passesRimsAsOneProcessDoes)
{
    const KernelRow& row = GetParam();
    if (isOnHost(row)) GTEST_SKIP() << "processors have one exchange";
    if (row.lattice == "D2Q9") GTEST_SKIP() << "its box has another rim";
    if (cuda::deviceCount() != ranks())
        GTEST_SKIP() << "rims between devices: not run, there are " << cuda::deviceCount() << " for " << ranks();
    const Scenario box = periodicBox({64, 32 * ranks(), 32});
    const std::vector<NodeIndex> nodes = fluidNodesOf(*box.domain);
    bool passed = false;
    const auto run = [&](const Config& config) {
        const auto solver = makeSolver(box.domain, config);
        std::vector<double> values = stepInBetween(*solver, nodes);
        passed = solver->executor().find("into their ghosts themselves") != std::string::npos;
        solver->getPopulations(nodes.data(), nodes.size(), values.data());
        return values;
    };
    Config config = configOf(row, box, ranks());
    Config alone = config;
    alone.device = "cuda:all";
    const std::vector<double> expected = run(alone);
    EXPECT_EQ(passed, row.storage == "moments" || row.storage == "moments16");
    const bool alonePassed = passed;
    config.ranks = ranks();
    EXPECT_TRUE(same(expected, run(config)));
    EXPECT_EQ(passed, alonePassed);
    for (const auto& [way, words] : waysBetweenDevices()) {
        config.exchange = way;
        EXPECT_TRUE(same(expected, run(config))) << "exchange " << way;
        EXPECT_EQ(passed, alonePassed && way == "peer") << "exchange " << way;
    }
    config.exchange = "auto";
    config.parts = 2 * ranks();
    run(config);
    EXPECT_FALSE(passed) << "two parts a device";
}

// Two steps a pass, of a box cut across y: the bits of one device, be the parts those of one process or of ranks.
TEST_P(Kernel, passesOverBoxesAsOneDeviceDoes)
{
    const KernelRow& row = GetParam();
    if (!passesOverBoxes(row)) GTEST_SKIP() << "takes no such passes";
    if (cuda::deviceCount() != ranks())
        GTEST_SKIP() << "boxes between devices: not run, there are " << cuda::deviceCount() << " for " << ranks();
    const Scenario box = periodicBox({128, 64 * ranks(), 132});
    const std::vector<NodeIndex> nodes = fluidNodesOf(*box.domain);
    std::vector<NodeIndex> looked;
    for (std::size_t i = 0; i < nodes.size(); i += 5) looked.push_back(nodes[i]);
    int stepsOfPass = 0;
    const auto run = [&](const Config& config) {
        const auto solver = makeSolver(box.domain, config);
        stepInBetween(*solver, nodes);
        stepsOfPass = solver->stepsOfPass();
        std::vector<double> values(looked.size() * std::size_t(solver->directions()));
        solver->getPopulations(looked.data(), looked.size(), values.data());
        return values;
    };
    Config config = configOf(row, box, 1);
    const std::vector<double> expected = run(config);
    EXPECT_EQ(stepsOfPass, 2);
    config.parts = ranks();
    config.device = "cuda:all";
    EXPECT_TRUE(same(expected, run(config)));
    EXPECT_EQ(stepsOfPass, 2);
    config.device = "cuda";
    config.ranks = ranks();
    EXPECT_TRUE(same(expected, run(config)));
    EXPECT_EQ(stepsOfPass, 2);
}

// Each rank has several devices, and parts that are neighbours within it and in others: two devices that all ranks share or, where there
// are enough, its own ones.
TEST_P(Kernel, agreesOnSeveralDevicesOfARank)
{
    if (isOnHost(GetParam())) GTEST_SKIP() << "processors have no devices";
    const int present = cuda::deviceCount(), each = std::min(2, present);
    std::string list = "cuda:";
    for (int rank = 0; rank < ranks(); ++rank)
        for (int device = 0; device < 2; ++device)
            list += (list.back() == ':' ? "" : ",") + std::to_string(device % each);
    std::vector<std::pair<std::string, std::string>> places = {{list, "auto"}, {list, "mpi"}};
    if (present >= 2 * ranks() && present % ranks() == 0)
        for (const char* way : {"peer", "nccl", "mpi"}) places.emplace_back("cuda:all", way);
    int compared = 0;
    const auto& all = scenariosOf(GetParam());
    for (std::size_t i = 0; i < all.size(); i += 7)
        for (const auto& [device, way] : places) {
            Config config = configOf(GetParam(), all[i], device == list ? 2 * ranks() : present);
            if (all[i].domain->fluidNodes() < config.parts || !all[i].domain->turns.empty()) continue;
            const Course whole = run(config, all[i]);
            config.ranks = config.parts = ranks(); // by itself each device has one
            config.device = device;
            config.exchange = way;
            config.sharedDevices = device == list;
            const std::string told = makeSolver(all[i].domain, config)->executor();
            EXPECT_EQ(told.find("within 1") != std::string::npos, each > 1) << told;
            expectSame(whole, run(config, all[i]), all[i].name + ", " + device + ' ' + way);
            ++compared;
        }
    EXPECT_GT(compared, 0);
}

// Ranks whose parts stream through their devices in slabs: what as many parts of one process make of the same, whatever slabs there are and
// whatever way ghosts go; and without contraction what ranks have whose parts are resident.
TEST_P(Kernel, streamsOnRanks)
{
    const KernelRow& row = GetParam();
    if (isOnHost(row)) GTEST_SKIP() << "nothing streams through a processor";
    if (!findStorage(row.device, row.storage)->streams) GTEST_SKIP() << row.storage << " does not stream";
    // Where ranks share a device, NCCL is refused
    const bool apart = cuda::deviceCount() >= ranks();
    std::map<std::string, std::string> ways = waysBetweenDevices();
    if (!apart) ways = {{"auto", ""}, {"mpi", "by MPI"}};
    int compared = 0;
    const auto& all = scenariosOf(row);
    // Three are enough: what slabs make of any of them is tested in one process
    for (std::size_t i = 0; i < all.size() && compared < 3; i += 2) {
        Config resident = configOf(row, all[i], ranks());
        if (all[i].domain->fluidNodes() < resident.parts) continue;
        Config config = resident;
        config.slabLayers = 2;
        config.slabSteps = 4;
        try {
            makeSolver(all[i].domain, config);
        } catch (const std::invalid_argument&) { // cannot be in slabs, or can be cut across their axis alone
            continue;
        }
        const Course expected = run(config, all[i]);
        resident.ranks = config.ranks = ranks();
        resident.sharedDevices = config.sharedDevices = !apart;
        if (exact && !sumsDependOnCuts(row, *all[i].domain))
            expectSame(run(resident, all[i]), expected, all[i].name + ", beside resident ranks");
        for (const auto& [way, words] : ways)
            for (const auto& [layers, steps] : {std::pair(2, 4), std::pair(1, 5), std::pair(3, 32)}) {
                config.exchange = way;
                config.slabLayers = layers;
                config.slabSteps = steps;
                const std::string told = makeSolver(all[i].domain, config)->executor();
                if (told.find(" 0 ghosts") == std::string::npos) // else there is no way that could be told
                    EXPECT_NE(told.find(words), std::string::npos) << way << ": " << told;
                EXPECT_NE(told.find("slabs stream through"), std::string::npos) << told;
                expectSame(expected, run(config, all[i]),
                           all[i].name + ", exchange " + way + ", slabs of " + std::to_string(layers)
                               + " layers, passes of " + std::to_string(steps) + " steps");
            }
        ++compared;
    }
    if (compared == 0) GTEST_SKIP() << "is refused in slabs on " << ranks() << " ranks";
}

// Steps in one go, of which the host waits for none: more than a device's streams hold.
TEST_P(Kernel, agreesOverManySteps)
{
    if (isOnHost(GetParam())) GTEST_SKIP() << "processors have one exchange";
    if (cuda::deviceCount() < ranks()) GTEST_SKIP() << "exchange between devices: not run, there are fewer than ranks";
    const Scenario& scenario = scenariosOf(GetParam()).front();
    const std::vector<NodeIndex> nodes = fluidNodesOf(*scenario.domain);
    const auto populations = [&](const Config& config) {
        const auto solver = makeSolver(scenario.domain, config);
        solver->advance(5000);
        std::vector<double> values(nodes.size() * std::size_t(solver->directions()));
        solver->getPopulations(nodes.data(), nodes.size(), values.data());
        return values;
    };
    Config config = configOf(GetParam(), scenario, ranks());
    const std::vector<double> whole = populations(config);
    config.ranks = ranks();
    EXPECT_TRUE(same(whole, populations(config)));
}
#endif

std::vector<KernelRow> rowsToCompare()
{
    // Collisions that look at velocities around nodes do so in parts where ghosts are whole, and are refused otherwise
    std::vector<KernelRow> rows = kernels();
    std::erase_if(rows, [](const KernelRow& row) {
        return findCollision(row.collision)->ofGradient && !keepsWholeGhosts(*findStorage(row.device, row.storage));
    });
    // Of a build of all kernels some of each kind: parts exchange by storage and lattice, whatever collides
    const std::size_t most = 60, stride = (rows.size() + most - 1) / most;
    std::vector<KernelRow> some;
    for (std::size_t i = 0; i < rows.size(); i += stride) some.push_back(rows[i]);
    return some;
}

INSTANTIATE_TEST_SUITE_P(All, Kernel, ::testing::ValuesIn(rowsToCompare()), [](const auto& info) {
    std::string text = name(info.param);
    for (char& c : text)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return text;
});

class Refusals : public ::testing::Test {
protected:
    const KernelRow row = rowsToCompare().front();
    const Scenario& scenario = scenariosOf(row).front();
    Config config() const
    {
        Config c = configOf(row, scenario, ranks());
        c.ranks = ranks();
        return c;
    }
};

TEST_F(Refusals, ofConfigs)
{
    Config fewer = config();
    fewer.parts = ranks() - 1;
    EXPECT_THROW(makeSolver(scenario.domain, fewer), std::invalid_argument);
    Config others = config();
    others.parts = others.ranks = ranks() + 1;
    EXPECT_THROW(makeSolver(scenario.domain, others), std::invalid_argument);
    Config unstable = config();
    unstable.tau = 0.5;
    EXPECT_THROW(makeSolver(scenario.domain, unstable), std::invalid_argument);
}

std::string refusal(const Scenario& scenario, const Config& config)
{
    try {
        makeSolver(scenario.domain, config);
    } catch (const std::invalid_argument& fault) {
        return fault.what();
    }
    return {};
}

TEST_F(Refusals, ofExchanges)
{
    Config c = config();
    c.exchange = "mail";
    EXPECT_EQ(refusal(scenario, c), "exchange 'mail' is none of auto, peer, nccl, mpi");
    if (!isOnHost(row)) return;
    for (const char* way : {"peer", "nccl"}) {
        c.exchange = way;
        EXPECT_EQ(refusal(scenario, c), std::string("exchange ") + way + ": it is between GPUs, and the device is cpu");
    }
}

#ifdef LBM_CUDA
// Whatever NCCL itself would make of it
TEST_F(Refusals, ofRanksThatShareADevice)
{
    try {
        cuda::Device("cuda");
        cuda::ncclName();
    } catch (const cuda::Error& missing) {
        GTEST_SKIP() << missing.what();
    }
    for (const KernelRow& other : kernels()) {
        if (isOnHost(other)) continue;
        const Scenario& its = scenariosOf(other).front();
        Config c = configOf(other, its, ranks());
        c.ranks = ranks();
        c.device = "cuda:0";
        c.sharedDevices = true;
        c.exchange = "nccl";
        const std::string words = refusal(its, c);
        EXPECT_EQ(words.find("exchange nccl: ranks 0 and 1 share cuda:0"), std::size_t(0)) << words;
        // The next solver is made as ever
        c.exchange = "auto";
        const auto solver = makeSolver(its.domain, c);
        solver->advance(3);
        EXPECT_NE(solver->executor().find("(ranks 0-1"), std::string::npos) << solver->executor();
        return;
    }
    GTEST_SKIP() << "this build has no GPU kernels";
}
#endif

TEST(DeviceExchange, saysWhyThereIsNone)
{
    const DevicePresence first{"", {"cuda:0 (A) GPU-00"}, "NCCL 2.28.9", false};
    DevicePresence second = first;
    second.devices = {"cuda:1 (A) GPU-01"};
    EXPECT_EQ(whyNoDeviceExchange({first, second}), "");
    DevicePresence missing = second;
    missing.missing = "NCCL is not found";
    EXPECT_EQ(whyNoDeviceExchange({first, missing}), "rank 1: NCCL is not found");
    DevicePresence older = second;
    older.library = "NCCL 2.20.5";
    EXPECT_EQ(whyNoDeviceExchange({first, older}), "rank 1 has NCCL 2.20.5, rank 0 NCCL 2.28.9");
    EXPECT_EQ(whyNoDeviceExchange({second, first, second}),
              "ranks 0 and 2 share cuda:1 (A) GPU-01, and NCCL asks for their own");
    DevicePresence both = second;
    both.devices.push_back("cuda:2 (A) GPU-02");
    EXPECT_EQ(whyNoDeviceExchange({first, both}), "");
    EXPECT_EQ(whyNoDeviceExchange({both, first, both}),
              "ranks 0 and 2 share cuda:1 (A) GPU-01, and NCCL asks for their own");
    both.devices[1] = both.devices[0];
    EXPECT_EQ(whyNoDeviceExchange({first, both}),
              "rank 1 has cuda:1 (A) GPU-01 twice, and NCCL asks for different ones");
}

TEST(PassedRims, areBetweenDevicesOfTheirOwn)
{
    EXPECT_TRUE(areApart({"GPU-00 ", "GPU-01 GPU-02 "}));
    EXPECT_FALSE(areApart({"GPU-00 ", "GPU-01 GPU-00 "})) << "shared by two processes";
    EXPECT_FALSE(areApart({"GPU-00 GPU-00 "})) << "shared by two parts";
    EXPECT_FALSE(areApart({"GPU-00 ", ""})) << "a process that does not";
}

TEST_F(Refusals, ofMoreRanksThanNodes)
{
    Domain one;
    one.dimensions = scenario.domain->dimensions;
    one.size = {4, 4, one.dimensions == 2 ? 1 : 4};
    one.fluid = BitSet(one.nodes());
    one.fluid.set(one.index(1, 1, 0));
    Config c = config();
    c.patches.clear();
    one.periodic = {true, true, one.dimensions == 3};
    EXPECT_THROW(makeSolver(std::make_shared<const Domain>(one), c), std::invalid_argument);
}

// What another rank says comes here, and the solver goes on.
TEST_F(Refusals, ofOtherRanks)
{
    const auto solver = makeSolver(scenario.domain, config());
    const auto nodes = fluidNodesOf(*scenario.domain);
    EXPECT_THROW(solver->setOpeningMemory(std::vector<OpeningMemory>(12345)), std::invalid_argument);
    EXPECT_THROW(solver->setBoundary(1000, nullptr, 0), std::invalid_argument);
    solver->advance(3);
    EXPECT_EQ(solver->step(), 3);
    EXPECT_EQ(solver->health(1).nodes, scenario.domain->fluidNodes());
}

// Sets may outlive their solver; no other takes them.
TEST_F(Refusals, ofOthersSets)
{
    const auto nodes = fluidNodesOf(*scenario.domain);
    std::shared_ptr<const NodeSet> set;
    {
        const auto before = makeSolver(scenario.domain, config());
        set = before->place(nodes.data(), nodes.size());
    }
    const auto solver = makeSolver(scenario.domain, config());
    std::vector<double> values(nodes.size() * 10);
    EXPECT_THROW(solver->sample(*set, Reading::state, values.data()), std::invalid_argument);
}

} // namespace
} // namespace lbm::test
