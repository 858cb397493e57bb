// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRun.H"
#include "lbmCellTree.H"
#include "lbmFaceFlux.H"
#include "lbmMeanDensity.H"
#include "lbmStepChange.H"
#include "lbmStopSignal.H"
#include "lbmTetBasePoints.H"
#include "lbmTrapFreeRegion.H"
#include "StringStream.H"
#include "Time.H"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/StepChoice.hpp"
#include "lbm/api/Threads.hpp"
#include "plugin/common/lbmHandBack.H"

namespace
{
    // Of a time step's length
    const Foam::scalar roundOff = 1e-9;

    // Nodes looked at per lattice update: one costs as much as a few updates
    const Foam::scalar watchShare = 0.002;

    // The same where all are looked at in turn, for the fastest one
    const Foam::scalar turnShare = 0.005;

    // So many are all looked at for the log, which takes less than to write its lines
    const Foam::scalar wholeLook = 1000;

    Foam::label allOfFew(const Foam::label stride, const lbm::Solver& solver)
    {
        return solver.tiling().fluidNodes <= wholeLook ? 1 : stride;
    }

    // Of temporary fields that OpenFOAM's expressions have at a time, a cell of the mesh
    const std::size_t temporaryBytes = 512;

    // Of what inlets bring, by which it may differ from its mean beside a sponge: that
    // holds the flow to its own mean, which a rate that changes by itself is not to be
    const Foam::scalar mostOfInflow = 0.02;

    // Share of the fluid's mass that walls may take or bring before it is made good
    const Foam::scalar mostDrift = 1e-3;

    // In checkpoints
    const std::string fluxOfFunctions("fluxOfFunctions");
}


void Foam::lbmRun::changeTimeStep(const bool carries)
{
    const scalar deltaT = timeStepSeconds();
    // Time steps that lie behind were others: to be made again they are of one length
    const scalar deltaT0 = substeps_*units_->dt();
    const bool another = mag(deltaT - deltaT0) > roundOff*deltaT;
    const label n = timeStep_->steps(deltaT);
    const scalar dt = deltaT/n;
    substeps_ = n;
    const bool same =
        mag(dt - units_->dt()) <= SMALL*dt
     && viscosity_ == units_->viscosity();
    if (same)
    {
        // Temperature's steps make whole time steps of the case
        if (buoyancy_) buoyancy_->convert(lattice_.axes(), *units_, substeps_);
        if (another && flowBehind_ > 0) keepLatticeFlow();
        return;
    }

    safety_->check(dt);
    const lbmUnits next(units_->dx(), dt, viscosity_, units_->pOffset());
    std::vector<lbm::OpeningMemory> memory(solver_->openingMemory());
    for (lbm::OpeningMemory& m : memory) m = units_->convert(m, next);

    const lbmUnits before(*units_);
    const auto relax = [this]
    {
        configure(*units_);
        config_.magic = magic(*units_);
        solver_->setRelaxationTime(config_.tau);
        solver_->setCoefficients(config_.coefficients);
        solver_->setMagic(config_.magic);
        solver_->setStateTau(config_.tau);
    };
    lbmStepChange::users users;
    users.all = [&](const lbmUnits& units)
    {
        *units_ = units;
        if (!models_) relax();
    };
    if (models_)
    {
        users.nodes =
        [&](const std::size_t first, const std::vector<lbm::NodeIndex>& nodes)
        {
            models_->tellViscosity(*solver_, next, first, nodes);
        };
    }
    if (carries) lbmStepChange::carry(*solver_, before, next, users);
    else users.all(next);
    watch_->convert(before, next);
    fastest_ *= next.dt()/before.dt();
    apart_ *= sqr(next.dt()/before.dt());
    if (models_)
    {
        relax();
        models_->repeatViscosity(*solver_, next);
    }
    solver_->setOpeningMemory(memory);
    if (buoyancy_) buoyancy_->convert(lattice_.axes(), *units_, substeps_);
    energyWatch_.forget();
    boundary_.forget();
    if (another && flowBehind_ > 0) keepLatticeFlow();

    Info<< "deltaT = " << deltaT << ": " << substeps_ << " lattice steps of "
        << dt << ", tau = " << config_.tau << ", magic = " << config_.magic
        << endl;
}


void Foam::lbmRun::updateConditions(const bool begins)
{
    // Cells next to openings lie between nodes and faces: these have the weight of the fluid
    // of now, as after a restart
    const bool newer =
        buoyancy_ && begins && buoyancy_->onLattice() && boundary_.anyOpening();
    if (newer) presentTemperature();
    if (buoyancy_) buoyancy_->setLatticeConditions(p_);
    if (boundary_.readInterior())
    {
        fields_->sample(*solver_, *units_, U_, p_);
        // Time steps that are made again may go back once more
        if (begins)
        {
            keepFlow(0);
            if (buoyancy_ && !newer) buoyancy_->present();    // as old as U and p
        }
    }
    else if (boundary_.anyOpening())
    {
        fields_->sampleAtOpenings(*solver_, *units_, U_, p_);
    }
    boundary_.update(*solver_, *units_, begins ? substeps_ : 0);
    if (fluidLinks_)
    {
        watchedSolver().tell(*fluidLinks_, sources_.jumps().rises());
    }
    solver_->setForce
    (
        units_->acceleration(lattice_.axes(), force_.value())
    );
    watchBlocks();
    if (nodeSources_)
    {
        sources_.evaluate();
        nodeSources_->set(*solver_, *units_, force_.value());
    }
}


void Foam::lbmRun::correctTemperature()
{
    buoyancy_->correct
    (
        models_ ? models_->turbulence() : laminar_->model(),
        phi_,
        iterates_ ? timeStepSeconds() : 0
    );
}


Foam::tmp<Foam::vectorField> Foam::lbmRun::traction(const label patchi)
{
    return wallStress_ && boundary_.kinds()[patchi].anyWall()
      ? wallStress_->on(patchi) : tmp<vectorField>::New();
}


void Foam::lbmRun::correctMesh()
{
    if (!models_)
    {
        if (sources_.readFlow()) bringFields();
        if (elastic_) elastic_->correct();
        if (buoyancy_) correctTemperature();
    }
    else correctModels();
    if (buoyancy_) buoyancy_->begin();
    sources_.correct(timeStepSeconds());
}


Foam::lbmWatchedSolver& Foam::lbmRun::watchedSolver()
{
    return static_cast<lbmWatchedSolver&>(*solver_);
}


void Foam::lbmRun::resumeCutStep()
{
    cutStep_ = lbmCutStep(resume_.notes());
    if (!cutStep_.any()) return;

    const scalar deltaT = runTime_.deltaTValue();
    const scalar dt = timeStepSeconds()/substeps_;
    const bool same =
        deltaT == cutStep_.deltaT()
     && mag(dt - units_->dt()) <= SMALL*dt
     && viscosity_ == units_->viscosity()
     && cutStep_.made() < substeps_
     && !resume_.conditionsChanged()
     && (!buoyancy_ || buoyancy_->keepsStep());
    if (same)
    {
        Info<< "Finishing the time step that began at " << cutStep_.begin()
            << ": " << cutStep_.made() << " of " << substeps_
            << " lattice steps are made" << nl << endl;
        runTime_.beginWithin(cutStep_.begin());
        return;
    }
    Info<< "The time step that began at " << cutStep_.begin()
        << " is not finished: deltaT, viscosity, time steps of the lattice or conditions"
        << " were changed; a new one begins at " << runTime_.timeName()
        << nl << endl;
    cutStep_ = lbmCutStep();
}


Foam::label Foam::lbmRun::beginTimeStep()
{
    if (!cutStep_.any())
    {
        followFastest();
        changeTimeStep();
        progress_.ofModels([this]{ correctMesh(); });
        updateConditions(true);
        followImposed();
        return 0;
    }
    // Its conditions looked at the flow of its beginning
    updateConditions();
    if (nodeSources_) tellForces();
    if (!cutStep_.restore(U_, p_, watchedSolver()))
    {
        Info<< "Boundaries were changed: the rest of the time step has their"
            << " present conditions" << nl << endl;
    }
    boundary_.forget();
    return cutStep_.made();
}


Foam::scalar Foam::lbmRun::timeAfter
(
    const scalar begin,
    const label made
) const
{
    return begin + runTime_.fromSeconds(made*units_->dt());
}


bool Foam::lbmRun::lendsThread() const
{
    const int threads = lbmTrapFreeRegion::count(config_.threads);
    return threads > 1 && threads >= lbm::processors()
        && lbm::ranks() == 1 && lbm::isOnHost(solver_->row());
}


Foam::label Foam::lbmRun::advanceLattice(const label most)
{
    return !lendsThread() || !beside_.busy() ? progress_.advance(*solver_, most)
      : progress_.advanceBeside
        (
            *solver_, most, lbmTrapFreeRegion::count(config_.threads) - 1
        );
}


Foam::label Foam::lbmRun::advance(const scalar begin, label made)
{
    const lbmTrapFreeRegion diagnosedLater(config_.threads);
    const word beginName(Time::timeName(begin));
    const intervals every(this->every());
    // A time step that was cut goes on with the forces that it had
    const label first = made;
    while (made < substeps_)
    {
        const bool heat = buoyancy_ && made % every.temperature == 0;
        if (heat) buoyancy_->arrive(nodeSources_ ? nodeSources_->everywhere() : nullptr);
        const bool due = heat || made == first || made % every.sources == 0;
        if (nodeSources_ && due) applySources();
        if (every.followsLaw(made))
        {
            latticeLaw_->apply(*units_, every.sinceLaw(made, substeps_));
        }
        const label next = min(substeps_, every.after(made));
        made += advanceLattice(next - made);
        if (buoyancy_ && made % every.temperature == 0)
        {
            buoyancy_->follow();
            // What would follow has no meaning; whoever asked goes back or ends the run
            if (heatIsLost()) return substeps_;
        }
        const bool ends = made == substeps_;
        if (sponge_ && (ends || made % every.sponge == 0))
        {
            const label since = (made - 1) % every.sponge + 1;
            restSponge();
            watchedSolver().judge(sponge_->apply(units_->dt(), since, config_.threads));
        }

        // Only where nodes and links are told anew anyway does another run go on exactly
        const bool told =
            (nodeSources_ && nodeSources_->drag() && made % every.sources)
         || (buoyancy_ && buoyancy_->onLattice() && made % every.temperature)
         || (latticeLaw_ && made % every.law);
        if (told && !ends) continue;

        // What was written at the beginning keeps its folder: names of times
        // have few digits
        if
        (
            lbmStopSignal::received()
         && Time::timeName(timeAfter(begin, made)) != beginName
        ) break;
    }
    return made;
}


void Foam::lbmRun::restSponge()
{
    const scalar change = boundary_.inflowChange();
    if (change <= mostOfInflow || sponge_->rest()) return;
    Info<< "sponge: inlets bring " << 100*change << " % more or less than in the mean; nodes"
        << " before openings keep their flow until that is over" << nl;
}


void Foam::lbmRun::applySources()
{
    if (!buoyancy_ || !buoyancy_->tellsForces()) nodeSources_->apply(*solver_);
    tellForces();
}


void Foam::lbmRun::tellForces()
{
    const auto& nodes = boundary_.forcedNodes(solver_->domain());
    if (nodes.empty()) return;
    boundary_.setForces(*solver_, *units_, nodeSources_->forcesAt(*solver_, nodes));
}


// Each for itself: a sponge that fades at short intervals does not make a law act as often
Foam::lbmRun::intervals Foam::lbmRun::every() const
{
    intervals every{substeps_, 0, substeps_, substeps_};
    if (buoyancy_) every.temperature = min(substeps_, buoyancy_->stride());
    if (nodeSources_) every.sources = min(substeps_, nodeSources_->interval());
    if (latticeLaw_) every.law = min(substeps_, lbmLatticeLaw::interval);
    if (sponge_) every.sponge = min(substeps_, sponge_->interval(units_->dt()));
    return every;
}


Foam::label Foam::lbmRun::intervals::after(const label made) const
{
    const auto next = [made](const label interval)
    {
        return made + interval - made % interval;
    };
    const label others = min(min(next(sources), next(sponge)), next(temperature));
    if (!law) return others;
    return min(others, made % law ? next(law) : made + 1);
}


bool Foam::lbmRun::intervals::followsLaw(const label made) const
{
    return law && made % law <= 1;
}


// The last interval of a time step may be a shorter one
Foam::label Foam::lbmRun::intervals::sinceLaw
(
    const label made,
    const label substeps
) const
{
    if (made % law) return 1;
    return max(label(1), made ? law - 1 : (substeps - 1) % law);
}


void Foam::lbmRun::cutTimeStep(const scalar begin, const label made)
{
    cutStep_.cut
    (
        begin, runTime_.deltaTValue(), made, U_, p_, watchedSolver()
    );
    runTime_.setTime(timeAfter(begin, made), runTime_.timeIndex());
    Info<< "Time = " << runTime_.timeName() << ", cut short after " << made
        << " of " << substeps_ << " lattice steps" << nl << endl;
}


void Foam::lbmRun::checkEnergy()
{
    if (sources_.readFlow()) return;
    const scalar growth = energyWatch_.growth(*units_, force_.value());
    if (growth <= lbmEnergyWatch::tolerance) return;

    OStringStream why;
    why << "the flow has gained " << 100*growth << " % of energy, and nothing"
        << " drives it";
    if (!models_)
    {
        // No shorter step mends it
        watch_->endForgiveness();
        watch_->diverged(*units_, why.str());
        return;
    }
    // Told once and no reason to stop: eddies of few nodes gain some while the
    // model on the mesh settles, and what diverges goes back
    if (energyTold_) return;
    energyTold_ = true;
    WarningInFunction
        << "Time = " << runTime_.timeName() << ": " << why.str().c_str() << endl;
}


Foam::scalar Foam::lbmRun::pressureShift() const
{
    return reference_.shift(*solver_, *units_, *fields_);
}


// What function objects look at, models of the next time step do, too: the lattice is asked
// once, and patch values alone may be others
void Foam::lbmRun::bringFields(const bool others)
{
    const std::int64_t version = watchedSolver().version();
    if (models_ && version >= 0 && version == sampled_)
    {
        fields_->sampleAgain(*units_, U_, p_);
    }
    else fields_->sample(*solver_, *units_, U_, p_);
    sampled_ = version;
    boundary_.evaluate();
    if (models_) models_->fillLayers(U_);
    const scalar shift = reference_.apply();
    checkEnergy();
    keepFlow(shift);
    if (others) updatePhi();
    if (buoyancy_) buoyancy_->bring(p_);
    if (frame_) frame_->update();
    if (viscosityField_ && others) viscosityField_->update();
    if (latticeStress_ && others) latticeStress_->update();
}


void Foam::lbmRun::bringProbed()
{
    // Models, temperature, a frame and a level of p that floats go by all cells
    if (models_ || buoyancy_ || frame_ || boundary_.floatingPressure())
    {
        bringFields(false);
        return;
    }
    if (probedAt_ != demand_.places())
    {
        probedAt_ = demand_.places();
        probed_ = lbmProbedCells::place
        (
            mesh_,
            fields_->stencils(),
            lattice_.axes(),
            *solver_,
            probedAt_,
            config_.threads
        );
    }
    if (probed_) probed_->sample(*solver_, *units_, U_, p_);
    else bringFields(false);
}


void Foam::lbmRun::updatePhi()
{
    lbmFaceFlux::interpolate(U_, phi_);
    boundary_.updateFlux();
    if (zones_) zones_->makeRelative(phi_);
}


void Foam::lbmRun::conserveForFunctions()
{
    if (!demand_.transports()) return;
    if (!fluxOfFunctions_)
    {
        fluxOfFunctions_.reset
        (
            new lbmConservativeFlux
            (
                phi_, boundary_, lbmConservativeFlux::ofScalars
            )
        );
        if (resume_.found())
        {
            fluxOfFunctions_->recall(resume_.notes(), fluxOfFunctions);
        }
    }
    fluxOfFunctions_->correct();
}


Foam::label Foam::lbmRun::sparseStride(const scalar share) const
{
    return max(label(1), label(ceil(1/(share*substeps_))));
}


Foam::string Foam::lbmRun::reasonToStop()
{
    if (lbmStopSignal::received()) return lbmStopSignal::name() + ": stopping";
    const scalar now = runTime_.toSeconds(runTime_.value());
    if (steadyWatch_ && steadyWatch_->steady(now, *units_))
    {
        // Beside wall functions what the log has of openings' flow is low at their edges
        if (!models_ && !latticeLaw_ && !elastic_) progress_.tellLoss();
        return "The flow is steady: stopping";
    }
    return string();
}


void Foam::lbmRun::write(const bool end)
{
    written_ = end ? runTime_.writeAndEnd() : runTime_.write();
}


bool Foam::lbmRun::goesOn()
{
    // Function objects write, and ranks' directories get the time
    const bool on = runTime_.run();
    changedFiles_->tell();
    if (!written_) return on;
    written_ = false;
    watch_->wrote(runTime_.timeName());
    checkpoint_->keepLatest();
    return on;
}


void Foam::lbmRun::beginLoop(lbmPhases& phases)
{
    if (demand_.looksPlacesUp())
    {
        lbmCellTree::make(mesh_);
        lbmTetBasePoints::make(mesh_);
        phases.end("places");
    }
    // Those of a checkpoint stand as they were left
    if (resume_.found()) resumeCutStep();
    else updateConditions();
    if (residuals_) residuals_->begin(*units_);
    phases.end("first conditions");
    phases.print();
}


void Foam::lbmRun::tryTimeStep
(
    const scalar begin,
    timeStep& step,
    label& behind
)
{
    if (!step.begun) step.first = beginTimeStep();
    step.begun = true;
    behind = flowBehind_;
    advanceBeside(begin, step);
    ++flowBehind_;
    if (step.first > 0 || step.made < substeps_)
    {
        runTime_.tellPart
        (
            runTime_.fromSeconds((step.made - step.first)*units_->dt())
        );
    }
    if (step.made < substeps_)
    {
        watch_->endForgiveness();
        cutTimeStep(begin, step.made);
    }
    else cutStep_ = lbmCutStep();
    look(step);
    keepMass(step);
    readFields(step);
    tellResiduals(step);
    // Time steps that are made again are whole ones
    if (step.first > 0 && flowBehind_ > 0) keepLatticeFlow();
}


// The fastest node is that of all nodes, and when they are looked at does not depend on
// what is written: with parts, and after restarts, the same follows from it
void Foam::lbmRun::lookInTurn()
{
    const label every = controls_.checkEvery();
    const label stride = sparseStride(watchShare);
    const bool all =
        stride == 1 || runTime_.timeIndex()/every % sparseStride(turnShare) == 0;
    watch_->check(all ? 1 : allOfFew(stride, *solver_), *units_);
    if (all) noteSeen();
}


void Foam::lbmRun::look(timeStep& step)
{
    // What is kept, or shown by scripts, must be sound everywhere; what
    // else is read is looked at then
    const bool kept = runTime_.writeTime();
    if (!step.asked)
    {
        const lbmFieldDemand::wish asked = demand_.now();
        step.wanted = kept ? lbmFieldDemand::wish::all : asked;
        step.scripts = demand_.scriptsNow();
        step.asked = true;
    }
    const bool all = step.scripts || kept;
    const bool due = runTime_.timeIndex() % controls_.checkEvery() == 0;
    const bool inTurn = due && !models_ && step.made == substeps_;
    if (inTurn) lookInTurn();
    if (all || (due && !inTurn))
    {
        watch_->check(all ? 1 : allOfFew(sparseStride(watchShare), *solver_), *units_);
    }
    step.reason = reasonToStop();
    if (!step.reason.empty() && !all) watch_->check(1, *units_);
    if (boundary_.anyOpening()) step.passing = boundary_.flowRates(*solver_, *units_);
}


// At times that follow from the case alone, as those of lookInTurn
void Foam::lbmRun::keepMass(const timeStep& step)
{
    if (boundary_.anyOpening() || step.made < substeps_) return;
    if (runTime_.timeIndex() % sparseStride(turnShare) != 0) return;
    watch_->check(1, *units_);
    const scalar drift = watch_->massDrift();
    if (mag(drift) < mostDrift) return;
    lbmMeanDensity::raise
    (
        *solver_, lbm::isIncompressible(config_), watch_->meanDensity(), -drift
    );
    watch_->broughtBack(-drift);
}


void Foam::lbmRun::readFields(const timeStep& step)
{
    using wish = lbmFieldDemand::wish;
    if (step.readsAll() || step.wanted == wish::flow)
    {
        bringFields(step.readsAll());
        if (step.readsAll()) conserveForFunctions();    // else phi is as it was left
    }
    else if (step.wanted == wish::places) bringProbed();
}


void Foam::lbmRun::tellResiduals(const timeStep& step)
{
    if (!residuals_) return;
    // Of a whole time step
    if (step.first == 0 && step.made == substeps_) residuals_->tell(*units_, substeps_);
    else residuals_->begin(*units_);
}


void Foam::lbmRun::report(const timeStep& step)
{
    const bool others = step.readsAll();
    progress_.report
    (
        runTime_,
        *solver_,
        *watch_,
        *units_,
        boundary_.anyOpening() ? &step.passing : nullptr,
        substeps_,
        bool(models_)
    );
    if (boundary_.anyOpening() && !iterates_)
    {
        swiftConditions_.look
        (
            *units_, timeStep_->referenceSpeed(), controls_.deltaT() > 0
        );
        ringing_.look
        (
            runTime_,
            *units_,
            step.passing,
            timeStep_->referenceSpeed(),
            controls_.deltaT() > 0
        );
    }
    if (models_)
    {
        models_->report();
        guardTally_.note(models_->guarded(), models_->added());
    }
    // As late as OpenFOAM's solvers: function objects have had their turn
    if (runTime_.timeIndex() == runTime_.startTimeIndex() + 2) sources_.checkApplied();
    if (latticeLaw_ && others) latticeLaw_->report(*units_);
    if (buoyancy_ && others && step.made == substeps_) buoyancy_->report();
    if (viscosityField_ && others)
    {
        viscosityField_->reportGuard();
        guardTally_.note(viscosityField_->guarded(), viscosityField_->added());
    }
    if (step.reason.empty()) return;
    Info<< step.reason.c_str() << " after time " << runTime_.timeName()
        << ", state written" << nl << endl;
}


void Foam::lbmRun::loop(lbmPhases& phases)
{
    lbmStopSignal::remember();
    checkpoint_->removeReplaced(resume_);
    beginLoop(phases);
    lbmKeepFreed(temporaryBytes*std::size_t(mesh_.nCells()));
    Info<< "\nStarting time loop\n" << endl;

    progress_ = lbmProgress();
    if (lbm::takesBlocks(solver_->row()) && solver_->stepsOfPass() > 1)
    {
        progress_.tellPasses
        (
            lbm::passesAtOnce(solver_->tiling().fluidNodes)
           *solver_->stepsOfPass()
        );
    }
    else progress_.tellWhole(solver_->stepsOfPass());
    while (goesOn())
    {
        const scalar begin = runTime_.value();
        ++runTime_;
        Info<< "Time = " << runTime_.timeName() << nl << endl;

        const timeStep step(makeTimeStep(begin));
        report(step);
        write(!step.reason.empty());
    }
    guardTally_.tell
    (
        units_->dx(),
        models_ && !isA<incompressible::LESModel>(models_->turbulence()) ? ""
      : !models_ && viscosity_.onlyGuarded() ? "a turbulence model, or "
      : "a model that adds more viscosity (RAS, with wall functions), or "
    );
    if (iterates_ && steadyWatch_) steadyWatch_->tellEnd();
    if (models_) models_->printEnd(progress_.modelShare());
}


void Foam::lbmRun::noteFlux(lbm::CheckpointNotes& notes) const
{
    if (fluxOfFunctions_) fluxOfFunctions_->note(notes, fluxOfFunctions);
}
