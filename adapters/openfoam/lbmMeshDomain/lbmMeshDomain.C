// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshDomain.H"
#include "lbmControls.H"
#include "lbmFacelessRegions.H"
#include "lbmReplacedWalls.H"
#include "lbmSurfaceWalls.H"
#include "cyclicPolyPatch.H"
#include "emptyPolyPatch.H"
#include "IOdictionary.H"
#include "primitivePatch.H"
#include "SubField.H"
#include "Time.H"
#include "adapters/surface/KeptDomain.hpp"
#include "adapters/surface/SectorDomain.hpp"
#include "lbm/api/EdgeLinks.hpp"
#include "lbm/api/MirrorPairs.hpp"
#include "lbm/api/Solver.hpp"

#include <algorithm>
#include <cmath>

namespace
{
    // A sketch may be so much coarser than asked, for sides to lie as they will
    const Foam::scalar coarserSketch = 2;

    // Where sides of a turn go through nodes, those of one side are to lie
    // within and those of the other without [dx]
    const Foam::scalar offTurn = 1e-3;
}

const Foam::scalar Foam::lbmMeshDomain::smallSketch = 5e5;


Foam::scalar Foam::lbmMeshDomain::longestSide
(
    const polyMesh& mesh,
    const lbmAxes& axes
)
{
    scalar side = 0;
    for (label a = 0; a < axes.dimensions(); ++a)
    {
        side = max(side, mesh.bounds().span()[axes.foamAxis(a)]);
    }
    return side;
}


Foam::scalar Foam::lbmMeshDomain::cellSize
(
    const polyMesh& mesh,
    const lbmAxes& axes
)
{
    scalarField volumes(mesh.cellVolumes());
    if (axes.dimensions() == 2)
    {
        volumes /= mesh.bounds().span()[axes.foamAxis(2)];
    }
    const label tenth = volumes.size()/10;
    std::nth_element(volumes.begin(), volumes.begin() + tenth, volumes.end());
    return pow(volumes[tenth], 1.0/axes.dimensions());
}


Foam::lbmMeshDomain::lbmMeshDomain
(
    const polyMesh& mesh,
    const lbmControls& controls,
    const scalar mostPerCell
)
:
    mesh_(mesh),
    controls_(controls),
    axes_(mesh),
    cyclics_(mesh),
    spacing_(chooseSpacing(mostPerCell)),
    moved_(false)
{
    cyclics_.check(spacing_);
}


Foam::scalar Foam::lbmMeshDomain::chooseSpacing
(
    const scalar mostPerCell
)
{
    const scalar side = longestSide(mesh_, axes_);
    const scalar asked = controls_.spacing(side);
    const lbmSurfaceWalls* walls = lbmSurfaceWalls::of(mesh_);
    const bool fitted = walls && walls->fitted();
    if (fitted && asked <= 0) return walls->spacing();
    if (automatic()) return spacingOf(smallSketch);
    if (!controls_.spacingIsFree()) return checked(asked);
    if (walls && mostPerCell <= 0) return walls->spacing();
    const lbmReplacedWalls* replaced = lbmReplacedWalls::of(mesh_);
    if (replaced && mostPerCell <= 0) return replaced->spacing();

    // A whole number of cells along the longest side, so that nodes meet the
    // cell centres of a mesh of equal cubes
    const scalar least = mostPerCell > 0
      ? pow(volume()/(mostPerCell*mesh_.nCells()), 1.0/axes_.dimensions()) : 0;
    const scalar natural = max(cellSize(mesh_, axes_), least);
    const scalar along = max(scalar(1), round(side/natural));
    const scalar nearest = cyclics_.rounded(side/along);

    // Two periods or three have fewer spacings that fit them all
    if (periods() <= 1) return besideWalls(along, nearest, min(least, nearest));
    const scalar all = cyclics_.fitting(nearest);
    return all > 0 ? all : nearest;
}


Foam::label Foam::lbmMeshDomain::periods() const
{
    label n = 0;
    for (direction axis = 0; axis < 3; ++axis) n += cyclics_.periodic(axis);
    return n;
}


Foam::scalar Foam::lbmMeshDomain::checked(const scalar asked) const
{
    const scalar side = longestSide(mesh_, axes_);
    if (asked > side*(1 + lbmCyclics::tolerance))
    {
        FatalIOErrorInFunction(controls_.dict())
            << "Cells of the lattice " << asked << " m wide (entry "
            << controls_.spacingEntry() << ") are wider than the mesh, " << side
            << " m along its longest side: lengths are in m" << exit(FatalIOError);
    }
    return asked;
}


Foam::scalar Foam::lbmMeshDomain::besideWalls
(
    const scalar along,
    const scalar nearest,
    const scalar least
)
{
    if (cyclics_.anyTurn()) return nearest;
    const scalar side = longestSide(mesh_, axes_);
    wallFit_.reset(new lbmWallFit(mesh_, axes_, cyclics_, side));
    return wallFit_->find(along, nearest, least) ? wallFit_->spacing() : nearest;
}


bool Foam::lbmMeshDomain::wallsHalfWay() const
{
    return wallFit_ && wallFit_->holds(spacing_);
}


bool Foam::lbmMeshDomain::automatic() const
{
    const lbmSurfaceWalls* walls = lbmSurfaceWalls::of(mesh_);
    if (walls && walls->fitted()) return false;
    const lbmReplacedWalls* replaced = lbmReplacedWalls::of(mesh_);
    const bool bySurface =
        (walls && walls->spacing() <= 0) || (replaced && replaced->spacing() <= 0);
    return controls_.spacingIsAuto() || (bySurface && controls_.spacingIsFree());
}


Foam::scalar Foam::lbmMeshDomain::whole(const scalar least) const
{
    const scalar side = longestSide(mesh_, axes_);
    const scalar most = floor(side/least*(1 + lbmCyclics::tolerance));
    for (scalar n = most; n >= 1 && n > most/2; --n)
    {
        const scalar dx = cyclics_.fitting(side/n);
        if (dx >= least*(1 - lbmCyclics::tolerance)) return dx;
    }
    return 0;
}


Foam::scalar Foam::lbmMeshDomain::spacingOf(const scalar nodes) const
{
    const scalar dx =
        whole(pow(volume()/nodes, 1.0/axes_.dimensions()));
    if (dx <= 0)
    {
        FatalIOErrorInFunction(controls_.dict())
            << "For " << nodes << " nodes no cell size fits all periods of the"
            << " case's cyclic patches: name one (entry cellSize)"
            << exit(FatalIOError);
    }
    return dx;
}


Foam::scalar Foam::lbmMeshDomain::sketchSpacing(const scalar nodes) const
{
    if (automatic()) return spacingOf(nodes);

    const auto isWhole = [](const scalar n)
    {
        return mag(n - round(n)) <= lbmCyclics::tolerance*n;
    };
    const scalar least =
        max(pow(volume()/nodes, 1.0/axes_.dimensions())/spacing_, 1.0);
    for (scalar times = ceil(least); times <= coarserSketch*least; ++times)
    {
        bool fits = true;
        for (label a = 0; a < axes_.dimensions(); ++a)
        {
            const scalar n = mesh_.bounds().span()[axes_.foamAxis(a)]/spacing_;
            fits = fits && (!isWhole(n) || isWhole(round(n)/times));
        }
        if (fits) return times*spacing_;
    }
    return spacingOf(nodes);
}


Foam::scalar Foam::lbmMeshDomain::sketch
(
    const lbm::Config& config,
    const std::vector<bool>& preferredPatches,
    const std::vector<bool>& mirrors,
    const std::vector<bool>& slips,
    const scalar nodes
)
{
    const scalar spacing = spacing_, sketched = sketchSpacing(nodes);
    spacing_ = sketched;
    sketch_ = true;
    build(config, preferredPatches, mirrors, slips);
    sketch_ = false;
    spacing_ = spacing;
    return sketched;
}


bool Foam::lbmMeshDomain::boundedByMesh() const
{
    return !lbmSurfaceWalls::of(mesh_);
}


bool Foam::lbmMeshDomain::refine(const scalar widest)
{
    const scalar fits = cyclics_.fitting(widest);
    if (fits <= 0) return false;
    spacing_ = fits;
    return true;
}


bool Foam::lbmMeshDomain::refineBesideWalls(const scalar widest)
{
    const scalar along =
        ceil(longestSide(mesh_, axes_)/widest*(1 - lbmCyclics::tolerance));
    const scalar nearest = cyclics_.fitting(longestSide(mesh_, axes_)/along);
    if (nearest <= 0) return false;
    spacing_ = periods() <= 1 ? besideWalls(along, nearest, 0) : nearest;
    return true;
}


Foam::scalar Foam::lbmMeshDomain::volume() const
{
    const scalar all = sum(mesh_.cellVolumes());
    return axes_.dimensions() == 2
      ? all/mesh_.bounds().span()[axes_.foamAxis(2)] : all;
}


Foam::scalar Foam::lbmMeshDomain::expectedNodes() const
{
    return volume()/pow(spacing_, scalar(axes_.dimensions()));
}


Foam::scalar Foam::lbmMeshDomain::boxNodes() const
{
    scalar n = 1;
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        n *= mesh_.bounds().span()[axes_.foamAxis(a)]/spacing_ + 1;
    }
    return n;
}


lbm::LatticeBox Foam::lbmMeshDomain::box() const
{
    if (const lbmSurfaceWalls* walls = lbmSurfaceWalls::of(mesh_))
    {
        lbm::LatticeBox result(walls->box(spacing_));
        for (direction a = 0; a < 3; ++a)
        {
            result.periodic[a] = cyclics_.periodic(a);
        }
        return result;
    }
    const lbm::Vec3 middle(axes_.toLattice(mesh_.bounds().midpoint()));

    lbm::LatticeBox result;
    result.spacing = spacing_;
    for (label a = 0; a < 3; ++a)
    {
        const direction axis = axes_.foamAxis(a);
        const bool flat = a >= axes_.dimensions();
        const scalar cells =
            lbmWallFit::cellsAlong(mesh_.bounds().span()[axis], spacing_);

        result.periodic[a] = !flat && cyclics_.periodic(axis);
        const bool moves = moved_ && !flat && !result.periodic[a];
        result.size[a] = flat ? 1 : max(1, int(cells) + moves);
        result.origin[a] = middle[a] - 0.5*(result.size[a] - 1)*spacing_;
        // Moved by half a spacing walls half-way would lie on nodes
        if (flat || moved_ || !wallFit_ || result.periodic[a]) continue;
        if (!wallsHalfWay())
        {
            result.origin[a] += wallFit_->aside(a, result.origin[a], spacing_);
        }
        else if (wallFit_->laid(a))
        {
            result.size[a] = int(wallFit_->rows(a, result.origin[a]));
        }
    }
    if (cyclics_.anyTurn()) placeOnTurn(result);
    if (const lbmReplacedWalls* walls = lbmReplacedWalls::of(mesh_))
    {
        holdSurface(*walls, result);
    }
    return result;
}


// Layers of nodes where the surface bulges out of the mesh
void Foam::lbmMeshDomain::holdSurface
(
    const lbmReplacedWalls& walls,
    lbm::LatticeBox& box
) const
{
    const boundBox own(walls.bounds());
    const lbm::Vec3 low(axes_.toLattice(own.min())), high(axes_.toLattice(own.max()));
    for (label a = 0; a < 3; ++a)
    {
        if (box.periodic[a]) continue;
        const scalar first = box.origin[a] - 0.5*spacing_;
        const scalar last = first + box.size[a]*spacing_;
        const auto layers = [&](const scalar excess)
        {
            return max(0, int(ceil(excess/spacing_ - lbmCyclics::tolerance)));
        };
        const int below = layers(first - low[a]), above = layers(high[a] - last);
        box.origin[a] -= below*spacing_;
        box.size[a] += below + above;
    }
}


void Foam::lbmMeshDomain::placeOnTurn(lbm::LatticeBox& box) const
{
    const lbm::Vec3 axis(axes_.toLattice(cyclics_.turnAxis()));
    const lbm::Vec3 along(axes_.toLattice(cyclics_.alongTurn()));
    const lbm::Vec3 low(axes_.toLattice(mesh_.bounds().min()));
    const lbm::Vec3 high(axes_.toLattice(mesh_.bounds().max()));
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        if (mag(axis[a]) > 0.5) continue;
        const scalar first = low[a] - nodeOnTurn(a, low[a])*spacing_;
        box.size[a] = int(ceil((high[a] - first)/spacing_)) + 1;
        box.origin[a] = first + offTurn*spacing_*along[a];
    }
}


// Of a place, how far it lies beyond a node, in spacings, where the axis of
// turns lies half-way between nodes
Foam::scalar Foam::lbmMeshDomain::nodeOnTurn
(
    const label a,
    const scalar place
) const
{
    const scalar n =
        (place - axes_.toLattice(cyclics_.turnCentre())[a])/spacing_ - 0.5;
    return n - floor(n);
}


// Twice the coordinates of the axis that the box was placed on
std::vector<lbm::Turn> Foam::lbmMeshDomain::turns
(
    const lbm::LatticeBox& box
) const
{
    const lbm::Vec3 centre(axes_.toLattice(cyclics_.turnCentre()));
    lbm::Int3 twice;
    for (int a = 0; a < 3; ++a)
    {
        twice[a] = int(std::lround(2*(centre[a] - box.origin[a])/box.spacing));
    }
    return cyclics_.turns(axes_, twice);
}


lbm::TriangleMesh Foam::lbmMeshDomain::boundary() const
{
    const label nInternal = mesh_.nInternalFaces();
    const primitivePatch surface
    (
        SubList<face>(mesh_.faces(), mesh_.nFaces() - nInternal, nInternal),
        mesh_.points()
    );

    lbm::TriangleMesh result;
    result.points.reserve(surface.nPoints());
    for (const point& p : surface.localPoints())
    {
        result.points.push_back(axes_.toLattice(p));
    }
    for (const polyPatch& patch : mesh_.boundaryMesh())
    {
        result.regionNames.push_back(patch.name());
    }

    const auto add = [&](label a, label b, label c, label patch)
    {
        result.triangles.push_back({int(a), int(b), int(c)});
        result.regions.push_back(std::int16_t(patch));
    };
    boolList joins(mesh_.boundaryMesh().size());
    forAll(joins, patchi) joins[patchi] = lbmCyclics::joins(mesh_.boundaryMesh()[patchi]);
    const lbmReplacedWalls* replaced = lbmReplacedWalls::of(mesh_);
    // Every edge of a face stays one edge of one triangle, so the triangles
    // are as closed as the faces are
    forAll(surface, facei)
    {
        const face& f = surface.localFaces()[facei];
        const label patch = mesh_.boundaryMesh().whichPatch(facei + nInternal);
        if (replaced && replaced->replaces(patch)) continue;
        // Between its faces and those of the other side there may be gaps; what both
        // bound together is closed without them
        if (joins[patch]) continue;
        if (f.size() <= 4)
        {
            for (label i = 2; i < f.size(); ++i) add(f[0], f[i - 1], f[i], patch);
            continue;
        }
        const label centre = label(result.points.size());
        result.points.push_back(axes_.toLattice(surface.faceCentres()[facei]));
        forAll(f, i) add(centre, f[i], f.nextLabel(i), patch);
    }
    if (replaced) replaced->append(result, axes_);
    return result;
}


std::vector<bool> Foam::lbmMeshDomain::transparentPatches() const
{
    std::vector<bool> result;
    for (const polyPatch& patch : mesh_.boundaryMesh())
    {
        result.push_back
        (
            (isA<cyclicPolyPatch>(patch) && !cyclics_.turns(patch.index()))
         || isA<emptyPolyPatch>(patch)
        );
    }
    return result;
}


lbm::Domain Foam::lbmMeshDomain::makeDomain
(
    const lbm::Config& config,
    const lbm::SurfaceOptions& options
)
{
    const lbm::LatticeBox nodes(box());
    const auto directions = lbm::latticeDirections(config.lattice);
    return cyclics_.anyTurn()
      ? lbm::makeSectorDomain
        (
            boundary(),
            nodes,
            directions,
            options,
            turns(nodes),
            axes_.toLattice(cyclics_.turnCentre()),
            &facts_
        )
      : makeWholeDomain(nodes, directions, options);
}


// Of surfaces that go on behind openings, without what they hold there
lbm::Domain Foam::lbmMeshDomain::makeWholeDomain
(
    const lbm::LatticeBox& nodes,
    const std::vector<lbm::Int3>& directions,
    const lbm::SurfaceOptions& options
)
{
    if (!lbmReplacedWalls::of(mesh_))
    {
        return lbm::makeDomain(boundary(), nodes, directions, options, &facts_);
    }
    lbm::ConnectedDomain made
    (
        lbm::connectedDomain(boundary(), nodes, directions, options)
    );
    facts_ = made.facts;
    if (made.pockets.removedNodes)
    {
        Info<< "Between surfaces and mesh " << made.pockets.regions << " regions are"
            << " not connected; removed " << label(made.pockets.removedNodes)
            << " nodes of all but the " << (options.insidePoint ? "one with the inside"
               " point" : "largest") << nl;
    }
    return std::move(made.domain);
}


lbm::Domain Foam::lbmMeshDomain::domainFrom
(
    const lbmSurfaceWalls& walls,
    const lbm::Config& config,
    const std::vector<bool>& preferredPatches
)
{
    if (axes_.dimensions() != 3)
    {
        FatalIOErrorInFunction(controls_.dict())
            << "Walls from surfaces are of three dimensions; the mesh has"
            << " patches of type empty" << exit(FatalIOError);
    }
    try
    {
        lbm::Domain domain
        (
            walls.domain
            (
                box(),
                lbm::latticeDirections(config.lattice),
                transparentPatches(),
                preferredPatches,
                config.threads,
                config.device,
                !sketch_,
                facts_
            )
        );
        const label joined = lbmFacelessRegions::join(domain, axes_, mesh_);
        if (joined)
        {
            Info<< joined << " links of regions that no cell meets belong to the"
                << " walls that have the nearest faces" << nl;
        }
        return domain;
    }
    catch (const std::runtime_error& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << fault.what() << nl << "The cell size "
            << (sketch_ ? "of a sketch of the lattice " : "") << "is " << spacing_
            << exit(FatalIOError);
    }
    return lbm::Domain(); // not reached
}


void Foam::lbmMeshDomain::build
(
    const lbm::Config& config,
    const std::vector<bool>& preferredPatches,
    const std::vector<bool>& mirrors,
    const std::vector<bool>& slips
)
{
    moved_ = false;
    const lbmSurfaceWalls* walls = lbmSurfaceWalls::of(mesh_);
    lbm::Domain domain
    (
        walls
      ? domainFrom(*walls, config, preferredPatches)
      : domainFromMesh(config, preferredPatches)
    );
    // Of regions behind the patches, too
    const auto ofAll = [&](std::vector<bool> some)
    {
        some.resize(domain.patches.size(), false);
        return some;
    };
    lbm::endEdgeLinks
    (
        domain,
        ofAll(slips),
        lbm::latticeDirections(config.lattice),
        config.threads
    );
    lbm::joinMirrorPairs(domain, ofAll(mirrors), config.threads);
    domain_ = std::make_shared<const lbm::Domain>(std::move(domain));
}


lbm::Domain Foam::lbmMeshDomain::domainFromMesh
(
    const lbm::Config& config,
    const std::vector<bool>& preferredPatches
)
{
    const lbmReplacedWalls* replaced = lbmReplacedWalls::of(mesh_);
    lbm::SurfaceOptions options;
    // Baffles share edges in fours; surfaces leave gaps where the mesh goes on
    options.rule = replaced ? replaced->rule() : lbm::InsideRule::parity;
    if (replaced) options.insidePoint = replaced->insidePoint();
    options.transparent = transparentPatches();
    options.preferred = preferredPatches;
    options.name = mesh_.boundaryMesh().objectPath();
    options.threads = config.threads;
    options.device = config.device;

    try
    {
        return makeDomain(config, options);
    }
    catch (const std::runtime_error&)
    {
        // What is the matter, unless nodes lay on a wall of no thickness, the
        // second attempt says
        moved_ = true;
    }
    try
    {
        lbm::Domain domain(makeDomain(config, options));
        Info<< "Nodes lay on walls without thickness: the lattice is moved by half"
            << " a cell" << nl;
        return domain;
    }
    catch (const std::runtime_error& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << fault.what() << nl
            << "The cell size " << (sketch_ ? "of a sketch of the lattice " : "")
            << "is " << spacing_
            << (controls_.spacingIsFree() ? " (from the mesh)" : "")
            << ", the mesh extends over " << mesh_.bounds().span()
            << exit(FatalIOError);
    }
    return lbm::Domain(); // not reached
}
