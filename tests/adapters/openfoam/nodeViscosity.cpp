// Viscosities of cells are told to nodes where these lie: the same flow as if each node were told its own, however the lattice is cut.
// Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmNodeViscosity.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

struct NodeViscosity : testing::TestWithParam<const char*> {
    FoamCase c{GetParam()};
    const Domain& domain = c.lattice.domain();
    const Foam::lbmUnits units = c.units(0.6, 0.001, 0);
    Foam::lbmNodeCells cells{c.mesh, domain, c.lattice.axes()};
    std::vector<NodeIndex> nodes;

    NodeViscosity()
    {
        for (NodeIndex i = 0; i < domain.nodes(); ++i)
            if (domain.fluid[i]) nodes.push_back(i);
        // Some take shares of two
        for (std::size_t i = 3; i < nodes.size(); i += 11)
            cells.assign(nodes[i], Foam::label(i % c.mesh.nCells()), 0.25);
    }

    std::unique_ptr<Solver> solver(int parts) const
    {
        Config own = c.config;
        own.tau = 0.6;
        own.threads = 2;
        own.parts = parts;
        own.collision = "regularized";
        own.closure = "nodeField";
        own.patches = c.boundary.uniform();
        auto made = makeSolver(c.lattice.shared(), own);
        std::vector<Macroscopic> states(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Int3 x = domain.coordinates(nodes[i]);
            states[i].velocity = {0.02 * std::sin(0.3 * x[1]), 0.03 * std::cos(0.2 * x[0]), 0};
        }
        made->initialise(nodes.data(), nodes.size(), states.data());
        return made;
    }

    // Of cells, with values between 1 and 3 times that of the units, which differ from cell to cell
    Foam::scalarField viscosities(int turn) const
    {
        Foam::scalarField nu(c.mesh.nCells());
        forAll(nu, celli) nu[celli] = units.viscosity().least(units.dx()) * (1 + (7 * celli + turn) % 11 / 5.);
        return nu;
    }

    std::vector<double> populationsAfter(Solver& solver) const
    {
        solver.advance(3);
        std::vector<double> all(nodes.size() * std::size_t(solver.directions()));
        solver.getPopulations(nodes.data(), nodes.size(), all.data());
        return all;
    }

    // Told twice, node by node
    std::vector<double> expected() const
    {
        const auto solver = this->solver(1);
        for (const int turn : {0, 4}) {
            const Foam::scalarField nu = viscosities(turn);
            std::vector<double> tau;
            for (std::size_t i = 0; i < nodes.size(); ++i) tau.push_back(units.tau(cells.at(i, nu)));
            solver->setRelaxationTimes(nodes.data(), nodes.size(), tau.data());
            solver->advance(2);
        }
        return populationsAfter(*solver);
    }
};

TEST_P(NodeViscosity, isThatOfCellsInAllParts)
{
    const std::vector<double> expected = this->expected();
    double differs = 0;
    {
        const auto even = solver(1);
        even->advance(4);
        const std::vector<double> populations = populationsAfter(*even);
        for (std::size_t i = 0; i < expected.size(); ++i)
            differs = std::max(differs, std::abs(populations[i] - expected[i]));
    }
    EXPECT_GT(differs, 1e-6);
    for (const int parts : {1, 2, 5}) {
        const auto told = solver(parts);
        Foam::lbmNodeViscosity viscosity(cells, *told, 1e9, 2);
        for (const int turn : {0, 4}) {
            viscosity.tell(*told, units, viscosities(turn), c.mesh.V(), Foam::vectorField(c.mesh.nCells(), Foam::Zero));
            told->advance(2);
        }
        EXPECT_EQ(populationsAfter(*told), expected) << parts << " parts";
    }
}

INSTANTIATE_TEST_SUITE_P(Mesh, NodeViscosity, testing::Values("channel", "fineLattice", "graded", "periodic"));

} // namespace
} // namespace lbm::test
