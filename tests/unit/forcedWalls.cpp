// Interpolated walls beside a force that pressure balances (lbm/api/ForcedWall.hpp): fluid at rest stays at rest, and its mass where it
// is, wherever walls lie between nodes. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/ForcedWall.hpp"
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace lbm::test {
namespace {

struct Scheme {
    WallScheme scheme;
    const char* name;
};

// Largest speed in and mass gained by the unit of fluid, between walls below the first and above the last of some rows of nodes
struct Unrest {
    double speed, gained;
};

constexpr double force = 1e-4;

Config settings()
{
    Config config;
    config.lattice = "D2Q9";
    config.collision = "regularized";
    config.closure = "nodeField";
    config.nodeForces = true;
    config.tau = 0.8;
    return config;
}

// The force presses fluid to both walls, or where there is one row to the lower one
Vec3 pressing(const Vec3& x, int rows)
{
    if (rows == 1) return {0, -force, 0};
    return {0, std::copysign(force, x[1] - (rows + 1) / 2.0), 0};
}

Unrest between(double below, double above, int rows, WallScheme scheme, bool told)
{
    const double bottom = 1 - below, top = rows + above;
    Domain domain = shape({6, rows + 2, 1}, {true, true, false},
                          {[=](const Vec3& x) { return x[1] - bottom; }, [=](const Vec3& x) { return top - x[1]; }});
    domain.periodic[1] = false;
    Config config = settings();
    config.patches.assign(2, {BoundaryKind::interpolatedWall, {0, 0, 0}, 1, scheme});
    Flow flow(std::move(domain), config);
    std::vector<double> forces;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i)
        for (const double f : pressing(flow.position(i), rows)) forces.push_back(f);
    flow.solver->setForces(flow.nodes.data(), flow.nodes.size(), forces.data());
    for (int patch = 0; told && patch < 2; ++patch) {
        std::vector<LinkValue> values;
        for (const Link& link : flow.domain->links) {
            if (link.patch != patch) continue;
            const Int3 at = flow.domain->coordinates(link.node);
            LinkValue value = config.patches[std::size_t(patch)];
            const double share = velocityPerForce(*flow.domain, config.patches, link);
            value.velocity[1] = share * pressing({double(at[0]), double(at[1]), 0}, rows)[1];
            values.push_back(value);
        }
        flow.solver->setBoundary(patch, values.data(), values.size());
    }
    const auto mass = [&] { return flow.solver->health(1).excess / double(flow.nodes.size()); };
    const double before = mass();
    flow.advance(2000);
    double fastest = 0;
    for (const Macroscopic& state : flow.states) fastest = std::max(fastest, std::abs(state.velocity[1]));
    return {fastest, mass() - before};
}

} // namespace

class ForcedWallTest : public testing::TestWithParam<Scheme> {};

TEST_P(ForcedWallTest, fluidAtRestStaysAtRest)
{
    SKIP_IF_LEFT_OUT(settings());
    for (int rows : {8, 1})
        for (const auto& [below, above] : {std::pair{0.2, 0.35}, {0.9, 0.6}, {0.3, 0.8}}) {
            const Unrest told = between(below, above, rows, GetParam().scheme, true);
            const Unrest without = between(below, above, rows, GetParam().scheme, false);
            const std::string where =
                std::to_string(rows) + " rows, walls at " + std::to_string(below) + " and " + std::to_string(above);
            // The force is no density's but a density of force: what is left is of second order in it
            EXPECT_LT(told.speed, 1e-2 * force) << where;
            EXPECT_LT(std::abs(told.gained), 2e-3) << where;
            EXPECT_LT(std::abs(told.gained), 0.03 * std::abs(without.gained) + 1e-12) << where;
        }
}

INSTANTIATE_TEST_SUITE_P(all, ForcedWallTest,
                         testing::Values(Scheme{WallScheme::quadratic, "quadratic"},
                                         Scheme{WallScheme::linear, "linear"}, Scheme{WallScheme::local, "local"},
                                         Scheme{WallScheme::slipping, "slipping"}),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace lbm::test
