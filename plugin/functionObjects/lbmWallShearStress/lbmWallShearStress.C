// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallShearStress.H"
#include "addToRunTimeSelectionTable.H"

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(lbmWallShearStress, 0);
    addToRunTimeSelectionTable
    (
        functionObject, lbmWallShearStress, dictionary
    );
}
}


Foam::functionObjects::lbmWallShearStress::lbmWallShearStress
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    latticeWalls(name, runTime, dict, "wallShearStress")
{
    checkStress();
}


bool Foam::functionObjects::lbmWallShearStress::write()
{
    volVectorField& values = field<vector>(sqr(dimVelocity));
    for (const label patchi : patches())
    {
        values.boundaryFieldRef()[patchi] == stress().on(patchi);
    }
    return writeOn<vector>
    (
        "Wall shear stress",
        {"patch", "min", "max"},
        [](Ostream& os, const vectorField& on)
        {
            os  << token::TAB << gMin(on) << token::TAB << gMax(on);
        }
    );
}
