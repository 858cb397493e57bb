// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallHeatFlux.H"
#include "addToRunTimeSelectionTable.H"
#include "lbmWallHeat.H"
#include "turbulentTransportModel.H"

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(lbmWallHeatFlux, 0);
    addToRunTimeSelectionTable
    (
        functionObject, lbmWallHeatFlux, dictionary
    );
}
}


Foam::functionObjects::lbmWallHeatFlux::lbmWallHeatFlux
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    latticeWalls(name, runTime, dict, "wallHeatFlux")
{
    read(dict);
    // Other programs may read fields later
    if (mesh_.foundObject<lbmWallStress>(lbmWallStress::typeName)) checkHeat();
}


bool Foam::functionObjects::lbmWallHeatFlux::read(const dictionary& dict)
{
    latticeWalls::read(dict);
    rhoCp_ = 0;
    if (!dict.readIfPresent("rhoCp", rhoCp_)) return true;
    if (!(rhoCp_ > 0 && rhoCp_ < GREAT))
    {
        FatalIOErrorInFunction(dict)
            << "Entry rhoCp is " << rhoCp_ << "; it must be positive"
            << exit(FatalIOError);
    }
    return true;
}


Foam::tmp<Foam::scalarField> Foam::functionObjects::lbmWallHeatFlux::alphaEff
(
    const label patchi
) const
{
    const auto& model = mesh_.lookupObject<incompressible::turbulenceModel>
    (
        turbulenceModel::propertiesName
    );
    const dimensionedScalar Pr
    (
        "Pr", dimless, mesh_.lookupObject<IOdictionary>("transportProperties")
    );
    tmp<scalarField> result(model.nu(patchi)/Pr.value());
    const auto* alphat = mesh_.findObject<volScalarField>("alphat");
    if (alphat) result.ref() += alphat->boundaryField()[patchi];
    return result;
}


void Foam::functionObjects::lbmWallHeatFlux::checkHeat() const
{
    if (mesh_.foundObject<lbmWallHeat>(lbmWallHeat::typeName)) return;
    const auto* T = mesh_.findObject<volScalarField>("T");
    const bool any =
        T && mesh_.foundObject<IOdictionary>("transportProperties")
     && mesh_.foundObject<incompressible::turbulenceModel>
        (
            turbulenceModel::propertiesName
        );
    if (!any)
    {
        FatalErrorInFunction
            << "Function object " << name() << " of type " << type()
            << ": there is no temperature T of a Boussinesq fluid (solver"
            << " buoyantBoussinesqPimpleFoam or buoyantBoussinesqSimpleFoam, entry"
            << " application of system/controlDict)" << exit(FatalError);
    }
}


Foam::tmp<Foam::scalarField> Foam::functionObjects::lbmWallHeatFlux::kinematic
(
    const label patchi
) const
{
    const auto* lattice = mesh_.findObject<lbmWallHeat>(lbmWallHeat::typeName);
    if (lattice) return lattice->on(patchi);
    checkHeat();
    const auto* T = mesh_.findObject<volScalarField>("T");
    return alphaEff(patchi)*T->boundaryField()[patchi].snGrad();
}


bool Foam::functionObjects::lbmWallHeatFlux::write()
{
    const dimensionSet flux
    (
        rhoCp_ > 0 ? dimPower/dimArea : dimTemperature*dimVelocity
    );
    volScalarField& values = field<scalar>(flux);
    const scalar toUnits = rhoCp_ > 0 ? rhoCp_ : 1;
    for (const label patchi : patches())
    {
        values.boundaryFieldRef()[patchi] == toUnits*kinematic(patchi);
    }
    return writeOn<scalar>
    (
        "Wall heat-flux",
        {"patch", "min", "max", "integral"},
        [](Ostream& os, const fvPatchScalarField& on)
        {
            os  << token::TAB << gMin(on) << token::TAB << gMax(on)
                << token::TAB << gSum(on.patch().magSf()*on);
        }
    );
}
