// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRun.H"
#include "lbmInitialState.H"
#include "Time.H"

namespace
{
    // Nodes looked at per lattice update with a model on the mesh, where a time step
    // that diverged is made once more from where it began
    const Foam::scalar cautiousShare = 0.02;

    // Mach numbers: less is a flow whose p friction makes, 27 times the dynamic pressure of
    // its fastest node; sound has more
    const Foam::scalar slowBesidePressure = 0.5;

    // Densities are apart by p over the square of the speed of sound: at the largest Mach
    // number by as much as that
    Foam::scalar machOfPressure(const Foam::scalar apart)
    {
        return Foam::sqrt(Foam::lbmControls::machLimit*Foam::max(apart, Foam::scalar(0)));
    }

    Foam::lbmCaution::reason reasonOf(const Foam::scalar ofFlow, const Foam::scalar ofPressure)
    {
        using reason = Foam::lbmCaution::reason;
        if (ofFlow >= ofPressure) return reason::flow;
        return ofFlow < slowBesidePressure*ofPressure ? reason::creeping : reason::pressure;
    }

    // Of a field with millions of cells one thread takes as long as lattice steps
    template<class Type>
    void copy
    (
        const Foam::GeometricField<Type, Foam::fvPatchField, Foam::volMesh>& from,
        Foam::GeometricField<Type, Foam::fvPatchField, Foam::volMesh>& to
    )
    {
        const Foam::Field<Type>& cells = from.primitiveField();
        Foam::Field<Type>& own = to.primitiveFieldRef();
        const Foam::label n = cells.size();
        #pragma omp parallel for schedule(static) if (n > 100000)
        for (Foam::label i = 0; i < n; ++i) own[i] = cells[i];
        to.boundaryFieldRef() == from.boundaryField();
    }
}


void Foam::lbmRun::makeCaution()
{
    const scalar shortest = safety_->shortest();
    caution_.reset
    (
        new lbmCaution
        (
            controls_,
            !models_ ? lbmCaution::ofLattice
          : iterates_ ? lbmCaution::ofSteadyModels : lbmCaution::ofModels,
            models_ ? keptBelow() : viscosity_.guard(),
            shortest > 0 ? timeStep_->allowedBy(shortest) : GREAT
        )
    );
    if (!resume_.found()) return;
    caution_->recall(resume_.notes());
    beCautious();
    substeps_ = timeStep_->steps(timeStepSeconds());
}


void Foam::lbmRun::beCautious()
{
    if (models_) models_->guardBelow(caution_->guard());
    else if (caution_->guard() > 0) viscosity_.guardBelow(caution_->guard());
    timeStep_->allowFor(caution_->allowance());
}


void Foam::lbmRun::noteSeen()
{
    const lbm::Health& seen = watch_->last();
    fastest_ = seen.maxSpeed;
    apart_ = seen.maxDensity - seen.minDensity;
}


bool Foam::lbmRun::followSpeed(const scalar ofFlow, const bool carries)
{
    const scalar ofPressure = machOfPressure(apart_);
    const scalar mach = max(ofFlow, ofPressure);
    const lbmCaution::reason why = reasonOf(ofFlow, ofPressure);
    if (!caution_->atMach(mach, timeStep_->allowedBy(units_->dt()), why)) return false;
    beCautious();
    // Whole numbers of steps, and maxTau, may have it as it is
    if (!models_ && timeStep_->steps(timeStepSeconds()) == substeps_) return false;
    if (why == lbmCaution::reason::flow) Info<< "Ma = " << mach << ": the lattice time step follows the flow" << nl;
    else Info<< "densities apart by " << apart_ << ": the lattice time step follows p" << nl;
    caution_->tell();
    changeTimeStep(carries);
    // The guard may be another; a solution that is not told yet is with it
    if (models_ && !models_->interval().untold())
    {
        models_->tellViscosity(*solver_, *units_);
    }
    return true;
}


void Foam::lbmRun::followStart()
{
    if (models_) return;    // they follow what they have solved for
    // Laid anew, not carried over: in the time step before it may be faster than sound
    if (followSpeed(units_->mach(max(mag(U_.primitiveField()))), false)) layFlow();
}


// Models have the flow of all cells to go by (correctModels)
void Foam::lbmRun::followFastest()
{
    if (models_ || !caution_->stepIsFree()) return;
    word patch;
    const scalar imposed = units_->mach(boundary_.imposedSpeed(patch));
    const scalar fastest = fastest_/lbmUnits::soundSpeed;
    // Among eddies single nodes may be fast for a while
    const bool bears = resolvesEddies();
    followSpeed(max(imposed, bears ? min(fastest, lbmControls::machLimit) : fastest));
}


void Foam::lbmRun::followImposed()
{
    if (models_ || !caution_->stepIsFree()) return;
    word patch;
    const scalar imposed = boundary_.imposedSpeed(patch);
    if (!safety_->tooFast(units_->dt(), imposed)) return;
    if (followSpeed(units_->mach(imposed))) updateConditions();
}


bool Foam::lbmRun::keepsFlow() const
{
    return !models_ && (caution_->any() || (buoyancy_ && buoyancy_->onLattice()));
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


Foam::scalar Foam::lbmRun::flowBytes() const
{
    const bool heat = buoyancy_ && buoyancy_->onLattice();
    return (4 + heat)*sizeof(scalar)*scalar(mesh_.nCells());
}


void Foam::lbmRun::restore(const flow& then)
{
    // On patches, too, where conditions keep their own: gradients are to be those of then
    U_ == then.U;
    p_ == then.p;
}


void Foam::lbmRun::keepFlow(const scalar shift)
{
    flowBehind_ = 0;
    caution_->calm();
    if (!keepsFlow())
    {
        sound_.reset();
        return;
    }
    if (sound_)
    {
        copy(U_, sound_->U);
        copy(p_, sound_->p);
        if (sound_->T.size()) sound_->T = buoyancy_->present();
    }
    else
    {
        if (buoyancy_ && buoyancy_->onLattice()) buoyancy_->present();
        sound_ = present();
    }
    if (shift != 0) sound_->p -= dimensionedScalar("shift", p_.dimensions(), shift);
}


void Foam::lbmRun::keepLatticeFlow()
{
    if (!keepsFlow()) return;
    if (buoyancy_ && buoyancy_->onLattice()) buoyancy_->present();
    // A flow that is lost shows while it is read
    std::unique_ptr<flow> now(present());
    fields_->sample(*solver_, *units_, now->U, now->p);
    flowBehind_ = 0;
    caution_->calm();
    sound_ = std::move(now);
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


void Foam::lbmRun::tellWhatIsBehind(const bool heatAlone) const
{
    Info<< (heatAlone ? "The flow moved too far in a step of temperature" : "The flow diverged")
        << ": once more from ";
    if (flowBehind_ > 0)
    {
        Info<< "what it was " << flowBehind_ << " time step"
            << (flowBehind_ > 1 ? "s" : "") << " before" << nl;
    }
    else Info<< "the beginning of the time step" << nl;
    if (!heatAlone) caution_->tell();
}


void Foam::lbmRun::beginAnew()
{
    if (buoyancy_) buoyancy_->layAgain(sound_->T);
    if (models_)
    {
        models_->bear(0);   // in the lattice's units before
        models_->restart();
        models_->tellViscosity(*solver_, *units_);
        models_->tellWalls(*units_, timeStepSeconds());
    }
    // What these remember of the flow may be no numbers
    if (sponge_) sponge_->beginAnew();
    if (latticeLaw_)
    {
        latticeLaw_.reset();
        latticeLaw_.reset
        (
            new lbmLatticeLaw(*solver_, boundary_, config_, transport_.laws())
        );
    }
    energyWatch_.forget();
    boundary_.beginAnew();
}


// Densities may leave their range within a time step, before anybody has looked at all nodes
Foam::lbmCaution::reason Foam::lbmRun::whyLost() const
{
    const lbm::Health& seen = watch_->last();
    return seen.bad >= 0 ? lbmCaution::reason::flow
      : reasonOf
        (
            seen.maxSpeed/lbmUnits::soundSpeed,
            machOfPressure(seen.maxDensity - seen.minDensity)
        );
}


bool Foam::lbmRun::goBack(const scalar begin)
{
    // Where T alone is lost its steps become shorter, and the flow is as it was
    const bool heatAlone = buoyancy_ && buoyancy_->allowFor();
    if (!heatAlone && !caution_->afterFailure(timeStep_->allowedBy(units_->dt()), whyLost()))
    {
        return false;
    }
    tellWhatIsBehind(heatAlone);
    if (!heatAlone) beCautious();
    // Conditions of time steps that are made again take U and p at openings from these
    if (sound_) restore(*sound_);
    else sound_ = present();
    layFlow();
    changeTimeStep();
    beginAnew();
    if (heatAlone)
    {
        Info<< "    temperature     once in " << buoyancy_->stride()
            << " of the flow's steps from now on" << nl;
    }
    const scalar now = runTime_.value();
    const label index = runTime_.timeIndex();
    try
    {
        const lbmWatch::forgiveness again(*watch_, true);
        if (makeAgain(begin, flowBehind_)) return true;
    }
    catch (const lbmWatch::flowLost&)
    {
        runTime_.setTime(now, index);
    }
    return goBack(begin);
}


bool Foam::lbmRun::makeAgain(const scalar begin, const label steps)
{
    const std::int64_t first = solver_->step();
    const scalar now = runTime_.value();
    const label index = runTime_.timeIndex();
    // At all nodes where that is done seldom: conditions look at some
    const label stride = models_ ? 1 : sparseStride(cautiousShare);
    bool lost = false;
    for (label step = 1; step <= steps && !lost; ++step)
    {
        const label ahead = steps - step;
        runTime_.setTime(begin - ahead*runTime_.deltaTValue(), index - 1 - ahead);
        updateConditions();
        label made = 0;
        while (made < substeps_) made = advance(begin, made);
        lost = watch_->lost(ahead ? stride : 1) || heatIsLost();
    }
    runTime_.setTime(now, index);
    if (steps > 0)
    {
        Info<< "    made again      " << std::to_string(solver_->step() - first).c_str()
            << " lattice steps" << nl;
    }
    else lost = watch_->lost(1);
    noteSeen();
    return !lost;
}


void Foam::lbmRun::advanceBeside(const scalar begin, timeStep& step)
{
    step.made = advanceBesideModels(begin, step.first);
    if (!models_)
    {
        if (heatIsLost()) throw lbmWatch::flowLost{"a time step was lost"};
        return;
    }
    const bool lost = step.made == substeps_
     && (watch_->lost(sparseStride(cautiousShare)) || heatIsLost());
    noteSeen();
    if (lost) throw lbmWatch::flowLost{"a time step was lost"};
}


Foam::lbmRun::timeStep Foam::lbmRun::makeTimeStep(const scalar begin)
{
    timeStep step;
    label behind = flowBehind_;
    string why;
    for (;;)
    {
        try
        {
            // What is left of a time step that was cut has no beginning to go back to
            const lbmWatch::forgiveness kept(*watch_, sound_ && keepsFlow() && !cutStep_.any());
            tryTimeStep(begin, step, behind);
            return step;
        }
        catch (const lbmWatch::flowLost& lost)
        {
            why = lost.why;
        }
        flowBehind_ = behind;
        if (step.first > 0 || !goBack(begin))
        {
            watch_->check(1, *units_);
            if (buoyancy_) buoyancy_->endIfLost();
            watch_->diverged(*units_, why);
        }
        if (step.begun) updateConditions();
    }
}
