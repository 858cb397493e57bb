// Which cell each fluid node takes values from, for lattices finer than the mesh. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmNodeCells.H"

#include <gtest/gtest.h>

namespace lbm::test {
namespace {

std::vector<NodeIndex> risingFluid(const Domain& domain)
{
    std::vector<NodeIndex> nodes;
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        if (domain.fluid[i]) nodes.push_back(i);
    return nodes;
}

struct NodeCells : testing::TestWithParam<const char*> {
    FoamCase c{GetParam()};
    const Domain& domain = c.lattice.domain();
    Foam::lbmNodeCells cells{c.mesh, domain, c.lattice.axes()};
};

// However many nodes are looked at at once
TEST_P(NodeCells, visitsAreOfFluidNodesInTheirOrder)
{
    const std::vector<NodeIndex> expected = risingFluid(domain);
    ASSERT_EQ(cells.size(), expected.size());
    for (const int most : {7, 1000, int(domain.nodes())}) {
        std::vector<NodeIndex> found;
        for (NodeIndex first = 0; first < domain.nodes(); first += most)
            cells.visitIn(first, int(std::min(NodeIndex(most), domain.nodes() - first)), [&](int x, std::size_t i) {
                EXPECT_EQ(i, found.size());
                found.push_back(first + x);
            });
        EXPECT_EQ(found, expected) << most << " at once";
    }
}

// Where there is one
TEST_P(NodeCells, nodesTakeTheCellThatTheyLieIn)
{
    Foam::scalarField numbers(c.mesh.nCells());
    forAll(numbers, celli) numbers[celli] = celli;
    std::size_t i = 0, within = 0;
    for (const NodeIndex node : risingFluid(domain)) {
        const Foam::label celli = Foam::label(cells.at(i++, numbers));
        ASSERT_GE(celli, 0);
        ASSERT_LT(celli, c.mesh.nCells());
        const Foam::point x(c.position(node));
        if (c.mesh.findCell(x) < 0) continue;
        Foam::boundBox bounds(c.mesh.cells()[celli].points(c.mesh.faces(), c.mesh.points()), false);
        bounds.inflate(1e-6);
        ASSERT_TRUE(bounds.contains(x)) << "node " << node << ", cell " << celli;
        ++within;
    }
    EXPECT_GT(within, 0.9 * i);
}

// Of many ranks the first keeps them for all nodes: nodes of a cell that follow each other are kept as one
TEST_P(NodeCells, runsAreKeptOnce)
{
    Foam::scalarField numbers(c.mesh.nCells());
    forAll(numbers, celli) numbers[celli] = celli;
    std::size_t expected = 0;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i == 0 || cells.at(i, numbers) != cells.at(i - 1, numbers)) ++expected;
    EXPECT_EQ(cells.runs(), expected);
    if (std::string(GetParam()) == "fineLattice") EXPECT_LE(2 * cells.runs(), cells.size());
}

// What a node is assigned counts for this one alone
TEST_P(NodeCells, sharesAreTheNodesOwn)
{
    const std::vector<NodeIndex> nodes = risingFluid(domain);
    Foam::scalarField values(c.mesh.nCells(), 1);
    values[0] = 3;
    std::vector<double> before;
    for (std::size_t i = 0; i < nodes.size(); ++i) before.push_back(cells.at(i, values));
    const std::size_t chosen = nodes.size() - 7;
    ASSERT_EQ(before[chosen], 1);
    EXPECT_FALSE(cells.isShared(chosen));
    cells.assign(nodes[chosen], 0, 0.25);
    EXPECT_TRUE(cells.isShared(chosen));
    for (std::size_t i = 0; i < nodes.size(); ++i)
        ASSERT_EQ(cells.at(i, values), i == chosen ? 1.5 : before[i]) << "node " << i;
}

INSTANTIATE_TEST_SUITE_P(Mesh, NodeCells, testing::Values("equal", "fineLattice", "graded", "triangles"));

} // namespace
} // namespace lbm::test
