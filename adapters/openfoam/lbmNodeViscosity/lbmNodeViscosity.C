// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNodeViscosity.H"

#include <omp.h>

namespace
{
    const std::string valuesNote("nodeViscosity.nu");
    const std::string guardedNote("nodeViscosity.guarded");
    const std::string addedNote("nodeViscosity.added");

    // Ghosts of parts are told after each piece: few of them
    const std::size_t viscosityPiece = 1 << 20;
}


Foam::lbmNodeViscosity::lbmNodeViscosity
(
    const lbmNodeCells& cells,
    const lbm::Solver& solver,
    const scalar maxGridReynolds,
    const int threads
)
:
    cells_(cells),
    maxGridReynolds_(maxGridReynolds),
    threads_(threads > 0 ? threads : omp_get_max_threads()),
    guarded_(0),
    added_(0),
    changed_(1)
{
    cells.inPieces
    (
        viscosityPiece,
        [&](const std::vector<lbm::NodeIndex>& nodes)
        {
            pieces_.push_back(solver.place(nodes.data(), nodes.size()));
        }
    );
}


void Foam::lbmNodeViscosity::tell
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const scalarField& nu,
    const scalarField& volumes,
    const vectorField& U
)
{
    const bool first = nu_.empty();
    nu_.setSize(nu.size());
    scalar guarded = 0, changed = 0, all = 0;
    added_ = 0;
    forAll(nu_, celli)
    {
        const scalar least = mag(U[celli])*units.dx()/maxGridReynolds_;
        const scalar before = nu_[celli];
        nu_[celli] = nu[celli];
        all += volumes[celli];
        if (!(nu[celli] >= least))
        {
            nu_[celli] = least;
            guarded += volumes[celli];
            added_ = max(added_, least/nu[celli] - 1);
        }
        if (first) continue;
        changed +=
            volumes[celli]*mag(nu_[celli] - before)/max(nu_[celli], before);
    }
    guarded_ = guarded/all;
    changed_ = first ? 1 : changed/all;
    tell(solver, units);
}


void Foam::lbmNodeViscosity::tell(lbm::Solver& solver, const lbmUnits& units)
{
    std::size_t first = 0;
    for (const auto& piece : pieces_)
    {
        tau_.resize(piece->size());
        #pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::size_t i = 0; i < tau_.size(); ++i)
        {
            tau_[i] = units.tau(cells_.at(first + i, nu_));
        }
        solver.setRelaxationTimes(*piece, tau_.data());
        first += piece->size();
    }
}


void Foam::lbmNodeViscosity::tell
(
    lbm::Solver& solver,
    const lbmUnits& units,
    const std::size_t first,
    const std::vector<lbm::NodeIndex>& nodes
) const
{
    std::vector<double> tau(nodes.size());
    for (std::size_t i = 0; i < tau.size(); ++i)
    {
        tau[i] = units.tau(cells_.at(first + i, nu_));
    }
    solver.setRelaxationTimes(nodes.data(), nodes.size(), tau.data());
}


void Foam::lbmNodeViscosity::note(lbm::CheckpointNotes& notes) const
{
    notes.arrays[valuesNote].assign(nu_.begin(), nu_.end());
    notes.numbers[guardedNote] = guarded_;
    notes.numbers[addedNote] = added_;
}


void Foam::lbmNodeViscosity::recall
(
    const lbm::CheckpointNotes& notes,
    lbm::Solver& solver,
    const lbmUnits& units
)
{
    const auto found = notes.arrays.find(valuesNote);
    if
    (
        found == notes.arrays.end()
     || found->second.size() != std::size_t(nu_.size())
    ) return;
    std::copy(found->second.begin(), found->second.end(), nu_.begin());
    guarded_ = notes.numbers.at(guardedNote);
    added_ = notes.numbers.at(addedNote);
    tell(solver, units);
}
