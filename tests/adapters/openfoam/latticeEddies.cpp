// The turbulence model of eddies on the lattice, in a flow whose differences are exact. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"
#include "lbmLatticeEddies.H"
#include "fvMatrices.H"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test::latticeEddies {
namespace {

using namespace Foam;

// A parabola between the channel's walls, with the same eddies everywhere.
struct EddyCase {
    static constexpr double nu = 0.05, eddies = 0.02, dx = 0.025, width = 2, ck = 0.094, ce = 1.048, bend = 3;
    FoamCase c{"eddies"};
    const label walls = c.mesh.boundaryMesh().findPatchID("walls");
    volScalarField nut;
    const vector traction{-0.3, 0.1, 0};
    std::unique_ptr<lbmLatticeEddies> model;

    EddyCase() :
        nut(IOobject("nut", c.time.timeName(), c.mesh), c.mesh, dimensionedScalar("nut", dimViscosity, double(eddies)))
    {
        forAll(c.U, celli) c.U[celli] = vector(bend * c.mesh.C()[celli].y() * (0.5 - c.mesh.C()[celli].y()), 0, 0);
        c.U.correctBoundaryConditions();
        const lbmLatticeEddies::model told{"WALE", dictionary(), ck, ce, width};
        model = std::make_unique<lbmLatticeEddies>(told, c.U, c.phi, nut, dx, [this](const label patchi) {
            return tmp<vectorField>::New(patchi == walls ? c.mesh.boundary()[patchi].size() : 0, traction);
        });
    }
};

TEST(LatticeEddies, isFoundUnderOpenFOAMsName)
{
    EddyCase of;
    const auto& found = of.c.mesh.lookupObject<incompressible::turbulenceModel>("turbulenceProperties");
    EXPECT_EQ(&found, of.model.get());
    EXPECT_EQ(found.type(), "WALE");
    EXPECT_TRUE(of.c.mesh.foundObject<volScalarField>("k"));
    EXPECT_DOUBLE_EQ(found.nu()()[0], EddyCase::nu);
}

TEST(LatticeEddies, kAndEpsilonAreThoseOfItsFilterWidth)
{
    EddyCase of;
    const double delta = EddyCase::width * EddyCase::dx, k = std::pow(EddyCase::eddies / (EddyCase::ck * delta), 2);
    EXPECT_NEAR(of.model->k()()[7], k, 1e-12 * k);
    EXPECT_NEAR(of.model->epsilon()()[7], EddyCase::ce * std::pow(k, 1.5) / delta, 1e-9 * k);
    of.nut *= 2;
    of.model->update();
    EXPECT_NEAR(of.model->k()()[7], 4 * k, 1e-12 * k);
}

TEST(LatticeEddies, wallsHaveTheLatticesStress)
{
    EddyCase of;
    const fvPatch& patch = of.c.mesh.boundary()[of.walls];
    const vectorField stress(-(patch.nf() & of.model->devReff()().boundaryField()[of.walls]));
    const scalarField viscosity(of.model->nuEff()().boundaryField()[of.walls]);
    const scalarField rate(mag(of.c.U.boundaryField()[of.walls].snGrad()));
    ASSERT_GT(patch.size(), 0);
    forAll(patch, i)
    {
        // Also where it is not along the face
        EXPECT_NEAR(mag(stress[i] - of.traction), 0, 1e-14);
        EXPECT_NEAR(viscosity[i] * rate[i], mag(of.traction), 1e-14);
    }
    EXPECT_DOUBLE_EQ(of.model->nuEff()()[7], EddyCase::nu + EddyCase::eddies);
}

TEST(LatticeEddies, itsDivergenceIsThatOfAParabola)
{
    EddyCase of;
    // -div(nuEff dU/dy), of cells without walls; a matrix has it times cells' volumes, and sources on its other side
    const volVectorField force(of.model->divDevReff(of.c.U)() & of.c.U);
    label n = 0;
    forAll(force, celli)
    {
        const point& at = of.c.mesh.C()[celli];
        if (at.y() < 0.06 || at.y() > 0.44 || at.x() < 0.06 || at.x() > 1.94) continue;
        EXPECT_NEAR(force[celli].x(), (EddyCase::nu + EddyCase::eddies) * 2 * EddyCase::bend, 1e-10);
        EXPECT_NEAR(force[celli].y(), 0, 1e-10);
        ++n;
    }
    EXPECT_GT(n, 100);
}

} // namespace
} // namespace lbm::test::latticeEddies
