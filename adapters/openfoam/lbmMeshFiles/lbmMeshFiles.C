// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshFiles.H"
#include "faceIOList.H"
#include "labelIOList.H"
#include "pointIOField.H"
#include "polyBoundaryMeshEntries.H"
#include "polyMesh.H"
#include "Time.H"

namespace
{

using namespace Foam;

// A tetrahedron's
const label fewestFaces = 4;
const label fewestPoints = 3;


IOobject file(const Time& runTime, const word& name)
{
    return IOobject
    (
        name,
        runTime.findInstance(polyMesh::meshSubDir, "faces"),
        polyMesh::meshSubDir,
        runTime,
        IOobject::MUST_READ,
        IOobject::NO_WRITE,
        false
    );
}


Ostream& fault(const regIOobject& object)
{
    return FatalIOErrorInFunction(dictionary(fileName(object.objectPath())));
}


void checkPoints(const pointIOField& points)
{
    forAll(points, i)
    {
        if (cmptMax(cmptMag(points[i])) < GREAT) continue;
        fault(points)
            << "point " << i << " lies at " << points[i] << exit(FatalIOError);
    }
}


void checkFaces(const faceCompactIOList& faces, const label nPoints)
{
    forAll(faces, i)
    {
        const face& f = faces[i];
        if (f.size() < fewestPoints)
        {
            fault(faces)
                << "face " << i << " has " << f.size() << " points"
                << exit(FatalIOError);
        }
        for (const label p : f)
        {
            if (p >= 0 && p < nPoints) continue;
            fault(faces)
                << "face " << i << " has point " << p << " of " << nPoints
                << exit(FatalIOError);
        }
    }
}


void checkSizes
(
    const labelIOList& owner,
    const labelIOList& neighbour,
    const label nFaces
)
{
    if (owner.size() != nFaces)
    {
        fault(owner)
            << "polyMesh/owner has " << owner.size() << " entries, polyMesh/"
            << "faces " << nFaces << exit(FatalIOError);
    }
    if (neighbour.size() > nFaces)
    {
        fault(neighbour)
            << "polyMesh/neighbour has " << neighbour.size()
            << " entries, polyMesh/faces " << nFaces << exit(FatalIOError);
    }
}


label internalFaces(const labelIOList& neighbour)
{
    // Files of old list -1 for faces on the boundary
    label n = neighbour.size();
    while (n > 0 && neighbour[n - 1] == -1) --n;
    return n;
}


void checkCells
(
    const labelIOList& owner,
    const labelIOList& neighbour,
    const label nInternal
)
{
    const label nCells =
        1 + max(max(owner), nInternal ? max(neighbour) : label(0));

    // No more cells than faces: a label that is far off needs no memory
    labelList faces(min(nCells, owner.size()), Zero);
    forAll(owner, i)
    {
        const bool internal = i < nInternal;
        const label own = owner[i];
        const label other = internal ? neighbour[i] : -1;
        if (own < 0 || own >= faces.size())
        {
            fault(owner)
                << "face " << i << " has owner " << own << exit(FatalIOError);
        }
        ++faces[own];
        if (!internal) continue;
        if (other <= own || other >= faces.size())
        {
            fault(neighbour)
                << "face " << i << " has owner " << own << " and neighbour "
                << other << exit(FatalIOError);
        }
        ++faces[other];
    }
    forAll(faces, celli)
    {
        if (faces[celli] >= fewestFaces) continue;
        fault(owner)
            << "cell " << celli << " of " << nCells << " has " << faces[celli]
            << " faces" << exit(FatalIOError);
    }
}


void checkBoundary
(
    const polyBoundaryMeshEntries& patches,
    const label nInternal,
    const label nFaces
)
{
    label next = nInternal;
    for (const entry& patch : patches)
    {
        const word type(patch.dict().get<word>("type"));
        if (!polyPatch::dictionaryConstructorTablePtr_->found(type))
        {
            fault(patches)
                << "Patch " << patch.keyword() << " has the unknown type "
                << type << nl << "Valid types are "
                << flatOutput
                   (
                       polyPatch::dictionaryConstructorTablePtr_->sortedToc()
                   )
                << exit(FatalIOError);
        }
        const label start = patch.dict().get<label>("startFace");
        const label size = patch.dict().get<label>("nFaces");
        if (start != next || size < 0 || size > nFaces - start)
        {
            fault(patches)
                << "Patch " << patch.keyword() << " has " << size
                << " faces from " << start << " on; the mesh has " << nFaces
                << ", those before end at " << next << exit(FatalIOError);
        }
        next += size;
    }
    if (next != nFaces)
    {
        fault(patches)
            << "Patches end at face " << next << ", the mesh has " << nFaces
            << exit(FatalIOError);
    }
}

} // End anonymous namespace


void Foam::lbmMeshFiles::check(const Time& runTime)
{
    const pointIOField points
    (
        IOobject
        (
            "points",
            runTime.findInstance(polyMesh::meshSubDir, "points"),
            polyMesh::meshSubDir,
            runTime,
            IOobject::MUST_READ,
            IOobject::NO_WRITE,
            false
        )
    );
    checkPoints(points);
    const faceCompactIOList faces(file(runTime, "faces"));
    checkFaces(faces, points.size());
    const labelIOList owner(file(runTime, "owner"));
    const labelIOList neighbour(file(runTime, "neighbour"));
    checkSizes(owner, neighbour, faces.size());
    const label nInternal = internalFaces(neighbour);
    checkCells(owner, neighbour, nInternal);
    checkBoundary
    (
        polyBoundaryMeshEntries(file(runTime, "boundary")),
        nInternal,
        faces.size()
    );
}
