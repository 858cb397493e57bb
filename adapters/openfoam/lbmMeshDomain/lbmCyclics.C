// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCyclics.H"
#include "cyclicAMIPolyPatch.H"
#include "cyclicPolyPatch.H"
#include "SubField.H"

#include <cstdlib>

const Foam::scalar Foam::lbmCyclics::tolerance = 1e-5;

namespace
{
    // Of the cosine of a turn, whose ends patches of few faces tell
    const Foam::scalar turnTolerance = 1e-3;

    // Of areas, and of places by their root: faces of curved sides are chords of other lengths
    const Foam::scalar sameSide = 0.02;

    bool isAlongAnAxis(const Foam::vector& unit)
    {
        using namespace Foam;
        return cmptMax(cmptMag(unit)) > 1 - lbmCyclics::tolerance;
    }

    Foam::label neighbourOf(const Foam::coupledPolyPatch& patch)
    {
        using namespace Foam;
        return isA<cyclicAMIPolyPatch>(patch)
          ? refCast<const cyclicAMIPolyPatch>(patch).neighbPatchID()
          : refCast<const cyclicPolyPatch>(patch).neighbPatchID();
    }
}


Foam::lbmCyclics::lbmCyclics(const polyMesh& mesh)
:
    mesh_(mesh)
{
    for (const polyPatch& patch : mesh.boundaryMesh())
    {
        if (isA<cyclicPolyPatch>(patch) && patch.size())
        {
            add(refCast<const cyclicPolyPatch>(patch));
        }
        else if (isA<cyclicAMIPolyPatch>(patch) && patch.size())
        {
            const auto& ami = refCast<const cyclicAMIPolyPatch>(patch);
            if (ami.transform() == coupledPolyPatch::ROTATIONAL) addTurn(ami);
        }
    }
}


bool Foam::lbmCyclics::joins(const polyPatch& patch)
{
    const auto* ami = isA<cyclicAMIPolyPatch>(patch)
      ? &refCast<const cyclicAMIPolyPatch>(patch) : nullptr;
    if (!ami || ami->transform() == coupledPolyPatch::ROTATIONAL) return false;
    const auto middle = [](const polyPatch& side, scalar& area)
    {
        const scalarField areas(mag(side.faceAreas()));
        area = sum(areas);
        return sum(areas*side.faceCentres())/max(area, VSMALL);
    };
    scalar own, other;
    const vector apart(middle(patch, own) - middle(ami->neighbPatch(), other));
    return mag(own - other) < sameSide*own && mag(apart) < sameSide*sqrt(own);
}


void Foam::lbmCyclics::add(const cyclicPolyPatch& patch)
{
    const vectorField shift
    (
        patch.neighbPatch().faceCentres() - patch.faceCentres()
    );
    if (max(mag(shift)) <= tolerance*mag(mesh_.bounds().span())) return;
    if (patch.transform() == coupledPolyPatch::ROTATIONAL)
    {
        addTurn(patch);
        return;
    }
    const vector mean(average(shift));

    direction axis = 0;
    for (direction a = 1; a < 3; ++a)
    {
        if (mag(mean[a]) > mag(mean[axis])) axis = a;
    }
    const scalar span = length(axis);

    vector expected(Zero);
    expected[axis] = sign(mean[axis])*span;
    const scalar fault = max(mag(shift - expected));

    if (fault > tolerance*span)
    {
        FatalIOErrorInFunction
        (
            dictionary(fileName(mesh_.boundaryMesh().objectPath()))
        )   << "Patch " << patch.name() << " of type " << patch.type()
            << " maps to " << patch.neighbPatch().name() << " by " << mean
            << ": lbmFoam supports translations along one axis by the extent"
            << " of the mesh (" << mesh_.bounds().span() << ") only"
            << exit(FatalIOError);
    }
    if (patch_[axis].empty()) patch_[axis] = patch.name();
}


template<class Patch>
void Foam::lbmCyclics::addTurn(const Patch& patch)
{
    const vector axis(patch.rotationAxis()/mag(patch.rotationAxis()));
    const bool same = turned_.empty()
     || (
            mag(axis ^ turnAxis_[0]) < tolerance
         && mag((patch.rotationCentre() - turnCentre_[0]) ^ axis)
          < tolerance*mag(mesh_.bounds().span())
        );
    turned_.append(patch.index());
    turnAxis_.append(axis);
    turnCentre_.append(patch.rotationCentre());

    const label i = turned_.size() - 1;
    const vector from(fromAxis(i, patch)), to(fromAxis(i, patch.neighbPatch()));
    const scalar cosine = (from & to)/(mag(from)*mag(to));

    // Nodes on the sides of a half turn cannot be moved off them: either both
    // images of one come into the mesh or none
    const bool half = cosine < turnTolerance - 1 && isAlongAnAxis(from/mag(from));
    const bool fits = half || mag(cosine) < turnTolerance;
    if (!isAlongAnAxis(axis) || !same || !fits) refuseTurn(patch);
}


Foam::vector Foam::lbmCyclics::fromAxis
(
    const label i,
    const polyPatch& patch
) const
{
    const vectorField::subField areas(patch.faceAreas());
    const vectorField::subField centres(patch.faceCentres());
    vector sum(Zero);
    scalar area = 0;
    forAll(areas, facei)
    {
        sum += mag(areas[facei])*centres[facei];
        area += mag(areas[facei]);
    }
    const vector from(sum/area - turnCentre_[i]);
    return from - (from & turnAxis_[i])*turnAxis_[i];
}


Foam::vector Foam::lbmCyclics::alongTurn() const
{
    vector middle(Zero);
    forAll(turned_, i) middle += fromAxis(i, mesh_.boundaryMesh()[turned_[i]]);
    const vector along(turnAxis_[0] ^ middle);
    return mag(along) > tolerance*mag(mesh_.bounds().span())
      ? along/mag(along) : vector(Zero);
}


std::vector<lbm::Turn> Foam::lbmCyclics::turns
(
    const lbmAxes& axes,
    const lbm::Int3& twiceCentre
) const
{
    std::vector<lbm::Turn> result;
    forAll(turned_, i)
    {
        const auto& patch = refCast<const coupledPolyPatch>
        (
            mesh_.boundaryMesh()[turned_[i]]
        );
        const lbm::Vec3 axis(axes.toLattice(turnAxis_[i]));
        const lbm::Vec3 from(axes.toLattice(fromAxis(i, patch)));
        const lbm::Vec3 to
        (
            axes.toLattice
            (
                fromAxis(i, mesh_.boundaryMesh()[neighbourOf(patch)])
            )
        );
        int a = 0;
        for (int k = 1; k < 3; ++k) if (mag(axis[k]) > mag(axis[a])) a = k;
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        const scalar sine = from[b]*to[c] - from[c]*to[b];
        const scalar cosine = from[b]*to[b] + from[c]*to[c];
        const int quarters = mag(cosine) > mag(sine) ? 2 : sine > 0 ? 1 : 3;
        result.push_back
        (
            {
                std::int16_t(turned_[i]),
                std::uint8_t(a),
                std::uint8_t(quarters),
                twiceCentre
            }
        );
    }
    return result;
}


void Foam::lbmCyclics::refuseTurn(const coupledPolyPatch& patch) const
{
    FatalIOErrorInFunction
    (
        dictionary(fileName(mesh_.boundaryMesh().objectPath()))
    )   << "Patch " << patch.name() << " of type " << patch.type()
        << " repeats by a rotation: lbmFoam's lattice repeats by translations"
        << " along its axes, by quarter turns about one of them, and by half"
        << " turns about one of them where the sides lie along another" << nl
        << "Way out: a mesh of the whole circle (transformPoints, mergeMeshes,"
        << " stitchMesh)" << exit(FatalIOError);
    std::abort();
}


Foam::scalar Foam::lbmCyclics::rounded(const scalar spacing) const
{
    for (direction axis = 0; axis < 3; ++axis)
    {
        if (periodic(axis))
        {
            return length(axis)/max(scalar(1), round(length(axis)/spacing));
        }
    }
    return spacing;
}


bool Foam::lbmCyclics::fits(const direction axis, const scalar spacing) const
{
    const scalar n = length(axis)/spacing;
    return n > 0.5 && mag(n - round(n)) <= tolerance*n;
}


Foam::scalar Foam::lbmCyclics::fitting(const scalar spacing) const
{
    direction first = 0;
    while (first < 3 && !periodic(first)) ++first;
    if (first == 3) return spacing;

    const scalar least = ceil(length(first)/spacing*(1 - tolerance));
    for (scalar n = max(scalar(1), least); n <= 2*least; ++n)
    {
        const scalar dx = length(first)/n;
        bool all = true;
        for (direction axis = 0; axis < 3; ++axis)
        {
            all = all && (!periodic(axis) || fits(axis, dx));
        }
        if (all) return dx;
    }
    return 0;
}


void Foam::lbmCyclics::check(const scalar spacing) const
{
    for (direction axis = 0; axis < 3; ++axis)
    {
        if (!periodic(axis)) continue;

        const scalar n = length(axis)/spacing;
        if (fits(axis, spacing)) continue;

        const scalar fewer = max(scalar(1), floor(n));
        FatalIOErrorInFunction
        (
            dictionary(fileName(mesh_.boundaryMesh().objectPath()))
        )   << "Patch " << patch_[axis] << " repeats after " << length(axis)
            << ", which is no multiple of the cell size " << spacing << nl
            << "The nearest cell sizes that fit are "
            << length(axis)/(fewer + 1) << " and " << length(axis)/fewer
            << exit(FatalIOError);
    }
}
