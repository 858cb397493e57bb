// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPlacedCells.H"
#include "lbm/api/inParallel.hpp"

namespace
{
    const Foam::label pieceSize = 131072;

    // Cells that a thread collects at a time, of which some hold 100 000 nodes
    const Foam::label cellsCollected = 1024;
    const std::size_t nodesCollected = std::size_t(1) << 18;

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

    for (piece& mine : pieces_)
    {
        collect(stencils, mine);
        mine.sums.place(solver);
    }
}


std::vector<Foam::lbmPlacedCells::share> Foam::lbmPlacedCells::sharesOf
(
    const lbmCellStencils& stencils,
    const piece& mine,
    std::size_t& terms
) const
{
    std::vector<share> shares;
    std::size_t nodes = 0;
    terms = 0;
    for (label i = 0; i < mine.end - mine.begin; ++i)
    {
        const std::size_t own = stencils.about(cell(mine, i));
        const bool begins = shares.empty() || nodes + own > nodesCollected
         || i - shares.back().begin >= cellsCollected;
        if (begins)
        {
            shares.emplace_back();
            shares.back().begin = i;
            nodes = 0;
        }
        shares.back().end = i + 1;
        nodes += own;
        terms += own;
    }
    return shares;
}


void Foam::lbmPlacedCells::collect
(
    const lbmCellStencils& stencils,
    const piece& mine,
    share& own
) const
{
    std::vector<lbmNodeTerm> nodes;
    for (label i = own.begin; i < own.end; ++i)
    {
        if (const auto box = stencils.box(cell(mine, i)))
        {
            own.boxes.emplace_back(i, *box);
            continue;
        }
        nodes.clear();
        const std::size_t before = own.faces.size();
        stencils.append(cell(mine, i), nodes, own.faces);
        for (const auto& term : nodes) own.groups.add(term.node, term.U);
        own.groups.endGroup();
        if (own.faces.size() == before && alike(nodes)) continue;

        scalar weight = 0;
        for (const auto& term : nodes)
        {
            own.pressures.add(term.node, term.p);
            weight += term.p;
        }
        own.pressures.endGroup();
        own.apart.push_back({i, weight, own.faces.size()});
    }
}


void Foam::lbmPlacedCells::collect
(
    const lbmCellStencils& stencils,
    piece& mine
) const
{
    std::size_t terms = 0;
    std::vector<share> shares(sharesOf(stencils, mine, terms));
    mine.sums.reserve(terms);
    lbm::NodeGroups pressures;

    // Some at a time, for terms take memory, and put together in the order of the cells
    const std::size_t together = 4*std::size_t(threads_);
    for (std::size_t first = 0; first < shares.size(); first += together)
    {
        const std::size_t last = std::min(shares.size(), first + together);
        lbm::inParallel
        (
            last - first,
            [&](const std::size_t k){ collect(stencils, mine, shares[first + k]); },
            threads_
        );
        for (std::size_t k = first; k < last; ++k)
        {
            const share own(std::move(shares[k]));
            std::size_t box = 0, group = 0;
            for (label i = own.begin; i < own.end; ++i)
            {
                const bool isBox = box < own.boxes.size() && own.boxes[box].first == i;
                if (isBox) mine.sums.addBox(own.boxes[box++].second);
                else mine.sums.addGroup(own.groups, group++);
            }
            for (irregular its : own.apart)
            {
                its.faceEnd += mine.faces.size();
                mine.apart.push_back(its);
            }
            mine.faces.insert(mine.faces.end(), own.faces.begin(), own.faces.end());
            for (std::size_t g = 0; g < own.pressures.size(); ++g)
            {
                for (std::size_t t = own.pressures.begin[g]; t < own.pressures.begin[g + 1]; ++t)
                {
                    pressures.add(own.pressures.nodes[t], own.pressures.weights[t]);
                }
                pressures.endGroup();
            }
        }
    }
    for (std::size_t g = 0; g < pressures.size(); ++g) mine.sums.addGroup(pressures, g);
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
