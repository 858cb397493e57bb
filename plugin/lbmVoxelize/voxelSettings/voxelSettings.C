/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/voxelSettings/voxelSettings.H"
#include "lbm/surface/SurfaceDevice.hpp"
#include "plugin/lbmVoxelize/outputMesh/outputMesh.H"
#include "plugin/lbmVoxelize/surfaceRims/surfaceRims.H"
#include "plugin/lbmVoxelize/surfaceSplit/surfaceSplit.H"

#include "Enum.H"
#include "Switch.H"
#include "cyclicPolyPatch.H"
#include "documentedDict.H"
#include "namedFile.H"
#include "polyPatch.H"
#include "stringListOps.H"
#include "vector.H"
#include "wallPolyPatch.H"

#include "Time.H"

#include <cmath>

// * * * * * * * * * * * * * * * Local Functions * * * * * * * * * * * * * * //

namespace Foam
{

static const Enum<lbm::InsideRule> insideRules
({
    { lbm::InsideRule::automatic, "automatic" },
    { lbm::InsideRule::exact, "exact" },
    { lbm::InsideRule::windingNumber, "windingNumber" }
});

//- Triangles of a box
static const label boxTriangles = 12;


//- A node count along one side that int can hold
static label sideNodes(const scalar n, const dictionary& dict, const string& cellEntry)
{
    if (!(n >= 0 && n < labelMax/2))
    {
        FatalIOErrorInFunction(dict)
            << n << " cells along one side are too many (" << cellEntry.c_str() << ')' << exit(FatalIOError);
    }
    return max(label(1), label(n));
}


static void checkExtent(const dictionary& dict, const lbm::Bounds& bounds)
{
    for (int a = 0; a < 3; ++a)
    {
        if (bounds.max[a] > bounds.min[a]) return;
    }
    FatalIOErrorInFunction(dict) << "The surfaces are a point" << exit(FatalIOError);
}

} // End namespace Foam


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

void Foam::voxelSettings::checkEntries() const
{
    documentedDict::checkKeys(dict_, entries().keywords());
    if (dict_.found("cells") == dict_.found("cellSize"))
    {
        FatalIOErrorInFunction(dict_)
            << "Give either cells or cellSize" << exit(FatalIOError);
    }
}


void Foam::voxelSettings::addBox(lbm::TriangleMesh& mesh) const
{
    const dictionary& box = dict_.subDict("box");
    documentedDict::checkKeys(box, entries().subKeys("box"));
    const lbm::Vec3 low = vec("min", box), high = vec("max", box);
    const wordList names(documentedDict::list<wordList>(box, "patches"));
    if (names.size() != 6)
    {
        FatalIOErrorInFunction(box)
            << "patches needs six names: low and high side of x, y and z"
            << exit(FatalIOError);
    }
    std::array<std::string, 6> sides;
    for (int i = 0; i < 6; ++i)
    {
        sides[i] = names[i];
    }
    for (int a = 0; a < 3; ++a)
    {
        if (!(low[a] < high[a]))
        {
            FatalIOErrorInFunction(box) << "min is not below max" << exit(FatalIOError);
        }
    }
    lbm::appendBox(mesh, low, high, sides);
}


void Foam::voxelSettings::checkBox(const lbm::TriangleMesh& bodies) const
{
    if (bodies.points.empty()) return;
    const dictionary& box = dict_.subDict("box");
    const lbm::Vec3 low = vec("min", box), high = vec("max", box);
    const lbm::Bounds bounds = lbm::bounds(bodies);
    for (int a = 0; a < 3; ++a)
    {
        // Ground and walls may stand out of it at some sides, not at all
        if (low[a] < bounds.min[a] || high[a] > bounds.max[a]) return;
    }
    FatalIOErrorInFunction(box)
        << "The box is smaller than the surfaces in it, which extend from ("
        << bounds.min[0] << ' ' << bounds.min[1] << ' ' << bounds.min[2] << ") to ("
        << bounds.max[0] << ' ' << bounds.max[1] << ' ' << bounds.max[2] << ") m" << nl
        << "Choose a box around them, or a scale for the files" << exit(FatalIOError);
}


void Foam::voxelSettings::askForScale(const lbm::TriangleMesh& bodies) const
{
    // Longer than this [m], and no word about units: engineers draw in millimetres
    const scalar large = 50;
    const lbm::Bounds bounds = lbm::bounds(bodies);
    scalar longest = 0;
    for (int a = 0; a < 3; ++a) longest = max(longest, bounds.max[a] - bounds.min[a]);
    if (dict_.found("scale") || longest < large) return;
    Info<< "The surfaces are " << longest << " m long. If their files are in millimetres: entry scale 0.001 of "
        << dict_.name() << "; scale 1 says that they are not" << nl << endl;
}


Foam::scalar Foam::voxelSettings::spacing(const lbm::TriangleMesh& mesh) const
{
    if (!dict_.found("cells")) return cellSize(mesh);
    lbm::TriangleMesh around;
    if (dict_.found("box")) addBox(around);
    return lattice(around.points.empty() ? mesh : around).spacing;
}


Foam::scalar Foam::voxelSettings::cellSize(const lbm::TriangleMesh& mesh) const
{
    // What rims and edges are split by, before the size is known
    const scalar preliminary = 200;
    if (!automatic()) return dict_.getCheck<scalar>("cellSize", scalarMinMax::ge(VSMALL));
    return chosen_ > 0 ? chosen_ : longestSide(mesh)/preliminary;
}


void Foam::voxelSettings::makePatches(lbm::TriangleMesh& mesh)
{
    if (dict_.found("split"))
    {
        surfaceSplit::atEdges(mesh, dict_.subDict("split"), spacing(mesh));
    }
    surfaceSplit::byShapes(mesh, subDict("cutPatches"), time_);

    const bool boxed = dict_.found("box");
    rims_ = surfaceRims::close(mesh, subDict("rims"), boxed, spacing(mesh));
    if (rims_.empty()) return;
    Info<< lbm::rimsText(rims_).c_str() << nl;
}


Foam::dictionary Foam::voxelSettings::subDict(const word& keyword) const
{
    return dict_.found(keyword) ? dict_.subDict(keyword) : dictionary();
}


lbm::Vec3 Foam::voxelSettings::vec(const word& keyword, const dictionary& dict) const
{
    const vector v(dict.get<vector>(keyword));
    return {v.x(), v.y(), v.z()};
}


void Foam::voxelSettings::align(lbm::LatticeBox& box, const lbm::Bounds& bounds) const
{
    const lbm::Vec3 corner = vec("origin", dict_);
    for (int a = 0; a < 3; ++a)
    {
        const scalar low = -lbm::nodesAlong(corner[a] - bounds.min[a], box.spacing);
        const scalar high = lbm::nodesAlong(bounds.max[a] - corner[a], box.spacing);
        box.size[a] = sideNodes(high - low, dict_, cellEntry_);
        box.origin[a] = corner[a] + (low + 0.5)*box.spacing;
    }
}


// * * * * * * * * * * * * * * Static Member Functions * * * * * * * * * * * //

const Foam::documentedDict& Foam::voxelSettings::entries()
{
    using row = documentedDict::row;
    static const documentedDict table
    (
        "lbmVoxelizeDict",
        {
            {
                "surfaces", row::required, "( \"body.stl\" )",
                "STL or OBJ files, plain or .gz, in constant/triSurface; ( ) where a box is all"
            },
            {
                "scale", row::preset, "1",
                "Factor for all coordinates of the files, above 0: 0.001 makes millimetres metres"
            },
            {
                "cells", row::required, "40",
                "Cells along the longest side of the box, or where there is none of the bounds of all surfaces, at least 1; or cellSize"
            },
            {
                "cellSize", row::example, "0.0005",
                "Side of a cell [m], above 0; one of cells and cellSize has to be given. lbmFoam's lattice has it, too, unless"
                " system/lbmDict names another one: the mesh may be far coarser. auto (for lbmFoam, which makes the mesh in"
                " memory): the finest whose run memory holds, see its plan; rims and edges are then judged by cells of which"
                " 200 lie along the longest side"
            },
            {
                "origin", row::example, "(0 0 0)",
                "A corner of a cell [m]. Default: cells are centred in the box or the bounds"
            },
            {
                "box", row::example, "{ min (-1 -1 -1); max (3 1 1); patches ( inlet outlet sides sides ground sides ); }",
                "Adds a box, around a body for example: two corners [m], and the patches of its sides, of x, y and z the low"
                " and the high one. Default: none"
            },
            {
                "outputMesh", row::example, "{ box (-1 -1 0) (3 1 2); cellSize 0.05; maxCellSize 0.4; }",
                "Cells of the mesh, where they are to be others than the lattice's: it carries fields, patches and function"
                " objects, and the lattice may be far finer. In the box (lower corner, upper corner [m]; default:"
                " everywhere) they have this cellSize [m], any that is no less than the lattice's (default: the same);"
                " outside they double from layer to layer up to maxCellSize [m] (default: 8 cellSize), but for those that walls cut, so that"
                " the mesh's boundary is that of cells of one size. It holds for meshes that lbmVoxelize or lbmFoam make"
                " of these surfaces; where constant/polyMesh is, it is taken as it is. Default: none, the mesh has the"
                " cells of this file"
            },
            {
                "insidePoint", row::example, "(0.01 0 0)",
                "The fluid is the connected region that holds this point [m]. Default: the largest region inside"
            },
            {
                "inside", row::preset, insideRules[lbm::InsideRule::automatic],
                documentedDict::oneOf(insideRules) + ". Which nodes lie inside. exact: by crossings, for surfaces that are"
                " closed, else fatal; windingNumber: whatever the surfaces; automatic: the first where it is possible"
            },
            {
                "exactWalls", row::example, "yes",
                "yes: lbmFoam takes walls from these surfaces also where constant/polyMesh is: all that bounds the flow, if the"
                " mesh's patches are their regions, else the walls that have the name of a region or a file. Without a mesh it"
                " always does. Default: yes with a domainFile or in lbmDict, else no"
            },
            {
                "domainFile", row::example, "\"constant/lbmDomain.h5\"",
                "Keeps what the surfaces were made into, nodes and exact walls, in this file (HDF5), which lbmVoxelize and"
                " lbmFoam then read instead of finding them again. Made anew where it does not fit surfaces, cells or"
                " patches, or is damaged; the log says why. Default: none"
            },
            {
                "rims", row::preset, "{}",
                "Open ends of surfaces become patches with a flat cap. By name and a point near the rim's centre [m]:"
                " rims { inlet (0 0 0); outlet (0.03 0 0); }. Other rims, with default patch (where there is no box), are"
                " rim0, rim1, ..., the largest first, if they are flat and at least 4 cells across; smaller ones are"
                " holes that count as walls, as all others with default wall: rims { default wall; inlet (0 0 0); }."
                " lbmVoxelize -report lists them"
            },
            {
                "split", row::example, "{ featureAngle 60; names { inlet (0 0 0); } }",
                "Divides regions of the surfaces into patches at edges with at least this angle [degrees] between normals:"
                " closed ends from walls. Pieces of region vessel are vessel_0, vessel_1, ..., the largest first, or have"
                " the name of a point [m] that they are the nearest to; those less than 4 cells across join a neighbour."
                " regions ( vessel ): only these. Default: none"
            },
            {
                "cutPatches", row::preset, "{}",
                "Patches of the triangles whose centres lie in a shape: cutPatches { inlet { type box; min (-1 -1 -1); max"
                " (0 1 1); } outlet { type plane; point (1 0 0); normal (1 0 0); } dome { type sphere; centre (0 1 0);"
                " radius 1; } }, all in m. Of a plane: on it and on the side of the normal. Any type of OpenFOAM's"
                " searchable surfaces that holds a volume. regions ( wall ): only of these"
            },
            {
                "patches", row::preset, "{}",
                "By region of the surfaces or pattern: patches { inlet { type patch; } \"side.*\" { type symmetry; } }. Further"
                " entries of the type may follow. Where nothing is said: patch for the caps of rims, else wall"
            },
        }
    );
    return table;
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::voxelSettings::voxelSettings
(
    const Time& time, const dictionary& dict, const bool ofLattice, const bodiesReader& bodies
)
:
    time_(time),
    dict_(dict),
    ofLattice_(ofLattice),
    bodies_(bodies),
    patches_(dict.subOrEmptyDict("patches"))
{
    checkEntries();
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::voxelSettings::checkFileNames() const
{
    // fileName takes such characters out, and so means another file
    for (const token& t : dict_.lookup("surfaces"))
    {
        if (!t.isString() || string::valid<fileName>(t.stringToken()))
        {
            continue;
        }
        FatalIOErrorInFunction(dict_)
            << "Entry surfaces: '" << t.stringToken().c_str() << "' has a space or a quote in it, which OpenFOAM "
            << "takes out of file names" << nl << "Rename it, or make a link without one" << exit(FatalIOError);
    }
}


lbm::TriangleMesh Foam::voxelSettings::filesBodies()
{
    checkFileNames();
    const fileNameList files(documentedDict::list<fileNameList>(dict_, "surfaces"));
    if (files.empty() && !dict_.found("box"))
    {
        FatalIOErrorInFunction(dict_) << "surfaces names no file" << exit(FatalIOError);
    }
    const scalar scale = entries().get<scalar>(dict_, "scale");
    if (!(scale >= SMALL))
    {
        FatalIOErrorInFunction(dict_)
            << "Entry scale is " << scale << "; it must be above 0" << exit(FatalIOError);
    }

    lbm::TriangleMesh mesh;
    const fileName folder(time_.path()/time_.constant()/"triSurface");
    for (const fileName& file : files)
    {
        const fileName path(file.isAbsolute() ? file : folder/file);
        try
        {
            const lbm::TriangleMesh read(lbm::readSurface(path, scale));
            const fileName bare(path.hasExt("gz") ? path.lessExt() : path);
            for (const std::string& region : read.regionNames) files_.set(region, bare.nameLessExt());
            lbm::append(mesh, read);
        }
        catch (const lbm::SurfaceError& e)
        {
            FatalIOErrorInFunction(dict_)
                << "Entry surfaces: " << e.what() << exit(FatalIOError);
        }
    }
    return mesh;
}


lbm::TriangleMesh Foam::voxelSettings::surface()
{
    lbm::TriangleMesh mesh(bodies_ ? bodies_() : filesBodies());
    if (mesh.points.size())
    {
        askForScale(mesh);
        try
        {
            makePatches(mesh);
        }
        catch (const lbm::SurfaceError& e)
        {
            FatalIOErrorInFunction(dict_) << e.what() << exit(FatalIOError);
        }
    }
    if (dict_.found("box"))
    {
        checkBox(mesh);
        addBox(mesh);
        boxed_ = true;
    }
    return mesh;
}


Foam::wordList Foam::voxelSettings::files(const std::vector<std::string>& regions) const
{
    wordList result(label(regions.size()));
    forAll(result, i) result[i] = files_.lookup(regions[i], word::null);
    return result;
}


lbm::Bounds Foam::voxelSettings::bounds(const lbm::TriangleMesh& mesh) const
{
    const lbm::Bounds result(boxed_ ? lbm::fluidBounds(mesh, options(mesh)) : lbm::bounds(mesh));
    checkExtent(dict_, result);
    return result;
}


void Foam::voxelSettings::refuse(const lbm::SurfaceError& e, const scalar cellSize) const
{
    OSstream& os = FatalIOErrorInFunction(dict_);
    os  << e.what() << nl << "Cells are of " << cellSize << " m (" << cellEntry_.c_str() << ')';
    if (dict_.found("insidePoint"))
    {
        os  << "; the inside point is " << dict_.get<vector>("insidePoint") << " (" << insideEntry_.c_str() << ')';
    }
    os  << exit(FatalIOError);
    std::abort();
}


bool Foam::voxelSettings::automatic() const
{
    if (!dict_.found("cellSize")) return false;
    const ITstream& given = dict_.lookup("cellSize");
    return given.size() == 1 && given[0].isWord() && given[0].wordToken() == "auto";
}


Foam::scalar Foam::voxelSettings::longestSide(const lbm::TriangleMesh& mesh) const
{
    const lbm::Bounds around = bounds(mesh);
    scalar longest = 0;
    for (int a = 0; a < 3; ++a) longest = max(longest, around.max[a] - around.min[a]);
    return longest;
}


lbm::LatticeBox Foam::voxelSettings::lattice(const lbm::TriangleMesh& mesh) const
{
    if (!dict_.found("cells"))
    {
        return lattice(mesh, cellSize(mesh));
    }
    const label n = dict_.getCheck<label>("cells", labelMinMax::ge(1));
    return lattice(mesh, longestSide(mesh)/n);
}


lbm::LatticeBox Foam::voxelSettings::lattice(const lbm::TriangleMesh& mesh, const scalar spacing) const
{
    const lbm::Bounds around = bounds(mesh);
    lbm::LatticeBox box;
    box.spacing = spacing;
    for (int a = 0; a < 3; ++a)
    {
        const scalar side = around.max[a] - around.min[a];
        box.size[a] = sideNodes(lbm::nodesAlong(side, spacing), dict_, cellEntry_);
        box.origin[a] = (around.min[a] + around.max[a] - spacing*(box.size[a] - 1))/2;
    }
    if (dict_.found("origin"))
    {
        align(box, around);
    }
    return box;
}


lbm::LatticeBox Foam::voxelSettings::cells(const lbm::TriangleMesh& mesh) const
{
    const autoPtr<outputMesh> own(output(mesh));
    return own.valid() ? lattice(mesh, own->cellSize()) : lattice(mesh);
}


Foam::autoPtr<Foam::outputMesh> Foam::voxelSettings::output(const lbm::TriangleMesh& mesh) const
{
    if (!dict_.found("outputMesh")) return nullptr;
    const dictionary& dict = dict_.subDict("outputMesh");
    documentedDict::checkKeys(dict, entries().subKeys("outputMesh"));
    const scalar known = automatic() ? chosen_ : lattice(mesh).spacing;
    auto result = autoPtr<outputMesh>::New(dict, known, bounds(mesh));
    if (result->uniform()) return result;
    for (const std::string& region : mesh.regionNames)
    {
        if (patch(region).get<word>("type") != cyclicPolyPatch::typeName) continue;
        FatalIOErrorInFunction(dict)
            << "Entry box: patch " << region.c_str() << " is cyclic, and needs faces as on its other side, where cells may"
            << " have another size" << nl << "Leave box out: the cells then have one size" << exit(FatalIOError);
    }
    return result;
}


bool Foam::voxelSettings::exactWalls() const
{
    return dict_.getOrDefault<Switch>("exactWalls", ofLattice_ || dict_.found("domainFile"));
}


lbm::DomainKeeper Foam::voxelSettings::keeper(const bool writes) const
{
    if (!dict_.found("domainFile")) return lbm::DomainKeeper(std::string(), false);
    const fileName file(dict_.get<fileName>("domainFile"));
    if (file.empty() || file.back() == '/')
    {
        FatalIOErrorInFunction(dict_) << "Entry domainFile names no file" << exit(FatalIOError);
    }
    return lbm::DomainKeeper(file.isAbsolute() ? file : time_.path()/file, writes);
}


std::optional<lbm::Vec3> Foam::voxelSettings::insidePoint() const
{
    if (!dict_.found("insidePoint"))
    {
        return std::nullopt;
    }
    return vec("insidePoint", dict_);
}


Foam::word Foam::voxelSettings::ofLattice(const word& entry, const word& otherwise) const
{
    const IOobject io("lbmDict", time_.system(), time_, IOobject::MUST_READ, IOobject::NO_WRITE, false);
    if (!isFile(io.objectPath())) return otherwise;
    return IOdictionary(namedFile::contents(io)).getOrDefault<word>(entry, otherwise);
}


lbm::SurfaceOptions Foam::voxelSettings::options(const lbm::TriangleMesh& surface) const
{
    lbm::SurfaceOptions options;
    options.name = "surface";
    options.insidePoint = insidePoint();
    options.rule = entries().get(insideRules, dict_, "inside");
    options.patches = nPatches_;
    options.device = ofLattice("device", "cpu");
    try
    {
        lbm::SurfaceDevice::checkWord(options.device);
    }
    catch (const std::invalid_argument& refused)
    {
        FatalErrorInFunction
            << "Entry device of " << time_.system()/"lbmDict" << ": " << refused.what() << exit(FatalError);
    }
    const label n = surface.triangles.size();
    if (dict_.found("box") && n > boxTriangles)
    {
        options.enclosure = n - boxTriangles;
    }
    return options;
}


void Foam::voxelSettings::checkPatches(const std::vector<std::string>& regions) const
{
    wordList names(regions.size());
    forAll(names, i)
    {
        names[i] = regions[i];
    }
    for (const entry& e : patches_)
    {
        if (!e.isDict())
        {
            FatalIOErrorInFunction(patches_)
                << "Entry " << e.keyword() << " is not a dictionary" << exit(FatalIOError);
        }
        const bool used = e.keyword().isPattern() ? findStrings(e.keyword(), names).size() > 0
          : names.found(e.keyword());
        if (!used)
        {
            FatalIOErrorInFunction(patches_)
                << "Patch " << e.keyword() << " is no region of the surfaces; their regions are "
                << flatOutput(names) << exit(FatalIOError);
        }
        const word type(e.dict().get<word>("type"));
        if (!polyPatch::dictionaryConstructorTablePtr_->found(type))
        {
            FatalIOErrorInFunction(e.dict())
                << "Unknown patch type " << type << "; valid are "
                << flatOutput(polyPatch::dictionaryConstructorTablePtr_->sortedToc())
                << exit(FatalIOError);
        }
    }
}


Foam::dictionary Foam::voxelSettings::patch(const word& region) const
{
    if (const dictionary* found = patches_.findDict(region))
    {
        return *found;
    }
    bool opening = false;
    for (const lbm::RimFate& rim : rims_) opening = opening || (rim.patch == region && rim.surface != region);
    dictionary preset;
    preset.add("type", opening ? polyPatch::typeName : wallPolyPatch::typeName);
    return preset;
}
