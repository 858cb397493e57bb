// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFields.H"

#include <omp.h>

namespace
{
    // Cells worked on at a time: bounds the memory for node states. A solver
    // on a device wants many nodes at once, a thread its share in cache
    const Foam::label blockSize = 131072, partSize = 4096;
}


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
    axes_(axes),
    stencils_(mesh, domain, axes, boundary, directions),
    threads_(threads > 0 ? threads : omp_get_max_threads())
{}


template<class Cell>
void Foam::lbmFields::collect(part& mine, const Cell& cell) const
{
    mine.nodes.clear();
    mine.faces.clear();
    mine.nodeEnd.clear();
    mine.faceEnd.clear();
    for (label i = mine.begin; i < mine.end; ++i)
    {
        stencils_.append(cell(i), mine.nodes, mine.faces);
        mine.nodeEnd.push_back(mine.nodes.size());
        mine.faceEnd.push_back(mine.faces.size());
    }
}


template<class Cell>
void Foam::lbmFields::sum
(
    const part& mine,
    const lbmUnits& units,
    const Cell& cell,
    const volVectorField& U,
    const volScalarField& p,
    vectorField& cellU,
    scalarField& cellP
) const
{
    const lbm::Macroscopic* states = states_.data() + mine.firstNode;
    std::size_t n = 0, f = 0;
    for (label i = mine.begin; i < mine.end; ++i)
    {
        vector velocity(Zero);
        scalar pressure = 0;
        for (; n < mine.nodeEnd[i - mine.begin]; ++n)
        {
            const auto& term = mine.nodes[n];
            velocity += term.U*units.velocity(axes_, states[n].velocity);
            pressure += term.p*units.pressure(states[n].density);
        }
        for (; f < mine.faceEnd[i - mine.begin]; ++f)
        {
            const auto& term = mine.faces[f];
            velocity += term.U*U.boundaryField()[term.patch][term.face];
            pressure += term.p*p.boundaryField()[term.patch][term.face];
        }
        cellU[cell(i)] = velocity;
        cellP[cell(i)] = pressure;
    }
}


template<class Cell>
void Foam::lbmFields::sampleBlock
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const label size,
    const Cell& cell,
    volVectorField& U,
    volScalarField& p
) const
{
    const label nParts = (size + partSize - 1)/partSize;
    parts_.resize(nParts);
    #pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (label i = 0; i < nParts; ++i)
    {
        parts_[i].begin = i*partSize;
        parts_[i].end = min(size, (i + 1)*partSize);
        collect(parts_[i], cell);
    }

    indices_.clear();
    for (part& mine : parts_)
    {
        mine.firstNode = indices_.size();
        for (const auto& term : mine.nodes) indices_.push_back(term.node);
    }
    states_.resize(indices_.size());
    solver.sample(indices_.data(), indices_.size(), states_.data());

    vectorField& cellU = U.primitiveFieldRef();
    scalarField& cellP = p.primitiveFieldRef();
    #pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (label i = 0; i < nParts; ++i)
    {
        sum(parts_[i], units, cell, U, p, cellU, cellP);
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
        const auto cell = [&](const label i) { return cells[begin + i]; };
        const label size = min(blockSize, cells.size() - begin);
        sampleBlock(solver, units, size, cell, U, p);
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
    for (label begin = 0; begin < nCells; begin += blockSize)
    {
        const auto cell = [&](const label i) { return begin + i; };
        const label size = min(blockSize, nCells - begin);
        sampleBlock(solver, units, size, cell, U, p);
    }
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
