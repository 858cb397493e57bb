// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRun.H"
#include "lbmModelShare.H"
#include "lbmTrapFreeRegion.H"
#include "Time.H"
#include "lbm/api/Ranks.hpp"
#include "plugin/common/lbmProgram.H"

#include <chrono>

namespace
{
    // Each is made once more and more often up to this time [s], and the shortest counts:
    // the first makes what others find there, and other programs may be at work
    const Foam::scalar timedAtLeast = 0.3;

    // As many of them go with time steps of the lattice: a plan need not go far with a flow
    // that nobody looks after
    const int mostTimeSteps = 5;

    // What OpenFOAM says of solutions that nobody takes
    class silent
    {
        const int level_;

    public:

        silent() : level_(Foam::messageStream::level)
        {
            Foam::messageStream::level = 0;
        }
        ~silent() { Foam::messageStream::level = level_; }
        silent(const silent&) = delete;
        void operator=(const silent&) = delete;
    };

    template<class Work>
    Foam::scalar secondsOf(const Work& work)
    {
        using clock = std::chrono::steady_clock;
        const auto start = clock::now();
        work();
        return std::chrono::duration<Foam::scalar>(clock::now() - start).count();
    }
}


void Foam::lbmRun::attemptEquations()
{
    if (!transport_.modelOnMesh() && !transport_.elastic() && !temperatureOnMesh()) return;
    const silent solutions;
    // All that a solution changes is its own: old times, too, by whose number schemes go
    lbmMeshTurbulence model(U_, phi_);
    model.correct();
    if (temperatureOnMesh())
    {
        buoyancy_->attempt(model.model(), phi_, iterates_ ? timeStepSeconds() : 0);
    }
}


void Foam::lbmRun::solveModels(const part which)
{
    const lbmModelInterval& interval = models_->interval();
    if (which != part::equations) models_->conserve();
    if (which == part::flux)
    {
        models_->hold();
        return;
    }
    const lbmTime::longerStep since
    (
        runTime_, interval.length(), interval.before()
    );
    if (which == part::all) models_->correct(interval.length());
    else models_->correctHeld(interval.length());
    if (buoyancy_) correctTemperature();
}


Foam::label Foam::lbmRun::mostModelSteps() const
{
    if (iterates_) return lbmModelInterval::mostSteady;
    // Schemes that look back two steps take these for as long as the present one
    const dictionary ddt(mesh_.schemesDict().subOrEmptyDict("ddtSchemes"));
    const bool euler = ddt.found("default") && word(ddt.lookup("default")) == "Euler";
    return euler ? runTime_.stepsOfWrites() : 1;
}


void Foam::lbmRun::tellModels()
{
    models_->tell
    (
        *solver_,
        *units_,
        temperatureOnMesh() ? buoyancy_->changed() : 0,
        timeStepSeconds(),
        mostModelSteps()
    );
}


bool Foam::lbmRun::oneThread() const
{
    return threadsAsked_ == 1 && lbm::ranks() == 1
        && lbm::isOnHost(lbm::findKernel(config_));
}


bool Foam::lbmRun::seemsTooFast() const
{
    return fastest_ > lbmControls::machLimit*lbmUnits::soundSpeed
        && models_->exceedsBorne(fastest_);
}


void Foam::lbmRun::correctModels()
{
    const lbmModelInterval& interval = models_->interval();
    const bool regular = interval.untold() || interval.due();
    if (regular || seemsTooFast())
    {
        const label behind = flowBehind_;
        std::unique_ptr<flow> sound(std::move(sound_));
        if (!regular && !sound) sound = present();
        bringFields();
        // Of all cells: health checks look at few nodes
        const bool follows =
            followSpeed(units_->mach(max(mag(U_.primitiveField()))));
        models_->bear(follows ? 0 : fastest_);
        // What is too fast in places may be on its way to be lost: none to go back to
        if (!regular && !follows)
        {
            sound_ = std::move(sound);
            flowBehind_ = behind;
        }
    }
    else if (sources_.followFlow()) bringFields();
    if (interval.untold()) tellModels();
    solvedBeside_ = part::none;
    if (interval.halfway())
    {
        solvedBeside_ = part::equations;
        models_->wholeSolved();
    }
    else if (interval.due())
    {
        const bool beside = models_->beside();
        const bool half = beside && interval.inHalves() && models_->halves();
        if (half) models_->halfSolved();
        else models_->solved();
        if (beside) solvedBeside_ = half ? part::flux : part::all;
        else
        {
            solveModels(part::all);
            tellModels();
        }
    }
    models_->begun();
}


void Foam::lbmRun::waitForModels()
{
    progress_.ofModels([this]{ beside_.wait(); });
}


Foam::label Foam::lbmRun::advanceBesideModels
(
    const scalar begin,
    const label made
)
{
    const auto solve = [this]
    {
        progress_.besideLattice([this]{ solveModels(solvedBeside_); });
    };
    if (solvedBeside_ != part::none && oneThread())
    {
        progress_.ofModels([this]{ solveModels(solvedBeside_); });
        solvedBeside_ = part::none;
    }
    try
    {
        if (solvedBeside_ != part::none) beside_.begin(solve);
        const label now = advance(begin, made);
        waitForModels();
        solvedBeside_ = part::none;
        return now;
    }
    catch (...)
    {
        beside_.leave();
        lbmProgram::reading([]{ throw; });  // OpenFOAM's own with all their words
        throw;
    }
}


void Foam::lbmRun::planModels(const lbmPhases& phases)
{
    if (!solver_) return;
    phases.print();
    if (!models_) return;
    lbmModelShare::seconds s{GREAT, GREAT, GREAT, GREAT};
    const auto take = [](scalar& least, const auto& work)
    {
        const scalar seconds = secondsOf(work);
        least = min(least, seconds);
        return seconds;
    };
    {
        const silent solutions;
        updateConditions();
        scalar all = 0;
        bool advances = true;
        for (int i = 0; i < 2 || all < timedAtLeast; ++i)
        {
            advances = advances && i < mostTimeSteps;
            if (advances)
            {
                all += take
                (
                    s.step,
                    [&]{
                        const lbmTrapFreeRegion stateIsLost(config_.threads);
                        solver_->advance(substeps_);
                    }
                );
                // A run would go back; models are timed with what was before
                advances = !watch_->lost(1);
                if (!advances) layFlow();
            }
            all += take(s.exchange, [&]{ bringFields(); tellModels(); });
            all += take(s.flux, [&]{ solveModels(part::flux); });
            all += take(s.equations, [&]{ solveModels(part::equations); });
        }
    }
    const bool beside = models_->mayBeBeside() && !oneThread();
    const scalar threads = lbmTrapFreeRegion::count(config_.threads);
    const scalar rate = !beside ? 0 : lendsThread() ? (threads - 1)/threads : 1;
    const label n = models_->calmInterval(mostModelSteps(), timeStepSeconds());
    const auto share = [&](const label every)
    {
        const bool halves = every > 1 && models_->mayBeBeside() && models_->halves();
        return lbmModelShare(s, rate, every, halves);
    };
    Info<< "Models on the mesh" << nl
        << "    a solution      " << s.flux + s.equations << " s, and " << s.exchange
        << " s for fields and nodes; a time step of the lattice takes " << s.step
        << " s" << nl
        << "    expected share  " << 100*share(n).share()
        << " % of the time, solved once in " << n << " time steps";
    if (n > 1) Info<< " (" << 100*share(1).share() << " % in each)";
    Info<< nl
        << "    expected time   " << timeStepsLeft()*share(n).total()/n
        << " s with them" << nl << endl;
}
