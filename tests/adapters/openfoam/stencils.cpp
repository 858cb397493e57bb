// What cells take from nodes, for meshes that are coarser, finer and graded. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmCellStencils.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

struct Stencils : testing::TestWithParam<const char*> {
    FoamCase c{GetParam()};
    Foam::lbmCellStencils stencils{
        c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary, latticeDirections(c.config.lattice)};

    Foam::point place(NodeIndex node) const
    {
        const Domain& d = c.lattice.domain();
        const Int3 at = d.coordinates(node);
        return c.lattice.axes().position(d, {double(at[0]), double(at[1]), double(at[2])});
    }
};

TEST_P(Stencils, pressureOfLinearFlowIsExactInEveryCell)
{
    // A centre within a thousandth of a spacing from a node counts as that node
    const double tolerance = 50*1e-3*c.lattice.spacing();
    int looked = 0;
    const auto p = [](const Foam::point& x) { return 3 - 20*x.x() + 45*x.y(); };
    std::vector<Foam::lbmNodeTerm> nodes;
    std::vector<Foam::lbmCellStencils::faceTerm> faces;
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) {
        nodes.clear();
        faces.clear();
        stencils.append(cell, nodes, faces);
        double value = 0, fromFaces = 0;
        for (const auto& term : nodes) value += term.p*p(place(term.node));
        for (const auto& term : faces) fromFaces += std::abs(term.p);
        if (fromFaces > 0) continue;        // next to a patch that fixes p
        ASSERT_NEAR(value, p(c.mesh.C()[cell]), tolerance) << "cell " << cell;
        ++looked;
    }
    EXPECT_GT(looked, 0.95*c.mesh.nCells());
}

// Square meshes with a resting wall at the bottom.
struct StencilsAtWall : Stencils {};

TEST_P(StencilsAtWall, velocityFallsToZeroAtARestingWall)
{
    // u = y: zero on the bottom, which is all that cells far from the other sides see of walls
    const double reach = 5*c.lattice.spacing();
    const Foam::boundBox& box = c.mesh.bounds();
    int looked = 0;
    std::vector<Foam::lbmNodeTerm> nodes;
    std::vector<Foam::lbmCellStencils::faceTerm> faces;
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) {
        const Foam::point& x = c.mesh.C()[cell];
        if (x.x() < box.min().x() + reach || x.x() > box.max().x() - reach || x.y() > box.max().y() - reach)
            continue;
        nodes.clear();
        faces.clear();
        stencils.append(cell, nodes, faces);
        double value = 0;
        for (const auto& term : nodes) value += term.U*place(term.node).y();
        for (const auto& term : faces) ASSERT_EQ(term.U, 0);
        ASSERT_NEAR(value, x.y(), 1e-6*box.mag()) << "cell " << cell;
        ++looked;
    }
    EXPECT_GT(looked, 20);
}

INSTANTIATE_TEST_SUITE_P(Mesh, Stencils,
    testing::Values("equal", "coarseLattice", "fineLattice", "graded", "triangles"));
INSTANTIATE_TEST_SUITE_P(Mesh, StencilsAtWall, testing::Values("equal", "coarseLattice", "fineLattice", "graded"));

TEST(CellStencils, kindOfEachCell)
{
    const auto count = [](const char* name) {
        FoamCase c(name);
        const Foam::lbmCellStencils s(
            c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary, latticeDirections(c.config.lattice));
        return std::array<Foam::label, 3>{s.nMeans(), s.nIrregular(), s.nOrphans()};
    };
    EXPECT_EQ(count("equal"), (std::array<Foam::label, 3>{0, 0, 0}));
    EXPECT_EQ(count("fineLattice"), (std::array<Foam::label, 3>{400, 0, 0}));
    // Centres in the outermost half spacing: a rim of one cell
    EXPECT_EQ(count("coarseLattice"), (std::array<Foam::label, 3>{0, 76, 0}));
}

TEST(CellStencils, cellsOfManyNodesHoldTheirMean)
{
    FoamCase c("fineLattice");
    const Foam::lbmCellStencils s(
        c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary, latticeDirections(c.config.lattice));
    std::vector<Foam::lbmNodeTerm> nodes;
    std::vector<Foam::lbmCellStencils::faceTerm> faces;
    s.append(0, nodes, faces);
    ASSERT_EQ(nodes.size(), 9u);        // 3 x 3 nodes in a square cell: equal shares
    for (const auto& term : nodes) EXPECT_NEAR(term.U, 1.0/9, 1e-6);
}

} // namespace
} // namespace lbm::test
