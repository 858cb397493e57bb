// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCaseCheck.H"
#include "lbmCompat.H"
#include "ddtScheme.H"
#include "IOdictionary.H"
#include "namedFile.H"
#include "Switch.H"

namespace Foam
{
namespace
{

IOdictionary optional(const Time& runTime, const word& name, const fileName& at)
{
    const IOobject io
    (
        name,
        at,
        runTime,
        IOobject::READ_IF_PRESENT,
        IOobject::NO_WRITE,
        false
    );
    return namedFile::contents(io);
}


void refuseMovingMesh(const Time& runTime)
{
    // To solvers of meshes at rest the file belongs to another run
    if (!lbmCompat::movesMesh(runTime)) return;
    const IOdictionary motion
    (
        optional(runTime, "dynamicMeshDict", runTime.constant())
    );
    const word type
    (
        motion.getOrDefault<word>("dynamicFvMesh", "staticFvMesh")
    );
    if (type == "staticFvMesh") return;
    FatalIOErrorInFunction(motion)
        << "Entry dynamicFvMesh is " << type << ": in lbmFoam the mesh stays as"
        << " it is" << nl
        << "If it shall: dynamicFvMesh staticFvMesh" << exit(FatalIOError);
}


void refuseTypes
(
    const Time& runTime,
    const HashTable<word>& instead,
    const char* why,
    const char* where
)
{
    for (const entry& e : runTime.controlDict().subOrEmptyDict("functions"))
    {
        if (!e.isDict() || !e.dict().getOrDefault("enabled", true)) continue;
        const word type(e.dict().getOrDefault<word>("type", word::null));
        if (!instead.found(type)) continue;
        FatalIOErrorInFunction(e.dict())
            << "Function object " << e.keyword() << " of type " << type << ' '
            << why << nl << "Take type " << instead[type] << where
            << exit(FatalIOError);
    }
}


// OpenFOAM's check of the word
bool steady(const dictionary& schemes)
{
    const dictionary ddt(schemes.subOrEmptyDict("ddtSchemes"));
    if (!ddt.found("default")) return false;
    ITstream& is = ddt.lookup("default");
    const word name(is);
    if (name == "none" || name == "steadyState") return name != "none";

    const auto& known = *fv::ddtScheme<vector>::IstreamConstructorTablePtr_;
    if (!known.found(name))
    {
        FatalIOErrorInFunction(ddt)
            << "Unknown ddt scheme " << name << nl << nl
            << "Valid ddt schemes : " << nl << known.sortedToc()
            << exit(FatalIOError);
    }
    return name == "bounded" && !is.eof() && word(is) == "steadyState";
}

} // End anonymous namespace
} // End namespace Foam


void Foam::lbmCaseCheck::refuse(const Time& runTime)
{
    lbmCompat::refuseSolver(runTime);
    refuseMovingMesh(runTime);
}


void Foam::lbmCaseCheck::refuseFunctions(const Time& runTime)
{
    refuseTypes
    (
        runTime,
        {
            {"wallShearStress", "lbmWallShearStress"},
            {"yPlus", "lbmYPlus"}
        },
        "needs a turbulence model of OpenFOAM's, and none is registered:"
        " constant/turbulenceProperties is missing, transportModel in"
        " constant/transportProperties, or the fluid's viscosity is the lattice's own",
        ", with libs (\"liblbmFunctionObjects.so\")"
    );
}


void Foam::lbmCaseCheck::refuseLatticeStress(const Time& runTime)
{
    refuseTypes
    (
        runTime,
        {
            {"lbmForces", "forces"},
            {"lbmForceCoeffs", "forceCoeffs"},
            {"lbmWallShearStress", "wallShearStress"},
            {"lbmYPlus", "yPlus"}
        },
        "takes stresses of the lattice, which laminarModel"
        " (constant/turbulenceProperties) adds its own to on the mesh",
        ", OpenFOAM's"
    );
}


void Foam::lbmCaseCheck::tell(const Time& runTime)
{
    if (runTime.controlDict().getOrDefault<Switch>("adjustTimeStep", false))
    {
        Info<< "adjustTimeStep: lbmFoam keeps deltaT and divides it into"
            << " lattice steps" << nl;
    }
}


bool Foam::lbmCaseCheck::iterates(const Time& runTime)
{
    if (steady(optional(runTime, "fvSchemes", runTime.system()))) return true;

    const IOdictionary solution
    (
        optional(runTime, "fvSolution", runTime.system())
    );
    return solution.found("SIMPLE") && !solution.found("PIMPLE")
        && !solution.found("PISO");
}
