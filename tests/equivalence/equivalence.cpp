// Every registered kernel against the scalar ab one of its lattice, collision, equilibrium and precision:
// bit for bit where the build keeps products and sums apart (preset exact), else to a few units of
// rounding; and the scalar ab one against the reference. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Collision.hpp"
#include "lbm/api/KeptStates.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/reference/Reference.hpp"
#include "lbm/solver/HealthBlocks.hpp"
#include "tests/boxes.hpp"
#include "tests/built.hpp"
#include "tests/equivalence/Scenarios.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>

#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#endif

namespace lbm {

void PrintTo(const KernelRow& row, std::ostream* out) { *out << name(row); }

} // namespace lbm

namespace lbm::test {
namespace {

// Populations are deviations of some thousandths, made from velocities of up to 0.1; among openings in a jumble some reach a
// tenth. The reference keeps whole ones and loses a digit.
// Tables of relaxation times are off by 1e-8 of them, in single precision by some of its last digits.
double referenceTolerance(const KernelRow& row)
{
    const bool fromTable = row.closure == "shearRate";
    if (row.precision == "float") return fromTable ? 3e-7 : 5e-8;
    return fromTable ? 2e-10 : 4e-15;
}

// Of the first closure with the row's kernel, such that most nodes' rates are others than with tau alone.
void setClosure(Config& config, const KernelRow& row)
{
    for (const ClosureDescriptor& closure : closureDescriptors)
        if (closure.kernel == row.closure) {
            config.closure = closure.name;
            break;
        }
    if (config.closure == "smagorinsky") config.coefficients = {0.5, 0.25};
    if (config.closure == "powerLaw") config.coefficients = {0.02, 0.6, 0.03, 0.3};
}

Config configOf(const KernelRow& row, const Scenario& scenario)
{
    Config c;
    c.lattice = row.lattice;
    c.collision = row.collision;
    setClosure(c, row);
    c.equilibrium = row.equilibrium;
    c.storage = row.storage;
    c.precision = row.precision;
    c.device = row.device;
    c.arithmetic = row.arithmetic;
    c.tile = row.tile;
    c.threads = 1;
    c.tau = scenario.tau;
    c.force = scenario.force;
    c.patches = scenario.patches;
    c.nodeForces = scenario.nodeForces && row.closure != "constant";
    return c;
}

// Closures for which the row's kernels take what their storage finds of velocities around nodes; such that most nodes' rates are
// others than with tau alone, and some are the guard's. None where a domain repeats by turns: its sides show no velocities behind
// them, and such closures are refused (Kernel.followsGradients asks for that).
std::vector<Config> ofGradients(const KernelRow& row, const Scenario& scenario)
{
    std::vector<Config> configs;
    if (!scenario.domain->turns.empty()) return configs;
    for (const ClosureDescriptor& closure : closureDescriptors)
        if (closure.ofGradient && closure.kernel == row.closure) {
            configs.push_back(configOf(row, scenario));
            configs.back().closure = closure.name;
            configs.back().coefficients = {0.9, 4};
        }
    return configs;
}

// Takes the velocities around nodes, whatever the closure: refused where a domain repeats by turns.
bool looksAround(const KernelRow& row) { return findCollision(row.collision)->ofGradient; }

const std::vector<Scenario>& scenariosOf(const KernelRow& row)
{
    static std::map<std::tuple<std::string, bool, bool>, std::vector<Scenario>> known;
    const std::tuple key{row.lattice, looksAround(row), findCollision(row.collision)->ofThird};
    auto found = known.find(key);
    if (found == known.end()) {
        auto all = scenarios(latticeDirections(row.lattice));
        if (looksAround(row)) std::erase_if(all, [](const Scenario& s) { return !s.domain->turns.empty(); });
        if (findCollision(row.collision)->ofThird) addSmallTaus(all);
        found = known.emplace(key, std::move(all)).first;
    }
    return found->second;
}

// Has rates that somebody tells it, node by node.
bool byNode(const KernelRow& row)
{
    return std::any_of(std::begin(closureDescriptors), std::end(closureDescriptors),
                       [&](const ClosureDescriptor& c) { return c.kernel == row.closure && c.byNode; });
}

// A row among those of the same storage that have the same scenarios: they differ in collision, closure and arithmetic.
struct Place {
    std::size_t number = 0, rows = 0;
};

Place placeOf(const KernelRow& row)
{
    const auto kindOf = [](const KernelRow& r) {
        return std::tuple(r.lattice, r.equilibrium, r.storage, r.precision, r.device, r.tile, looksAround(r),
                          findCollision(r.collision)->ofThird, byNode(r));
    };
    Place place;
    for (const KernelRow& other : kernels()) {
        if (kindOf(other) != kindOf(row)) continue;
        if (name(other) == name(row)) place.number = place.rows;
        ++place.rows;
    }
    return place;
}

// For what is a storage's, whatever collides: its rows share the scenarios. Each has a third of them, or less where the others have the
// rest, but no less than a sixth, which is enough for a closure that changes rates alone. Of ab, the measure of all, none is left out by
// all rows. On a device launches take the time, and the first third is enough.
std::vector<Scenario> someScenariosOf(const KernelRow& row)
{
    const std::vector<Scenario>& all = scenariosOf(row);
    const bool ratesAlone = row.closure != "constant" && !byNode(row);
    std::size_t first = 0, stride = ratesAlone ? 6 : 3;
    if (isOnHost(row)) {
        const Place place = placeOf(row);
        stride = std::clamp<std::size_t>(place.rows, row.storage == "ab" ? 1 : stride, 6);
        first = place.number % stride;
    }
    std::vector<Scenario> some;
    for (std::size_t i = first; i < all.size(); i += stride) some.push_back(all[i]);
    return some;
}

// Stores moments instead of populations: those that it is given are projected onto them, sums come in another order.
bool storesMoments(const KernelRow& row) { return storageOf(row).stored == Stored::moments; }

// To 16 bits, at random.
bool roundsMoments(const KernelRow& row) { return storageOf(row).valueBytes == 2; }

Int3 tileExtentsOf(const KernelRow& row)
{
    Int3 e{1, 1, 1};
    std::sscanf(row.tile.c_str(), "%dx%dx%d", &e[0], &e[1], &e[2]);
    return e;
}

// What is compared: the same course of events, populations at every stop.
using Course = std::vector<std::vector<double>>;

std::vector<double> populationsOf(const Solver& solver, const std::vector<NodeIndex>& nodes)
{
    std::vector<double> values(nodes.size() * solver.directions());
    solver.getPopulations(nodes.data(), nodes.size(), values.data());
    return values;
}

// Of a collision that is a function of moments: makes populations what such moments stand for, in place.
class Projection {
public:
    // tau: of collisions that leave something besides their moments, which it tells.
    explicit Projection(const KernelRow& row, double tau) :
        lattice(reference::latticeData(row.lattice)),
        equilibrium_(reference::equilibriumNamed(row.equilibrium)),
        collision_(reference::collisionNamed(row.collision)),
        rates_(
            reference::ratesOf(lattice, findCollision(row.collision)->ofThird ? tau : relaxesNothing, Config{}.magic))
    {}

    void operator()(double* g) const
    {
        reference::Populations f(lattice.c.size());
        for (std::size_t q = 0; q < f.size(); ++q) f[q] = lattice.w[q] + g[q];
        reference::collide(lattice, equilibrium_, collision_, rates_, {0, 0, 0}, f);
        for (std::size_t q = 0; q < f.size(); ++q) g[q] = f[q] - lattice.w[q];
    }

    const reference::LatticeData lattice;

private:
    static constexpr double relaxesNothing = 1e300; // tau

    reference::Equilibrium equilibrium_;
    reference::Collision collision_;
    reference::Rates rates_;
};

// Random populations; projected: as a collision that is a function of moments leaves them.
std::vector<double> startOf(const KernelRow& row, const Scenario& scenario, bool projected)
{
    const auto nodes = fluidNodesOf(*scenario.domain);
    const std::size_t Q = latticeDirections(row.lattice).size();
    auto start = randomPopulations(nodes.size(), Q);
    if (!projected) return start;
    const Projection project(row, scenario.tau);
    for (std::size_t i = 0; i < nodes.size(); ++i) project(&start[i * Q]);
    return start;
}

// See toldAt.
void tell(Solver& solver, const Config& config, const Scenario& scenario, std::size_t number)
{
    const bool byNode = findClosure(config.closure)->byNode;
    if (!byNode && !config.nodeForces) return;
    const Told told = toldAt(*scenario.domain, number);
    if (byNode) solver.setRelaxationTimes(told.nodes.data(), told.nodes.size(), told.tau.data());
    if (config.nodeForces) solver.setForces(told.nodes.data(), told.nodes.size(), told.forces.data());
}

void tell(reference::Reference& reference, const Config& config, const Scenario& scenario, std::size_t number)
{
    const Told told = toldAt(*scenario.domain, number);
    for (std::size_t i = 0; i < told.nodes.size(); ++i) {
        if (findClosure(config.closure)->byNode) reference.setRelaxationTime(told.nodes[i], told.tau[i]);
        const double* f = &told.forces[3 * i];
        if (config.nodeForces) reference.setForce(told.nodes[i], {f[0], f[1], f[2]});
    }
}

void change(Solver& solver, const Event& event)
{
    for (const auto& [patch, values] : event.boundaries) solver.setBoundary(patch, values.data(), values.size());
    solver.setForce(event.force);
    solver.setRelaxationTime(event.tau);
    solver.setMagic(event.magic);
}

std::vector<double> storedOf(const Solver& solver, const std::vector<NodeIndex>& nodes)
{
    std::vector<double> values(nodes.size() * storedState(solver.row()).values);
    solver.getStored(nodes.data(), nodes.size(), values.data());
    return values;
}

// Another solver takes over at every stop: it is told what the one before stores and what openings remember. parts: of the
// one after the other.
Course runInTurns(Config config, const Scenario& scenario, bool projected, const std::vector<int>& parts = {1})
{
    config.parts = parts.front();
    const auto nodes = fluidNodesOf(*scenario.domain);
    auto solver = makeSolver(scenario.domain, config);
    tell(*solver, config, scenario, 0);
    const auto start = startOf(solver->row(), scenario, projected);
    solver->setPopulations(nodes.data(), nodes.size(), start.data());
    Course course;
    std::int64_t steps = 0;
    for (std::size_t e = 0; e < scenario.events.size(); ++e) {
        solver->advance(scenario.events[e].steps);
        course.push_back(populationsOf(*solver, nodes));
        config.parts = parts[(e + 1) % parts.size()];
        steps += scenario.events[e].steps;
        if (config.slabSteps > 0) std::swap(config.slabSteps, config.slabLayers); // others than before
        auto next = makeSolver(scenario.domain, config);
        next->advance(2 + steps % 2); // its own, as of who measures its speed
        for (std::size_t i = 0; i < e; ++i) change(*next, scenario.events[i]);
        const auto stored = storedOf(*solver, nodes);
        next->setStateTau(solver->stateTau());
        next->setStateSteps(steps);
        next->setStored(nodes.data(), nodes.size(), stored.data());
        next->setOpeningMemory(solver->openingMemory());
        EXPECT_EQ(storedOf(*next, nodes), stored) << scenario.name;
        solver = std::move(next);
        change(*solver, scenario.events[e]);
        tell(*solver, config, scenario, e + 1);
    }
    return course;
}

// rewrite: populations are read and written back at every stop.
Course run(const Config& config, const Scenario& scenario, bool projected, bool rewrite = false)
{
    const auto nodes = fluidNodesOf(*scenario.domain);
    const auto solver = makeSolver(scenario.domain, config);
    tell(*solver, config, scenario, 0);
    const auto start = startOf(solver->row(), scenario, projected);
    solver->setPopulations(nodes.data(), nodes.size(), start.data());
    Course course;
    std::size_t number = 0;
    for (const Event& event : scenario.events) {
        solver->advance(event.steps);
        course.push_back(populationsOf(*solver, nodes));
        if (rewrite) solver->setPopulations(nodes.data(), nodes.size(), course.back().data());
        change(*solver, event);
        tell(*solver, config, scenario, ++number);
    }
    return course;
}

// What storing moments in 16 bits (storage/MomentCode) does to a node's populations.
class SixteenBits {
public:
    explicit SixteenBits(const KernelRow& row) : project_(row, 1), incompressible_(row.equilibrium == "incompressible")
    {}

    // Density and momentum reach to 0.25, deviations of second moments from j j/inertia to 0.0625.
    void cutOff(double* g) const
    {
        const auto& lattice = project_.lattice;
        Moments m;
        for (std::size_t q = 0; q < lattice.c.size(); ++q) {
            m.r += g[q];
            for (int a = 0; a < lattice.dimensions; ++a) {
                m.j[a] += lattice.c[q][a] * g[q];
                for (int b = 0; b <= a; ++b) m.pi[a][b] += (lattice.c[q][a] * lattice.c[q][b] - (a == b) / 3.) * g[q];
            }
        }
        bool cut = false;
        const auto limit = [&](double& value, double around, double reach) {
            const double within = std::clamp(value, around - reach, around + reach);
            cut = cut || within != value;
            value = within;
        };
        limit(m.r, 0, 0.25);
        for (double& value : m.j) limit(value, 0, 0.25);
        const int last = lattice.dimensions - 1;
        const double inertia = incompressible_ ? 1 : 1 + m.r;
        for (int a = 0; a <= last; ++a)
            for (int b = 0; b <= a && b < last; ++b) {
                const double whole = m.pi[a][b];
                limit(m.pi[a][b], m.j[a] * m.j[b] / inertia, 0.0625);
                if (a == b) m.pi[last][last] += whole - m.pi[a][b]; // which follows from the trace
            }
        if (!cut) return;
        std::fill(g, g + lattice.c.size(), 0);
        add(m, g);
        project_(g);
    }

    // Rounds at random, by up to a unit of 2^-17 and 2^-19.
    void round(double* g, std::mt19937& random) const
    {
        const auto unit = [&](int power) {
            return std::ldexp(std::uniform_real_distribution<>(-1, 1)(random), -power);
        };
        Moments m{unit(17)};
        for (int a = 0; a < project_.lattice.dimensions; ++a) {
            m.j[a] = unit(17);
            for (int b = 0; b <= a; ++b) m.pi[a][b] = unit(19);
        }
        add(m, g);
    }

private:
    struct Moments {
        double r = 0, j[3]{}, pi[3][3]{};
    }; // pi: b <= a

    void add(const Moments& m, double* g) const
    {
        const auto& lattice = project_.lattice;
        for (std::size_t q = 0; q < lattice.c.size(); ++q) {
            double sum = m.r;
            for (int a = 0; a < lattice.dimensions; ++a) {
                sum += 3 * lattice.c[q][a] * m.j[a];
                for (int b = 0; b <= a; ++b)
                    sum += (a == b ? 4.5 : 9) * (lattice.c[q][a] * lattice.c[q][b] - (a == b) / 3.) * m.pi[a][b];
            }
            g[q] += lattice.w[q] * sum;
        }
    }

    Projection project_;
    bool incompressible_;
};

// The scalar ab kernel, populations changed after every step as 16 bits change them; rounded: at random, too.
Course runIn16Bits(const KernelRow& scalar, const Scenario& scenario, bool rounded)
{
    const auto nodes = fluidNodesOf(*scenario.domain);
    const Config config = configOf(scalar, scenario);
    const auto solver = makeSolver(scenario.domain, config);
    tell(*solver, config, scenario, 0);
    const SixteenBits bits(scalar);
    const std::size_t Q = solver->directions();
    std::mt19937 random(16);
    const auto store = [&](std::vector<double> values) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            bits.cutOff(&values[i * Q]);
            if (rounded) bits.round(&values[i * Q], random);
        }
        solver->setPopulations(nodes.data(), nodes.size(), values.data());
    };
    store(startOf(scalar, scenario, true));
    Course course;
    std::size_t number = 0;
    for (const Event& event : scenario.events) {
        for (int step = 0; step < event.steps; ++step) {
            solver->advance(1);
            store(populationsOf(*solver, nodes));
        }
        course.push_back(populationsOf(*solver, nodes));
        change(*solver, event);
        tell(*solver, config, scenario, ++number);
    }
    return course;
}

Course runReference(const Config& config, const Scenario& scenario)
{
    const auto nodes = fluidNodesOf(*scenario.domain);
    reference::Reference reference(*scenario.domain, config);
    tell(reference, config, scenario, 0);
    const int Q = reference.lattice().size();
    const auto start = randomPopulations(nodes.size(), Q);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (int q = 0; q < Q; ++q) reference.setPopulation(nodes[i], q, start[i * Q + q]);
    Course course;
    std::size_t number = 0;
    for (const Event& event : scenario.events) {
        reference.advance(event.steps);
        course.emplace_back();
        for (NodeIndex node : nodes)
            for (int q = 0; q < Q; ++q) course.back().push_back(reference.population(node, q));
        for (const auto& [patch, values] : event.boundaries) reference.setBoundary(patch, values);
        reference.setForce(event.force);
        reference.setRelaxationTime(event.tau);
        reference.setMagic(event.magic);
        tell(reference, config, scenario, ++number);
    }
    return course;
}

// The first difference, where and how large, or nothing. tolerance 0: bit for bit.
testing::AssertionResult agree(const Course& expected, const Course& found, const Scenario& s, double tolerance)
{
    if (expected.size() != found.size()) return testing::AssertionFailure() << "courses of different length";
    const auto nodes = fluidNodesOf(*s.domain);
    int step = 0;
    for (std::size_t e = 0; e < expected.size(); ++e) {
        step += s.events[e].steps;
        const std::size_t Q = expected[e].size() / nodes.size();
        for (std::size_t i = 0; i < expected[e].size(); ++i) {
            const double a = expected[e][i], b = found[e][i];
            const bool same =
                tolerance > 0 ? std::abs(a - b) <= tolerance : std::memcmp(&a, &b, sizeof a) == 0 || a == b;
            if (same) continue;
            const Int3 x = s.domain->coordinates(nodes[i / Q]);
            return testing::AssertionFailure()
                << s.name << ", step " << step << ", node (" << x[0] << ' ' << x[1] << ' ' << x[2] << "), q = " << i % Q
                << ": " << a << " expected, " << b << " found, difference " << b - a;
        }
    }
    return testing::AssertionSuccess();
}

KernelRow scalarOf(const KernelRow& row)
{
    KernelRow scalar = row;
    scalar.device = "cpu";
    scalar.storage = "ab";
    scalar.arithmetic = "scalar";
    scalar.tile.clear();
    return scalar;
}

// Runs of the scalar kernel and of the reference serve every row of a process that wants them.
const Course& expectedCourse(const KernelRow& row, const Scenario& scenario)
{
    static std::map<std::string, Course> known;
    const KernelRow scalar = scalarOf(row);
    const bool bits = roundsMoments(row);
    const std::string key = name(scalar) + scenario.name + (bits ? " 16 bits" : storesMoments(row) ? " projected" : "");
    const auto [found, isNew] = known.try_emplace(key);
    if (isNew)
        found->second =
            bits ? runIn16Bits(scalar, scenario, false) : run(configOf(scalar, scenario), scenario, storesMoments(row));
    return found->second;
}

// Kernels differ by less than 1e-16 (single precision 1e-8); 16 bits, which round at random, by some times what the scalar
// kernel makes of such noise.
double tolerance(const KernelRow& row, const Scenario& scenario)
{
    if (!roundsMoments(row)) return row.precision == "double" ? 5e-16 : 1e-7;
    const KernelRow scalar = scalarOf(row);
    static std::map<std::string, double> known;
    const auto [found, isNew] = known.try_emplace(name(scalar) + scenario.name);
    if (!isNew) return found->second;
    const Course& expected = expectedCourse(row, scenario);
    const Course rounded = runIn16Bits(scalar, scenario, true);
    double most = 0;
    for (std::size_t e = 0; e < expected.size(); ++e)
        for (std::size_t i = 0; i < expected[e].size(); ++i)
            most = std::max(most, std::abs(expected[e][i] - rounded[e][i]));
    return found->second = 3 * most;
}

} // namespace

class Kernel : public testing::TestWithParam<KernelRow> {
protected:
    // A build for a device may run where there is none; the default kernels hold a rare row's scalar one not always.
    void SetUp() override
    {
        SKIP_IF_LEFT_OUT(configOf(scalarOf(GetParam()), Scenario()));
        if (GetParam().device != "cuda") return;
        SKIP_WITHOUT_DEVICE();
    }
};

#ifdef LBM_EXACT
constexpr bool exact = true;
#else
constexpr bool exact = false;
#endif

TEST_P(Kernel, agreesWithScalarAb)
{
    for (int threads : {1, 2, 4})
        for (const Scenario& scenario : threads == 1 ? scenariosOf(GetParam()) : someScenariosOf(GetParam())) {
            if (GetParam().device != "cpu" && threads > 1) continue;
            if (GetParam().arithmetic == "scalar" && threads == 1) continue; // is the measure itself
            Config config = configOf(GetParam(), scenario);
            config.threads = threads;
            const bool moments = storesMoments(GetParam());
            EXPECT_LT(tolerance(GetParam(), scenario), 1e-4) << scenario.name; // noise is not to hide anything
            EXPECT_TRUE(agree(expectedCourse(GetParam(), scenario), run(config, scenario, moments), scenario,
                              exact && !moments ? 0 : tolerance(GetParam(), scenario)))
                << threads << " threads";
        }
}

// Where ghosts have their populations only in part, there is but one.
TEST_P(Kernel, followsGradients)
{
    const StorageDescriptor& storage = storageOf(GetParam());
    const bool moments = storesMoments(GetParam());
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        const auto scalar = ofGradients(scalarOf(GetParam()), scenario);
        const auto configs = ofGradients(GetParam(), scenario);
        for (std::size_t i = 0; i < configs.size(); ++i) {
            Config config = configs[i];
            if (!takesGradients(storage)) {
                EXPECT_THROW(makeSolver(scenario.domain, config), UnknownKernel);
                continue;
            }
            const Course expected = run(scalar[i], scenario, moments);
            const double limit = 10 * tolerance(GetParam(), scenario); // rates are roots and ratios of differences
            for (const auto& [threads, parts] : {std::pair{1, 1}, {2, 1}, {4, 1}, {1, 2}, {1, 5}}) {
                if (scenario.domain->fluidNodes() < parts) continue;
                config.threads = threads;
                config.parts = parts;
                if (parts > 1 && !keepsWholeGhosts(storage))
                    EXPECT_THROW(makeSolver(scenario.domain, config), UnknownKernel);
                else
                    EXPECT_TRUE(agree(expected, run(config, scenario, moments), scenario, limit))
                        << config.closure << ", " << threads << " threads, " << parts << " parts";
            }
        }
    }
}

TEST_P(Kernel, keepsWhatIsReadAndWrittenBack)
{
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        const Config config = configOf(GetParam(), scenario);
        const bool moments = storesMoments(GetParam());
        EXPECT_TRUE(agree(run(config, scenario, moments), run(config, scenario, moments, true), scenario,
                          moments ? tolerance(GetParam(), scenario) : 0));
    }
}

// What a storage gives as its own is its whole state, to the last bit. What is rounded at random is so by where a node lies and by steps
// since the beginning.
TEST_P(Kernel, goesOnFromWhatItStores)
{
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        const Config config = configOf(GetParam(), scenario);
        const bool moments = storesMoments(GetParam());
        EXPECT_TRUE(agree(run(config, scenario, moments), runInTurns(config, scenario, moments), scenario, 0));
    }
}

// Wherever slabs lie that stream through a device, however many steps a pass has, and whoever goes on with others: the same bits.
TEST_P(Kernel, goesOnInOtherSlabs)
{
    const KernelRow& row = GetParam();
    if (row.device == "cpu" || !storageOf(row).streams) GTEST_SKIP() << "does not stream";
    const bool moments = storesMoments(row);
    int compared = 0;
    for (const Scenario& scenario : someScenariosOf(row)) {
        Config config = configOf(row, scenario);
        config.slabLayers = 3;
        config.slabSteps = 4;
        std::unique_ptr<Solver> solver;
        try {
            solver = makeSolver(scenario.domain, config);
        } catch (const std::invalid_argument&) { // see agreesInSlabs
            continue;
        }
        const Course expected = run(config, scenario, moments);
        config.slabLayers = 1;
        config.slabSteps = 5;
        EXPECT_TRUE(agree(expected, run(config, scenario, moments), scenario, 0));
        EXPECT_TRUE(agree(expected, runInTurns(config, scenario, moments), scenario, 0));
        ++compared;
    }
    if (compared == 0) GTEST_SKIP() << "is refused in slabs";
}

// Parts share ghosts, and whoever takes over may have another number of them. Where products and sums are kept apart nothing depends on
// where a node lies in its tile, and neither do numbers that 16 bits are rounded by: the same bits on any number of parts, but where
// sums depend on cuts.
TEST_P(Kernel, agreesInParts)
{
    const bool moments = storesMoments(GetParam());
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        Config config = configOf(GetParam(), scenario);
        const Course whole = run(config, scenario, moments);
        const double limit =
            exact && !sumsDependOnCuts(GetParam(), *scenario.domain) ? 0 : tolerance(GetParam(), scenario);
        std::vector<int> possible{1};
        for (int parts : {2, 3, 5}) {
            config.parts = parts;
            if (scenario.domain->fluidNodes() < parts || !scenario.domain->turns.empty()) {
                EXPECT_THROW(makeSolver(scenario.domain, config), std::invalid_argument) << scenario.name;
                continue;
            }
            if (looksAround(GetParam()) && !keepsWholeGhosts(storageOf(GetParam()))) {
                EXPECT_THROW(makeSolver(scenario.domain, config), UnknownKernel) << scenario.name;
                continue;
            }
            possible.push_back(parts);
            EXPECT_TRUE(agree(whole, run(config, scenario, moments), scenario, limit)) << parts << " parts";
        }
        EXPECT_TRUE(agree(whole, runInTurns(config, scenario, moments, possible), scenario, limit)) << "in turns";
    }
}

// Threads share what parts hand over, and which of them takes what changes no bit; clang's sanitizer of threads looks on in
// tests/build/races.sh.
TEST_P(Kernel, threadsHandOver)
{
    if (!isOnHost(GetParam()) || GetParam().arithmetic == "scalar") GTEST_SKIP() << "has no team of threads";
    if (GetParam().closure != "constant") GTEST_SKIP() << "handed over is what a storage keeps, whatever the closure";
    const bool moments = storesMoments(GetParam());
    const auto& all = scenariosOf(GetParam());
    int compared = 0;
    for (std::size_t i = 0; i < all.size(); i += 7)
        for (const auto& [parts, threads] : {std::pair(2, 3), std::pair(5, 2)}) {
            Config config = configOf(GetParam(), all[i]);
            config.parts = parts;
            if (all[i].domain->fluidNodes() < parts || !all[i].domain->turns.empty()) continue;
            if (looksAround(GetParam()) && !keepsWholeGhosts(storageOf(GetParam()))) continue;
            const Course alone = run(config, all[i], moments);
            config.threads = threads;
            EXPECT_TRUE(agree(alone, run(config, all[i], moments), all[i], 0))
                << threads << " threads, " << parts << " parts";
            ++compared;
        }
    EXPECT_TRUE(compared > 0 || looksAround(GetParam()));
}

#ifdef LBM_CUDA
// The first device twice, whose parts then are as if on two; and all that there are. Which way ghosts go changes no bit.
TEST_P(Kernel, agreesOnSeveralDevices)
{
    if (GetParam().device != "cuda") GTEST_SKIP() << "of devices there is one";
    struct Place {
        std::string device, exchange;
    };
    std::vector<Place> places = {{"cuda:0,0", "peer"}, {"cuda:0,0", "mpi"}};
    if (cuda::deviceCount() > 1)
        for (const char* way : {"auto", "peer", "mpi"}) places.push_back({"cuda:all", way});
    const bool moments = storesMoments(GetParam());
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        Config config = configOf(GetParam(), scenario);
        for (const int each : {1, 2}) {
            config.device = "cuda";
            config.parts = each * (places.back().device == "cuda:all" ? cuda::deviceCount() : 2);
            if (scenario.domain->fluidNodes() < config.parts || !scenario.domain->turns.empty()) continue;
            const Course whole = run(config, scenario, moments);
            for (const Place& place : places) {
                if (place.device == "cuda:0,0" && config.parts % 2 != 0) continue;
                Config several = config;
                several.device = place.device;
                several.exchange = place.exchange;
                several.sharedDevices = true;
                EXPECT_TRUE(agree(whole, run(several, scenario, moments), scenario, 0))
                    << config.parts << " parts on " << place.device << " " << place.exchange;
            }
        }
    }
}

// Parts stream in the same slabs and passes, whatever way ghosts go: what one part has, and the same bits in other slabs, on other
// devices and for who goes on from what is stored on another number of parts.
TEST_P(Kernel, streamsInParts)
{
    const KernelRow& row = GetParam();
    if (row.device != "cuda" || !storageOf(row).streams) GTEST_SKIP() << "does not stream";
    const bool moments = storesMoments(row);
    int compared = 0;
    for (const Scenario& scenario : someScenariosOf(row)) {
        Config config = configOf(row, scenario);
        config.slabLayers = 2;
        config.slabSteps = 4;
        Config several = config;
        several.parts = 2;
        try {
            makeSolver(scenario.domain, config);
            makeSolver(scenario.domain, several);
        } catch (const std::invalid_argument&) { // see agreesInSlabs; or it can be cut across the axis of slabs alone
            continue;
        }
        const double limit = exact && !sumsDependOnCuts(row, *scenario.domain) ? 0 : tolerance(row, scenario);
        const Course whole = run(config, scenario, moments), expected = run(several, scenario, moments);
        EXPECT_TRUE(agree(whole, expected, scenario, limit));
        EXPECT_TRUE(agree(whole, runInTurns(config, scenario, moments, {1, 2}), scenario, limit));
        several.sharedDevices = true;
        std::vector<std::string> places{"cuda:0,0"};
        if (cuda::deviceCount() > 1) places.push_back("cuda:0,1");
        for (const std::string& place : places)
            for (const char* way : {"auto", "peer", "mpi"})
                for (const auto& [layers, steps] : {std::pair(1, 5), std::pair(3, 32)}) {
                    several.device = place;
                    several.exchange = way;
                    several.slabLayers = layers;
                    several.slabSteps = steps;
                    EXPECT_TRUE(agree(expected, run(several, scenario, moments), scenario, 0))
                        << place << " " << way << ", slabs of " << layers << " layers, passes of " << steps << " steps";
                }
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

// Parts whose kernels' arguments repeat have steps recorded as a graph, which is then begun instead, if that turns out to be faster: the
// same as one by one, also when the recording is used again, and when parts have been told something meanwhile.
TEST_P(Kernel, recordsSteps)
{
    if (GetParam().device != "cuda") GTEST_SKIP() << "what runs on a processor is begun where it runs";
    const bool moments = storesMoments(GetParam()), records = moments && storageOf(GetParam()).copies == 2;
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        Config config = configOf(GetParam(), scenario);
        config.device = cuda::deviceCount() > 1 ? "cuda:all" : "cuda:0,0";
        config.parts = std::max(2, cuda::deviceCount());
        config.sharedDevices = true;
        if (scenario.domain->fluidNodes() < config.parts || !scenario.domain->turns.empty()) continue;
        const auto nodes = fluidNodesOf(*scenario.domain);
        const auto begin = [&] {
            auto solver = makeSolver(scenario.domain, config);
            tell(*solver, config, scenario, 0);
            const auto start = startOf(solver->row(), scenario, moments);
            solver->setPopulations(nodes.data(), nodes.size(), start.data());
            return solver;
        };
        const auto atOnce = begin(), oneByOne = begin();
        std::size_t number = 0;
        for (const Event& event : scenario.events) {
            for (const int steps : {170 + event.steps, 20}) {
                atOnce->advance(steps);
                for (int s = 0; s < steps; ++s) oneByOne->advance(1);
                const auto expected = populationsOf(*oneByOne, nodes), found = populationsOf(*atOnce, nodes);
                EXPECT_EQ(std::memcmp(expected.data(), found.data(), expected.size() * sizeof(double)), 0)
                    << scenario.name << ", event " << number << ", step " << atOnce->step();
                const bool tried = atOnce->executor().find("at once") != std::string::npos;
                EXPECT_EQ(tried, records) << scenario.name;
            }
            ++number;
            for (Solver* solver : {atOnce.get(), oneByOne.get()}) {
                change(*solver, event);
                tell(*solver, config, scenario, number);
            }
        }
    }
}
#endif

// Domains that stream through a device in slabs: the same kernels in another order, over passes of one step and of many, with a rest
// and without. Where all is resident, runs without interpolated walls may have another kernel, which may round moments otherwise.
Scenario stretched(Scenario scenario, int factor)
{
    for (Event& event : scenario.events) event.steps *= factor;
    return scenario;
}

struct Thickness {
    int layers, steps;
};

void streamsAsItResides(const KernelRow& row, Config config, const Scenario& scenario, const Thickness& slabs,
                        double limit)
{
    SCOPED_TRACE(scenario.name + ", closure " + config.closure + ", slabs of " + std::to_string(slabs.layers)
                 + " layers, passes of " + std::to_string(slabs.steps) + " steps");
    const bool moments = storesMoments(row);
    const Course resident = run(config, scenario, moments);
    config.slabLayers = slabs.layers;
    config.slabSteps = slabs.steps;
    const Domain& d = *scenario.domain;
    const Int3 tile = tileExtentsOf(row);
    bool wholeTiles = true;
    for (int a = 0; a < d.dimensions; ++a) wholeTiles = wholeTiles && (!d.periodic[a] || d.size[a] % tile[a] == 0);
    if ((d.periodic[d.dimensions - 1] && !wholeTiles) || !d.turns.empty()) {
        EXPECT_THROW(makeSolver(scenario.domain, config), std::invalid_argument);
        return;
    }
    EXPECT_TRUE(agree(resident, run(config, scenario, moments), scenario, moments ? limit : 0));
}

TEST_P(Kernel, agreesInSlabs)
{
    const KernelRow& row = GetParam();
    const Scenario& first = scenariosOf(row).front();
    Config config = configOf(row, first);
    config.slabSteps = 4;
    if (row.device == "cpu" || !storageOf(row).streams) {
        EXPECT_THROW(makeSolver(first.domain, config), std::invalid_argument);
        return;
    }
    std::size_t number = 0;
    for (const Scenario& scenario : scenariosOf(row))
        for (const Thickness& slabs : {Thickness{1, 1}, {1, 5}, {2, 4}, {3, 32}}) {
            if (row.closure != "constant" && number++ % 5 != 0) continue;
            const bool lasts = scenario.tau > 0.6; // at small relaxation times openings in a jumble diverge sooner
            const Scenario longer = stretched(scenario, slabs.steps > 1 && lasts ? 4 : 1);
            const double limit = tolerance(row, scenario);
            streamsAsItResides(row, configOf(row, longer), longer, slabs, limit);
            if (!takesGradients(storageOf(row))) continue;
            // One closure after another
            if (const auto configs = ofGradients(row, longer); !configs.empty())
                streamsAsItResides(row, configs[number / 5 % configs.size()], longer, slabs, 10 * limit);
        }
}

TEST_P(Kernel, tellsOthersWhatItStores)
{
    if (const std::string why = leftOut(configOf(scalarOf(GetParam()), Scenario())); !why.empty()) GTEST_SKIP() << why;
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        const auto nodes = fluidNodesOf(*scenario.domain);
        const auto solver = makeSolver(scenario.domain, configOf(GetParam(), scenario));
        const auto start = startOf(GetParam(), scenario, storesMoments(GetParam()));
        solver->setPopulations(nodes.data(), nodes.size(), start.data());
        solver->advance(1);
        const auto own = populationsOf(*solver, nodes);
        std::vector<double> told(own.size());
        populationsOfStored(GetParam(), storedOf(*solver, nodes).data(), nodes.size(), told.data(), solver->stateTau());
        const double limit = !storesMoments(GetParam()) ? 0 : GetParam().precision == "double" ? 1e-16 : 5e-8;
        for (std::size_t i = 0; i < own.size(); ++i)
            ASSERT_NEAR(told[i], own[i], limit) << scenario.name << ", value " << i;
    }
}

std::vector<NodeIndex> lookedAt(const Domain& domain, int stride)
{
    std::vector<NodeIndex> nodes;
    const HealthBlocks blocks(domain, stride);
    for (std::int64_t row = 0; row < blocks.rows(); ++row)
        blocks.forRow(row, [&](const NodeBox& box) {
            forFluid(domain, box, [&](NodeIndex node, int, int, int) { nodes.push_back(node); });
        });
    return nodes;
}

// Every node, or some of them: what is found is there, and all of it is.
TEST_P(Kernel, looksAfterItsHealth)
{
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        const auto nodes = fluidNodesOf(*scenario.domain);
        const auto solver = makeSolver(scenario.domain, configOf(GetParam(), scenario));
        const auto start = startOf(GetParam(), scenario, storesMoments(GetParam()));
        solver->setPopulations(nodes.data(), nodes.size(), start.data());
        const auto populations = populationsOf(*solver, nodes);
        const auto directions = latticeDirections(GetParam().lattice);
        const std::size_t Q = directions.size();
        std::map<NodeIndex, std::pair<double, double>> states; // density and speed
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            double rho = 1, j[3] = {0, 0, 0};
            for (std::size_t q = 0; q < Q; ++q) {
                rho += populations[i * Q + q];
                for (int a = 0; a < 3; ++a) j[a] += directions[q][a] * populations[i * Q + q];
            }
            const double inertia = GetParam().equilibrium == "incompressible" ? 1 : rho;
            states[nodes[i]] = {rho, std::sqrt(j[0] * j[0] + j[1] * j[1] + j[2] * j[2]) / inertia};
        }
        const double limit = GetParam().precision == "double" ? 1e-13 : 1e-6;
        for (int stride : {1, 2, 3}) {
            const Health health = solver->health(stride);
            double lowest = 2, highest = 0, fastest = 0, excess = 0;
            std::int64_t seen = 0;
            for (const NodeIndex node : lookedAt(*scenario.domain, stride)) {
                const auto [rho, speed] = states.at(node);
                lowest = std::min(lowest, rho);
                highest = std::max(highest, rho);
                fastest = std::max(fastest, speed);
                excess += rho - 1;
                ++seen;
            }
            EXPECT_EQ(health.bad, -1);
            EXPECT_EQ(health.nodes, seen) << scenario.name << ", every " << stride;
            if (seen == 0) continue;
            ASSERT_TRUE(states.count(health.fastest)) << scenario.name << ", every " << stride;
            EXPECT_NEAR(states[health.fastest].second, health.maxSpeed, limit) << scenario.name << ", every " << stride;
            EXPECT_NEAR(health.minDensity, lowest, limit) << scenario.name << ", every " << stride;
            EXPECT_NEAR(health.maxDensity, highest, limit) << scenario.name << ", every " << stride;
            EXPECT_NEAR(health.maxSpeed, fastest, limit) << scenario.name << ", every " << stride;
            EXPECT_NEAR(health.excess, excess, limit * double(nodes.size())) << scenario.name << ", every " << stride;
        }
    }
}

// Of the same state it is the same to the last bit, whatever parts have the nodes.
TEST_P(Kernel, looksAfterThatOfPartsAlike)
{
    const KernelRow& row = GetParam();
    int compared = 0;
    for (const Scenario& scenario : someScenariosOf(row)) {
        if (!scenario.domain->turns.empty() || (looksAround(row) && !keepsWholeGhosts(storageOf(row)))) continue;
        const auto nodes = fluidNodesOf(*scenario.domain);
        const auto start = startOf(row, scenario, storesMoments(row));
        Config config = configOf(row, scenario);
        const std::array<int, 3> strides{1, 2, 7};
        const auto healthIn = [&](int parts) {
            config.parts = parts;
            const auto solver = makeSolver(scenario.domain, config);
            solver->setPopulations(nodes.data(), nodes.size(), start.data());
            std::vector<Health> found;
            for (const int stride : strides) found.push_back(solver->health(stride));
            return found;
        };
        const std::vector<Health> whole = healthIn(1);
        EXPECT_EQ(whole[0].nodes, scenario.domain->fluidNodes()) << scenario.name;
        for (const int parts : {2, 3, 5}) {
            if (whole[0].nodes < parts) continue;
            const std::vector<Health> found = healthIn(parts);
            for (std::size_t s = 0; s < strides.size(); ++s) {
                SCOPED_TRACE(scenario.name + ", " + std::to_string(parts) + " parts, every "
                             + std::to_string(strides[s]));
                EXPECT_EQ(found[s].nodes, whole[s].nodes);
                EXPECT_EQ(double(found[s].excess), double(whole[s].excess));
                EXPECT_EQ(found[s].maxSpeed, whole[s].maxSpeed);
                EXPECT_EQ(found[s].fastest, whole[s].fastest);
                EXPECT_EQ(found[s].minDensity, whole[s].minDensity);
                EXPECT_EQ(found[s].maxDensity, whole[s].maxDensity);
            }
            ++compared;
        }
    }
    if (compared == 0) GTEST_SKIP() << "is refused in parts";
}

TEST_P(Kernel, keepsMassInClosedDomains)
{
    for (const Scenario& scenario : scenariosOf(GetParam())) {
        if (!scenario.closed) continue;
        const auto nodes = fluidNodesOf(*scenario.domain);
        const auto total = [](const std::vector<double>& values) {
            long double sum = 0;
            for (double value : values) sum += value;
            return double(sum);
        };
        const double start = total(randomPopulations(nodes.size(), latticeDirections(GetParam().lattice).size()));
        const double end = total(run(configOf(GetParam(), scenario), scenario, storesMoments(GetParam())).back());
        EXPECT_NEAR(end, start, tolerance(GetParam(), scenario) * double(nodes.size())) << scenario.name;
    }
}

// Groups of unlike size that share nodes, one of them empty, of states or of populations.
NodeGroups overlapping(const std::vector<NodeIndex>& nodes, NodeSet::Kind kind, int Q)
{
    NodeGroups groups(kind);
    for (std::size_t g = 0; g < nodes.size(); ++g) {
        for (std::size_t i = 0; i < g % 7; ++i) {
            const NodeIndex node = nodes[(5 * g + 3 * i) % nodes.size()];
            if (kind == NodeSet::Kind::sumsOfStates) groups.add(node, 0.4 * double(i) - 1);
            else groups.add(node, 0.4 * double(i) - 1, int((g + i) % Q));
        }
        groups.endGroup();
    }
    return groups;
}

// On a device the sums are made there.
TEST_P(Kernel, sumsWhatItsNodesHold)
{
    const Scenario& scenario = scenariosOf(GetParam()).front();
    const auto nodes = fluidNodesOf(*scenario.domain);
    const auto solver = makeSolver(scenario.domain, configOf(GetParam(), scenario));
    const int Q = solver->directions();
    solver->setPopulations(nodes.data(), nodes.size(), randomPopulations(nodes.size(), Q).data());
    solver->advance(3);
    const auto populations = populationsOf(*solver, nodes);
    std::vector<Macroscopic> states(nodes.size());
    solver->sample(nodes.data(), nodes.size(), states.data());

    const NodeGroups groups = overlapping(nodes, NodeSet::Kind::sumsOfStates, Q);
    const NodeGroups along = overlapping(nodes, NodeSet::Kind::sumsOfPopulations, Q);
    std::vector<double> values(10 * groups.size()), sums(along.size());
    const Extremes seen = solver->sample(*solver->place(groups), Reading::state, values.data());
    const Extremes seenAlong = solver->sumPopulations(*solver->place(along), sums.data());
    EXPECT_GT(seen.speedSquare, 0);
    EXPECT_GT(seenAlong.deviation, 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        Macroscopic expected;
        double sum = 0;
        for (std::size_t i = groups.begin[g]; i < groups.begin[g + 1]; ++i) {
            const std::size_t k =
                std::size_t(std::lower_bound(nodes.begin(), nodes.end(), groups.nodes[i]) - nodes.begin());
            const double w = groups.weights[i];
            expected.density += w * (states[k].density - 1);
            for (int a = 0; a < 3; ++a) expected.velocity[a] += w * states[k].velocity[a];
            for (int c = 0; c < 6; ++c) expected.strainRate[c] += w * states[k].strainRate[c];
            sum += w * populations[k * Q + along.directions[i]];
        }
        ASSERT_NEAR(values[10 * g], expected.density, 1e-14);
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(values[10 * g + 1 + a], expected.velocity[a], 1e-14);
        for (int c = 0; c < 6; ++c) ASSERT_NEAR(values[10 * g + 4 + c], expected.strainRate[c], 1e-14);
        ASSERT_NEAR(sums[g], sum, 1e-14);
    }
}

// As sums and for states to begin with; on a device what is written out of them never leaves it.
TEST_P(Kernel, takesBoxesForTheirNodes)
{
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        const Config config = configOf(GetParam(), scenario);
        const auto solver = makeSolver(scenario.domain, config), same = makeSolver(scenario.domain, config);
        tell(*solver, config, scenario, 0);
        tell(*same, config, scenario, 0);
        const NodeBoxes boxes = boxesOf(*scenario.domain, {3, 4, 2}, NodeSet::Kind::sumsOfStates);
        const std::vector<LinearState> states = statesOf(boxes, scenario.domain->dimensions == 2);
        solver->initialise(boxes, states.data());
        std::vector<NodeIndex> nodes;
        const std::vector<Macroscopic> own = statesOfNodes(*scenario.domain, boxes, states, nodes);
        same->initialise(nodes.data(), nodes.size(), own.data());
        EXPECT_TRUE(populationsOf(*solver, nodes) == populationsOf(*same, nodes)) << scenario.name;
        solver->advance(2);
        std::vector<double> found(10 * boxes.boxes.size()), expected(found.size());
        solver->sample(*solver->place(boxes), Reading::state, found.data());
        solver->sample(*solver->place(termsOf(*scenario.domain, boxes)), Reading::state, expected.data());
        EXPECT_TRUE(found == expected) << scenario.name;
    }
}

// Of a box, in other units, as by way of the host; strain rates that populations do not tell with them, at all kinds of links.
TEST_P(Kernel, setsStatesThatItKept)
{
    const double limit = roundsMoments(GetParam()) ? 1e-5 : GetParam().precision == "float" ? 2e-7 : 2e-14;
    // Lattices are read node by node on a host: some of those that others have
    const std::vector<Scenario> some = someScenariosOf(GetParam());
    const std::size_t stride = isOnHost(GetParam()) ? 2 : 4;
    for (std::size_t of = 0; of < some.size(); of += stride) {
        const Scenario& scenario = some[of];
        std::vector<Config> configs = {configOf(GetParam(), scenario)};
        if (takesGradients(storageOf(GetParam())))
            for (const Config& gradient : ofGradients(GetParam(), scenario)) configs.push_back(gradient);
        const auto nodes = fluidNodesOf(*scenario.domain);
        for (Config& config : configs) {
            config.threads = 2;
            const auto solver = makeSolver(scenario.domain, config), same = makeSolver(scenario.domain, config);
            const auto start = randomPopulations(nodes.size(), std::size_t(solver->directions()));
            for (Solver* each : {solver.get(), same.get()}) {
                tell(*each, config, scenario, 0);
                each->setPopulations(nodes.data(), nodes.size(), start.data());
                each->advance(3);
            }
            NodeBox box;
            box.size = scenario.domain->size;
            for (std::size_t a = 0; a < 3; ++a)
                if (box.size[a] > 4) box.low[a] = int(a), box.size[a] -= 2 * int(a);
            const auto kept = keepStates(*solver, box), there = keepOnHost(*same, box);
            EXPECT_GT(kept->seen.speedSquare, 0);
            EXPECT_NEAR(kept->seen.speedSquare, there->seen.speedSquare, 10 * limit);
            EXPECT_NEAR(kept->seen.rate, there->seen.rate, 100 * limit);
            const StateScale scale{0.16, 0.4, 0.4};
            setStates(*solver, *kept, scale);
            setFromHost(*same, *there, scale);
            const auto found = populationsOf(*solver, nodes), expected = populationsOf(*same, nodes);
            for (std::size_t i = 0; i < found.size(); ++i)
                ASSERT_NEAR(found[i], expected[i], limit) << scenario.name << ", " << config.closure << ", value " << i;
        }
    }
}

// Moments may stand for other populations than the reference has set, but not for another state.
TEST_P(Kernel, initialisesAndSamplesAsTheReference)
{
    for (const Scenario& scenario : someScenariosOf(GetParam())) {
        const Config config = configOf(GetParam(), scenario);
        const auto nodes = fluidNodesOf(*scenario.domain);
        const auto solver = makeSolver(scenario.domain, config);
        reference::Reference reference(*scenario.domain, config);
        tell(*solver, config, scenario, 0);
        tell(reference, config, scenario, 0);
        const int Q = solver->directions();

        const auto random = randomPopulations(nodes.size(), 10);
        std::vector<Macroscopic> states(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            Macroscopic& m = states[i];
            const double* value = &random[10 * i];
            const bool flat = scenario.domain->dimensions == 2;
            m.density = 1 + value[0];
            m.velocity = {10 * value[1], 10 * value[2], flat ? 0 : 10 * value[3]};
            m.strainRate = {value[4], value[5], flat ? 0 : value[6], -value[4], flat ? 0 : value[7], 0};
            reference.initialise(nodes[i], m);
        }
        solver->initialise(nodes.data(), nodes.size(), states.data());
        const auto populations = populationsOf(*solver, nodes);
        std::vector<Macroscopic> sampled(nodes.size());
        solver->sample(nodes.data(), nodes.size(), sampled.data());
        const bool moments = storesMoments(GetParam());
        const bool fromVelocities = GetParam().closure == "shearRate"; // of nodes around, which are random here
        const double limit = roundsMoments(GetParam()) ? 1e-6 : referenceTolerance(GetParam());
        // GPUs do not store the trace of the stress, of which a force has a share of the order of u.F
        const double ofTrace = moments && GetParam().device != "cpu" ? 1e-6 : 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (int q = 0; q < Q && !moments; ++q)
                ASSERT_NEAR(populations[i * Q + q], reference.population(nodes[i], q), limit);
            for (int k = 0; k < 6 && !fromVelocities; ++k)
                ASSERT_NEAR(sampled[i].strainRate[k], states[i].strainRate[k], 40 * limit + ofTrace);
            const auto state = reference.state(nodes[i]);
            ASSERT_NEAR(sampled[i].density, state.density, 20 * limit);
            for (int a = 0; a < 3; ++a) {
                ASSERT_NEAR(sampled[i].velocity[a], state.velocity[a], 20 * limit);
                ASSERT_NEAR(sampled[i].velocity[a], states[i].velocity[a], 20 * limit);
            }
        }
    }
}

std::string testName(const testing::TestParamInfo<KernelRow>& info)
{
    std::string text = name(info.param);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return text;
}

INSTANTIATE_TEST_SUITE_P(equivalence, Kernel, testing::ValuesIn(kernels()), testName);

class ScalarKernel : public testing::TestWithParam<KernelRow> {};

TEST_P(ScalarKernel, agreesWithTheReference)
{
    for (const Scenario& scenario : scenariosOf(GetParam())) {
        const Config config = configOf(GetParam(), scenario);
        EXPECT_TRUE(agree(runReference(config, scenario), run(config, scenario, false), scenario,
                          referenceTolerance(GetParam())));
        for (const Config& gradient : ofGradients(GetParam(), scenario))
            EXPECT_TRUE(agree(runReference(gradient, scenario), run(gradient, scenario, false), scenario,
                              10 * referenceTolerance(GetParam())))
                << gradient.closure;
    }
}

std::vector<KernelRow> scalarRows()
{
    std::vector<KernelRow> rows;
    for (const KernelRow& row : kernels())
        if (row.arithmetic == "scalar") rows.push_back(row);
    return rows;
}

INSTANTIATE_TEST_SUITE_P(equivalence, ScalarKernel, testing::ValuesIn(scalarRows()), testName);

TEST(Registry, everyRowHasAScalarOne)
{
    ASSERT_FALSE(kernels().empty());
    for (const KernelRow& row : kernels()) {
        Scenario none;
        EXPECT_NO_THROW(leftOut(configOf(scalarOf(row), none))) << name(row);
        EXPECT_EQ(name(findKernel(configOf(row, none))), name(row));
    }
}

} // namespace lbm::test
