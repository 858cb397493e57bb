// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCompat.H"
#include "argList.H"

#include <cstring>

namespace
{

using namespace Foam;

enum class mesh { still, moves };

struct solver
{
    const char* name;
    mesh with;
    const char* conventions;
    const char* leftOut = nullptr;  // what lbmFoam does not compute
};

const solver solvers[] =
{
    {"icoFoam", mesh::still,
        "laminar, Newtonian; nu of transportProperties, no turbulenceProperties needed"},
    {"nonNewtonianIcoFoam", mesh::still, "laminar; transportModel of transportProperties"},
    {"pisoFoam", mesh::still, "turbulenceProperties, fvOptions"},
    {"pimpleFoam", mesh::moves,
        "turbulenceProperties (laminarModel Maxwell, too), fvOptions; adjustTimeStep is not needed: deltaT is divided into"
        " lattice steps"},
    {"simpleFoam", mesh::still,
        "steady: deltaT and endTime count iterations, 100 to a passage of the flow; ends by"
        " residualControl of U"},
    {"porousSimpleFoam", mesh::still, "as simpleFoam, with porosityProperties"},
    {"buoyantBoussinesqPimpleFoam", mesh::still,
        "as pimpleFoam, with T, p_rgh and g; beta, TRef, Pr and Prt of transportProperties"},
    {"buoyantBoussinesqSimpleFoam", mesh::still, "the same, steady, as simpleFoam"},
    {"SRFSimpleFoam", mesh::still,
        "as simpleFoam; Urel, SRFProperties: velocity in a frame that rotates; writes Uabs, too"},
    {"SRFPimpleFoam", mesh::still,
        "as pimpleFoam with a mesh at rest; Urel, SRFProperties; writes Uabs, too"},
    {"adjointOptimisationFoam", mesh::moves, "as simpleFoam: the primal flow alone",
        "the adjoint flow and the optimisation"},
    {"adjointShapeOptimizationFoam", mesh::moves, "as simpleFoam: the primal flow alone",
        "the adjoint flow and the optimisation"}
};

struct other
{
    const char* name;
    const char* why;
    const char* nearest;
};

// Solvers of other equations
const other others[] =
{
    {"shallowWaterFoam", "equations averaged over a layer's depth", "a mesh of the layer, and pimpleFoam's files"},
    {"boundaryFoam", "equations of one dimension", "a periodic channel with meanVelocityForce"},
    {"potentialFoam", "a flow without momentum", "startFlow divergenceFree (system/lbmDict), by which a run begins so"},
    {"overSimpleFoam", "overset meshes", "one mesh that is at rest (simpleFoam's files)"},
    {"overPimpleDyMFoam", "overset meshes", "one mesh that is at rest (pimpleFoam's files)"},
    {"interFoam", "a free surface", "one of the fluids, with pimpleFoam's files"},
    {"rhoPimpleFoam", "compressible flow", "below Mach number 0.3 pimpleFoam's files"},
    {"rhoSimpleFoam", "compressible flow", "below Mach number 0.3 simpleFoam's files"},
    {"sonicFoam", "compressible flow", "nothing of lbmFoam"}
};

struct tutorial
{
    // case below tutorials/incompressible or tutorials/heatTransfer; * for the rest of a name
    const char* name;
    const char* verdict;        // runs (to its end), starts (not yet run to it), untried,
                                // refused
    const char* note;
};

const tutorial tutorials[] =
{
    {"icoFoam/cavity/*", "runs", ""},
    {"icoFoam/cavityMappingTest", "runs", ""},
    {"icoFoam/elbow", "runs", "by itself with regularized and finer cells"},
    {"nonNewtonianIcoFoam/offsetCylinder", "runs", ""},
    {"pisoFoam/RAS/cavity", "runs", ""},
    {"pisoFoam/RAS/cavityCoupledU", "runs", ""},
    {"pisoFoam/laminar/porousBlockage", "runs", ""},
    {"pisoFoam/LES/pitzDaily", "runs", "viscosity guarded"},
    {"pisoFoam/LES/pitzDailyMapped", "runs", "viscosity guarded"},
    {"pisoFoam/LES/motorBike/*", "untried", ""},
    {"simpleFoam/T3A", "runs", ""},
    {"simpleFoam/airFoil2D", "runs", "forces are of a coarse lattice"},
    {"simpleFoam/backwardFacingStep2D", "runs", ""},
    {"simpleFoam/bump2D", "runs", "its bump is lower than nodes are apart"},
    {"simpleFoam/mixerVessel2D", "runs", ""},
    {"simpleFoam/motorBike", "runs", "drag 29 % below simpleFoam's"},
    {"simpleFoam/pipeCyclic", "runs", ""},
    {"simpleFoam/pitzDaily", "runs", ""},
    {"simpleFoam/pitzDailyExptInlet", "runs", ""},
    {"simpleFoam/rotorDisk", "runs", ""},
    {"simpleFoam/simpleCar", "runs", ""},
    {"simpleFoam/squareBend", "runs", ""},
    {"simpleFoam/turbineSiting", "runs", ""},
    {"simpleFoam/turbulentFlatPlate", "starts", "viscosity guarded everywhere"},
    {"simpleFoam/windAroundBuildings", "runs", ""},
    {"porousSimpleFoam/angledDuct/*", "runs", ""},
    {"porousSimpleFoam/straightDuctImplicit", "untried", "its mesh is foamyHexMesh's"},
    {"SRFSimpleFoam/mixer", "runs", ""},
    {"SRFPimpleFoam/rotor2D", "runs", "SRFFreestreamVelocity has the velocity afar on all its faces"},
    {"pimpleFoam/RAS/TJunction", "runs", "4 % less flow than pimpleFoam's"},
    {"pimpleFoam/RAS/TJunctionFan", "runs", "half of pimpleFoam's flow"},
    {"pimpleFoam/RAS/TJunctionArrheniusBirdCarreauTransport", "runs", "8 % less flow than pimpleFoam's"},
    {"pimpleFoam/RAS/ellipsekkLOmega", "runs", "viscosity guarded nearly everywhere"},
    {"pimpleFoam/RAS/oscillatingInlet*", "refused", "the mesh moves"},
    {"pimpleFoam/RAS/pitzDaily", "runs", ""},
    {"pimpleFoam/RAS/propeller", "refused", "the mesh moves"},
    {"pimpleFoam/RAS/rotatingFanInRoom", "refused", "the mesh moves"},
    {"pimpleFoam/RAS/wingMotion/wingMotion_snappyHexMesh", "untried", "the mesh of wingMotion2D_simpleFoam alone: no solver runs there"},
    {"pimpleFoam/RAS/wingMotion/wingMotion2D_simpleFoam", "runs", ""},
    {"pimpleFoam/RAS/wingMotion/wingMotion2D_pimpleFoam", "refused", "the mesh moves"},
    {"pimpleFoam/LES/channel395", "runs", ""},
    {"pimpleFoam/LES/channel395DFSEM", "starts", ""},
    {"pimpleFoam/LES/decayIsoTurb", "runs", ""},
    {"pimpleFoam/LES/surfaceMountedCube/fullCase", "starts", ""},
    {"pimpleFoam/LES/surfaceMountedCube/initChannel", "untried", "boundaryFoam makes fullCase's inlet there: one dimension"},
    {"pimpleFoam/LES/vortexShed", "starts", "viscosity guarded everywhere"},
    {"pimpleFoam/laminar/planarPoiseuille", "runs", ""},
    {"pimpleFoam/laminar/planarContraction", "runs", ""},
    {"pimpleFoam/laminar/mixerVesselAMI2D", "refused", "the mesh moves"},
    {"pimpleFoam/laminar/movingCone", "refused", "the mesh moves"},
    {"pimpleFoam/laminar/contactAngleCavity", "refused", "the mesh follows a free surface"},
    {"pimpleFoam/laminar/contaminatedDroplet2D", "refused", "the mesh follows a free surface"},
    {"pimpleFoam/laminar/sloshing2D", "refused", "the mesh follows a free surface"},
    {"pimpleFoam/LES/periodicHill/steadyState", "starts", ""},
    {"pimpleFoam/LES/periodicHill/transient", "untried", "begins with the end of steadyState"},
    {"lumpedPointMotion/building/steady", "runs", ""},
    {"lumpedPointMotion/building/transient", "refused", "the mesh moves"},
    {"buoyantBoussinesqPimpleFoam/BenardCells", "runs", "number and sense of its rolls follow from the start's noise"},
    {"buoyantBoussinesqPimpleFoam/hotRoom", "runs", "beta (T - TRef) is 0.9 at its hot spot"},
    {"buoyantBoussinesqSimpleFoam/hotRoom", "runs", "beta (T - TRef) is 0.9 at its hot spot"},
    {"buoyantBoussinesqSimpleFoam/iglooWithFridges", "runs", "OpenFOAM's own run diverges; its closed room loses 0.08 % of its mass in 2000 iterations"},
    {"adjointOptimisationFoam/*", "untried", "the primal flow alone would run"},
    {"adjointShapeOptimizationFoam/pitzDaily", "untried", "the primal flow alone would run"},
    {"boundaryFoam/*", "refused", "equations of one dimension"},
    {"shallowWaterFoam/*", "refused", "other equations"},
    {"overSimpleFoam/*", "refused", "overset meshes"},
    {"overPimpleDyMFoam/*", "refused", "overset meshes"}
};


void print
(
    const size_t column,
    const char* name,
    const char* second,
    const char* third = ""
)
{
    string line(name);
    line.resize(max(line.size() + 2, column), ' ');
    line += second;
    if (*third)
    {
        line.resize(max(line.size() + 2, column + 10), ' ');
        line += third;
    }
    Info<< "    " << line.c_str() << nl;
}


void printAll()
{
    Info<< "lbmFoam in place of OpenFOAM 1912's incompressible and Boussinesq solvers" << nl << nl
        << "Entry application of system/controlDict, and what lbmFoam takes from such"
        << " cases" << nl;
    for (const solver& s : solvers) print(32, s.name, s.conventions);
    Info<< nl << "Refused by name" << nl;
    for (const other& o : others) print(32, o.name, o.why);
    Info<< nl << "Tutorials (below tutorials/incompressible, heatTransfer)" << nl;
    for (const tutorial& t : tutorials) print(56, t.name, t.verdict, t.note);
    Info<< nl << "Of runs with a guarded viscosity the log says in which share of the"
        << " volume; starts: not yet run to its end" << nl << endl;
}


word application(const Time& runTime)
{
    return runTime.controlDict().getOrDefault<word>("application", word::null);
}

} // End anonymous namespace


bool Foam::lbmCompat::printIfAsked(int argc, char* argv[])
{
    argList::addBoolOption
    (
        "help-compat",
        "List OpenFOAM's solvers and tutorials, which run and which are refused,"
        " and end"
    );
    for (int i = 1; i < argc; ++i)
    {
        if (std::strcmp(argv[i], "-help-compat") != 0) continue;
        printAll();
        return true;
    }
    return false;
}


void Foam::lbmCompat::refuseSolver(const Time& runTime)
{
    const word name(application(runTime));
    for (const solver& s : solvers)
    {
        if (name != s.name || !s.leftOut) continue;
        Info<< "Entry application is " << name << ": lbmFoam leaves out "
            << s.leftOut << nl;
    }
    for (const other& o : others)
    {
        if (name != o.name) continue;
        FatalIOErrorInFunction(runTime.controlDict())
            << "Entry application is " << name << ", which solves for " << o.why
            << ": lbmFoam does not" << nl
            << "Nearest to it: " << o.nearest << exit(FatalIOError);
    }
}


bool Foam::lbmCompat::heat(const Time& runTime)
{
    const word name(application(runTime));
    return name == "buoyantBoussinesqPimpleFoam"
        || name == "buoyantBoussinesqSimpleFoam";
}


bool Foam::lbmCompat::movesMesh(const Time& runTime)
{
    const word name(application(runTime));
    for (const solver& s : solvers)
    {
        if (name == s.name) return s.with == mesh::moves;
    }
    return true;
}
