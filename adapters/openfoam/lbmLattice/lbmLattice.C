// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLattice.H"

namespace Foam
{
    defineTypeNameAndDebug(lbmLattice, 0);
}


Foam::lbmLattice::lbmLattice
(
    const fvMesh& mesh,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const std::unique_ptr<lbm::Solver>& solver,
    const autoPtr<lbmUnits>& units,
    std::function<void()> bringFields,
    std::function<scalar()> pressureShift
)
:
    regIOobject
    (
        IOobject
        (
            typeName,
            mesh.time().timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::NO_WRITE
        )
    ),
    axes_(axes),
    boundary_(boundary),
    solver_(solver),
    units_(units),
    bringFields_(std::move(bringFields)),
    pressureShift_(std::move(pressureShift)),
    broughtAt_(-1)
{}


std::vector<bool> Foam::lbmLattice::walls() const
{
    std::vector<bool> result;
    for (const lbmPatchKind& kind : boundary_.kinds())
    {
        result.push_back(kind.anyWall());
    }
    return result;
}


void Foam::lbmLattice::bringFields()
{
    if (broughtAt_ == time().timeIndex()) return;
    broughtAt_ = time().timeIndex();
    bringFields_();
}
