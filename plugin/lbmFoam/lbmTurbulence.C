// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTurbulence.H"
#include "HashSet.H"
#include "localIOdictionary.H"
#include "namedFile.H"
#include "Switch.H"
#include "volFields.H"
#include "wallPolyPatch.H"

namespace
{
    // LES/LESeddyViscosity and LES/Smagorinsky of OpenFOAM 1912
    const Foam::scalar defaultCk = 0.094;
    const Foam::scalar defaultCe = 1.048;

    const char* const possible =
        "simulationType laminar (laminarModel Stokes), or LES with LESModel"
        " Smagorinsky and delta cubeRootVol";

    // On walls, where the lattice resolves the flow: nut takes no part
    const Foam::wordHashSet resolvedWalls
    ({
        "calculated", "fixedValue", "nutLowReWallFunction", "zeroGradient"
    });
}


Foam::lbmTurbulence::lbmTurbulence(const fvMesh& mesh)
:
    mesh_(mesh),
    properties_
    (
        namedFile::contents
        (
            IOobject
            (
                "turbulenceProperties",
                mesh.time().constant(),
                mesh,
                IOobject::READ_IF_PRESENT,
                IOobject::NO_WRITE,
                false
            )
        )
    ),
    constant_(read())
{}


void Foam::lbmTurbulence::refuse
(
    const dictionary& dict,
    const word& key,
    const word& given
) const
{
    FatalIOErrorInFunction(dict)
        << "Entry " << key << " is " << given << "; lbmFoam has " << possible
        << exit(FatalIOError);
    std::abort();
}


Foam::scalar Foam::lbmTurbulence::read() const
{
    const word type
    (
        properties_.getOrDefault<word>("simulationType", "laminar")
    );
    if (type == "LES") return readLES();
    if (type != "laminar") refuse(properties_, "simulationType", type);

    const dictionary laminar(properties_.subOrEmptyDict("laminar"));
    const word model
    (
        laminar.getOrDefault<word>("laminarModel", "Stokes")
    );
    if (model != "Stokes") refuse(properties_, "laminarModel", model);
    return 0;
}


Foam::scalar Foam::lbmTurbulence::positive
(
    const dictionary& dict,
    const word& key,
    const scalar preset
) const
{
    const scalar value
    (
        dimensionedScalar::getOrDefault(key, dict, dimless, preset).value()
    );
    if (!(value > 0 && value < GREAT))
    {
        FatalIOErrorInFunction(dict)
            << "Entry " << key << " is " << value << "; it must be a positive"
            << " number" << exit(FatalIOError);
    }
    return value;
}


Foam::scalar Foam::lbmTurbulence::readLES() const
{
    const dictionary& les = properties_.subDict("LES");
    if (!les.getOrDefault<Switch>("turbulence", true)) return 0;

    const word model(les.get<word>("LESModel"));
    if (model != "Smagorinsky") refuse(les, "LESModel", model);
    const word delta(les.get<word>("delta"));
    if (delta != "cubeRootVol") refuse(les, "delta", delta);

    const dictionary& coeffs = les.optionalSubDict(model + "Coeffs");
    const scalar Ck = positive(coeffs, "Ck", defaultCk);
    const scalar Ce = positive(coeffs, "Ce", defaultCe);
    const scalar width =
        positive(les.optionalSubDict(delta + "Coeffs"), "deltaCoeff", 1);
    refuseWallLaws();
    return width*sqrt(Ck*sqrt(Ck/Ce));
}


void Foam::lbmTurbulence::refuseWallLaws() const
{
    const IOobject io
    (
        "nut",
        mesh_.time().timeName(),
        mesh_,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );
    if (!isFile(io.objectPath()) && !isFile(io.objectPath() + ".gz")) return;

    const dictionary nut = namedFile::read
    (
        io.objectPath(),
        [&]{ return localIOdictionary(io, volScalarField::typeName); }
    );
    const dictionary& patches = nut.subDict("boundaryField");
    for (const polyPatch& patch : mesh_.boundaryMesh())
    {
        if (!isA<wallPolyPatch>(patch)) continue;
        const dictionary& condition = patches.subDict(patch.name());
        const word type(condition.get<word>("type"));
        if (resolvedWalls.found(type) || polyPatch::constraintType(type))
        {
            continue;
        }
        FatalIOErrorInFunction(condition)
            << "Patch " << patch.name() << " has nut of type " << type
            << ", and lbmFoam has no wall law: it resolves the flow at walls"
            << nl << "If nodes are near enough to them (lbmYPlus tells y+): type"
            << " calculated" << exit(FatalIOError);
    }
}


Foam::lbmViscosity Foam::lbmTurbulence::on(const scalar nu) const
{
    return constant_ > 0
      ? lbmViscosity("smagorinsky", {constant_}, nu) : lbmViscosity(nu);
}


void Foam::lbmTurbulence::refuseBeside(const word& model) const
{
    if (!(constant_ > 0)) return;
    FatalIOErrorInFunction(properties_)
        << "Entry simulationType is LES, and transportModel"
        << " (constant/transportProperties) is " << model << ": lbmFoam adds"
        << " eddies' viscosity to a Newtonian fluid's alone" << nl
        << "Way out: simulationType laminar, or transportModel Newtonian"
        << exit(FatalIOError);
}
