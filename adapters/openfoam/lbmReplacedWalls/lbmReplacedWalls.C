// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmReplacedWalls.H"
#include "indexedOctree.H"
#include "indirectPrimitivePatch.H"
#include "lbmAxes.H"
#include "PatchTools.H"
#include "stringOps.H"
#include "SubField.H"
#include "treeDataFace.H"
#include "treeDataTriSurface.H"
#include "triSurface.H"
#include "triSurfaceSearch.H"
#include "wallPolyPatch.H"

#include <cmath>

namespace Foam
{
    defineTypeNameAndDebug(lbmReplacedWalls, 0);
}

namespace
{

using namespace Foam;

// Of faces and triangles that lie on each other: cosine between normals, and
// the distance in sides of a face
const scalar sameNormal = 0.7, sameFace = 0.25;


point asPoint(const lbm::Vec3& v)
{
    return point(v[0], v[1], v[2]);
}


point triangleCentre(const lbm::TriangleMesh& mesh, const std::size_t t)
{
    point sum(Zero);
    for (const int corner : mesh.triangles[t]) sum += asPoint(mesh.points[corner]);
    return sum/3;
}


vector areaOf(const lbm::TriangleMesh& mesh, const std::size_t t)
{
    const lbm::Int3& c = mesh.triangles[t];
    const point a(asPoint(mesh.points[c[0]]));
    return 0.5*((asPoint(mesh.points[c[1]]) - a) ^ (asPoint(mesh.points[c[2]]) - a));
}


scalar longestEdgeOf(const lbm::TriangleMesh& mesh, const std::size_t t)
{
    const lbm::Int3& c = mesh.triangles[t];
    scalar longest = 0;
    for (int i = 0; i < 3; ++i)
    {
        longest = max
        (
            longest,
            mag(asPoint(mesh.points[c[i]]) - asPoint(mesh.points[c[(i + 1) % 3]]))
        );
    }
    return longest;
}


triSurface asTriSurface(const lbm::TriangleMesh& mesh)
{
    List<labelledTri> triangles(label(mesh.triangles.size()));
    forAll(triangles, t)
    {
        const lbm::Int3& c = mesh.triangles[t];
        triangles[t] = labelledTri(c[0], c[1], c[2], 0);
    }
    pointField points(label(mesh.points.size()));
    forAll(points, i) points[i] = asPoint(mesh.points[i]);
    return triSurface(triangles, points);
}


// The mesh's boundary, to ask which face is the nearest
class nearestFace
{
    const polyMesh& mesh_;
    const label first_;
    const indexedOctree<treeDataFace> tree_;

    static treeBoundBox around(const polyMesh& mesh)
    {
        treeBoundBox bounds(mesh.bounds());
        bounds.inflate(0.01);
        return bounds;
    }

public:

    explicit nearestFace(const polyMesh& mesh)
    :
        mesh_(mesh),
        first_(mesh.nInternalFaces()),
        tree_
        (
            treeDataFace
            (
                false, mesh, identity(mesh.nFaces() - first_, first_)
            ),
            around(mesh), 8, 10, 3.0
        )
    {}

    //- Its number, and the distance
    label find(const point& x, scalar& away) const
    {
        const pointIndexHit hit = tree_.findNearest(x, sqr(GREAT));
        away = mag(hit.rawPoint() - x);
        return first_ + hit.index();
    }
};

} // End anonymous namespace


Foam::labelList Foam::lbmReplacedWalls::patchesOf
(
    const lbm::TriangleMesh& surface,
    const wordList& files,
    const dictionary& dict
) const
{
    const polyBoundaryMesh& boundary = mesh_.boundaryMesh();
    labelList result(label(surface.regionNames.size()), -1);
    bool any = false;
    forAll(result, i)
    {
        const word name(surface.regionNames[i]);
        label patchi = boundary.findPatchID(name);
        if (patchi < 0) patchi = boundary.findPatchID(files[i]);
        if (patchi < 0)
        {
            FatalIOErrorInFunction(dict)
                << "The mesh has the patches " << flatOutput(boundary.names()) << nl
                << "The surfaces have the region " << name
                << (files[i].empty() ? word() : word(" of file " + files[i]))
                << ", which is none of them" << nl
                << "With exactWalls walls of a mesh are taken of surfaces of the"
                << " same name" << exit(FatalIOError);
        }
        const bool wall = isA<wallPolyPatch>(boundary[patchi]);
        any = any || wall;
        if (wall) result[i] = patchi;
    }
    if (!any)
    {
        FatalIOErrorInFunction(dict)
            << "No region of the surfaces has the name of a wall of the mesh, which"
            << " has the patches " << flatOutput(boundary.names()) << exit(FatalIOError);
    }
    return result;
}


void Foam::lbmReplacedWalls::take
(
    const lbm::TriangleMesh& surface,
    const labelList& patches
)
{
    surface_.points = surface.points;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    {
        const std::int16_t region = surface.regions[t];
        if (patches[region] < 0) continue;
        replaced_[patches[region]] = true;
        surface_.triangles.push_back(surface.triangles[t]);
        surface_.regions.push_back(region);
    }
}


lbm::TriangleMesh Foam::lbmReplacedWalls::ofPatch
(
    const label patchi,
    const labelList& patches
) const
{
    lbm::TriangleMesh result;
    labelList number(label(surface_.points.size()), -1);
    for (std::size_t t = 0; t < surface_.triangles.size(); ++t)
    {
        if (patches[surface_.regions[t]] != patchi) continue;
        lbm::Int3 corners(surface_.triangles[t]);
        for (int& corner : corners)
        {
            label& own = number[corner];
            if (own < 0)
            {
                own = label(result.points.size());
                result.points.push_back(surface_.points[corner]);
            }
            corner = int(own);
        }
        result.triangles.push_back(corners);
    }
    return result;
}


void Foam::lbmReplacedWalls::measure
(
    const labelList& patches,
    const dictionary& dict
)
{
    forAll(replaced_, patchi)
    {
        if (!replaced_[patchi]) continue;
        const polyPatch& patch = mesh_.boundaryMesh()[patchi];
        const triSurface surface(asTriSurface(ofPatch(patchi, patches)));
        const triSurfaceSearch search(surface);
        const auto away = [&](const point& x)
        {
            return mag(search.tree().findNearest(x, sqr(GREAT)).rawPoint() - x);
        };
        distance d{patchi, 0, 0, Zero, 0};
        const scalarField areas(mag(patch.faceAreas()));
        const scalar area = sum(areas);
        d.face = patch.size() ? Foam::sqrt(area/patch.size()) : 0;
        forAll(patch, facei)
        {
            d.mean += areas[facei]/area*away(patch.faceCentres()[facei]);
        }
        for (const point& x : patch.localPoints())
        {
            const scalar far = away(x);
            if (far > d.most)
            {
                d.most = far;
                d.where = x;
            }
        }
        distances_.push_back(d);
        if (d.mean <= d.face) continue;
        FatalIOErrorInFunction(dict)
            << "Patch " << patch.name() << " of the mesh and the surface of this name"
            << " lie " << d.mean << " m apart on average, " << d.mean/d.face
            << " sides of a face, and at most " << d.most << " m, at " << d.where << nl
            << "Choose the scale of the files, or another name for what is another"
            << " wall" << exit(FatalIOError);
    }
}


void Foam::lbmReplacedWalls::fit(const labelList& patches)
{
    const nearestFace nearest(mesh_);
    // Of regions
    scalarField outwards(patches.size(), Zero);
    lbm::TriangleMesh kept;
    kept.points = surface_.points;
    for (std::size_t t = 0; t < surface_.triangles.size(); ++t)
    {
        scalar away;
        const label facei = nearest.find(triangleCentre(surface_, t), away);
        const label patchi = mesh_.boundaryMesh().whichPatch(facei);
        const vector area(areaOf(surface_, t));
        const vector normal(mesh_.faceAreas()[facei]);
        const scalar side = Foam::sqrt(mag(normal));
        const scalar product = area & normal;
        if
        (
            !replaced_[patchi] && away < sameFace*side
         && mag(product) > sameNormal*mag(area)*mag(normal)
        )
        {
            ++onOthers_;
            continue;
        }
        if (away > side + longestEdgeOf(surface_, t))
        {
            ++beyond_;
            continue;
        }
        if (replaced_[patchi]) outwards[surface_.regions[t]] += product/mag(normal);
        kept.triangles.push_back(surface_.triangles[t]);
        kept.regions.push_back(surface_.regions[t]);
    }
    for (std::size_t t = 0; t < kept.triangles.size(); ++t)
    {
        std::int16_t& region = kept.regions[t];
        if (outwards[region] < 0) std::swap(kept.triangles[t][1], kept.triangles[t][2]);
        region = std::int16_t(patches[region]);
    }
    surface_ = std::move(kept);
}


void Foam::lbmReplacedWalls::checkShells(const dictionary& dict) const
{
    const polyBoundaryMesh& patches = mesh_.boundaryMesh();
    const label first = mesh_.nInternalFaces();
    const indirectPrimitivePatch boundary
    (
        IndirectList<face>
        (
            mesh_.faces(), identity(mesh_.nFaces() - first, first)
        ),
        mesh_.points()
    );
    labelList shells;
    const label n = PatchTools::markZones
    (
        boundary, boolList(boundary.nEdges(), false), shells
    );
    boolList taken(n, false), left(n, false);
    labelList wall(n, -1);
    forAll(shells, i)
    {
        const label patchi = patches.whichPatch(first + i);
        (replaced_[patchi] ? taken : left)[shells[i]] = true;
        if (isA<wallPolyPatch>(patches[patchi])) wall[shells[i]] = patchi;
    }
    bool mixed = false;
    forAll(taken, shell) mixed = mixed || (taken[shell] && left[shell]);
    forAll(wall, shell)
    {
        if (!mixed || taken[shell] || wall[shell] < 0) continue;
        FatalIOErrorInFunction(dict)
            << "Wall " << patches[wall[shell]].name() << " of the mesh stands apart from"
            << " the walls that surfaces replace, which are open where the mesh has"
            << " its openings: which of its sides the flow is on would not be known"
            << nl << "Give a surface of its name, too" << exit(FatalIOError);
    }
}


Foam::lbmReplacedWalls::lbmReplacedWalls
(
    const polyMesh& mesh,
    const lbm::TriangleMesh& surface,
    const wordList& files,
    const lbm::SurfaceOptions& options,
    const scalar spacing,
    const dictionary& dict
)
:
    lbmOfMesh<lbmReplacedWalls>(mesh),
    mesh_(mesh),
    replaced_(mesh.boundaryMesh().size(), false),
    insidePoint_(options.insidePoint),
    rule_(options.rule),
    spacing_(spacing)
{
    if (mesh.nGeometricD() != 3)
    {
        FatalIOErrorInFunction(dict)
            << "Walls from surfaces are of three dimensions; the mesh has patches of"
            << " type empty or wedge" << exit(FatalIOError);
    }
    const labelList patches(patchesOf(surface, files, dict));
    take(surface, patches);
    checkShells(dict);
    measure(patches, dict);
    fit(patches);
}


void Foam::lbmReplacedWalls::append
(
    lbm::TriangleMesh& boundary,
    const lbmAxes& axes
) const
{
    const int first = int(boundary.points.size());
    for (const lbm::Vec3& p : surface_.points)
    {
        boundary.points.push_back(axes.toLattice(asPoint(p)));
    }
    for (std::size_t t = 0; t < surface_.triangles.size(); ++t)
    {
        lbm::Int3 corners(surface_.triangles[t]);
        for (int& corner : corners) corner += first;
        boundary.triangles.push_back(corners);
        boundary.regions.push_back(surface_.regions[t]);
    }
}


Foam::boundBox Foam::lbmReplacedWalls::bounds() const
{
    boundBox result;
    for (const lbm::Int3& triangle : surface_.triangles)
    {
        for (const int corner : triangle) result.add(asPoint(surface_.points[corner]));
    }
    return result;
}


void Foam::lbmReplacedWalls::tell() const
{
    for (const distance& d : distances_)
    {
        Info<< "    wall " << mesh_.boundaryMesh()[d.patch].name()
            << " is the surface of this name, " << d.mean << " m from the mesh's faces"
            << " on average, at most " << d.most << " m (" << d.most/d.face
            << " sides of a face)" << nl;
        if (d.most <= d.face) continue;
        WarningInFunction
            << "Patch " << mesh_.boundaryMesh()[d.patch].name() << " and the surface of"
            << " this name lie " << d.most << " m apart at " << d.where << ", more than"
            << " a side of a face (" << d.face << " m): fields are the mesh's, there, and"
            << " the wall is the surface's" << endl;
    }
    Info<< "    openings and all other patches are the mesh's" << nl;
    if (onOthers_)
    {
        Info<< "    " << onOthers_ << " triangles lie on other patches of the mesh and"
            << " are left out" << nl;
    }
    if (beyond_)
    {
        Info<< "    " << beyond_ << " triangles lie beyond the mesh and are left out"
            << nl;
    }
}
