// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRun.H"
#include "lbmCellTree.H"
#include "lbmFaceFlux.H"
#include "lbmInitialState.H"
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
    // Nodes looked at per lattice update: one costs as much as a few updates
    const Foam::scalar watchShare = 0.002;

    // As much with a model on the mesh, where a time step that diverged can be made
    // once more
    const Foam::scalar cautiousShare = 0.02;

    // Of temporary fields that OpenFOAM's expressions have at a time, a cell of the mesh
    const std::size_t temporaryBytes = 512;

    // In checkpoints
    const std::string fluxOfFunctions("fluxOfFunctions");
}


void Foam::lbmRun::changeTimeStep()
{
    const scalar deltaT = timeStepSeconds();
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
    watch_->convert(before, next);
    lbmStepChange::carry(*solver_, before, next, users);
    if (models_)
    {
        relax();
        models_->repeatViscosity(*solver_, next);
    }
    solver_->setOpeningMemory(memory);
    if (buoyancy_) buoyancy_->convert(lattice_.axes(), *units_, substeps_);
    energyWatch_.forget();
    boundary_.forget();

    Info<< "deltaT = " << deltaT << ": " << substeps_ << " lattice steps of "
        << dt << ", tau = " << config_.tau << ", magic = " << config_.magic
        << endl;
}


void Foam::lbmRun::updateConditions(const bool begins)
{
    if (boundary_.readInterior())
    {
        fields_->sample(*solver_, *units_, U_, p_);
        flowBehind_ = 0;
        // Time steps that are made again may go back once more
        if (begins) sound_.reset();
        if (begins && caution_ && buoyancy_) buoyancy_->present();  // as old as U and p
    }
    else if (boundary_.anyOpening())
    {
        fields_->sampleAtOpenings(*solver_, *units_, U_, p_);
    }
    if (buoyancy_) buoyancy_->setLatticeConditions(p_);
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


bool Foam::lbmRun::followSpeed()
{
    // Of all cells: health checks look at few nodes
    const scalar mach = units_->mach(max(mag(U_.primitiveField())));
    if (!caution_->atMach(mach)) return false;
    Info<< "Ma = " << mach << ": the lattice time step follows the flow" << nl;
    caution_->tell();
    beCautious();
    changeTimeStep();
    // The guard may be another; a solution that is not told yet is with it
    if (!models_->interval().untold()) models_->tellViscosity(*solver_, *units_);
    return true;
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
        changeTimeStep();
        progress_.ofModels([this]{ correctMesh(); });
        updateConditions(true);
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
    while (made < substeps_)
    {
        const bool heat = buoyancy_ && made % every.temperature == 0;
        if (heat) buoyancy_->arrive(nodeSources_ ? nodeSources_->everywhere() : nullptr);
        if (nodeSources_ && (heat || made % every.sources == 0)) applySources();
        if (every.followsLaw(made))
        {
            latticeLaw_->apply(*units_, every.sinceLaw(made, substeps_));
        }
        const label next = min(substeps_, every.after(made));
        made += advanceLattice(next - made);
        if (buoyancy_ && made % every.temperature == 0)
        {
            buoyancy_->follow();
            if (!caution_) buoyancy_->endIfLost();
            // What would follow has no meaning; whoever asked goes back or ends the run
            if (heatIsLost()) return substeps_;
        }
        const bool ends = made == substeps_;
        if (sponge_ && (ends || made % every.sponge == 0))
        {
            const label since = (made - 1) % every.sponge + 1;
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


// Each for itself: what a sponge takes over the host is more than all else that a law on a
// device does
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


void Foam::lbmRun::beCautious()
{
    models_->guardBelow(caution_->guard());
    timeStep_->allowFor(caution_->allowance());
}


std::unique_ptr<Foam::lbmRun::flow> Foam::lbmRun::present() const
{
    const auto apart = [&](const word& name)
    {
        return IOobject
        (
            "sound:" + name, runTime_.timeName(), mesh_,
            IOobject::NO_READ, IOobject::NO_WRITE, false
        );
    };
    return std::unique_ptr<flow>
    (
        new flow
        {
            {apart(U_.name()), U_, calculatedFvPatchVectorField::typeName},
            {apart(p_.name()), p_, calculatedFvPatchScalarField::typeName},
            buoyancy_ && buoyancy_->onLattice()
          ? buoyancy_->T().primitiveField() : scalarField()
        }
    );
}


void Foam::lbmRun::restore(const flow& then)
{
    // On patches, too, where conditions keep their own: gradients are to be those of then
    U_ == then.U;
    p_ == then.p;
}


void Foam::lbmRun::layFlow()
{
    lbmInitialState
    (
        U_, p_, lattice_.axes(), *units_, *solver_, config_.threads
    ).apply();
    std::vector<lbm::OpeningMemory> memory(solver_->openingMemory());
    for (lbm::OpeningMemory& m : memory) m.mean = lbm::OpeningMemory().mean;
    solver_->setOpeningMemory(memory);
}


bool Foam::lbmRun::goBack()
{
    // Where T alone is lost its steps become shorter, and the flow is as it was
    const bool heatAlone = buoyancy_ && buoyancy_->allowFor();
    if (!heatAlone && !caution_->afterFailure()) return false;
    Info<< (heatAlone ? "The flow moved too far in a step of temperature" : "The flow diverged")
        << ": once more from ";
    if (flowBehind_ > 0)
    {
        Info<< "what it was " << flowBehind_ << " time step"
            << (flowBehind_ > 1 ? "s" : "") << " before" << nl;
    }
    else Info<< "the beginning of the time step" << nl;
    if (!heatAlone)
    {
        caution_->tell();
        beCautious();
    }
    // Conditions of time steps that are made again take U and p at openings from these
    if (sound_) restore(*sound_);
    else sound_ = present();
    layFlow();
    changeTimeStep();
    if (buoyancy_)
    {
        buoyancy_->layAgain(sound_->T);
        if (heatAlone)
        {
            Info<< "    temperature     once in " << buoyancy_->stride()
                << " of the flow's steps from now on" << nl;
        }
    }
    models_->bear(0);   // in the lattice's units before
    models_->restart();
    models_->tellViscosity(*solver_, *units_);
    models_->tellWalls(*units_, timeStepSeconds());
    energyWatch_.forget();
    boundary_.forget();
    const label behind = flowBehind_;
    updateConditions();
    flowBehind_ = behind;
    return true;
}


Foam::label Foam::lbmRun::advanceCautiously
(
    const scalar begin,
    const label made
)
{
    label now = advanceBesideModels(begin, made);
    if (!caution_) return now;

    const label stride = sparseStride(cautiousShare);
    const auto isLost = [&]
    {
        return now == substeps_ && (watch_->lost(stride) || heatIsLost());
    };
    bool lost = isLost();
    bool reached = true;
    while (lost && made == 0 && goBack())
    {
        reached = makeAgain(begin, flowBehind_);
        now = reached ? advance(begin, 0) : substeps_;
        lost = !reached || isLost();
    }
    // No caution is left, and this time step was not even begun: ends the run
    if (!reached) watch_->check(1, *units_);
    if (buoyancy_) buoyancy_->endIfLost();
    fastest_ = watch_->last().maxSpeed;
    return now;
}


bool Foam::lbmRun::makeAgain(const scalar begin, const label steps)
{
    const std::int64_t first = solver_->step();
    bool lost = false;
    for (label step = 0; step < steps && !lost; ++step)
    {
        label made = 0;
        while (made < substeps_) made = advance(begin, made);
        // At all nodes: conditions look at some, and this is done seldom
        lost = watch_->lost(1) || heatIsLost();
        if (!lost) updateConditions();
    }
    if (steps > 0)
    {
        Info<< "    made again      " << std::to_string(solver_->step() - first).c_str()
            << " lattice steps" << nl;
    }
    return !lost;
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


void Foam::lbmRun::bringFields(const bool others)
{
    fields_->sample(*solver_, *units_, U_, p_);
    flowBehind_ = 0;
    sound_.reset();
    boundary_.evaluate();
    if (models_) models_->fillLayers(U_);
    reference_.apply();
    checkEnergy();
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

        const label first = beginTimeStep();
        const label made = advanceCautiously(begin, first);
        ++flowBehind_;
        if (first > 0 || made < substeps_)
        {
            runTime_.tellPart
            (
                runTime_.fromSeconds((made - first)*units_->dt())
            );
        }
        if (made < substeps_) cutTimeStep(begin, made);
        else cutStep_ = lbmCutStep();

        // What is kept, or shown by scripts, must be sound everywhere; what
        // else is read is looked at then
        const bool kept = runTime_.writeTime();
        using wish = lbmFieldDemand::wish;
        const wish asked = demand_.now();
        const wish wanted = kept ? wish::all : asked;
        const bool all = demand_.scriptsNow() || kept;
        if (all || runTime_.timeIndex() % controls_.checkEvery() == 0)
        {
            watch_->check(all ? 1 : sparseStride(watchShare), *units_);
        }
        if (residuals_)
        {
            // Of a whole time step
            if (first == 0 && made == substeps_) residuals_->tell(*units_, substeps_);
            else residuals_->begin(*units_);
        }
        const string reason(reasonToStop());
        const bool stop = !reason.empty();
        if (stop && !all) watch_->check(1, *units_);
        const bool others = stop || wanted == wish::all;
        if (others || wanted == wish::flow)
        {
            bringFields(others);
            if (others) conserveForFunctions(); // else phi is as it was left
        }
        else if (wanted == wish::places) bringProbed();

        progress_.report
        (
            runTime_, *solver_, *watch_, *units_, boundary_, substeps_, bool(models_)
        );
        if (models_)
        {
            models_->report();
            guardTally_.note(models_->guarded(), models_->added());
        }
        if (latticeLaw_ && others) latticeLaw_->report(*units_);
        if (buoyancy_ && others && made == substeps_) buoyancy_->report();
        if (viscosityField_ && others)
        {
            viscosityField_->reportGuard();
            guardTally_.note(viscosityField_->guarded(), viscosityField_->added());
        }
        if (stop)
        {
            Info<< reason.c_str() << " after time " << runTime_.timeName()
                << ", state written" << nl << endl;
        }
        write(stop);
    }
    guardTally_.tell(units_->dx(), viscosity_);
    if (models_) models_->printEnd(progress_.modelShare());
}


void Foam::lbmRun::noteFlux(lbm::CheckpointNotes& notes) const
{
    if (fluxOfFunctions_) fluxOfFunctions_->note(notes, fluxOfFunctions);
}
