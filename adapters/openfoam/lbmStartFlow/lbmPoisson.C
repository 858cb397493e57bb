// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPoisson.H"
#include "correctedSnGrad.H"
#include "gaussLaplacianScheme.H"
#include "linear.H"
#include "surfaceFields.H"

namespace
{
    // Of the normalized residual: what one solution leaves, and what needs none
    const Foam::scalar reduction = 1e-4, settled = 1e-6;
}


Foam::tmp<Foam::fvScalarMatrix> Foam::lbmPoisson::laplacian
(
    const volScalarField& field
)
{
    const fvMesh& mesh = field.mesh();
    fv::gaussLaplacianScheme<scalar, scalar> scheme
    (
        mesh,
        tmp<surfaceInterpolationScheme<scalar>>(new linear<scalar>(mesh)),
        tmp<fv::snGradScheme<scalar>>(new fv::correctedSnGrad<scalar>(mesh))
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
