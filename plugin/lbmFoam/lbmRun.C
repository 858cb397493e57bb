// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRun.H"
#include "lbmInitialState.H"
#include "lbmPlan.H"
#include "lbmStartFlow.H"
#include "lbmStopSignal.H"
#include "lbmTrapFreeRegion.H"
#include "findRefCell.H"
#include "linear.H"
#include "Time.H"

namespace
{
    // Nodes looked at per lattice update: one costs as much as a few updates
    const Foam::scalar watchShare = 0.002;

    // Share of the imposed flow up to which an initial U counts as one that a
    // solver wrote
    const Foam::scalar smallMisfit = 0.5;
}


Foam::lbmRun::lbmRun(Time& runTime, fvMesh& mesh)
:
    runTime_(runTime),
    mesh_(mesh),
    controls_(runTime),
    transportProperties_
    (
        IOobject
        (
            "transportProperties",
            runTime.constant(),
            mesh,
            IOobject::MUST_READ,
            IOobject::NO_WRITE
        )
    ),
    nu_(readViscosity()),
    lattice_(mesh, controls_),
    config_(controls_.config(lattice_.axes().dimensions())),
    U_
    (
        IOobject
        (
            "U",
            runTime.timeName(),
            mesh,
            IOobject::MUST_READ,
            IOobject::AUTO_WRITE
        ),
        mesh
    ),
    p_
    (
        IOobject
        (
            "p",
            runTime.timeName(),
            mesh,
            IOobject::MUST_READ,
            IOobject::AUTO_WRITE
        ),
        mesh
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
    boundary_(U_, p_, phi_, lattice_.axes()),
    force_(U_, controls_.force()),
    substeps_(0),
    demand_(runTime),
    refCell_(-1),
    refValue_(0),
    advanceSeconds_(0),
    stepsDone_(0)
{
    refuseTurbulence();
    checkMemory(lattice_.expectedNodes(), "the mesh");
    findReference();
    chooseTimeStep();

    lattice_.build(config_, boundary_.restingWalls());
    boundary_.placeWalls(lattice_.domain(), controls_);
    boundary_.calmOpenings(lattice_.domain(), controls_);
    config_.patches = boundary_.uniform();
    boundary_.connect(lattice_.domain(), config_.lattice);

    makeSolver();
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
            units_
        )
    );
    lbmPlan(*this).print();
    initialise();
}


Foam::scalar Foam::lbmRun::readViscosity() const
{
    const word model
    (
        transportProperties_.getOrDefault<word>("transportModel", "Newtonian")
    );
    if (model != "Newtonian")
    {
        FatalIOErrorInFunction(transportProperties_)
            << "Entry transportModel is " << model
            << "; lbmFoam supports Newtonian only" << exit(FatalIOError);
    }

    const scalar nu =
        dimensionedScalar("nu", dimViscosity, transportProperties_).value();
    if (nu <= 0)
    {
        FatalIOErrorInFunction(transportProperties_)
            << "Entry nu is " << nu << "; it must be positive,"
            << " or else tau <= 0.5" << exit(FatalIOError);
    }
    return nu;
}


void Foam::lbmRun::refuseTurbulence() const
{
    const IOdictionary properties
    (
        IOobject
        (
            "turbulenceProperties",
            runTime_.constant(),
            mesh_,
            IOobject::READ_IF_PRESENT,
            IOobject::NO_WRITE,
            false
        )
    );
    const word type
    (
        properties.getOrDefault<word>("simulationType", "laminar")
    );
    const word model
    (
        properties.subOrEmptyDict("laminar").getOrDefault<word>
        (
            "laminarModel", "Stokes"
        )
    );
    if (type != "laminar" || model != "Stokes")
    {
        FatalIOErrorInFunction(properties)
            << "Entry " << (type != "laminar" ? "simulationType" : "laminarModel")
            << " is " << (type != "laminar" ? type : model)
            << "; lbmFoam supports laminar flow of Newtonian fluids only"
            << exit(FatalIOError);
    }
}


void Foam::lbmRun::findReference()
{
    if (!boundary_.floatingPressure()) return;

    // As finite-volume solvers do, from the control of the case's own algorithm
    for (const word name : {"PISO", "PIMPLE", "SIMPLE"})
    {
        const dictionary control(mesh_.solutionDict().subOrEmptyDict(name));
        if (control.found("pRefCell") || control.found("pRefPoint"))
        {
            setRefCell(p_, control, refCell_, refValue_);
            return;
        }
    }
    refCell_ = 0;
}


Foam::scalar Foam::lbmRun::pressureLevel() const
{
    scalar sum = 0, area = 0;
    forAll(boundary_.kinds(), patchi)
    {
        if (!boundary_.kinds()[patchi].fixesPressure()) continue;
        const scalarField& magSf = mesh_.boundary()[patchi].magSf();
        sum += Foam::sum(p_.boundaryField()[patchi]*magSf);
        area += Foam::sum(magSf);
    }
    return area > 0 ? sum/area : average(p_.primitiveField());
}


void Foam::lbmRun::chooseTimeStep()
{
    timeStep_.reset
    (
        new lbmTimeStep
        (
            controls_,
            lattice_.spacing(),
            nu_,
            lbmTimeStep::speedOf(controls_, runTime_, U_, p_, boundary_)
        )
    );
    const scalar deltaT = runTime_.deltaTValue();
    substeps_ = timeStep_->steps(deltaT);
    const scalar dt = deltaT/substeps_;
    timeStep_->check(dt);
    units_.reset(new lbmUnits(lattice_.spacing(), dt, nu_, pressureLevel()));
    config_.tau = units_->tau();
    config_.magic = controls_.magic(config_.tau);
    config_.force =
        units_->acceleration(lattice_.axes(), force_.value());
    config_.patches = boundary_.uniform();
}


void Foam::lbmRun::checkMemory(const scalar nodes, const char* what) const
{
    const scalar bitsPerByte = 8;
    const scalar available = lbmPlan::availableMemory();
    // Counted for a million nodes: the bytes of a mistyped cell size pass
    // every whole number
    const scalar million = 1e6;
    const lbm::KernelRow& kernel = lbm::findKernel(config_);
    // Another device has its own memory, and says itself when it is too small
    const scalar perMillion =
        kernel.device == "cpu"
      ? scalar(lbm::populationBytes(kernel, million))
      : 0;
    const scalar needed =
        nodes/million*perMillion + lattice_.boxNodes()/bitsPerByte;

    if (needed > available)
    {
        FatalIOErrorInFunction(controls_.dict())
            << "About " << nodes << " nodes in " << what << " need "
            << needed/1e9 << " GB of memory; " << available/1e9
            << " GB are available" << nl
            << "Entry "
            << (controls_.spacingIsFree() ? "cellSize"
                                          : controls_.spacingEntry())
            << ": the cell size is " << lattice_.spacing() << ", try "
            << lattice_.spacing()
              *pow(needed/available, 1.0/lattice_.axes().dimensions())
            << " or more" << exit(FatalIOError);
    }
}


void Foam::lbmRun::makeSolver()
{
    checkMemory(scalar(lattice_.domain().fluidNodes()), "the lattice");
    try
    {
        solver_ = lbm::makeSolver(lattice_.shared(), config_);
    }
    catch (const std::bad_alloc&)
    {
        FatalIOErrorInFunction(controls_.dict())
            << "Not enough memory for "
            << label(lattice_.domain().fluidNodes())
            << " nodes: choose a larger cell size" << exit(FatalIOError);
    }
    catch (const std::invalid_argument& fault)
    {
        FatalIOErrorInFunction(controls_.dict())
            << fault.what() << exit(FatalIOError);
    }
    fields_.reset
    (
        new lbmFields
        (
            mesh_,
            lattice_.domain(),
            lattice_.axes(),
            boundary_,
            lbm::latticeDirections(config_.lattice)
        )
    );
    watch_.reset
    (
        new lbmWatch(mesh_, lattice_.axes(), *solver_, config_.threads)
    );
    const scalar tolerance = controls_.steadyTolerance();
    if (tolerance > 0)
    {
        const scalar passage =
            lbmMeshDomain::longestSide(mesh_, lattice_.axes())
           /timeStep_->referenceSpeed();
        steadyWatch_.reset(new lbmSteadyWatch(*solver_, tolerance, passage));
    }
}


void Foam::lbmRun::settleStart()
{
    using type = lbmControls::startFlowType;

    const type wanted = controls_.startFlow();
    if (wanted == type::given) return;

    // The file may hold other values than the conditions give
    boundary_.evaluate();
    phi_ = linearInterpolate(U_) & mesh_.Sf();

    lbmStartFlow start(U_, p_, phi_, boundary_.kinds());
    const scalar misfit = start.misfit();
    Info<< "Initial U: misses " << 100*misfit
        << " % of the flow that patches impose" << nl;
    if (wanted == type::automatic && misfit <= smallMisfit) return;

    if (!start.solvable())
    {
        FatalIOErrorInFunction(dictionary(fileName(U_.objectPath())))
            << "The patches' flow into the domain and out of it differ, and none"
            << " of them can adapt" << exit(FatalIOError);
    }
    Info<< "    made free of divergence, p to match (startFlow in lbmDict)" << nl;
    start.project();
    start.balancePressure();
}


void Foam::lbmRun::initialise()
{
    settleStart();
    lbmInitialState(U_, p_, lattice_.axes(), *units_, *solver_).apply();
    watch_->start();
}


void Foam::lbmRun::changeTimeStep()
{
    const scalar deltaT = runTime_.deltaTValue();
    const label n = timeStep_->steps(deltaT);
    const scalar dt = deltaT/n;
    substeps_ = n;
    if (mag(dt - units_->dt()) <= SMALL*dt) return;

    timeStep_->check(dt);
    const lbmUnits next(units_->dx(), dt, nu_, units_->pOffset());
    const lbm::Domain& domain = lattice_.domain();

    // Populations belong to their units: carry hydrodynamic states over. At
    // tau = 1 they come without strain; viscous stress is then lost for the one
    // lattice step that such populations remember.
    std::vector<lbm::NodeIndex> nodes;
    for (lbm::NodeIndex i = 0; i < domain.nodes(); ++i)
    {
        if (domain.fluid[i]) nodes.push_back(i);
    }
    std::vector<lbm::Macroscopic> states(nodes.size());
    solver_->sample(nodes.data(), nodes.size(), states.data());
    for (lbm::Macroscopic& state : states)
    {
        state = units_->convert(state, next);
    }
    solver_->setRelaxationTime(next.tau());
    solver_->initialise(nodes.data(), nodes.size(), states.data());
    *units_ = next;
    boundary_.forget();

    Info<< "deltaT = " << deltaT << ": " << substeps_ << " lattice steps of "
        << dt << ", tau = " << next.tau() << endl;
}


void Foam::lbmRun::updateConditions()
{
    if (boundary_.anyOpening())
    {
        fields_->sample
        (
            *solver_, *units_, boundary_.openingCells(), U_, p_
        );
    }
    boundary_.update(*solver_, *units_);
    solver_->setForce
    (
        units_->acceleration(lattice_.axes(), force_.value())
    );
}


void Foam::lbmRun::advance()
{
    const lbmTrapFreeRegion diagnosedLater(config_.threads);
    const auto start = std::chrono::steady_clock::now();
    solver_->advance(substeps_);
    const auto end = std::chrono::steady_clock::now();
    advanceSeconds_ += std::chrono::duration<scalar>(end - start).count();
}


void Foam::lbmRun::bringFields()
{
    fields_->sample(*solver_, *units_, U_, p_);
    boundary_.evaluate();
    if (refCell_ >= 0)
    {
        p_ += dimensionedScalar("shift", p_.dimensions(), refValue_ - p_[refCell_]);
    }
    phi_ = linearInterpolate(U_) & mesh_.Sf();
}


Foam::label Foam::lbmRun::sparseStride() const
{
    return max(label(1), label(ceil(1/(watchShare*substeps_))));
}


void Foam::lbmRun::report() const
{
    const lbm::Health& health = watch_->last();
    const scalar elapsed = std::chrono::duration<scalar>
    (
        std::chrono::steady_clock::now() - loopStart_
    ).count();
    const scalar updates =
        scalar(solver_->tiling().fluidNodes)*substeps_*stepsDone_;
    const scalar stepsLeft = mag
    (
        round
        (
            (runTime_.endTime().value() - runTime_.value())
           /runTime_.deltaTValue()
        )
    );

    Info<< "lattice: " << substeps_ << " steps, max|U| = "
        << health.maxSpeed*units_->dx()/units_->dt()
        << ", Ma = " << health.maxSpeed/lbmUnits::soundSpeed
        << ", density " << health.minDensity << " .. " << health.maxDensity
        << nl;
    if (boundary_.anyOpening())
    {
        const scalar in = boundary_.inflow();
        const scalar out = boundary_.outflow();
        Info<< "mass balance: in " << in << ", out " << out
            << ", relative error " << (out - in)/max(max(in, out), VSMALL)
            << nl;
    }
    else if (watch_->sawAll())
    {
        // Nothing enters or leaves: what interpolated walls and rounding make
        Info<< "mass drift: " << watch_->massDrift()
            << " of the fluid since the start" << nl;
    }
    runTime_.printExecutionTime(Info);
    Info<< "MLUPS = " << updates/1e6/max(advanceSeconds_, VSMALL)
        << "  in advance = " << 100*advanceSeconds_/max(elapsed, VSMALL)
        << " %  time left = " << elapsed/stepsDone_*stepsLeft << " s" << nl
        << endl;
}


Foam::string Foam::lbmRun::reasonToStop()
{
    if (lbmStopSignal::received()) return lbmStopSignal::name() + ": stopping";
    if (steadyWatch_ && steadyWatch_->steady(runTime_.value(), *units_))
    {
        return "The flow is steady: stopping";
    }
    return string();
}


void Foam::lbmRun::loop()
{
    lbmStopSignal::watch();
    Info<< "\nStarting time loop\n" << endl;

    loopStart_ = std::chrono::steady_clock::now();
    updateConditions();
    while (runTime_.run())
    {
        ++runTime_;
        Info<< "Time = " << runTime_.timeName() << nl << endl;

        changeTimeStep();
        updateConditions();
        advance();
        ++stepsDone_;

        const bool wanted = demand_.now() || runTime_.writeTime();
        if (wanted || runTime_.timeIndex() % controls_.checkEvery() == 0)
        {
            watch_->check(wanted ? 1 : sparseStride(), *units_);
        }
        const string reason(reasonToStop());
        const bool stop = !reason.empty();
        if (stop && !wanted) watch_->check(1, *units_);
        if (stop || wanted) bringFields();

        report();
        if (stop)
        {
            Info<< reason.c_str() << " after time " << runTime_.timeName()
                << ", state written" << nl << endl;
            runTime_.writeAndEnd();
        }
        else
        {
            runTime_.write();
        }
    }
}
