// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallHeat.H"
#include "Time.H"

namespace Foam
{
    defineTypeNameAndDebug(lbmWallHeat, 0);
}


Foam::lbmWallHeat::lbmWallHeat(const fvMesh& mesh, const fluxes& of)
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
    fluxes_(of)
{}
