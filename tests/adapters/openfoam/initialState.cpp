// The state that nodes start from, between the centres of cells. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmInitialState.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

// Three nodes a cell; not in the two rows of cells along walls, whose conditions bend the functions.
TEST(InitialState, linearFunctionsAreExactBetweenCells)
{
    constexpr double tau = 0.8;
    FoamCase c("fineLattice");
    const auto pressure = [](const Foam::point& x) { return 3 - 20 * x.x() + 45 * x.y(); };
    const auto velocity = [](const Foam::point& x) { return Foam::vector(0.2 + 3 * x.y(), 4 * x.x() - 0.1, 0); };
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) {
        c.p[cell] = pressure(c.mesh.C()[cell]);
        c.U[cell] = velocity(c.mesh.C()[cell]);
    }
    const Domain& domain = c.lattice.domain();
    const Foam::lbmAxes& axes = c.lattice.axes();
    const auto solver = c.solver(tau, 1);
    const Foam::lbmUnits units = c.units(tau, 1e-4, 3);
    Foam::lbmInitialState(c.U, c.p, axes, units, *solver).apply();

    int looked = 0;
    const double cell = 3 * domain.spacing, side = c.mesh.bounds().span().x();
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        const Foam::point x = c.position(node);
        const double away = std::min(std::min(x.x(), side - x.x()), std::min(x.y(), side - x.y()));
        if (away < 2 * cell) continue;
        Macroscopic state;
        solver->sample(&node, 1, &state);
        ASSERT_NEAR(units.pressure(state.density), pressure(x), 1e-9);
        ASSERT_NEAR(Foam::mag(units.velocity(axes, state.velocity) - velocity(x)), 0, 1e-9);
        ++looked;
    }
    EXPECT_GT(looked, 1000);
}

// Walls at rest around a uniform flow bend it nowhere: the gradient of a cell at a wall would lead to more on its other side.
TEST(InitialState, isNoFasterThanWhatIsAround)
{
    constexpr double tau = 0.8, speed = 0.7;
    FoamCase c("fineLattice");
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) c.U[cell] = Foam::vector(speed, -speed, 0);
    for (Foam::label patch = 0; patch < c.mesh.boundary().size(); ++patch)
        c.U.boundaryFieldRef()[patch] == Foam::vector(Foam::Zero);
    const Foam::lbmUnits units = c.units(tau, 1e-4, 3);
    const auto solver = c.solver(tau, 1);
    Foam::lbmInitialState(c.U, c.p, c.lattice.axes(), units, *solver).apply();

    const Domain& domain = c.lattice.domain();
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        Macroscopic state;
        solver->sample(&node, 1, &state);
        const Foam::vector U = units.velocity(c.lattice.axes(), state.velocity);
        ASSERT_NEAR(U.x(), speed, 1e-9) << "node " << node;
        ASSERT_NEAR(U.y(), -speed, 1e-9) << "node " << node;
    }
}

TEST(InitialState, doesNotDependOnTheNumberOfThreads)
{
    constexpr double tau = 0.8;
    FoamCase c("fineLattice");
    for (Foam::label cell = 0; cell < c.mesh.nCells(); ++cell) {
        const Foam::point x = c.mesh.C()[cell];
        c.p[cell] = std::sin(90 * x.x());
        c.U[cell] = Foam::vector(std::sin(70 * x.y()), std::cos(50 * x.x()), 0);
    }
    const Domain& domain = c.lattice.domain();
    const Foam::lbmUnits units = c.units(tau, 1e-4, 3);
    std::vector<NodeIndex> nodes;
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        if (domain.fluid[i]) nodes.push_back(i);
    const auto populations = [&](int threads) {
        const auto solver = c.solver(tau, 1);
        Foam::lbmInitialState(c.U, c.p, c.lattice.axes(), units, *solver, threads).apply();
        std::vector<double> values(nodes.size() * std::size_t(solver->directions()));
        solver->getPopulations(nodes.data(), nodes.size(), values.data());
        return values;
    };
    const std::vector<double> one = populations(1);
    EXPECT_NE(one.front(), one.back());
    for (const int threads : {2, 3, 7}) EXPECT_EQ(populations(threads), one) << threads << " threads";
}

} // namespace
} // namespace lbm::test
