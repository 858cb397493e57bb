// SI to lattice units and back. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmUnits.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

const double dx = 0.01, dt = 2e-4, ofFluid = 1e-3, level = 7;

TEST(Units, numbersWorkedOutByHand)
{
    const Foam::lbmUnits units(dx, dt, ofFluid, level);
    EXPECT_DOUBLE_EQ(units.tau(), 0.5 + 3 * 0.002);
    EXPECT_NEAR(units.mach(1), 0.02 * std::sqrt(3.0), 1e-15);
    EXPECT_DOUBLE_EQ(units.density(level), 1);
    EXPECT_NEAR(units.density(level + 5), 1.006, 1e-15); // 3*5*0.02^2
    EXPECT_NEAR(units.pressure(units.density(12.5)), 12.5, 1e-11);
}

TEST(Units, viscosityByTheShearRate)
{
    // 0.001 g^-0.5 between 1e-5 and 0.01
    Foam::lbmViscosity thinning("powerLaw", {1e-3, 0.5, 1e-5, 1e-2}, 0);
    thinning.expect(2, 0.5);
    EXPECT_DOUBLE_EQ(thinning.slowest(), 4);
    EXPECT_DOUBLE_EQ(thinning.most(dx), 5e-4);
    EXPECT_NEAR(thinning.least(dx), 1e-3 / std::sqrt(200), 1e-15);
    EXPECT_DOUBLE_EQ(thinning.nu(0), 1e-2);
    EXPECT_EQ(thinning.nut(100, 1, dx), 0);
    const Foam::lbmUnits units(dx, dt, thinning, level);
    EXPECT_DOUBLE_EQ(units.tau(), 0.5 + 3 * thinning.least(dx) * 2);
    const double rate[] = {0, 0.5 * 25 * dt, 0, 0, 0, 0};
    EXPECT_NEAR(units.shearRate(rate), 25, 1e-12);
    EXPECT_NEAR(thinning.nu(units.shearRate(rate)), 2e-4, 1e-15);

    // The least is at neither end: (0.1 + 0.001 g^2)/g at g = 10
    Foam::lbmViscosity between("HerschelBulkley", {0.1, 1e-3, 2, 1}, 0);
    between.expect(2, 0.5);
    EXPECT_NEAR(between.least(dx), 0.02, 2e-5);
    EXPECT_NEAR(between.most(dx), 0.2, 1e-3);

    const Foam::lbmViscosity eddies("smagorinsky", {0.2}, ofFluid);
    EXPECT_EQ(eddies.least(dx), ofFluid);
    EXPECT_EQ(eddies.most(dx), ofFluid);
    EXPECT_NEAR(eddies.nut(100, 0, dx), 4e-4, 1e-18);
    EXPECT_NEAR(eddies.nut(100, 1e6, dx), 4e-4, 1e-18);
    // With a guard, what is missing from |U| dx/Re beside the fluid's own
    Foam::lbmViscosity guarded(eddies);
    guarded.guardBelow(5);
    EXPECT_NEAR(guarded.nut(100, 0, dx), 4e-4, 1e-18);
    EXPECT_NEAR(guarded.nut(100, 1, dx), dx / 5 - eddies.nu(0), 1e-18);
    EXPECT_TRUE(eddies != Foam::lbmViscosity(ofFluid));
}

TEST(Units, vectorsFollowTheAxesOfTheLattice)
{
    // Flat along x: the lattice's x and y are y and z of the case
    const FoamCase c("turned");
    const Foam::lbmAxes& axes = c.lattice.axes();
    const Foam::lbmUnits units(dx, dt, ofFluid, 0);
    const Vec3 u = units.velocity(axes, Foam::vector(1, 2, 3));
    EXPECT_NEAR(u[0], 0.04, 1e-15);
    EXPECT_NEAR(u[1], 0.06, 1e-15);
    EXPECT_NEAR(u[2], 0.02, 1e-15);
    const Foam::vector back = units.velocity(axes, u);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(back[a], a + 1, 1e-12);
    EXPECT_NEAR(units.acceleration(axes, Foam::vector(0, 9.81, 0))[0], 9.81 * dt * dt / dx, 1e-15);

    Foam::tensor gradU(Foam::Zero);
    gradU.yz() = 4; // d Uz/dy
    const Macroscopic state = units.state(axes, Foam::vector(0, 0, 1), 2, gradU);
    EXPECT_NEAR(state.strainRate[1], 0.5 * 4 * dt, 1e-15); // xy of the lattice
    for (int k : {0, 2, 3, 4, 5}) EXPECT_EQ(state.strainRate[k], 0) << k;
    EXPECT_NEAR(state.density, units.density(2), 1e-15);
}

TEST(Units, otherTimeStepKeepsTheFlow)
{
    const Foam::lbmUnits from(dx, dt, ofFluid, level), to(dx, 3 * dt, ofFluid, level);
    Macroscopic state;
    state.density = from.density(9);
    state.velocity = {0.01, -0.02, 0.03};
    state.strainRate = {1e-4, 2e-4, 3e-4, 4e-4, 5e-4, 6e-4};
    const Macroscopic other = from.convert(state, to);
    EXPECT_NEAR(to.pressure(other.density), 9, 1e-11);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(other.velocity[a], 3 * state.velocity[a], 1e-15);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(other.strainRate[k], 3 * state.strainRate[k], 1e-15);
}

// Of openings that impose a velocity a deviation of the density, of those that impose a pressure a speed.
TEST(Units, otherTimeStepKeepsWhatOpeningsRemember)
{
    const Foam::lbmUnits from(dx, dt, ofFluid, level), to(dx, 3 * dt, ofFluid, level);
    const OpeningMemory density = from.convert({BoundaryKind::velocity, 0.002}, to);
    EXPECT_EQ(density.kind, BoundaryKind::velocity);
    EXPECT_NEAR(density.mean, 9 * 0.002, 1e-15);
    const OpeningMemory speed = from.convert({BoundaryKind::pressure, 0.01}, to);
    EXPECT_EQ(speed.kind, BoundaryKind::pressure);
    EXPECT_NEAR(speed.mean, 3 * 0.01, 1e-15);
    EXPECT_TRUE(std::isnan(from.convert(OpeningMemory{BoundaryKind::velocity}, to).mean)); // none yet
}

} // namespace
} // namespace lbm::test
