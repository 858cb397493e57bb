/*---------------------------------------------------------------------------*\
Application
    lbmFoam

Description
    Solver for incompressible flow by the lattice Boltzmann method, laminar or
    with OpenFOAM's turbulence models, of Newtonian fluids and of those whose
    viscosity depends on the shear rate, for ordinary OpenFOAM cases. Settings of
    its own are in system/lbmDict: lbmFoam -help-dict prints them all.

    Part of lbmFoam, GPL-3.0-or-later.

\*---------------------------------------------------------------------------*/

#include "documentedDict.H"
#include "lbmCaseCheck.H"
#include "lbmCompat.H"
#include "lbmControls.H"
#include "lbmInit/lbmInit.H"
#include "lbmInitInside/lbmInitInside.H"
#include "lbmNearMiss.H"
#include "lbmPhases/lbmPhases.H"
#include "lbmProcessorCase.H"
#include "lbmRankFault.H"
#include "lbmRun.H"
#include "lbmStopSignal.H"
#include "lbmTrapFreeRegion.H"
#include "lbmSurfaceCase/lbmSurfaceCase.H"
#include "argList.H"
#include "fvMesh.H"
#include "IFstream.H"
#include "namedFile.H"
#include "OSspecific.H"
#include "sigFpe.H"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/Threads.hpp"
#include "plugin/common/lbmProgram.H"
#include "plugin/common/lbmCaseLock.H"
#include "plugin/common/lbmWholeFolder.H"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include <unistd.h>

using namespace Foam;

static void listKernels()
{
    for (const lbm::KernelRow& row : lbm::kernels())
    {
        Info<< lbm::name(row).c_str() << nl;
    }
    Info<< flush;
}


//- Whatever starts processes that are to find each other tells each by its environment
//  which one it is
static bool hasRank()
{
    for (char** entry = environ; *entry; ++entry)
    {
        const std::string text(*entry);
        const std::string name(text, 0, text.find('='));
        for (const char* part : {"RANK", "PMI", "PROCID"})
        {
            if (name.find(part) != std::string::npos) return true;
        }
    }
    return false;
}


//- Of which OpenFOAM would end in a stack of addresses
static bool isAlone()
{
    if (!hasRank()) return lbm::beginMpi() == 1;
    const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
    if (!size) size = std::getenv("PMI_SIZE");
    return size && std::string(size) == "1";
}


//- Before OpenFOAM begins MPI: what one library has as a communicator another one
//  may take for an address
static void checkMpi(int argc, char* argv[])
{
    const auto end = argv + argc;
    if (std::find(argv, end, std::string("-parallel")) == end) return;
    const std::string ours(lbm::mpiOfRanks()), openfoams(lbm::mpiOf("libPstream.so"));
    if (!ours.empty() && !openfoams.empty() && ours != openfoams)
    {
        FatalErrorInFunction
            << "lbmFoam and OpenFOAM were linked with different MPI libraries:" << nl
            << "    lbmFoam's liblbmRanks: " << ours.c_str() << nl
            << "    OpenFOAM's libPstream: " << openfoams.c_str() << nl
            << "Build lbmFoam with that of OpenFOAM (cmake -DMPI_CXX_COMPILER=...,"
            << " its compiler wrapper)" << exit(FatalError);
    }
    if (lbm::ranksAvailable() && isAlone())
    {
        FatalErrorInFunction
            << "-parallel is for one of several processes, and this is the only one: mpirun -n"
            << " 4 lbmFoam -parallel starts four, after decomposePar; without -parallel one"
            << " process uses all processors" << exit(FatalError);
    }
}


//- Which OpenFOAM's solvers have
static void refusePostProcess(int argc, char* argv[])
{
    const auto end = argv + argc;
    if (std::find(argv, end, std::string("-postProcess")) == end) return;
    FatalErrorInFunction
        << "lbmFoam has no option -postProcess. With the fields that it wrote the case's own"
        << " solver does that (pimpleFoam -postProcess), or postProcess -func NAME, where no"
        << " model is asked for" << exit(FatalError);
}


//- Before anything is read of the case: the latest time may be incomplete
static void takeCase(const argList& args)
{
    const fileName path(args.globalPath());
    // A file that grows beyond a limit is to end in a message
    std::signal(SIGXFSZ, SIG_IGN);
    lbmCaseLock::take(path);
    lbmWholeFolder::recover(path);
    lbmWholeFolder::recover(path/"constant");
    if (args.parRunControl().parRun()) lbmProcessorCase::recover(args);
}


//- What OpenFOAM does, it does on the first rank as if there were no other: the
//  mesh is whole there. Solvers that ask for the number of processes, not only
//  whether there are several, make other coarse levels of it.
class aloneInOpenFOAM
{
    const List<int> all_;

public:

    aloneInOpenFOAM()
    :
        all_(Pstream::procID(Pstream::worldComm))
    {
        Pstream::parRun() = false;
        Pstream::procID(Pstream::worldComm).resize(1);
    }

    ~aloneInOpenFOAM()
    {
        Pstream::procID(Pstream::worldComm) = all_;
        Pstream::parRun() = true;
    }
};


static void leadRanks(const argList& args)
{
    lbmProcessorCase::check(args);
    // However this one ends, others are not to wait for it
    std::atexit
    (
        []
        {
            std::cout.flush();
            lbm::abortRanks(1);
        }
    );
    try
    {
        lbm::leadOrServeRanks();
    }
    catch (const std::runtime_error& fault)
    {
        FatalErrorInFunction << fault.what() << exit(FatalError);
    }
}


//- Until the first one ends it, which asks for signals
static void serveRanks()
{
    lbmStopSignal::remember();
    lbmStopSignal::leaveOthersToFirst();
    // A flow that is lost here the first one finds so: a signal would end all
    const lbmTrapFreeRegion diagnosedThere(0);
    lbm::leadOrServeRanks(lbmStopSignal::number);
}


//- Dictionaries may have entries for one solver, by $FOAM_EXECUTABLE: those of the case's
//  (OpenFOAM's lumpedPointMotion/building is a steady case so)
static void takeNameOfSolver(const fileName& controlDict)
{
    IFstream file(controlDict);
    if (!file.good()) return;
    const word application(dictionary(file).getOrDefault<word>("application", word::null));
    if (application.size()) setEnv("FOAM_EXECUTABLE", application, true);
}


static void readCase
(
    const argList& args,
    lbmProcessorCase* processors,
    const scalar sketchNodes,
    std::unique_ptr<lbmTime>& runTime,
    autoPtr<fvMesh>& mesh,
    scalar& meshCells
)
{
    // Numbers beyond all limits are to be refused by name, not to end OpenFOAM's
    // readers by a signal
    const sigFpe::ignore readersRefuse;
    lbmNearMiss::tell(args.globalPath());
    const fileName controlDict(args.globalPath()/"system"/Time::controlDictName);
    namedFile::read
    (
        controlDict,
        [&]
        {
            takeNameOfSolver(controlDict);
            runTime.reset
            (
                new lbmTime(Time::controlDictName, args, processors)
            );
        }
    );
    lbmCaseCheck::refuse(*runTime);
    lbmCaseCheck::tell(*runTime);
    // Surfaces are looked at by threads, too, before the run reads its entries
    if (isFile(runTime->path()/runTime->system()/"lbmDict"))
    {
        const lbmControls keepsToThreads(*runTime);
    }
    if (processors) processors->makeMesh(*runTime);
    mesh = lbmSurfaceCase::read
    (
        *runTime, !args.found("dry-run"), sketchNodes, meshCells
    );
    if (processors) processors->gather(*mesh);
}


static scalar nodesOfSketch(const argList& args)
{
    const scalar usual = 2e6, fewest = 1e3;
    const bool dryRun = args.found("dry-run");
    if (!args.found("sketch")) return dryRun ? usual : 0;
    const scalar nodes = args.get<scalar>("sketch");
    if (!dryRun || (nodes != 0 && !(nodes >= fewest && nodes <= GREAT)))
    {
        FatalErrorInFunction
            << "Option -sketch " << args["sketch"] << ": it takes 0 or a number of"
            << " nodes, " << fewest << " or more, beside -dry-run"
            << exit(FatalError);
    }
    return nodes;
}


static void makeRun
(
    lbmTime& runTime,
    fvMesh& mesh,
    const scalar sketchNodes,
    const scalar meshCells,
    lbmPhases& phases,
    std::unique_ptr<lbmRun>& run
)
{
    // As above; from the loop on the lattice is looked after
    const sigFpe::ignore readersRefuse;
    run.reset(new lbmRun(runTime, mesh, sketchNodes, meshCells, phases));
}


static int lbmFoam(int argc, char* argv[])
{
    argList::addNote
    (
        "Lattice Boltzmann solver for incompressible flow, laminar or with"
        " OpenFOAM's turbulence models; settings in system/lbmDict"
    );
    argList::addBoolOption
    (
        "dry-run",
        "Print the plan of the run and end. Of a lattice with more nodes than a"
        " sketch (-sketch), or of surfaces whose box has, it is estimated: seconds,"
        " and little memory. What only the lattice itself or a checkpoint shows the"
        " run alone refuses"
    );
    argList::addOption
    (
        "sketch",
        "nodes",
        "With -dry-run: estimate larger lattices from a sketch with so many nodes"
        " (default 2e6); 0: make the lattice and count"
    );
    argList::addBoolOption("listKernels", "List the kernels of this build");
    lbmInit::addOptions();
    if (lbmControls::entries().printIfAsked(argc, argv)) return 0;
    if (lbmCompat::printIfAsked(argc, argv)) return 0;

    refusePostProcess(argc, argv);
    checkMpi(argc, argv);
    const argList args(argc, argv);
    if (args.found("listKernels"))
    {
        listKernels();
        return 0;
    }
    if (lbmInit::asked(args))
    {
        if (args.found("internal"))
        {
            lbmInitInside(args).make();
        }
        else
        {
            lbmInit(args).make();
        }
        return 0;
    }
    if (!args.checkRootCase()) FatalError.exit();
    const std::string advice(lbm::checkDefaultThreads());
    if (advice.size()) Info<< advice.c_str() << nl << endl;
    lbmStopSignal::endAtOnce(lbmCaseLock::release);
    const bool dryRun = args.found("dry-run");
    const scalar sketched = nodesOfSketch(args);
    const bool parallel = args.parRunControl().parRun();
    if (parallel && !Pstream::master())
    {
        serveRanks();
        return 0;
    }
    std::unique_ptr<aloneInOpenFOAM> alone;
    if (parallel)
    {
        leadRanks(args);
        alone.reset(new aloneInOpenFOAM);
    }
    if (!dryRun) takeCase(args);

    std::unique_ptr<lbmProcessorCase> processors;
    if (parallel) processors.reset(new lbmProcessorCase(args, dryRun));
    std::unique_ptr<lbmTime> runTime;
    autoPtr<fvMesh> mesh;
    scalar meshCells = 0;
    lbmPhases phases;
    std::unique_ptr<lbmRun> run;
    lbmProgram::reading
    ([&]{
        readCase
        (
            args, processors.get(), sketched, runTime, mesh, meshCells
        );
        phases.end("mesh");
    });
    try
    {
        lbmProgram::reading
        ([&]{
            makeRun(*runTime, *mesh, sketched, meshCells, phases, run);
        });
        if (dryRun) run->planModels(phases);
        else run->loop(phases);
    }
    catch (const std::exception& fault)
    {
        // A device that fails says which, and what it was doing
        FatalErrorInFunction
            << lbmRankFault::words(fault).c_str() << nl
            << "Time is " << runTime->timeName()
            << "; times written before are whole" << exit(FatalError);
    }

    Info<< "End\n" << endl;
    if (parallel)
    {
        run.reset();
        processors.reset();
        // mpirun may end its processes when these have ended MPI
        lbmCaseLock::release();
        lbm::endRanks();
    }
    return 0;
}


int main(int argc, char* argv[])
{
    return lbmProgram::run(argc, argv, lbmFoam);
}
