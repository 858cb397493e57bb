// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCyclics.H"
#include "cyclicPolyPatch.H"
#include "SubField.H"

#include <cstdlib>

const Foam::scalar Foam::lbmCyclics::tolerance = 1e-5;


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
        else if (isA<coupledPolyPatch>(patch) && patch.size())
        {
            const auto& coupled = refCast<const coupledPolyPatch>(patch);
            if (coupled.transform() == coupledPolyPatch::ROTATIONAL)
            {
                refuseTurn(coupled);
            }
        }
    }
}


void Foam::lbmCyclics::add(const cyclicPolyPatch& patch)
{
    const vectorField shift
    (
        patch.neighbPatch().faceCentres() - patch.faceCentres()
    );
    if (max(mag(shift)) <= tolerance*mag(mesh_.bounds().span())) return;
    if (patch.transform() == coupledPolyPatch::ROTATIONAL) refuseTurn(patch);
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


void Foam::lbmCyclics::refuseTurn(const coupledPolyPatch& patch) const
{
    FatalIOErrorInFunction
    (
        dictionary(fileName(mesh_.boundaryMesh().objectPath()))
    )   << "Patch " << patch.name() << " of type " << patch.type()
        << " repeats by a rotation: lbmFoam's lattice repeats by translations"
        << " along its axes" << nl
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
