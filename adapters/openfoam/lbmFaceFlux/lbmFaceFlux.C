// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFaceFlux.H"


void Foam::lbmFaceFlux::interpolate
(
    const volVectorField& U,
    surfaceScalarField& phi
)
{
    const fvMesh& mesh = U.mesh();
    const surfaceScalarField& weights = mesh.weights();
    const surfaceVectorField& Sf = mesh.Sf();
    const labelUList& owner = mesh.owner();
    const labelUList& neighbour = mesh.neighbour();
    const vectorField& u = U.primitiveField();
    const vectorField& area = Sf.primitiveField();
    const scalarField& w = weights.primitiveField();
    scalarField& flux = phi.primitiveFieldRef();
    #pragma omp parallel for schedule(static) if (flux.size() > 10000)
    for (label facei = 0; facei < flux.size(); ++facei)
    {
        const vector& beyond = u[neighbour[facei]];
        flux[facei] =
            area[facei] & (w[facei]*(u[owner[facei]] - beyond) + beyond);
    }

    surfaceScalarField::Boundary& patches = phi.boundaryFieldRef();
    forAll(patches, patchi)
    {
        const fvPatchVectorField& Up = U.boundaryField()[patchi];
        const vectorField& Sp = Sf.boundaryField()[patchi];
        if (!Up.coupled())
        {
            patches[patchi] = Sp & Up;
            continue;
        }
        const scalarField& wp = weights.boundaryField()[patchi];
        patches[patchi] =
            Sp & (wp*Up.patchInternalField() + (1 - wp)*Up.patchNeighbourField());
    }
}
