// Gradients in cells by all threads are OpenFOAM's. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "fvcGrad.H"
#include "gaussGrad.H"
#include "lbmCellGradient.H"
#include "zeroGradientFvPatchFields.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

class CellGradient : public testing::TestWithParam<const char*> {};

TEST_P(CellGradient, isThatOfGaussLinear)
{
    FoamMesh c(GetParam());
    Foam::volVectorField U(Foam::IOobject("U", c.time.timeName(), c.mesh), c.mesh,
                           Foam::dimensionedVector(Foam::dimVelocity, Foam::Zero),
                           Foam::zeroGradientFvPatchVectorField::typeName);
    for (Foam::label i = 0; i < U.size(); ++i) U[i] = Foam::vector(std::sin(1.0 * i), std::cos(2.0 * i), 0.3);
    U.correctBoundaryConditions();
    const Foam::tmp<Foam::volTensorField> expected = Foam::fv::gaussGrad<Foam::vector>(c.mesh).grad(U);
    const Foam::scalar most = Foam::max(Foam::mag(expected().primitiveField()));
    ASSERT_GT(most, 0);
    for (const int threads : {1, 3}) {
        const Foam::tmp<Foam::tensorField> own = Foam::lbmCellGradient::of(U, threads);
        ASSERT_EQ(own().size(), U.size());
        for (Foam::label i = 0; i < U.size(); ++i) ASSERT_LE(Foam::mag(own()[i] - expected()[i]), 1e-13 * most) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Mesh, CellGradient,
                         testing::Values("graded", "triangles", "periodic", "channel", "manyCells"));

} // namespace
} // namespace lbm::test
