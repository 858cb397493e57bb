// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmForceCoeffs.H"
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
    onLattice<forceCoeffs>(name, runTime, dict, false)
{
    read(dict);
    setCoordinateSystem(dict, "liftDir", "dragDir");
    Info<< endl;
}
