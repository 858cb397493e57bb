// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFields.H"

#include <omp.h>

Foam::lbmFields::lbmFields
(
    const fvMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const std::vector<lbm::Int3>& directions,
    const int threads
)
:
    mesh_(mesh),
    axes_(axes),
    boundary_(boundary),
    stencils_(mesh, domain, axes, boundary, directions),
    threads_(threads > 0 ? threads : omp_get_max_threads())
{}


Foam::autoPtr<Foam::lbmPlacedCells> Foam::lbmFields::place
(
    const lbm::Solver& solver,
    const labelUList& cells
) const
{
    return autoPtr<lbmPlacedCells>::New
    (
        stencils_, axes_, solver, mesh_.nCells(), cells, threads_
    );
}


void Foam::lbmFields::sample
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    volVectorField& U,
    volScalarField& p
)
{
    if (!all_) all_ = place(solver, labelUList::null());
    all_->sample(solver, units, U, p);
}


void Foam::lbmFields::sampleAtOpenings
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    volVectorField& U,
    volScalarField& p
)
{
    if (!atOpenings_) atOpenings_ = place(solver, boundary_.openingCells());
    atOpenings_->sample(solver, units, U, p);
}
