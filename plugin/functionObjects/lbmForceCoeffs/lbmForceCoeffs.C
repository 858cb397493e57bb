// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmForceCoeffs.H"
#include "latticeForces.H"
#include "addToRunTimeSelectionTable.H"

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(lbmForceCoeffs, 0);
    addToRunTimeSelectionTable(functionObject, lbmForceCoeffs, dictionary);
}
}


Foam::functionObjects::lbmForceCoeffs::lbmForceCoeffs
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    forceCoeffs(name, runTime, dict, false)
{
    read(dict);
    setCoordinateSystem(dict, "liftDir", "dragDir");
    Info<< endl;
}


bool Foam::functionObjects::lbmForceCoeffs::read(const dictionary& dict)
{
    if (!forceCoeffs::read(latticeForces::direct(dict))) return false;
    rhoRef_ = latticeForces::density(dict);
    pRef_ = dict.getOrDefault<scalar>("pRef", 0);
    return true;
}


bool Foam::functionObjects::lbmForceCoeffs::execute()
{
    latticeForces::of(mesh_).update(patchSet_, rhoRef_, pRef_);
    return forceCoeffs::execute();
}
