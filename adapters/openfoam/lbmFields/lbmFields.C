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
    stencils_(mesh, domain, axes, boundary, directions, threads),
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


Foam::scalar Foam::lbmFields::pressure
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const label celli,
    const volScalarField& p
) const
{
    std::vector<lbmCellStencils::nodeTerm> nodes;
    std::vector<lbmCellStencils::faceTerm> faces;
    stencils_.append(celli, nodes, faces);
    std::vector<lbm::NodeIndex> indices;
    for (const auto& term : nodes) indices.push_back(term.node);
    std::vector<lbm::Macroscopic> states(indices.size());
    solver.sample(indices.data(), indices.size(), states.data());

    scalar result = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        result += nodes[i].p*units.pressure(states[i].density);
    }
    for (const auto& term : faces)
    {
        result += term.p*p.boundaryField()[term.patch][term.face];
    }
    return result;
}
