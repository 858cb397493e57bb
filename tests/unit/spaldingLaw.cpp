// Spalding's law: from the distance that it gives for a velocity back to the friction velocity. Part of lbmFoam, GPL-3.0-or-later.

#include "lbm/api/WallLaw.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using lbm::frictionVelocity;

constexpr double kappa = 0.41, E = 9.8;

double distanceOf(double uPlus)
{
    const double k = kappa * uPlus;
    return uPlus + (std::exp(k) - 1 - k - k * k / 2 - k * k * k / 6) / E;
}

} // namespace

TEST(SpaldingLaw, GivesBackTheFrictionVelocity)
{
    const double nu = 3e-5, uTau = 0.7;
    for (const double uPlus : {0.01, 1.0, 5.0, 11.0, 15.0, 22.0, 30.0, 40.0}) {
        const double y = distanceOf(uPlus) * nu / uTau;
        EXPECT_NEAR(frictionVelocity(uPlus * uTau, y, nu, kappa, E), uTau, 1e-6 * uTau) << "u+ " << uPlus;
    }
}

TEST(SpaldingLaw, IsLinearAtTheWallAndLogarithmicFarOff)
{
    const double u = 2, nu = 1e-3, y = 1e-4;
    EXPECT_NEAR(frictionVelocity(u, y, nu, kappa, E), std::sqrt(nu * u / y), 1e-4 * std::sqrt(nu * u / y));
    const double uTau = frictionVelocity(20, 0.1, 1e-5, kappa, E);
    EXPECT_NEAR(20 / uTau, std::log(E * 0.1 * uTau / 1e-5) / kappa, 1e-2);
}

TEST(SpaldingLaw, ADifferentVelocityHasAnotherStress)
{
    EXPECT_LT(frictionVelocity(10, 0.1, 1e-5, kappa, E), frictionVelocity(11, 0.1, 1e-5, kappa, E));
    EXPECT_EQ(frictionVelocity(0, 0.1, 1e-5, kappa, E), 0);
}

TEST(SpaldingLaw, GivesBackTheVelocity)
{
    for (const double uPlus : {0.01, 1.0, 5.0, 11.0, 15.0, 22.0, 30.0, 40.0})
        EXPECT_NEAR(lbm::lawVelocity(distanceOf(uPlus), kappa, E), uPlus, 1e-6 * uPlus);
}
