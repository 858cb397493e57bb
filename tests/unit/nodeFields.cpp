// Relaxation times and forces that nodes are told one by one: flows with exact solutions, what counts for nodes that are told
// nothing, strain rates, memory, and what is refused. Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

namespace lbm::test {
namespace {

using Kernels = std::vector<std::pair<std::string, std::string>>; // collision, storage
const Kernels kinds{{"trt", "aa"}, {"trt", "t2c"}, {"regularized", "moments"}};

Config nodeField(const std::string& collision, const std::string& storage)
{
    Config c;
    c.closure = "nodeField";
    c.collision = collision;
    c.storage = storage;
    return c;
}

// Walls below and above unless it is periodic, along x it always is.
Domain channel(const Int3& size, bool walls)
{
    Domain d;
    d.dimensions = size[2] == 1 ? 2 : 3;
    d.size = size;
    d.periodic = {true, !walls, true};
    d.fluid = BitSet(d.nodes(), true);
    return d;
}

void tellTau(Flow& flow, const std::function<double(const Vec3&)>& tau)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) values.push_back(tau(flow.position(i)));
    flow.solver->setRelaxationTimes(flow.nodes.data(), flow.nodes.size(), values.data());
}

void tellForce(Flow& flow, const std::function<Vec3(const Vec3&)>& force)
{
    std::vector<double> values;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i)
        for (const double f : force(flow.position(i))) values.push_back(f);
    flow.solver->setForces(flow.nodes.data(), flow.nodes.size(), values.data());
}

std::vector<double> populationsOf(const Flow& flow)
{
    std::vector<double> values(flow.nodes.size() * std::size_t(flow.solver->directions()));
    flow.solver->getPopulations(flow.nodes.data(), flow.nodes.size(), values.data());
    return values;
}

// Two fluids of one density side by side between plates, y from 0 to 2 h: velocity and stress go on across the middle.
struct Layers {
    double h, nu[2], g;

    double slopeAtWall(int i) const // of the layer's velocity, inwards
    {
        const int other = 1 - i;
        return (2 * g * h + nu[other] * g * h / 2 * (1 / nu[i] - 1 / nu[other])) / (nu[0] + nu[1]);
    }
    double velocity(double y) const
    {
        const int i = y > h;
        const double s = i == 0 ? y : 2 * h - y;
        return slopeAtWall(i) * s - g * s * s / (2 * nu[i]);
    }
    double stress(double y) const { return nu[0] * slopeAtWall(0) - g * y; }
    double viscosity(double y) const { return nu[y > h]; }
};

struct Errors {
    double velocity, stress; // relative
};

Errors layeredFlow(int n, const std::string& collision, const std::string& storage, int parts)
{
    const double least = 0.02, most = 0.2, fastest = 0.05;
    Layers exact{n / 2.0, {least, most}, 1};
    double top = 0;
    for (double y = 0; y < n; y += 0.1) top = std::max(top, exact.velocity(y));
    exact.g = fastest / top;

    Config c = nodeField(collision, storage);
    c.force = {exact.g, 0, 0};
    c.parts = parts;
    Flow flow(channel({4, n, 1}, true), c);
    const auto y = [](const Vec3& x) { return x[1] + 0.5; };
    tellTau(flow, [&](const Vec3& x) { return 0.5 + 3 * exact.viscosity(y(x)); });
    const auto velocity = [&](const Vec3& x) { return Vec3{exact.velocity(y(x)), 0, 0}; };
    flow.begin(velocity);
    flow.advance(std::int64_t(1.5 * n * n / least));
    double worst = 0;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        const double at = y(flow.position(i)), found = 2 * exact.viscosity(at) * flow.states[i].strainRate[1];
        worst = std::max(worst, std::abs(found - exact.stress(at)));
    }
    return {flow.error(velocity), worst / exact.stress(0)};
}

// Driven by a force that goes as a sine across, along x; exact in the continuum.
double sineForce(int n, const std::string& collision, const std::string& storage, int parts, double tau)
{
    const double k = 2 * std::numbers::pi / n, nu = (tau - 0.5) / 3, fastest = 0.02 * 16 / n;
    Config c = nodeField(collision, storage);
    c.tau = tau;
    c.nodeForces = true;
    c.parts = parts;
    Flow flow(channel({4, n, 4}, false), c);
    tellForce(flow, [=](const Vec3& x) { return Vec3{nu * k * k * fastest * std::sin(k * x[1]), 0, 0}; });
    const auto exact = [=](const Vec3& x) { return Vec3{fastest * std::sin(k * x[1]), 0, 0}; };
    flow.begin(exact);
    flow.advance(std::int64_t(5 / (nu * k * k)));
    return flow.error(exact);
}

} // namespace

TEST(NodeFields, layersOfTwoFluids)
{
    for (const auto& [collision, storage] : kinds) {
        const Errors coarse = layeredFlow(16, collision, storage, 1), fine = layeredFlow(32, collision, storage, 1);
        RecordProperty(storage + "16", std::to_string(coarse.velocity));
        RecordProperty(storage + "32", std::to_string(fine.velocity));
        // With two rates the middle lies half-way between the nodes for every pair of viscosities, as walls do
        if (collision == "trt") EXPECT_LT(std::max(coarse.velocity, fine.velocity), 1e-10) << storage;
        else
            EXPECT_GT(std::log2(coarse.velocity / fine.velocity), 1.8)
                << storage << ": " << coarse.velocity << ", " << fine.velocity;
        EXPECT_LT(fine.velocity, 0.005) << storage;
        EXPECT_LT(fine.stress, 1e-6) << storage; // what the force asks for, whatever the velocity
    }
    EXPECT_NEAR(layeredFlow(16, "trt", "aa", 3).velocity, layeredFlow(16, "trt", "aa", 1).velocity, 1e-10);
}

TEST(NodeFields, forceThatVariesAcross)
{
    for (const auto& [collision, storage] : kinds)
        for (const double tau : {0.6, 1.0}) {
            const double coarse = sineForce(16, collision, storage, 1, tau);
            const double fine = sineForce(32, collision, storage, 1, tau);
            RecordProperty(storage + "16", std::to_string(coarse));
            RecordProperty(storage + "32", std::to_string(fine));
            EXPECT_GT(std::log2(coarse / fine), 1.8) << storage << ", tau " << tau << ": " << coarse << ", " << fine;
            EXPECT_LT(fine, 0.01) << storage;
        }
    EXPECT_NEAR(sineForce(16, "trt", "aa", 3, 0.6), sineForce(16, "trt", "aa", 1, 0.6), 1e-12);
}

// A flow after some steps, and its populations then.
std::vector<double> someSteps(const Config& c, const std::function<void(Flow&)>& tell)
{
    Flow flow(channel({9, 11, 5}, true), c);
    tell(flow);
    flow.begin([](const Vec3& x) {
        return Vec3{0.02 * std::sin(0.5 * x[1]), 0.01 * std::cos(0.7 * x[0]), 0.01 * std::sin(0.9 * x[1])};
    });
    flow.advance(7);
    return populationsOf(flow);
}

double mostApart(const std::vector<double>& a, const std::vector<double>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

TEST(NodeFields, ofOneValueAreTheConstant)
{
    for (const auto& [collision, storage] : kinds) {
        Config c = nodeField(collision, storage);
        c.tau = 0.57;
        c.force = {1e-4, -2e-4, 3e-4};
        Config constant = c;
        constant.closure = "constant";
        const auto expected = someSteps(constant, [](Flow&) {});
        EXPECT_LT(mostApart(expected, someSteps(c, [](Flow&) {})), 1e-15) << storage;
        c.nodeForces = true;
        EXPECT_LT(mostApart(expected, someSteps(c, [](Flow&) {})), 1e-15) << storage;
        // Once for all nodes, whatever they were told
        const auto overwritten = someSteps(c, [](Flow& flow) {
            tellTau(flow, [](const Vec3& x) { return 0.6 + 0.1 * x[1]; });
            tellForce(flow, [](const Vec3& x) { return Vec3{1e-4 * x[0], 0, 0}; });
            flow.solver->setRelaxationTime(0.57);
            flow.solver->setForce({1e-4, -2e-4, 3e-4});
        });
        EXPECT_LT(mostApart(expected, overwritten), 1e-15) << storage;
        c.closure = constant.closure = "smagorinsky";
        c.coefficients = constant.coefficients = {0.3};
        constant.nodeForces = false;
        EXPECT_LT(mostApart(someSteps(constant, [](Flow&) {}), someSteps(c, [](Flow&) {})), 1e-15) << storage;
    }
}

// Told in one set or in two, what is left out being what all have.
TEST(NodeFields, nodesOfNoSetKeepTheConstant)
{
    const auto tau = [](const Vec3& x) { return x[0] < 4 ? 0.6 : 0.8 + 0.02 * x[1]; };
    const auto force = [](const Vec3& x) { return x[0] < 4 ? Vec3{1e-4, 0, 0} : Vec3{0, 1e-5 * x[1], 0}; };
    for (const auto& [collision, storage] : kinds)
        for (const int parts : {1, 3}) {
            Config c = nodeField(collision, storage);
            c.tau = 0.6;
            c.force = {1e-4, 0, 0};
            c.nodeForces = true;
            const auto all = someSteps(c, [&](Flow& flow) {
                tellTau(flow, tau);
                tellForce(flow, force);
            });
            c.parts = parts;
            const auto some = someSteps(c, [&](Flow& flow) {
                std::vector<NodeIndex> nodes;
                std::vector<double> taus, forces;
                for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
                    if (flow.position(i)[0] < 4) continue;
                    nodes.push_back(flow.nodes[i]);
                    taus.push_back(tau(flow.position(i)));
                    for (const double f : force(flow.position(i))) forces.push_back(f);
                }
                flow.solver->setRelaxationTimes(nodes.data(), nodes.size(), taus.data());
                flow.solver->setForces(nodes.data(), nodes.size(), forces.data());
            });
            EXPECT_LT(mostApart(all, some), 1e-15) << storage << ", " << parts << " parts";
            EXPECT_GT(mostApart(all, someSteps(c, [](Flow&) {})), 1e-6) << storage;
        }
}

// Of some nodes populations tell nothing (tau about 1): those have it from velocities around, which a linear flow does not mind.
TEST(NodeFields, statesAreReadAsTheyAreWritten)
{
    const double rate = 0.004;
    for (const auto& [collision, storage] : kinds)
        for (const int parts : {1, 3}) {
            Config c = nodeField(collision, storage);
            c.nodeForces = true;
            c.parts = parts;
            Flow flow(channel({9, 13, 3}, true), c);
            tellTau(flow, [](const Vec3& x) { return x[0] < 3 ? 1 : 0.7 + 0.05 * x[1]; });
            tellForce(flow, [](const Vec3& x) { return Vec3{1e-4 * x[1], -1e-4 * x[0], 1e-4}; });
            for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
                flow.states[i] = {};
                flow.states[i].velocity = {rate * flow.position(i)[1], 0, 0};
                flow.states[i].strainRate = {0, rate / 2, 0, 0, 0, 0};
            }
            flow.solver->initialise(flow.nodes.data(), flow.nodes.size(), flow.states.data());
            flow.solver->sample(flow.nodes.data(), flow.nodes.size(), flow.states.data());
            NodeGroups pairs(NodeSet::Kind::sumsOfStates);
            for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
                const Vec3 x = flow.position(i);
                EXPECT_NEAR(flow.states[i].velocity[0], rate * x[1], 1e-14);
                EXPECT_NEAR(flow.states[i].velocity[1], 0, 1e-14);
                if (x[1] == 0 || x[1] == 12) continue; // the walls do not move along
                EXPECT_NEAR(flow.states[i].strainRate[1], rate / 2, 1e-12) << storage << ' ' << x[0] << ' ' << x[1];
                for (const int next : {1, 9}) { // along x and along y, where parts meet
                    if ((next == 1 && x[0] == 8) || (next == 9 && x[1] == 11)) continue;
                    pairs.add(flow.nodes[i], 0.25);
                    pairs.add(flow.nodes[i + std::size_t(next)], 0.75);
                    pairs.endGroup();
                }
            }
            std::vector<double> sums(pairs.size() * valuesOf(Reading::strainRate));
            flow.solver->sample(*flow.solver->place(pairs), Reading::strainRate, sums.data());
            for (std::size_t g = 0; g < pairs.size(); ++g) ASSERT_NEAR(sums[6 * g + 1], rate / 2, 1e-12) << storage;
        }
}

TEST(NodeFields, takeMemoryThatIsForeseen)
{
    for (const auto& [collision, storage] : kinds) {
        Config constant = nodeField(collision, storage);
        constant.closure = "constant";
        Config told = nodeField(collision, storage);
        told.nodeForces = true;
        const Domain d = channel({40, 40, 40}, true);
        const auto more = [&](auto&& of) { return double(of(told).populations) - double(of(constant).populations); };
        const auto held = [&](const Config& c) { return Flow(d, c).solver->memory(); };
        const auto expected = [&](const Config& c) { return expectedMemory(d, c); };
        const double atLeast = 40.0 * 40 * 40 * 4 * sizeof(double);
        EXPECT_GE(more(held), atLeast) << storage;
        EXPECT_NEAR(more(expected) / more(held), 1, 0.01) << storage;
    }
}

TEST(NodeFields, refuseWhatMeansNothing)
{
    const auto why = [](Config c, const std::function<void(Flow&)>& tell) -> std::string {
        try {
            Flow flow(channel({6, 7, 4}, true), c);
            tell(flow);
        } catch (const std::invalid_argument& fault) {
            return fault.what();
        }
        return "";
    };
    const auto has = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
    Config told = nodeField("trt", "aa"), constant = told;
    constant.closure = "constant";
    const std::string noField = why(constant, [](Flow& f) { tellTau(f, [](const Vec3&) { return 0.6; }); });
    EXPECT_TRUE(has(noField, "closure 'constant'") && has(noField, "nodeField")) << noField;
    const std::string noRoom = why(told, [](Flow& f) { tellForce(f, [](const Vec3&) { return Vec3{0, 0, 0}; }); });
    EXPECT_TRUE(has(noRoom, "Config::nodeForces")) << noRoom;
    constant.nodeForces = true;
    const std::string noClosure = why(constant, [](Flow&) {});
    EXPECT_TRUE(has(noClosure, "forces by node") && has(noClosure, "nodeField")) << noClosure;
    Config bgk = told;
    bgk.collision = "bgk"; // built with one rate alone
    const std::string noKernel = why(bgk, [](Flow&) {});
    EXPECT_TRUE(has(noKernel, "unknown closure 'nodeField'")) << noKernel;

    for (const int parts : {1, 3}) {
        told.parts = parts;
        told.nodeForces = true;
        for (const double tau : {0.5, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
            const std::string bad = why(told, [=](Flow& f) {
                tellTau(f, [=](const Vec3& x) { return x == Vec3{4, 5, 2} ? tau : 0.7; });
            });
            EXPECT_TRUE(has(bad, "node (4 5 2)") && has(bad, "relaxation time")) << bad;
        }
        const std::string bad = why(told, [](Flow& f) {
            tellForce(f, [](const Vec3& x) { return Vec3{0, x == Vec3{4, 5, 2} ? std::nan("") : 0, 0}; });
        });
        EXPECT_TRUE(has(bad, "node (4 5 2)") && has(bad, "force")) << bad;
        // And nothing has changed
        const auto plain = someSteps(told, [](Flow&) {});
        const auto refused = someSteps(told, [](Flow& f) {
            EXPECT_THROW(tellTau(f, [](const Vec3& x) { return x[0] == 8 ? 0.4 : 0.9; }), std::invalid_argument);
        });
        EXPECT_EQ(plain, refused);
        // Sets of others, and of sums
        Flow flow(channel({6, 7, 4}, true), told), other(channel({6, 7, 4}, true), told);
        const std::vector<double> values(3 * flow.nodes.size(), 0.7);
        const auto foreign = other.solver->place(other.nodes.data(), other.nodes.size());
        EXPECT_THROW(flow.solver->setRelaxationTimes(*foreign, values.data()), std::invalid_argument);
        EXPECT_THROW(flow.solver->setForces(*foreign, values.data()), std::invalid_argument);
        NodeGroups groups(NodeSet::Kind::sumsOfFlow);
        groups.add(flow.nodes[0], 1);
        groups.endGroup();
        const auto sums = flow.solver->place(groups);
        EXPECT_THROW(flow.solver->setRelaxationTimes(*sums, values.data()), std::invalid_argument);
        EXPECT_THROW(flow.solver->setForces(*sums, values.data()), std::invalid_argument);
    }
    // A relaxation time that is above 0.5 in double precision alone
    Config single = told;
    single.precision = "float";
    single.parts = 1;
    SKIP_IF_LEFT_OUT(single);
    const std::string close = why(single, [](Flow& f) { tellTau(f, [](const Vec3&) { return 0.5 + 1e-9; }); });
    EXPECT_TRUE(has(close, "single precision")) << close;
}

} // namespace lbm::test
