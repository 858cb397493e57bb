// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWatchedSolver.H"
#include "lbmTrapFreeRegion.H"

namespace
{
    // Beyond these, in lattice units, the whole lattice is checked, which
    // decides: sums of strain rates, and of populations' deviations from rest,
    // that no flow slower than sound comes near
    const double largestRate = 10;
    const double largestDeviation = 4;

    // Comparisons are such that a value that is no number fails, too
    bool plausible(const lbm::Extremes& seen)
    {
        const double fastest =
            Foam::lbmWatch::hopelessMach*Foam::lbmUnits::soundSpeed;
        return seen.speedSquare < fastest*fastest
            && seen.excess < Foam::lbmWatch::hopelessDensity
            && seen.rate < largestRate
            && seen.deviation < largestDeviation;
    }
}


Foam::lbmWatchedSolver::lbmWatchedSolver
(
    std::unique_ptr<lbm::Solver> solver,
    lbmWatch& watch,
    const lbmUnits& units,
    const int threads
)
:
    solver_(std::move(solver)),
    watch_(watch),
    units_(units),
    threads_(lbmTrapFreeRegion::count(threads))
{}


template<class Read>
lbm::Extremes Foam::lbmWatchedSolver::judged(const Read& read) const
{
    lbm::Extremes seen;
    bool good;
    {
        const lbmTrapFreeRegion judgedHere(threads_);
        seen = read();
        good = plausible(seen);     // to compare what is no number traps, too
    }
    if (!good) watch_.check(1, units_);
    return seen;
}


lbm::Extremes Foam::lbmWatchedSolver::sample
(
    const lbm::NodeSet& set,
    lbm::Reading reading,
    double* values
) const
{
    return judged([&]{ return solver_->sample(set, reading, values); });
}


lbm::Extremes Foam::lbmWatchedSolver::getPopulations
(
    const lbm::NodeSet& set,
    double* populations
) const
{
    return judged([&]{ return solver_->getPopulations(set, populations); });
}


lbm::Extremes Foam::lbmWatchedSolver::sumPopulations
(
    const lbm::NodeSet& set,
    double* sums
) const
{
    return judged([&]{ return solver_->sumPopulations(set, sums); });
}
