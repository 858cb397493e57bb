// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLatticeStress.H"

namespace
{

// Models keep references
const Foam::geometricOneField unit;


const Foam::incompressible::turbulenceModel& leave
(
    Foam::lbmMeshTurbulence& other
)
{
    other.leaveRegistry();
    return other.model();
}

} // End anonymous namespace


Foam::lbmLatticeStress::lbmLatticeStress
(
    lbmMeshTurbulence& other,
    const tractions& traction
)
:
    incompressible::turbulenceModel
    (
        other.name(),
        unit,
        unit,
        leave(other).U(),
        other.model().alphaRhoPhi(),
        other.model().alphaRhoPhi(),
        other.model().transport(),
        turbulenceModel::propertiesName
    ),
    other_(other.model()),
    traction_(traction)
{}


Foam::tmp<Foam::volSymmTensorField> Foam::lbmLatticeStress::devReff() const
{
    tmp<volSymmTensorField> stress(other_.devReff());
    volSymmTensorField::Boundary& patches = stress.ref().boundaryFieldRef();
    forAll(patches, patchi)
    {
        const vectorField traction(traction_(patchi));
        if (traction.empty()) continue;

        // Its product with the normal is the traction, which is along the wall
        patches[patchi] == -twoSymm(patches[patchi].patch().nf()*traction);
    }
    return stress;
}
