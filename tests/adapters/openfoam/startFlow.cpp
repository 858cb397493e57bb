// The initial flow without divergence. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmStartFlow.H"
#include "linear.H"
#include "surfaceInterpolate.H"

#include <gtest/gtest.h>

namespace lbm::test {
namespace {

using Foam::scalar;

TEST(StartFlow, channelAtRestMovesAsAWhole)
{
    FoamCase c("channel");
    Foam::lbmStartFlow start(c.U, c.p, c.phi, c.boundary.kinds());
    EXPECT_NEAR(start.misfit(), 1, 1e-9);
    ASSERT_TRUE(start.solvable());
    start.project();
    start.balancePressure(Foam::vectorField(c.U.size(), Foam::Zero));
    EXPECT_LT(start.misfit(), 1e-3);
    for (const Foam::vector& u : c.U.primitiveField()) ASSERT_NEAR(Foam::mag(u - Foam::vector(1, 0, 0)), 0, 1e-3);
    for (const scalar p : c.p.primitiveField()) ASSERT_NEAR(p, 0, 1e-2);
}

// Flow round bends on triangles: what leaves is what enters, and pressure is low where the flow is fast.
TEST(StartFlow, elbow)
{
    FoamCase c("triangles");
    Foam::lbmStartFlow start(c.U, c.p, c.phi, c.boundary.kinds());
    start.project();
    EXPECT_LT(start.misfit(), 0.5);
    scalar in = 0, out = 0;
    forAll(c.boundary.kinds(), patch)
    {
        const scalar flow = Foam::sum(c.phi.boundaryField()[patch]);
        (flow < 0 ? in : out) += flow;
    }
    EXPECT_NEAR(out, -in, -1e-3 * in);

    start.balancePressure(Foam::vectorField(c.U.size(), Foam::Zero));
    const Foam::scalarField head(0.5 * Foam::magSqr(c.U.primitiveField()));
    const scalar mean = Foam::average(head), meanP = Foam::average(c.p.primitiveField());
    scalar correlation = 0;
    scalar headSize = 0, pSize = 0;
    forAll(head, cell)
    {
        const scalar h = head[cell] - mean, p = c.p[cell] - meanP;
        correlation += h * p;
        headSize += h * h;
        pSize += p * p;
    }
    // Bernoulli: p + U^2/2 is one constant, but for the error of some ten cells across
    EXPECT_LT(correlation / std::sqrt(headSize * pSize), -0.9);
    EXPECT_NEAR(std::sqrt(pSize / headSize), 1, 0.35);
}

// What tells a flow from velocities that are none
TEST(StartFlow, divergenceOfVelocitiesAtRandom)
{
    FoamCase c("channel");
    const auto share = [&c] {
        c.boundary.evaluate();
        c.phi = Foam::linearInterpolate(c.U) & c.mesh.Sf();
        return Foam::lbmStartFlow(c.U, c.p, c.phi, c.boundary.kinds()).divergence();
    };
    Foam::lbmStartFlow start(c.U, c.p, c.phi, c.boundary.kinds());
    const scalar imposed = start.imposed();
    EXPECT_NEAR(imposed, 1, 1e-9);
    c.U.primitiveFieldRef() = Foam::vector(1, 0, 0);
    EXPECT_LT(share(), 1e-3);
    forAll(c.U, cell)
    {
        // Alternates faster than cells do in any direction
        const scalar turn = 2.4 * cell * cell;
        c.U.primitiveFieldRef()[cell] = 1e3 * Foam::vector(std::cos(turn), std::sin(turn), 0);
    }
    EXPECT_GT(share(), 0.2);
    EXPECT_EQ(Foam::lbmStartFlow(c.U, c.p, c.phi, c.boundary.kinds()).imposed(), imposed);
}

TEST(StartFlow, nothingToAdapt)
{
    FoamCase lid("equal");
    Foam::lbmStartFlow closed(lid.U, lid.p, lid.phi, lid.boundary.kinds());
    EXPECT_EQ(closed.misfit(), 0); // a lid lets nothing pass
    EXPECT_TRUE(closed.solvable());

    // What a wall that turns lets pass by rounding
    for (Foam::label patch = 0; patch < lid.mesh.boundary().size(); ++patch)
        if (lid.boundary.kinds()[patch].is == Foam::lbmPatchKind::role::movingWall)
            lid.phi.boundaryFieldRef()[patch] = 1e-21;
    EXPECT_EQ(closed.misfit(), 0);
    EXPECT_TRUE(closed.solvable());

    FoamCase c("unbalanced");
    Foam::lbmStartFlow start(c.U, c.p, c.phi, c.boundary.kinds());
    EXPECT_FALSE(start.solvable());
}

} // namespace
} // namespace lbm::test
