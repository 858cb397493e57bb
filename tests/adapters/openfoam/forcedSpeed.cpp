// Speeds that a body force can drive, against nu and walls. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmForcedSpeed.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

using Foam::scalar;
using Foam::vector;

constexpr scalar nu = 0.05, height = 0.5;

// Between plates, one implicit step over the time T: u/T - nu u'' = f
scalar betweenPlates(scalar duration) { return duration * (1 - 1 / std::cosh(height / 2 / std::sqrt(nu * duration))); }

TEST(ForcedSpeed, periodicChannel)
{
    const FoamCase c("periodic");
    for (const scalar duration : {0.01, 1.0, 4.0, 1e4}) {
        const Foam::lbmForcedSpeed forced(c.mesh, c.boundary.kinds(), nu, duration);
        EXPECT_NEAR(forced.speed(vector(3, 0, 0)), 3 * betweenPlates(duration), 0.01 * 3 * betweenPlates(duration))
            << duration;
        // Walls hold it, and no patch is open
        EXPECT_EQ(forced.speed(vector(0, 3, 0)), 0);
        EXPECT_EQ(forced.speed(vector(0, 0, 0)), 0);
        EXPECT_DOUBLE_EQ(forced.speed(vector(3, 4, 0)), forced.speed(vector(3, 0, 0)));
    }
    // In the end Poiseuille's, which takes no more lattice steps than it has to
    EXPECT_NEAR(betweenPlates(1e4), height * height / (8 * nu), 1e-3 * height * height / (8 * nu));
}

// After a long time the stress at the walls is f h/2 = k g^n, and the Newtonian profile with their viscosity has its middle at
// g h/4; the power law's own at g h/2 n/(n + 1)
TEST(ForcedSpeed, againstAPowerLaw)
{
    const FoamCase c("periodic");
    const auto against = [&](scalar index, scalar most) {
        const Foam::lbmViscosity viscosity("powerLaw", {0.05, index, 1e-6, most}, 0);
        return Foam::lbmForcedSpeed::against(viscosity, c.mesh, c.boundary.kinds(), 1e6, vector(3, 0, 0));
    };
    for (const scalar index : {0.5, 1.0, 1.5}) {
        const scalar rate = std::pow(3 * height / 2 / 0.05, 1 / index);
        EXPECT_NEAR(against(index, 100), rate * height / 4, 0.1 * rate * height / 4) << index;
    }
    // Where no fluid is thinner than this
    EXPECT_NEAR(against(1.5, 0.06), 3 * height * height / (8 * 0.06), 0.01 * 3 * height * height / (8 * 0.06));
}

TEST(ForcedSpeed, withoutWallsForceTimesTime)
{
    const FoamCase c("periodic");
    const Foam::List<Foam::lbmPatchKind> free(c.boundary.kinds().size());
    EXPECT_NEAR(Foam::lbmForcedSpeed(c.mesh, free, nu, 4).speed(vector(3, 0, 0)), 12, 1e-3);
    EXPECT_EQ(Foam::lbmForcedSpeed(c.mesh, free, nu, 0).speed(vector(3, 0, 0)), 0);
}

// Across a closed box pressure balances it; between openings no more than a fall over the mesh's extent
TEST(ForcedSpeed, alongNoPeriodicDirection)
{
    const FoamCase closed("equal");
    EXPECT_EQ(Foam::lbmForcedSpeed(closed.mesh, closed.boundary.kinds(), nu, 4).speed(vector(3, 0, 0)), 0);

    const FoamCase open("channel");
    const Foam::lbmForcedSpeed forced(open.mesh, open.boundary.kinds(), 1e-6, 1e6);
    const scalar extent = mag(open.mesh.bounds().span());
    EXPECT_NEAR(forced.speed(vector(3, 0, 0)), std::sqrt(2 * 3 * extent), 1e-9);
    const Foam::lbmForcedSpeed soon(open.mesh, open.boundary.kinds(), nu, 0.01);
    EXPECT_GT(soon.speed(vector(3, 0, 0)), 0);
    EXPECT_LT(soon.speed(vector(3, 0, 0)), 3 * 0.01 * (1 + 1e-9));
}

} // namespace
} // namespace lbm::test
