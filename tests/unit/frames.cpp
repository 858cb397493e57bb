// Links between frames that move past each other: mass, and flows that do not care which frame they are seen from. Pressure that
// jumps across such links: fluid at rest on both sides of a fan.
// Part of lbmFoam, GPL-3.0-or-later.
#include "Shape.hpp"
#include "tests/built.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace lbm;
using namespace lbm::test;

namespace {

struct Kernel {
    const char *lattice, *collision, *storage;
};
const Kernel kernelsOfFrames[] = {{"D2Q9", "trt", "aa"}, {"D2Q9", "regularized", "moments"}, {"D3Q19", "trt", "aa"}};

// A periodic box with a ball of nodes that turns with it about an axis along z.
struct Rotor {
    Int3 size;
    double radius, omega;

    Rotor(bool flat, int n, double speed) : size{n, n, flat ? 1 : n}, radius(0.3 * n), omega(speed / radius) {}

    Vec3 from(const Vec3& x) const
    {
        return {x[0] - 0.5 * size[0] + 0.13, x[1] - 0.5 * size[1] - 0.21, size[2] == 1 ? 0 : x[2] - 0.5 * size[2]};
    }
    bool inside(const Vec3& x) const
    {
        const Vec3 r = from(x);
        return r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < radius * radius;
    }
    Vec3 velocity(const Vec3& x) const { return {-omega * from(x)[1], omega * from(x)[0], 0}; }
};

Vec3 at(const Domain& d, NodeIndex node)
{
    const Int3 x = d.coordinates(node);
    return {double(x[0]), double(x[1]), double(x[2])};
}

Domain box(const Rotor& rotor, const std::vector<Int3>& directions)
{
    Domain d;
    d.dimensions = rotor.size[2] == 1 ? 2 : 3;
    d.size = rotor.size;
    d.periodic = {true, true, d.dimensions == 3};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"frames"};
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code);
            if (std::find(directions.begin(), directions.end(), c) == directions.end()) continue;
            const NodeIndex there = d.neighbour(d.coordinates(i), c);
            if (rotor.inside(at(d, i)) != rotor.inside(at(d, there))) d.links.push_back({i, 0.5f, 0, code});
        }
    d.check();
    return d;
}

Config configOf(const Kernel& kernel, double tau)
{
    Config c;
    c.lattice = kernel.lattice;
    c.collision = kernel.collision;
    c.storage = kernel.storage;
    c.closure = "nodeField";
    c.nodeForces = true;
    c.tau = tau;
    c.patches.resize(1);
    c.patches[0].kind = BoundaryKind::frame;
    return c;
}

void tellFrames(Flow& flow, const Rotor& rotor)
{
    std::vector<LinkValue> values;
    for (const Link& link : flow.domain->links) {
        Vec3 halfway = at(*flow.domain, link.node);
        const Int3 c = directionOf(link.direction);
        const double sign = rotor.inside(halfway) ? -1 : 1; // of the other end's frame, seen from here
        for (int a = 0; a < 3; ++a) halfway[a] += 0.5 * c[a];
        const Vec3 v = rotor.velocity(halfway);
        values.push_back({BoundaryKind::frame, {sign * v[0], sign * v[1], sign * v[2]}});
    }
    flow.solver->setBoundary(0, values.data(), values.size());
}

double excess(const Flow& flow)
{
    std::vector<double> f(flow.nodes.size() * std::size_t(flow.solver->directions()));
    flow.solver->getPopulations(flow.nodes.data(), flow.nodes.size(), f.data());
    return std::accumulate(f.begin(), f.end(), 0.0);
}

// What nodes of the zone feel: fluid at rest, seen from there, goes round.
void tellForces(Flow& flow, const Rotor& rotor)
{
    std::vector<double> forces;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        const Vec3 x = flow.position(i), r = rotor.from(x);
        const double f = rotor.inside(x) ? -rotor.omega * rotor.omega : 0;
        for (const double value : {f * r[0], f * r[1], 0.0}) forces.push_back(value);
    }
    flow.solver->setForces(flow.nodes.data(), flow.nodes.size(), forces.data());
}

// Largest speed, over the zone's, of fluid at rest, after it would have gone once through the box.
double movedFromRest(const Kernel& kernel, int n)
{
    const double speed = 0.05;
    const bool flat = std::string(kernel.lattice) == "D2Q9";
    const Rotor rotor(flat, n, speed);
    Flow flow(box(rotor, latticeDirections(kernel.lattice)), configOf(kernel, 0.5 + 3 * 0.002 * n));
    tellFrames(flow, rotor);
    tellForces(flow, rotor);
    flow.begin([&](const Vec3& x) {
        const Vec3 v = rotor.inside(x) ? rotor.velocity(x) : Vec3{0, 0, 0};
        return Vec3{-v[0], -v[1], -v[2]};
    });
    flow.advance(std::int64_t(n / speed));
    double most = 0;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        const Vec3 x = flow.position(i), v = rotor.inside(x) ? rotor.velocity(x) : Vec3{0, 0, 0};
        const Vec3& u = flow.states[i].velocity;
        most = std::max(most, std::hypot(u[0] + v[0], u[1] + v[1], u[2] + v[2]));
    }
    return most / speed;
}

// Two chambers, and a plate with a hole between them: all walls are half-way, patch 0; patch 1 is the hole.
Domain chambers(bool flat, const std::vector<Int3>& directions)
{
    Domain d;
    d.dimensions = flat ? 2 : 3;
    d.size = {16, 9, flat ? 1 : 9};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"walls", "hole"};
    const auto across = [&](const Int3& x, const Int3& c) { return (x[0] < 8) != (x[0] + c[0] < 8); };
    const auto inHole = [&](const Int3& x, const Int3& c) { // where a link meets the plate's plane
        for (int a = 1; a < d.dimensions; ++a)
            if (std::abs(2 * x[a] + c[a] - 8) > 3) return false;
        return true;
    };
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code), x = d.coordinates(i);
            if (std::find(directions.begin(), directions.end(), c) == directions.end()) continue;
            const bool hole = across(x, c) && inHole(x, c), inside = d.neighbour(x, c) >= 0;
            if (inside && !across(x, c)) continue;
            d.links.push_back({i, 0.5f, std::int16_t(inside && hole), code});
        }
    d.check();
    return d;
}

std::vector<LinkValue> risesAcross(const Domain& d, double jump)
{
    std::vector<LinkValue> values;
    for (const Link& link : d.links) {
        if (link.patch != 1) continue;
        LinkValue value;
        value.kind = BoundaryKind::frame;
        value.density = 1 + (d.coordinates(link.node)[0] < 8 ? -jump : jump);
        values.push_back(value);
    }
    return values;
}

Config chambersConfig(const Kernel& kernel, const char* equilibrium)
{
    Config c;
    c.lattice = kernel.lattice;
    c.collision = kernel.collision;
    c.storage = kernel.storage;
    c.equilibrium = equilibrium;
    c.tau = 0.9;
    c.patches.resize(2);
    c.patches[1].kind = BoundaryKind::frame;
    return c;
}

void restsOnBothSides(const Config& c)
{
    const double jump = 0.02;
    Flow flow(chambers(c.lattice == "D2Q9", latticeDirections(c.lattice)), c);
    const std::vector<LinkValue> values = risesAcross(*flow.domain, jump);
    flow.solver->setBoundary(1, values.data(), values.size());
    flow.begin([](const Vec3&) { return Vec3{0, 0, 0}; });
    flow.advance(6000); // sound has died away
    EXPECT_NEAR(excess(flow), 0, 1e-10);
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        const double side = flow.position(i)[0] < 8 ? -0.5 : 0.5;
        ASSERT_NEAR(flow.states[i].density - 1, side * jump, 1e-9 * jump) << c.lattice << ' ' << c.storage;
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(flow.states[i].velocity[a], 0, 1e-9 * jump);
    }
}

} // namespace

TEST(Frames, massStays)
{
    for (const Kernel& kernel : kernelsOfFrames)
        for (const int parts : {1, 3}) {
            const bool flat = std::string(kernel.lattice) == "D2Q9";
            const Rotor rotor(flat, 20, 0.08);
            Config c = configOf(kernel, 0.6);
            c.parts = parts;
            Flow flow(box(rotor, latticeDirections(kernel.lattice)), c);
            tellFrames(flow, rotor);
            flow.begin([](const Vec3& x) {
                return Vec3{0.05 * std::sin(0.5 * x[1]), 0.04 * std::cos(0.7 * x[0] + 0.2 * x[1]),
                            0.02 * std::sin(x[0])};
            });
            const double before = excess(flow);
            flow.advance(300);
            EXPECT_NEAR(excess(flow), before, 1e-10) << kernel.lattice << ' ' << kernel.storage << ", " << parts;
        }
}

TEST(Frames, partsAreOne)
{
    for (const Kernel& kernel : kernelsOfFrames) {
        const Rotor rotor(std::string(kernel.lattice) == "D2Q9", 20, 0.05);
        std::vector<Macroscopic> states[2];
        for (int k = 0; k < 2; ++k) {
            Config c = configOf(kernel, 0.6);
            c.parts = k ? 3 : 1;
            Flow flow(box(rotor, latticeDirections(kernel.lattice)), c);
            tellFrames(flow, rotor);
            flow.begin([](const Vec3& x) { return Vec3{0.03 * std::sin(0.5 * x[1]), 0, 0}; });
            flow.advance(20);
            states[k] = flow.states;
        }
        for (std::size_t i = 0; i < states[0].size(); ++i)
            for (int a = 0; a < 3; ++a)
                ASSERT_NEAR(states[0][i].velocity[a], states[1][i].velocity[a], 1e-13) << kernel.storage;
    }
}

TEST(Frames, fluidAtRestStays)
{
    for (const Kernel& kernel : kernelsOfFrames) {
        const bool flat = std::string(kernel.lattice) == "D2Q9";
        const double coarse = movedFromRest(kernel, flat ? 24 : 16), fine = movedFromRest(kernel, flat ? 48 : 32);
        RecordProperty(std::string(kernel.lattice) + kernel.storage,
                       std::to_string(coarse) + " " + std::to_string(fine));
        EXPECT_LT(fine, 0.02) << kernel.lattice << ' ' << kernel.storage;
        EXPECT_LT(fine, 0.6 * coarse) << kernel.lattice << ' ' << kernel.storage;
    }
}

// The fan's pressure is held by the plate around it: nothing moves, and no fluid is made.
TEST(Frames, fluidRestsOnBothSidesOfAFan)
{
    for (const Kernel& kernel : kernelsOfFrames) restsOnBothSides(chambersConfig(kernel, "incompressible"));
}

TEST(Frames, fluidRestsOnBothSidesOfAFanWhoseDensityIsFelt)
{
    const Config config = chambersConfig(kernelsOfFrames[0], "quasiCompressible");
    SKIP_IF_LEFT_OUT(config);
    restsOnBothSides(config);
}
