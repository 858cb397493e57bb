// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPoisson.H"
#include "correctedSnGrad.H"
#include "gaussLaplacianScheme.H"
#include "linear.H"
#include "lduPrimitiveMesh.H"
#include "pairGAMGAgglomeration.H"
#include "surfaceFields.H"
#include "uncorrectedSnGrad.H"

namespace
{
    // Of the normalized residual: what one solution leaves, and what needs none
    const Foam::scalar reduction = 1e-4, settled = 1e-6;

    template<class SnGrad>
    Foam::tmp<Foam::fvScalarMatrix> laplacianBy(const Foam::volScalarField& field)
    {
        using namespace Foam;
        const fvMesh& mesh = field.mesh();
        fv::gaussLaplacianScheme<scalar, scalar> scheme
        (
            mesh,
            tmp<surfaceInterpolationScheme<scalar>>(new linear<scalar>(mesh)),
            tmp<fv::snGradScheme<scalar>>(new SnGrad(mesh))
        );
        return scheme.fvmLaplacian
        (
            surfaceScalarField
            (
                IOobject("one", mesh.time().timeName(), mesh),
                mesh,
                dimensionedScalar("one", dimless, 1)
            ),
            field
        );
    }
}


Foam::tmp<Foam::fvScalarMatrix> Foam::lbmPoisson::laplacian
(
    const volScalarField& field
)
{
    return laplacianBy<fv::correctedSnGrad<scalar>>(field);
}


Foam::tmp<Foam::fvScalarMatrix> Foam::lbmPoisson::orthogonalLaplacian
(
    const volScalarField& field
)
{
    return laplacianBy<fv::uncorrectedSnGrad<scalar>>(field);
}


Foam::dictionary Foam::lbmPoisson::controls()
{
    // Meshes with thin layers need the conjugate gradients, large ones the
    // multigrid
    dictionary multigrid;
    multigrid.add("preconditioner", word("GAMG"));
    multigrid.add("smoother", word("DICGaussSeidel"));
    multigrid.add("tolerance", settled);
    multigrid.add("relTol", 0.1);

    dictionary result;
    result.add("solver", word("PCG"));
    result.add("preconditioner", multigrid);
    result.add("tolerance", settled);
    result.add("relTol", reduction);
    return result;
}


void Foam::lbmPoisson::forget(const fvMesh& mesh)
{
    GAMGAgglomeration::Delete(mesh);

    // OpenFOAM pairs cells from the first and from the last by turns, and counts
    // turns over all levels that a process ever makes: a run that goes on from a
    // checkpoint, without a start flow, would pair others than one that did not
    // stop. A chain of five cells shows where pairs begin.
    labelList lower({0, 1, 2, 3}), upper({1, 2, 3, 4});
    const lduPrimitiveMesh chain(5, lower, upper, UPstream::worldComm, true);
    const scalarField weights(4, 1);
    label clusters;
    const auto fromFirst = [&]
    {
        return pairGAMGAgglomeration::agglomerate
        (
            clusters, chain, weights
        )()[2] == 1;
    };
    if (fromFirst()) fromFirst();
}
