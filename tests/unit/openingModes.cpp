// What alternates from node to node along openings dies away: along inlets that let sound out, and along outlets of given velocity.
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

    Stream(const KernelRow& row, double tau, double u, const LinkValue& outlet) : speed(u)
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
        c.patches = {{BoundaryKind::velocity, {u, 0, 0}, 1, WallScheme::quadratic, recovery}, outlet};
        solver = makeSolver(domain, c);
        for (NodeIndex i = 0; i < domain->nodes(); ++i)
            if (domain->fluid[i]) nodes.push_back(i);
        states.assign(nodes.size(), Macroscopic{1, {u, 0, 0}, {}});
    }

    // By node, of so many waves across y and z, each of which is four nodes: none, one, or two, where it changes from node to node.
    double height(std::size_t i, int y, int z) const
    {
        static constexpr double wave[3][4] = {{1, 1, 1, 1}, {1, 0, -1, 0}, {1, -1, 1, -1}};
        const Int3 x = domain->coordinates(nodes[i]);
        return wave[y][x[1]] * wave[z][x[2]];
    }

    // Largest at any x of the mean over y and z of density and velocity's deviations, times the mode.
    double amplitude(int y, int z)
    {
        solver->sample(nodes.data(), nodes.size(), states.data());
        std::vector<std::array<double, 4>> sums(std::size_t(domain->size[0]), {0, 0, 0, 0});
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            auto& sum = sums[std::size_t(domain->coordinates(nodes[i])[0])];
            const double share = height(i, y, z) * domain->size[0] / double(nodes.size());
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
double growth(const KernelRow& row, double tau, double speed, const LinkValue& outlet, int y, int z)
{
    constexpr double begin = 1e-7;
    Stream stream(row, tau, speed, outlet);
    for (std::size_t i = 0; i < stream.nodes.size(); ++i) stream.states[i].density += begin * stream.height(i, y, z);
    stream.solver->initialise(stream.nodes.data(), stream.nodes.size(), stream.states.data());
    stream.solver->advance(600);
    return stream.amplitude(y, z) / begin;
}

} // namespace

// Of a stream's speed
class OpeningModes : public testing::TestWithParam<double> {};

// Streams of a flow that is guarded (3 U/(tau - 1/2) = 60), and of a thicker fluid.
TEST_P(OpeningModes, whatAlternatesAlongAnInletDies)
{
    const double speed = GetParam();
    const LinkValue outlet{BoundaryKind::pressure, {0, 0, 0}, 1, WallScheme::quadratic, recovery};
    ASSERT_FALSE(rows().empty());
    for (const KernelRow& row : rows())
        for (const double tau : {0.5 + 0.05 * speed, 0.55})
            for (const int y : {0, 2})
                for (const int z : {0, 2}) {
                    if (z && row.lattice == "D2Q9") continue;
                    EXPECT_LT(growth(row, tau, speed, outlet, y, z), 0.5)
                        << name(row) << ", speed " << speed << ", tau " << tau << ", waves along y " << y << ", z "
                        << z;
                }
}

// An outlet that imposes the velocity, and one that lets sound out, too. Regularized, four nodes a wave grew most; with cumulants all.
TEST_P(OpeningModes, whatAlternatesAlongAnOutletOfGivenVelocityDies)
{
    const double speed = GetParam();
    ASSERT_FALSE(rows().empty());
    for (const KernelRow& row : rows())
        for (const double tau : {0.5 + 0.05 * speed, 0.51})
            for (const double soundOut : {0.0, recovery})
                for (const int y : {0, 1, 2})
                    for (const int z : {0, 2}) {
                        if (z && row.lattice == "D2Q9") continue;
                        if (!y && !z) continue; // the mean density, which neither opening holds
                        const LinkValue outlet{
                            BoundaryKind::velocity, {speed, 0, 0}, 1, WallScheme::quadratic, soundOut};
                        EXPECT_LT(growth(row, tau, speed, outlet, y, z), 0.5)
                            << name(row) << ", speed " << speed << ", tau " << tau << ", recovery " << soundOut
                            << ", waves along y " << y << ", z " << z;
                    }
}

INSTANTIATE_TEST_SUITE_P(speeds, OpeningModes, testing::Values(0.02, 0.0454, 0.1));

} // namespace lbm::test
