/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/snappyCase/snappyCase.H"
#include "plugin/lbmVoxelize/snappyCase/shapeTriangles.H"
#include "plugin/lbmVoxelize/voxelSettings/voxelSettings.H"

#include "OSspecific.H"
#include "Switch.H"
#include "Time.H"
#include "cartesianCS.H"
#include "emptyPolyPatch.H"
#include "labelPair.H"
#include "namedFile.H"
#include "triSurfaceMesh.H"
#include "wallPolyPatch.H"

#include <set>

namespace
{

using namespace Foam;

//- Of the box, at most, to see which of its sides the fluid reaches
const scalar sketchNodes = 4e6;

const std::vector<lbm::Int3> axes =
{
    {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}
};


bool isFileType(const word& type)
{
    return type == triSurfaceMesh::typeName || type == "closedTriSurfaceMesh" || type == "distributedTriSurfaceMesh";
}


//- As numbers: added as a vector it would be printed with the case's writePrecision
void addPoints(dictionary& dict, const word& key, std::initializer_list<point> points)
{
    DynamicList<token> tokens;
    for (const point& p : points)
    {
        tokens.append(token(token::BEGIN_LIST));
        for (direction a = 0; a < 3; ++a) tokens.append(token(p[a]));
        tokens.append(token(token::END_LIST));
    }
    dict.add(new primitiveEntry(key, static_cast<const UList<token>&>(tokens)));
}

} // End anonymous namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::IOobject Foam::snappyCase::file(const Time& runTime)
{
    return IOobject("snappyHexMeshDict", runTime.system(), runTime, IOobject::MUST_READ, IOobject::NO_WRITE, false);
}


void Foam::snappyCase::findWalls()
{
    const dictionary& surfaces = controls().subDict("refinementSurfaces");
    for (const entry& e : dict_.subDict("geometry"))
    {
        if (!e.isDict())
        {
            FatalIOErrorInFunction(dict_.subDict("geometry"))
                << "Entry " << e.keyword() << " is not a dictionary" << exit(FatalIOError);
        }
        const word name(e.dict().getOrDefault<word>("name", e.keyword()));
        const dictionary* refinement = surfaces.findDict(name, keyType::REGEX);
        if (!refinement) continue;
        const wall w{e.keyword(), name, &e.dict(), refinement};
        takeLevel(*refinement);
        for (const entry& region : refinement->subOrEmptyDict("regions"))
        {
            if (region.isDict()) takeLevel(region.dict());
        }
        if (isZone(w)) zones_.append(name);
        else walls_.push_back(w);
    }
    if (walls_.empty())
    {
        FatalIOErrorInFunction(surfaces)
            << "No surface of geometry is a wall; geometry has " << flatOutput(dict_.subDict("geometry").toc())
            << exit(FatalIOError);
    }
}


void Foam::snappyCase::checkNames() const
{
    wordList names;
    for (const wall& w : walls_) names.append(w.name);
    names.append(zones_);
    for (const entry& e : controls().subDict("refinementSurfaces"))
    {
        bool used = false;
        for (const word& name : names) used = used || e.keyword().match(name);
        if (used) continue;
        FatalIOErrorInFunction(controls().subDict("refinementSurfaces"))
            << "Entry " << e.keyword() << " is no surface of geometry, which has "
            << flatOutput(dict_.subDict("geometry").toc()) << exit(FatalIOError);
    }
}


void Foam::snappyCase::checkInside() const
{
    const point inside(controls().get<point>("locationInMesh"));
    if (box_.bounds().contains(inside)) return;
    FatalIOErrorInFunction(controls())
        << "Entry locationInMesh is " << inside << ", outside the box of " << box_.dict().name() << " from "
        << box_.bounds().min() << " to " << box_.bounds().max() << " m" << exit(FatalIOError);
}


void Foam::snappyCase::takeLevel(const dictionary& refinement)
{
    if (!refinement.found("level")) return;
    const labelPair levels(refinement.get<labelPair>("level"));
    const label most = 20;
    if (levels.first() < 0 || levels.second() < levels.first() || levels.second() > most)
    {
        FatalIOErrorInFunction(refinement)
            << "Entry level is " << levels << ": a lower and a higher level from 0 to " << most << exit(FatalIOError);
    }
    level_ = max(level_, levels.second());
}


// Both sides of its faces are fluid
bool Foam::snappyCase::isZone(const wall& w)
{
    if (!w.refinement->found("faceZone")) return false;
    const word type(w.refinement->getOrDefault<word>("faceType", "internal"));
    if (type == "internal") return true;
    FatalIOErrorInFunction(*w.refinement)
        << "Entry faceType is " << type << ": walls without thickness within the fluid need a mesh (snappyHexMesh)"
        << exit(FatalIOError);
    return false;
}


// As triSurfaceMesh finds it
Foam::fileName Foam::snappyCase::pathOf(const wall& w) const
{
    fileName path(w.geometry->getOrDefault<fileName>("file", w.key));
    path.expand();
    if (!path.isAbsolute()) path = time_.path()/time_.constant()/"triSurface"/path;
    const fileName zipped(path + ".gz");
    return !isFile(path, false) && isFile(zipped, false) ? zipped : path;
}


// As searchableSurfaces calls it
Foam::word Foam::snappyCase::regionName(const wall& w, const word& local, const bool single) const
{
    const dictionary& named = w.geometry->subOrEmptyDict("regions");
    if (const dictionary* own = named.findDict(local, keyType::LITERAL)) return own->get<word>("name");
    const bool whole = single && dict_.getOrDefault<bool>("singleRegionName", true);
    return whole ? w.name : word(w.name + '_' + local);
}


Foam::dictionary Foam::snappyCase::patchOf(const wall& w, const word& local) const
{
    const dictionary& regions = w.refinement->subOrEmptyDict("regions");
    const dictionary* own = regions.findDict(local, keyType::REGEX);
    dictionary patch;
    if (own && own->found("patchInfo")) patch = own->subDict("patchInfo");
    else if (w.refinement->found("patchInfo")) patch = w.refinement->subDict("patchInfo");
    if (!patch.found("type")) patch.add("type", wallPolyPatch::typeName);
    return patch;
}


lbm::TriangleMesh Foam::snappyCase::file(const wall& w) const
{
    const scalar scale = w.geometry->getOrDefault<scalar>("scale", 1);
    try
    {
        return lbm::readSurface(pathOf(w), scale > VSMALL ? scale : 1);
    }
    catch (const lbm::SurfaceError& e)
    {
        FatalIOErrorInFunction(*w.geometry) << e.what() << exit(FatalIOError);
    }
    return lbm::TriangleMesh();
}


// Of geometry, with its own names of regions
lbm::TriangleMesh Foam::snappyCase::triangles(const wall& w) const
{
    const word type(w.geometry->get<word>("type"));
    if (isFileType(type)) return file(w);
    if (type == "searchableSurfaceCollection" || type == "collection") return collection(w);
    // The only region of OpenFOAM's shapes
    return shapeTriangles::of(*w.geometry, "region0", cellSize_);
}


// As searchableSurfaceCollection places and names them
lbm::TriangleMesh Foam::snappyCase::collection(const wall& w) const
{
    const dictionary& geometry = dict_.subDict("geometry");
    const bool merges = w.geometry->get<bool>("mergeSubRegions");
    lbm::TriangleMesh all;
    label number = 0;
    for (const entry& e : *w.geometry)
    {
        if (!e.isDict() || !e.dict().found("surface")) continue;
        const dictionary& own = e.dict();
        const word key(own.get<word>("surface"));
        const dictionary* part = geometry.findDict(key, keyType::LITERAL);
        if (!part || part == w.geometry)
        {
            FatalIOErrorInFunction(own)
                << "Entry surface is " << key << ": geometry has " << flatOutput(geometry.toc()) << exit(FatalIOError);
        }
        lbm::TriangleMesh mesh(triangles({key, key, part, w.refinement}));
        const vector scale(own.get<vector>("scale"));
        const bool old = own.subDict("transform").found("coordinateSystem");
        const coordSystem::cartesian axes
        (
            old ? own.subDict("transform") : own, old ? "coordinateSystem" : "transform"
        );
        for (lbm::Vec3& p : mesh.points)
        {
            const point q(axes.globalPosition(cmptMultiply(point(p[0], p[1], p[2]), scale)));
            p = {q.x(), q.y(), q.z()};
        }
        if (merges)
        {
            mesh.regionNames = {e.keyword() + "_" + Foam::name(number)};
            mesh.regions.assign(mesh.triangles.size(), 0);
        }
        else for (std::string& name : mesh.regionNames) name = e.keyword() + "_" + name;
        lbm::append(all, mesh);
        ++number;
    }
    return all;
}


lbm::TriangleMesh Foam::snappyCase::bodies(dictionary& patches) const
{
    lbm::TriangleMesh all;
    for (const wall& w : walls_)
    {
        lbm::TriangleMesh mesh(triangles(w));
        const bool single = mesh.regionNames.size() == 1;
        wordList locals;
        for (std::string& name : mesh.regionNames)
        {
            const word local(name);
            locals.append(local);
            const word region(regionName(w, local, single));
            patches.set(keyType(region), patchOf(w, local));
            name = region;
        }
        for (const dictionary* given : {w.geometry->findDict("regions"), w.refinement->findDict("regions")})
        {
            if (!given) continue;
            for (const entry& e : *given)
            {
                // Patterns may be for other surfaces
                bool used = e.keyword().isPattern();
                for (const word& local : locals) used = used || e.keyword().match(local);
                if (used || !e.isDict()) continue;
                FatalIOErrorInFunction(*given)
                    << "Entry " << e.keyword() << " is no region of surface " << w.name << ", which has "
                    << flatOutput(locals) << exit(FatalIOError);
            }
        }
        lbm::append(all, mesh);
    }
    return all;
}


Foam::dictionary Foam::snappyCase::entries
(
    const dictionary& patches, const lbm::TriangleMesh& mesh, const bool automatic
) const
{
    dictionary result;
    result.name() = dict_.name();
    result.add("surfaces", wordList());
    result.add("scale", scalar(1));
    if (automatic) result.add("cellSize", word("auto"));
    else result.add("cellSize", cellSize_);
    addPoints(result, "origin", {box_.bounds().min()});
    addPoints(result, "insidePoint", {controls().get<point>("locationInMesh")});

    dictionary box;
    addPoints(box, "min", {box_.bounds().min()});
    addPoints(box, "max", {box_.bounds().max()});
    box.add("patches", wordList(box_.sides()));
    result.add("box", box);
    result.subDict("box").name() = box_.dict().name();

    // Cells as far from walls as blockMesh's, where these hold eight of the lattice's or more
    if (!automatic && box_.cellSize() > 1.5*cellSize_)
    {
        const lbm::Bounds b(lbm::bounds(mesh));
        boundBox around(point(b.min[0], b.min[1], b.min[2]), point(b.max[0], b.max[1], b.max[2]));
        around.min() = max(around.min() - vector::uniform(cellSize_), box_.bounds().min());
        around.max() = min(around.max() + vector::uniform(cellSize_), box_.bounds().max());
        dictionary output;
        addPoints(output, "box", {around.min(), around.max()});
        output.add("cellSize", cellSize_);
        output.add("maxCellSize", box_.cellSize());
        result.add("outputMesh", output);
    }
    dictionary all(patches);
    for (const entry& e : box_.patches())
    {
        const bool side = std::find(box_.sides().begin(), box_.sides().end(), e.keyword()) != box_.sides().end();
        if (side) all.set(e.keyword(), e.dict());
    }
    result.add("patches", all);
    return result;
}


Foam::wordList Foam::snappyCase::notUsed() const
{
    wordList names;
    if (box_.graded()) names.append("grading");
    if (controls().found("features")) names.append("features");
    if (controls().subOrEmptyDict("refinementRegions").size()) names.append("refinementRegions");
    if (dict_.getOrDefault<Switch>("addLayers", false)) names.append("addLayers");
    for (const word& zone : zones_) names.append("faceZone:" + zone);
    return names;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::snappyCase::snappyCase(const Time& runTime)
:
    time_(runTime),
    dict_(namedFile::contents(file(runTime))),
    box_(runTime)
{
    findWalls();
    checkNames();
    checkInside();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

bool Foam::snappyCase::found(const Time& runTime)
{
    return isFile(file(runTime).objectPath());
}


std::shared_ptr<Foam::voxelSettings> Foam::snappyCase::settings(const scalar cellSize)
{
    cellSize_ = cellSize > 0 ? cellSize : box_.cellSize()/(label(1) << level_);
    dictionary patches;
    lbm::TriangleMesh all(bodies(patches));
    const dictionary dict(entries(patches, all, cellSize < 0));
    // They are asked for once
    auto result = std::make_shared<voxelSettings>
    (
        time_, dict, false, [own = std::move(all)]() mutable { return std::move(own); }
    );
    result->nameEntries
    (
        cellSize != 0 ? "entry cellSize or cells of system/lbmDict"
      : "highest level of refinementSurfaces in castellatedMeshControls",
        "entry locationInMesh of castellatedMeshControls"
    );
    return result;
}


void Foam::snappyCase::tell(const bool sizeGiven) const
{
    Info<< "    walls:";
    for (const wall& w : walls_) Info<< ' ' << w.name.c_str();
    Info<< " (refinementSurfaces); " << box_.dict().name() << ": box from "
        << box_.bounds().min() << " to " << box_.bounds().max() << " m, cells of " << box_.cellSize() << " m" << nl
        << "    cells of " << cellSize_ << " m: "
        << (sizeGiven ? "system/lbmDict" : "level ");
    if (!sizeGiven) Info<< level_ << " of refinementSurfaces";
    Info<< nl;
    const wordList unused(notUsed());
    if (unused.size())
    {
        Info<< "    not used, for they are of a mesh's cells: ";
        forAll(unused, i) Info<< (i ? ", " : "") << unused[i].c_str();
        Info<< nl;
    }
}


Foam::wordList Foam::snappyCase::dropUnseen(voxelSettings& settings, lbm::TriangleMesh& surface) const
{
    const lbm::SurfaceOptions options(settings.options(surface));
    lbm::LatticeBox box(settings.lattice(surface));
    const scalar nodes = scalar(box.size[0])*box.size[1]*box.size[2];
    if (nodes > sketchNodes) box = settings.lattice(surface, box.spacing*Foam::cbrt(nodes/sketchNodes));
    std::vector<std::int64_t> links;
    try
    {
        links = lbm::linksPerPatch(lbm::connectedDomain(surface, box, axes, options).domain);
    }
    catch (const lbm::SurfaceError& e)
    {
        // The run's cells are smaller, and may find fluid
        if (nodes > sketchNodes)
        {
            Info<< "    all sides of the box are patches: cells of " << box.spacing << " m, of a sketch, do not tell"
                << " which of them the fluid reaches (" << e.what() << ")" << nl;
            return wordList();
        }
        settings.refuse(e, box.spacing);
    }

    std::set<std::string> sides(box_.sides().begin(), box_.sides().end());
    for (const wall& w : walls_) sides.erase(w.name);
    std::vector<std::size_t> kept, left;
    wordList dropped;
    for (std::size_t i = 0; i < surface.regionNames.size(); ++i)
    {
        const std::string& name = surface.regionNames[i];
        const bool drop = links[i] == 0 && sides.count(name);
        (drop ? left : kept).push_back(i);
        if (drop)
        {
            dropped.append(name);
            Info<< "    no fluid at patch " << name.c_str() << " of blockMeshDict: it is left out" << nl;
        }
        if (drop || settings.patch(name).get<word>("type") != emptyPolyPatch::typeName) continue;
        FatalIOErrorInFunction(box_.dict())
            << "Patch " << name.c_str() << " is of type empty, which flows around surfaces cannot have" << nl
            << "Name patches for all sides of the box (boundary, or defaultPatch)" << exit(FatalIOError);
    }
    if (left.empty()) return dropped;
    settings.leaveOut(label(kept.size()));
    kept.insert(kept.end(), left.begin(), left.end());
    std::vector<std::int16_t> number(kept.size());
    std::vector<std::string> names;
    for (const std::size_t i : kept)
    {
        number[i] = std::int16_t(names.size());
        names.push_back(surface.regionNames[i]);
    }
    for (std::int16_t& region : surface.regions) region = number[region];
    surface.regionNames = names;
    return dropped;
}
