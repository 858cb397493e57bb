// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRun.H"
#include "lbmCaseCheck.H"
#include "lbmCompat.H"
#include "lbmConditions.H"
#include "lbmMemoryCheck.H"
#include "lbmPlan.H"
#include "lbmRankFault.H"
#include "lbmStart.H"
#include "lbmTrapFreeRegion.H"
#include "linear.H"
#include "Time.H"
#include "lbm/api/StepChoice.hpp"
#include "lbm/api/TeamSize.hpp"
#include "plugin/common/lbmHandBack.H"

namespace
{
    // Layers of thin cells at walls are for the model on the mesh; the lattice
    // has its walls' stress from there
    const Foam::scalar modelledPerCell = 4;

    // What is to come of p at openings, over the reference speed's dynamic pressure
    const Foam::scalar steadyAtOpenings = 0.002;

    Foam::scalar openArea(const Foam::lbmBoundary& boundary, const Foam::fvMesh& mesh)
    {
        Foam::scalar area = 0;
        forAll(boundary.kinds(), patchi)
        {
            if (!boundary.kinds()[patchi].opening()) continue;
            area += Foam::sum(mesh.boundary()[patchi].magSf());
        }
        return area;
    }
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
    boundary_(U_, p_, phi_, lattice_.axes(), zones_.get(), iterates_),
    sources_(U_, p_, viscosity_.nu(0), frame_.get(), zones_.get()),
    force_(sources_, controls_.force()),
    energyWatch_(U_, p_, boundary_),
    substeps_(0),
    demand_(runTime),
    reference_(p_, boundary_),
    ringing_
    (
        lbmMeshDomain::longestSide(mesh, lattice_.axes()), openArea(boundary_, mesh)
    ),
    swiftConditions_
    (
        boundary_, U_, p_, lbmMeshDomain::longestSide(mesh, lattice_.axes())
    ),
    stepOffset_(0)
{
    // With heat in time nobody has looked
    const bool averages = transport_.averages() && !buoyancy_;
    if (averages || (iterates_ && transport_.turbulenceOnMesh())) controls_.setAveraged();
    if (transport_.elastic()) controls_.setElastic();
    threadsAsked_ = lbmTrapFreeRegion::count(config_.threads);
    cuts_.reset
    (
        new lbmCuts
        (
            controls_, lattice_.axes(), config_.ranks, lbm::partsOf(config_)
        )
    );
    config_.cuts = cuts_->numbers();
    if (buoyancy_) prepareBuoyancy();
    else if (controls_.temperatureOn() != lbmControls::temperaturePlace::mesh)
    {
        FatalIOErrorInFunction(controls_.dict())
            << "Entry temperatureOn is lattice, and this case has no temperature" << nl
            << "T acts on the flow under buoyantBoussinesqPimpleFoam (entry application"
            << " of system/controlDict)" << exit(FatalIOError);
    }
    if (sources_.byNode()) controls_.askForNodeForces(config_);
    if (!sketches()) lbmMemoryCheck::ofMesh(controls_, lattice_, config_);
    const label coupleEvery = controls_.coupleEvery
    (
        transport_.modelOnMesh(), temperatureOnMesh() && !iterates_
    );
    // A sketch of a plan is to take seconds
    if (!sketches()) attemptEquations();
    if (transport_.modelOnMesh())
    {
        updatePhi();
        boundary_.besideModels();
        models_.reset
        (
            new lbmModels
            (
                U_, phi_, boundary_, zones_.get(), coupleEvery, iterates_,
                !buoyancy_,
                temperatureOnMesh()
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
    else if (!transport_.registersEddies()) lbmCaseCheck::refuseFunctions(runTime);
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
        new lbmWallStress
        (
            mesh_, lattice_.axes(), solver_, units_, fields_, boundary_
        )
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
    }
    makeCaution();
    if (sources_.byNode())
    {
        if (sources_.mayResist()) boundary_.keepToldSlip();
        nodeSources_.reset
        (
            new lbmNodeSources
            (
                sources_, lattice_.axes(), boundary_, *solver_
            )
        );
    }
    placeTemperature();
    placeSponge();
    if (transport_.laws().size())
    {
        latticeLaw_.reset
        (
            new lbmLatticeLaw
            (
                *solver_, boundary_, config_, transport_.laws()
            )
        );
    }
    phases.end("walls");
    lbmPlan(*this).print();
    phases.end("speed measured");
    if (models_) models_->tellViscosity(*solver_, *units_);
    setState();
    if (!resume_.found()) followStart();
    if (viscosityField_) viscosityField_->update();
    if (transport_.registersEddies()) registerEddies();
    watch_->start(*units_, p_);
    noteSeen();
    if (resume_.found())
    {
        watch_->recall(resume_.notes(), *units_);
        const auto& numbers = resume_.notes().numbers;
        const auto found = numbers.find(lbmCheckpoint::fastestNote);
        const auto dt = numbers.find("dt");
        // In units of another time step it would say nothing of this one
        const bool same = dt != numbers.end() && dt->second == units_->dt();
        if (found != numbers.end() && same) fastest_ = found->second;
        const auto apart = numbers.find(lbmCheckpoint::apartNote);
        if (apart != numbers.end() && same) apart_ = apart->second;
    }
    watch_->beforeDiagnosis([this]{ waitForModels(); });
    checkEnergy();
    if (resume_.found()) keepLatticeFlow();
    else keepFlow(0);
    checkpoint_.reset(new lbmCheckpoint(*this, resume_.file()));
    changedFiles_.reset(new lbmChangedFiles(runTime_));
    waitForModels();
    // Lists by cell that OpenFOAM makes when somebody asks, and to which nobody keeps a
    // reference: equations go without
    mesh_.primitiveMesh::clearAddressing();
    lbmHandBack();
    phases.end("start");
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
        new lbmLaminarStress
        (
            *laminar_,
            [this](const label patchi){ return traction(patchi); }
        )
    );
}


void Foam::lbmRun::registerEddies()
{
    latticeStress_.reset
    (
        new lbmLatticeEddies
        (
            transport_.eddies(),
            U_,
            phi_,
            viscosityField_->field(),
            units_->dx(),
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
    if (temperatureOnLattice())
    {
        buoyancy_->leaveMesh();
        // All nodes are told forces, in which cells have no part
        sources_.addEverywhere([](vectorField&){});
        return;
    }
    sources_.addEverywhere([this](vectorField& a){ buoyancy_->add(a); });
    if (!transport_.modelOnMesh() && !transport_.elastic())
    {
        buoyancy_->conserve(phi_, boundary_);
    }
}


bool Foam::lbmRun::temperatureOnLattice() const
{
    if
    (
        controls_.temperatureOn() != lbmControls::temperaturePlace::lattice
    ) return false;
    if (!transport_.elastic()) return true;
    FatalIOErrorInFunction(controls_.dict())
        << "Entry temperatureOn is lattice, and this is a case with stress of OpenFOAM's"
        << " on the mesh" << nl
        << "Way out: temperatureOn mesh" << exit(FatalIOError);
    return false;
}


void Foam::lbmRun::placeTemperature()
{
    if (!buoyancy_ || !temperatureOnLattice()) return;
    lbmLatticeTemperature::eddyWays eddies;
    if (models_)
    {
        eddies.cells = &models_->nodeCells();
        eddies.atWalls = [this](const scalarField& ofModel, scalarField& ofNodes)
        {
            models_->setDiffusivity(ofModel, ofNodes);
        };
    }
    try
    {
        buoyancy_->liveOn
        (
            lattice_.axes(),
            boundary_,
            fields_->stencils(),
            *solver_,
            lattice_.shared(),
            units_,
            [this]{ watch_->check(1, *units_); },
            nodeSources_->nodes(),
            timeStep_->referenceSpeed(),
            substeps_,
            config_.threads,
            eddies
        );
    }
    catch (const std::invalid_argument& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << "Entry temperatureOn: " << fault.what() << exit(FatalIOError);
    }
    wallHeat_.reset
    (
        new lbmWallHeat
        (
            mesh_,
            [this](const label patchi) { return buoyancy_->onNodes()->heatFlux(patchi); }
        )
    );
    nodeSources_->addAtNodes
    (
        [this](std::vector<double>& forces){ buoyancy_->addAtNodes(forces); },
        [this](const lbm::NodeSet& nodes, std::vector<double>& forces)
        {
            if (!buoyancy_->tellsForces()) return false;
            buoyancy_->forces(nodes, forces);
            return true;
        }
    );
}


void Foam::lbmRun::layOpenings()
{
    // An inlet that swirls in a rotating frame speeds up, more and more, where
    // sound may pass it (SRFSimpleFoam/mixer)
    const bool letOutSound =
        (models_ || viscosity_.guard() > 0 || resolvesEddies()) && !frame_;
    boundary_.setOpeningTypes(lattice_.domain(), controls_, letOutSound);
    if (buoyancy_) boundary_.followForces();
    config_.patches = boundary_.uniform();
    boundary_.connect(lattice_.domain(), config_.lattice);
    spongeZone_.reset
    (
        new lbmSpongeZone
        (
            p_,
            boundary_,
            controls_,
            resolvesEddies(),
            timeStep_->referenceSpeed(),
            lattice_.spacing()
        )
    );
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


std::unique_ptr<lbm::Solver> Foam::lbmRun::makeLinkedSolver()
{
    auto domain = lattice_.shared();
    const auto directions = lbm::latticeDirections(config_.lattice);
    fluidLinks_.reset(new lbmFluidLinks);
    if (zones_)
    {
        zones_->place(*domain, lattice_.axes(), directions, *fluidLinks_);
    }
    sources_.jumps().record
    (
        *domain, lattice_.axes(), directions, *fluidLinks_, boundary_, sketches()
    );
    boundary_.setJumps([this]{ return sources_.jumps().rises(); });

    lbm::Config linked(config_);
    if (fluidLinks_->size())
    {
        fluidLinks_->place(*domain);
        domain = fluidLinks_->domain();
        linked.patches.push_back(lbmFluidLinks::kind());
    }
    else fluidLinks_.reset();
    chooseSteps(*domain, linked);
    config_.storage = linked.storage;
    config_.tile = linked.tile;
    config_.blocks = linked.blocks;
    // With what these links cost, and by the tiles of that storage, planes lie elsewhere
    if (linked.cuts.any()) withCuts
    (
        [&]
        {
            linked.cuts = config_.cuts;
            lbm::expectedMemory(*domain, linked);
        }
    );
    return lbm::makeSolver(domain, linked);
}


void Foam::lbmRun::makeSolver(lbmPhases& phases)
{
    withCuts
    (
        [this]
        {
            lbmMemoryCheck::ofLattice
            (
                controls_, lattice_, config_, cells(), transport_.laws()
            );
        }
    );
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
        if (models_) fields_->keepValues();
    }
    catch (const std::bad_alloc& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << lbmRankFault::words(fault).c_str() << " for "
            << std::to_string(lattice_.domain().fluidNodes()).c_str()
            << " nodes: choose a larger cell size" << exit(FatalIOError);
    }
    catch (const std::invalid_argument& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << fault.what() << cuts_->wayOut().c_str() << exit(FatalIOError);
    }
    catch (const std::runtime_error& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << lbmRankFault::words(fault).c_str() << nl
            << "Entry device is " << word(config_.device)
            << ", the cell size is " << lattice_.spacing()
            << exit(FatalIOError);
    }
    watchChanges();
}


const Foam::scalarField& Foam::lbmRun::presentTemperature()
{
    // T of cells is about to be newer than their U and p
    if (flowBehind_ > 0 && !sound_) sound_ = present();
    return buoyancy_->present();
}


// Fields that OpenFOAM solves for count as its residualControl has it
void Foam::lbmRun::watchSolved()
{
    for (const word& name : mesh_.sortedNames<volScalarField>())
    {
        const bool ofLattice = name == p_.name()
            || (buoyancy_ && name == buoyancy_->p_rgh().name());
        // Which nothing solves for
        const bool found = name == "nut" || name == "alphat";
        const scalar tolerance = steadyToleranceOfModels(name);
        if (ofLattice || found || !(tolerance > 0)) continue;
        const auto now = [this, name]() -> const scalarField&
        {
            return mesh_.lookupObject<volScalarField>(name).primitiveField();
        };
        // Others are found from these, or stay, such as distances from walls; T is buoyancy's
        if (mesh_.lookupObject<volScalarField>(name).readOpt() != IOobject::MUST_READ) continue;
        steadyWatch_->watch({name, tolerance, now, nullptr, false, word::null});
    }
}


// Where an opening's pressure is still on its way, U hardly changes, and p does everywhere
void Foam::lbmRun::watchOpenings()
{
    if (!iterates_ || !boundary_.anyGain()) return;
    const auto now = [this]() -> const scalarField&
    {
        pressureAtOpenings_ = boundary_.pressureBesideGains();
        return pressureAtOpenings_;
    };
    const auto dynamic = [this]{ return 0.5*sqr(timeStep_->referenceSpeed()); };
    const scalar tolerance = steadyTolerance(p_.name());
    steadyWatch_->watch
    (
        {
            "p at openings",
            max(tolerance, steadyAtOpenings),
            now,
            dynamic,
            true,
            "m2/s2"
        }
    );
}


void Foam::lbmRun::watchChanges()
{
    const bool heat = buoyancy_ && buoyancy_->onLattice();
    const auto T = [this]() -> const scalarField& { return presentTemperature(); };
    const auto spread = [this]{ return buoyancy_->spread(); };
    const scalar tolerance = steadyTolerance(U_.name());
    if (tolerance > 0 || iterates_)
    {
        const scalar passage =
            lbmMeshDomain::longestSide(mesh_, lattice_.axes())
           /timeStep_->referenceSpeed();
        steadyWatch_.reset
        (
            new lbmSteadyWatch
            (
                *solver_,
                tolerance > 0 ? tolerance : lbmSteadyWatch::loosest,
                passage,
                boundary_.anyOpening(),
                tolerance > 0
            )
        );
        if (heat) steadyWatch_->watch({"T", steadyTolerance("T"), T, spread, true, "K"});
        watchSolved();
        watchOpenings();
    }
    if (!iterates_ && !demand_.readsResiduals()) return;
    lbmResiduals::temperature ofT;
    if (heat) ofT = {&buoyancy_->T().primitiveField(), T, spread};
    residuals_.reset
    (
        new lbmResiduals
        (
            mesh_,
            lattice_.axes(),
            *solver_,
            U_.name(),
            buoyancy_ ? buoyancy_->p_rgh().name() : p_.name(),
            iterates_ ? tolerance/controls_.iterationsPerPassage() : 0,
            ofT
        )
    );
}


void Foam::lbmRun::setState()
{
    if (!resume_.found())
    {
        lbmStart(controls_, U_, p_, phi_, boundary_, buoyancy_.get()).initialise
        (
            lattice_.axes(), *units_, *solver_, config_.threads
        );
        if (buoyancy_) buoyancy_->layLattice();
        stepOffset_ = -solver_->step();
        solver_->setStateSteps(0);
        return;
    }
    {
        const lbmTrapFreeRegion stateOfThePlan(config_.threads);
        resume_.restore(*solver_, lbmSettings::present(*this));
    }
    boundary_.recall(resume_.notes());
    if (models_)
    {
        models_->recall(resume_.notes(), *solver_, *units_, mostModelSteps());
    }
    if (elastic_) elastic_->recall(resume_.notes());
    if (buoyancy_) buoyancy_->recall(resume_.notes());
    sources_.recall(resume_.notes());
    solver_->setForce
    (
        units_->acceleration(lattice_.axes(), force_.value())
    );
    if (nodeSources_) nodeSources_->recall(resume_.notes(), *solver_);
    if (sponge_) sponge_->recall(resume_.notes());
    if (latticeLaw_)
    {
        latticeLaw_->recall(resume_.notes(), *units_, resume_.file());
    }
    stepOffset_ = resume_.notes().steps - solver_->step();
    lbmConditions::keepPresent(U_);
    lbmConditions::keepPresent(p_);
    if (steadyWatch_) steadyWatch_->recall(resume_.notes());
}
