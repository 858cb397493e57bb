// Patches that repeat by quarter turns: a quarter of a box, or a half, flows as the whole one does.
// Part of lbmFoam, GPL-3.0-or-later.
#include "Shape.hpp"
#include "lbm/reference/Reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace lbm;
using namespace lbm::test;

namespace {

constexpr int side = 12, depth = 5;

struct TurnedKernel {
    const char *lattice, *collision, *storage;
};
const TurnedKernel kernelsOfTurns[] = {
    {"D2Q9", "trt", "aa"}, {"D2Q9", "regularized", "moments"}, {"D3Q19", "trt", "aa"}};

// Solid nodes are the same after each quarter turn about the middle, which lies between nodes.
bool turnedSolid(int x, int y)
{
    for (int k = 0; k < 4; ++k) {
        if ((x == 3 && y == 5) || (x == 7 && y == 2) || (x == 7 && y == 3)) return true;
        x = std::exchange(y, -1 - x);
    }
    return false;
}

// Nodes x, y from -side (1: the whole box, 2: its upper half) or from 0 (4: a quarter).
Domain partOfTurn(const TurnedKernel& kernel, int parts)
{
    Domain d;
    const bool flat = std::string(kernel.lattice) == "D2Q9";
    d.dimensions = flat ? 2 : 3;
    const int beginX = parts == 4 ? 0 : -side, beginY = parts == 1 ? -side : 0;
    d.size = {side - beginX, side - beginY, flat ? 1 : depth};
    d.periodic = {false, false, !flat};
    d.origin = {double(beginX), double(beginY), 0};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"side1", "side2"};
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        const Int3 x = d.coordinates(i);
        if (turnedSolid(x[0] + beginX, x[1] + beginY)) d.fluid.set(i, false);
    }
    if (parts == 1) return d;
    const Int3 twice{-2 * beginX - 1, -2 * beginY - 1, 0};
    const auto quarters = std::uint8_t(parts == 2 ? 2 : 3);
    d.turns = {{0, 2, quarters, twice}, {1, 2, std::uint8_t(4 - quarters), twice}};
    std::vector<Int3> directions = latticeDirections(kernel.lattice);
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code), x = d.coordinates(i);
            if (!d.fluid[i] || std::find(directions.begin(), directions.end(), c) == directions.end()) continue;
            const bool below = x[1] + c[1] < 0, left = parts == 4 && x[0] + c[0] < 0;
            // The whole box ends in walls
            if (x[0] + c[0] + beginX < -side || x[0] + c[0] >= d.size[0]) continue;
            if (left || below) d.links.push_back({i, 0.5f, std::int16_t(left ? 0 : 1), code});
        }
    d.check();
    return d;
}

Config turnedConfig(const TurnedKernel& kernel, const Domain& d)
{
    Config c;
    c.lattice = kernel.lattice;
    c.collision = kernel.collision;
    c.storage = kernel.storage;
    c.tau = 0.6;
    c.patches.resize(d.patches.size());
    for (LinkValue& value : c.patches) value.kind = d.turns.empty() ? BoundaryKind::wall : BoundaryKind::turn;
    return c;
}

// Alike after each quarter turn, and not alike on both sides of any plane.
Vec3 swirl(const Vec3& x)
{
    const double a = x[0] + 0.5, b = x[1] + 0.5, r = std::hypot(a, b), angle = std::atan2(b, a);
    const double out = 0.002 * r * std::sin(4 * angle), round = 0.003 * r * (1 + 0.5 * std::cos(4 * angle));
    return {(out * a - round * b) / r, (out * b + round * a) / r, 0.01 * std::cos(4 * angle + x[2])};
}

} // namespace

TEST(Turns, partsFlowAsTheWhole)
{
    for (const TurnedKernel& kernel : kernelsOfTurns) {
        const bool flat = std::string(kernel.lattice) == "D2Q9";
        const auto start = [&](const Vec3& x) {
            const Vec3 u = swirl(x);
            return Vec3{u[0], u[1], flat ? 0 : u[2]};
        };
        Domain box = partOfTurn(kernel, 1);
        const Vec3 corner = box.origin;
        Flow whole(box, turnedConfig(kernel, box));
        whole.begin([&](const Vec3& x) { return start({x[0] + corner[0], x[1] + corner[1], x[2]}); });
        whole.advance(50);
        for (const int parts : {2, 4}) {
            Domain d = partOfTurn(kernel, parts);
            const Vec3 from = d.origin;
            Flow flow(d, turnedConfig(kernel, d));
            flow.begin([&](const Vec3& x) { return start({x[0] + from[0], x[1] + from[1], x[2]}); });
            flow.advance(50);
            double most = 0;
            for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
                Int3 x = d.coordinates(flow.nodes[i]);
                for (int a = 0; a < 2; ++a) x[a] += int(from[a] - corner[a]);
                const NodeIndex same = box.index(x[0], x[1], x[2]);
                const auto at = std::lower_bound(whole.nodes.begin(), whole.nodes.end(), same);
                for (int a = 0; a < 3; ++a)
                    most = std::max(most,
                                    std::abs(flow.states[i].velocity[a]
                                             - whole.states[std::size_t(at - whole.nodes.begin())].velocity[a]));
            }
            EXPECT_LT(most, 1e-14) << kernel.lattice << ' ' << kernel.storage << ", one of " << parts;
        }
    }
}

TEST(Turns, agreesWithReference)
{
    for (const TurnedKernel& kernel : kernelsOfTurns) {
        if (std::string(kernel.storage) == "moments") continue;
        const Domain d = partOfTurn(kernel, 4);
        const Config config = turnedConfig(kernel, d);
        Flow flow(d, config);
        reference::Reference reference(d, config);
        const auto start = [](const Vec3& x) { return Vec3{0.01 * std::sin(x[1]), 0.01 * std::cos(0.7 * x[0]), 0}; };
        flow.begin(start);
        for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
            Macroscopic state;
            state.velocity = start(flow.position(i));
            reference.initialise(flow.nodes[i], state);
        }
        flow.advance(11);
        reference.advance(11);
        for (std::size_t i = 0; i < flow.nodes.size(); ++i)
            for (int a = 0; a < 3; ++a)
                ASSERT_NEAR(flow.states[i].velocity[a], reference.state(flow.nodes[i]).velocity[a], 1e-13)
                    << kernel.lattice;
    }
}

TEST(Turns, areOfOnePart)
{
    const TurnedKernel& kernel = kernelsOfTurns[0];
    const Domain d = partOfTurn(kernel, 4);
    Config config = turnedConfig(kernel, d);
    config.parts = 2;
    EXPECT_THROW(makeSolver(std::make_shared<const Domain>(d), config), std::invalid_argument);
}

// Gradients would need the velocities behind sides, turned.
TEST(Turns, showNoVelocitiesBehindThem)
{
    const TurnedKernel& kernel = kernelsOfTurns[1];
    const Domain d = partOfTurn(kernel, 4);
    Config config = turnedConfig(kernel, d);
    Config hybrid = config;
    config.closure = "WALE";
    config.coefficients = {0.325, 4};
    EXPECT_THROW(makeSolver(std::make_shared<const Domain>(d), config), std::invalid_argument);
    hybrid.collision = "hybridRegularized";
    hybrid.storage = "moments";
    EXPECT_THROW(makeSolver(std::make_shared<const Domain>(d), hybrid), std::invalid_argument);
}
