// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallFit.H"
#include "Map.H"
#include "wallPolyPatch.H"

#include <algorithm>
#include <cmath>

namespace
{
    // The spacing may differ by this share, and be finer by that where only then all walls
    // lie half-way
    const Foam::scalar otherSpacing = 0.1, muchFiner = 0.2;

    // Rows of nodes that stand for so much more, or less, than the distance of walls: beside
    // edges past which a stream separates half-way is no gain (pitzDaily's step)
    const Foam::scalar farOff = 0.05;

    // The same of the mesh's sides, which all of the stream has between them, and of
    // these what boundary faces cover where the mesh fills its box (windAroundBuildings'
    // ground 90 % between its buildings; pitzDaily's sides two thirds)
    const Foam::scalar sidesOff = 0.0125, covered = 0.85;

    // By this share the spacing may then be less than the least
    const Foam::scalar finer = 0.02;

    // Off the middle between two nodes [dx]
    const Foam::scalar offMiddle = 0.02;

    // Walls this near to nodes go through them [dx], and how far these are moved
    const Foam::scalar throughNodes = 0.002, step = 0.01;

    // Planes across an axis of the lattice, and one plane [of the longest side]
    // (onSide: snappyHexMesh moves points of sides by 2e-5 of it in windAroundBuildings)
    const Foam::scalar acrossAxis = 0.9999, onePlane = 1e-5, onSide = 1e-4;

    // From a whole number, upwards where it is more
    Foam::scalar offWhole(const Foam::scalar n)
    {
        return n - std::round(n);
    }

    // Boundary faces lie on both sides across an axis
    bool fillsBox(const Foam::polyMesh& mesh, const Foam::direction axis)
    {
        const Foam::boundBox& box = mesh.bounds();
        const Foam::vector span(box.span());
        const Foam::scalar apart = onSide*Foam::cmptMax(span);
        Foam::scalar low = 0, high = 0;
        for (const Foam::polyPatch& patch : mesh.boundaryMesh())
        {
            const Foam::vectorField areas(patch.faceAreas());
            const Foam::vectorField centres(patch.faceCentres());
            forAll(areas, i)
            {
                const Foam::scalar place = centres[i][axis];
                const Foam::scalar area = Foam::mag(areas[i][axis]);
                if (Foam::mag(place - box.min()[axis]) < apart) low += area;
                if (Foam::mag(place - box.max()[axis]) < apart) high += area;
            }
        }
        Foam::reduce(low, Foam::sumOp<Foam::scalar>());
        Foam::reduce(high, Foam::sumOp<Foam::scalar>());
        const Foam::scalar whole = Foam::cmptProduct(span)/span[axis];
        return Foam::min(low, high) > covered*whole;
    }

    // The mesh fills a box, which rows of nodes do not
    bool sidesAreOff
    (
        const Foam::polyMesh& mesh,
        const Foam::lbmAxes& axes,
        const Foam::lbmCyclics& cyclics,
        const Foam::scalar dx
    )
    {
        Foam::scalar off = 0;
        for (Foam::label a = 0; a < axes.dimensions(); ++a)
        {
            const Foam::direction axis = axes.foamAxis(a);
            if (cyclics.periodic(axis) || !fillsBox(mesh, axis)) return false;
            const Foam::scalar span = mesh.bounds().span()[axis];
            const Foam::scalar rows = Foam::lbmWallFit::cellsAlong(span, dx);
            off = Foam::max(off, rows*dx/span - 1);
        }
        return off > sidesOff;
    }
}


Foam::lbmWallFit::lbmWallFit
(
    const polyMesh& mesh,
    const lbmAxes& axes,
    const lbmCyclics& cyclics,
    const scalar side
)
:
    mesh_(mesh),
    axes_(axes),
    cyclics_(cyclics),
    side_(side),
    spacing_(0),
    laid_(false),
    place_(Zero)
{
    findWalls();
}


void Foam::lbmWallFit::findWalls()
{
    const scalar apart = onePlane*side_;
    // By rounded place a face's own, from which spacings follow: rounding moves walls off
    // half-way, and so past links over edges
    FixedList<Map<scalar>, 3> planes;
    for (const polyPatch& patch : mesh_.boundaryMesh())
    {
        if (!isA<wallPolyPatch>(patch)) continue;
        const vectorField& normals = patch.faceNormals();
        const vectorField centres(patch.faceCentres());
        for (label a = 0; a < axes_.dimensions(); ++a)
        {
            const direction axis = axes_.foamAxis(a);
            forAll(normals, i)
            {
                if (mag(normals[i][axis]) < acrossAxis) continue;
                planes[a].insert(label(round(centres[i][axis]/apart)), centres[i][axis]);
            }
        }
    }
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        for (const label plane : planes[a].sortedToc())
        {
            walls_[a].push_back(planes[a][plane]);
        }
    }
}


bool Foam::lbmWallFit::anyWall() const
{
    return walls_[0].size() || walls_[1].size() || walls_[2].size();
}


Foam::scalar Foam::lbmWallFit::cellsAlong(const scalar length, const scalar dx)
{
    const scalar n = length/dx;
    return mag(offWhole(n)) <= lbmCyclics::tolerance*n ? round(n) : ceil(n);
}


bool Foam::lbmWallFit::middleFits(const label a, const scalar dx) const
{
    const direction axis = axes_.foamAxis(a);
    const scalar middle = mesh_.bounds().midpoint()[axis];
    const scalar cells = cellsAlong(mesh_.bounds().span()[axis], dx);
    for (const scalar wall : walls_[a])
    {
        if (mag(offWhole((wall - middle)/dx + 0.5*cells)) > offMiddle) return false;
    }
    return true;
}


// In the middle of what the walls need
bool Foam::lbmWallFit::lay(const label a, const scalar dx)
{
    const scalar from = walls_[a].front();
    scalar least = 0, most = 0;
    for (const scalar wall : walls_[a])
    {
        const scalar off = offWhole((wall - from)/dx);
        least = min(least, off);
        most = max(most, off);
    }
    laid_[a] = most - least <= 2*offMiddle;
    place_[a] = from + 0.5*(least + most)*dx;
    return laid_[a];
}


bool Foam::lbmWallFit::fits(const scalar dx, const bool laid)
{
    laid_ = false;
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        if (middleFits(a, dx)) continue;
        if (!laid || cyclics_.periodic(axes_.foamAxis(a)) || !lay(a, dx)) return false;
    }
    return true;
}


std::vector<Foam::scalar> Foam::lbmWallFit::byWalls
(
    const scalar finest,
    const scalar coarsest
) const
{
    std::vector<scalar> result;
    for (const std::vector<scalar>& walls : walls_)
    {
        if (walls.size() < 2) continue;
        const scalar width = walls.back() - walls.front();
        const label most = floor(width/finest);
        for (label n = max(label(1), label(ceil(width/coarsest))); n <= most; ++n)
        {
            result.push_back(cyclics_.rounded(width/n));
        }
    }
    return result;
}


// Of nodes between neighbouring walls, beyond the spacings between these
Foam::scalar Foam::lbmWallFit::rowsOff(const scalar dx) const
{
    scalar most = 0;
    for (label a = 0; a < axes_.dimensions(); ++a)
    {
        const direction axis = axes_.foamAxis(a);
        const scalar cells = cellsAlong(mesh_.bounds().span()[axis], dx);
        const scalar first = mesh_.bounds().midpoint()[axis] - 0.5*(cells - 1)*dx;
        for (std::size_t i = 1; i < walls_[a].size(); ++i)
        {
            const scalar low = (walls_[a][i - 1] - first)/dx;
            const scalar high = (walls_[a][i] - first)/dx;
            const scalar rows = std::floor(high) - std::floor(low);
            most = max(most, mag(rows/(high - low) - 1));
        }
    }
    return most;
}


bool Foam::lbmWallFit::findAboutMiddle
(
    const scalar along,
    const scalar least
)
{
    for (scalar k = 0; k <= otherSpacing*along; ++k)
    {
        for (const scalar n : {along + k, along - k})
        {
            const scalar dx = n < 1 ? 0 : cyclics_.rounded(side_/n);
            if (dx <= 0 || dx < least || !fits(dx, false)) continue;
            spacing_ = dx;
            return true;
        }
    }
    return false;
}


bool Foam::lbmWallFit::findByWalls
(
    const scalar nearest,
    const scalar finest,
    const scalar coarsest
)
{
    std::vector<scalar> spacings(byWalls(finest, coarsest));
    std::sort
    (
        spacings.begin(),
        spacings.end(),
        [=](const scalar a, const scalar b)
        {
            return mag(std::log(a/nearest)) < mag(std::log(b/nearest));
        }
    );
    for (const scalar dx : spacings)
    {
        if (!fits(dx, true)) continue;
        spacing_ = dx;
        return true;
    }
    return false;
}


bool Foam::lbmWallFit::find
(
    const scalar along,
    const scalar nearest,
    const scalar least
)
{
    if (!anyWall()) return false;
    if (findAboutMiddle(along, least > 0 ? nearest : 0)) return true;
    if (rowsOff(nearest) > farOff)
    {
        const auto within = [&](const scalar finer, const scalar coarser)
        {
            return findByWalls
            (
                nearest, max(least, nearest*finer), nearest*coarser
            );
        };
        if (within(1/(1 + otherSpacing), 1/(1 - otherSpacing))) return true;
        if (within(1 - muchFiner, 1)) return true;
    }
    if (!sidesAreOff(mesh_, axes_, cyclics_, nearest)) return false;

    // Half-way between nodes, all of them
    const auto layBetweenSides = [&](const scalar dx)
    {
        for (label a = 0; a < axes_.dimensions(); ++a)
        {
            const direction axis = axes_.foamAxis(a);
            const scalar rows = mesh_.bounds().span()[axis]/dx;
            if (mag(offWhole(rows)) > 2*offMiddle) return false;
            laid_[a] = true;
            place_[a] = mesh_.bounds().min()[axis];
        }
        return true;
    };
    for (scalar k = 1; k <= otherSpacing*along; ++k)
    {
        for (const scalar n : {along + k, along - k})
        {
            const scalar dx = n < 1 ? 0 : cyclics_.rounded(side_/n);
            if (dx <= (1 - finer)*least || !layBetweenSides(dx)) continue;
            spacing_ = dx;
            return true;
        }
    }
    return false;
}


bool Foam::lbmWallFit::holds(const scalar dx) const
{
    return mag(dx - spacing_) <= lbmCyclics::tolerance*dx;
}


// Nodes are half a spacing from the place: what is less than that beyond it is of none
Foam::label Foam::lbmWallFit::rows(const label a, scalar& first) const
{
    const direction axis = axes_.foamAxis(a);
    const auto beyond = [&](const scalar length)
    {
        return label(ceil(length/spacing_ - offMiddle));
    };
    const label below = beyond(place_[a] - mesh_.bounds().min()[axis]);
    const label above = beyond(mesh_.bounds().max()[axis] - place_[a]);
    first = place_[a] - (below - 0.5)*spacing_;
    return below + above;
}


bool Foam::lbmWallFit::closed() const
{
    for (const polyPatch& patch : mesh_.boundaryMesh())
    {
        if (patch.type() == polyPatch::typeName) return false;
    }
    return true;
}


Foam::scalar Foam::lbmWallFit::aside
(
    const label a,
    const scalar first,
    const scalar dx
) const
{
    if (!closed()) return 0;
    const auto through = [&](const scalar shift)
    {
        for (const scalar wall : walls_[a])
        {
            if (mag(offWhole((wall - first)/dx - shift)) < throughNodes) return true;
        }
        return false;
    };
    scalar shift = 0;
    while (through(shift) && shift < 0.5) shift += step;
    return shift < 0.5 ? shift*dx : 0;
}
