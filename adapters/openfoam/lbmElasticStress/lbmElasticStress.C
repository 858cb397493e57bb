// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmElasticStress.H"
#include "fvcDiv.H"
#include "fvcGrad.H"

namespace
{
    const Foam::word polymers("nuM");

    const Foam::dictionary& coefficients
    (
        const Foam::dictionary& laminar,
        const Foam::word& model
    )
    {
        return laminar.optionalSubDict(model + "Coeffs");
    }
}


Foam::scalar Foam::lbmElasticStress::nuM
(
    const dictionary& laminar,
    const word& model
)
{
    const dictionary& coeffs = coefficients(laminar, model);
    const dimensionedScalar value(polymers, dimViscosity, coeffs);
    if (!(value.value() > 0 && value.value() < GREAT))
    {
        FatalIOErrorInFunction(coeffs)
            << "Entry " << polymers << " is " << value.value()
            << "; it must be a positive number" << exit(FatalIOError);
    }
    return value.value();
}


Foam::lbmElasticStress::lbmElasticStress
(
    lbmMeshTurbulence& model,
    surfaceScalarField& phi,
    const lbmBoundary& boundary
)
:
    model_(model),
    nuM_(polymers, dimViscosity, model.model().coeffDict()),
    flux_(phi, boundary, lbmConservativeFlux::ofScalars)
{}


void Foam::lbmElasticStress::correct()
{
    flux_.correct();
    flux_.report();
    model_.correct();
}


void Foam::lbmElasticStress::add(vectorField& a) const
{
    const volSymmTensorField sigma(model_.model().R());
    const volVectorField& U = model_.model().U();

    // By this name the case's schemes have it
    const volSymmTensorField beyond
    (
        sigma.name(), sigma + nuM_*twoSymm(fvc::grad(U))
    );
    a -= fvc::div(beyond)().primitiveField();
}


void Foam::lbmElasticStress::printPlan() const
{
    Info<< "    stress          " << model_.name() << ", OpenFOAM's on the mesh,"
        << " once a time step; nodes take its divergence in their cells, nu has"
        << " nuM " << nuM_.value() << " m2/s" << nl;
}
