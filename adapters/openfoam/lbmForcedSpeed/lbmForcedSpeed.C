// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmForcedSpeed.H"
#include "lbmCyclics.H"
#include "lbmPoisson.H"
#include "fvmSup.H"
#include "polyPatch.H"

namespace
{
    // Of the logarithm of a shear rate: speeds are needed to some per cent
    const Foam::scalar closeEnough = 0.02;
    const Foam::scalar largestStep = 5;
    const Foam::label mostSolutions = 20;

    // Speed over friction velocity in the middle of channels, up to Reynolds
    // numbers of 10^4 by the latter
    const Foam::scalar logarithmic = 28;
}


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
    response_(0),
    steepness_(0)
{
    if (duration > 0) solve(nu, duration);
}


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


void Foam::lbmForcedSpeed::solve(const scalar nu, const scalar duration)
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
    lbmPoisson::forget(mesh_);
    response_ = max(u.primitiveField());
    for (const fvPatchScalarField& on : u.boundaryField())
    {
        if (on.fixesValue() && on.size())
        {
            steepness_ = max(steepness_, max(mag(on.snGrad())));
        }
    }
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


// The walls' stress carries the force: friction velocity from the fluid's
// volume by the walls' area, a half height between two plates
Foam::scalar Foam::lbmForcedSpeed::turbulent
(
    const fvMesh& mesh,
    const List<lbmPatchKind>& kinds,
    const vector& force
)
{
    scalar area = 0;
    forAll(kinds, patchi)
    {
        if (kinds[patchi].anyWall()) area += sum(mesh.boundary()[patchi].magSf());
    }
    const scalar volume = sum(mesh.V()).value();
    return area > 0 ? logarithmic*sqrt(mag(force)*volume/area) : GREAT;
}


Foam::scalar Foam::lbmForcedSpeed::against
(
    const lbmViscosity& viscosity,
    const fvMesh& mesh,
    const List<lbmPatchKind>& kinds,
    const scalar duration,
    const vector& force
)
{
    if (!viscosity.ofShearRate())
    {
        const scalar laminar =
            lbmForcedSpeed(mesh, kinds, viscosity.nu(0), duration).speed(force);
        return viscosity.closure().byNode || viscosity.eddies()
          ? min(laminar, turbulent(mesh, kinds, force)) : laminar;
    }

    // Shear rate at the walls, x its logarithm, with the viscosity that belongs
    // to it: secants, for between limits of the viscosity the misfit is nearly
    // linear. Thicker fluid is slower, so that there is one root.
    scalar x = 0, before = 0, misfitBefore = 0;
    for (label i = 0; ; ++i)
    {
        const lbmForcedSpeed forced
        (
            mesh, kinds, viscosity.nu(exp(x)), duration
        );
        const scalar found = mag(force)*forced.steepness_;
        const scalar misfit = log(max(found, VSMALL)) - x;
        if (!(found > 0) || mag(misfit) < closeEnough || i == mostSolutions)
        {
            return forced.speed(force);
        }
        const scalar slope = i ? (misfit - misfitBefore)/(x - before) : -1;
        before = x;
        misfitBefore = misfit;
        x += sign(misfit)
            *min(largestStep, mag(misfit)/max(mag(slope), SMALL));
    }
}
