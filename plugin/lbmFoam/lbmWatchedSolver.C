// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWatchedSolver.H"
#include "lbmTrapFreeRegion.H"

#include <cmath>

namespace
{
    // Beyond these, in lattice units, the whole lattice is checked, which
    // decides: sums of strain rates, and of populations' deviations from rest,
    // that no flow slower than sound comes near
    const double largestRate = 10;
    const double largestDeviation = 4;

    // Fewer are looked at by one thread
    const std::size_t many = 10000;
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


// Comparisons are such that a value that is no number fails, too
bool Foam::lbmWatchedSolver::plausible
(
    const lbm::Macroscopic* states,
    const std::size_t n
) const
{
    const double fastest = lbmWatch::hopelessMach*lbmUnits::soundSpeed;
    bool good = true;
    #pragma omp parallel for num_threads(threads_) if (n > many) reduction(&&: good)
    for (std::size_t i = 0; i < n; ++i)
    {
        const lbm::Macroscopic& s = states[i];
        double square = 0, rate = 0;
        for (const double u : s.velocity) square += u*u;
        for (const double r : s.strainRate) rate += std::abs(r);
        good = good
            && square < fastest*fastest
            && std::abs(s.density - 1) < lbmWatch::hopelessDensity
            && rate < largestRate;
    }
    return good;
}


bool Foam::lbmWatchedSolver::plausible
(
    const double* populations,
    const std::size_t n
) const
{
    const int Q = solver_->directions();
    bool good = true;
    #pragma omp parallel for num_threads(threads_) if (n > many) reduction(&&: good)
    for (std::size_t i = 0; i < n; ++i)
    {
        double deviation = 0;
        for (int q = 0; q < Q; ++q) deviation += std::abs(populations[i*Q + q]);
        good = good && deviation < largestDeviation;
    }
    return good;
}


void Foam::lbmWatchedSolver::sample
(
    const lbm::NodeIndex* nodes,
    std::size_t n,
    lbm::Macroscopic* states
) const
{
    bool good;
    {
        const lbmTrapFreeRegion judgedHere(threads_);
        solver_->sample(nodes, n, states);
        good = plausible(states, n);
    }
    if (!good) watch_.check(1, units_);
}


void Foam::lbmWatchedSolver::getPopulations
(
    const lbm::NodeIndex* nodes,
    std::size_t n,
    double* populations
) const
{
    bool good;
    {
        const lbmTrapFreeRegion judgedHere(threads_);
        solver_->getPopulations(nodes, n, populations);
        good = plausible(populations, n);
    }
    if (!good) watch_.check(1, units_);
}
