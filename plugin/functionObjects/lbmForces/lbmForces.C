// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmForces.H"
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
    onLattice<forces>(name, runTime, dict, false)
{
    read(dict);
    setCoordinateSystem(dict);
    Info<< endl;
}
