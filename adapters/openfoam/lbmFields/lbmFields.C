// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFields.H"

namespace
{
    // Cells worked on at a time: bounds the memory for node states
    const Foam::label blockSize = 8192;
}


Foam::lbmFields::lbmFields
(
    const fvMesh& mesh,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const lbmBoundary& boundary,
    const std::vector<lbm::Int3>& directions
)
:
    axes_(axes),
    stencils_(mesh, domain, axes, boundary, directions)
{}


void Foam::lbmFields::sampleBlock
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const labelUList& cells,
    volVectorField& U,
    volScalarField& p
) const
{
    nodes_.clear();
    faces_.clear();
    std::vector<std::size_t> nodeEnd, faceEnd;
    for (const label celli : cells)
    {
        stencils_.append(celli, nodes_, faces_);
        nodeEnd.push_back(nodes_.size());
        faceEnd.push_back(faces_.size());
    }

    indices_.clear();
    for (const auto& term : nodes_) indices_.push_back(term.node);
    states_.resize(indices_.size());
    solver.sample(indices_.data(), indices_.size(), states_.data());

    std::size_t n = 0, f = 0;
    forAll(cells, i)
    {
        vector velocity(Zero);
        scalar pressure = 0;
        for (; n < nodeEnd[i]; ++n)
        {
            velocity +=
                nodes_[n].U*units.velocity(axes_, states_[n].velocity);
            pressure += nodes_[n].p*units.pressure(states_[n].density);
        }
        for (; f < faceEnd[i]; ++f)
        {
            const auto& term = faces_[f];
            velocity += term.U*U.boundaryField()[term.patch][term.face];
            pressure += term.p*p.boundaryField()[term.patch][term.face];
        }
        U.primitiveFieldRef()[cells[i]] = velocity;
        p.primitiveFieldRef()[cells[i]] = pressure;
    }
}


void Foam::lbmFields::sample
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const labelUList& cells,
    volVectorField& U,
    volScalarField& p
) const
{
    for (label begin = 0; begin < cells.size(); begin += blockSize)
    {
        const label size = min(blockSize, cells.size() - begin);
        const SubList<label> block(cells, size, begin);
        sampleBlock(solver, units, block, U, p);
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
    const label nCells = U.mesh().nCells();
    labelList block;
    for (label begin = 0; begin < nCells; begin += blockSize)
    {
        block = identity(min(blockSize, nCells - begin), begin);
        sampleBlock(solver, units, block, U, p);
    }
}
