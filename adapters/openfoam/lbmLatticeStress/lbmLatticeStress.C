// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLatticeStress.H"
#include "lbmNearWalls.H"

namespace
{
    // Models keep references
    const Foam::geometricOneField unit;

    const Foam::volVectorField& ofModels(const Foam::volVectorField& U)
    {
        Foam::lbmNearWalls::check(U.mesh());
        return U;
    }
}


Foam::lbmLatticeStress::lbmLatticeStress
(
    const word& model,
    const volVectorField& U,
    const surfaceScalarField& phi,
    const transportModel& transport,
    const tractions& traction
)
:
    incompressible::turbulenceModel
    (
        model,
        unit,
        unit,
        ofModels(U),
        phi,
        phi,
        transport,
        turbulenceModel::propertiesName
    ),
    traction_(traction)
{}


Foam::tmp<Foam::volSymmTensorField> Foam::lbmLatticeStress::devReff() const
{
    tmp<volSymmTensorField> stress(onMesh());
    volSymmTensorField::Boundary& patches = stress.ref().boundaryFieldRef();
    forAll(patches, patchi)
    {
        const vectorField t(traction(patchi));
        if (t.empty()) continue;

        // Its product with the normal is the traction, which need not be along faces
        // where these are stairs
        const vectorField n(patches[patchi].patch().nf());
        patches[patchi] == (n & t)*sqr(n) - twoSymm(n*t);
    }
    return stress;
}
