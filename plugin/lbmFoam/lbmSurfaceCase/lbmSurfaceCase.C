// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSurfaceCase.H"
#include "plugin/lbmFoam/lbmFinestCells/lbmFinestCells.H"
#include "lbmControls.H"
#include "lbmMeshFiles.H"
#include "lbmReplacedWalls.H"
#include "lbmSurfaceWalls.H"
#include "IFstream.H"
#include "IOdictionary.H"
#include "fvMesh.H"
#include "namedFile.H"
#include "OSspecific.H"
#include "stringListOps.H"
#include "Time.H"
#include "plugin/lbmVoxelize/caseSurfaces/caseSurfaces.H"
#include "plugin/lbmVoxelize/outputMesh/outputMesh.H"
#include "plugin/lbmVoxelize/snappyCase/snappyCase.H"
#include "plugin/lbmVoxelize/surfaceSplit/surfaceSplit.H"
#include "plugin/lbmVoxelize/voxelCells/voxelCells.H"
#include "plugin/lbmVoxelize/voxelSettings/voxelSettings.H"
#include "plugin/lbmVoxelize/voxelizer/voxelizer.H"

#include <memory>

namespace
{

using namespace Foam;

// Of a sketch: nodes of the lattice's for a cell of the mesh's
const scalar nodesOfCell = 4;


bool hasMesh(const Time& runTime, const word& file = "faces")
{
    const word instance
    (
        runTime.findInstance(polyMesh::meshSubDir, file, IOobject::READ_IF_PRESENT)
    );
    return isFile(runTime.path()/instance/polyMesh::meshSubDir/file);
}


// Of a case without surfaces and faces: no file of a mesh either. What a mesh lacks its reader says
void refuseNothing(const Time& runTime)
{
    if (hasMesh(runTime, "points")) return;
    const bool described = isFile(runTime.path()/runTime.system()/"blockMeshDict");
    FatalErrorInFunction
        << "There is no mesh in constant/" << polyMesh::meshSubDir << " of "
        << runTime.path() << ", nor surfaces in place of one" << nl << "Way out: "
        << (described ? "blockMesh, for there is system/blockMeshDict"
          : "a program that makes a mesh, such as blockMesh; or a case of a surface: "
            "lbmFoam -init FILE -U VELOCITY")
        << exit(FatalError);
}


// As those of caseDicts/setConstraintTypes, or for processors' patches: what any
// patch of a type takes
bool isForTypes(const entry& e)
{
    if (!e.isDict()) return false;
    const word type(e.dict().getOrDefault<word>("type", word::null));
    return type == e.keyword()
        || (e.keyword().isPattern() && polyPatch::constraintType(type));
}


// Where OpenFOAM looks patches up it names those that a field lacks; those that
// it has too many of it passes over
void checkField
(
    const fvMesh& mesh,
    const word& name,
    const std::vector<lbm::RimFate>& rims,
    const wordList& leftOut
)
{
    const IOobject io
    (
        name,
        mesh.time().timeName(),
        mesh,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );
    if (!isFile(io.objectPath())) return;       // reading says so
    const dictionary field
    (
        namedFile::read
        (
            io.objectPath(),
            [&]
            {
                IFstream is(io.objectPath());
                IOobject header(io);
                header.readHeader(is);
                return dictionary(is);
            }
        )
    );
    const dictionary& patches = field.subOrEmptyDict("boundaryField");
    const polyBoundaryMesh& boundary = mesh.boundaryMesh();
    const wordList names(boundary.names());
    for (const polyPatch& patch : boundary)
    {
        bool known = patches.found(patch.name(), keyType::REGEX);
        for (const word& group : patch.inGroups())
        {
            known = known || patches.found(group, keyType::LITERAL);
        }
        if (known) continue;
        FatalIOErrorInFunction(dictionary(fileName(io.objectPath())))
            << "Region " << patch.name() << " of the surfaces is no patch of "
            << "boundaryField, which has " << flatOutput(patches.toc()) << nl
            << "The regions are " << flatOutput(names) << nl
            << lbm::rimsText(rims).c_str() << exit(FatalIOError);
    }
    for (const entry& e : patches)
    {
        const bool used = e.keyword().isPattern()
          ? findStrings(e.keyword(), names).size() > 0
          : names.found(e.keyword())
         || boundary.groupPatchIDs().found(e.keyword());
        if (used || isForTypes(e) || leftOut.found(e.keyword())) continue;
        FatalIOErrorInFunction(dictionary(fileName(io.objectPath())))
            << "Patch " << e.keyword() << " of boundaryField is no region of the"
            << " surfaces" << nl << "The regions are " << flatOutput(names)
            << nl << lbm::rimsText(rims).c_str() << exit(FatalIOError);
    }
}


// What is open is closed by faces that no file shows
void tellOpenings(const voxelSettings& settings, const lbm::TriangleMesh& surface)
{
    const lbm::TriangleMesh bodies
    (
        lbm::bodiesOf(surface, settings.options(surface))
    );
    const lbm::EdgeDefects defects(lbm::edgeDefects(bodies));
    if (defects.none()) return;
    Info<< "The surfaces are not closed: " << label(defects.open)
        << " open edges, " << label(defects.misoriented)
        << " between triangles that face different ways. Gaps count as walls;"
        << " lbmVoxelize -report shows them" << nl << endl;
}


void giveWalls
(
    const fvMesh& mesh,
    const std::shared_ptr<const voxelSettings>& settings,
    const std::shared_ptr<const lbm::TriangleMesh>& surface,
    const scalar spacing,
    const bool writes,
    const bool inMemory
)
{
    const auto box = [settings, surface](const scalar dx)
    {
        return settings->lattice(*surface, dx);
    };
    const lbm::DomainKeeper keeper(settings->keeper(writes));
    const auto find = [keeper](auto&&... what)
    {
        lbm::KeptDomain kept(keeper.domain("lattice", what...));
        voxelizer::tell(kept, keeper, false);
        return std::move(kept.made);
    };
    auto* walls = new lbmSurfaceWalls
    (
        mesh, surface, settings->options(*surface), spacing, box, find
    );
    walls->store();
    if (!inMemory) return;
    if (settings->automatic() && spacing > 0) walls->fit();
    walls->refuseBy([settings, surface](const scalar dx)
    {
        const autoPtr<outputMesh> output(settings->output(*surface));
        if (output.valid()) output->checkLattice(dx);
    });
}

scalar boxNodes(const lbm::LatticeBox& box)
{
    return scalar(box.size[0])*box.size[1]*box.size[2];
}


// Coarser by a whole number, if there is one near of which all sides are multiples:
// they lie between cells as they will then
lbm::LatticeBox coarserBox
(
    const voxelSettings& settings,
    const lbm::TriangleMesh& surface,
    const lbm::LatticeBox& box,
    const scalar most
)
{
    const scalar least = Foam::cbrt(boxNodes(box)/most);
    scalar times = ceil(least);
    for (label n = label(times); n <= 2*least; ++n)
    {
        if (box.size[0] % n || box.size[1] % n || box.size[2] % n) continue;
        times = n;
        break;
    }
    return settings.lattice(surface, times*box.spacing);
}


voxelCells sketchedCells
(
    const voxelSettings& settings,
    const lbm::TriangleMesh& surface,
    const lbm::LatticeBox& box,
    const scalar most,
    scalar& meshCells
)
{
    const lbm::LatticeBox coarse(coarserBox(settings, surface, box, most));
    voxelizer::tellBox(settings, surface, box);
    Info<< "Sketch     for the plan, with spacing " << coarse.spacing << " m:" << endl;
    voxelCells cells(voxelizer::cells(settings, surface, coarse, false));
    const autoPtr<outputMesh> output(settings.output(surface));
    meshCells = cells.expected
    (
        coarse.spacing/box.spacing, output.valid() ? output->levels(box.spacing) : 0
    );
    Info<< "Cells      about " << meshCells << " without a sketch" << nl << endl;
    voxelizer::checkLabels(settings, meshCells);
    return cells;
}


// Cells smaller than the lattice's, before any are made: where it is auto, the run
// finds out
void checkOutput
(
    const Time& runTime,
    const voxelSettings& settings,
    const lbm::TriangleMesh& surface,
    const outputMesh& output
)
{
    const lbmControls controls(runTime);
    if (controls.spacingIsAuto()) return;
    if (!controls.spacingIsFree())
    {
        output.checkLattice(controls.spacing(settings.longestSide(surface)));
    }
    else if (!settings.automatic())
    {
        output.checkLattice(settings.lattice(surface).spacing);
    }
}


// As a mesh that lbmVoxelize made of them, in any order
bool hasPatches(const fvMesh& mesh, const lbm::TriangleMesh& surface)
{
    wordList regions(label(surface.regionNames.size()));
    forAll(regions, i) regions[i] = surface.regionNames[i];
    wordList patches(mesh.boundaryMesh().names());
    sort(regions);
    sort(patches);
    return patches == regions;
}


// Links have numbers of regions, and the mesh takes these for its patches'
void numberAs(const polyBoundaryMesh& boundary, lbm::TriangleMesh& surface)
{
    for (std::int16_t& region : surface.regions)
    {
        region = std::int16_t(boundary.findPatchID(surface.regionNames[region]));
    }
    forAll(boundary, patchi) surface.regionNames[patchi] = boundary[patchi].name();
}


// Openings are the mesh's: without the caps of the surfaces' open ends
lbm::TriangleMesh withoutCaps
(
    const voxelSettings& settings,
    const lbm::TriangleMesh& surface
)
{
    wordHashSet caps;
    for (const lbm::RimFate& rim : settings.rims())
    {
        if (rim.patch != rim.surface) caps.insert(rim.patch);
    }
    lbm::TriangleMesh result(surface);
    result.triangles.clear();
    result.regions.clear();
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    {
        if (caps.found(surface.regionNames[surface.regions[t]])) continue;
        result.triangles.push_back(surface.triangles[t]);
        result.regions.push_back(surface.regions[t]);
    }
    surfaceSplit::dropEmpty(result);
    return result;
}


// Of entries that are for a mesh of the surfaces alone
void refuseWithoutEffect(const fvMesh& mesh, const dictionary& dict)
{
    for (const word key : {"domainFile", "outputMesh", "patches"})
    {
        if (!dict.found(key)) continue;
        FatalIOErrorInFunction(dict)
            << "Entry " << key << " has no effect on this mesh, which has other patches"
            << " than the surfaces have regions, " << flatOutput(mesh.boundaryMesh().names())
            << ": the surfaces give it walls alone" << nl << "Leave the entry out"
            << exit(FatalIOError);
    }
}


void replaceWalls
(
    const fvMesh& mesh,
    const voxelSettings& settings,
    const lbm::TriangleMesh& all
)
{
    const lbm::TriangleMesh surface(withoutCaps(settings, all));
    Info<< "Walls of the mesh are the surfaces of system/"
        << settings.dict().name().name() << " where these have their names" << nl
        << endl;
    auto* walls = new lbmReplacedWalls
    (
        mesh,
        surface,
        settings.files(surface.regionNames),
        settings.options(surface),
        settings.automatic() ? 0 : settings.lattice(surface).spacing,
        settings.dict()
    );
    walls->store();
    refuseWithoutEffect(mesh, settings.dict());
}


// Of lbmDict [m]: 0 where it says nothing, -1 where it is auto
scalar sizeGiven(const Time& runTime, const boundBox& box)
{
    if (!isFile(runTime.path()/runTime.system()/"lbmDict")) return 0;
    const lbmControls controls(runTime);
    if (controls.spacingIsAuto()) return -1;
    return controls.spacingIsFree() ? 0 : controls.spacing(cmptMax(box.span()));
}


autoPtr<fvMesh> meshInMemory
(
    const Time& runTime,
    voxelSettings& settings,
    const lbm::TriangleMesh& surface,
    const bool writes,
    const scalar sketchNodes,
    scalar& meshCells,
    scalar& spacing
)
{
    const autoPtr<outputMesh> output(settings.output(surface));
    if (output.valid()) checkOutput(runTime, settings, surface, *output);
    const bool fits = settings.automatic() && !output.valid();

    // Each cell of a mesh takes as much as several nodes
    const scalar most = sketchNodes/nodesOfCell;
    if (fits && most > 0) lbmFinestCells::choose(runTime, settings, surface);
    const lbm::LatticeBox box(settings.cells(surface));
    const bool sketches = most > 0 && boxNodes(box) > sketchNodes;
    const voxelCells cells
    (
        sketches
      ? sketchedCells(settings, surface, box, most, meshCells)
      : fits
      ? lbmFinestCells::make(runTime, settings, surface, writes)
      : voxelizer::cells
        (
            settings, surface, voxelizer::cellBox(settings, surface), writes
        )
    );
    // Of the lattice; auto: the run finds out what memory holds beside this mesh
    spacing = settings.automatic() && output.valid()
      ? 0 : settings.lattice(surface).spacing;
    return voxelizer::mesh(runTime, cells, settings);
}

} // End anonymous namespace


Foam::autoPtr<Foam::fvMesh> Foam::lbmSurfaceCase::read
(
    const Time& runTime,
    const bool writes,
    const scalar sketchNodes,
    scalar& meshCells
)
{
    meshCells = 0;
    const bool meshed = hasMesh(runTime);
    std::shared_ptr<voxelSettings> settings(caseSurfaces::find(runTime));
    std::unique_ptr<snappyCase> snappy;
    autoPtr<fvMesh> mesh;
    if (!settings && !meshed && snappyCase::found(runTime))
    {
        snappy.reset(new snappyCase(runTime));
        settings = snappy->settings(sizeGiven(runTime, snappy->box().bounds()));
    }
    if (!settings || (meshed && !settings->exactWalls()))
    {
        if (!meshed) refuseNothing(runTime);
        return lbmMeshFiles::read(runTime);
    }

    lbm::TriangleMesh surface(settings->surface());
    if (meshed)
    {
        mesh = lbmMeshFiles::read(runTime);
        if (!hasPatches(*mesh, surface))
        {
            replaceWalls(*mesh, *settings, surface);
            return mesh;
        }
        numberAs(mesh->boundaryMesh(), surface);
    }
    settings->checkPatches(surface.regionNames);
    Info<< "Walls are the surfaces of system/" << settings->dict().name().name()
        << "; " << (meshed ? "the mesh carries fields" : "without constant/polyMesh"
           " the mesh for fields is made in memory") << nl;
    wordList leftOut;
    if (snappy)
    {
        snappy->tell(sizeGiven(runTime, snappy->box().bounds()));
        leftOut = snappy->dropUnseen(*settings, surface);
    }
    tellOpenings(*settings, surface);

    scalar spacing = 0;
    if (meshed)
    {
        if (!settings->automatic()) spacing = voxelizer::lattice(*settings, surface).spacing;
    }
    else
    {
        mesh = meshInMemory
        (
            runTime, *settings, surface, writes, sketchNodes, meshCells, spacing
        );
    }
    checkField(*mesh, "U", settings->rims(), leftOut);
    checkField(*mesh, "p", settings->rims(), leftOut);
    giveWalls
    (
        *mesh,
        settings,
        std::make_shared<const lbm::TriangleMesh>(std::move(surface)),
        spacing,
        writes,
        !meshed
    );
    return mesh;
}
