// What a solver tells of its nodes together: the same bits, whatever parts and threads share them.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/geometry/PartDomain.hpp"
#include "lbm/solver/HealthBlocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace lbm::test {
namespace {

// Differences of 1 and densities, as health adds them up.
std::vector<double> someDifferences(std::size_t n)
{
    std::mt19937 random(20);
    std::uniform_real_distribution<> density(0.6, 1.4);
    std::vector<double> values(n);
    for (double& value : values) value = density(random) - 1;
    return values;
}

double plainSum(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

FixedPointSum sumOf(const std::vector<double>& values, std::size_t first, std::size_t last)
{
    FixedPointSum sum{};
    for (std::size_t i = first; i < last; ++i) sum.add(values[i]);
    return sum;
}

// More than one tile along every axis, with any number of nodes.
std::shared_ptr<const Domain> periodicBox()
{
    Domain d;
    d.size = {37, 18, 13};
    d.periodic = {true, true, true};
    d.fluid = BitSet(d.nodes(), true);
    d.check();
    return std::make_shared<const Domain>(std::move(d));
}

std::unique_ptr<Solver> solverOf(const std::shared_ptr<const Domain>& domain, const Int3& pieces, int threads)
{
    Config config;
    config.threads = threads;
    config.cuts.pieces = pieces;
    config.parts = pieces[0] * pieces[1] * pieces[2];
    return makeSolver(domain, config);
}

void start(Solver& solver, const std::vector<NodeIndex>& nodes, const Macroscopic& state)
{
    const std::vector<Macroscopic> states(nodes.size(), state);
    solver.initialise(nodes.data(), nodes.size(), states.data());
}

std::vector<NodeIndex> allOf(const Domain& d)
{
    std::vector<NodeIndex> nodes(std::size_t(d.nodes()));
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = NodeIndex(i);
    return nodes;
}

void spread(Solver& solver, const std::vector<NodeIndex>& nodes)
{
    std::mt19937 random(21);
    std::uniform_real_distribution<> deviation(-0.01, 0.02); // sums that doubles have to round
    std::vector<double> populations(nodes.size() * std::size_t(solver.directions()));
    for (double& value : populations) value = deviation(random);
    solver.setPopulations(nodes.data(), nodes.size(), populations.data());
}

const std::initializer_list<Int3> divisions = {{1, 1, 1}, {2, 1, 1}, {1, 3, 1}, {1, 1, 2}, {2, 2, 1}};

} // namespace

TEST(FixedPointSum, dependsOnNoOrder)
{
    std::vector<double> values = someDifferences(100000);
    const double before = sumOf(values, 0, values.size()), plain = plainSum(values);
    std::shuffle(values.begin(), values.end(), std::mt19937(22));
    EXPECT_NE(plainSum(values), plain); // what it is for
    EXPECT_EQ(double(sumOf(values, 0, values.size())), before);
    FixedPointSum shared = sumOf(values, 70000, values.size());
    shared.add(sumOf(values, 0, 30000));
    shared.add(sumOf(values, 30000, 70000));
    EXPECT_EQ(double(shared), before);
}

TEST(FixedPointSum, isTheSum)
{
    const std::vector<double> values = someDifferences(100000);
    __extension__ __int128 units = 0; // all are multiples of 2^-53
    for (const double value : values) units += std::int64_t(std::ldexp(value, 53));
    const double exact = std::ldexp(double(units), -53);
    EXPECT_NEAR(double(sumOf(values, 0, values.size())), exact,
                std::abs(exact) * std::numeric_limits<double>::epsilon());
    for (const double value : {0., 1., -1., 0.25, std::ldexp(1., -53), -std::ldexp(3., -53), 63.5}) {
        FixedPointSum sum{};
        sum.add(value);
        EXPECT_EQ(double(sum), value);
        sum.add(-value);
        EXPECT_EQ(double(sum), 0);
    }
}

// A density that is out of all bounds is told by maxDensity.
TEST(FixedPointSum, hasBounds)
{
    FixedPointSum sum{};
    sum.add(1e30);
    EXPECT_EQ(double(sum), FixedPointSum::largest);
    sum.add(-1e300);
    EXPECT_EQ(double(sum), 0);
}

TEST(Health, isThatOfAnyPartsAndThreads)
{
    const auto domain = periodicBox();
    const std::vector<NodeIndex> nodes = allOf(*domain);
    const auto healthOf = [&](const Int3& pieces, int threads, int stride) {
        const auto solver = solverOf(domain, pieces, threads);
        spread(*solver, nodes);
        return solver->health(stride);
    };
    for (const int stride : {1, 4}) {
        const Health expected = healthOf({1, 1, 1}, 1, stride);
        EXPECT_NE(double(expected.excess), 0);
        for (const Int3& pieces : divisions)
            for (const int threads : {1, 2, 3}) {
                const Health found = healthOf(pieces, threads, stride);
                SCOPED_TRACE(testing::PrintToString(pieces) + " pieces, " + std::to_string(threads) + " threads, every "
                             + std::to_string(stride));
                EXPECT_EQ(double(found.excess), double(expected.excess));
                EXPECT_EQ(found.maxSpeed, expected.maxSpeed);
                EXPECT_EQ(found.fastest, expected.fastest);
                EXPECT_EQ(found.minDensity, expected.minDensity);
                EXPECT_EQ(found.maxDensity, expected.maxDensity);
                EXPECT_EQ(found.nodes, expected.nodes);
                EXPECT_EQ(found.bad, -1);
            }
    }
}

// Which nodes are looked at follows from where they lie in the whole: parts look at the same ones, evenly spread.
TEST(Health, looksAtTheSameNodesInAnyParts)
{
    Domain d;
    d.size = {403, 130, 51};
    d.fluid = BitSet(d.nodes(), true);
    d.check();
    const auto nodesOf = [&](const Domain& some, int stride) {
        std::vector<NodeIndex> nodes;
        const HealthBlocks blocks(some, stride);
        for (std::int64_t row = 0; row < blocks.rows(); ++row)
            blocks.forRow(row, [&](const NodeBox& box) {
                forFluid(some, box, [&](NodeIndex, int x, int y, int z) {
                    EXPECT_FALSE(some.isGhost({x, y, z}));
                    nodes.push_back(d.index(x + some.inWhole[0], y + some.inWhole[1], z + some.inWhole[2]));
                });
            });
        std::sort(nodes.begin(), nodes.end());
        return nodes;
    };
    for (const int stride : {1, 2, 7, 13, 26, 50}) { // 13, 26: rows have as many blocks
        const std::vector<NodeIndex> nodes = nodesOf(d, stride);
        EXPECT_EQ(std::adjacent_find(nodes.begin(), nodes.end()), nodes.end());
        EXPECT_NEAR(double(nodes.size()), double(d.nodes()) / stride, 0.05 * double(d.nodes()) / stride);
        std::vector<bool> slice(std::size_t(d.size[0]), false);
        for (const NodeIndex node : nodes) slice[std::size_t(node % d.size[0])] = true;
        EXPECT_EQ(std::count(slice.begin(), slice.end(), false), 0) << stride;
        for (const int parts : {2, 3, 7}) {
            std::vector<NodeIndex> together;
            const Bricks bricks(d, parts, {8, 4, 4});
            for (int p = 0; p < parts; ++p) {
                const std::vector<NodeIndex> its =
                    nodesOf(*PartDomain(d, bricks[p], 1 + p % 3, {5, 4, 3}).domain(), stride);
                together.insert(together.end(), its.begin(), its.end());
            }
            std::sort(together.begin(), together.end());
            EXPECT_EQ(together, nodes) << parts << " parts, every " << stride;
        }
    }
}

// One lies in an earlier tile and part, the other in an earlier row.
TEST(Health, namesTheFirstOfSeveralNodes)
{
    const auto domain = periodicBox();
    const std::vector<NodeIndex> nodes = allOf(*domain);
    const NodeIndex first = domain->index(30, 1, 0), second = domain->index(2, 3, 0);
    ASSERT_LT(first, second);
    for (const Int3& pieces : divisions)
        for (const int threads : {1, 3}) {
            SCOPED_TRACE(testing::PrintToString(pieces) + " pieces, " + std::to_string(threads) + " threads");
            const auto solver = solverOf(domain, pieces, threads);
            start(*solver, nodes, {1, {0.01, 0, 0}, {}});
            start(*solver, {first, second}, {1, {0.03, 0, 0}, {}});
            EXPECT_EQ(solver->health(1).fastest, first);
            const std::vector<double> none(std::size_t(solver->directions()), std::numeric_limits<double>::quiet_NaN());
            for (const NodeIndex bad : {second, first}) {
                solver->setPopulations(&bad, 1, none.data());
                EXPECT_EQ(solver->health(1).bad, bad);
            }
            start(*solver, nodes, {1, {0, 0, 0}, {}});
            EXPECT_EQ(solver->health(1).fastest, -1);
        }
}

} // namespace lbm::test
