// Sets of nodes: what they give is what single nodes give, whatever stores the lattice and however many threads read it.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/boxes.hpp"
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include "lbm/api/OpeningFlux.hpp"
#include "lbm/api/WallForces.hpp"
#include "lbm/solver/NodeBlocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

using namespace lbm;
using namespace lbm::test;

namespace {

struct Kernel {
    const char *storage, *collision;
};

Config config(const Kernel& kernel, int threads)
{
    Config c;
    c.storage = kernel.storage;
    c.collision = kernel.collision;
    c.tau = 0.8;
    c.threads = threads;
    c.patches = {{BoundaryKind::wall}};
    return c;
}

Domain ball(int n)
{
    const double middle = (n - 1) / 2.0;
    return shape({n, n, n}, {false, false, false}, {[=](const Vec3& x) {
                     return 0.47 * n
                         - std::sqrt(std::pow(x[0] - middle, 2) + std::pow(x[1] - middle, 2)
                                     + std::pow(x[2] - middle, 2));
                 }});
}

Flow stirred(const Kernel& kernel, int threads, BoundaryKind wall = BoundaryKind::wall)
{
    Config c = config(kernel, threads);
    c.patches[0].kind = wall;
    Flow flow(ball(28), c);
    flow.begin([](const Vec3& x) {
        return Vec3{0.03 * std::sin(x[1]), 0.02 * std::cos(x[2]), 0.01 * std::sin(x[0] + x[1])};
    });
    flow.advance(5);
    return flow;
}

// Groups of unlike size, with nodes in several of them, some empty; of states, or of populations.
NodeGroups groupsOf(const Flow& flow, NodeSet::Kind kind)
{
    NodeGroups groups{kind};
    const std::size_t n = flow.nodes.size();
    for (std::size_t g = 0; g < n; ++g) {
        for (std::size_t i = 0; i < g % 9; ++i) {
            const NodeIndex node = flow.nodes[(7 * g + 3 * i) % n];
            const double weight = 0.3 * double(i) - 0.5;
            if (kind == NodeSet::Kind::sumsOfPopulations) groups.add(node, weight, int((g + 5 * i) % 19));
            else groups.add(node, weight);
        }
        groups.endGroup();
    }
    return groups;
}

std::size_t number(const Flow& flow, NodeIndex node)
{
    return std::size_t(std::lower_bound(flow.nodes.begin(), flow.nodes.end(), node) - flow.nodes.begin());
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

} // namespace

class NodeSets : public testing::TestWithParam<Kernel> {
protected:
    void SetUp() override { SKIP_IF_LEFT_OUT(config(GetParam(), 1)); }
};

TEST_P(NodeSets, giveWhatSingleNodesGive)
{
    const Flow flow = stirred(GetParam(), 2);
    const std::size_t n = flow.nodes.size();
    const auto set = flow.solver->place(flow.nodes.data(), n);
    ASSERT_EQ(set->size(), n);
    std::vector<double> state(10 * n), speed(4 * n), strain(6 * n), populations(19 * n), alone(19);
    flow.solver->sample(*set, Reading::state, state.data());
    flow.solver->sample(*set, Reading::flow, speed.data());
    flow.solver->sample(*set, Reading::strainRate, strain.data());
    flow.solver->getPopulations(*set, populations.data());
    for (std::size_t i = 0; i < n; i += 97) {
        Macroscopic m;
        flow.solver->sample(&flow.nodes[i], 1, &m);
        flow.solver->getPopulations(&flow.nodes[i], 1, alone.data());
        EXPECT_EQ(m.density, state[10 * i]);
        for (int a = 0; a < 3; ++a) EXPECT_EQ(m.velocity[a], state[10 * i + 1 + a]);
        for (int k = 0; k < 6; ++k) EXPECT_EQ(m.strainRate[k], state[10 * i + 4 + k]);
        // Moments have momentum as it is stored, which a sum of populations rounds
        const double rounding = std::string(GetParam().storage) == "moments" ? 1e-15 : 0;
        for (int k = 0; k < 4; ++k) EXPECT_NEAR(speed[4 * i + k], state[10 * i + k], rounding);
        for (int k = 0; k < 6; ++k) EXPECT_EQ(strain[6 * i + k], state[10 * i + 4 + k]);
        for (int q = 0; q < 19; ++q) EXPECT_EQ(alone[q], populations[19 * i + q]);
    }
}

TEST_P(NodeSets, groupsAreWeightedSums)
{
    const Flow flow = stirred(GetParam(), 2);
    const NodeGroups groups = groupsOf(flow, NodeSet::Kind::sumsOfStates),
                     along = groupsOf(flow, NodeSet::Kind::sumsOfPopulations);
    const auto states = flow.solver->place(groups), populations = flow.solver->place(along);
    ASSERT_EQ(states->size(), groups.size());
    std::vector<double> speed(4 * groups.size()), strain(6 * groups.size()), sums(along.size()),
        all(19 * flow.nodes.size());
    flow.solver->sample(*states, Reading::flow, speed.data());
    flow.solver->sample(*states, Reading::strainRate, strain.data());
    flow.solver->sumPopulations(*populations, sums.data());
    flow.solver->getPopulations(flow.nodes.data(), flow.nodes.size(), all.data());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        Macroscopic expected;
        double sum = 0;
        for (std::size_t i = groups.begin[g]; i < groups.begin[g + 1]; ++i) {
            const std::size_t k = number(flow, groups.nodes[i]);
            const Macroscopic& m = flow.states[k];
            const double w = groups.weights[i];
            expected.density += w * (m.density - 1);
            for (int a = 0; a < 3; ++a) expected.velocity[a] += w * m.velocity[a];
            for (int c = 0; c < 6; ++c) expected.strainRate[c] += w * m.strainRate[c];
            sum += w * all[19 * k + along.directions[i]];
        }
        ASSERT_NEAR(speed[4 * g], expected.density, 1e-14);
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(speed[4 * g + 1 + a], expected.velocity[a], 1e-15);
        for (int c = 0; c < 6; ++c) ASSERT_NEAR(strain[6 * g + c], expected.strainRate[c], 1e-14);
        ASSERT_NEAR(sums[g], sum, 1e-15);
    }
}

TEST_P(NodeSets, boxesAreGroups)
{
    const Flow flow = stirred(GetParam(), 2);
    for (const Int3& cell : {Int3{1, 1, 1}, Int3{4, 4, 4}, Int3{5, 3, 7}, Int3{28, 28, 28}}) {
        const NodeBoxes boxes = boxesOf(*flow.domain, cell, NodeSet::Kind::sumsOfStates);
        const auto set = flow.solver->place(boxes), groups = flow.solver->place(termsOf(*flow.domain, boxes));
        ASSERT_EQ(set->size(), boxes.boxes.size());
        for (const Reading reading : {Reading::flow, Reading::strainRate, Reading::state}) {
            std::vector<double> found(set->size() * std::size_t(valuesOf(reading))), expected(found.size());
            const Extremes seen = flow.solver->sample(*set, reading, found.data());
            EXPECT_EQ(flow.solver->sample(*groups, reading, expected.data()).speedSquare, seen.speedSquare);
            EXPECT_TRUE(sameBits(found, expected)) << cell[0];
        }
    }
}

TEST_P(NodeSets, boxesTakeLinearStates)
{
    Flow flow = stirred(GetParam(), 2), same = stirred(GetParam(), 1);
    const NodeBoxes boxes = boxesOf(*flow.domain, {5, 3, 7}, NodeSet::Kind::sumsOfFlow);
    const std::vector<LinearState> states = statesOf(boxes, false);
    flow.solver->initialise(boxes, states.data());
    std::vector<NodeIndex> nodes;
    const std::vector<Macroscopic> own = statesOfNodes(*same.domain, boxes, states, nodes);
    ASSERT_EQ(nodes.size(), same.nodes.size());
    same.solver->initialise(nodes.data(), nodes.size(), own.data());
    std::vector<double> found(19 * nodes.size()), expected(found.size());
    flow.solver->getPopulations(nodes.data(), nodes.size(), found.data());
    same.solver->getPopulations(nodes.data(), nodes.size(), expected.data());
    EXPECT_TRUE(sameBits(found, expected));
}

// Also forces on walls, which are such sums.
TEST_P(NodeSets, doNotDependOnThreads)
{
    std::vector<double> expected;
    for (const int threads : {1, 2, 4}) {
        const Flow flow = stirred(GetParam(), threads, BoundaryKind::interpolatedWall);
        const auto set = flow.solver->place(groupsOf(flow, NodeSet::Kind::sumsOfStates));
        std::vector<double> values(10 * set->size());
        flow.solver->sample(*set, Reading::state, values.data());
        Config made = config(GetParam(), threads);
        made.patches[0].kind = BoundaryKind::interpolatedWall;
        const WallForces forces(*flow.solver, made, 0);
        std::vector<Vec3> each(forces.links());
        const std::vector<Vec3> moving(forces.links(), Vec3{0.01, 0.02, 0});
        for (const Vec3* velocities : {static_cast<const Vec3*>(nullptr), moving.data()}) {
            forces.compute(*flow.solver, {{0, velocities}}, each.data());
            for (const Vec3& f : each) values.insert(values.end(), f.begin(), f.end());
        }
        if (expected.empty()) expected = values;
        EXPECT_TRUE(sameBits(values, expected)) << threads << " threads";
    }
}

TEST_P(NodeSets, takePopulationsAndStates)
{
    Flow flow = stirred(GetParam(), 2);
    const auto set = flow.solver->place(flow.nodes.data(), flow.nodes.size());
    std::vector<double> before(19 * set->size()), after(before.size());
    flow.solver->getPopulations(*set, before.data());
    for (double& f : before) f *= 0.5;
    flow.solver->setPopulations(*set, before.data());
    flow.solver->getPopulations(*set, after.data());
    // Moments hold what their collision leaves of them
    if (GetParam().storage != std::string("moments")) { EXPECT_EQ(after, before); }
    std::vector<Macroscopic> states(set->size());
    for (std::size_t i = 0; i < states.size(); ++i) states[i].velocity = {0.01, 1e-5 * double(i % 100), 0};
    flow.solver->initialise(*set, states.data());
    std::vector<double> values(4 * set->size());
    flow.solver->sample(*set, Reading::flow, values.data());
    for (std::size_t i = 0; i < states.size(); ++i) ASSERT_NEAR(values[4 * i + 2], states[i].velocity[1], 1e-15);
}

INSTANTIATE_TEST_SUITE_P(all, NodeSets,
                         testing::Values(Kernel{"ab", "trt"}, Kernel{"aa", "trt"}, Kernel{"t2c", "trt"},
                                         Kernel{"moments", "regularized"}),
                         [](const auto& info) { return std::string(info.param.storage); });

// At tau = 1 populations hold no strain rate: differences of velocity, of nodes and of walls, are sums like others.
TEST(NodeSets, sumStrainRatesOfVelocitiesAround)
{
    Config c = config({"aa", "trt"}, 2);
    c.tau = 1;
    c.patches[0] = {BoundaryKind::interpolatedWall};
    Flow flow(ball(16), c);
    const auto velocity = [](const Vec3& x) { return Vec3{0.01 * x[1], 0.02 * x[2] - 0.003 * x[0], -0.005 * x[1]}; };
    for (NodeIndex i = 0; i < flow.domain->nodes(); ++i)
        if (flow.domain->fluid[i]) flow.states[number(flow, i)].velocity = velocity(flow.position(number(flow, i)));
    flow.solver->initialise(flow.nodes.data(), flow.nodes.size(), flow.states.data());
    const NodeGroups groups = groupsOf(flow, NodeSet::Kind::sumsOfStates);
    const auto set = flow.solver->place(groups);
    std::vector<double> strain(6 * groups.size());
    for (const double share : {0.0, 1.0}) {
        const auto walls = linkValues(*flow.domain, 0, BoundaryKind::interpolatedWall, [=](const Vec3& x) {
            const Vec3 u = velocity(x);
            return Vec3{share * u[0], share * u[1], share * u[2]};
        });
        flow.solver->setBoundary(0, walls.data(), walls.size());
        flow.solver->sample(flow.nodes.data(), flow.nodes.size(), flow.states.data());
        const Extremes seen = flow.solver->sample(*set, Reading::strainRate, strain.data());
        EXPECT_GT(seen.rate, 0);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            std::array<double, 6> expected{};
            for (std::size_t i = groups.begin[g]; i < groups.begin[g + 1]; ++i)
                for (int k = 0; k < 6; ++k)
                    expected[k] += groups.weights[i] * flow.states[number(flow, groups.nodes[i])].strainRate[k];
            for (int k = 0; k < 6; ++k) ASSERT_NEAR(strain[6 * g + k], expected[k], 1e-14);
        }
        const NodeBoxes boxes = boxesOf(*flow.domain, {3, 4, 5}, NodeSet::Kind::sumsOfStates);
        std::vector<double> found(6 * boxes.boxes.size()), same(found.size());
        flow.solver->sample(*flow.solver->place(boxes), Reading::strainRate, found.data());
        flow.solver->sample(*flow.solver->place(termsOf(*flow.domain, boxes)), Reading::strainRate, same.data());
        EXPECT_TRUE(sameBits(found, same));
    }
    // Walls that move with the fluid: the flow is linear everywhere, and differences are exact
    const std::array<double, 6> exact{0, 0.5 * (0.01 - 0.003), 0, 0, 0.5 * (0.02 - 0.005), 0};
    for (const Macroscopic& m : flow.states)
        for (int k = 0; k < 6; ++k) ASSERT_NEAR(m.strainRate[k], exact[k], 1e-6);
}

TEST(NodeSets, ofAnotherSolverAreRefused)
{
    const Flow flow = stirred({"aa", "trt"}, 1);
    std::shared_ptr<const NodeSet> set;
    {
        const Flow other = stirred({"aa", "trt"}, 1);
        set = other.solver->place(other.nodes.data(), 3);
        double values[12];
        EXPECT_NO_THROW(other.solver->sample(*set, Reading::flow, values));
        EXPECT_THROW(flow.solver->sample(*set, Reading::flow, values), std::invalid_argument);
    }
    // Wherever the memory of the one that is gone may serve again
    const Flow next = stirred({"aa", "trt"}, 1);
    std::vector<double> populations(3 * 19);
    EXPECT_THROW(next.solver->getPopulations(*set, populations.data()), std::invalid_argument);
    EXPECT_THROW(next.solver->setPopulations(*set, populations.data()), std::invalid_argument);
}

TEST(NodeSets, ofAnotherKindAreRefused)
{
    const Flow flow = stirred({"aa", "trt"}, 1);
    const auto nodes = flow.solver->place(flow.nodes.data(), 3);
    const auto states = flow.solver->place(groupsOf(flow, NodeSet::Kind::sumsOfStates));
    const auto populations = flow.solver->place(groupsOf(flow, NodeSet::Kind::sumsOfPopulations));
    std::vector<double> values(19 * flow.nodes.size());
    EXPECT_THROW(flow.solver->sumPopulations(*nodes, values.data()), std::invalid_argument);
    EXPECT_THROW(flow.solver->sumPopulations(*states, values.data()), std::invalid_argument);
    EXPECT_THROW(flow.solver->sample(*populations, Reading::flow, values.data()), std::invalid_argument);
    const auto slow = flow.solver->place(groupsOf(flow, NodeSet::Kind::sumsOfFlow));
    EXPECT_NO_THROW(flow.solver->sample(*slow, Reading::flow, values.data()));
    EXPECT_THROW(flow.solver->sample(*slow, Reading::state, values.data()), std::invalid_argument);
    EXPECT_THROW(flow.solver->getPopulations(*states, values.data()), std::invalid_argument);
    EXPECT_THROW(flow.solver->setPopulations(*states, values.data()), std::invalid_argument);
}

TEST(NodeSets, holdFluidNodesAndWholeGroups)
{
    const Flow flow = stirred({"aa", "trt"}, 1);
    const NodeIndex solid = 0, outside = flow.domain->nodes();
    for (const NodeIndex node : {solid, outside, NodeIndex(-1)}) {
        EXPECT_THROW(flow.solver->place(&node, 1), std::out_of_range);
        NodeGroups groups;
        groups.add(flow.nodes[0], 1);
        groups.add(node, 0);
        groups.endGroup();
        EXPECT_THROW(flow.solver->place(groups), std::out_of_range);
    }
    NodeGroups broken;
    broken.add(flow.nodes[0], 1);
    EXPECT_THROW(flow.solver->place(broken), std::invalid_argument);
    NodeGroups along{NodeSet::Kind::sumsOfPopulations};
    along.add(flow.nodes[0], 1, 19);
    along.endGroup();
    EXPECT_THROW(flow.solver->place(along), std::invalid_argument);
}

TEST(NodeSets, boxesLieInTheDomain)
{
    const Flow flow = stirred({"aa", "trt"}, 1);
    for (const NodeBox& box : {NodeBox{{-1, 0, 0}, {2, 2, 2}}, NodeBox{{27, 0, 0}, {2, 1, 1}},
                               NodeBox{{0, 0, 0}, {1, -1, 1}}, NodeBox{{0, 28, 0}, {1, 1, 1}}}) {
        NodeBoxes boxes;
        boxes.boxes = {box};
        LinearState state;
        EXPECT_THROW(flow.solver->place(boxes), std::out_of_range);
        EXPECT_THROW(flow.solver->initialise(boxes, &state), std::out_of_range);
    }
    EXPECT_THROW(flow.solver->place(boxesOf(*flow.domain, {4, 4, 4}, NodeSet::Kind::sumsOfPopulations)),
                 std::invalid_argument);
}

TEST(NodeSets, mayBeEmpty)
{
    const Flow flow = stirred({"aa", "trt"}, 2);
    const auto none = flow.solver->place(nullptr, 0);
    const auto noGroups = flow.solver->place(NodeGroups{NodeSet::Kind::sumsOfPopulations});
    EXPECT_EQ(none->size(), 0u);
    EXPECT_EQ(noGroups->size(), 0u);
    EXPECT_NO_THROW(flow.solver->sample(*none, Reading::state, nullptr));
    EXPECT_NO_THROW(flow.solver->getPopulations(*none, nullptr));
    EXPECT_NO_THROW(flow.solver->sumPopulations(*noGroups, nullptr));
    NodeGroups hollow;
    hollow.endGroup();
    double values[4] = {9, 9, 9, 9};
    flow.solver->sample(*flow.solver->place(hollow), Reading::flow, values);
    EXPECT_EQ(values[0], 1);
    EXPECT_EQ(values[3], 0);
    EXPECT_EQ(flow.solver->place(NodeBoxes())->size(), 0u);
    NodeBoxes solid;
    solid.boxes = {NodeBox{{0, 0, 0}, {1, 1, 1}, 1}};
    values[0] = 9;
    flow.solver->sample(*flow.solver->place(solid), Reading::flow, values);
    EXPECT_EQ(values[0], 1);
}

// Sums may hide what single nodes are like; who looks for flows that cannot be is told nevertheless.
TEST(NodeSets, tellTheWorstOfTheirNodes)
{
    Flow flow = stirred({"aa", "trt"}, 2);
    Macroscopic wild;
    wild.density = 1.3;
    wild.velocity = {0.3, -0.4, 0};
    flow.solver->initialise(&flow.nodes[100], 1, &wild);
    NodeGroups cancelled, along{NodeSet::Kind::sumsOfPopulations};
    for (const double weight : {1.0, -1.0}) {
        cancelled.add(flow.nodes[100], weight);
        along.add(flow.nodes[100], weight, 3);
    }
    cancelled.endGroup();
    along.endGroup();
    const auto states = flow.solver->place(cancelled), populations = flow.solver->place(along);
    double values[10];
    const Extremes seen = flow.solver->sample(*states, Reading::flow, values);
    EXPECT_NEAR(values[1], 0, 1e-16);
    EXPECT_NEAR(seen.speedSquare, 0.25, 1e-12);
    EXPECT_NEAR(seen.excess, 0.3, 1e-12);
    EXPECT_GT(flow.solver->sumPopulations(*populations, values).deviation, 0.3);

    std::vector<double> bad(19, 0);
    bad[2] = std::numeric_limits<double>::quiet_NaN();
    flow.solver->setPopulations(&flow.nodes[5], 1, bad.data());
    const auto all = flow.solver->place(flow.nodes.data(), flow.nodes.size());
    std::vector<double> every(19 * flow.nodes.size());
    EXPECT_TRUE(std::isnan(flow.solver->sample(*all, Reading::flow, every.data()).speedSquare));
    EXPECT_TRUE(std::isnan(flow.solver->getPopulations(*all, every.data()).deviation));
}

TEST(NodeBoxes, areRefusedBeyondWhatKernelsCount)
{
    Domain d;
    d.size = {2048, 1024, 1024};
    NodeBoxes boxes;
    boxes.boxes.push_back({{0, 0, 0}, {2048, 1024, 1023}});
    EXPECT_NO_THROW(requireInside(d, boxes));
    boxes.boxes.push_back({{0, 0, 0}, {2048, 1024, 1024}});
    EXPECT_THROW(requireInside(d, boxes), std::invalid_argument);
    boxes.boxes.back() = {{0, 0, 0}, {2049, 1, 1}};
    EXPECT_THROW(requireInside(d, boxes), std::out_of_range);
}

// Each node once, with the weight that it has in the box.
TEST(NodeBoxes, piecesMakeUpTheBox)
{
    const NodeBox box{{2, 3, 5}, {17, 40, 9}, 0.5, {0.25, -0.125, 2}};
    std::vector<int> seen(std::size_t(nodesIn(box)));
    for (const NodeBox& piece : piecesOf(box, 100)) {
        EXPECT_LE(nodesIn(piece), 100);
        EXPECT_GT(nodesIn(piece), 25);
        for (int z = piece.low[2]; z < piece.low[2] + piece.size[2]; ++z)
            for (int y = piece.low[1]; y < piece.low[1] + piece.size[1]; ++y)
                for (int x = piece.low[0]; x < piece.low[0] + piece.size[0]; ++x) {
                    ++seen.at(std::size_t(x - 2 + 17 * (y - 3 + 40 * (z - 5))));
                    EXPECT_EQ(weightAt(piece, x, y, z), weightAt(box, x, y, z));
                }
    }
    for (const int times : seen) EXPECT_EQ(times, 1);
    EXPECT_EQ(piecesOf(box, nodesIn(box)).size(), 1u);
    EXPECT_EQ(piecesOf(NodeBox{{0, 0, 0}, {0, 4, 4}}, 5).size(), 1u);
}

// A group of each node of the ball and its neighbours: cut by terms, blocks read nine nodes for each.
TEST(NodeBlocks, areCutByTheNodesThatTheyRead)
{
    constexpr std::size_t most = 1024;
    const Domain domain = ball(28);
    NodeGroups groups(NodeSet::Kind::sumsOfFlow);
    const NodeBox whole{{0, 0, 0}, domain.size};
    forFluid(domain, whole, [&](NodeIndex, int x, int y, int z) {
        NodeBox around{{std::max(x - 1, 0), std::max(y - 1, 0), std::max(z - 1, 0)}};
        for (int a = 0; a < 3; ++a) around.size[a] = std::min(Int3{x, y, z}[a] + 2, domain.size[a]) - around.low[a];
        forFluid(domain, around, [&](NodeIndex node, int, int, int) { groups.add(node, double(groups.nodes.size())); });
        groups.endGroup();
    });
    const NodeBlocks blocks(domain, groups, 1, most);
    ASSERT_EQ(blocks.blocks.back().group, groups.size());
    ASSERT_EQ(blocks.blocks.back().node, blocks.nodes.size());
    EXPECT_LT(blocks.nodes.size(), 4 * std::size_t(domain.fluidNodes()));
    std::size_t term = 0;
    for (std::size_t b = 0; b + 1 < blocks.blocks.size(); ++b) {
        const auto first = blocks.nodes.begin() + std::ptrdiff_t(blocks.blocks[b].node),
                   last = blocks.nodes.begin() + std::ptrdiff_t(blocks.blocks[b + 1].node);
        EXPECT_LE(std::size_t(last - first), most);
        EXPECT_EQ(std::adjacent_find(first, last, std::greater_equal<NodeIndex>()), last) << "rising, each once";
        blocks.forTerms(domain, b, [&](std::size_t g, std::size_t number, double weight) {
            ASSERT_EQ(weight, double(term));
            ASSERT_GE(term, groups.begin[g]);
            ASSERT_LT(term, groups.begin[g + 1]);
            ASSERT_EQ(blocks.nodes[number], groups.nodes[term]);
            ++term;
        });
    }
    EXPECT_EQ(term, groups.nodes.size());
}
