/*---------------------------------------------------------------------------*\
Application
    lbmFoam

Description
    Transient solver for incompressible, laminar flow of Newtonian fluids by the
    lattice Boltzmann method, for ordinary OpenFOAM cases. Settings of its own
    are in system/lbmDict: lbmFoam -help-dict prints them all.

    Part of lbmFoam, GPL-3.0-or-later.

\*---------------------------------------------------------------------------*/

#include "documentedDict.H"
#include "lbmCaseCheck.H"
#include "lbmControls.H"
#include "lbmMeshFiles.H"
#include "lbmRun.H"
#include "argList.H"
#include "fvMesh.H"

using namespace Foam;

static void listKernels()
{
    for (const lbm::KernelRow& row : lbm::kernels())
    {
        Info<< lbm::name(row) << nl;
    }
    Info<< flush;
}


int main(int argc, char *argv[])
{
    argList::addNote
    (
        "Lattice Boltzmann solver for incompressible, laminar flow of"
        " Newtonian fluids; settings in system/lbmDict"
    );
    argList::noParallel();
    argList::addBoolOption("dry-run", "Print the plan of the run and end");
    argList::addBoolOption("listKernels", "List the kernels of this build");
    if (lbmControls::entries().printIfAsked(argc, argv)) return 0;

    const argList args(argc, argv);
    if (args.found("listKernels"))
    {
        listKernels();
        return 0;
    }
    if (!args.checkRootCase()) FatalError.exit();

    lbmTime runTime(Time::controlDictName, args);
    lbmCaseCheck::refuse(runTime);
    lbmCaseCheck::tell(runTime);
    lbmMeshFiles::check(runTime);
    fvMesh mesh
    (
        IOobject
        (
            fvMesh::defaultRegion,
            runTime.timeName(),
            runTime,
            IOobject::MUST_READ
        )
    );

    try
    {
        lbmRun run(runTime, mesh);
        if (!args.found("dry-run")) run.loop();
    }
    catch (const std::runtime_error& fault)
    {
        // A device that fails says which, and what it was doing
        FatalErrorInFunction
            << fault.what() << nl
            << "Time is " << runTime.timeName()
            << "; times written before are whole" << exit(FatalError);
    }

    Info<< "End\n" << endl;
    return 0;
}
