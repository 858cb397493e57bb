// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNearWalls.H"
#include "wallPolyPatch.H"

namespace
{

// As cellDistFuncs::getPointNeighbours counts: the face, those across its edges, and at each of
// its points those that are not among these
Foam::label gathered(const Foam::polyPatch& patch, const Foam::label facei)
{
    const Foam::labelList& acrossEdges = patch.faceFaces()[facei];
    Foam::label n = 1 + acrossEdges.size();
    for (const Foam::label pointi : patch.localFaces()[facei])
    {
        for (const Foam::label other : patch.pointFaces()[pointi])
        {
            if (other != facei && !acrossEdges.found(other)) ++n;
        }
    }
    return n;
}

} // End anonymous namespace


const Foam::fvMesh& Foam::lbmNearWalls::check(const fvMesh& mesh)
{
    label room = 0;
    for (const polyPatch& patch : mesh.boundaryMesh())
    {
        if (isA<wallPolyPatch>(patch)) room = max(room, patch.size());
    }
    for (const polyPatch& patch : mesh.boundaryMesh())
    {
        if (!isA<wallPolyPatch>(patch)) continue;
        forAll(patch, facei)
        {
            const label n = gathered(patch, facei);
            if (n <= room) continue;
            FatalErrorInFunction
                << "The mesh is too coarse for wall " << patch.name() << ", which has "
                << patch.size() << " faces: OpenFOAM's models keep at most " << room
                << " faces around one, as many as the largest wall has, and around that at "
                << patch.faceCentres()[facei] << " there are " << n << nl
                << "Way out: smaller cells there (in lbmVoxelizeDict cellSize of outputMesh)"
                << exit(FatalError);
        }
    }
    return mesh;
}
