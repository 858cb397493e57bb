// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFields.H"

Foam::lbmFields::lbmFields
(
    const lbm::Solver& solver,
    const fvMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const std::vector<lbm::Int3>& directions,
    const int threads
)
:
    stencils_(mesh, domain, axes, boundary, directions),
    all_(stencils_, axes, solver, identity(mesh.nCells()), threads)
{
    if (boundary.anyOpening())
    {
        atOpenings_.reset
        (
            new lbmPlacedCells
            (
                stencils_, axes, solver, boundary.openingCells(), threads
            )
        );
    }
}


void Foam::lbmFields::sample
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    volVectorField& U,
    volScalarField& p
) const
{
    all_.sample(solver, units, U, p);
}


void Foam::lbmFields::sampleAtOpenings
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    volVectorField& U,
    volScalarField& p
) const
{
    if (atOpenings_) atOpenings_->sample(solver, units, U, p);
}
