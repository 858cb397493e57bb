// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmProgress.H"
#include "Time.H"


Foam::lbmProgress::lbmProgress()
:
    loopStart_(clock::now()),
    advanceSeconds_(0),
    stepsDone_(0)
{}


Foam::scalar Foam::lbmProgress::secondsSince(const clock::time_point& start)
{
    return std::chrono::duration<scalar>(clock::now() - start).count();
}


void Foam::lbmProgress::advance(lbm::Solver& solver, const label substeps)
{
    const auto start = clock::now();
    solver.advance(substeps);
    advanceSeconds_ += secondsSince(start);
    ++stepsDone_;
}


void Foam::lbmProgress::report
(
    const Time& runTime,
    const lbm::Solver& solver,
    const lbmWatch& watch,
    const lbmUnits& units,
    const lbmBoundary& boundary,
    const label substeps
) const
{
    const lbm::Health& health = watch.last();
    const scalar elapsed = secondsSince(loopStart_);
    const scalar updates =
        scalar(solver.tiling().fluidNodes)*substeps*stepsDone_;
    const scalar stepsLeft = mag
    (
        round
        (
            (runTime.endTime().value() - runTime.value())
           /runTime.deltaTValue()
        )
    );

    Info<< "lattice: " << substeps << " steps, max|U| = "
        << health.maxSpeed*units.dx()/units.dt()
        << " m/s, Ma = " << health.maxSpeed/lbmUnits::soundSpeed
        << ", density " << health.minDensity << " .. " << health.maxDensity;
    if (!watch.sawAll())
    {
        Info<< " (" << label(health.nodes) << " of "
            << label(solver.tiling().fluidNodes) << " nodes looked at)";
    }
    Info<< nl;
    if (boundary.anyOpening())
    {
        const lbm::OpeningFlux::Rates flow = boundary.flowRates(solver, units);
        Info<< "mass balance: in " << flow.in << ", out " << flow.out
            << " m3/s, relative error "
            << (flow.out - flow.in)/max(max(flow.in, flow.out), VSMALL) << nl;
    }
    else if (watch.sawAll())
    {
        // Nothing enters or leaves: what interpolated walls and rounding make
        Info<< "mass drift: " << watch.massDrift()
            << " of the fluid since the start" << nl;
    }
    runTime.printExecutionTime(Info);
    Info<< "MLUPS = " << updates/1e6/max(advanceSeconds_, VSMALL)
        << "  lattice steps = " << 100*advanceSeconds_/max(elapsed, VSMALL)
        << " % of the time  time left = " << elapsed/stepsDone_*stepsLeft << " s" << nl
        << endl;
}
