// Streaming and reflection of the reference, population by population: with a relaxation time beyond all
// bounds a collision changes nothing, and every value can be followed. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/geometries/generators.hpp"
#include "lbm/reference/Reference.hpp"

#include <gtest/gtest.h>

using namespace lbm;
using reference::Reference;

namespace {

constexpr double never = 1e300;
constexpr double mark = 0.25;

Config still(const std::string& lattice)
{
    Config config;
    config.lattice = lattice;
    config.collision = "bgk";
    config.tau = never;
    return config;
}

// The one population that differs from rest, after checking that there is only one.
std::pair<NodeIndex, int> marked(const Reference& r, const Domain& d)
{
    std::pair<NodeIndex, int> found{-1, -1};
    int count = 0;
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (int q = 0; q < r.lattice().size(); ++q)
            if (std::abs(r.population(i, q)) > 1e-12) {
                found = {i, q};
                ++count;
                EXPECT_NEAR(r.population(i, q), mark, 1e-15);
            }
    EXPECT_EQ(count, 1);
    return found;
}

Int3 extents(const std::string& lattice) { return lattice == "D2Q9" ? Int3{5, 4, 1} : Int3{5, 4, 3}; }

} // namespace

class StreamingTest : public testing::TestWithParam<const char*> {};

TEST_P(StreamingTest, populationTravelsAlongItsLinkAndWraps)
{
    const Domain d = box(extents(GetParam())).domain;
    const auto directions = latticeDirections(GetParam());
    for (int q = 0; q < int(directions.size()); ++q) {
        Reference r(d, still(GetParam()));
        NodeIndex at = d.index(4, 3, d.size[2] - 1);
        r.setPopulation(at, q, mark);
        for (int step = 0; step < 7; ++step) {
            r.advance(1);
            at = d.neighbour(d.coordinates(at), directions[q]);
            EXPECT_EQ(marked(r, d), (std::pair<NodeIndex, int>{at, q}));
        }
    }
}

TEST_P(StreamingTest, populationComesBackFromASolidNode)
{
    Domain d = box(extents(GetParam())).domain;
    const auto directions = latticeDirections(GetParam());
    const Int3 centre{2, 1, d.size[2] / 2};
    d.fluid.clear(d.index(centre[0], centre[1], centre[2]));
    for (int q = 1; q < int(directions.size()); ++q) {
        Reference r(d, still(GetParam()));
        const int back = r.lattice().opposite[q];
        const NodeIndex at = d.neighbour(centre, directions[back]);
        r.setPopulation(at, q, mark);
        r.advance(1);
        EXPECT_EQ(marked(r, d), (std::pair<NodeIndex, int>{at, back}));
    }
}

TEST_P(StreamingTest, populationComesBackFromTheEndOfTheBox)
{
    Domain d = box(extents(GetParam())).domain;
    d.periodic = {false, true, true};
    Reference r(d, still(GetParam()));
    const NodeIndex at = d.index(0, 2, 0);
    r.setPopulation(at, 2, mark); // towards -x
    r.advance(1);
    EXPECT_EQ(marked(r, d), (std::pair<NodeIndex, int>{at, 1}));
}

TEST_P(StreamingTest, thinWallCutsALinkBetweenFluidNodes)
{
    Domain d = box(extents(GetParam())).domain;
    d.patches = {"wall"};
    const NodeIndex left = d.index(1, 1, 0), right = d.index(2, 1, 0);
    d.links = {{left, 0.5f, 0, directionCode(1, 0, 0)}, {right, 0.5f, 0, directionCode(-1, 0, 0)}};
    d.check();
    Config config = still(GetParam());
    config.patches.resize(1);
    for (const auto& [at, q, back] : {std::tuple{left, 1, 2}, std::tuple{right, 2, 1}}) {
        Reference r(d, config);
        r.setPopulation(at, q, mark);
        r.advance(1);
        EXPECT_EQ(marked(r, d), (std::pair<NodeIndex, int>{at, back}));
    }
}

TEST_P(StreamingTest, isolatedNodeKeepsItsPopulations)
{
    Domain d = box(extents(GetParam())).domain;
    const NodeIndex alone = d.index(1, 1, 0);
    d.fluid = BitSet(d.nodes());
    d.fluid.set(alone);
    d.periodic = {false, false, false};
    Reference r(d, still(GetParam()));
    r.setPopulation(alone, 3, mark);
    r.advance(1);
    EXPECT_EQ(marked(r, d), (std::pair<NodeIndex, int>{alone, 4}));
    r.advance(1);
    EXPECT_EQ(marked(r, d), (std::pair<NodeIndex, int>{alone, 3}));
}

INSTANTIATE_TEST_SUITE_P(all, StreamingTest, testing::Values("D2Q9", "D3Q15", "D3Q19", "D3Q27"),
                         [](const auto& info) { return std::string(info.param); });
