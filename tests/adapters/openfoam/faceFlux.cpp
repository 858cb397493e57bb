// The flux through faces by all threads is OpenFOAM's. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmFaceFlux.H"
#include "linear.H"
#include "zeroGradientFvPatchFields.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

class FaceFlux : public testing::TestWithParam<const char*> {};

TEST_P(FaceFlux, isThatOfLinearInterpolation)
{
    FoamMesh c(GetParam());
    const auto named = [&](const char* name) { return Foam::IOobject(name, c.time.timeName(), c.mesh); };
    Foam::volVectorField U(named("U"), c.mesh, Foam::dimensionedVector(Foam::dimVelocity, Foam::Zero),
                           Foam::zeroGradientFvPatchVectorField::typeName);
    for (Foam::label i = 0; i < U.size(); ++i) U[i] = Foam::vector(std::sin(1.0 * i), std::cos(2.0 * i), 0.3);
    U.correctBoundaryConditions();
    const Foam::surfaceScalarField own(Foam::linear<Foam::vector>(c.mesh).dotInterpolate(c.mesh.Sf(), U));
    Foam::surfaceScalarField phi(named("phi"), c.mesh, Foam::dimensionedScalar(own.dimensions(), Foam::Zero));
    Foam::lbmFaceFlux::interpolate(U, phi);
    const auto expectSame = [](const Foam::scalarField& a, const Foam::scalarField& b, const Foam::scalarField& area) {
        for (Foam::label i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-15 * area[i]) << i;
    };
    expectSame(phi.primitiveField(), own.primitiveField(), c.mesh.magSf().primitiveField());
    EXPECT_GT(Foam::max(Foam::mag(own.primitiveField())), 0);
    forAll(own.boundaryField(), patch)
    {
        expectSame(phi.boundaryField()[patch], own.boundaryField()[patch], c.mesh.magSf().boundaryField()[patch]);
    }
}

INSTANTIATE_TEST_SUITE_P(Mesh, FaceFlux, testing::Values("graded", "triangles", "periodic", "channel", "manyCells"));

} // namespace
} // namespace lbm::test
