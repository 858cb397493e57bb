/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/voxelizer/voxelizer.H"
#include "plugin/lbmVoxelize/outputMesh/outputMesh.H"
#include "plugin/lbmVoxelize/voxelMesh/voxelMesh.H"
#include "plugin/lbmVoxelize/voxelSettings/voxelSettings.H"

#include "lbm/api/HostMemory.hpp"
#include "lbm/api/Solver.hpp"

#include "IOdictionary.H"
#include "IOmanip.H"
#include "OSspecific.H"
#include "Time.H"
#include "cyclicPolyPatch.H"
#include "emptyPolyPatch.H"
#include "fvMesh.H"
#include "polyPatch.H"
#include "wallPolyPatch.H"

namespace Foam
{

//- Cell faces are crossed by links along the axes, so these alone decide
static const std::vector<lbm::Int3> axes =
{
    {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}
};


static void checkMemory(const voxelSettings& settings, const scalar n, const char* what, const scalar bytes)
{
    const scalar available = lbm::availableMemory();
    if (bytes > available)
    {
        FatalIOErrorInFunction(settings.dict())
            << n << ' ' << what << " need about " << bytes/1e9 << " GB of memory, but " << available/1e9
            << " GB are available; choose larger cells (" << settings.cellEntry().c_str() << ')' << exit(FatalIOError);
    }
}


void voxelizer::checkLabels(const voxelSettings& settings, const scalar cells)
{
    const scalar facesPerCell = 6;      // most: each cell for itself
    if (cells*facesPerCell > labelMax)
    {
        FatalIOErrorInFunction(settings.dict())
            << cells << " cells may have more faces than labels of this OpenFOAM can count; "
            << "choose larger cells (" << settings.cellEntry().c_str() << ')' << exit(FatalIOError);
    }
}


//- Of many nodes it takes minutes
static void tellLattice(const lbm::LatticeBox& box)
{
    Info<< "Lattice    " << box.size[0] << " x " << box.size[1] << " x " << box.size[2] << " nodes, spacing "
        << box.spacing << " m" << endl;
}


//- Nodes, links along the axes, one connected region
static lbm::Domain voxelize
(
    const voxelSettings& settings, const lbm::TriangleMesh& surface, const lbm::LatticeBox& box, const bool writes
)
{
    lbm::KeptDomain kept;
    try
    {
        const lbm::DomainKeeper keeper(settings.keeper(writes));
        kept = keeper.domain("cells", surface, box, axes, settings.options(surface));
        voxelizer::tell(kept, keeper, false);
    }
    catch (const lbm::SurfaceError& e)
    {
        settings.refuse(e, box.spacing);
    }
    const lbm::SurfaceFacts& facts = kept.made.facts;
    const lbm::Pockets& pockets = kept.made.pockets;

    if (!kept.read)
    {
        Info<< "Voxelized in " << facts.voxelizeSeconds + facts.linkSeconds << " s, rays on " << facts.raysOn.c_str()
            << nl;
    }
    Info<< "    inside by " << (facts.byWindingNumber ? "winding number" : "crossings")
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
    return std::move(kept.made.domain);
}


//- How many of each size, where there are several
static void printSizes(const voxelCells& cells)
{
    const labelList sizes(cells.sizes());
    if (sizes.size() == 1) return;
    Info<< nl << "          ";
    forAll(sizes, level)
    {
        if (!sizes[level]) continue;
        Info<< (level ? ", " : " ") << sizes[level] << " of " << (1 << level)*cells.domain().spacing << " m";
    }
}


//- Regions that no cell meets; of many a few by name
static void printMissed(const std::vector<std::string>& regions, const labelList& faces)
{
    const label fewNames = 5;
    std::string names;
    label missed = 0;
    forAll(faces, i)
    {
        if (faces[i]) continue;
        if (missed < fewNames) names += (missed ? ", " : "") + regions[i];
        ++missed;
    }
    if (!missed) return;
    Info<< "Regions    " << missed << " of " << faces.size() << " are met by no cell: " << names.c_str();
    if (missed > fewNames) Info<< " and " << missed - fewNames << " more";
    Info<< nl;
}


static void printPlan
(
    const lbm::TriangleMesh& surface, const voxelCells& cells, const voxelSettings& settings
)
{
    const lbm::Domain& domain = cells.domain();
    // Of several surfaces, or with holes, the report tells (-report)
    const bool closed = settings.options(surface).enclosure < 0 && lbm::edgeDefects(surface).none();
    Info<< nl
        << "Surface    " << label(surface.triangles.size()) << " triangles, "
        << label(surface.regionNames.size()) << " regions" << nl
        << "Cells      " << cells.size() << ", " << 100*domain.porosity() << " % of the box";
    printSizes(cells);
    Info<< nl
        << "Volume     " << domain.fluidNodes()*pow3(domain.spacing) << " m3";
    if (closed)
    {
        Info<< ", of the surface " << lbm::volume(surface) << " m3";
    }
    Info<< nl
        << "Memory     " << cells.size()*voxelMesh::bytesPerCell/1e6 << " MB" << nl;
    printMissed(domain.patches, cells.patchFaces());
    Info<< endl;
}

} // End namespace Foam


lbm::LatticeBox Foam::voxelizer::lattice
(
    const voxelSettings& settings, const lbm::TriangleMesh& surface, const scalar bytesEach
)
{
    const lbm::LatticeBox box = settings.lattice(surface);
    tellLattice(box);
    const scalar nodes = scalar(box.size[0])*box.size[1]*box.size[2];
    checkMemory(settings, nodes, "nodes", nodes*bytesEach);
    return box;
}


void Foam::voxelizer::tellBox
(
    const voxelSettings& settings, const lbm::TriangleMesh& surface, const lbm::LatticeBox& box
)
{
    const autoPtr<outputMesh> output(settings.output(surface));
    if (!output.valid())
    {
        tellLattice(box);
        return;
    }
    Info<< "Mesh       entry outputMesh: " << box.size[0] << " x " << box.size[1] << " x " << box.size[2] << " cells of "
        << box.spacing << " m";
    if (!output->uniform())
    {
        Info<< " if all were small, of up to " << (1 << output->levels(box.spacing))*box.spacing << " m outside its box";
    }
    Info<< endl;
}


lbm::LatticeBox Foam::voxelizer::cellBox(const voxelSettings& settings, const lbm::TriangleMesh& surface)
{
    const lbm::LatticeBox box(settings.cells(surface));
    tellBox(settings, surface, box);
    const scalar nodes = scalar(box.size[0])*box.size[1]*box.size[2];
    checkMemory(settings, nodes, "small cells", nodes*bytesPerNode);
    return box;
}


Foam::voxelCells Foam::voxelizer::cells
(
    const voxelSettings& settings, const lbm::TriangleMesh& surface, const lbm::LatticeBox& box, const bool writes
)
{
    const autoPtr<outputMesh> output(settings.output(surface));
    lbm::Domain domain(voxelize(settings, surface, box, writes));
    // Before labels count them
    if (!output.valid()) checkLabels(settings, scalar(domain.fluidNodes()));
    voxelCells result
    (
        output.valid()
      ? voxelCells(std::move(domain), output->nodes(box), output->levels(box.spacing), output->domain())
      : voxelCells(std::move(domain))
    );
    if (output.valid() && !result.reachesBox())
    {
        FatalIOErrorInFunction(output->dict())
            << "Entry box: it holds no cell: where it lies, the surfaces leave no fluid" << exit(FatalIOError);
    }
    printPlan(surface, result, settings);
    const scalar n = result.size();
    checkMemory(settings, n, "cells", n*voxelMesh::bytesPerCell);
    checkLabels(settings, n);
    return result;
}


void Foam::voxelizer::tellPatches(const voxelCells& cells, const voxelSettings& settings)
{
    const std::vector<std::string>& names = cells.domain().patches;
    const labelList faces(cells.patchFaces());
    std::size_t width = 22;
    for (const std::string& name : names) width = std::max(width, name.size());
    Info<< "Patches" << nl;
    forAll(faces, i)
    {
        Info<< "    " << setf(ios_base::left) << setw(int(width + 2)) << names[i].c_str()
            << setw(16) << settings.patch(word(names[i])).get<word>("type").c_str()
            << faces[i] << " faces" << nl;
    }
    Info<< endl;
}


void Foam::voxelizer::tell(const lbm::KeptDomain& kept, const lbm::DomainKeeper& keeper, const bool fatal)
{
    if (kept.fault.size() && fatal)
    {
        FatalErrorInFunction << "Entry domainFile: " << kept.fault.c_str() << exit(FatalError);
    }
    if (kept.read)
    {
        Info<< "Read from " << keeper.file().c_str() << nl;
    }
    else if (kept.why.size())
    {
        Info<< "Made anew: " << kept.why.c_str() << nl;
    }
    if (kept.fault.size())
    {
        Info<< "Not kept: " << kept.fault.c_str() << nl;
    }
}


namespace Foam
{

//- Entry lattice of system/lbmDict, or what it is without one
static std::vector<lbm::Int3> latticeDirections(const voxelSettings& settings)
{
    try
    {
        return lbm::latticeDirections(settings.ofLattice("lattice", "D3Q19"));
    }
    catch (const std::exception&)
    {
        return {};      // lbmFoam says so
    }
}

} // End namespace Foam


void Foam::voxelizer::keepLattice
(
    const voxelSettings& settings, const lbm::TriangleMesh& surface
)
{
    const lbm::DomainKeeper keeper(settings.keeper(true));
    const std::vector<lbm::Int3> directions(latticeDirections(settings));
    if (keeper.file().empty() || directions.empty() || settings.automatic())
    {
        return;
    }
    lbm::SurfaceOptions options(settings.options(surface));
    for (const std::string& region : surface.regionNames)
    {
        const word type(settings.patch(region).get<word>("type"));
        options.preferred.push_back(type == wallPolyPatch::typeName);
        options.transparent.push_back(type == cyclicPolyPatch::typeName || type == emptyPolyPatch::typeName);
    }
    // With the spacing alone, as lbmFoam asks for it
    const lbm::LatticeBox box(settings.lattice(surface, settings.lattice(surface).spacing));
    try
    {
        const lbm::KeptDomain kept(keeper.domain("lattice", surface, box, directions, options));
        tell(kept, keeper, true);
        const lbm::SurfaceFacts& facts = kept.made.facts;
        if (!kept.read)
        {
            Info<< "Lattice of " << std::to_string(kept.made.domain.links.size()).c_str() << " links made: nodes in "
                << facts.voxelizeSeconds << " s, links in " << facts.linkSeconds << " s, rays on "
                << facts.raysOn.c_str() << nl;
        }
    }
    catch (const lbm::SurfaceError& e)
    {
        settings.refuse(e, box.spacing);
    }
    Info<< "Nodes and walls of the lattice are in " << keeper.file().c_str() << nl << endl;
}


Foam::List<Foam::polyPatch*> Foam::voxelizer::patches
(
    const polyBoundaryMesh& boundary, const voxelMesh& voxels, const lbm::Domain& domain, const voxelSettings& settings
)
{
    List<polyPatch*> patches(label(domain.patches.size()));
    forAll(patches, patchi)
    {
        const word name(domain.patches[patchi]);
        dictionary dict(settings.patch(name));
        dict.set("nFaces", voxels.nPatchFaces(patchi));
        dict.set("startFace", voxels.patchStart(patchi));
        patches[patchi] = polyPatch::New(name, dict, patchi, boundary).ptr();
    }
    return patches;
}


Foam::autoPtr<Foam::fvMesh> Foam::voxelizer::mesh
(
    const Time& runTime, const voxelCells& cells, const voxelSettings& settings
)
{
    voxelMesh voxels(cells);
    // Schemes are read, and a mesh where there is one: here there is none
    const IOobject io
    (
        fvMesh::defaultRegion, runTime.constant(), runTime, IOobject::READ_IF_PRESENT, IOobject::NO_WRITE
    );
    auto result = autoPtr<fvMesh>::New(io, voxels.points(), voxels.faces(), voxels.owner(), voxels.neighbour());
    result->addFvPatches(patches(result->boundaryMesh(), voxels, cells.domain(), settings));
    return result;
}
