// Domains in parts: bricks, ghosts, and that nothing depends on how many parts there are.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/boxes.hpp"
#include "tests/unit/Shape.hpp"

#include "lbm/api/OpeningFlux.hpp"
#include "lbm/api/WallForces.hpp"
#include "lbm/geometry/Bricks.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/PartCosts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace lbm::test {
namespace {

Domain box(const Int3& size)
{
    Domain d;
    d.dimensions = size[2] == 1 ? 2 : 3;
    d.size = size;
    d.fluid = BitSet(d.nodes(), true);
    return d;
}

// A duct at an angle to the lattice, closed by four patches, with a round pillar in it.
Domain duct(double degrees)
{
    const double angle = degrees * std::numbers::pi / 180, length = 44, width = 22;
    const Vec3 axis = {std::cos(angle), std::sin(angle), 0};
    const Vec3 start = {2.3 + width / 2 * axis[1], 2.6 + width / 2 * axis[0], 0};
    const auto along = [=](const Vec3& x) { return (x[0] - start[0]) * axis[0] + (x[1] - start[1]) * axis[1]; };
    const auto across = [=](const Vec3& x) { return (x[1] - start[1]) * axis[0] - (x[0] - start[0]) * axis[1]; };
    const Int3 size = {int(length * axis[0] + width * axis[1]) + 6, int(length * axis[1] + width * axis[0]) + 6, 1};
    return shape(size, {false, false, false},
                 {[=](const Vec3& x) { return width / 2 + across(x); },
                  [=](const Vec3& x) { return width / 2 - across(x); }, [=](const Vec3& x) { return along(x); },
                  [=](const Vec3& x) { return length - along(x); },
                  [=](const Vec3& x) { return std::hypot(along(x) - length / 2, across(x)) - 5; }});
}

Config configOf(const std::vector<LinkValue>& patches)
{
    Config config;
    config.lattice = "D2Q9";
    config.storage = "ab";
    config.arithmetic = "scalar"; // whose results do not depend on where a node lies in its tile
    config.threads = 1;
    config.tau = 0.7;
    config.patches = patches;
    return config;
}

std::vector<LinkValue> allKinds(double degrees)
{
    const double angle = degrees * std::numbers::pi / 180;
    LinkValue pressure{BoundaryKind::pressure, {0, 0, 0}, 1.002}, outflow{BoundaryKind::outflow, {0, 0, 0}, 1};
    LinkValue slip{BoundaryKind::slip, {-std::sin(angle), std::cos(angle), 0}, 1};
    LinkValue wall{BoundaryKind::interpolatedWall, {0, 0, 0}, 1};
    pressure.recovery = 0.01;
    return {wall, slip, pressure, outflow, wall};
}

std::vector<Macroscopic> someFlow(const Flow& flow)
{
    std::vector<Macroscopic> states(flow.nodes.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
        const Vec3 x = flow.position(i);
        states[i].density = 1 + 0.002 * std::sin(0.7 * x[0]) * std::cos(0.9 * x[1]);
        states[i].velocity = {0.03 * std::cos(0.5 * x[1]), 0.02 * std::sin(0.6 * x[0]), 0};
    }
    return states;
}

std::vector<double> populationsOf(const Flow& flow)
{
    std::vector<double> values(flow.nodes.size() * std::size_t(flow.solver->directions()));
    flow.solver->getPopulations(flow.nodes.data(), flow.nodes.size(), values.data());
    return values;
}

void start(Flow& flow)
{
    const auto states = someFlow(flow);
    flow.solver->initialise(flow.nodes.data(), flow.nodes.size(), states.data());
}

} // namespace

TEST(Bricks, shareTheFluid)
{
    Domain d = box({60, 40, 50});
    for (NodeIndex i = 0; i < d.nodes(); ++i) // two thirds of one half
        if (d.coordinates(i)[2] < 25 && i % 3 == 0) d.fluid.clear(i);
    for (int parts : {1, 2, 3, 5, 8, 13}) {
        const Bricks bricks(d, parts, {1, 1, 1});
        ASSERT_EQ(bricks.count(), parts);
        std::vector<std::int64_t> fluid(parts), nodes(parts);
        for (NodeIndex i = 0; i < d.nodes(); ++i) {
            const Int3 x = d.coordinates(i);
            const int owner = bricks.owner(x);
            ++nodes[owner];
            fluid[owner] += d.fluid[i];
            for (int a = 0; a < 3; ++a) {
                ASSERT_GE(x[a], bricks[owner].first[a]);
                ASSERT_LT(x[a], bricks[owner].first[a] + bricks[owner].size[a]);
            }
        }
        for (int p = 0; p < parts; ++p) {
            const Int3& s = bricks[p].size;
            EXPECT_EQ(nodes[p], NodeIndex(s[0]) * s[1] * s[2]);
            EXPECT_NEAR(double(fluid[p]) * parts / double(d.fluidNodes()), 1, 0.15) << p << " of " << parts;
        }
    }
}

TEST(Bricks, endOnTilesWhereBalanceAllows)
{
    const Domain d = box({64, 64, 66});
    const Bricks bricks(d, 2, {8, 4, 4});
    for (int p = 0; p < 2; ++p) {
        EXPECT_EQ(bricks[p].size[0], 64);
        for (int a = 0; a < 3; ++a) EXPECT_EQ(bricks[p].first[a] % (a == 0 ? 8 : 4), 0);
    }
}

// Where faces across the last axis are dear, they lie across the one before while those are not much larger.
TEST(Bricks, lieWhereFacesAreCheapest)
{
    const auto upper = [](const Int3& size, double acrossLast) {
        return Bricks(box(size), 2, {8, 4, 4}, acrossLast)[1].first;
    };
    EXPECT_EQ(upper({32, 32, 32}, 1), (Int3{0, 0, 16}));
    EXPECT_EQ(upper({32, 32, 32}, 3), (Int3{0, 16, 0}));
    EXPECT_EQ(upper({32, 32, 64}, 3), (Int3{0, 16, 0}));
    EXPECT_EQ(upper({32, 32, 128}, 3), (Int3{0, 0, 64}));
    EXPECT_EQ(upper({32, 32, 1}, 3), (Int3{0, 16, 0})); // x is dearer still
}

// As OpenFOAM's hierarchical: along the axes in their order, each piece where its own nodes say.
TEST(Bricks, followNumbersOfPieces)
{
    const Bricks even(box({48, 32, 40}), 6, {8, 4, 4}, {}, {{3, 1, 2}});
    for (int p = 0; p < 6; ++p) {
        EXPECT_EQ(even[p].first, (Int3{p / 2 * 16, 0, p % 2 * 20}));
        EXPECT_EQ(even[p].size, (Int3{16, 32, 20}));
    }
    // By another order pieces follow each other otherwise, and each of four parts' pairs is cut on where that costs least
    const Bricks turned(box({48, 32, 40}), 12, {8, 4, 4}, {}, {{3, 1, 2}, {2, 1, 0}});
    for (int p = 0; p < 12; ++p) {
        EXPECT_EQ(turned[p].first[2], p / 6 * 20);
        EXPECT_EQ(turned[p].first[0], p / 2 % 3 * 16);
        EXPECT_EQ(turned[p].size, (Int3{16, 16, 20}));
    }
    // The half beyond x = 24 has fluid below z = 20 alone
    Domain d = box({48, 8, 40});
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        if (const Int3 x = d.coordinates(i); x[0] >= 24 && x[2] >= 20) d.fluid.clear(i);
    const Bricks own(d, 4, {1, 1, 1}, {}, {{2, 1, 2}});
    EXPECT_EQ(own[1].first, (Int3{0, 0, 20}));
    EXPECT_EQ(own[3].first, (Int3{18, 0, 12})); // 720 of 1440 in a layer of y: 18 x 40; 360 beyond: 12 x 30
}

// As OpenFOAM's simple: planes go through the whole.
TEST(Bricks, lieBetweenStraightPlanes)
{
    Domain d = box({48, 8, 40});
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        if (const Int3 x = d.coordinates(i); x[0] >= 24 && x[2] >= 20) d.fluid.clear(i);
    const CutNumbers numbers{{2, 1, 2}, {0, 1, 2}, true};
    const Bricks fine(d, 4, {1, 1, 1}, {}, numbers);
    const Int3 at = fine[3].first;    // by x, then z
    EXPECT_EQ(at, (Int3{18, 0, 15})); // 720 of 1440 in a layer of y: 18 x 40, 15 x 48
    EXPECT_EQ(fine[1].first, (Int3{0, 0, at[2]}));
    EXPECT_EQ(fine[2].first, (Int3{at[0], 0, 0}));
    // On tiles where little is lost
    const Bricks onTiles(box({98, 8, 82}), 4, {8, 4, 4}, {}, numbers);
    EXPECT_EQ(onTiles[3].first, (Int3{48, 0, 40}));
}

TEST(Bricks, refuseNumbersThatCannotBe)
{
    const auto refused = [](const Domain& d, int parts, const CutNumbers& numbers, const std::string& words) {
        try {
            Bricks(d, parts, {1, 1, 1}, {}, numbers);
            FAIL() << words;
        } catch (const std::invalid_argument& fault) {
            EXPECT_NE(std::string(fault.what()).find(words), std::string::npos) << fault.what();
        }
    };
    const Domain d = box({8, 8, 8});
    refused(d, 4, {{2, 0, 2}}, "2 x 0 x 2 pieces: each number must be 1 or more");
    refused(d, 4, {{2, 2, 1}, {0, 1, 1}}, "order");
    refused(d, 6, {{2, 2, 1}}, "6 parts");
    refused(d, 4, {{2, 65536, 65536}}, "2 x 65536 x 65536 pieces, and 4 parts");
    refused(d, 2, {{1 << 30, 1 << 30, 1 << 30}}, "2 parts"); // a product beyond 64 bits
    refused(d, 9, {{9, 1, 1}}, "along x a box of");
    Domain corner = box({8, 8, 8});
    for (NodeIndex i = 0; i < corner.nodes(); ++i)
        if (const Int3 x = corner.coordinates(i); x[0] >= 4 && x[2] >= 4) corner.fluid.clear(i);
    EXPECT_EQ(Bricks(corner, 4, {1, 1, 1}, {}, {{2, 1, 2}}).count(), 4);
    Domain column = box({8, 8, 8});
    for (NodeIndex i = 0; i < column.nodes(); ++i)
        if (const Int3 x = column.coordinates(i); x[0] >= 4 && x[2] > 0) column.fluid.clear(i);
    EXPECT_EQ(Bricks(column, 8, {1, 1, 1}, {}, {{8, 1, 1}}).count(), 8);
    refused(column, 8, {{8, 1, 1}, {0, 1, 2}, true}, "along x");
}

TEST(Bricks, refuseWhatCannotBeCut)
{
    EXPECT_THROW(Bricks(box({4, 4, 1}), 0, {1, 1, 1}), std::invalid_argument);
    EXPECT_THROW(Bricks(box({4, 4, 1}), 17, {1, 1, 1}), std::invalid_argument);
    Domain lone = box({4, 4, 4});
    lone.fluid = BitSet(lone.nodes());
    lone.fluid.set(5);
    EXPECT_THROW(Bricks(lone, 2, {1, 1, 1}), std::invalid_argument);
    EXPECT_EQ(Bricks(box({4, 4, 1}), 16, {8, 8, 8}).count(), 16);
}

namespace {

// The whole and its parts, to the last bit.
void comparePartsOf(double degrees, const std::vector<LinkValue>& patches)
{
    Flow whole(duct(degrees), configOf(patches));
    start(whole);
    const auto before = populationsOf(whole);
    whole.advance(40);
    const auto expected = populationsOf(whole);
    for (int parts : {2, 3, 5, 8}) {
        Config config = configOf(patches);
        config.parts = parts;
        Flow shared(duct(degrees), config);
        start(shared);
        ASSERT_EQ(populationsOf(shared), before);
        shared.advance(40);
        const auto found = populationsOf(shared);
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ(found[i], expected[i]) << degrees << " degrees, " << parts << " parts, node " << i / 9;
        const auto memory = shared.solver->openingMemory(), same = whole.solver->openingMemory();
        ASSERT_EQ(memory.size(), same.size());
        for (std::size_t i = 0; i < same.size(); ++i) {
            ASSERT_EQ(memory[i].kind, same[i].kind);
            ASSERT_TRUE(memory[i].mean == same[i].mean || std::isnan(same[i].mean));
        }
        // Any piece of it
        for (std::size_t first = 0, n = 1; first < same.size(); first += n, n = 2 * n + 1) {
            n = std::min(n, same.size() - first);
            for (const Solver* solver : {shared.solver.get(), whole.solver.get()}) {
                const auto piece = solver->openingMemory(first, n);
                ASSERT_EQ(piece.size(), n);
                for (std::size_t i = 0; i < n; ++i) {
                    ASSERT_EQ(piece[i].kind, same[first + i].kind);
                    ASSERT_TRUE(piece[i].mean == same[first + i].mean || std::isnan(same[first + i].mean));
                }
            }
        }
    }
}

} // namespace

// Donors behind openings and planes of symmetry that lean, interpolated walls, what openings remember.
TEST(Parts, takeOverAllThatBoundariesDrawOn)
{
    for (double degrees : {8., 27., 45., 63.}) comparePartsOf(degrees, allKinds(degrees));
}

TEST(Parts, takeOverAllThatWallsDrawOn)
{
    for (double degrees : {8., 27., 45., 63.})
        for (const BoundaryKind kind : {BoundaryKind::interpolatedWall, BoundaryKind::wall, BoundaryKind::movingWall})
            comparePartsOf(degrees, std::vector<LinkValue>(5, LinkValue{kind, {0, 0, 0}, 1}));
}

// Means of cells across faces of parts, forces, fluxes, and a sum over all there is: in the same order, if compiled apart.
TEST(Parts, doNotShowInSums)
{
    const double degrees = 27, rounding = 1e-15;
    const Config config = configOf(allKinds(degrees));
    Flow whole(duct(degrees), config);
    start(whole);
    whole.advance(10);
    for (int parts : {2, 5}) {
        Config own = config;
        own.parts = parts;
        Flow shared(duct(degrees), own);
        start(shared);
        shared.advance(10);
        NodeGroups all;
        for (std::size_t i = 0; i < whole.nodes.size(); ++i) all.add(whole.nodes[i], 1.0 / double(i + 1));
        all.endGroup();
        for (std::size_t i = 7; i < whole.nodes.size(); i += 5) {
            for (std::size_t k = i - 7; k < i; ++k) all.add(whole.nodes[k], 1.0 / 7);
            all.endGroup();
        }
        for (const Reading reading : {Reading::flow, Reading::strainRate, Reading::state}) {
            const std::size_t n = all.size() * std::size_t(valuesOf(reading));
            std::vector<double> expected(n), found(n);
            const Extremes seen = whole.solver->sample(*whole.solver->place(all), reading, expected.data());
            const Extremes same = shared.solver->sample(*shared.solver->place(all), reading, found.data());
            for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(found[i], expected[i], rounding) << i;
            EXPECT_EQ(same.speedSquare, seen.speedSquare);
        }
        const NodeBoxes boxes = boxesOf(*whole.domain, {4, 3, 5}, NodeSet::Kind::sumsOfStates);
        std::vector<double> ofBoxes(10 * boxes.boxes.size()), sameOfBoxes(ofBoxes.size());
        whole.solver->sample(*whole.solver->place(boxes), Reading::state, ofBoxes.data());
        shared.solver->sample(*shared.solver->place(boxes), Reading::state, sameOfBoxes.data());
        for (std::size_t i = 0; i < ofBoxes.size(); ++i) ASSERT_NEAR(sameOfBoxes[i], ofBoxes[i], rounding) << i;
        const WallForces force(*whole.solver, config, 4), sameForce(*shared.solver, own, 4);
        std::vector<Vec3> expected(force.links()), found(force.links());
        force.compute(*whole.solver, {}, expected.data());
        sameForce.compute(*shared.solver, {}, found.data());
        for (std::size_t i = 0; i < found.size(); ++i)
            for (int a = 0; a < 3; ++a) ASSERT_NEAR(found[i][a], expected[i][a], rounding) << i;
        const std::vector<bool> open{false, false, true, true, false};
        EXPECT_NEAR(OpeningFlux(*shared.solver, open).compute(*shared.solver).in,
                    OpeningFlux(*whole.solver, open).compute(*whole.solver).in, rounding);
    }
}

// Boxes across faces of parts, each of which takes its own nodes of them.
TEST(Parts, beginWithTheSameStates)
{
    const double degrees = 27;
    Config config = configOf(allKinds(degrees));
    Flow whole(duct(degrees), config);
    const NodeBoxes boxes = boxesOf(*whole.domain, {4, 3, 5}, NodeSet::Kind::sumsOfFlow);
    const std::vector<LinearState> states = statesOf(boxes, whole.domain->dimensions == 2);
    whole.solver->initialise(boxes, states.data());
    whole.advance(3);
    for (int parts : {2, 5}) {
        config.parts = parts;
        Flow shared(duct(degrees), config);
        shared.solver->initialise(boxes, states.data());
        shared.advance(3);
        for (std::size_t i = 0; i < whole.nodes.size(); ++i)
            for (int a = 0; a < 3; ++a)
                ASSERT_NEAR(shared.states[i].velocity[a], whole.states[i].velocity[a], 1e-15) << i;
    }
}

TEST(Parts, countEachNodeOnce)
{
    const double degrees = 27;
    Config config = configOf(allKinds(degrees));
    Flow whole(duct(degrees), config);
    start(whole);
    config.parts = 5;
    Flow shared(duct(degrees), config);
    start(shared);
    const Health one = whole.solver->health(1), five = shared.solver->health(1);
    EXPECT_EQ(five.nodes, one.nodes);
    EXPECT_EQ(five.fastest, one.fastest);
    EXPECT_EQ(five.maxSpeed, one.maxSpeed);
    EXPECT_EQ(double(five.excess), double(one.excess));
    EXPECT_EQ(shared.solver->tiling().fluidNodes, whole.solver->tiling().fluidNodes);
    EXPECT_GT(shared.solver->memory().populations, whole.solver->memory().populations);
    EXPECT_EQ(shared.solver->memory().ideal, whole.solver->memory().ideal);
}

// Viscosities that come from velocities around a node, which may be another part's; so do means of cells that parts share, and groups.
TEST(Parts, askTheSameClosure)
{
    Config config = configOf(allKinds(27));
    config.closure = "powerLaw";
    config.coefficients = {0.02, 0.6, 0.03, 0.3};
    Flow whole(duct(27), config);
    const auto meansOf = [](const Flow& flow) {
        const NodeBoxes boxes = boxesOf(*flow.domain, {4, 3, 5}, NodeSet::Kind::sumsOfStates);
        const NodeGroups groups = termsOf(*flow.domain, boxes);
        std::vector<double> means;
        for (const auto& set : {flow.solver->place(boxes), flow.solver->place(groups)})
            for (const Reading reading : {Reading::strainRate, Reading::state}) {
                std::vector<double> values(set->size() * std::size_t(valuesOf(reading)));
                const Extremes seen = flow.solver->sample(*set, reading, values.data());
                means.insert(means.end(), values.begin(), values.end());
                means.push_back(seen.rate);
            }
        return means;
    };
    start(whole);
    whole.advance(10);
    const std::vector<double> means = meansOf(whole);
    EXPECT_GT(*std::max_element(means.begin(), means.end()), 0);
    for (const int parts : {2, 3, 5}) {
        config.parts = parts;
        Flow shared(duct(27), config);
        start(shared);
        shared.advance(10);
        for (std::size_t i = 0; i < whole.states.size(); ++i)
            ASSERT_EQ(shared.states[i].strainRate, whole.states[i].strainRate) << i;
        EXPECT_EQ(meansOf(shared), means) << parts << " parts";
    }
}

TEST(Parts, refuseBoundariesOfOtherLength)
{
    Config config = configOf(allKinds(27));
    config.parts = 2;
    Flow shared(duct(27), config);
    const std::vector<LinkValue> values(3, config.patches[2]);
    EXPECT_THROW(shared.solver->setBoundary(2, values.data(), values.size()), std::invalid_argument);
    EXPECT_THROW(shared.solver->setBoundary(5, values.data(), values.size()), std::invalid_argument);
    EXPECT_THROW(shared.solver->setOpeningMemory({}), std::invalid_argument);
    config.parts = 0;
    EXPECT_THROW(Flow(duct(27), config), std::invalid_argument);
}

// By name, for what the same bits on any number of devices does not hold: a GPU's moments, where a cut ends a periodic axis that is no
// whole number of tiles.
TEST(Parts, tellWhereCutsRoundMoments)
{
    Domain whole = box({100, 48, 64});
    whole.periodic = {true, true, false};
    KernelRow row;
    row.device = "cuda";
    row.storage = "moments";
    row.tile = "32x8x4";
    const auto axes = [&](const Int3& pieces) {
        const CutNumbers numbers{pieces};
        return axesRoundedByCuts(row, whole, Bricks(whole, int(numbers.count()), tileExtents(row.tile), {}, numbers));
    };
    EXPECT_EQ(axes({2, 1, 1}), "x");
    EXPECT_EQ(axes({1, 2, 2}), ""); // whole tiles, and an axis that does not go around
    whole.periodic = {true, true, true};
    whole.size[2] = 62;
    whole.fluid = BitSet(whole.nodes(), true);
    EXPECT_EQ(axes({2, 1, 2}), "x and z");
    EXPECT_EQ(axes({1, 2, 1}), "");
    row.storage = "aa";
    EXPECT_EQ(axes({2, 1, 2}), "");
    row.storage = "moments";
    row.device = "cpu";
    EXPECT_EQ(axes({2, 1, 2}), "");
}

// Of ghosts of four layers, which the openings ask for, a step looks at the layer next to the cut alone where links are far away,
// and at these populations that cross it.
TEST(Parts, tellWhatAStepHasHandedOver)
{
    const int length = 64, width = 16;
    const Domain channel =
        shape({length + 2, width, 1}, {false, true, false},
              {[](const Vec3& x) { return x[0] - 0.5; }, [](const Vec3& x) { return length + 0.5 - x[0]; }});
    LinkValue inlet{BoundaryKind::velocity, {0.01, 0, 0}, 1}, outlet{BoundaryKind::pressure, {0, 0, 0}, 1};
    Config config = configOf({inlet, outlet});
    config.parts = 2;
    Flow flow(channel, config);
    const std::string told = flow.solver->executor();
    double ghosts = 0, looked = 0, megabytes = 0;
    const auto numberBefore = [&](const char* word) {
        const std::size_t end = told.find(word);
        if (end == std::string::npos) return -1.0;
        const std::size_t begin = told.find_last_of(" ", end - 1) + 1;
        return std::stod(told.substr(begin, end - begin));
    };
    const auto numberAfter = [&](const char* word) {
        const std::size_t at = told.find(word);
        return at == std::string::npos ? -1.0 : std::stod(told.substr(at + std::string(word).size()));
    };
    ghosts = numberBefore(" ghosts");
    looked = numberAfter("a step looks at ");
    megabytes = numberBefore(" MB in all");
    EXPECT_EQ(ghosts, 2 * 4 * width) << told;
    EXPECT_EQ(looked, 2 * width) << told;
    EXPECT_NEAR(1e6 * megabytes, 2 * width * 3 * 8, 0.01 * 2 * width * 3 * 8) << told;
}

} // namespace lbm::test
