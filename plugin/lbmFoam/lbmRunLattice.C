// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRun.H"
#include "lbmMemoryCheck.H"
#include "lbmSampledLaw.H"
#include "lbmSketchPlan/lbmSketchPlan.H"
#include "lbmStart.H"
#include "lbmSurfaceWalls.H"
#include "Time.H"
#include "lbm/api/HostMemory.hpp"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/StepChoice.hpp"
#include "lbm/api/TeamSize.hpp"
#include "lbm/api/WallLaw.hpp"

#include <algorithm>

namespace
{
    // Openings that fix velocity and pressure hold back what waves would carry out:
    // OpenFOAM's airFoil2D ran with a guard of 20 and diverged with 300, when freestreams
    // fixed both, too
    const Foam::scalar fixedAtOpenings = 20;

    // Of the grid Reynolds number that a collision bears, with sources by node, which
    // make flows pass their reference speed: OpenFOAM's porousBlockage diverges below
    // it. Elsewhere trt is kept as long as streams are calm with it, since it is the nearer
    // one to finite volume's results in narrow vessels (tutorials/aneurysm)
    const Foam::scalar comfortable = 0.5;

    // Grid Reynolds number up to which trt is kept where an opening has fewer nodes across and
    // there are walls: streams from one opening to another of 4 nodes turn unstable at 16, of
    // 5 at 18, of 6 to 8 at 25 to 29, of 10 not below what trt bears
    const Foam::scalar fewAcross = 10;
    const Foam::scalar trtBetweenOpenings = 14;

    // Likewise regularized: a step behind an inlet of 6 nodes was never steady at 42
    const Foam::scalar regularizedBetweenOpenings = 30;

    // Likewise cumulants of D3Q27: square ducts of 6 nodes are calm at 38 and swing at 50 for
    // good, of 4 they swing at 80
    const Foam::scalar cumulantBetweenOpenings = 40;

    // The same of trt where static pressures drive: what such an opening lets in has the
    // velocity of the nodes inside, its part along the opening, too, which grows from row to
    // row from 8 on
    const Foam::scalar trtBehindStatic = 5;

    // Of the node spacing: what is finer by less is not worth another lattice
    const Foam::scalar enoughOfFaces = 0.9;

    // Limits of the magic number of exact walls are those of two dimensions: by so much
    // sooner they are reached in three
    const Foam::scalar soonerInSpace = 1.5;

    // In wall units: below, the fluid sticks to walls with a law by links
    // (lbm/api/WallLaw.hpp)
    const Foam::scalar viscous = 11.5;

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

    // Models on the mesh: k and epsilon, which a step of a stair here and there keeps in
    // motion, go on changing by 3 % in the time of a passage when U has come to rest
    // (pitzDaily), for good
    const Foam::scalar loosestOfModels = 0.1;

    // Axis along which an opening is narrow: not that of its normals, nor the longest
    Foam::direction narrowAxis(const Foam::fvPatch& patch, const Foam::Vector<Foam::label>& directions)
    {
        const Foam::vector normal(Foam::cmptMag(Foam::sum(patch.Sf())));
        const Foam::vector span(Foam::boundBox(patch.patch().localPoints(), false).span());
        const Foam::direction through = normal.x() >= Foam::max(normal.y(), normal.z()) ? 0
          : normal.y() >= normal.z() ? 1 : 2;
        Foam::direction narrow = through;
        for (Foam::direction d = 0; d < 3; ++d)
        {
            if (d == through || directions[d] < 0) continue;
            if (narrow == through || span[d] < span[narrow]) narrow = d;
        }
        return narrow;
    }

    // Mean extent of the faces
    Foam::scalar extent(const Foam::fvPatch& patch, const Foam::direction axis)
    {
        Foam::scalar all = 0;
        for (const Foam::face& face : patch.patch().localFaces())
        {
            const Foam::boundBox box(patch.patch().localPoints(), face, false);
            all += box.span()[axis];
        }
        return all/patch.size();
    }
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
    if (buoyancy_ && buoyancy_->onLattice())
    {
        const lbm::KernelRow& row = lbm::findKernel(config_);
        const auto bytes = [&](const bool onDevice)
        {
            return lbmLatticeTemperature::bytesPerNode
            (
                lattice_.axes().dimensions(), row.precision, onDevice, transport_.modelOnMesh()
            );
        };
        of.ofScalar = bytes
        (
            !lbm::isOnHost(row) && lbm::partsOf(config_) == 1 && lbm::ranks() == 1 && !zones_
        );
        of.ofHostScalar = bytes(false).host;
    }
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
        lbmStart(controls_, U_, p_, phi_, boundary_, buoyancy_.get()).doubt(driven);
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


Foam::scalar Foam::lbmRun::residualControl(const word& field) const
{
    const dictionary& residuals =
        mesh_.solutionDict().subOrEmptyDict("SIMPLE")
       .subOrEmptyDict("residualControl");
    const entry* own = residuals.findEntry(field, keyType::REGEX);
    if (!own || own->isDict()) return 0;
    // OpenFOAM's is the change in an iteration
    return controls_.iterationsPerPassage()*residuals.get<scalar>(field);
}


Foam::scalar Foam::lbmRun::steadyTolerance(const word& field) const
{
    if (controls_.steadyTolerance() > 0 || !iterates_)
    {
        return controls_.steadyTolerance();
    }
    const scalar own = residualControl(field);
    return min(lbmSteadyWatch::loosest, own > 0 ? own : residualControl(U_.name()));
}


Foam::scalar Foam::lbmRun::steadyToleranceOfModels(const word& field) const
{
    const scalar own = residualControl(field);
    if (controls_.steadyTolerance() > 0 || !iterates_ || !(own > 0)) return 0;
    return boundary_.anyOpening() ? loosestOfModels : min(loosestOfModels, own);
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
        if (kind.is == lbmPatchKind::role::velocityAndPressure && !kind.freestream)
        {
            return min(guard, fixedAtOpenings);
        }
    }
    return guard;
}


// There the slip follows from what nodes' own stress is, which is to be the model's alone
bool Foam::lbmRun::slipsBesideThickCells() const
{
    bool thick = false;
    forAll(boundary_.kinds(), patchi)
    {
        if (!boundary_.kinds()[patchi].slips) continue;
        const fvPatch& patch = mesh_.boundary()[patchi];
        thick = thick
            || lbmSampledLaw::thin(patch, lattice_.spacing()).found(false);
    }
    return returnReduce(thick, orOp<bool>());
}


std::string Foam::lbmRun::noted(const char* setting) const
{
    return resume_.found() ? lbmSettings::noted(resume_.notes(), setting) : std::string();
}


// By what the fields, and the programs, were when the case began
void Foam::lbmRun::takeNotedCollision()
{
    lbm::Config other(config_);
    const bool chosen = controls_.chooseAgainstRings(other, noted("sigma"))
        && noted("collision") == other.collision;
    if (chosen) config_ = other;
}


void Foam::lbmRun::settleModels(const scalar speed)
{
    if (!controls_.collisionIsFree() || slipsBesideThickCells()) return;
    for (const lbmPatchKind& kind : boundary_.kinds())
    {
        // What the flow turns to is not around its nodes
        if (kind.is == lbmPatchKind::role::turn) return;
    }
    if (resume_.found())
    {
        takeNotedCollision();
        return;
    }
    const scalar borne = lbmSafety::guardedBelow(config_.collision, around());
    const scalar share =
        models_->shareAbove(borne, speed, lattice_.spacing());
    const word before(config_.collision);
    // Rings across channels grow in two dimensions from grid Reynolds numbers of 60 on,
    // which a model that begins with more viscosity than it will have does not tell of
    const bool flat = lattice_.axes().dimensions() == 2;
    const bool chosen = flat ? controls_.chooseAgainstRings(config_)
      : share >= mostly && controls_.chooseForStream(config_);
    if (!chosen) return;
    if (share < mostly) Info<< "In two dimensions";
    else
    {
        Info<< "In " << 100*share << " % of the volume the model's initial viscosity"
            << " leaves grid Reynolds numbers above " << borne;
    }
    Info<< ": collision " << config_.collision.c_str() << ", sigma " << config_.sigma
        << ", in place of " << before << " (entries of system/lbmDict)" << nl;
}


void Foam::lbmRun::settleLattice(const scalar speed)
{
    if (models_)
    {
        settleModels(speed);
        return;
    }
    const scalar ofMesh = lattice_.spacing();
    resolveOpenings();
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
    const bool laminar = !viscosity_.eddies();
    const bool few = laminar && streamsBetweenFew();
    // Pressures may be alike when a run goes on
    const bool pushed = laminar && !buoyancy_
     && (resume_.found() ? beganWith("hybridRegularized") : boundary_.drivingStatic() >= 0);
    const scalar rings =
        beganWith("trt") || config_.collision != "trt" ? GREAT
      : pushed ? trtBehindStatic : few ? trtBetweenOpenings : GREAT;
    const scalar borne =
        min((sources_.byNode() ? comfortable : 1)*limit(), rings);
    if (controls_.collisionIsFree() && re > borne)
    {
        const word before(config_.collision);
        controls_.chooseRobust(config_, dimensions);
        const bool swings =
            pushed || (few && dimensions == 3 && re > cumulantBetweenOpenings);
        if (swings && !beganWith(config_.collision))
        {
            controls_.chooseCalm(config_, dimensions, noted("sigma"));
        }
        if (before != config_.collision)
        {
            Info<< "Grid Reynolds number " << re << ": collision "
                << config_.collision.c_str() << " in place of " << before
                << " (entry collision of system/lbmDict)" << nl;
        }
    }
    if (boundary_.slips() && controls_.collisionIsFree())
    {
        controls_.chooseBesideLaw(config_, dimensions);
    }
    if (viscosity_.eddies())
    {
        guardEddies(re);
        return;
    }
    if (re <= limit())
    {
        settleStream(re);
        return;
    }

    const scalar widest = dx*belowLimit*limit()/re;
    const scalar cost = pow(ofMesh/widest, scalar(dimensions + 1));
    if (!controls_.spacingIsFree() || cost > dearest || !lattice_.refine(widest))
    {
        guardFluid(re);
        return;
    }
    Info<< "Grid Reynolds number " << re << " passes " << limit()
        << ", what collision " << config_.collision.c_str()
        << " bears: cells of the lattice are " << lattice_.spacing()
        << " m wide, not " << dx << " m (entry cellSize of"
        << " system/lbmDict)" << nl;
    settleStream(gridReynolds(lattice_.spacing()));
}


Foam::lbmRun::passage Foam::lbmRun::narrowestOpening() const
{
    const Vector<label>& directions = mesh_.geometricD();
    scalar depth = 1;
    for (direction d = 0; d < vector::nComponents; ++d)
    {
        if (directions[d] < 0) depth = mesh_.bounds().span()[d];
    }
    passage narrowest{GREAT, GREAT};
    forAll(boundary_.kinds(), patchi)
    {
        const fvPatch& patch = mesh_.boundary()[patchi];
        if (!boundary_.kinds()[patchi].opening() || patch.size() == 0) continue;
        const boundBox box(patch.patch().localPoints(), false);
        const bool flat = lattice_.axes().dimensions() == 2;
        const scalar area = sum(patch.magSf());
        const scalar width = area/(flat ? depth : cmptMax(box.span()));
        const scalar ofFace = extent(patch, narrowAxis(patch, directions));
        // Of openings alike the one with the finer faces
        const bool alike = mag(width - narrowest.width) <= 1e-6*width;
        if (alike ? ofFace < narrowest.ofFace : width < narrowest.width)
        {
            narrowest = passage{width, ofFace};
        }
    }
    return narrowest;
}


void Foam::lbmRun::resolveOpenings()
{
    if (!controls_.spacingIsFree() || viscosity_.eddies()) return;
    const scalar dx = lattice_.spacing();
    // A run goes on with the lattice that it began with
    if (resume_.found() && !resume_.notes().numbers.count(lbmCheckpoint::openingsNote)) return;
    const passage narrowest = narrowestOpening();
    const scalar finest = dx/pow(dearest, 1.0/(lattice_.axes().dimensions() + 1));
    const scalar widest =
        max(finest, max(narrowest.ofFace, narrowest.width/fewAcross));
    if (widest > enoughOfFaces*dx || !lattice_.refineBesideWalls(widest)) return;
    openingsResolved_ = true;
    Info<< "The narrowest opening has faces of " << narrowest.ofFace << " m, and "
        << narrowest.width/dx << " nodes across: cells of the lattice are "
        << lattice_.spacing() << " m wide, not " << dx << " m (entry cellSize of"
        << " system/lbmDict)" << nl;
}


bool Foam::lbmRun::beganWith(const std::string& collision) const
{
    return noted("collision") == collision;
}


bool Foam::lbmRun::streamsBetweenFew() const
{
    const List<lbmPatchKind>& kinds = boundary_.kinds();
    const bool walls = std::any_of
    (
        kinds.begin(), kinds.end(), [](const lbmPatchKind& kind){ return kind.anyWall(); }
    );
    return walls
        && narrowestOpening().width < fewAcross*lattice_.spacing();
}


void Foam::lbmRun::settleStream(const scalar gridReynolds)
{
    // Closed cavities have no stream to ring across
    if (!controls_.collisionIsFree() || around() == lbmSafety::surroundings::movingWalls) return;
    const scalar borne = min
    (
        lbmSafety::guardedBelow(config_.collision, around()),
        streamsBetweenFew() ? regularizedBetweenOpenings : GREAT
    );
    const word before(config_.collision);
    if (gridReynolds <= borne) return;
    if (resume_.found())
    {
        takeNotedCollision();
        return;
    }
    if (!controls_.chooseAgainstRings(config_)) return;
    Info<< "Grid Reynolds number " << gridReynolds << ": collision "
        << config_.collision.c_str() << ", sigma " << config_.sigma << ", in place of "
        << before << ", with which streams ring above " << borne
        << " (entries of system/lbmDict)" << nl;
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
    const scalar from = lbmSafety::guardedBelow(config_.collision, around());
    if (gridReynolds <= from) return;
    const scalar most =
        boundary_.wallsHaveLaws()
      ? lbmSafety::guardedBesideLaws(config_.collision, around()) : from;
    viscosity_.guardBelow(most);
    if (gridReynolds <= most) return;
    Info<< "Grid Reynolds number " << gridReynolds << ": collision "
        << config_.collision.c_str() << " bears " << most
        << "; where eddies leave more, viscosity is raised (in field nut; the log"
        << " tells the share)" << nl;
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
    choosePrecision();
    fitLattice();
    setUnits(speed);
}


// As near to simpleFoam as double, in less time (pitzDaily and others,
// tests/census/results.md). With temperature nobody has looked
void Foam::lbmRun::choosePrecision()
{
    if (!iterates_ || !transport_.turbulenceOnMesh() || buoyancy_) return;
    // Runs go on as they began
    if (resume_.found() && lbmSettings::noted(resume_.notes(), "precision") != "float") return;
    if (!controls_.chooseFloat(config_)) return;
    Info<< "A steady case with a model of turbulence: single precision (entry precision of"
        << " system/lbmDict)" << nl;
}


void Foam::lbmRun::takeLattice()
{
    boundary_.placeWalls(lattice_.domain(), controls_);
    config_.patches = boundary_.uniform();
    // Now it is known whether links meet walls
    if (units_) setMagic();
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
                    counts,
                    lbm::findKernel(config_),
                    config_,
                    of,
                    transport_.laws()
                );
            }
        )
    );
    const scalar sketched = lattice_.sketch
    (
        config_,
        boundary_.preferredWalls(),
        boundary_.mirrors(),
        slipPatches(),
        lbmMeshDomain::smallSketch
    );
    takeLattice();
    fit_->choose(lbmMemoryCheck::counts(lattice_.domain(), config_), sketched);
    lattice_.setSpacing(fit_->spacing());
    fittedKernel_ = lbm::name(lbm::findKernel(config_));
}


// Where half a spacing is expected in the viscous layer the fluid sticks to a law by links,
// and goes past edges as it does past those of other walls
std::vector<bool> Foam::lbmRun::slipPatches() const
{
    std::vector<bool> slips(boundary_.slipPatches());
    const scalar speed = timeStep_ ? timeStep_->referenceSpeed() : 0;
    const scalar dx = lattice_.spacing(), nu = viscosity_.least(dx);
    for (const lbmLatticeLaw::wall& w : transport_.laws())
    {
        if (!(speed > 0 && nu > 0)) continue;
        const scalar friction = lbm::frictionVelocity
        (
            speed, lbm::WallLaw::away*dx, nu, w.kappa, w.E
        );
        if (0.5*dx*friction/nu < viscous) slips[w.patchi] = false;
    }
    return slips;
}


void Foam::lbmRun::layLattice()
{
    for (;;)
    {
        lattice_.build
        (
            config_,
            boundary_.preferredWalls(),
            boundary_.mirrors(),
            slipPatches()
        );
        takeLattice();
        const bool fits = !fit_
         || !fit_->correct(lbmMemoryCheck::counts(lattice_.domain(), config_));
        if (fits) break;
        lattice_.setSpacing(fit_->spacing());
        setUnits(timeStep_->referenceSpeed());
    }
    checkSpacing();
}


bool Foam::lbmRun::resolvesEddies() const
{
    if (iterates_) return false;
    return models_
      ? bool(isA<incompressible::LESModel>(models_->turbulence()))
      : viscosity_.eddies() && !viscosity_.onlyGuarded();
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
        lattice_.sketch
        (
            config_,
            boundary_.preferredWalls(),
            boundary_.mirrors(),
            slipPatches(),
            nodes
        );
        takeLattice();
        return lattice_.shared();
    };
    const auto coarse = sketch(sketchNodes_/coarserNodes);
    const auto fine = sketch(sketchNodes_);
    return withCuts([&]{ return lbmSketch(lattice_, config_, coarse, fine); });
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
            << refused.what() << cuts_->wayOut().c_str() << exit(FatalIOError);
    }
    catch (const std::runtime_error& failed)    // a device that is not here
    {
        fault = failed.what();
    }
    const lbmSketchPlan plan(*this, *sketch, solver.get(), fault);
    plan.print();
    plan.check();
}


bool Foam::lbmRun::takesOddSteps() const
{
    // Conditions of steady cases change once in a passage or never
    if (iterates_ || controls_.deltaT() > 0) return false;
    if (!resume_.found()) return true;
    // A run goes on with the steps that it began with
    return resume_.notes().numbers.count(lbmCheckpoint::oddStepsNote);
}


void Foam::lbmRun::setUnits(const scalar speed)
{
    timeStep_.reset
    (
        new lbmTimeStep(controls_, lattice_.spacing(), viscosity_, speed)
    );
    if (buoyancy_ && buoyancy_->onLattice()) timeStep_->inGroups();
    const scalar deltaT = timeStepSeconds();
    if (takesOddSteps()) timeStep_->inOddNumbers();
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
    setMagic();
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


void Foam::lbmRun::setMagic()
{
    config_.magic = resume_.found() && !controls_.dict().found("magic")
      ? resume_.number("magic") : magic(*units_);
}


// Where links meet walls no magic number puts these exactly, and with the one of half-way
// walls a closed journal bearing at a grid Reynolds number of 12.8 swung with sound that did
// not decay. In three dimensions a jet into a cross stream diverged with it at 10
Foam::scalar Foam::lbmRun::magic(const lbmUnits& units) const
{
    bool meets = false;
    for (const lbmPatchKind& kind : boundary_.kinds())
    {
        meets = meets || (kind.anyWall() && kind.interpolated);
    }
    if (!boundary_.anyOpening() && !meets) return controls_.magic(units.tau(), 0);
    const scalar least = units.viscosity().least(units.dx());
    const scalar gridReynolds = timeStep_->referenceSpeed()*units.dx()/least;
    const bool solid = lattice_.axes().dimensions() == 3;
    return controls_.magic(units.tau(), solid ? soonerInSpace*gridReynolds : gridReynolds);
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


Foam::scalar Foam::lbmRun::timeStepsLeft() const
{
    // Nothing is left where the latest time is the end
    const scalar left = runTime_.endTime().value() - runTime_.value();
    return round(max(left, 0.0)/runTime_.deltaTValue());
}


bool Foam::lbmRun::recallSteps(lbm::Config& config) const
{
    if (!resume_.found()) return false;
    const lbm::CheckpointNotes& notes = resume_.notes();
    const auto blocks = notes.texts.find(lbmCheckpoint::blocksNote);
    const auto storage = notes.texts.find(lbmCheckpoint::storageNote);
    if (blocks == notes.texts.end() || storage == notes.texts.end()) return false;
    if (lbmSettings::noted(notes, "device") != lbm::findKernel(config).device)
    {
        return false;
    }

    lbm::Config other(config);
    if (controls_.storageIsFree() && storage->second != other.storage)
    {
        other.storage = storage->second;
        if (!controls_.dict().found("tile")) other.tile.clear();
    }
    if (controls_.blocksAreFree()) other.blocks = blocks->second == "yes";
    try
    {
        lbm::findKernel(other);
    }
    catch (const lbm::UnknownKernel&)       // other entries were changed
    {
        return false;
    }
    config = other;
    return true;
}


void Foam::lbmRun::chooseSteps(const lbm::Domain& domain, lbm::Config& config)
{
    const bool free = controls_.blocksAreFree();
    const bool anyStorage =
        controls_.storageIsFree() && !controls_.dict().found("tile");
    // Runs go on as they began: blocks round sums otherwise
    const bool recalled = recallSteps(config);
    if (!recalled && free)
    {
        lbm::StepWish wish;
        wish.steps = timeStepsLeft()*substeps_;
        wish.together =
            transport_.laws().size()
          ? min(substeps_, lbmLatticeLaw::interval - 1) : substeps_;
        wish.storage = anyStorage;
        const lbm::StepChoice choice(lbm::chooseSteps(domain, config, wish));
        const auto fitsInMemory = [&]
        {
            const lbm::MemoryUse use(lbm::expectedMemory(domain, choice.config));
            return scalar(use.populations + use.geometry) < scalar(lbm::availableMemory());
        };
        const bool fits = !choice.config.blocks || fitsInMemory();
        steps_ = choice.reason;
        if (fits) config = choice.config;
        else steps_ = "step by step, blocks need more memory than is there: " + steps_;
        return;
    }
    if (!recalled && config.blocks && anyStorage && lbm::blocksObstacle(domain, config).size())
    {
        lbm::Config moments(config);
        moments.storage = "moments";
        moments.tile.clear();
        for (const lbm::KernelRow& row : lbm::model::storagesFor(moments))
        {
            if (row.storage != moments.storage) continue;
            if (lbm::blocksObstacle(domain, moments).empty()) config = moments;
        }
    }
    if (!config.blocks) return;

    const std::string obstacle(lbm::blocksObstacle(domain, config));
    steps_ = obstacle.size() ? "step by step: " + obstacle
      : "in blocks, as " + std::string(free ? "the run began" : "system/lbmDict asks for");
}


void Foam::lbmRun::watchBlocks()
{
    if (!progress_.inPasses() || solver_->stepsOfPass() > 1) return;
    Info<< "Conditions became such that blocks cannot have them: steps are made one by"
        << " one from now on" << endl;
    progress_.tellAny();
}


void Foam::lbmRun::checkSpacing() const
{
    const auto* walls = lbmSurfaceWalls::of(mesh_);
    if (walls) walls->check(lattice_.spacing());
}
