/*---------------------------------------------------------------------------*\
Application
    lbmVoxelize

Description
    Makes a mesh of equal cubes from surfaces: the cells around the fluid
    nodes of the lattice that lbmFoam would use, so that a finite-volume solver
    runs on the very same cells; with entry outputMesh those on which lbmFoam gives
    fields of a finer lattice. Reads system/lbmVoxelizeDict, or the same entries in
    surfaces of system/lbmDict (lbmVoxelize -help-dict prints them all), and constant/triSurface,
    writes constant/polyMesh.

    With entry domainFile it also keeps nodes and exact walls in that file, where
    lbmFoam finds them.

    The mesh appears in its place when it is complete, not before. Files there
    that no mesh is made of (blockMeshDict, a user's own) stay. Where
    constant/polyMesh is a link, the link goes and what it leads to stays.

    With -report it writes no mesh, but what is to be known of the surfaces:
    on the screen, and for programs and ParaView as geometry.json and
    geometry.vtp in postProcessing/lbmVoxelize.

    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "sigFpe.H"
#include "lbm/api/Threads.hpp"
#include "plugin/common/lbmProgram.H"
#include "plugin/common/lbmCaseLock.H"
#include "plugin/common/lbmThrowing.H"
#include "plugin/common/lbmWholeFolder.H"
#include "plugin/lbmVoxelize/caseSurfaces/caseSurfaces.H"
#include "plugin/lbmVoxelize/surfaceReport/surfaceReport.H"
#include "plugin/lbmVoxelize/voxelMesh/voxelMesh.H"
#include "plugin/lbmVoxelize/voxelizer/voxelizer.H"
#include "plugin/lbmVoxelize/voxelSettings/voxelSettings.H"

#include "IOmanip.H"
#include "OSspecific.H"
#include "Time.H"
#include "argList.H"
#include "documentedDict.H"
#include "namedFile.H"
#include "polyMesh.H"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

using namespace Foam;

//- Does a file of an older constant/polyMesh belong to the mesh in it?
static bool ofOldMesh(const fileName& file)
{
    // What OpenFOAM's programs write into the folder of a mesh: its lists, what names parts of it, how it was refined
    static const wordHashSet names
    ({
        "points", "faces", "owner", "neighbour", "cells", "boundary", "pointZones", "faceZones", "cellZones",
        "meshModifiers", "parallelData", "sets", "cellMap", "faceMap", "pointMap", "cellLevel", "pointLevel",
        "level0Edge", "refinementHistory", "surfaceIndex", "neighbours", "tetBasePtIs"
    });
    return names.found(word(file.substr(0, file.find('/')), false));
}


static void fail(const lbmWholeFolder& folder, const fileName& to, const string& why)
{
    const string left(folder.discard());
    FatalErrorInFunction
        << "The mesh cannot be written to " << to << ": " << why.c_str() << nl
        << (isDir(to) ? "The mesh that was there is whole" : "No mesh was written");
    if (!left.empty()) FatalError << nl << "Left behind: " << left.c_str();
    FatalError << exit(FatalError);
}


//- Returns what went wrong
static string writeMesh
(
    const argList& args, const Time& runTime, const voxelCells& cells, const voxelSettings& settings,
    const lbmWholeFolder& folder
)
{
    string words("a file was not written to its end");
    try
    {
        const lbmThrowing errorsAreExplained;
        const fileName aside(args.caseName()/runTime.constant()/folder.container().name());
        Time asideTime(runTime.controlDict(), args.rootPath(), aside, "system", "constant", false, false);
        voxelMesh voxels(cells);
        polyMesh mesh
        (
            IOobject
            (
                polyMesh::defaultRegion, asideTime.constant(), asideTime,
                IOobject::NO_READ, IOobject::AUTO_WRITE
            ),
            voxels.points(), voxels.faces(), voxels.owner(), voxels.neighbour()
        );
        mesh.addPatches(voxelizer::patches(mesh.boundaryMesh(), voxels, cells.domain(), settings));

        // coordinates must not lose digits to the case's writePrecision
        IOstream::defaultPrecision(max(10u, IOstream::defaultPrecision()));
        if (mesh.write()) return string();
    }
    catch (const error& fault)
    {
        words = fault.message();
    }
    const string disk(folder.reason());
    return disk.empty() ? words : disk;
}


//- Writes aside, then constant/polyMesh takes its place. A link there goes, what it leads to stays
static void write(const argList& args, const Time& runTime, const voxelCells& cells, const voxelSettings& settings)
{
    const fileName to(args.path()/runTime.constant()/polyMesh::meshSubDir);
    const lbmWholeFolder folder(to, fileName("constant")/polyMesh::meshSubDir);
    const bool link = type(to, false) == fileName::LINK;
    const fileName leadsTo(link ? std::filesystem::read_symlink(std::string(to)).string() : std::string());

    string why(folder.make());
    if (why.empty()) why = writeMesh(args, runTime, cells, settings, folder);
    if (why.empty()) why = folder.finish(ofOldMesh, !link);
    if (!why.empty()) fail(folder, to, why);
    if (link)
    {
        Info<< to << " was a link to " << leadsTo << ", which stays as it is" << nl;
    }
    Info<< "Wrote " << to << nl << endl;
}


static void makeMesh(const argList& args)
{
    // Numbers beyond all limits are to be refused by name, not to end readers
    const sigFpe::ignore readersRefuse;
    #include "createTime.H"

    std::shared_ptr<voxelSettings> found;
    if (!args.found("dict")) found = caseSurfaces::find(runTime);
    if (!found)
    {
        // Where it is missing, reading says so
        const IOobject io
        (
            args.found("dict")
          ? IOobject(args["dict"], runTime, IOobject::MUST_READ, IOobject::NO_WRITE) : caseSurfaces::file(runTime)
        );
        found = std::make_shared<voxelSettings>(runTime, IOdictionary(namedFile::contents(io)));
    }
    voxelSettings& settings = *found;
    const dictionary& dict = settings.dict();

    if (settings.automatic() && !dict.found("outputMesh"))
    {
        FatalIOErrorInFunction(dict)
            << "Entry cellSize is auto: lbmFoam finds out what memory holds, and makes the mesh in memory" << nl
            << "For a mesh on disk give cellSize a number: lbmFoam -dry-run tells the one it chooses; or cells of the"
            << " mesh their own (entry outputMesh)"
            << exit(FatalIOError);
    }

    const lbm::TriangleMesh surface = settings.surface();
    settings.checkPatches(surface.regionNames);
    if (args.found("report"))
    {
        // It counts tiles with bytes: nodes, and joined ones
        const scalar bytesPerNode = 2;
        const surfaceReport report(surface, voxelizer::lattice(settings, surface, bytesPerNode), settings);
        report.print();
        report.write(args.path()/"postProcessing"/"lbmVoxelize");
        return;
    }

    const bool writes = !args.found("dry-run");
    const voxelCells cells(voxelizer::cells(settings, surface, voxelizer::cellBox(settings, surface), writes));
    voxelizer::tellPatches(cells, settings);

    if (writes)
    {
        write(args, runTime, cells, settings);
        voxelizer::keepLattice(settings, surface);
    }
}


static int lbmVoxelize(int argc, char* argv[])
{
    argList::addNote
    (
        "Makes a mesh of equal cubes, one around each lattice node inside surfaces.\n"
        "Reads system/lbmVoxelizeDict (or surfaces of system/lbmDict), writes constant/polyMesh."
    );
    argList::noParallel();
    argList::noFunctionObjects();
    argList::addOption("dict", "file", "Read another dictionary than system/lbmVoxelizeDict");
    argList::addBoolOption("report", "Report on the surfaces (defects, gaps, pockets, advice) and write no mesh");
    argList::addBoolOption("dry-run", "Print the plan (nodes, cells, faces of each patch) and write nothing");
    if (voxelSettings::entries().printIfAsked(argc, argv)) return 0;

    // A file that grows beyond a limit is to end in a message
    std::signal(SIGXFSZ, SIG_IGN);

    #include "setRootCase.H"
    const std::string advice(lbm::checkDefaultThreads());
    if (advice.size()) Info<< advice.c_str() << nl << endl;
    if (!args.found("dry-run"))
    {
        lbmCaseLock::take(args.path());
        lbmWholeFolder::recover(args.path()/"constant");
    }
    lbmProgram::reading([&]{ makeMesh(args); });
    Info<< "End" << nl << endl;
    return 0;
}


int main(int argc, char* argv[])
{
    return lbmProgram::run(argc, argv, lbmVoxelize);
}
