// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmForcedSpeed.H"
#include "lbmCyclics.H"
#include "lbmPoisson.H"
#include "fvmSup.H"
#include "GAMGAgglomeration.H"
#include "polyPatch.H"


Foam::lbmForcedSpeed::lbmForcedSpeed
(
    const fvMesh& mesh,
    const List<lbmPatchKind>& kinds,
    const scalar nu,
    const scalar duration
)
:
    mesh_(mesh),
    kinds_(kinds),
    response_(duration > 0 ? solve(nu, duration) : 0)
{}


Foam::wordList Foam::lbmForcedSpeed::types() const
{
    wordList result(kinds_.size(), "zeroGradient");
    forAll(result, patchi)
    {
        const polyPatch& patch = mesh_.boundaryMesh()[patchi];
        if (polyPatch::constraintType(patch.type()))
        {
            result[patchi] = patch.type();
        }
        else if (kinds_[patchi].fixesVelocity())
        {
            result[patchi] = "fixedValue";
        }
    }
    return result;
}


Foam::scalar Foam::lbmForcedSpeed::solve
(
    const scalar nu,
    const scalar duration
) const
{
    volScalarField u
    (
        IOobject
        (
            "lbmForcedSpeed",
            mesh_.time().timeName(),
            mesh_,
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        ),
        mesh_,
        dimensionedScalar(dimVelocity, Zero),
        types()
    );
    const dimensionedScalar viscosity("nu", dimViscosity, nu);
    const dimensionedScalar rate("rate", dimless/dimTime, 1/duration);
    const dimensionedScalar force("force", dimAcceleration, 1);
    fvScalarMatrix equation
    (
        fvm::Sp(rate, u) - viscosity*lbmPoisson::laplacian(u) == force
    );
    equation.solve(lbmPoisson::controls());
    GAMGAgglomeration::Delete(mesh_);
    return max(u.primitiveField());
}


Foam::scalar Foam::lbmForcedSpeed::speed(const vector& force) const
{
    const lbmCyclics cyclics(mesh_);
    vector along(Zero), across(force);
    for (direction axis = 0; axis < 3; ++axis)
    {
        if (cyclics.periodic(axis)) std::swap(along[axis], across[axis]);
    }
    bool open = false;
    for (const lbmPatchKind& kind : kinds_) open = open || kind.opening();

    const scalar free = mag(along)*response_;
    if (!open) return free;

    const scalar fall = sqrt(2*mag(across)*mag(mesh_.bounds().span()));
    return max(free, min(mag(across)*response_, fall));
}
