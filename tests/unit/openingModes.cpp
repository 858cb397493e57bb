// What alternates from node to node along openings that let sound out dies away.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

constexpr double recovery = 0.01;

// A stream between openings half-way before the first and behind the last node, across it periodic.
struct Stream {
    std::shared_ptr<const Domain> domain;
    std::unique_ptr<Solver> solver;
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;
    double speed;

    Stream(const KernelRow& row, double tau, double u, double outlet) : speed(u)
    {
        const int n = 8;
        domain = std::make_shared<const Domain>(
            shape({n, 4, row.lattice == "D2Q9" ? 1 : 4}, {false, true, true},
                  {[](const Vec3& x) { return x[0] + 0.5; }, [=](const Vec3& x) { return n - 0.5 - x[0]; }}));
        Config c;
        c.lattice = row.lattice;
        c.collision = row.collision;
        c.equilibrium = row.equilibrium;
        c.storage = row.storage;
        c.arithmetic = row.arithmetic;
        c.tile = row.tile;
        c.tau = tau;
        c.patches = {{BoundaryKind::velocity, {u, 0, 0}, 1, WallScheme::quadratic, recovery},
                     {BoundaryKind::pressure, {0, 0, 0}, 1, WallScheme::quadratic, outlet}};
        solver = makeSolver(domain, c);
        for (NodeIndex i = 0; i < domain->nodes(); ++i)
            if (domain->fluid[i]) nodes.push_back(i);
        states.assign(nodes.size(), Macroscopic{1, {u, 0, 0}, {}});
    }

    // By node: 1 or -1, changing from one to the next along these axes.
    double sign(std::size_t i, bool y, bool z) const
    {
        const Int3 x = domain->coordinates(nodes[i]);
        return (((y ? x[1] : 0) + (z ? x[2] : 0)) % 2) ? -1 : 1;
    }

    // Largest at any x of the mean over y and z of density and velocity's deviations, times the sign of the mode.
    double amplitude(bool y, bool z)
    {
        solver->sample(nodes.data(), nodes.size(), states.data());
        std::vector<std::array<double, 4>> sums(std::size_t(domain->size[0]), {0, 0, 0, 0});
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            auto& sum = sums[std::size_t(domain->coordinates(nodes[i])[0])];
            const double share = sign(i, y, z) * domain->size[0] / double(nodes.size());
            sum[0] += share * (states[i].density - 1);
            for (int a = 0; a < 3; ++a) sum[std::size_t(1 + a)] += share * (states[i].velocity[a] - (a ? 0 : speed));
        }
        double most = 0;
        for (const auto& sum : sums)
            for (const double s : sum) most = std::max(most, std::abs(s));
        return most;
    }
};

// Regularized collisions and cumulants of double precision, in what is built.
std::vector<KernelRow> rows()
{
    std::vector<KernelRow> found;
    for (const KernelRow& row : kernels())
        if (isOnHost(row) && !isSingle(row) && row.closure == "constant"
            && (row.collision == "regularized" || row.collision == "cumulant"))
            found.push_back(row);
    return found;
}

// Amplitude of a mode over what it began with, in density at all nodes, after so many steps.
double growth(const KernelRow& row, double tau, double speed, bool y, bool z)
{
    constexpr double begin = 1e-7;
    Stream stream(row, tau, speed, recovery);
    for (std::size_t i = 0; i < stream.nodes.size(); ++i) stream.states[i].density += begin * stream.sign(i, y, z);
    stream.solver->initialise(stream.nodes.data(), stream.nodes.size(), stream.states.data());
    stream.solver->advance(600);
    return stream.amplitude(y, z) / begin;
}

} // namespace

// Streams of a flow that is guarded (3 U/(tau - 1/2) = 60), and of a thicker fluid.
TEST(OpeningModes, whatAlternatesAlongAnInletDies)
{
    ASSERT_FALSE(rows().empty());
    for (const KernelRow& row : rows())
        for (const double speed : {0.02, 0.0454, 0.1})
            for (const double tau : {0.5 + 0.05 * speed, 0.55})
                for (const bool y : {false, true})
                    for (const bool z : {false, true}) {
                        if (z && row.lattice == "D2Q9") continue;
                        EXPECT_LT(growth(row, tau, speed, y, z), 0.5)
                            << name(row) << ", speed " << speed << ", tau " << tau << ", along y " << y << ", z " << z;
                    }
}

} // namespace lbm::test
