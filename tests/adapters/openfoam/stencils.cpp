// What cells take from nodes, for meshes that are coarser, finer and graded. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmCellSums.H"
#include "lbmCellStencils.H"
#include "lbmFields.H"
#include "lbmProbedCells.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

struct Stencils : testing::TestWithParam<const char*> {
    FoamCase c{GetParam()};
    Foam::lbmCellStencils stencils{c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary,
                                   latticeDirections(c.config.lattice)};
};

TEST_P(Stencils, pressureOfLinearFlowIsExactInEveryCell)
{
    // A centre within a thousandth of a spacing from a node counts as that node
    const double tolerance = 50 * 1e-3 * c.lattice.spacing();
    int looked = 0;
    const auto p = [](const Foam::point& x) { return 3 - 20 * x.x() + 45 * x.y(); };
    std::vector<Foam::lbmNodeTerm> nodes;
    std::vector<Foam::lbmCellStencils::faceTerm> faces;
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) {
        nodes.clear();
        faces.clear();
        stencils.append(cell, nodes, faces);
        double value = 0, fromFaces = 0;
        for (const auto& term : nodes) value += term.p * p(c.position(term.node));
        for (const auto& term : faces) fromFaces += std::abs(term.p);
        if (fromFaces > 0) continue; // next to a patch that fixes p
        ASSERT_NEAR(value, p(c.mesh.C()[cell]), tolerance) << "cell " << cell;
        ++looked;
    }
    EXPECT_GT(looked, 0.95 * c.mesh.nCells());
}

// Square meshes with a resting wall at the bottom.
struct StencilsAtWall : Stencils {};

TEST_P(StencilsAtWall, velocityFallsToZeroAtARestingWall)
{
    // u = y: zero on the bottom, which is all that cells far from the other sides see of walls
    const double reach = 5 * c.lattice.spacing();
    const Foam::boundBox& box = c.mesh.bounds();
    int looked = 0;
    std::vector<Foam::lbmNodeTerm> nodes;
    std::vector<Foam::lbmCellStencils::faceTerm> faces;
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) {
        const Foam::point& x = c.mesh.C()[cell];
        if (x.x() < box.min().x() + reach || x.x() > box.max().x() - reach || x.y() > box.max().y() - reach) continue;
        nodes.clear();
        faces.clear();
        stencils.append(cell, nodes, faces);
        double value = 0;
        for (const auto& term : nodes) value += term.U * c.position(term.node).y();
        for (const auto& term : faces) ASSERT_EQ(term.U, 0);
        ASSERT_NEAR(value, x.y(), 1e-6 * box.mag()) << "cell " << cell;
        ++looked;
    }
    EXPECT_GT(looked, 20);
}

// No two nodes alike.
Macroscopic stateOf(NodeIndex i)
{
    return {1 + 1e-3 * std::sin(double(i)), {0.03 * std::cos(double(i)), 0.02 * std::sin(2.0 * double(i)), 0}, {}};
}

void stir(Solver& solver)
{
    const Domain& domain = solver.domain();
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        if (!domain.fluid[i]) continue;
        nodes.push_back(i);
        states.push_back(stateOf(i));
    }
    solver.initialise(nodes.data(), nodes.size(), states.data());
}

// Boxes that are summed piece by piece, the second one in a single piece: the sum over the box's own terms.
TEST(CellSums, largeBoxesAreTheSumsOfTheirNodes)
{
    FoamCase c("fineLattice");
    const Domain& domain = c.lattice.domain();
    const auto solver = c.solver(0.8, 2);
    stir(*solver);

    const std::vector<NodeBox> boxes{{{1, 2, 0}, {domain.size[0] - 1, domain.size[1] - 3, 1}, 1e-3, {1e-5, -2e-5, 0}},
                                     {{3, 4, 0}, {5, 6, 1}, 0.02, {1e-3, 0, 0}}};
    ASSERT_GT(nodesIn(boxes[0]), 2 * Foam::lbmCellSums::nodesOfPiece);
    Foam::lbmCellSums sums;
    for (const NodeBox& box : boxes) sums.addBox(box);
    sums.place(*solver);
    std::vector<double> values;
    sums.sample(*solver, Reading::flow, values);
    ASSERT_EQ(values.size(), 8u);
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        double sum[4] = {0, 0, 0, 0};
        forFluid(domain, boxes[b], [&](NodeIndex node, int x, int y, int z) {
            const Macroscopic s = stateOf(node);
            const double weight = weightAt(boxes[b], x, y, z);
            sum[0] += weight * (s.density - 1);
            for (int a = 0; a < 3; ++a) sum[1 + a] += weight * s.velocity[a];
        });
        EXPECT_GT(std::abs(sum[1]), 1e-6);
        EXPECT_NEAR(values[4 * b], 1 + sum[0], 1e-13);
        for (int k = 1; k < 4; ++k) EXPECT_NEAR(values[4 * b + k], sum[k], 1e-13);
    }
}

// What lbmFields brings, as sums that the lattice has made, is what the terms of each cell say.
TEST_P(Stencils, fieldsAreTheSumsOfTheTerms)
{
    const Domain& domain = c.lattice.domain();
    constexpr double tau = 0.8;
    const auto solver = c.solver(tau, 2);
    const Foam::lbmUnits units = c.units(tau, 1e-3, 7);
    stir(*solver);

    const Foam::lbmFields fields(*solver, c.mesh, domain, c.lattice.axes(), c.boundary,
                                 latticeDirections(c.config.lattice), 2);
    for (int call = 0; call < 2; ++call) fields.sample(*solver, units, c.U, c.p);
    const double speed = units.dx() / units.dt();
    std::vector<Foam::lbmNodeTerm> terms;
    std::vector<Foam::lbmCellStencils::faceTerm> faces;
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) {
        terms.clear();
        faces.clear();
        stencils.append(cell, terms, faces);
        Foam::vector U(Foam::Zero);
        double p = 0;
        for (const auto& t : terms) {
            U += t.U * units.velocity(c.lattice.axes(), stateOf(t.node).velocity);
            p += t.p * units.pressure(stateOf(t.node).density);
        }
        for (const auto& t : faces) {
            U += t.U * c.U.boundaryField()[t.patch][t.face];
            p += t.p * c.p.boundaryField()[t.patch][t.face];
        }
        ASSERT_NEAR(Foam::mag(c.U[cell] - U), 0, 1e-13 * speed) << "cell " << cell;
        ASSERT_NEAR(c.p[cell], p, 1e-13 * (speed * speed + 7)) << "cell " << cell;
    }
}

// Cells that probes look at have what they have among all cells, to the last bit, and the others stay what they were.
TEST_P(Stencils, probedCellsAreThoseOfAllAndNoOthers)
{
    const auto solver = c.solver(0.8, 2);
    const Foam::lbmUnits units = c.units(0.8, 1e-3, 7);
    stir(*solver);
    const Foam::lbmFields fields(*solver, c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary,
                                 latticeDirections(c.config.lattice), 2);
    const Foam::vectorField U(c.U.primitiveField());
    const Foam::scalarField p(c.p.primitiveField());
    Foam::pointField places(1, c.mesh.bounds().max() + Foam::vector(1, 1, 1)); // which has no cell
    std::vector<bool> probed(std::size_t(c.mesh.nCells()), false);
    std::vector<Foam::lbmNodeTerm> terms;
    for (Foam::label cell = 0; cell < c.mesh.nCells(); cell += 3) {
        std::vector<Foam::lbmCellStencils::faceTerm> faces;
        stencils.append(cell, terms, faces);
        if (!faces.empty()) continue;
        places.append(c.mesh.C()[cell]);
        probed[std::size_t(cell)] = true;
    }
    ASSERT_GT(places.size(), c.mesh.nCells() / 6);
    const auto some = Foam::lbmProbedCells::place(c.mesh, fields.stencils(), c.lattice.axes(), *solver, places, 2);
    ASSERT_TRUE(some);
    some->sample(*solver, units, c.U, c.p);
    const Foam::vectorField probedU(c.U.primitiveField());
    const Foam::scalarField probedP(c.p.primitiveField());
    fields.sample(*solver, units, c.U, c.p);
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) {
        const bool is = probed[std::size_t(cell)];
        EXPECT_EQ(probedU[cell], is ? c.U[cell] : U[cell]) << "cell " << cell;
        EXPECT_EQ(probedP[cell], is ? c.p[cell] : p[cell]) << "cell " << cell;
    }
}

// The cells below the lid draw on its velocity, which the fields' boundaries hold.
TEST(ProbedCells, leaveCellsThatAskPatchesToAll)
{
    FoamCase c("coarseLattice");
    const auto solver = c.solver(0.8, 2);
    const Foam::lbmCellStencils stencils(c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary,
                                         latticeDirections(c.config.lattice));
    const Foam::pointField places(1, c.mesh.C()[c.mesh.nCells() - 5]);
    EXPECT_FALSE(Foam::lbmProbedCells::place(c.mesh, stencils, c.lattice.axes(), *solver, places, 2));
}

INSTANTIATE_TEST_SUITE_P(Mesh, Stencils,
                         testing::Values("equal", "coarseLattice", "fineLattice", "finestLattice", "graded",
                                         "triangles", "coarseChannel"));
INSTANTIATE_TEST_SUITE_P(Mesh, StencilsAtWall,
                         testing::Values("equal", "coarseLattice", "fineLattice", "finestLattice", "graded"));

TEST(CellStencils, kindOfEachCell)
{
    const auto count = [](const char* name) {
        FoamCase c(name);
        const Foam::lbmCellStencils s(c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary,
                                      latticeDirections(c.config.lattice));
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
    const Foam::lbmCellStencils s(c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary,
                                  latticeDirections(c.config.lattice));
    std::vector<Foam::lbmNodeTerm> nodes;
    std::vector<Foam::lbmCellStencils::faceTerm> faces;
    s.append(0, nodes, faces);
    ASSERT_EQ(nodes.size(), 9u); // 3 x 3 nodes in a square cell: equal shares
    for (const auto& term : nodes) EXPECT_NEAR(term.U, 1.0 / 9, 1e-6);
}

TEST(CellStencils, cellsThatAreBoxesAreToldAsBoxes)
{
    FoamCase c("finestLattice");
    const Foam::lbmCellStencils s(c.mesh, c.lattice.domain(), c.lattice.axes(), c.boundary,
                                  latticeDirections(c.config.lattice));
    const auto box = s.box(21);
    ASSERT_TRUE(box);
    EXPECT_EQ(box->size, (Int3{20, 20, 1}));
    std::vector<Foam::lbmNodeTerm> nodes;
    std::vector<Foam::lbmCellStencils::faceTerm> faces;
    s.append(21, nodes, faces);
    ASSERT_EQ(nodes.size(), 400u);
    double all = 0;
    for (const auto& term : nodes) all += term.U;
    EXPECT_NEAR(all, 1, 1e-12);
    EXPECT_EQ(c.lattice.domain().coordinates(nodes.front().node), box->low);
}

} // namespace
} // namespace lbm::test
