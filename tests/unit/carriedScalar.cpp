// A scalar beside the flow that carries it and that it drives: what forces follow, what is kept, and the same on a device as on the
// host. Threads of a device read the same tables, on the host. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/CarriedScalar.hpp"
#include "lbm/solver/Part.hpp"
#include "lbm/storage/scalar/ScalarGroups.hpp"
#include "lbm/storage/scalar/setScalarEnds.hpp"
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lbm::test {
namespace {

// Two patches, walls at rest: the one half-way, the other one where a cylinder's surface is, which crosses the box. Rows of nodes
// begin and end everywhere.
Domain aroundACylinder(int dimensions)
{
    const Int3 size{41, 23, dimensions == 3 ? 9 : 1};
    return shape(size, {true, false, dimensions == 3},
                 {[=](const Vec3& x) { return std::min(x[1] + 0.5, size[1] - 0.5 - x[1]); },
                  [](const Vec3& x) { return std::hypot(x[0] - 19.3, x[1] - 9.6) - 5.2; }});
}

Config flowConfig(int dimensions, const std::string& device, const std::string& precision, const std::string& storage)
{
    Config c;
    c.lattice = dimensions == 3 ? "D3Q19" : "D2Q9";
    c.collision = "regularized";
    c.closure = "nodeField";
    c.storage = storage;
    c.device = device;
    c.precision = precision;
    c.tau = 0.56;
    c.nodeForces = true;
    c.patches.assign(2, LinkValue{});
    c.patches[1].kind = BoundaryKind::interpolatedWall;
    return c;
}

// Of several rows that tests take if they are there: lists of kernels of one's own have few.
bool isBuilt(const Config& config)
{
    try {
        findKernel(config);
        return true;
    } catch (const UnknownKernel&) {
        return false;
    }
}

Vec3 swirl(const Vec3& x)
{
    return {0.03 + 0.01 * std::sin(0.3 * x[1]), 0.02 * std::cos(2 * M_PI / 41 * x[0]), 0.01 * std::sin(0.7 * x[2])};
}

double warmth(const Vec3& x) { return 1 + 0.3 * std::sin(0.4 * x[0] + 0.2 * x[1]) + 0.1 * std::cos(0.7 * x[2]); }

const Buoyancy lifts{{1e-6, 0, 0}, {0, -2e-4, 0}, 1.1, 0.9};

struct Carried {
    Flow flow;
    std::unique_ptr<CarriedScalar> scalar;
    std::shared_ptr<const NodeSet> placed;
    std::vector<double> first; // of nodes

    Carried(int dimensions, const Config& config, int stride) : flow(aroundACylinder(dimensions), config)
    {
        flow.begin(swirl);
        ScalarConfig of;
        of.precision = config.precision;
        of.diffusivity = 0.03;
        scalar = placeScalar(*flow.solver, flow.domain, of);
        scalar->setStride(stride);
        placed = flow.solver->place(flow.nodes.data(), flow.nodes.size());
        tell(0, {ScalarKind::value, 0.5, false});
        tell(1, {ScalarKind::value, 2, true});
        for (std::size_t i = 0; i < flow.nodes.size(); ++i) first.push_back(warmth(flow.position(i)));
        scalar->initialise(first.data());
    }

    void tell(int patch, const ScalarLinkValue& value)
    {
        std::size_t n = 0;
        for (const Link& link : flow.domain->links) n += link.patch == patch;
        scalar->setBoundary(patch, std::vector<ScalarLinkValue>(n, value).data(), n);
    }

    // Whoever tells the forces; of steps of the scalar the largest speed.
    double step(int stride, const Buoyancy& b = lifts)
    {
        if (!scalar->arrive(&b)) {
            std::vector<double> s(scalar->size()), forces;
            scalar->between(s.data());
            for (const double own : s)
                for (int a = 0; a < 3; ++a) forces.push_back(forceOf(b, own, a));
            flow.solver->setForces(*placed, forces.data());
        }
        flow.solver->advance(stride);
        return scalar->collide();
    }

    std::vector<double> values() const
    {
        std::vector<double> s(scalar->size());
        scalar->values(s.data());
        return s;
    }

    std::vector<double> state() const
    {
        std::vector<double> all(std::size_t(scalar->populations() + 1) * scalar->size());
        scalar->getState(all.data(), all.data() + std::size_t(scalar->populations()) * scalar->size());
        return all;
    }
    void set(const std::vector<double>& state)
    {
        scalar->setState(state.data(), state.data() + std::size_t(scalar->populations()) * scalar->size());
    }
};

double largestDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    double most = a.size() == b.size() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double d = std::abs(a[i] - b[i]);
        most = std::isfinite(d) ? std::max(most, d) : std::numeric_limits<double>::infinity();
    }
    return most;
}

double largest(const std::vector<double>& values)
{
    return largestDifference(values, std::vector<double>(values.size(), 0));
}

} // namespace

TEST(CarriedScalar, forcesFollowItInTheMiddleOfTheFlowsSteps)
{
    const Config config = flowConfig(2, "cpu", "double", "moments");
    SKIP_IF_LEFT_OUT(config);
    for (const int stride : {1, 4}) {
        Carried c(2, config, stride);
        std::vector<double> before = c.first;
        for (int step = 0; step < 3; ++step) {
            ASSERT_FALSE(c.scalar->arrive(&lifts));
            std::vector<double> between(before.size()), state = c.state();
            c.scalar->between(between.data());
            const std::vector<double> after(state.end() - std::ptrdiff_t(before.size()), state.end());
            // Steps 1 to `stride` of as many: half a step beyond the middle
            const double middle = (1.0 + stride) / (2 * stride);
            for (std::size_t i = 0; i < before.size(); ++i)
                ASSERT_NEAR(between[i], (1 - middle) * before[i] + middle * after[i], 1e-15);
            EXPECT_GT(largestDifference(before, after), 1e-4);
            c.scalar->collide();
            before = after;
        }
    }
}

// Uniform flow, whose speed counts `stride` times: what it carries is where it would be by steps of one.
TEST(CarriedScalar, itsStepsTakeSeveralOfTheFlows)
{
    Config config = flowConfig(2, "cpu", "double", "moments");
    config.nodeForces = false;
    config.closure = "constant";
    config.patches.clear();
    SKIP_IF_LEFT_OUT(config);
    std::vector<std::vector<double>> ends;
    for (const int stride : {1, 4}) {
        Flow flow(periodicBox({48, 48, 1}), config);
        flow.begin([](const Vec3&) { return Vec3{0.04, 0.02, 0}; });
        ScalarConfig of;
        of.diffusivity = 0.01 * stride;
        const auto scalar = placeScalar(*flow.solver, flow.domain, of);
        scalar->setStride(stride);
        std::vector<double> wave;
        for (std::size_t i = 0; i < flow.nodes.size(); ++i)
            wave.push_back(std::sin(2 * M_PI / 48 * flow.position(i)[0]));
        scalar->initialise(wave.data());
        for (int i = 0; i < 200 / stride; ++i) {
            scalar->arrive(nullptr);
            flow.solver->advance(stride);
            EXPECT_NEAR(scalar->collide(), stride * std::hypot(0.04, 0.02), 1e-6);
        }
        scalar->values(wave.data());
        ends.push_back(wave);
    }
    EXPECT_LT(largestDifference(ends[0], ends[1]), 5e-3);
    EXPECT_GT(largest(ends[0]), 0.9);
}

namespace {

// Of all nodes, what is sampled as the flow alone beside that of states.
void expectTheFlowOfStates(const Flow& flow, const NodeSet& placed, const std::string& row)
{
    const std::size_t n = flow.nodes.size();
    std::vector<double> own(4 * n), states(10 * n), alone;
    const Extremes ofFlow = flow.solver->sample(placed, Reading::flow, own.data()),
                   ofStates = flow.solver->sample(placed, Reading::state, states.data());
    for (std::size_t i = 0; i < n; ++i) alone.insert(alone.end(), &states[10 * i], &states[10 * i + 4]);
    EXPECT_LT(largestDifference(own, alone), 1e-14) << row;
    EXPECT_NEAR(ofFlow.speedSquare, ofStates.speedSquare, 1e-14) << row;
    EXPECT_NEAR(ofFlow.excess, ofStates.excess, 1e-14) << row;
    EXPECT_EQ(ofFlow.rate, 0) << row;
    EXPECT_GT(ofStates.rate, 1e-4) << row;
}

} // namespace

// Who asks for the flow alone gets it from what is stored, whatever that is, without strain rates: the same as of states, forces and
// all: by node, one of all nodes where each may have its own, and where none has.
TEST(CarriedScalar, theFlowAloneIsThatOfStates)
{
    const Vec3 uniform{2e-2, -1e-2, 0};
    int rows = 0;
    for (const int dimensions : {2, 3})
        for (const char* precision : {"double", "float"})
            for (const char* storage : {"moments", "ab", "aa", "t2c"}) {
                const std::string row = storage + std::string(" ") + precision + " " + std::to_string(dimensions);
                const Config config = flowConfig(dimensions, "cpu", precision, storage);
                if (isBuilt(config)) {
                    ++rows;
                    Carried c(dimensions, config, 2);
                    for (int i = 0; i < 3; ++i) c.step(2, {{0, 0, 0}, uniform, 1.1, 0.9});
                    expectTheFlowOfStates(c.flow, *c.placed, row + ", forces by node");
                    c.flow.solver->setForce(uniform);
                    c.flow.solver->advance(2);
                    expectTheFlowOfStates(c.flow, *c.placed, row + ", one force for nodes that may have their own");
                }
                Config plain = config;
                plain.closure = "constant";
                plain.nodeForces = false;
                if (!isBuilt(plain)) continue;
                ++rows;
                Flow flow(aroundACylinder(dimensions), plain);
                flow.begin(swirl);
                flow.solver->setForce(uniform);
                flow.solver->advance(2);
                expectTheFlowOfStates(flow, *flow.solver->place(flow.nodes.data(), flow.nodes.size()),
                                      row + ", one force");
            }
    if (rows == 0) GTEST_SKIP() << "none of these rows is in this build";
}

TEST(CarriedScalar, goesOnBitForBit)
{
    const Config config = flowConfig(3, "cpu", "double", "moments");
    SKIP_IF_LEFT_OUT(config);
    Carried one(3, config, 2), other(3, config, 2);
    for (int i = 0; i < 5; ++i) one.step(2);
    other.set(one.state());
    const int values = storedState(one.flow.solver->row()).values;
    std::vector<double> stored(one.flow.nodes.size() * std::size_t(values));
    one.flow.solver->getStored(*one.placed, stored.data());
    other.flow.solver->setStored(*other.placed, stored.data());
    for (int i = 0; i < 5; ++i) EXPECT_EQ(one.step(2), other.step(2));
    EXPECT_EQ(one.state(), other.state());
    EXPECT_GT(largestDifference(one.values(), one.first), 0.1);
}

TEST(CarriedScalar, refusesWhatMakesNoSense)
{
    const Config config = flowConfig(2, "cpu", "double", "moments");
    SKIP_IF_LEFT_OUT(config);
    Carried c(2, config, 1);
    EXPECT_THROW(c.scalar->setStride(0), std::invalid_argument);
    EXPECT_THROW(c.scalar->setDiffusivity(-1), std::invalid_argument);
    const ScalarLinkValue value;
    EXPECT_THROW(c.scalar->setBoundary(2, &value, 1), std::invalid_argument);
    EXPECT_THROW(c.scalar->setBoundary(0, &value, 1), std::invalid_argument);
    ScalarConfig none;
    EXPECT_THROW(placeScalar(*c.flow.solver, c.flow.domain, none), std::invalid_argument);
}

namespace {

// A flow that has diverged has no speed: a scalar in it must not tell one that can be borne.
void expectNoSpeed(const Config& config)
{
    Carried c(2, config, 1);
    EXPECT_LT(c.step(1), 0.1);
    std::vector<double> populations(c.flow.nodes.size() * std::size_t(c.flow.solver->directions()));
    c.flow.solver->getPopulations(*c.placed, populations.data());
    for (int q = 0; q < c.flow.solver->directions(); ++q)
        populations[100 * std::size_t(c.flow.solver->directions()) + std::size_t(q)] =
            std::numeric_limits<double>::quiet_NaN();
    c.flow.solver->setPopulations(*c.placed, populations.data());
    c.scalar->arrive(&lifts);
    EXPECT_EQ(c.scalar->collide(), std::numeric_limits<double>::infinity());
}

} // namespace

TEST(CarriedScalar, aVelocityThatIsNoNumberIsInfinite)
{
    const Config config = flowConfig(2, "cpu", "double", "moments");
    SKIP_IF_LEFT_OUT(config);
    expectNoSpeed(config);
}

// What threads of a device do, one after the other: the same as the rows of a CPU.
template<int D, class R>
void stepByGroups(const Domain& domain, ScalarLattice& lattice, const std::vector<double>& flow, int steps,
                  const std::vector<double>& diffusivity, const std::vector<ScalarLinkValue>& told)
{
    constexpr int Q = 1 + 2 * D;
    const ScalarGeometry geometry(domain);
    const ScalarGroups groups(geometry, Q);
    const ScalarGroupsView view = groups.view();
    const auto& slots = geometry.slots();
    std::vector<ScalarEnd<R>> ends(slots.size());
    std::vector<R> arrives(slots.size());
    for (const int patch : {0, 1}) {
        const auto& own = geometry.slotsOf(patch);
        setScalarEnds("wall", own, slots, std::vector<ScalarLinkValue>(own.size(), told[std::size_t(patch)]).data(),
                      own.size(), ends);
    }
    std::vector<double> populations(std::size_t(Q) * lattice.size());
    lattice.getPopulations(populations.data());
    std::vector<R> sent(populations.begin(), populations.end()), next(sent.size());
    const std::vector<R> conducts(diffusivity.begin(), diffusivity.end());
    const ScalarRatesOfNodes<R> rates{{}, conducts.data(), R(0.125)};
    for (int step = 0; step < steps; ++step) {
        for (std::size_t s = 0; s < slots.size(); ++s)
            arrives[s] = broughtBy<D>(slots[s], ends[s], sent.data(), view.nodes);
        for (std::int32_t i = 0; i < view.nodes; ++i) {
            R g[Q];
            pullScalar<D>(view, sent.data(), arrives.data(), i, g);
            collideAndSend<D>(g, &flow[4 * std::size_t(i) + 1], rates.at(i), next.data(), view.nodes, i);
        }
        sent.swap(next);
        lattice.arrive();
        lattice.collide(flow.data());
    }
    lattice.getPopulations(populations.data());
    EXPECT_LT(largestDifference(populations, std::vector<double>(sent.begin(), sent.end())),
              sizeof(R) == 8 ? 1e-14 : 1e-5);
    EXPECT_GT(groups.of.size(), 3u);
    const auto listed = [](std::int32_t group) { return group < 0; };
    EXPECT_TRUE(std::any_of(groups.of.begin(), groups.of.end(), listed));
}

template<class R>
void compareGroups(const Domain& domain, const std::string& precision)
{
    const auto shared = std::make_shared<const Domain>(domain);
    ScalarConfig config;
    config.precision = precision;
    config.diffusivity = 0.04;
    const auto lattice = makeScalarLattice(shared, config);
    const std::vector<ScalarLinkValue> told{{ScalarKind::transfer, 0.5, false, 0.2}, {ScalarKind::value, 1.5, true}};
    std::vector<double> flow, values, conducts;
    for (const int patch : {0, 1}) {
        std::size_t links = 0;
        for (const Link& link : domain.links) links += link.patch == patch;
        lattice->setBoundary(patch, std::vector<ScalarLinkValue>(links, told[std::size_t(patch)]).data(), links);
    }
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        if (!domain.fluid[i]) continue;
        const Int3 at = domain.coordinates(i);
        const Vec3 x{double(at[0]), double(at[1]), double(at[2])}, u = swirl(x);
        values.push_back(warmth(x));
        conducts.push_back(0.04 + 0.03 * std::sin(0.9 * x[0] + 0.4 * x[1]));
        flow.insert(flow.end(), {1, u[0], u[1], u[2]});
    }
    lattice->initialise(values.data(), flow.data());
    lattice->setDiffusivity(ScalarDiffusivity(conducts.data()));
    if (domain.dimensions == 2) stepByGroups<2, R>(domain, *lattice, flow, 20, conducts, told);
    else stepByGroups<3, R>(domain, *lattice, flow, 20, conducts, told);
}

TEST(CarriedScalar, groupsOfThreadsDoWhatRowsDo)
{
    for (const int dimensions : {2, 3}) {
        compareGroups<double>(aroundACylinder(dimensions), "double");
        compareGroups<float>(aroundACylinder(dimensions), "float");
    }
    // Rows that are groups from end to end
    const Domain box = shape({64, 9, 5}, {true, true, true},
                             {[](const Vec3&) { return 1.0; }, [](const Vec3& x) { return std::abs(x[2] - 2) - 0.4; }});
    compareGroups<double>(box, "double");
    const ScalarGroups groups(ScalarGeometry(box), 7);
    const auto ofRun = [](std::int32_t group) { return group >= 0; };
    EXPECT_EQ(std::count_if(groups.of.begin(), groups.of.end(), ofRun), 0); // both ends of a row go around
    const Domain wide = shape({128, 9, 5}, {false, true, true},
                              {[](const Vec3& x) { return std::min(x[0] + 0.5, 127.5 - x[0]); },
                               [](const Vec3& x) { return std::abs(x[2] - 2) - 0.4; }});
    compareGroups<double>(wide, "double");
    const ScalarGroups ofWide(ScalarGeometry(wide), 7);
    EXPECT_EQ(std::count_if(ofWide.of.begin(), ofWide.of.end(), ofRun),
              2 * 9 * 2); // of each row two of four; layers beside the solid one have links
}

// What it takes beside its flow is more than a budget that the flow alone fits in.
TEST(CarriedScalar, stepsOnTheHostWhereADeviceHasNoRoom)
{
    SKIP_WITHOUT_DEVICE();
    Config config = flowConfig(2, "cuda", "double", "moments");
    SKIP_IF_LEFT_OUT(config);
    expectNoSpeed(config);
    const Domain domain = aroundACylinder(2);
    const MemoryUse use = expectedMemory(domain, config);
    const double flow = double(use.populations + use.geometry), all = flow + scalarBytesOnDevice(domain, 8);
    config.deviceMemory = flow + 1000;
    Carried full(2, config, 2);
    ASSERT_TRUE(full.flow.solver->executor().empty()) << full.flow.solver->executor();
    EXPECT_FALSE(full.scalar->onDevice());
    EXPECT_NE(full.scalar->whyOnHost().find("deviceMemory of"), std::string::npos) << full.scalar->whyOnHost();
    config.deviceMemory = 3 * all;
    Carried fits(2, config, 2);
    EXPECT_TRUE(fits.scalar->onDevice()) << fits.scalar->whyOnHost();
    EXPECT_LE(double(fits.scalar->deviceBytes()), scalarBytesOnDevice(domain, 8));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(full.step(2), fits.step(2), 1e-11);
    EXPECT_LT(largestDifference(full.values(), fits.values()), 1e-11);
}

// Links are counted beside nodes, and sums of cells.
TEST(CarriedScalar, takesMoreOfADeviceWithLinksToPatches)
{
    Domain domain = aroundACylinder(2);
    std::size_t alongAxes = 0;
    for (const Link& link : domain.links) {
        const Int3 c = directionOf(link.direction);
        alongAxes += std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) == 1;
    }
    const double withLinks = scalarBytesOnDevice(domain, 8);
    domain.links.clear();
    const double nodes = double(domain.fluidNodes()), without = scalarBytesOnDevice(domain, 8);
    EXPECT_DOUBLE_EQ(without, nodes * scalarBytesOnDevice(2, 8));
    EXPECT_GE(withLinks - without, double(alongAxes) * double(sizeof(ScalarSlot) + sizeof(ScalarEnd<double>) + 8));
    EXPECT_GT(without, nodes * (2 * 5 + 2) * 8);
}

// Beside the host: flow, scalar, forces, what leaves, sums; with forces that it tells, and those that others do.
TEST(CarriedScalar, isTheSameOnADevice)
{
    SKIP_WITHOUT_DEVICE();
    int rows = 0;
    for (const int dimensions : {2, 3})
        for (const char* precision : {"double", "float"})
            for (const char* storage : {"moments", "ab", "aa", "t2c"}) {
                const Config onDevice = flowConfig(dimensions, "cuda", precision, storage),
                             onHost = flowConfig(dimensions, "cpu", "double", "moments");
                if (!isBuilt(onDevice) || !isBuilt(onHost)) continue;
                ++rows;
                const std::string row = storage + std::string(" ") + precision + " " + std::to_string(dimensions);
                const double tolerance = std::string(precision) == "double" ? 1e-11 : 2e-5;
                Carried host(dimensions, onHost, 2), device(dimensions, onDevice, 2);
                ASSERT_TRUE(device.scalar->onDevice()) << row << ": " << device.scalar->whyOnHost();
                std::vector<std::size_t> begin{0, 3, 5};
                for (const Carried* c : {&host, &device})
                    c->scalar->placeSums(begin, {0, 17, 4, 60, 61}, {0.5, 0.25, 0.25, 2, -1});
                for (int i = 0; i < 10; ++i) {
                    // Another uniform force on the way
                    Buoyancy b = lifts;
                    if (i > 5) b.base = {0, 0, dimensions == 3 ? 1e-5 : 0};
                    // And along another axis, then along both
                    if (i > 2) b.g = {1e-4, 0, 0};
                    if (i > 7) b.g = {1e-4, -1e-4, 0};
                    const double speed = host.step(2, b);
                    EXPECT_NEAR(device.step(2, b), speed, tolerance) << row;
                }
                EXPECT_LT(largestDifference(device.state(), host.state()), tolerance) << row;
                EXPECT_LT(largestDifference(device.values(), host.values()), tolerance) << row;
                EXPECT_GT(largestDifference(host.values(), host.first), 0.1);
                std::vector<double> sums[2];
                for (int k = 0; k < 2; ++k) {
                    sums[k].resize(2);
                    (k ? device : host).scalar->sums(sums[k].data());
                }
                EXPECT_LT(largestDifference(sums[0], sums[1]), 3 * tolerance) << row;
                for (const int patch : {0, 1}) {
                    EXPECT_LT(largestDifference(device.scalar->passed(patch), host.scalar->passed(patch)), tolerance)
                        << row << ", patch " << patch;
                    EXPECT_GT(largest(host.scalar->passed(patch)), 1e-4);
                }
                std::vector<double> told(3 * device.flow.nodes.size()), expected(told.size());
                device.scalar->forces(*device.placed, told.data());
                dynamic_cast<const Part&>(*host.flow.solver).getFields(*host.placed, nullptr, expected.data());
                EXPECT_LT(largestDifference(told, expected), 1e-3 * tolerance) << row;
                EXPECT_GT(largest(expected), 1e-5);
                // Forces that others tell, on the way
                for (Carried* c : {&host, &device}) {
                    c->scalar->arrive(nullptr);
                    std::vector<double> s(c->scalar->size()), forces;
                    c->scalar->between(s.data());
                    for (const double own : s) forces.insert(forces.end(), {1e-5 * own, 2e-5, 0});
                    c->flow.solver->setForces(*c->placed, forces.data());
                    c->flow.solver->advance(2);
                    c->scalar->collide();
                    c->step(2);
                }
                EXPECT_LT(largestDifference(device.state(), host.state()), tolerance) << row;
                // Nodes that conduct each in its own way, a wall that passes what they lack, then steps that are twice as long
                const auto conducts = [&](double factor) {
                    std::vector<double> all(host.first);
                    for (double& own : all) own *= factor * 0.03;
                    return all;
                };
                for (Carried* c : {&host, &device}) {
                    const std::vector<double> state = c->state();
                    c->tell(0, {ScalarKind::transfer, 0.5, false, 0.05});
                    c->scalar->setDiffusivity(ScalarDiffusivity(conducts(1).data()));
                    for (int i = 0; i < 3; ++i) c->step(2);
                    EXPECT_GT(largestDifference(c->state(), state), 1e-2) << row;
                    c->scalar->setStride(4);
                    c->scalar->rescale(2, ScalarDiffusivity(conducts(2).data()));
                    c->step(4);
                }
                EXPECT_LT(largestDifference(device.state(), host.state()), tolerance) << row;
                // And bit for bit from what is kept
                Carried again(dimensions, onDevice, 4);
                again.tell(0, {ScalarKind::transfer, 0.5, false, 0.05});
                again.scalar->setDiffusivity(ScalarDiffusivity(conducts(2).data()));
                again.set(device.state());
                const int values = storedState(device.flow.solver->row()).values;
                std::vector<double> stored(device.flow.nodes.size() * std::size_t(values));
                device.flow.solver->getStored(*device.placed, stored.data());
                again.flow.solver->setStored(*again.placed, stored.data());
                device.step(4);
                again.step(4);
                EXPECT_EQ(again.state(), device.state()) << row;
            }
    if (rows == 0) GTEST_SKIP() << "no forces by node on a device in this build";
}

} // namespace lbm::test
