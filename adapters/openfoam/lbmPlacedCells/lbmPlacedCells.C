// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPlacedCells.H"
#include "lbm/api/inParallel.hpp"

namespace
{
    const Foam::label pieceSize = 131072;

    // Of lbm::Reading::flow
    const std::size_t nValues = lbm::valuesOf(lbm::Reading::flow);

    bool alike(const std::vector<Foam::lbmNodeTerm>& terms)
    {
        for (const auto& term : terms) if (term.U != term.p) return false;
        return true;
    }
}


Foam::lbmPlacedCells::lbmPlacedCells
(
    const lbmCellStencils& stencils,
    const lbmAxes& axes,
    const lbm::Solver& solver,
    const labelUList& cells,
    const int threads
)
:
    axes_(axes),
    cells_(cells),
    threads_(threads > 0 ? threads : omp_get_max_threads())
{
    const label n = cells.size();
    for (label begin = 0; begin < n; begin += pieceSize)
    {
        pieces_.push_back({begin, min(begin + pieceSize, n), lbmCellSums(), {}, {}, {}});
    }

    // As many at a time as there are threads, for terms take memory
    const label nPieces = label(pieces_.size());
    for (label first = 0; first < nPieces; first += threads_)
    {
        const label last = min(first + threads_, nPieces);
        lbm::inParallel
        (
            last - first,
            [&](const std::size_t i){ collect(stencils, pieces_[first + i]); },
            threads_
        );
        for (label i = first; i < last; ++i)
        {
            pieces_[i].sums.place(solver);
        }
    }
}


void Foam::lbmPlacedCells::collect
(
    const lbmCellStencils& stencils,
    piece& mine
) const
{
    lbm::NodeGroups pressures;
    std::vector<lbmNodeTerm> nodes;
    std::vector<lbmCellStencils::faceTerm>& faces = mine.faces;
    for (label i = 0; i < mine.end - mine.begin; ++i)
    {
        if (const auto box = stencils.box(cell(mine, i)))
        {
            mine.sums.addBox(*box);
            continue;
        }
        nodes.clear();
        const std::size_t before = faces.size();
        stencils.append(cell(mine, i), nodes, faces);
        for (const auto& term : nodes) mine.sums.addNode(term.node, term.U);
        mine.sums.endGroup();
        if (faces.size() == before && alike(nodes)) continue;

        scalar weight = 0;
        for (const auto& term : nodes)
        {
            pressures.add(term.node, term.p);
            weight += term.p;
        }
        pressures.endGroup();
        mine.apart.push_back({i, weight, faces.size()});
    }
    for (std::size_t g = 0; g < pressures.size(); ++g)
    {
        for (std::size_t k = pressures.begin[g]; k < pressures.begin[g + 1]; ++k)
        {
            mine.sums.addNode(pressures.nodes[k], pressures.weights[k]);
        }
        mine.sums.endGroup();
    }
}


void Foam::lbmPlacedCells::setRegular
(
    const piece& mine,
    const std::vector<double>& values,
    const lbmUnits& units,
    vectorField& U,
    scalarField& p
) const
{
    const label n = mine.end - mine.begin;
    #pragma omp parallel for schedule(static) num_threads(threads_)
    for (label i = 0; i < n; ++i)
    {
        const double* v = &values[nValues*i];
        U[cell(mine, i)] = units.velocity(axes_, lbm::Vec3{v[1], v[2], v[3]});
        p[cell(mine, i)] = units.pressure(v[0]);
    }
}


void Foam::lbmPlacedCells::setIrregular
(
    const piece& mine,
    const std::vector<double>& values,
    const lbmUnits& units,
    volVectorField& U,
    volScalarField& p
) const
{
    vectorField& cellU = U.primitiveFieldRef();
    scalarField& cellP = p.primitiveFieldRef();
    std::size_t f = 0, group = mine.end - mine.begin;
    for (const irregular& own : mine.apart)
    {
        const label celli = cell(mine, own.i);

        // The level belongs to each node's pressure, of which there are more
        // or fewer than one where faces tell it, too
        scalar pressure = units.pressure(values[nValues*group++])
          + (own.weight - 1)*units.pOffset();
        for (; f < own.faceEnd; ++f)
        {
            const auto& term = mine.faces[f];
            cellU[celli] += term.U*U.boundaryField()[term.patch][term.face];
            pressure += term.p*p.boundaryField()[term.patch][term.face];
        }
        cellP[celli] = pressure;
    }
}


void Foam::lbmPlacedCells::sample
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    volVectorField& U,
    volScalarField& p
) const
{
    for (const piece& mine : pieces_)
    {
        std::vector<double>& values = keeps_ ? mine.values : values_;
        mine.sums.sample(solver, lbm::Reading::flow, values);
        setRegular(mine, values, units, U.primitiveFieldRef(), p.primitiveFieldRef());
        setIrregular(mine, values, units, U, p);
    }
}


void Foam::lbmPlacedCells::sampleAgain
(
    const lbmUnits& units,
    volVectorField& U,
    volScalarField& p
) const
{
    for (const piece& mine : pieces_)
    {
        setRegular(mine, mine.values, units, U.primitiveFieldRef(), p.primitiveFieldRef());
        setIrregular(mine, mine.values, units, U, p);
    }
}
