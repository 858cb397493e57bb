// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmStartFlow.H"
#include "lbmPoisson.H"
#include "fixedGradientFvPatchFields.H"
#include "fvcSurfaceIntegrate.H"
#include "gaussGrad.H"
#include "linear.H"
#include "mixedFvPatchFields.H"
#include "polyPatch.H"

namespace
{
    // Solutions for the part of non-orthogonal meshes that is explicit
    const Foam::label nCorrections = 4;

    // Net share of the flow that patches may leave over
    const Foam::scalar balanced = 1e-6;

    // Flux that is rounding, as a share of the patch's speed times its area: a
    // wall that rotates lets nothing pass, and has some 1e-17 of it
    const Foam::scalar tangential = 1e-6;
}


Foam::lbmStartFlow::lbmStartFlow
(
    volVectorField& U,
    volScalarField& p,
    surfaceScalarField& phi,
    const List<lbmPatchKind>& kinds
)
:
    U_(U),
    p_(p),
    phi_(phi),
    kinds_(kinds)
{}


Foam::lbmStartFlow::~lbmStartFlow()
{
    lbmPoisson::forget(U_.mesh());
}


bool Foam::lbmStartFlow::open() const
{
    forAll(kinds_, patchi)
    {
        if (!kinds_[patchi].adapts()) continue;
        if (!kinds_[patchi].freestream) return true;
        const scalarField flux(entering(patchi));
        if (flux.size() && max(flux) >= 0) return true;
    }
    return false;
}


Foam::tmp<Foam::scalarField> Foam::lbmStartFlow::entering
(
    const label patchi
) const
{
    const auto& U =
        refCast<const mixedFvPatchVectorField>(U_.boundaryField()[patchi]);
    auto flux = tmp<scalarField>::New(U.refValue() & U.patch().Sf());
    forAll(flux(), i)
    {
        const scalar all = mag(U.refValue()[i])*U.patch().magSf()[i];
        if (flux()[i] >= -tangential*all) flux.ref()[i] = 0;
    }
    return flux;
}


bool Foam::lbmStartFlow::fluxes
(
    const label patchi,
    scalarField& imposed,
    scalarField& inside
) const
{
    const fvPatchVectorField& U = U_.boundaryField()[patchi];
    inside = U.patchInternalField() & U.patch().Sf();
    if (kinds_[patchi].freestream)
    {
        imposed = entering(patchi);
        inside *= neg(imposed);
        return true;
    }
    imposed = phi_.boundaryField()[patchi];
    return kinds_[patchi].fixesVelocity() && !kinds_[patchi].adapts();
}


Foam::scalar Foam::lbmStartFlow::passing
(
    const label patchi,
    const scalarField& flux
) const
{
    const fvPatchVectorField& U = U_.boundaryField()[patchi];
    const scalar either = sum(mag(flux));
    return either > tangential*sum(mag(U)*U.patch().magSf()) ? either : 0;
}


Foam::scalar Foam::lbmStartFlow::misfit() const
{
    scalar imposed = 0, missed = 0;
    scalarField flux, inside;
    forAll(kinds_, patchi)
    {
        if (!fluxes(patchi, flux, inside)) continue;
        imposed += passing(patchi, flux);
        missed += sum(mag(inside - flux));
    }
    return imposed > 0 ? missed/imposed : 0;
}


Foam::scalar Foam::lbmStartFlow::netMisfit() const
{
    scalar imposed = 0, missed = 0;
    scalarField flux, inside;
    forAll(kinds_, patchi)
    {
        if (!fluxes(patchi, flux, inside)) continue;
        const scalar either = passing(patchi, flux);
        if (!(either > 0)) continue;
        imposed += either;
        missed += mag(sum(inside - flux));
    }
    return imposed > 0 ? missed/imposed : 0;
}


Foam::scalar Foam::lbmStartFlow::imposed() const
{
    scalar speed = 0, lowest = GREAT, highest = -GREAT;
    forAll(kinds_, patchi)
    {
        const fvPatchScalarField& p = p_.boundaryField()[patchi];
        if (p.empty()) continue;
        if (kinds_[patchi].fixesVelocity())
        {
            speed = max(speed, max(mag(U_.boundaryField()[patchi])));
        }
        if (kinds_[patchi].fixesPressure())
        {
            lowest = min(lowest, min(p));
            highest = max(highest, max(p));
        }
    }
    return max(speed, sqrt(2*max(scalar(0), highest - lowest)));
}


Foam::scalar Foam::lbmStartFlow::divergence() const
{
    const scalarField source(fvc::surfaceIntegrate(phi_)().primitiveField());
    scalar passing = 2*sum(mag(phi_.primitiveField()));
    for (const fvsPatchScalarField& flux : phi_.boundaryField())
    {
        passing += sum(mag(flux));
    }
    const scalar left = sum(mag(source)*U_.mesh().V());
    return passing > 0 ? left/passing : 0;
}


bool Foam::lbmStartFlow::solvable() const
{
    if (open()) return true;

    scalar net = 0, total = 0;
    forAll(kinds_, patchi)
    {
        const scalar either = passing(patchi, phi_.boundaryField()[patchi]);
        if (either > 0) net += sum(phi_.boundaryField()[patchi]);
        total += either;
    }
    return mag(net) <= balanced*total;
}


Foam::wordList Foam::lbmStartFlow::potentialTypes() const
{
    wordList types(kinds_.size(), "fixedGradient");
    forAll(types, patchi)
    {
        const polyPatch& patch = U_.mesh().boundaryMesh()[patchi];
        if (polyPatch::constraintType(patch.type()))
        {
            types[patchi] = patch.type();
        }
        else if (kinds_[patchi].freestream)
        {
            types[patchi] = "mixed";
        }
        else if (kinds_[patchi].adapts())
        {
            types[patchi] = "fixedValue";
        }
    }
    return types;
}


void Foam::lbmStartFlow::project()
{
    const fvMesh& mesh = U_.mesh();

    // An impulse of pressure. Its gradient takes the scheme that the case names
    // for that of p.
    volScalarField impulse
    (
        IOobject
        (
            p_.name(),
            mesh.time().timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::NO_WRITE,
            false
        ),
        mesh,
        dimensionedScalar(dimVelocity*dimLength, Zero),
        potentialTypes()
    );
    mesh.setFluxRequired(impulse.name());

    // Flux of the flow inside, and what patches impose beyond it as the slope
    // of the potential: so its gradient holds in the cells next to them, too
    surfaceScalarField given(linearInterpolate(U_) & mesh.Sf());
    forAll(kinds_, patchi)
    {
        fvPatchScalarField& wall = impulse.boundaryFieldRef()[patchi];
        if (kinds_[patchi].freestream)
        {
            const scalarField flux(entering(patchi));
            scalarField& outside = given.boundaryFieldRef()[patchi];
            const scalarField inside
            (
                U_.boundaryField()[patchi].patchInternalField() & wall.patch().Sf()
            );
            auto& either = refCast<mixedFvPatchScalarField>(wall);
            either.refValue() = 0;
            either.refGrad() = (inside - flux)/wall.patch().magSf();
            either.valueFraction() = 1 - neg(flux);
            outside += neg(flux)*(inside - outside);
            continue;
        }
        if (!isA<fixedGradientFvPatchScalarField>(wall)) continue;

        scalarField& inside = given.boundaryFieldRef()[patchi];
        inside = U_.boundaryField()[patchi].patchInternalField()
               & wall.patch().Sf();
        refCast<fixedGradientFvPatchScalarField>(wall).gradient() =
            (inside - phi_.boundaryField()[patchi])/wall.patch().magSf();
    }
    for (label i = 0; i < nCorrections; ++i)
    {
        fvScalarMatrix equation
        (
            lbmPoisson::laplacian(impulse) == fvc::surfaceIntegrate(given)
        );
        equation.setReference(0, 0);
        const bool done = equation.solve(lbmPoisson::controls()).nIterations() == 0;
        phi_ = given - equation.flux();
        if (done) break;
    }
    U_ -= fv::gaussGrad<scalar>::gradf(linearInterpolate(impulse), "lbmGradImpulse");
    U_.correctBoundaryConditions();
}


void Foam::lbmStartFlow::balancePressure(const vectorField& force)
{
    const surfaceVectorField Uf(linearInterpolate(U_));
    volVectorField acceleration(fvc::surfaceIntegrate(phi_*Uf));
    acceleration.primitiveFieldRef() -= force;
    acceleration.correctBoundaryConditions();
    surfaceScalarField source
    (
        linearInterpolate(acceleration) & U_.mesh().Sf()
    );
    // Where p follows from inside, its gradient takes no part in the equation,
    // and neither may what it balances
    forAll(kinds_, patchi)
    {
        const fvPatchScalarField& p = p_.boundaryField()[patchi];
        if (kinds_[patchi].freestream)
        {
            source.boundaryFieldRef()[patchi] *=
                refCast<const mixedFvPatchScalarField>(p).valueFraction();
        }
        else if (!kinds_[patchi].fixesPressure() && !p.coupled())
        {
            source.boundaryFieldRef()[patchi] = 0;
        }
    }
    for (label i = 0; i < nCorrections; ++i)
    {
        fvScalarMatrix equation
        (
            lbmPoisson::laplacian(p_) == -fvc::surfaceIntegrate(source)
        );
        equation.setReference(0, p_[0]);
        if (equation.solve(lbmPoisson::controls()).nIterations() == 0) break;
    }
}
