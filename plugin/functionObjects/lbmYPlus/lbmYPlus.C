// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmYPlus.H"
#include "addToRunTimeSelectionTable.H"

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(lbmYPlus, 0);
    addToRunTimeSelectionTable(functionObject, lbmYPlus, dictionary);
}
}


Foam::functionObjects::lbmYPlus::lbmYPlus
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    latticeWalls(name, runTime, dict, "yPlus")
{
    checkStress();
}


bool Foam::functionObjects::lbmYPlus::write()
{
    lbmWallStress& lattice = stress();
    volScalarField& values = field<scalar>(dimless);
    for (const label patchi : patches())
    {
        values.boundaryFieldRef()[patchi] ==
            lattice.nodeDistance()*sqrt(mag(lattice.on(patchi)))
           /lattice.nu(patchi);
    }
    return writeOn<scalar>
    (
        "y+ ()",
        {"patch", "min", "max", "average"},
        [](Ostream& os, const scalarField& on)
        {
            os  << token::TAB << gMin(on) << token::TAB << gMax(on)
                << token::TAB << gAverage(on);
        }
    );
}
