// Periodic boxes without walls, which a GPU takes several steps a pass through: large ones, for small ones go step by step.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"
#include "tests/equivalence/Scenarios.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#endif

namespace lbm::test {
namespace {

// Not all columns of a pass have all their rows in the box, nor all pieces of them all their layers.
std::shared_ptr<const Domain> periodicBox(const Int3& size)
{
    auto domain = std::make_shared<Domain>();
    domain->dimensions = 3;
    domain->size = size;
    domain->periodic = {true, true, true};
    domain->fluid = BitSet(domain->nodes(), true);
    return domain;
}

Config configOf(const std::string& device, const std::string& precision, const std::string& tile)
{
    Config config;
    config.lattice = "D3Q19";
    config.collision = "regularized";
    config.equilibrium = "incompressible";
    config.storage = device == "cpu" ? "ab" : "moments";
    config.device = device;
    config.precision = precision;
    config.tile = tile;
    config.tau = 0.6;
    return config;
}

// No symmetry, and every wave that a step could get wrong.
std::vector<Macroscopic> statesOf(const Domain& domain, const std::vector<NodeIndex>& nodes)
{
    std::vector<Macroscopic> states(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Int3 x = domain.coordinates(nodes[i]);
        const auto wave = [&](int a, int b, int c) {
            return std::sin(0.7 * a * x[0] + 0.9 * b * x[1] + 1.1 * c * x[2]);
        };
        states[i].density = 1 + 0.004 * wave(1, 2, -1);
        states[i].velocity = {0.03 * wave(3, 1, 2), 0.02 * wave(1, -2, 2), 0.025 * wave(2, 1, 1)};
    }
    return states;
}

// steps: of the calls of advance, one after the other.
std::vector<double> after(const std::vector<int>& steps, Solver& solver, const std::vector<NodeIndex>& nodes,
                          const std::vector<Macroscopic>& states, const std::vector<NodeIndex>& looked)
{
    solver.initialise(nodes.data(), nodes.size(), states.data());
    for (const int n : steps) solver.advance(n);
    std::vector<double> values(looked.size() * solver.directions());
    solver.getPopulations(looked.data(), looked.size(), values.data());
    return values;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::isfinite(a[i]) ? std::abs(a[i] - b[i]) : 1);
    return most;
}

} // namespace

TEST(Boxes, takeTwoStepsAPass)
{
#ifdef LBM_CUDA
    try {
        cuda::Device("cuda");
    } catch (const cuda::Error& missing) {
        GTEST_SKIP() << missing.what();
    }
    const auto domain = periodicBox({128, 128, 132});
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    std::vector<NodeIndex> looked;
    for (std::size_t i = 0; i < nodes.size(); i += 5) looked.push_back(nodes[i]); // no divisor of an extent
    const std::vector<Macroscopic> states = statesOf(*domain, nodes);
    SKIP_IF_LEFT_OUT(configOf("cpu", "double", ""));
    const auto plain = makeSolver(domain, configOf("cpu", "double", ""));
    const std::vector<double> expected = after({7}, *plain, nodes, states, looked);
    int rows = 0;
    for (const KernelRow& row : kernels()) {
        if (row.device != "cuda" || row.storage != "moments" || row.lattice != "D3Q19" || row.collision != "regularized"
            || row.closure != "constant" || row.equilibrium != "incompressible" || row.tile.rfind("32x", 0) != 0)
            continue;
        ++rows;
        const auto solver = makeSolver(domain, configOf("cuda", row.precision, row.tile));
        EXPECT_EQ(solver->stepsOfPass(), 2) << name(row);
        const std::vector<double> together = after({7}, *solver, nodes, states, looked);
        EXPECT_LT(largestDifference(together, expected), row.precision == "double" ? 1e-15 : 3e-7) << name(row);
        EXPECT_EQ(after({1, 1, 1, 1, 1, 1, 1}, *solver, nodes, states, looked), together) << name(row);
        EXPECT_EQ(after({3, 2, 2}, *solver, nodes, states, looked), together) << name(row);

        // A force is for steps one by one, which need what passes do not keep.
        solver->setForce({1e-4, 0, 0});
        EXPECT_EQ(solver->stepsOfPass(), 1) << name(row);
        solver->setForce({0, 0, 0});
        const std::vector<double> onePass = after({2}, *solver, nodes, states, looked);
        solver->initialise(nodes.data(), nodes.size(), states.data());
        solver->advance(2);
        solver->setForce({1e-30, 0, 0}); // too little to be seen
        solver->advance(5);
        std::vector<double> mixed(looked.size() * solver->directions());
        solver->getPopulations(looked.data(), looked.size(), mixed.data());
        EXPECT_LT(largestDifference(mixed, expected), row.precision == "double" ? 1e-15 : 3e-7) << name(row);
        EXPECT_GT(largestDifference(onePass, expected), 1e-5) << name(row); // five steps are seen
    }
    EXPECT_GT(rows, 0);
    EXPECT_EQ(makeSolver(periodicBox({32, 16, 16}), configOf("cuda", "double", ""))->stepsOfPass(), 1);
#else
    GTEST_SKIP() << "built without CUDA";
#endif
}

} // namespace lbm::test
