// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLatticeEddies.H"
#include "fvcDiv.H"
#include "fvcGrad.H"
#include "fvmLaplacian.H"


Foam::lbmLatticeEddies::lbmLatticeEddies
(
    const model& model,
    const volVectorField& U,
    const surfaceScalarField& phi,
    const volScalarField& nut,
    const scalar dx,
    const tractions& traction
)
:
    lbmEddyFluid{{U, phi}},
    lbmLatticeStress(model.name, U, phi, lbmEddyFluid::transport, traction),
    model_(model),
    delta_("delta", dimLength, model.width*dx),
    nut_(nut),
    k_
    (
        IOobject
        (
            "k",
            U.time().timeName(),
            U.mesh(),
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        ),
        U.mesh(),
        dimensionedScalar(sqr(dimVelocity), Zero)
    )
{
    update();
}


void Foam::lbmLatticeEddies::update()
{
    k_ = sqr(nut_/(model_.Ck*delta_));
}


Foam::IOobject Foam::lbmLatticeEddies::unregistered(const word& name) const
{
    return IOobject
    (
        name,
        time().timeName(),
        mesh(),
        IOobject::NO_READ,
        IOobject::NO_WRITE,
        false
    );
}


Foam::tmp<Foam::volScalarField> Foam::lbmLatticeEddies::nuAndNut() const
{
    return tmp<volScalarField>::New(unregistered("nuEff"), nu() + nut_);
}


Foam::tmp<Foam::scalarField> Foam::lbmLatticeEddies::nuEff
(
    const label patchi
) const
{
    tmp<scalarField> result(nu(patchi) + nut_.boundaryField()[patchi]);
    const vectorField t(traction(patchi));
    if (t.empty()) return result;

    const scalarField rate(mag(U().boundaryField()[patchi].snGrad()));
    scalarField& onWall = result.ref();
    forAll(onWall, i)
    {
        if (rate[i] > VSMALL) onWall[i] = mag(t[i])/rate[i];
    }
    return result;
}


Foam::tmp<Foam::volScalarField> Foam::lbmLatticeEddies::nuEff() const
{
    tmp<volScalarField> result(nuAndNut());
    volScalarField::Boundary& patches = result.ref().boundaryFieldRef();
    forAll(patches, patchi)
    {
        if (!patches[patchi].coupled()) patches[patchi] == nuEff(patchi);
    }
    return result;
}


Foam::tmp<Foam::volScalarField> Foam::lbmLatticeEddies::epsilon() const
{
    return tmp<volScalarField>::New
    (
        unregistered("epsilon"), model_.Ce*k_*sqrt(k_)/delta_
    );
}


Foam::tmp<Foam::volSymmTensorField> Foam::lbmLatticeEddies::R() const
{
    return tmp<volSymmTensorField>::New
    (
        unregistered("R"),
        ((2.0/3.0)*I)*k_ - nut_*dev(twoSymm(fvc::grad(U())))
    );
}


Foam::tmp<Foam::volSymmTensorField> Foam::lbmLatticeEddies::onMesh() const
{
    return tmp<volSymmTensorField>::New
    (
        unregistered("devReff"), -nuAndNut()*dev(twoSymm(fvc::grad(U())))
    );
}


Foam::tmp<Foam::fvVectorMatrix> Foam::lbmLatticeEddies::divDevReff
(
    volVectorField& U
) const
{
    const volScalarField viscosity(nuEff());
    return
        - fvc::div(viscosity*dev2(T(fvc::grad(U))))
        - fvm::laplacian(viscosity, U);
}
