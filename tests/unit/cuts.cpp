// Cuts of domains for many devices: who gets what, what is handed over, and how fast that should be. Part of lbmFoam,
// GPL-3.0-or-later.
#include "tests/unit/Shape.hpp"

#include "lbm/bench/geometries/generators.hpp"
#include "lbm/boundary/Reach.hpp"
#include "lbm/geometry/CutFacts.hpp"
#include "lbm/geometry/PartDomain.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/model/Scaling.hpp"
#include "lbm/solver/Part.hpp"
#include "lbm/solver/PartCosts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace lbm::test {
namespace {

using model::Machine;
using model::Scaling;

Domain full(const Int3& size, bool periodic)
{
    Domain d;
    d.size = size;
    d.periodic = {periodic, periodic, periodic};
    d.fluid = BitSet(d.nodes(), true);
    return d;
}

// Holes, and records of some links.
Domain porous(const Int3& size, bool periodic)
{
    Domain d = full(size, periodic);
    std::mt19937 random(7);
    for (int hole = 0; hole < 40; ++hole) {
        Int3 middle;
        for (int a = 0; a < 3; ++a) middle[a] = int(random() % unsigned(size[a]));
        for (NodeIndex i = 0; i < d.nodes(); ++i) {
            const Int3 x = d.coordinates(i);
            if (std::hypot(x[0] - middle[0], x[1] - middle[1], x[2] - middle[2]) < 3) d.fluid.clear(i);
        }
    }
    d.patches = {"wall"};
    for (NodeIndex i = 0; i < d.nodes(); i += 37)
        if (d.fluid[i]) d.links.push_back({i, 0.5f, 0, directionCode(1, 0, 0)});
    return d;
}

struct Taken {
    NodeIndex ghosts = 0, wanted = 0, populations = 0;
    bool operator==(const Taken& o) const
    {
        return ghosts == o.ghosts && wanted == o.wanted && populations == o.populations;
    }
};

// What parts that are made have.
std::map<int, Taken> takenBy(const PartDomain& part, const Bricks& bricks, const Int3& tile,
                             const std::vector<Int3>& directions)
{
    const Domain& d = *part.domain();
    const TileGrid grid(d, tile, TileOrder::rimLast);
    const PopulationsForStep forStep(d, directions);
    std::map<int, Taken> taken;
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        const Int3 x = d.coordinates(i);
        if (!d.fluid[i] || !d.isGhost(x)) continue;
        const std::uint32_t wanted = forStep(i, grid.place(x).tile < grid.stepped());
        Taken& own = taken[bricks.owner(part.global(i))];
        ++own.ghosts;
        own.wanted += wanted != 0;
        own.populations += __builtin_popcount(wanted);
    }
    return taken;
}

NodeIndex nodesOfRim(const PartDomain& part, const Int3& tile)
{
    const Domain& d = *part.domain();
    const TileGrid grid(d, tile);
    NodeIndex rim = 0;
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        const Int3 x = d.coordinates(i);
        rim += d.fluid[i] && !d.isGhost(x) && grid.isOfRim(d, grid.place(x).tile);
    }
    return rim;
}

double imbalanceOf(const Domain& domain, int parts, const Int3& tile, const CutCosts& costs = {})
{
    const Bricks bricks(domain, parts, tile, costs);
    const CutSums sums = sumsOf(factsOf(domain, bricks, {1, tile, tile, latticeDirections("D3Q19")}, costs));
    EXPECT_EQ(sums.nodes, domain.fluidNodes());
    EXPECT_GT(sums.least, 0);
    return sums.imbalance;
}

// Two bricks that give each other `wanted` nodes.
std::vector<BrickFacts> pair(NodeIndex first, NodeIndex second, NodeIndex rim, NodeIndex wanted)
{
    std::vector<BrickFacts> both(2);
    both[0] = {first, rim, double(first), {{1, wanted, wanted, 5 * wanted}}};
    both[1] = {second, rim, double(second), {{0, wanted, wanted, 5 * wanted}}};
    return both;
}

Machine machine(bool overlaps)
{
    const model::Connection link{"link", 1e6, 1e-4, 1};
    return {1e6, std::numeric_limits<double>::infinity(), 0, overlaps, link, link, 2};
}

double bytesOf(const TakenGhosts& over) { return 36.0 * double(over.wanted); }

} // namespace

namespace {

void compareWithParts(const Domain& whole, const Int3& tile, int reach, int parts, const std::vector<Int3>& directions)
{
    const Bricks bricks(whole, parts, tile);
    const auto facts = factsOf(whole, bricks, {reach, tile, tile, directions});
    ASSERT_EQ(int(facts.size()), parts);
    for (int p = 0; p < parts; ++p) {
        const PartDomain part(whole, bricks[p], reach, tile);
        const BrickFacts& own = facts[std::size_t(p)];
        std::map<int, Taken> taken;
        for (const TakenGhosts& t : own.taken) taken[t.from] = {t.ghosts, t.wanted, t.populations};
        EXPECT_EQ(taken, takenBy(part, bricks, tile, directions)) << p << " of " << parts;
        EXPECT_EQ(own.rim, nodesOfRim(part, tile)) << p << " of " << parts;
        NodeIndex nodes = 0;
        for (NodeIndex i = 0; i < whole.nodes(); ++i) nodes += whole.fluid[i] && part.owns(whole.coordinates(i));
        EXPECT_EQ(own.nodes, nodes);
    }
}

} // namespace

TEST(CutFacts, areThoseOfParts)
{
    for (const bool periodic : {false, true}) {
        const Domain deep = porous({31, 24, 27}, periodic);
        Domain flat = porous({61, 48, 1}, periodic);
        flat.dimensions = 2;
        flat.periodic[2] = false;
        for (const int reach : {1, 2})
            for (const int parts : {1, 2, 5, 8}) {
                for (const Int3& tile : {Int3{1, 1, 1}, Int3{8, 4, 4}})
                    compareWithParts(deep, tile, reach, parts, latticeDirections("D3Q19"));
                compareWithParts(flat, {16, 16, 1}, reach, parts, latticeDirections("D2Q9"));
            }
    }
}

// Five populations of D3Q19 cross a face, fewer at the box's edges.
TEST(CutFacts, ofABoxCutInTwo)
{
    const Int3 tile{8, 4, 4};
    const Domain box = full({64, 32, 32}, false);
    const Bricks bricks(box, 2, tile);
    const auto facts = factsOf(box, bricks, {1, tile, tile, latticeDirections("D3Q19")});
    for (const BrickFacts& part : facts) {
        EXPECT_EQ(part.nodes, 64 * 32 * 16);
        EXPECT_EQ(part.rim, 64 * 32 * 4);
        ASSERT_EQ(part.taken.size(), 1u);
        EXPECT_EQ(part.taken[0].ghosts, 64 * 32);
        EXPECT_EQ(part.taken[0].wanted, 64 * 32);
        EXPECT_EQ(part.taken[0].populations, 5 * 64 * 32 - 2 * 64 - 2 * 32);
    }
    EXPECT_EQ(sumsOf(facts).imbalance, 0);
}

// Deep ghosts are there for boundaries that look so far: a step looks at them near links alone.
TEST(CutFacts, stepsLookFarNearLinksAlone)
{
    const Int3 tile{8, 4, 4};
    const auto directions = latticeDirections("D3Q19");
    Domain box = full({64, 32, 32}, false);
    const auto takenOf = [&](int reach) {
        return factsOf(box, Bricks(box, 2, tile), {reach, tile, tile, directions})[0].taken[0];
    };
    for (const int reach : {1, 2, 4}) {
        EXPECT_EQ(takenOf(reach).ghosts, reach * 64 * 32);
        EXPECT_EQ(takenOf(reach).wanted, 64 * 32);
        EXPECT_EQ(takenOf(reach).populations, 5 * 64 * 32 - 2 * 64 - 2 * 32);
    }
    // One node with a link at the cut, in the middle of a face: all of the ghosts that lie so near
    const Bricks bricks(box, 2, tile);
    ASSERT_EQ(bricks[0].size, (Int3{64, 32, 16}));
    box.links.push_back({box.index(30, 15, 15), 0.5f, 0, directionCode(1, 0, 0)});
    for (const int reach : {2, 4}) {
        const int across = 2 * reach + 1;
        EXPECT_EQ(takenOf(reach).wanted, 64 * 32 + across * across * (reach - 1));
        EXPECT_EQ(takenOf(reach).populations, 5 * 64 * 32 - 2 * 64 - 2 * 32 + across * across * (19 * reach - 5));
        compareWithParts(box, tile, reach, 2, directions);
        compareWithParts(box, tile, reach, 8, directions);
    }
    // Across a periodic side, too
    box = full({31, 24, 27}, true);
    for (const Int3& at : {Int3{0, 0, 0}, Int3{30, 12, 13}, Int3{15, 23, 2}})
        box.links.push_back({box.index(at[0], at[1], at[2]), 0.5f, 0, directionCode(1, 0, 0)});
    std::sort(box.links.begin(), box.links.end(), [](const Link& a, const Link& b) { return a.node < b.node; });
    for (const int parts : {2, 4, 5, 8}) compareWithParts(box, tile, 4, parts, directions);
}

TEST(Bricks, areEqualOnHandMadeDomains)
{
    EXPECT_LE(imbalanceOf(full({100, 100, 100}, false), 64, {8, 4, 4}), Bricks::aim);
    EXPECT_LE(imbalanceOf(full({97, 89, 83}, false), 48, {8, 4, 4}), Bricks::aim);
    EXPECT_LE(imbalanceOf(full({97, 89, 83}, false), 7, {32, 8, 4}), Bricks::aim);
    // Of tiles that are thicker than bricks
    EXPECT_LE(imbalanceOf(full({128, 128, 128}, false), 64, {128, 1, 1}), Bricks::aim);
    // Two rooms far apart, one of them small
    Domain rooms = full({160, 40, 40}, false);
    for (NodeIndex i = 0; i < rooms.nodes(); ++i)
        if (const Int3 x = rooms.coordinates(i); x[0] >= 100 && (x[0] < 140 || x[1] > 17)) rooms.fluid.clear(i);
    EXPECT_LE(imbalanceOf(rooms, 16, {8, 4, 4}), Bricks::aim);
}

TEST(Bricks, areEqualOnVessels)
{
    const Domain vessel = aneurysm(192).domain;
    for (const Int3& tile : {Int3{8, 4, 4}, Int3{32, 8, 4}})
        for (const int parts : {8, 64}) EXPECT_LE(imbalanceOf(vessel, parts, tile), Bricks::aim) << parts;
}

// Openings and curved walls count as what they take.
TEST(Bricks, weighLinks)
{
    Domain box = full({16, 16, 64}, false);
    box.patches = {"wall", "inlet"};
    for (NodeIndex i = 0; i < box.nodes(); ++i)
        if (box.coordinates(i)[2] < 16) box.links.push_back({i, 0.5f, 1, directionCode(1, 0, 0)});
    const Int3 tile{1, 1, 1};
    EXPECT_EQ(Bricks(box, 2, tile, {1, {4, 0}})[1].first, (Int3{0, 0, 32}));
    // 16 layers of 5 and 48 of 1, or less of the first
    const CutCosts costs(1, {0, 4});
    const Bricks bricks(box, 2, tile, costs);
    EXPECT_EQ(bricks[1].first, (Int3{0, 0, 13}));
    const auto facts = factsOf(box, bricks, {1, tile, tile, latticeDirections("D3Q19")}, costs);
    EXPECT_EQ(facts[0].cost, 256 * 13 * 5.);
    EXPECT_EQ(facts[1].cost, 256 * (3 * 5. + 48));
}

// As many parts as nodes, wherever these are.
TEST(Bricks, leaveNoPartEmpty)
{
    std::mt19937 random(3);
    Domain d = full({20, 17, 19}, false);
    d.fluid = BitSet(d.nodes());
    while (d.fluidNodes() < 61) d.fluid.set(NodeIndex(random() % unsigned(d.nodes())));
    for (const int parts : {2, 3, 30, 60, 61}) {
        const Bricks bricks(d, parts, {8, 4, 4});
        std::vector<int> nodes(std::size_t(parts), 0);
        for (NodeIndex i = 0; i < d.nodes(); ++i)
            if (d.fluid[i]) ++nodes[std::size_t(bricks.owner(d.coordinates(i)))];
        for (const int n : nodes) EXPECT_GE(n, 1) << parts;
    }
    EXPECT_THROW(Bricks(d, 62, {8, 4, 4}), std::invalid_argument);
}

// Every node of the box is one brick's.
TEST(Bricks, coverAVesselInAThousandParts)
{
    const Domain vessel = aneurysm(96).domain;
    const int parts = 1000;
    const Bricks bricks(vessel, parts, {8, 4, 4});
    std::vector<NodeIndex> nodes(std::size_t(parts), 0), fluid(std::size_t(parts), 0);
    for (NodeIndex i = 0; i < vessel.nodes(); ++i) {
        const Int3 x = vessel.coordinates(i);
        const int owner = bricks.owner(x);
        const Brick& own = bricks[owner];
        ++nodes[std::size_t(owner)];
        fluid[std::size_t(owner)] += vessel.fluid[i];
        for (int a = 0; a < 3; ++a) ASSERT_TRUE(x[a] >= own.first[a] && x[a] < own.first[a] + own.size[a]);
    }
    for (int p = 0; p < parts; ++p) {
        EXPECT_EQ(nodes[std::size_t(p)], NodeIndex(bricks[p].size[0]) * bricks[p].size[1] * bricks[p].size[2]);
        EXPECT_GT(fluid[std::size_t(p)], 0);
    }
}

TEST(Scaling, byHand)
{
    const auto facts = pair(1000, 1000, 100, 50);
    // 1800 bytes take 0.1 + 1.8 ms, nodes 1 ms, of the rim 0.1
    EXPECT_NEAR(model::predictScaling(facts, bytesOf, machine(false)).time, 2.9e-3, 1e-12);
    const Scaling beside = model::predictScaling(facts, bytesOf, machine(true));
    EXPECT_NEAR(beside.time, 2.0e-3, 1e-12);
    EXPECT_NEAR(beside.efficiency, 0.5, 1e-9);
    EXPECT_NEAR(beside.rate, 1e6, 1e-3);
    EXPECT_NEAR(beside.bytes, 3600, 1e-9);
    EXPECT_NEAR(beside.mostBytes, 1800, 1e-9);
    // Eight times the nodes, four times the rim and the bytes: inner tiles hide these
    EXPECT_NEAR(model::predictScaling(facts, bytesOf, machine(true), 2).time, 8e-3, 1e-12);
    EXPECT_NEAR(model::predictScaling(facts, bytesOf, machine(false), 2).time, 15.3e-3, 1e-12);
    Machine slow = machine(false);
    slow.between = {"twice", 1e6, 1e-4, 2};
    EXPECT_NEAR(model::predictScaling(facts, bytesOf, slow).time, 2.9e-3, 1e-12);
    slow.perHost = 1;
    EXPECT_NEAR(model::predictScaling(facts, bytesOf, slow).time, 4.8e-3, 1e-12);
    slow.memory = 36e6; // given and taken: 0.1 ms
    slow.attended = 1e-4;
    EXPECT_NEAR(model::predictScaling(facts, bytesOf, slow).time, 5.0e-3, 1e-12);
}

// Without links that take time, devices wait for the one with most to do, and for nothing else.
TEST(Scaling, isBalanceAloneWhereLinksAreInfinite)
{
    Machine free = machine(true);
    free.within = free.between = {"infinite", std::numeric_limits<double>::infinity(), 0, 1};
    EXPECT_NEAR(model::predictScaling(pair(1000, 1500, 100, 50), bytesOf, free).efficiency, 1250. / 1500, 1e-12);
    const Int3 tile{8, 4, 4};
    const Domain vessel = aneurysm(64).domain;
    for (const int parts : {1, 2, 64}) {
        const auto facts = factsOf(vessel, Bricks(vessel, parts, tile), {1, tile, tile, latticeDirections("D3Q19")});
        for (const double finer : {1., std::cbrt(double(parts))})
            EXPECT_NEAR(model::predictScaling(facts, bytesOf, free, finer).efficiency,
                        1 / (1 + sumsOf(facts).imbalance), 1e-12);
    }
}

// What goes around to the same brick is no device's link.
TEST(Scaling, ofOneDeviceIsItsOwn)
{
    const Int3 tile{8, 4, 4};
    const Domain box = full({32, 32, 32}, true);
    const auto facts = factsOf(box, Bricks(box, 1, tile), {1, tile, tile, latticeDirections("D3Q19")});
    Machine one = machine(false);
    one.attended = 1;
    EXPECT_NEAR(model::predictScaling(facts, bytesOf, one).efficiency, 1, 1e-12);
}

TEST(Scaling, knowsItsLinks)
{
    EXPECT_EQ(model::findConnection("nvlink").hops, 1);
    EXPECT_EQ(model::findConnection("host").hops, 2);
    const model::Connection own = model::findConnection("12.5:3");
    EXPECT_DOUBLE_EQ(own.bandwidth, 12.5e9);
    EXPECT_DOUBLE_EQ(own.latency, 3e-6);
    for (const char* word : {"", "nvlink2", "12.5", "0:3", "5:-1", "5:3us", ":"})
        EXPECT_THROW(model::findConnection(word), std::invalid_argument) << word;
}

// What is handed over depends on what is stored.
TEST(PartCosts, followTheStorage)
{
    KernelRow row{"D3Q19", "regularized", "constant", "incompressible", "moments", "float", "cuda", "simt", "32x8x4"};
    const TakenGhosts over{0, 100, 90, 450};
    EXPECT_EQ(handedOverBytes(row, over), 90 * 9 * 4.);
    Config config;
    config.patches = {{BoundaryKind::wall, {0, 0, 0}, 1},
                      {BoundaryKind::interpolatedWall, {0, 0, 0}, 1},
                      {BoundaryKind::pressure, {0, 0, 0}, 1}};
    EXPECT_EQ(cutCosts(row, config).acrossLast, 3);
    EXPECT_EQ(cutCosts(row, config).ofLink[0], 0);
    EXPECT_TRUE(overlapsHandover(row, config));
    row.storage = "aa";
    EXPECT_EQ(handedOverBytes(row, over), 450 * 4.);
    EXPECT_EQ(cutCosts(row, config).acrossLast, 1);
    row.device = "cpu";
    EXPECT_FALSE(overlapsHandover(row, config));
}

} // namespace lbm::test
