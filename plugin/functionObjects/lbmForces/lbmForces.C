// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmForces.H"
#include "latticeForces.H"
#include "addToRunTimeSelectionTable.H"

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(lbmForces, 0);
    addToRunTimeSelectionTable(functionObject, lbmForces, dictionary);
}
}


Foam::functionObjects::lbmForces::lbmForces
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    forces(name, runTime, dict, false)
{
    read(dict);
    setCoordinateSystem(dict);
    Info<< endl;
}


bool Foam::functionObjects::lbmForces::read(const dictionary& dict)
{
    if (!forces::read(latticeForces::direct(dict))) return false;
    rhoRef_ = latticeForces::density(dict);
    pRef_ = dict.getOrDefault<scalar>("pRef", 0);
    return true;
}


bool Foam::functionObjects::lbmForces::execute()
{
    latticeForces::of(mesh_).update(patchSet_, rhoRef_, pRef_);
    return forces::execute();
}
