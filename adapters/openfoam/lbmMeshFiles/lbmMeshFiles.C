// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshFiles.H"
#include "lbmMeshCells.H"
#include "faceIOList.H"
#include "fvMesh.H"
#include "IFstream.H"
#include "labelIOList.H"
#include "namedFile.H"
#include "OSspecific.H"
#include "pointIOField.H"
#include "polyBoundaryMeshEntries.H"
#include "polyMesh.H"
#include "sigFpe.H"
#include "Time.H"
#include "wedgePolyPatch.H"

namespace
{

using namespace Foam;

// A tetrahedron's
const label fewestFaces = 4;
const label fewestPoints = 3;


// A deflated byte stands for no more than this many
const off_t mostUnpacked = 1032;


// A list begins with the number of its entries, for which OpenFOAM takes memory
// before it reads on
void checkCount(const IOobject& io)
{
    const fileName path(io.objectPath());
    IFstream is(path);
    IOobject header(io);
    // Where there is no header or no number, reading says so
    if (!is.good() || !header.readHeader(is)) return;
    const token first(is);
    if (!first.isLabel()) return;

    const off_t bytes = isFile(path, false)
      ? fileSize(path) : mostUnpacked*fileSize(path + ".gz");
    const label n = first.labelToken();
    if (n >= 0 && n <= bytes) return;
    namedFile::refuse
    (
        path,
        "The list announces " + std::to_string(n) + " entries; the file has "
      + std::to_string(bytes) + " bytes",
        is.lineNumber()
    );
}


// The contents of a file of the mesh
template<class Type>
Type contents(const IOobject& io)
{
    return namedFile::read
    (
        io.objectPath(),
        [&]{ checkCount(io); return Type(io); }
    );
}


// A binary list of lists has where each begins, and then all that is in them:
// OpenFOAM takes the former as they are
void checkOffsets(const IOobject& io)
{
    const fileName path(io.objectPath());
    IFstream is(path);
    IOobject header(io);
    if
    (
        !is.good() || !header.readHeader(is)
     || header.headerClassName() != faceCompactIOList::typeName
    )
    {
        return;
    }
    namedFile::read
    (
        path,
        [&]
        {
            checkCount(io);
            const labelList begins(is);
            const labelList all(is);
            const label n = begins.size();
            bool fit = n > 0 && begins[0] == 0 && begins[n - 1] == all.size();
            label i = 1;
            while (fit && i < n && begins[i - 1] <= begins[i]) ++i;
            if (fit && i >= n) return;
            FatalIOErrorInFunction(is)
                << "The list of where faces begin is damaged"
                << (fit ? " at face " + std::to_string(i - 1) : "").c_str()
                << exit(FatalIOError);
        }
    );
}


IOobject file
(
    const Time& runTime,
    const word& name,
    const word& instanceOf = "faces"
)
{
    return IOobject
    (
        name,
        runTime.findInstance(polyMesh::meshSubDir, instanceOf),
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
        // Not the largest component: which is that with nan among them?
        const point& x = points[i];
        if (mag(x.x()) < GREAT && mag(x.y()) < GREAT && mag(x.z()) < GREAT)
        {
            continue;
        }
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
    // No more cells than faces: a label that is far off needs no memory
    labelList faces(owner.size(), Zero);
    label nCells = 0;
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
        nCells = max(nCells, own + 1);
        if (!internal) continue;
        if (other <= own || other >= faces.size())
        {
            fault(neighbour)
                << "face " << i << " has owner " << own << " and neighbour "
                << other << exit(FatalIOError);
        }
        ++faces[other];
        nCells = max(nCells, other + 1);
    }
    for (label celli = 0; celli < nCells; ++celli)
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
    wordHashSet names;
    forAll(patches, patchi)
    {
        if (!patches.set(patchi))
        {
            fault(patches)
                << "Patch " << patchi << " of " << patches.size()
                << " is missing" << exit(FatalIOError);
        }
        const entry& patch = patches[patchi];
        if (!names.insert(patch.keyword()))
        {
            fault(patches)
                << "There are two patches " << patch.keyword()
                << exit(FatalIOError);
        }
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

// A lattice of cubes fits no domain whose sides differ more
const scalar mostElongated = 1e9;

void checkFlat(const polyMesh& mesh, const fileName& folder)
{
    const vector sides(mesh.bounds().span());
    if (!(cmptMin(sides)*mostElongated > cmptMax(sides)))
    {
        FatalIOErrorInFunction(dictionary(folder/"points"))
            << "The mesh extends over " << sides << " m: one side is more than "
            << mostElongated << " times another" << exit(FatalIOError);
    }

    // Patches of type empty leave fewer directions, along which no point may
    // stand out; of three directions there is nothing to say
    if (mesh.nGeometricD() == 3) return;
    for (const polyPatch& patch : mesh.boundaryMesh())
    {
        if (isA<wedgePolyPatch>(patch)) return;
    }
    const Vector<label> left((mesh.geometricD() + Vector<label>::one)/2);
    labelHashSet points;
    if
    (
        !mesh.checkEdgeAlignment(false, left, &points)
     || points.empty()
    )
    {
        return;
    }
    mesh.checkEdgeAlignment(true, left, nullptr);
    const label point = min(points.sortedToc());
    FatalIOErrorInFunction(dictionary(folder/"points"))
        << "Edges are not aligned with or perpendicular to the directions that"
        << " patches of type empty leave: the first is at point " << point
        << ' ' << mesh.points()[point] << exit(FatalIOError);
}

} // End anonymous namespace


void Foam::lbmMeshFiles::check(const Time& runTime)
{
    const auto points =
        contents<pointIOField>(file(runTime, "points", "points"));
    checkPoints(points);
    checkOffsets(file(runTime, "faces"));
    const auto faces = contents<faceCompactIOList>(file(runTime, "faces"));
    checkFaces(faces, points.size());
    const auto owner = contents<labelIOList>(file(runTime, "owner"));
    const auto neighbour = contents<labelIOList>(file(runTime, "neighbour"));
    checkSizes(owner, neighbour, faces.size());
    const label nInternal = internalFaces(neighbour);
    checkCells(owner, neighbour, nInternal);

    const IOobject boundary(file(runTime, "boundary", "boundary"));
    namedFile::read
    (
        boundary.objectPath(),
        [&]
        {
            checkBoundary
            (
                contents<polyBoundaryMeshEntries>(boundary),
                nInternal,
                faces.size()
            );
        }
    );
}


Foam::autoPtr<Foam::fvMesh> Foam::lbmMeshFiles::read(const Time& runTime)
{
    check(runTime);
    const IOobject mesh
    (
        fvMesh::defaultRegion,
        runTime.timeName(),
        runTime,
        IOobject::MUST_READ
    );
    const fileName folder(file(runTime, "faces").objectPath().path());

    // Until its cells are known to be some, geometry may divide by zero
    const sigFpe::ignore untilChecked;
    // Patches that do not fit each other, and zones, are found here
    autoPtr<fvMesh> result
    (
        namedFile::read(folder, [&]{ return autoPtr<fvMesh>::New(mesh); })
    );
    lbmMeshCells::check(*result, folder);
    checkFlat(*result, folder);
    return result;
}
