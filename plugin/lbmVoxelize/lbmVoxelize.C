/*---------------------------------------------------------------------------*\
Application
    lbmVoxelize

Description
    Makes a mesh of equal cubes from surfaces: the cells around the fluid
    nodes of the lattice that lbmFoam would use, so that a finite-volume solver
    runs on the very same cells. Reads system/lbmVoxelizeDict
    (lbmVoxelize -help-dict prints all its entries) and constant/triSurface,
    writes constant/polyMesh.

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
#include "plugin/lbmVoxelize/surfaceReport/surfaceReport.H"
#include "plugin/lbmVoxelize/voxelMesh/voxelMesh.H"
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

using namespace Foam;

//- Cell faces are crossed by links along the axes, so these alone decide
static const std::vector<lbm::Int3> axes =
{
    {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}
};


//- Bytes that the machine can give without swapping
static scalar availableMemory()
{
    std::ifstream is("/proc/meminfo");
    std::string key;
    scalar kB = 0;
    while (is >> key)
    {
        if (key == "MemAvailable:" && is >> kB) return 1024*kB;
    }
    FatalErrorInFunction << "/proc/meminfo does not tell the memory available" << exit(FatalError);
    return 0;
}


static void checkMemory(const voxelSettings& settings, const scalar n, const char* what, const scalar bytes)
{
    const scalar available = availableMemory();
    if (bytes > available)
    {
        FatalIOErrorInFunction(settings.dict())
            << n << ' ' << what << " need about " << bytes/1e9 << " GB of memory, but " << available/1e9
            << " GB are available; choose larger cells" << exit(FatalIOError);
    }
}


static void checkLabels(const voxelSettings& settings, const scalar cells)
{
    const scalar facesPerCell = 6;      // most: each cell for itself
    if (cells*facesPerCell > labelMax)
    {
        FatalIOErrorInFunction(settings.dict())
            << cells << " cells may have more faces than labels of this OpenFOAM can count; "
            << "choose larger cells" << exit(FatalIOError);
    }
}


//- Nodes, links along the axes, one connected region
static lbm::Domain voxelize
(
    const voxelSettings& settings, const lbm::TriangleMesh& surface, const lbm::LatticeBox& box
)
{
    const lbm::SurfaceOptions options(settings.options(surface));
    lbm::SurfaceFacts facts;
    lbm::Domain domain;
    lbm::Pockets pockets;
    try
    {
        domain = lbm::makeDomain(surface, box, axes, options, &facts);
        pockets = lbm::keepConnected(domain, axes, settings.insidePoint());
    }
    catch (const lbm::SurfaceError& e)
    {
        FatalIOErrorInFunction(settings.dict()) << e.what() << exit(FatalIOError);
    }

    Info<< "Voxelized in " << facts.voxelizeSeconds + facts.linkSeconds << " s" << nl
        << "    inside by " << (facts.byWindingNumber ? "winding number" : "crossings")
        << (facts.why.empty() ? (facts.byWindingNumber ? ", as asked" : ": the surface is closed") : ": ")
        << facts.why.c_str() << nl;
    if (facts.capLinks)
    {
        Info<< "    " << facts.capLinks << " links end at faces across holes" << nl;
    }
    if (facts.guessedLinks)
    {
        Info<< "    " << facts.guessedLinks << " links miss the surface by little, and take its nearest triangle" << nl;
    }
    if (facts.unitedLinks)
    {
        Info<< "    " << facts.unitedLinks << " links pass walls within overlapping bodies" << nl;
    }
    if (facts.nodesOnSurface)
    {
        Info<< "    " << facts.nodesOnSurface << " nodes lie exactly on the surface and count as solid" << nl;
    }
    if (facts.thinWallLinks)
    {
        Info<< "    " << facts.thinWallLinks << " links are cut by walls thinner than a cell" << nl;
    }
    if (pockets.regions > 1)
    {
        Info<< "    " << pockets.regions << " regions are not connected; kept the "
            << (settings.insidePoint() ? "one with the inside point" : "largest one") << ", removed "
            << pockets.removedNodes << " nodes of the others" << nl;
    }
    return domain;
}


static void printPlan
(
    const lbm::TriangleMesh& surface, const lbm::Domain& domain, const voxelSettings& settings
)
{
    const scalar cells = domain.fluidNodes();
    // Of several surfaces, or with holes, the report tells (-report)
    const bool closed = settings.options(surface).enclosure < 0 && lbm::edgeDefects(surface).none();
    Info<< nl
        << "Surface    " << label(surface.triangles.size()) << " triangles, "
        << label(surface.regionNames.size()) << " regions" << nl
        << "Cells      " << label(cells) << ", " << 100*domain.porosity() << " % of the nodes" << nl
        << "Volume     " << cells*pow3(domain.spacing) << " m3";
    if (closed)
    {
        Info<< ", of the surface " << lbm::volume(surface) << " m3";
    }
    Info<< nl
        << "Memory     " << cells*voxelMesh::bytesPerCell/1e6 << " MB" << nl
        << nl << "Patches" << nl;
    const std::vector<std::int64_t> faces = lbm::linksPerPatch(domain);
    for (std::size_t i = 0; i < faces.size(); ++i)
    {
        const word name(domain.patches[i]);
        Info<< "    " << setf(ios_base::left) << setw(24) << name.c_str()
            << setw(16) << settings.patch(name).get<word>("type").c_str()
            << label(faces[i]) << " faces" << (faces[i] ? "" : ": no cell meets this region") << nl;
    }
    Info<< endl;
}


static void addPatches(polyMesh& mesh, const voxelMesh& voxels, const lbm::Domain& domain, const voxelSettings& settings)
{
    List<polyPatch*> patches(label(domain.patches.size()));
    label start = voxels.nInternalFaces();
    forAll(patches, patchi)
    {
        const word name(domain.patches[patchi]);
        dictionary dict(settings.patch(name));
        dict.set("nFaces", voxels.nPatchFaces(patchi));
        dict.set("startFace", start);
        start += voxels.nPatchFaces(patchi);
        patches[patchi] = polyPatch::New(name, dict, patchi, mesh.boundaryMesh()).ptr();
    }
    mesh.addPatches(patches);
}


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
    const argList& args, const Time& runTime, const lbm::Domain& domain, const voxelSettings& settings,
    const lbmWholeFolder& folder
)
{
    string words("a file was not written to its end");
    try
    {
        const lbmThrowing errorsAreExplained;
        const fileName aside(args.caseName()/runTime.constant()/folder.container().name());
        Time asideTime(runTime.controlDict(), args.rootPath(), aside, "system", "constant", false, false);
        voxelMesh voxels(domain);
        polyMesh mesh
        (
            IOobject
            (
                polyMesh::defaultRegion, asideTime.constant(), asideTime,
                IOobject::NO_READ, IOobject::AUTO_WRITE
            ),
            voxels.points(), voxels.faces(), voxels.owner(), voxels.neighbour()
        );
        addPatches(mesh, voxels, domain, settings);

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
static void write(const argList& args, const Time& runTime, const lbm::Domain& domain, const voxelSettings& settings)
{
    const fileName to(args.path()/runTime.constant()/polyMesh::meshSubDir);
    const lbmWholeFolder folder(to, fileName("constant")/polyMesh::meshSubDir);
    const bool link = type(to, false) == fileName::LINK;
    const fileName leadsTo(link ? std::filesystem::read_symlink(std::string(to)).string() : std::string());

    string why(folder.make());
    if (why.empty()) why = writeMesh(args, runTime, domain, settings, folder);
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

    IOobject io("lbmVoxelizeDict", runTime.system(), runTime, IOobject::MUST_READ, IOobject::NO_WRITE);
    if (args.found("dict"))
    {
        io = IOobject(args["dict"], runTime, IOobject::MUST_READ, IOobject::NO_WRITE);
    }
    const IOdictionary dict(namedFile::contents(io));
    const voxelSettings settings(dict, args.path()/runTime.constant()/"triSurface");

    const lbm::TriangleMesh surface = settings.surface();
    settings.checkPatches(surface.regionNames);
    const lbm::LatticeBox box = settings.lattice(surface);

    // Of many nodes it takes minutes
    Info<< "Lattice    " << box.size[0] << " x " << box.size[1] << " x " << box.size[2] << " nodes, spacing "
        << box.spacing << " m" << endl;
    const scalar nodes = scalar(box.size[0])*box.size[1]*box.size[2];
    // Bits: fluid, near the surface, side known, seen. The report counts tiles with bytes: nodes, and joined ones
    const scalar bytesPerNode = args.found("report") ? 2 : 0.5;
    checkMemory(settings, nodes, "nodes", nodes*bytesPerNode);

    if (args.found("report"))
    {
        const surfaceReport report(surface, box, settings);
        report.print();
        report.write(args.path()/"postProcessing"/"lbmVoxelize");
        return;
    }

    const lbm::Domain domain = voxelize(settings, surface, box);
    printPlan(surface, domain, settings);
    const scalar cells = domain.fluidNodes();
    checkMemory(settings, cells, "cells", cells*voxelMesh::bytesPerCell);
    checkLabels(settings, cells);

    if (!args.found("dry-run"))
    {
        write(args, runTime, domain, settings);
    }
}


static int lbmVoxelize(int argc, char* argv[])
{
    argList::addNote
    (
        "Makes a mesh of equal cubes, one around each lattice node inside surfaces.\n"
        "Reads system/lbmVoxelizeDict, writes constant/polyMesh."
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
