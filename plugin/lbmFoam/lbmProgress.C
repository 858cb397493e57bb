// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmProgress.H"
#include "Time.H"

#include <exception>

namespace
{
    // What a signal waits for, while the machine is not busy with more [s]
    const Foam::scalar leastWait = 0.05;
    const Foam::scalar longestWait = 0.2;

    // Of the flow through openings, what walls may take or bring without a word
    const Foam::scalar smallLoss = 0.02;

    // The lattice has less than all threads for at most so much longer than it has to [s]
    const Foam::scalar look = 5e-4;

    // Teams that are formed within get no more threads
    template<class Work>
    void withThreads(const int most, const Work& work)
    {
        std::exception_ptr fault;
        #pragma omp teams num_teams(1) thread_limit(most)
        {
            try
            {
                work();
            }
            catch (...)
            {
                fault = std::current_exception();
            }
        }
        if (fault) std::rethrow_exception(fault);
    }
}


Foam::lbmProgress::lbmProgress()
:
    loopStart_(clock::now()),
    advanceSeconds_(0),
    modelSeconds_(0),
    besideSeconds_(0),
    latticeSteps_(0),
    atATime_(1),
    stepSeconds_(look)
{}


Foam::scalar Foam::lbmProgress::secondsSince(const clock::time_point& start)
{
    return std::chrono::duration<scalar>(clock::now() - start).count();
}


void Foam::lbmProgress::tellLoss() const
{
    if (mag(beyond_) <= smallLoss) return;
    WarningInFunction
        << 100*mag(beyond_) << " % "
        << (beyond_ < 0 ? "less fluid leaves than enters" : "more fluid leaves than enters")
        << " through the openings of a steady flow: walls that lie between nodes "
        << (beyond_ < 0 ? "take" : "bring") << " the rest." << nl
        << "Way out: finer cells (entry cellSize of system/lbmDict)" << endl;
}


Foam::scalar Foam::lbmProgress::make(lbm::Solver& solver, const label steps)
{
    const auto start = clock::now();
    solver.advance(steps);
    const scalar seconds = secondsSince(start);
    advanceSeconds_ += seconds;
    latticeSteps_ += steps;
    stepSeconds_ = seconds/steps;
    return seconds;
}


Foam::label Foam::lbmProgress::advanceBeside
(
    lbm::Solver& solver,
    const label most,
    const int threads
)
{
    const scalar few =
        inPasses() ? ofPasses_ : look/max(stepSeconds_, VSMALL);
    const label steps = few < most ? max(label(1), label(few)) : most;
    withThreads(threads, [&]{ make(solver, steps); });
    return steps;
}


Foam::label Foam::lbmProgress::chunk(const label most) const
{
    if (leastAtATime_ == 1 || most <= atATime_) return min(most, atATime_);
    // A short pass at the end would take as long as the others
    const label passes = (most + leastAtATime_ - 1)/leastAtATime_;
    const label together = atATime_/leastAtATime_;
    return label(std::int64_t(most)*together/passes);
}


Foam::label Foam::lbmProgress::advance(lbm::Solver& solver, const label most)
{
    const label steps = inPasses() ? min(most, ofPasses_) : chunk(most);
    const scalar seconds = make(solver, steps);
    if (seconds > longestWait) atATime_ = max(leastAtATime_, steps/2);
    else if (steps < most && seconds < leastWait && atATime_ < labelMax/2)
    {
        atATime_ *= 2;
    }
    return steps;
}


Foam::scalar Foam::lbmProgress::modelShare() const
{
    return modelSeconds_/max(secondsSince(loopStart_), VSMALL);
}


Foam::scalar Foam::lbmProgress::besideShare() const
{
    return besideSeconds_/max(secondsSince(loopStart_), VSMALL);
}


void Foam::lbmProgress::report
(
    const Time& runTime,
    const lbm::Solver& solver,
    const lbmWatch& watch,
    const lbmUnits& units,
    const lbm::OpeningFlux::Rates* passing,
    const label substeps,
    const bool models
)
{
    const lbm::Health& health = watch.last();
    const scalar elapsed = secondsSince(loopStart_);
    const scalar updates = scalar(solver.tiling().fluidNodes)*latticeSteps_;
    const scalar stepsLeft = mag
    (
        round
        (
            (runTime.endTime().value() - runTime.value())
           /runTime.deltaTValue()
        )
    );

    Info<< "lattice: " << substeps << " steps, max|U| = "
        << health.maxSpeed*units.dx()/units.dt() << " m/s"
        << watch.placeOfFastest().c_str() << ", Ma = " << health.maxSpeed/lbmUnits::soundSpeed
        << ", density " << health.minDensity << " .. " << health.maxDensity;
    if (!watch.sawAll())
    {
        // More than a label may count
        Info<< " (" << std::to_string(health.nodes).c_str() << " of "
            << std::to_string(solver.tiling().fluidNodes).c_str()
            << " nodes looked at)";
    }
    Info<< nl;
    if (passing)
    {
        beyond_ =
            (passing->out - passing->in)/max(max(passing->in, passing->out), VSMALL);
        Info<< "mass balance: in " << passing->in << ", out " << passing->out
            << " m3/s, relative error " << beyond_ << nl;
    }
    else if (watch.sawAll())
    {
        // Nothing enters or leaves: what interpolated walls and rounding make
        Info<< "mass drift: " << watch.massDrift()
            << " of the fluid since the start";
        if (watch.allBroughtBack() != 0)
        {
            Info<< ", beside " << watch.allBroughtBack()
                << " that all nodes were given for what walls took";
        }
        Info<< nl;
    }
    runTime.printExecutionTime(Info);
    Info<< "MLUPS = " << updates/1e6/max(advanceSeconds_, VSMALL)
        << "  lattice steps = " << 100*advanceSeconds_/max(elapsed, VSMALL)
        << " % of the time";
    if (models)
    {
        Info<< ", models on the mesh " << 100*modelShare() << " %";
        if (besideSeconds_ > 0)
        {
            Info<< " (their thread " << 100*besideShare() << " %)";
        }
    }
    Info<< "  time left = "
        << (elapsed - firstSeconds_)/max(latticeSteps_ - firstSteps_, scalar(1))
          *substeps*stepsLeft
        << " s" << nl << endl;
    if (firstSteps_ == 0)
    {
        firstSeconds_ = elapsed;
        firstSteps_ = latticeSteps_;
    }
}
