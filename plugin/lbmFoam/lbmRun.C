// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRun.H"
#include "lbmCaseCheck.H"
#include "lbmCellTree.H"
#include "lbmCompat.H"
#include "lbmConditions.H"
#include "lbmInitialState.H"
#include "lbmMemoryCheck.H"
#include "lbmPlan.H"
#include "lbmSketchPlan/lbmSketchPlan.H"
#include "lbmStart.H"
#include "lbmStepChange.H"
#include "lbmStopSignal.H"
#include "lbmSurfaceWalls.H"
#include "lbmTrapFreeRegion.H"
#include "linear.H"
#include "StringStream.H"
#include "Time.H"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/TeamSize.hpp"

namespace
{
    // Nodes looked at per lattice update: one costs as much as a few updates
    const Foam::scalar watchShare = 0.002;

    // As much with a model on the mesh, where a time step that diverged can be made
    // once more
    const Foam::scalar cautiousShare = 0.02;

    // Layers of thin cells at walls are for the model on the mesh; the lattice
    // has its walls' stress from there
    const Foam::scalar modelledPerCell = 4;

    // Openings that fix velocity and pressure hold back what waves would carry out:
    // OpenFOAM's airFoil2D ran with a guard of 20 and diverged with 300
    const Foam::scalar fixedAtOpenings = 20;

    // Of the grid Reynolds number that a collision bears, with sources by node, which
    // make flows pass their reference speed: OpenFOAM's porousBlockage diverges below
    // it. Elsewhere trt is kept as long as it runs, since it is the nearer one to
    // finite volume's results in narrow vessels (tutorials/aneurysm)
    const Foam::scalar comfortable = 0.5;

    // Of the volume: a stream that a model leaves even
    const Foam::scalar mostly = 0.5;

    // Finer nodes than the mesh's cells: how far below what the collision
    // bears, and at most so many times the work
    const Foam::scalar belowLimit = 0.9;
    const Foam::scalar dearest = 30;

    // Of two sketches, nodes of the finer one for one of the other
    const Foam::scalar coarserNodes = 8;

    // Nodes along a side that a plan is made for: far more than any memory holds
    const Foam::scalar widestPlanned = 1e8;

    // In checkpoints
    const std::string fluxOfFunctions("fluxOfFunctions");

    // A flow that changes by more in the time of a passage is not called steady
    const Foam::scalar loosest = 0.01;
}


Foam::lbmRun::lbmRun
(
    lbmTime& runTime,
    fvMesh& mesh,
    const scalar sketchNodes,
    const scalar meshCells,
    lbmPhases& phases
)
:
    runTime_(runTime),
    mesh_(mesh),
    sketchNodes_(sketchNodes),
    meshCells_(meshCells),
    iterates_(lbmCaseCheck::iterates(runTime)),
    controls_(runTime),
    transport_(mesh, controls_),
    viscosity_(transport_.viscosity()),
    resume_(runTime, controls_, mesh, lbmCompat::heat(runTime)),
    lattice_
    (
        mesh,
        controls_,
        transport_.modelOnMesh() && meshCells_ <= 0 ? modelledPerCell : 0
    ),
    config_
    (
        controls_.config
        (
            lattice_.axes().dimensions(), viscosity_.closure()
        )
    ),
    buoyancy_
    (
        lbmCompat::heat(runTime)
      ? new lbmBuoyancy
        (
            mesh,
            transport_.properties(),
            *resume_.content("T"),
            *resume_.content("p_rgh")
        )
      : nullptr
    ),
    U_
    (
        IOobject
        (
            lbmRotatingFrame::velocityName(runTime),
            runTime.timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        ),
        mesh,
        *resume_.content(lbmRotatingFrame::velocityName(runTime))
    ),
    p_
    (
        IOobject
        (
            buoyancy_ ? "pOfLattice" : "p",
            runTime.timeName(),
            mesh,
            IOobject::NO_READ,
            buoyancy_ ? IOobject::NO_WRITE : IOobject::AUTO_WRITE
        ),
        mesh,
        buoyancy_ ? buoyancy_->latticePressure() : *resume_.content("p")
    ),
    phi_
    (
        IOobject
        (
            "phi",
            runTime.timeName(),
            mesh,
            IOobject::NO_READ,
            IOobject::NO_WRITE
        ),
        linearInterpolate(U_) & mesh.Sf()
    ),
    frame_
    (
        lbmRotatingFrame::asked(runTime) ? new lbmRotatingFrame(U_) : nullptr
    ),
    zones_
    (
        lbmRotatingZones::asked(runTime)
      ? new lbmRotatingZones(mesh, lattice_.axes()) : nullptr
    ),
    boundary_(U_, p_, phi_, lattice_.axes(), zones_.get()),
    sources_(U_, p_, viscosity_.nu(0), frame_.get(), zones_.get()),
    force_(sources_, controls_.force()),
    energyWatch_(U_, p_, boundary_),
    substeps_(0),
    demand_(runTime),
    reference_(p_, boundary_),
    stepOffset_(0)
{
    if (buoyancy_) prepareBuoyancy();
    if (sources_.byNode()) controls_.askForNodeForces(config_);
    if (!sketches()) lbmMemoryCheck::ofMesh(controls_, lattice_, config_);
    const label coupleEvery = controls_.coupleEvery(iterates_);
    if (transport_.modelOnMesh())
    {
        updatePhi();
        models_.reset
        (
            new lbmModels
            (
                U_, phi_, boundary_, zones_.get(), coupleEvery,
                buoyancy_
              ? lbmConservativeFlux::ofScalars : lbmConservativeFlux::ofModels
            )
        );
        if (boundary_.slips())
        {
            controls_.chooseBesideSlip
            (
                config_, lattice_.axes().dimensions()
            );
        }
    }
    else if (transport_.registersModel()) makeLaminar();
    else lbmCaseCheck::refuseFunctions(runTime);
    for (const lbmLatticeLaw::wall& wall : transport_.laws())
    {
        boundary_.setLinkLaw(wall.patchi);
    }
    chooseTimeStep();
    if (sketches())
    {
        planBySketch();
        return;
    }
    phases.end("fields and plan");
    layLattice();
    phases.end("lattice");
    layOpenings();
    phases.end("patches");
    makeSolver(phases);
    phases.end("cells");
    wallForces_.reset
    (
        new lbmWallForces
        (
            mesh_,
            lattice_.axes(),
            boundary_,
            lattice_.domain(),
            config_,
            solver_,
            units_,
            [this]{ return pressureShift(); }
        )
    );
    wallStress_.reset
    (
        new lbmWallStress(mesh_, lattice_.axes(), solver_, units_, fields_)
    );
    if (viscosity_.closure().coefficients > 0)
    {
        viscosityField_.reset
        (
            new lbmViscosityField
            (
                U_,
                fields_->stencils(),
                boundary_,
                *solver_,
                *units_,
                config_.threads
            )
        );
    }
    observed_.reset
    (
        new lbmLattice
        (
            mesh_,
            lattice_.axes(),
            boundary_,
            solver_,
            units_,
            [this]{ bringFields(); },
            [this]{ return pressureShift(); }
        )
    );
    if (models_)
    {
        models_->place
        (
            lattice_.axes(), *solver_, keptBelow(), config_.threads
        );
        caution_.reset(new lbmCaution(controls_, keptBelow()));
        if (resume_.found())
        {
            caution_->recall(resume_.notes());
            beCautious();
            substeps_ = timeStep_->steps(timeStepSeconds());
        }
    }
    if (sources_.byNode())
    {
        nodeSources_.reset
        (
            new lbmNodeSources
            (
                sources_, lattice_.axes(), boundary_, *solver_
            )
        );
    }
    placeSponge();
    if (transport_.laws().size())
    {
        latticeLaw_.reset
        (
            new lbmLatticeLaw
            (
                *solver_, boundary_, lattice_.axes(), transport_.laws()
            )
        );
    }
    phases.end("walls");
    lbmPlan(*this).print();
    phases.end("speed measured");
    if (models_) models_->tellViscosity(*solver_, *units_);
    setState();
    if (viscosityField_) viscosityField_->update();
    watch_->start(*units_);
    checkEnergy();
    checkpoint_.reset(new lbmCheckpoint(*this, resume_.file()));
    phases.end("start");
    phases.print();
}


Foam::lbmMemoryCheck::cells Foam::lbmRun::cells() const
{
    lbmMemoryCheck::cells of
    (
        meshCells_ > 0 ? lbmMemoryCheck::cells(meshCells_)
      : lbmMemoryCheck::cells(mesh_)
    );
    // Zones shift velocities node by node, and strain rates come from nodes around
    const lbm::ClosureDescriptor& closure = viscosity_.closure();
    if (zones_ || (closure.coefficients > 0 && !closure.ofGradient)) of.inBoxes = 0;
    return of;
}


Foam::scalar Foam::lbmRun::referenceSpeed()
{
    if (resume_.found() && !(controls_.referenceSpeed() > 0))
    {
        return resume_.number("referenceSpeed");
    }
    const scalar driven =
        buoyancy_ ? buoyancy_->expectedSpeed(boundary_.anyOpening())
      : frame_ ? frame_->fastest()
      : zones_ ? zones_->fastest() : 0;
    if (iterates_ && !resume_.found())
    {
        lbmStart(controls_, U_, p_, phi_, boundary_).doubt(driven);
    }
    return lbmTimeStep::speedOf
    (
        controls_,
        runTime_,
        U_,
        p_,
        boundary_,
        force_,
        viscosity_,
        driven
    );
}


std::vector<const Foam::volScalarField*> Foam::lbmRun::scalars() const
{
    if (buoyancy_) return {&buoyancy_->p_rgh(), &buoyancy_->T()};
    return {&p_};
}


void Foam::lbmRun::makeLaminar()
{
    laminar_.reset(new lbmMeshTurbulence(U_, phi_));
    if (transport_.elastic())
    {
        elastic_.reset(new lbmElasticStress(*laminar_, phi_, boundary_));
        sources_.addEverywhere([this](vectorField& a){ elastic_->add(a); });
        controls_.askForNodeForces(config_);
        lbmCaseCheck::refuseLatticeStress(runTime_);
        return;
    }
    latticeStress_.reset
    (
        new lbmLatticeStress
        (
            *laminar_,
            [this](const label patchi){ return traction(patchi); }
        )
    );
}


void Foam::lbmRun::prepareBuoyancy()
{
    if (!transport_.registersModel())
    {
        FatalIOErrorInFunction(transport_.properties())
            << "The equation of T needs a turbulence model of OpenFOAM's, be it"
            << " laminar: transportModel Newtonian here, and simulationType in"
            << " constant/turbulenceProperties" << nl
            << "Smagorinsky's model, which lbmFoam has on the lattice: entry"
            << " turbulenceOn mesh (system/lbmDict)" << exit(FatalIOError);
    }
    buoyancy_->setLattice(p_);
    sources_.addEverywhere([this](vectorField& a){ buoyancy_->add(a); });
    if (!transport_.modelOnMesh() && !transport_.elastic())
    {
        buoyancy_->conserve(phi_, boundary_);
    }
}


void Foam::lbmRun::setIteration(const scalar speed)
{
    if (!iterates_) return;

    const scalar passage =
        lbmMeshDomain::longestSide(mesh_, lattice_.axes())/speed;
    runTime_.setSeconds(passage/controls_.iterationsPerPassage());
    Info<< "fvSchemes: steadyState. deltaT and endTime count iterations; one"
        << " lasts " << runTime_.toSeconds(1) << " s of the flow, "
        << controls_.iterationsPerPassage()
        << " the time that the reference speed takes along the longest side,"
        << nl << "    which endTime then is "
        << runTime_.toSeconds(runTime_.endTime().value())/passage
        << " times (entry iterationsPerPassage of system/lbmDict)" << nl;
}


Foam::scalar Foam::lbmRun::steadyTolerance() const
{
    if (controls_.steadyTolerance() > 0 || !iterates_)
    {
        return controls_.steadyTolerance();
    }
    // OpenFOAM's is the change in an iteration
    const dictionary& residuals =
        mesh_.solutionDict().subOrEmptyDict("SIMPLE")
       .subOrEmptyDict("residualControl");
    const entry* own = residuals.findEntry(U_.name(), keyType::REGEX);
    if (!own || own->isDict()) return 0;
    return min
    (
        loosest, controls_.iterationsPerPassage()*residuals.get<scalar>(U_.name())
    );
}


Foam::lbmSafety::surroundings Foam::lbmRun::around() const
{
    return boundary_.besideMovingWalls() ? lbmSafety::surroundings::movingWalls
      : boundary_.besideWalls() ? lbmSafety::surroundings::walls
      : lbmSafety::surroundings::periodic;
}


Foam::scalar Foam::lbmRun::keptBelow() const
{
    const scalar guard = safety_->guarded();
    if (controls_.maxGridReynolds() > 0) return guard;
    for (const lbmPatchKind& kind : boundary_.kinds())
    {
        if (kind.is == lbmPatchKind::role::velocityAndPressure)
        {
            return min(guard, fixedAtOpenings);
        }
    }
    return guard;
}


void Foam::lbmRun::settleModels(const scalar speed)
{
    if (!controls_.collisionIsFree() || boundary_.slips()) return;
    for (const lbmPatchKind& kind : boundary_.kinds())
    {
        // What the flow turns to is not around its nodes
        if (kind.is == lbmPatchKind::role::turn) return;
    }
    if (resume_.found())
    {
        // By what the fields were when the case began
        lbm::Config other(config_);
        const bool chosen = controls_.chooseForStream(other)
            && lbmSettings::noted(resume_.notes(), "collision") == other.collision;
        if (chosen) config_ = other;
        return;
    }
    const scalar borne = lbmSafety::guardedBelow(config_.collision, around());
    const scalar share =
        models_->shareAbove(borne, speed, lattice_.spacing());
    const word before(config_.collision);
    if (share < mostly || !controls_.chooseForStream(config_)) return;
    Info<< "In " << 100*share << " % of the volume the model's initial viscosity"
        << " leaves grid Reynolds numbers above " << borne << ": collision "
        << config_.collision.c_str() << " in place of " << before
        << " (entry collision of system/lbmDict)" << nl;
}


void Foam::lbmRun::settleLattice(const scalar speed)
{
    if (models_)
    {
        settleModels(speed);
        return;
    }
    if (controls_.maxGridReynolds() > 0)
    {
        if (viscosity_.eddies())
        {
            viscosity_.guardBelow(controls_.maxGridReynolds());
        }
        return;
    }

    const label dimensions = lattice_.axes().dimensions();
    const auto gridReynolds = [&](const scalar dx)
    {
        return speed*dx/viscosity_.least(dx);
    };
    const auto limit = [&]
    {
        return lbmSafety::maxGridReynolds(config_.collision, around());
    };
    const scalar dx = lattice_.spacing();
    const scalar re = gridReynolds(dx);
    const scalar borne = (sources_.byNode() ? comfortable : 1)*limit();
    if (controls_.collisionIsFree() && re > borne)
    {
        const word before(config_.collision);
        controls_.chooseRobust(config_, dimensions);
        if (before != config_.collision)
        {
            Info<< "Grid Reynolds number " << re << ": collision "
                << config_.collision.c_str() << " in place of " << before
                << " (entry collision of system/lbmDict)" << nl;
        }
    }
    if (boundary_.slips() && controls_.collisionIsFree())
    {
        controls_.chooseRobust(config_, dimensions);
        controls_.chooseBesideSlip(config_, dimensions);
    }
    if (viscosity_.eddies())
    {
        guardEddies(re);
        return;
    }
    if (re <= limit()) return;

    const scalar widest = dx*belowLimit*limit()/re;
    const scalar cost = pow(dx/widest, scalar(dimensions + 1));
    if (!controls_.spacingIsFree() || cost > dearest || !lattice_.refine(widest))
    {
        guardFluid(re);
        return;
    }
    Info<< "Grid Reynolds number " << re << " passes " << limit()
        << ", what collision " << config_.collision.c_str()
        << " bears: cells of the lattice are " << lattice_.spacing()
        << " m wide, the mesh's " << dx << " m (entry cellSize of"
        << " system/lbmDict)" << nl;
}


void Foam::lbmRun::guardFluid(const scalar gridReynolds)
{
    // Who names the collision learns what it does not bear
    if (!controls_.collisionIsFree() || !viscosity_.canBeGuarded()) return;
    const bool built = controls_.chooseGuarded
    (
        config_, lattice_.axes().dimensions(), lbmViscosity::guardClosure()
    );
    if (!built) return;

    const scalar borne =
        lbmSafety::maxGridReynolds(config_.collision, around());
    const scalar most = lbmSafety::guardedBelow(config_.collision, around());
    viscosity_.guardBelow(most);
    Info<< "Grid Reynolds number " << gridReynolds << " passes " << borne
        << ", what collision " << config_.collision.c_str() << " bears: the flow"
        << " is under-resolved." << nl
        << "    Viscosity is raised at nodes where it passes " << most
        << " (field nuGuard; the log tells their share): there the flow is that of"
        << " a thicker fluid." << nl
        << "    Way out: a turbulence model, or cells of "
        << lattice_.spacing()*belowLimit*borne/gridReynolds << " m (entry cellSize"
        << " of system/lbmDict)" << nl;
}


void Foam::lbmRun::guardEddies(const scalar gridReynolds)
{
    const scalar most = lbmSafety::guardedBelow(config_.collision, around());
    if (gridReynolds > most) viscosity_.guardBelow(most);
}


void Foam::lbmRun::chooseTimeStep()
{
    const scalar speed = referenceSpeed();
    setIteration(speed);
    viscosity_.expect
    (
        speed, lbmMeshDomain::longestSide(mesh_, lattice_.axes())
    );
    fitLattice();
    settleLattice(speed);
    fitLattice();
    setUnits(speed);
}


void Foam::lbmRun::takeLattice()
{
    boundary_.placeWalls(lattice_.domain(), controls_);
    config_.patches = boundary_.uniform();
    chooseStorage();
}


void Foam::lbmRun::fitLattice()
{
    if (!lattice_.automatic()) return;
    if (resume_.found())
    {
        lattice_.setSpacing(resume_.number(lbmCheckpoint::cellSizeNote));
        return;
    }
    const std::string stored(lbm::name(lbm::findKernel(config_)));
    if (fit_ && stored == fittedKernel_) return;

    if (lbm::ranks() > 1 || lbm::partsOf(config_) > 1)
    {
        FatalIOErrorInFunction(controls_.dict())
            << "Entry cellSize is auto, which one part of a lattice in one process"
            << " can be: with parts, several devices or -parallel name a cell size"
            << exit(FatalIOError);
    }
    const lbmMemoryCheck::budget room(lbmMemoryCheck::room(controls_, config_));
    fit_.reset
    (
        new lbmLatticeFit
        (
            controls_.dict(),
            room,
            [this](const scalar least){ return lattice_.whole(least); },
            [this, of = cells()](const lbm::model::DomainCounts& counts)
            {
                return lbmMemoryCheck::needed
                (
                    counts, lbm::findKernel(config_), config_, of
                );
            }
        )
    );
    const scalar sketched = lattice_.sketch
    (
        config_, boundary_.restingWalls(), lbmMeshDomain::smallSketch
    );
    takeLattice();
    fit_->choose(lbmMemoryCheck::counts(lattice_.domain(), config_), sketched);
    lattice_.setSpacing(fit_->spacing());
    fittedKernel_ = lbm::name(lbm::findKernel(config_));
}


void Foam::lbmRun::checkSpacing() const
{
    const auto* walls = lbmSurfaceWalls::of(mesh_);
    if (walls) walls->check(lattice_.spacing());
}


void Foam::lbmRun::layLattice()
{
    for (;;)
    {
        lattice_.build(config_, boundary_.restingWalls());
        takeLattice();
        const bool fits = !fit_
         || !fit_->correct(lbmMemoryCheck::counts(lattice_.domain(), config_));
        if (fits) break;
        lattice_.setSpacing(fit_->spacing());
        setUnits(timeStep_->referenceSpeed());
    }
    checkSpacing();
}


void Foam::lbmRun::layOpenings()
{
    // An inlet that swirls in a rotating frame speeds up, more and more, where
    // sound may pass it (SRFSimpleFoam/mixer)
    const bool letOutSound =
        (models_ || viscosity_.guard() > 0 || resolvesEddies()) && !frame_;
    boundary_.setOpeningTypes(lattice_.domain(), controls_, letOutSound);
    config_.patches = boundary_.uniform();
    boundary_.connect(lattice_.domain(), config_.lattice);
    spongeZone_.reset
    (
        new lbmSpongeZone
        (
            p_,
            boundary_,
            controls_,
            resolvesEddies() && lbm::isOnHost(lbm::findKernel(config_)),
            timeStep_->referenceSpeed(),
            lattice_.spacing()
        )
    );
}


bool Foam::lbmRun::resolvesEddies() const
{
    if (iterates_) return false;
    return models_
      ? bool(isA<incompressible::LESModel>(models_->turbulence()))
      : viscosity_.eddies() && !viscosity_.onlyGuarded();
}


void Foam::lbmRun::placeSponge()
{
    if (!spongeZone_->any()) return;
    // The mean of all that passes: as long as the flow takes along the longest side
    const scalar memory =
        lbmMeshDomain::longestSide(mesh_, lattice_.axes())
       /timeStep_->referenceSpeed();
    sponge_.reset
    (
        new lbmSponge
        (
            *solver_,
            spongeZone_->members(lattice_.domain(), lattice_.axes()),
            spongeZone_->rate(),
            memory
        )
    );
}


bool Foam::lbmRun::sketches() const
{
    // What is too wide to be counted the check of memory refuses at once
    const scalar side = lbmMeshDomain::longestSide(mesh_, lattice_.axes());
    return sketchNodes_ > 0
     && side/lattice_.spacing() < widestPlanned
     && (meshCells_ > 0 || lattice_.expectedNodes() > sketchNodes_);
}


Foam::lbmSketch Foam::lbmRun::sketchLattice()
{
    const auto sketch = [this](const scalar nodes)
    {
        lattice_.sketch(config_, boundary_.restingWalls(), nodes);
        takeLattice();
        return lattice_.shared();
    };
    const auto coarse = sketch(sketchNodes_/coarserNodes);
    const auto fine = sketch(sketchNodes_);
    try
    {
        return lbmSketch(lattice_, config_, coarse, fine);
    }
    catch (const std::invalid_argument& fault) // more parts than can be cut
    {
        FatalIOErrorInFunction(controls_.dict())
            << fault.what() << exit(FatalIOError);
        std::abort();
    }
}


void Foam::lbmRun::planBySketch()
{
    std::unique_ptr<lbmSketch> sketch(new lbmSketch(sketchLattice()));
    while (fit_ && fit_->correct(sketch->counts()))
    {
        lattice_.setSpacing(fit_->spacing());
        setUnits(timeStep_->referenceSpeed());
        sketch.reset(new lbmSketch(sketchLattice()));
    }
    checkSpacing();
    layOpenings();
    config_.threads = lbm::threadsFor(config_, sketch->counts().fluid);
    std::unique_ptr<lbm::Solver> solver;
    string fault;
    try
    {
        solver = makeLinkedSolver();
    }
    catch (const std::invalid_argument& refused)
    {
        FatalIOErrorInFunction(controls_.dict())
            << refused.what() << exit(FatalIOError);
    }
    catch (const std::runtime_error& failed)    // a device that is not here
    {
        fault = failed.what();
    }
    const lbmSketchPlan plan(*this, *sketch, solver.get(), fault);
    plan.print();
    plan.check();
}


void Foam::lbmRun::setUnits(const scalar speed)
{
    timeStep_.reset
    (
        new lbmTimeStep(controls_, lattice_.spacing(), viscosity_, speed)
    );
    const scalar deltaT = timeStepSeconds();
    substeps_ = timeStep_->steps(deltaT);
    const scalar dt = deltaT/substeps_;
    safety_.reset
    (
        new lbmSafety
        (
            controls_,
            config_,
            lattice_.cyclics(),
            lattice_.spacing(),
            viscosity_,
            speed,
            lattice_.expectedNodes(),
            lattice_.axes().dimensions(),
            around(),
            runTime_.toSeconds
            (
                runTime_.endTime().value() - runTime_.value()
            )
        )
    );
    safety_->check(dt);
    units_.reset
    (
        resume_.found()
      ? new lbmUnits(resume_.units(lattice_.spacing(), viscosity_))
      : new lbmUnits
        (
            lattice_.spacing(),
            dt,
            viscosity_,
            reference_.pressureLevel()
        )
    );
    configure(*units_);
    config_.magic = resume_.found() && !controls_.dict().found("magic")
      ? resume_.number("magic") : magic(*units_);
    config_.force =
        units_->acceleration(lattice_.axes(), force_.value());
    config_.patches = boundary_.uniform();
}


void Foam::lbmRun::configure(const lbmUnits& units)
{
    config_.tau = units.tau();
    // Eddies may leave next to none, but rounding is no viscosity
    if (viscosity_.guard() > 0)
    {
        config_.tau = max(config_.tau, 0.5 + lbmSafety::leastViscous);
    }
    if (models_)
    {
        // Until nodes are told theirs: what the guard leaves of it at least
        const scalar guarded =
            timeStep_->referenceSpeed()*units.dx()/keptBelow();
        config_.tau = max(config_.tau, units.tau(guarded));
    }
    config_.coefficients =
        units.viscosity().inLatticeUnits(units.dx(), units.dt());
}


Foam::scalar Foam::lbmRun::magic(const lbmUnits& units) const
{
    return controls_.magic
    (
        units.tau(),
        boundary_.anyOpening()
      ? timeStep_->referenceSpeed()*units.dx()
       /units.viscosity().least(units.dx())
      : 0
    );
}


void Foam::lbmRun::chooseStorage()
{
    if (!controls_.storageIsFree()) return;

    storage_ = lbm::model::chooseStorage(lattice_.domain(), config_);
    if (storage_.candidates.empty())
    {
        FatalIOErrorInFunction(controls_.dict())
            << "Entry storage is auto, but of no storage for the other entries"
            << " the speed is known: name one" << exit(FatalIOError);
    }
    config_.storage = storage_.best().row.storage;
    config_.tile = storage_.best().row.tile;
}


std::unique_ptr<lbm::Solver> Foam::lbmRun::makeLinkedSolver()
{
    const lbm::Domain& domain = lattice_.domain();
    const auto directions = lbm::latticeDirections(config_.lattice);
    fluidLinks_.reset(new lbmFluidLinks);
    if (zones_)
    {
        zones_->place(domain, lattice_.axes(), directions, *fluidLinks_);
    }
    sources_.jumps().record
    (
        domain, lattice_.axes(), directions, *fluidLinks_, boundary_
    );
    boundary_.setJumps(sources_.jumps().rises());
    if (!fluidLinks_->size()) fluidLinks_.reset();
    if (!fluidLinks_) return lbm::makeSolver(lattice_.shared(), config_);

    fluidLinks_->place(domain);
    lbm::Config linked(config_);
    linked.patches.push_back(lbmFluidLinks::kind());
    return lbm::makeSolver(fluidLinks_->domain(), linked);
}


void Foam::lbmRun::makeSolver(lbmPhases& phases)
{
    lbmMemoryCheck::ofLattice(controls_, lattice_, config_, cells());
    config_.threads =
        lbm::threadsFor(config_, lattice_.domain().fluidNodes());
    try
    {
        auto solver = makeLinkedSolver();
        phases.end("solver");
        watch_.reset
        (
            new lbmWatch
            (
                mesh_,
                lattice_.axes(),
                boundary_,
                *safety_,
                *solver,
                config_.threads
            )
        );
        solver_.reset
        (
            new lbmWatchedSolver
            (
                std::move(solver),
                *watch_,
                *units_,
                config_.threads,
                lattice_.domain(),
                lattice_.axes(),
                zones_.get()
            )
        );
        boundary_.countFlow(*solver_);
        phases.end("openings");
        fields_.reset
        (
            new lbmFields
            (
                *solver_,
                mesh_,
                lattice_.domain(),
                lattice_.axes(),
                boundary_,
                lbm::latticeDirections(config_.lattice),
                config_.threads
            )
        );
    }
    catch (const std::bad_alloc&)
    {
        FatalIOErrorInFunction(controls_.dict())
            << "Not enough memory for "
            << std::to_string(lattice_.domain().fluidNodes()).c_str()
            << " nodes: choose a larger cell size" << exit(FatalIOError);
    }
    catch (const std::invalid_argument& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << fault.what() << exit(FatalIOError);
    }
    catch (const std::runtime_error& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << fault.what() << nl
            << "Entry device is " << word(config_.device)
            << ", the cell size is " << lattice_.spacing()
            << exit(FatalIOError);
    }
    const scalar tolerance = steadyTolerance();
    if (tolerance > 0)
    {
        const scalar passage =
            lbmMeshDomain::longestSide(mesh_, lattice_.axes())
           /timeStep_->referenceSpeed();
        steadyWatch_.reset(new lbmSteadyWatch(*solver_, tolerance, passage));
    }
}


void Foam::lbmRun::setState()
{
    if (!resume_.found())
    {
        lbmStart(controls_, U_, p_, phi_, boundary_).initialise
        (
            lattice_.axes(), *units_, *solver_, config_.threads
        );
        stepOffset_ = -solver_->step();
        return;
    }
    {
        const lbmTrapFreeRegion stateOfThePlan(config_.threads);
        resume_.restore(*solver_, lbmSettings::present(*this));
    }
    boundary_.recall(resume_.notes());
    if (models_) models_->recall(resume_.notes(), *solver_, *units_);
    if (elastic_) elastic_->recall(resume_.notes());
    if (buoyancy_) buoyancy_->recall(resume_.notes());
    sources_.recall(resume_.notes());
    solver_->setForce
    (
        units_->acceleration(lattice_.axes(), force_.value())
    );
    if (nodeSources_) nodeSources_->recall(resume_.notes(), *solver_);
    if (sponge_) sponge_->recall(resume_.notes());
    if (latticeLaw_) latticeLaw_->recall(resume_.notes(), *units_);
    stepOffset_ = resume_.notes().steps - solver_->step();
    lbmConditions::keepPresent(U_);
    lbmConditions::keepPresent(p_);
    if (steadyWatch_) steadyWatch_->recall(resume_.notes());
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
    if (same) return;

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
        models_->tellViscosity(*solver_, next);
    }
    solver_->setOpeningMemory(memory);
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
    }
    else if (boundary_.anyOpening())
    {
        fields_->sampleAtOpenings(*solver_, *units_, U_, p_);
    }
    if (buoyancy_) buoyancy_->setLatticeConditions(p_);
    boundary_.update(*solver_, *units_, begins ? substeps_ : 0);
    if (fluidLinks_)
    {
        const scalarField rises(sources_.jumps().rises());
        watchedSolver().tell(*fluidLinks_, rises);
        boundary_.setJumps(rises);
    }
    solver_->setForce
    (
        units_->acceleration(lattice_.axes(), force_.value())
    );
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


void Foam::lbmRun::correctModels()
{
    bringFields();

    // Of all cells: health checks look at few nodes
    const scalar mach = units_->mach(max(mag(U_.primitiveField())));
    if (caution_->atMach(mach))
    {
        Info<< "Ma = " << mach << ": the lattice time step follows the flow" << nl;
        caution_->tell();
        beCautious();
        changeTimeStep();
    }
    models_->conserve();
    {
        const lbmTime::longerStep since(runTime_, models_->interval().behind());
        models_->correct();
        if (buoyancy_) correctTemperature();
    }
    models_->solved
    (
        *solver_,
        *units_,
        buoyancy_ ? buoyancy_->changed() : 0,
        timeStepSeconds()
    );
}


void Foam::lbmRun::correctMesh()
{
    if (!models_)
    {
        if (sources_.readFlow()) bringFields();
        if (elastic_) elastic_->correct();
        if (buoyancy_) correctTemperature();
    }
    else
    {
        if (models_->interval().due()) correctModels();
        else if (sources_.followFlow()) bringFields();
        models_->begun();
    }
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
     && !resume_.conditionsChanged();
    if (same)
    {
        Info<< "Finishing the time step that began at " << cutStep_.begin()
            << ": " << cutStep_.made() << " of " << substeps_
            << " lattice steps are made" << nl << endl;
        runTime_.beginWithin(cutStep_.begin());
        return;
    }
    Info<< "The time step that began at " << cutStep_.begin()
        << " is not finished: deltaT, viscosity, the lattice's time step or conditions"
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


Foam::label Foam::lbmRun::advance(const scalar begin, label made)
{
    const lbmTrapFreeRegion diagnosedLater(config_.threads);
    const word beginName(Time::timeName(begin));
    const label interval = this->interval();
    bool due = true;
    while (made < substeps_)
    {
        if (due && nodeSources_) nodeSources_->apply(*solver_);
        if (due && latticeLaw_) latticeLaw_->apply(*solver_, *units_);
        const label next = min(substeps_, made + interval - made % interval);
        made += progress_.advance(*solver_, next - made);
        due = made == next;
        if (due && sponge_)
        {
            const label since = (made - 1) % interval + 1;
            sponge_->apply(*solver_, units_->dt(), since, config_.threads);
        }

        // Only where nodes get new forces anyway does another run go on exactly
        const bool told =
            (nodeSources_ && nodeSources_->drag()) || sponge_ || latticeLaw_;
        if (told && !due) continue;

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


Foam::label Foam::lbmRun::interval() const
{
    label steps = substeps_;
    if (nodeSources_) steps = min(steps, nodeSources_->interval());
    if (latticeLaw_) steps = min(steps, lbmLatticeLaw::interval);
    if (sponge_) steps = min(steps, sponge_->interval(units_->dt()));
    return steps;
}


void Foam::lbmRun::beCautious()
{
    models_->guardBelow(caution_->guard());
    timeStep_->allowFor(caution_->allowance());
}


bool Foam::lbmRun::goBack()
{
    if (!caution_->afterFailure()) return false;
    Info<< "The flow diverged: once more from "
        << (models_->interval().fresh() ? "the beginning of the time step"
          : "what it was when models were solved") << nl;
    caution_->tell();
    beCautious();
    lbmInitialState
    (
        U_, p_, lattice_.axes(), *units_, *solver_, config_.threads
    ).apply();
    std::vector<lbm::OpeningMemory> memory(solver_->openingMemory());
    for (lbm::OpeningMemory& m : memory) m.mean = lbm::OpeningMemory().mean;
    solver_->setOpeningMemory(memory);
    changeTimeStep();
    models_->restart();
    models_->tellViscosity(*solver_, *units_);
    models_->tellWalls(*units_, timeStepSeconds());
    energyWatch_.forget();
    boundary_.forget();
    updateConditions();
    return true;
}


Foam::label Foam::lbmRun::advanceCautiously
(
    const scalar begin,
    const label made
)
{
    label now = advance(begin, made);
    if (!caution_ || made > 0) return now;

    while (now == substeps_ && watch_->lost(sparseStride(cautiousShare)) && goBack())
    {
        now = advance(begin, 0);
    }
    return now;
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
    boundary_.evaluate();
    if (models_) models_->fillLayers(U_);
    reference_.apply();
    checkEnergy();
    if (others) updatePhi();
    if (buoyancy_) buoyancy_->bring(p_);
    if (frame_) frame_->update();
    if (viscosityField_ && others) viscosityField_->update();
}


void Foam::lbmRun::updatePhi()
{
    phi_ = linear<vector>(mesh_).dotInterpolate(mesh_.Sf(), U_);
    boundary_.updateFlux();
    if (zones_) zones_->makeRelative(phi_);
}


void Foam::lbmRun::noteFlux(lbm::CheckpointNotes& notes) const
{
    if (fluxOfFunctions_) fluxOfFunctions_->note(notes, fluxOfFunctions);
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


void Foam::lbmRun::loop()
{
    lbmStopSignal::remember();
    checkpoint_->removeReplaced(resume_);
    Info<< "\nStarting time loop\n" << endl;

    if (demand_.looksPlacesUp()) lbmCellTree::make(mesh_);
    progress_ = lbmProgress();
    // Those of a checkpoint stand as they were left
    if (resume_.found()) resumeCutStep();
    else updateConditions();
    while (goesOn())
    {
        const scalar begin = runTime_.value();
        ++runTime_;
        Info<< "Time = " << runTime_.timeName() << nl << endl;

        const label first = beginTimeStep();
        const label made = advanceCautiously(begin, first);
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
        const string reason(reasonToStop());
        const bool stop = !reason.empty();
        if (stop && !all) watch_->check(1, *units_);
        const bool others = stop || wanted == wish::all;
        if (others || wanted == wish::flow)
        {
            bringFields(others);
            if (others) conserveForFunctions(); // else phi is as it was left
        }

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
