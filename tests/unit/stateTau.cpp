// Moments of third order stand for populations by the relaxation time of the step that left them: whatever is told of the next step,
// or of some nodes, they go on standing for the same ones. Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace lbm::test {
namespace {

Config config(const char* storage, double tau, int parts = 1)
{
    Config c;
    c.lattice = "D3Q27";
    c.collision = "cumulant";
    c.storage = storage;
    c.tau = tau;
    c.threads = 1;
    c.parts = parts;
    return c;
}

// Two relaxation times at which cumulants of fourth order differ by a third.
constexpr double tau = 0.515, other = 0.5225;

struct ThirdMoments : testing::Test {
    void SetUp() override { SKIP_IF_LEFT_OUT(config("moments", tau)); }

    struct Run {
        std::shared_ptr<const Domain> domain;
        std::unique_ptr<Solver> solver;
        std::vector<NodeIndex> nodes;
    };

    // Waves along all axes, whose strain has all components, after some steps of `tau`.
    static Run flow(const char* storage = "moments", int parts = 1)
    {
        Run f;
        f.domain = std::make_shared<const Domain>(periodicBox({24, 16, 16}));
        f.solver = makeSolver(f.domain, config(storage, tau, parts));
        std::vector<Macroscopic> states;
        const double a = 2 * std::numbers::pi / 24, b = 2 * std::numbers::pi / 16;
        for (NodeIndex i = 0; i < f.domain->nodes(); ++i) {
            const Int3 x = f.domain->coordinates(i);
            Macroscopic state;
            state.velocity = {0.05 * std::sin(b * x[1]) * std::cos(b * x[2]), 0.04 * std::sin(a * x[0] + b * x[2]),
                              0.03 * std::cos(a * x[0]) + 0.05 * std::sin(b * x[1])};
            f.nodes.push_back(i);
            states.push_back(state);
        }
        f.solver->initialise(f.nodes.data(), f.nodes.size(), states.data());
        f.solver->advance(7);
        return f;
    }

    static std::vector<double> populationsOf(const Solver& solver, const std::vector<NodeIndex>& nodes)
    {
        std::vector<double> values(nodes.size() * std::size_t(solver.directions()));
        solver.getPopulations(nodes.data(), nodes.size(), values.data());
        return values;
    }

    static std::vector<double> storedOf(const Solver& solver, const std::vector<NodeIndex>& nodes)
    {
        std::vector<double> values(nodes.size() * std::size_t(storedState(solver.row()).values));
        solver.getStored(nodes.data(), nodes.size(), values.data());
        return values;
    }

    static double mostApart(const std::vector<double>& a, const std::vector<double>& b)
    {
        double most = 0;
        for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
        return most;
    }
};

TEST_F(ThirdMoments, areOfTheStepThatLeftThem)
{
    for (const int parts : {1, 3}) {
        const Run f = flow("moments", parts);
        EXPECT_EQ(f.solver->stateTau(), tau);
        const auto before = populationsOf(*f.solver, f.nodes);
        f.solver->setRelaxationTime(other);
        EXPECT_EQ(f.solver->stateTau(), tau);
        EXPECT_EQ(populationsOf(*f.solver, f.nodes), before);
        f.solver->advance(1);
        EXPECT_EQ(f.solver->stateTau(), other);
    }
}

TEST_F(ThirdMoments, ofOtherNodesStayWhenSomeAreSet)
{
    for (const int parts : {1, 3}) {
        const Run f = flow("moments", parts);
        const auto before = populationsOf(*f.solver, f.nodes);
        f.solver->setRelaxationTime(other);
        const std::vector<NodeIndex> some(f.nodes.begin() + 100, f.nodes.begin() + 160);
        f.solver->setStored(some.data(), some.size(), storedOf(*f.solver, some).data());
        EXPECT_EQ(populationsOf(*f.solver, f.nodes), before);
        const auto own = populationsOf(*f.solver, some);
        f.solver->setPopulations(some.data(), some.size(), own.data());
        EXPECT_LT(mostApart(populationsOf(*f.solver, f.nodes), before), 1e-16);
    }
}

// Another solver goes on bit for bit, whatever relaxation time the next step has; without the time it would not.
TEST_F(ThirdMoments, goOnInAnotherSolver)
{
    for (const bool told : {true, false}) {
        const Run f = flow();
        f.solver->setRelaxationTime(other);
        const auto next = makeSolver(f.domain, config("moments", other, told ? 2 : 1));
        next->advance(f.solver->step() % 2);
        if (told) next->setStateTau(f.solver->stateTau());
        next->setStored(f.nodes.data(), f.nodes.size(), storedOf(*f.solver, f.nodes).data());
        f.solver->advance(5);
        next->advance(5);
        EXPECT_EQ(populationsOf(*next, f.nodes) == populationsOf(*f.solver, f.nodes), told);
    }
    EXPECT_THROW(flow().solver->setStateTau(0.5), std::invalid_argument);
}

// As populations and back, in the midst of a change of viscosity: to rounding.
TEST_F(ThirdMoments, goOnInAnotherStorage)
{
    SKIP_IF_LEFT_OUT(config("aa", tau));
    const Run f = flow(), whole = flow("aa");
    whole.solver->setPopulations(f.nodes.data(), f.nodes.size(), populationsOf(*f.solver, f.nodes).data());
    for (const Run* one : {&f, &whole}) {
        one->solver->advance(2);
        one->solver->setRelaxationTime(other);
    }
    const auto next = makeSolver(f.domain, config("aa", other)), back = makeSolver(f.domain, config("moments", other));
    for (Solver* s : {next.get(), back.get()}) {
        s->advance(f.solver->step() % 2);
        s->setStateTau(tau);
    }
    std::vector<double> populations(f.nodes.size() * 27);
    populationsOfStored(f.solver->row(), storedOf(*f.solver, f.nodes).data(), f.nodes.size(), populations.data(),
                        f.solver->stateTau());
    EXPECT_LT(mostApart(populations, populationsOf(*f.solver, f.nodes)), 1e-16);
    next->setPopulations(f.nodes.data(), f.nodes.size(), populations.data());
    back->setPopulations(f.nodes.data(), f.nodes.size(), populationsOf(*whole.solver, f.nodes).data());
    for (Solver* s : {f.solver.get(), whole.solver.get(), next.get(), back.get()}) s->advance(5);
    const auto expected = populationsOf(*f.solver, f.nodes);
    for (const Solver* s : {whole.solver.get(), next.get(), back.get()})
        EXPECT_LT(mostApart(populationsOf(*s, f.nodes), expected), 1e-15);
}

} // namespace
} // namespace lbm::test
