// The flux through faces by all threads is OpenFOAM's. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmFaceFlux.H"
#include "linear.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

class FaceFlux : public testing::TestWithParam<const char*> {};

TEST_P(FaceFlux, isThatOfLinearInterpolation)
{
    FoamCase c(GetParam());
    Foam::vectorField& U = c.U.primitiveFieldRef();
    for (Foam::label i = 0; i < U.size(); ++i) U[i] = Foam::vector(std::sin(1.0 * i), std::cos(2.0 * i), 0.3);
    c.U.correctBoundaryConditions();
    const Foam::surfaceScalarField own(Foam::linear<Foam::vector>(c.mesh).dotInterpolate(c.mesh.Sf(), c.U));
    Foam::lbmFaceFlux::interpolate(c.U, c.phi);
    const auto expectSame = [](const Foam::scalarField& a, const Foam::scalarField& b, const Foam::scalarField& area) {
        for (Foam::label i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-15 * area[i]) << i;
    };
    expectSame(c.phi.primitiveField(), own.primitiveField(), c.mesh.magSf().primitiveField());
    EXPECT_GT(Foam::max(Foam::mag(own.primitiveField())), 0);
    forAll(own.boundaryField(), patch)
    {
        expectSame(c.phi.boundaryField()[patch], own.boundaryField()[patch], c.mesh.magSf().boundaryField()[patch]);
    }
}

INSTANTIATE_TEST_SUITE_P(Mesh, FaceFlux, testing::Values("graded", "triangles", "periodic", "channel"));

} // namespace
} // namespace lbm::test
