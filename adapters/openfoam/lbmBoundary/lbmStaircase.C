// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmStaircase.H"
#include "SubField.H"

namespace
{

using namespace Foam;

// Of a patch's faces, the share that counts as a staircase: a box or a step in a
// channel has few treads, a sphere of 12 cells a third
const scalar fewSteps = 0.1;

// Cosines: of faces at a right angle, and of those that turn at all. Where two
// faces are at a right angle, one of them turns so far from any third.
const scalar rightAngle = 1e-3;
const scalar turned = 0.8;

} // End anonymous namespace


Foam::lbmStaircase::lbmStaircase(const polyMesh& mesh)
:
    mesh_(mesh),
    firstFace_(mesh.nPoints(), -1),
    bentIn_(mesh.nPoints(), -1)
{}


void Foam::lbmStaircase::bend(const polyPatch& patch)
{
    const vectorField& S = mesh_.faceAreas();
    forAll(patch, i)
    {
        const label facei = patch.start() + i;
        for (const label pointi : patch[i])
        {
            // Of another patch, it says nothing here
            label& first = firstFace_[pointi];
            if (first < patch.start() || first > facei)
            {
                first = facei;
                continue;
            }
            const vector& a = S[first];
            const vector& b = S[facei];
            if (sqr(a & b) < sqr(turned)*magSqr(a)*magSqr(b))
            {
                bentIn_[pointi] = patch.index();
            }
        }
    }
}


Foam::label Foam::lbmStaircase::turning(const polyPatch& patch) const
{
    label n = 0;
    for (const face& f : patch)
    {
        label bent = 0;
        for (const label pointi : f)
        {
            if (bentIn_[pointi] == patch.index()) ++bent;
        }
        if (bent > 2) ++n;
    }
    return n;
}


Foam::label Foam::lbmStaircase::treads(const polyPatch& patch)
{
    const vectorField& normals = patch.faceNormals();
    label n = 0;
    forAll(patch, facei)
    {
        bool outwards = false, inwards = false;
        for (const label facej : patch.faceFaces()[facei])
        {
            if (mag(normals[facei] & normals[facej]) > rightAngle) continue;
            const vector to(patch.faceCentres()[facej] - patch.faceCentres()[facei]);
            ((to & normals[facei]) > 0 ? outwards : inwards) = true;
        }
        if (outwards && inwards) ++n;
    }
    return n;
}


bool Foam::lbmStaircase::is(const label patchi)
{
    const polyPatch& patch = mesh_.boundaryMesh()[patchi];
    const scalar few = fewSteps*patch.size();

    // A tread has two edges where the patch turns. Which faces share edges costs
    // many times more than points do, and most patches have next to none.
    bend(patch);
    return turning(patch) > few && treads(patch) > few;
}
