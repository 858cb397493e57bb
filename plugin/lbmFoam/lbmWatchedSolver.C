// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWatchedSolver.H"
#include "lbmTrapFreeRegion.H"

#include <algorithm>

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
    const int threads,
    const lbm::Domain& domain,
    const lbmAxes& axes,
    const lbmRotatingZones* zones
)
:
    solver_(std::move(solver)),
    watch_(watch),
    units_(units),
    threads_(lbmTrapFreeRegion::count(threads)),
    zones_(zones),
    domain_(domain),
    axes_(axes),
    shifts_(std::make_shared<shifts>())
{}


void Foam::lbmWatchedSolver::tell
(
    const lbmFluidLinks& links,
    const scalarField& jumps
)
{
    if (toldDt_ == units_.dt() && toldJumps_ == jumps) return;
    toldDt_ = units_.dt();
    toldJumps_ = jumps;
    const auto values = links.values(axes_, units_, jumps);
    setBoundary(links.patch(), values.data(), values.size());
}


// Handed out as a pointer to the solver's own set, which keeps that alive
std::shared_ptr<const lbm::NodeSet> Foam::lbmWatchedSolver::shifted
(
    std::shared_ptr<const lbm::NodeSet> set,
    std::vector<vector>&& shift
) const
{
    bool any = false;
    for (const vector& V : shift) any = any || V != vector(Zero);
    if (!any) return set;

    const lbm::NodeSet* own = set.get();
    shifts_->emplace(own, std::move(shift));
    return std::shared_ptr<const lbm::NodeSet>
    (
        own,
        [set, all = shifts_](const lbm::NodeSet* gone){ all->erase(gone); }
    );
}


const std::vector<Foam::vector>* Foam::lbmWatchedSolver::shiftOf
(
    const lbm::NodeSet& set
) const
{
    const auto found = shifts_->find(&set);
    return found == shifts_->end() ? nullptr : &found->second;
}


std::shared_ptr<const lbm::NodeSet> Foam::lbmWatchedSolver::place
(
    const lbm::NodeIndex* nodes,
    std::size_t n
) const
{
    auto set = solver_->place(nodes, n);
    if (!zones_) return set;
    std::vector<vector> shift;
    shift.reserve(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        shift.push_back(zones_->velocity(nodes[i]));
    }
    return shifted(std::move(set), std::move(shift));
}


std::shared_ptr<const lbm::NodeSet> Foam::lbmWatchedSolver::place
(
    const lbm::NodeGroups& groups
) const
{
    auto set = solver_->place(groups);
    if (!zones_ || groups.kind == lbm::NodeSet::Kind::sumsOfPopulations)
    {
        return set;
    }
    std::vector<vector> shift(groups.size(), vector(Zero));
    for (std::size_t g = 0; g < groups.size(); ++g)
    {
        for (std::size_t i = groups.begin[g]; i < groups.begin[g + 1]; ++i)
        {
            shift[g] += groups.weights[i]*zones_->velocity(groups.nodes[i]);
        }
    }
    return shifted(std::move(set), std::move(shift));
}


std::shared_ptr<const lbm::NodeSet> Foam::lbmWatchedSolver::place
(
    const lbm::NodeBoxes& boxes
) const
{
    return zones_ ? lbm::Solver::place(boxes) : solver_->place(boxes);
}


void Foam::lbmWatchedSolver::initialise
(
    const lbm::NodeSet& set,
    const lbm::Macroscopic* states
)
{
    checkedStep_ = -1;
    const std::vector<vector>* shift = shiftOf(set);
    if (!shift)
    {
        changed().initialise(set, states);
        return;
    }
    std::vector<lbm::Macroscopic> seen(states, states + set.size());
    for (std::size_t i = 0; i < seen.size(); ++i)
    {
        const lbm::Vec3 V(units_.velocity(axes_, (*shift)[i]));
        for (int a = 0; a < 3; ++a) seen[i].velocity[a] -= V[a];
    }
    changed().initialise(set, seen.data());
}


// Zones' velocities differ from node to node
void Foam::lbmWatchedSolver::initialise
(
    const lbm::NodeBoxes& boxes,
    const lbm::LinearState* states
)
{
    checkedStep_ = -1;
    if (zones_) lbm::Solver::initialise(boxes, states);
    else changed().initialise(boxes, states);
}


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
    diagnose(good);
    return seen;
}


void Foam::lbmWatchedSolver::judge(const std::vector<lbm::Extremes>& all) const
{
    bool good;
    {
        const lbmTrapFreeRegion judgedHere(threads_);
        good = std::all_of(all.begin(), all.end(), plausible);
    }
    diagnose(good);
}


void Foam::lbmWatchedSolver::diagnose(const bool good) const
{
    if (good || checkedStep_ == step()) return;
    watch_.check(1, units_);
    checkedStep_ = step();
}


std::shared_ptr<const lbm::KeptStates> Foam::lbmWatchedSolver::keepStates
(
    const lbm::NodeBox& box
) const
{
    std::shared_ptr<const lbm::KeptStates> kept;
    judged
    (
        [&]
        {
            kept = lbm::keepStates(*solver_, box);
            return kept->seen;
        }
    );
    return kept;
}


void Foam::lbmWatchedSolver::setStates
(
    const lbm::KeptStates& states,
    const lbm::StateScale& scale
)
{
    checkedStep_ = -1;
    lbm::setStates(changed(), states, scale);
}


lbm::Extremes Foam::lbmWatchedSolver::sample
(
    const lbm::NodeSet& set,
    lbm::Reading reading,
    double* values
) const
{
    const lbm::Extremes seen
    (
        judged([&]{ return solver_->sample(set, reading, values); })
    );
    const std::vector<vector>* shift = shiftOf(set);
    if (!shift || reading == lbm::Reading::strainRate) return seen;
    for (std::size_t i = 0; i < set.size(); ++i)
    {
        const lbm::Vec3 V(units_.velocity(axes_, (*shift)[i]));
        double* u = values + i*lbm::valuesOf(reading) + 1;
        for (int a = 0; a < 3; ++a) u[a] += V[a];
    }
    return seen;
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
