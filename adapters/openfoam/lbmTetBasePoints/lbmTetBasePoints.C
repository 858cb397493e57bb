// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTetBasePoints.H"
#include "polyMesh.H"
#include "polyMeshTetDecomposition.H"

namespace
{

using pointsPtr = Foam::autoPtr<Foam::labelIOList>;

pointsPtr& basePointsOf(const Foam::polyMesh&);

// As for the tree of cells (lbmCellTree.C)
template<pointsPtr Foam::polyMesh::*member>
struct basePointsAccess
{
    friend pointsPtr& basePointsOf(const Foam::polyMesh& mesh)
    {
        return const_cast<Foam::polyMesh&>(mesh).*member;
    }
};

template struct basePointsAccess<&Foam::polyMesh::tetBasePtIsPtr_>;


bool anyCoupled(const Foam::polyMesh& mesh)
{
    for (const Foam::polyPatch& patch : mesh.boundaryMesh())
    {
        if (patch.coupled()) return true;
    }
    return false;
}

} // End anonymous namespace


void Foam::lbmTetBasePoints::make(const polyMesh& mesh)
{
    pointsPtr& present = basePointsOf(mesh);
    if (present || anyCoupled(mesh)) return;

    mesh.cellCentres(); // which OpenFOAM makes when they are first asked for
    labelList points(mesh.nFaces());
    #pragma omp parallel for schedule(static)
    for (label facei = 0; facei < mesh.nFaces(); ++facei)
    {
        points[facei] =
            mesh.isInternalFace(facei)
          ? polyMeshTetDecomposition::findSharedBasePoint
            (
                mesh, facei, polyMeshTetDecomposition::minTetQuality
            )
          : polyMeshTetDecomposition::findBasePoint
            (
                mesh, facei, polyMeshTetDecomposition::minTetQuality
            );
    }
    present.reset
    (
        new labelIOList
        (
            IOobject
            (
                "tetBasePtIs",
                mesh.instance(),
                polyMesh::meshSubDir,
                mesh,
                IOobject::NO_READ,
                IOobject::NO_WRITE
            ),
            std::move(points)
        )
    );
}
