// A flow that is carried over to another time step, piece by piece. Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"
#include "lbmStepChange.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

constexpr double spacing = 0.01, viscosity = 1e-3, pressureLevel = 7, everything = 1e9;
constexpr double atTauOne =
    0.5 * spacing * spacing / (3 * viscosity); // populations tell no strain rate: it comes from velocities around

struct Row {
    const char *lattice, *storage, *collision, *closure;
    double dt;
};

Foam::lbmUnits unitsOf(double dt) { return {spacing, dt, Foam::lbmViscosity(viscosity), pressureLevel}; }

std::shared_ptr<const Domain> periodicBox(bool flat)
{
    auto domain = std::make_shared<Domain>();
    domain->dimensions = flat ? 2 : 3;
    domain->size = flat ? Int3{19, 23, 1} : Int3{9, 11, 21};
    domain->periodic = {true, true, !flat};
    domain->fluid = BitSet(domain->nodes(), true);
    domain->spacing = spacing;
    return domain;
}

class StepChange : public testing::TestWithParam<Row> {
protected:
    void SetUp() override
    {
        config_.lattice = GetParam().lattice;
        config_.storage = GetParam().storage;
        config_.collision = GetParam().collision;
        config_.closure = GetParam().closure;
        config_.threads = 1;
        config_.tau = from_.tau();
        byNode_ = config_.closure == "nodeField";
        SKIP_IF_LEFT_OUT(config_);
        domain_ = periodicBox(config_.lattice == "D2Q9");
        for (NodeIndex i = 0; i < domain_->nodes(); ++i) all_.push_back(i);
    }

    // Of nodes that have their own.
    std::vector<double> taus(std::size_t first, std::size_t n, const Foam::lbmUnits& units) const
    {
        std::vector<double> result;
        for (std::size_t i = first; i < first + n; ++i)
            result.push_back(units.tau(viscosity * (1 + 0.1 * double(i % 13))));
        return result;
    }

    // Waves along all axes that went a few steps.
    std::unique_ptr<Solver> flow() const
    {
        auto solver = makeSolver(domain_, config_);
        if (byNode_) solver->setRelaxationTimes(all_.data(), all_.size(), taus(0, all_.size(), from_).data());
        std::vector<Macroscopic> states(all_.size());
        for (NodeIndex i = 0; i < domain_->nodes(); ++i) {
            const Int3 x = domain_->coordinates(i);
            const auto wave = [&](int a) { return std::sin(2 * M_PI * (x[std::size_t(a)] + 0.3) / domain_->size[a]); };
            states[std::size_t(i)].density = 1 + 1e-3 * wave(0) * wave(1);
            states[std::size_t(i)].velocity = {0.02 * wave(1) + 0.01 * wave(2), 0.03 * wave(0), 0};
            if (domain_->dimensions == 3) states[std::size_t(i)].velocity[2] = 0.02 * wave(1);
        }
        solver->initialise(all_.data(), all_.size(), states.data());
        solver->advance(3);
        return solver;
    }

    std::vector<Macroscopic> statesOf(const Solver& solver) const
    {
        std::vector<Macroscopic> states(all_.size());
        solver.sample(all_.data(), all_.size(), states.data());
        return states;
    }

    // Populations are given none, velocities around a node have one where density changes.
    std::array<double, 6> withoutTrace(std::array<double, 6> strain) const
    {
        const int dimensions = domain_->dimensions;
        const std::size_t diagonal[] = {0, 3, 5};
        double trace = 0;
        for (int a = 0; a < dimensions; ++a) trace += strain[diagonal[a]];
        for (int a = 0; a < dimensions; ++a) strain[diagonal[a]] -= trace / dimensions;
        return strain;
    }

    void carry(Solver& solver, double nodesOfPiece) const
    {
        Foam::lbmStepChange::users users;
        users.all = [&](const Foam::lbmUnits& units) {
            if (!byNode_) solver.setRelaxationTime(units.tau());
        };
        if (byNode_)
            users.nodes = [&](std::size_t first, const std::vector<NodeIndex>& nodes) {
                solver.setRelaxationTimes(nodes.data(), nodes.size(), taus(first, nodes.size(), to_).data());
            };
        Foam::lbmStepChange::carry(solver, from_, to_, users, nodesOfPiece);
    }

    const Foam::lbmUnits from_ = unitsOf(GetParam().dt), to_ = unitsOf(0.4 * GetParam().dt);
    Config config_;
    bool byNode_ = false;
    std::shared_ptr<const Domain> domain_;
    std::vector<NodeIndex> all_;
};

TEST_P(StepChange, keepsTheFlow)
{
    const auto solver = flow();
    const std::vector<Macroscopic> before = statesOf(*solver);
    carry(*solver, 1); // as few layers as there may be
    const std::vector<Macroscopic> after = statesOf(*solver);
    double fastest = 0;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const Macroscopic expected = from_.convert(before[i], to_);
        ASSERT_NEAR(after[i].density, expected.density, 1e-13) << i;
        for (std::size_t a = 0; a < 3; ++a) ASSERT_NEAR(after[i].velocity[a], expected.velocity[a], 1e-14) << i;
        const auto have = withoutTrace(after[i].strainRate), want = withoutTrace(expected.strainRate);
        for (std::size_t k = 0; k < 6; ++k) {
            ASSERT_NEAR(have[k], want[k], 1e-13) << i;
            fastest = std::max(fastest, std::abs(want[k]));
        }
    }
    EXPECT_GT(fastest, 1e-4);
}

TEST_P(StepChange, doesNotDependOnPieces)
{
    const auto carried = [&](double nodesOfPiece) {
        const auto solver = flow();
        carry(*solver, nodesOfPiece);
        solver->advance(3);
        std::vector<double> populations(all_.size() * std::size_t(solver->directions()));
        solver->getPopulations(all_.data(), all_.size(), populations.data());
        return populations;
    };
    const std::vector<double> atOnce = carried(everything);
    const double layer = double(domain_->nodes()) / domain_->size[std::size_t(domain_->dimensions - 1)];
    for (const int layers : {1, 3, 7, 11}) EXPECT_EQ(carried(layers * layer), atOnce) << layers << " layers a piece";
}

INSTANTIATE_TEST_SUITE_P(Rows, StepChange,
                         testing::Values(Row{"D2Q9", "ab", "trt", "constant", atTauOne},
                                         Row{"D2Q9", "aa", "trt", "constant", 0.2 * atTauOne},
                                         Row{"D2Q9", "moments", "regularized", "constant", atTauOne},
                                         Row{"D3Q19", "aa", "trt", "constant", atTauOne},
                                         Row{"D3Q19", "t2c", "regularized", "constant", 0.2 * atTauOne},
                                         Row{"D3Q19", "moments", "regularized", "constant", atTauOne},
                                         Row{"D3Q19", "aa", "trt", "nodeField", 0.3 * atTauOne}),
                         [](const auto& row) {
                             return std::string(row.param.lattice) + row.param.storage + row.param.closure
                                 + std::to_string(row.index);
                         });

} // namespace
} // namespace lbm::test
