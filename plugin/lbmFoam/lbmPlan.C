// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPlan.H"
#include "lbmMemoryCheck.H"
#include "lbmRankFault.H"
#include "lbmRun.H"
#include "lbmReplacedWalls.H"
#include "lbmSurfaceWalls.H"
#include "lbmTrapFreeRegion.H"
#include "lbmTurbulencePlan/lbmTurbulencePlan.H"
#include "inletOutletFvPatchFields.H"
#include "Time.H"
#include "lbm/api/HostMemory.hpp"
#include "lbm/api/Ranks.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace
{
    // The measurement takes about this long
    const double measuredSeconds = 0.3;
    // Of all steps of a run: short ones would last twice as long otherwise
    const double measuredShare = 0.05;
    const int warmUpSteps = 2;

    // Relative, of sums
    const Foam::scalar sameVolume = 1e-9;

    // A layer at a wall has this many nodes where it is resolved, and is so
    // many times sqrt(nu x/U) thick (Blasius 1908). Bodies are no fewer
    // nodes long
    const Foam::scalar layerNodes = 4;
    const Foam::scalar layerWidth = 5;
    const Foam::scalar leastLength = 10;

    // Of L^2 over the diffusivity, the time of the slowest of its modes between a given flow
    // and a given pressure: 4/pi^2. It may be so much of a run
    const Foam::scalar slowestMode = 0.405;
    const Foam::scalar tolerable = 0.1;

    // Of a spacing, the width of half of a wall's faces that is told
    const Foam::scalar narrow = 0.7;
}


Foam::lbmPlan::lbmPlan(const lbmRun& run)
:
    run_(run)
{}


void Foam::lbmPlan::printKernel() const
{
    Info<< "    kernel          "
        << lbm::name(lbm::findKernel(run_.config_)).c_str() << nl
        << "    cell size       "
        << (run_.fit_ ? run_.fit_->words().c_str()
          : (Foam::name(run_.lattice_.spacing()) + " m").c_str())
        << (run_.lattice_.wallsHalfWay()
          ? ", by which walls or sides across axes lie half-way between nodes" : "") << nl;
}


void Foam::lbmPlan::printStorage() const
{
    if (run_.storage_.candidates.empty()) return;
    Info<< "    storage chosen  " << run_.storage_.best().name.c_str() << ", "
        << run_.storage_.reason.c_str() << nl;
}


std::int64_t Foam::lbmPlan::links(const label patchi) const
{
    return run_.boundary_.nLinks(patchi);
}


void Foam::lbmPlan::printLattice() const
{
    const lbm::Domain& domain = run_.lattice_.domain();
    const lbm::TilingFacts tiling = run_.solver_->tiling();
    const lbm::SurfaceFacts& facts = run_.lattice_.facts();

    Info<< "Lattice" << nl;
    printKernel();
    Info<< "    box             " << domain.size[0] << " x " << domain.size[1]
        << " x " << domain.size[2] << " nodes" << nl
        << "    fluid nodes     " << std::to_string(domain.fluidNodes()).c_str() << ", "
        << 100*domain.porosity() << " % of the box" << nl
        << "    tiles           " << label(tiling.tiles) << " of "
        << tiling.nodesPerTile << " nodes, "
        << 100*tiling.tilePorosity << " % of them fluid; "
        << label(tiling.uniformTiles) << " tiles without a wall" << nl;
    if (run_.config_.ranks > 1)
    {
        const scalar geometry =
            domain.nodes()/8 + domain.links.size()*sizeof(lbm::Link);
        const label each = lbm::partsOf(run_.config_)/run_.config_.ranks;
        Info<< "    ranks           " << label(run_.config_.ranks) << ", "
            << (each == 1 ? string("one part") : string(name(each) + " parts")).c_str()
            << " each; the first has the whole mesh, its fields and"
            << " the lattice's nodes and links (" << geometry/1e6 << " MB)"
            << nl;
    }
    else if (run_.config_.parts > 1)
    {
        Info<< "    parts           " << label(run_.config_.parts)
            << ", with their ghosts among the tiles" << nl;
    }
    if (run_.cuts_->text().size())
    {
        Info<< "    cuts            " << run_.cuts_->text().c_str() << nl;
    }
    const std::string executor(run_.solver_->executor());
    if (executor.size())
    {
        Info<< "    executor        " << executor.c_str() << nl;
    }
    else if (run_.solver_->stepsOfPass() > 1)
    {
        Info<< "    executor        " << run_.solver_->stepsOfPass()
            << " steps a pass" << nl;
    }
    if (run_.steps_.size())
    {
        Info<< "    steps           " << run_.steps_.c_str() << nl;
    }
    printStorage();
    if (facts.raysOn.size())
    {
        Info<< "    rays to walls   on " << facts.raysOn.c_str() << nl;
    }
    if (facts.guessedLinks)
    {
        Info<< "    links without a surface " << label(facts.guessedLinks)
            << ", given to the nearest" << nl;
    }
    const auto& stencils = run_.fields_->stencils();
    Info<< "    mesh cells      " << run_.mesh_.nCells() << ": "
        << stencils.nMeans() << " take the mean of their nodes, "
        << stencils.nIrregular() << " next to boundaries a fit, the others are"
        << " interpolated" << nl;
    if (stencils.nOrphans())
    {
        Info<< "    cells without a node nearby " << stencils.nOrphans()
            << ", follow their neighbours" << nl;
    }
}


void Foam::lbmPlan::printMemory() const
{
    const lbm::MemoryUse use = run_.solver_->memory();
    const scalar start = lbmMemoryCheck::startBytes
    (
        run_.lattice_.domain().fluidNodes(), run_.cells()
    );
    const scalar MB = 1e6;
    Info<< "Memory" << nl
        << "    populations     " << scalar(use.populations)/MB << " MB" << nl
        << "    geometry        " << scalar(use.geometry)/MB << " MB" << nl
        << "    fluid alone     " << scalar(use.ideal)/MB
        << " MB, the least for this storage" << nl;
    if (run_.latticeLaw_)
    {
        Info<< "    wall law        " << scalar(run_.latticeLaw_->bytes())/MB << " MB"
            << (run_.latticeLaw_->onDevice() ? " of the device" : "") << nl;
    }
    if (run_.buoyancy_ && run_.buoyancy_->onNodes())
    {
        const lbmLatticeTemperature& T = *run_.buoyancy_->onNodes();
        Info<< "    temperature     ";
        if (T.onDevice()) Info<< scalar(T.deviceBytes())/MB << " MB of the device, ";
        Info<< scalar(T.hostBytes())/MB << " MB of the host" << nl;
    }
    Info<< "    start           " << start/MB
        << " MB besides, until the first time step" << nl
        << "    available       " << scalar(lbm::availableMemory())/MB << " MB" << nl;
}


void Foam::lbmPlan::printUnits() const
{
    const lbmUnits& units = *run_.units_;
    const scalar speed = run_.timeStep_->referenceSpeed();
    const scalar side =
        lbmMeshDomain::longestSide(run_.mesh_, run_.lattice_.axes());

    const scalar sound = lbmUnits::soundSpeed*units.dx()/units.dt();
    Info<< "Units" << nl
        << "    dx              " << units.dx() << " m" << nl
        << "    dt              " << units.dt() << " s" << nl;
    printViscosity();
    run_.sources_.printPlan();
    if (run_.nodeSources_)
    {
        Info<< "    sources' nodes  " << label(run_.nodeSources_->nNodes())
            << ", told their force one by one" << nl;
    }
    const lbmViscosity& viscosity = units.viscosity();
    Info<< "    reference speed " << speed << " m/s" << nl
        << "    Ma              " << units.mach(speed) << nl
        << "    sound           " << sound << " m/s, along the longest side in "
        << side/sound << " s" << nl
        << "    Re              " << speed*side/viscosity.nu(speed/side)
        << " with the longest side, "
        << speed*units.dx()/viscosity.nu(speed/units.dx()) << " with dx" << nl;
    printNarrow(sound, side);
    printCaution();
    printLayers(speed*units.dx()/viscosity.nu(speed/units.dx()));
    printFinerWalls();
    lbmTurbulencePlan walls
    (
        run_.mesh_, speed, viscosity.least(units.dx()), units.dx(), run_.transport_.laws()
    );
    // Of a mesh that is a sketch cells are not the run's
    if (run_.transport_.laws().empty() && !(run_.meshCells_ > 0)) walls.addModel();
    boolList slips(run_.mesh_.boundary().size(), false);
    forAll(slips, patchi) slips[patchi] = run_.boundary_.kinds()[patchi].slips;
    walls.printWalls(run_.boundary_.anyOpening(), slips);
}


// In a passage of height h the wave equation's pressure diffuses where viscosity is faster than
// inertia, with c^2 h^2/(12 nu): a fluid without compressibility has it everywhere at once
void Foam::lbmPlan::printNarrow(const scalar sound, const scalar side) const
{
    if (run_.models_ || run_.iterates_ || !run_.boundary_.anyOpening()) return;
    scalar area = 0;
    forAll(run_.boundary_.kinds(), patchi)
    {
        if (!run_.boundary_.kinds()[patchi].anyWall()) continue;
        area += sum(run_.mesh_.boundary()[patchi].magSf());
    }
    const scalar height = 2*sum(run_.mesh_.V().field())/max(area, VSMALL);
    const scalar nu = run_.units_->viscosity().nu(run_.timeStep_->referenceSpeed()/height);
    const scalar spreads = slowestMode*12*nu*sqr(side/(sound*height));
    if (spreads < side/sound) return;

    Info<< "    pressure        spreads along it in " << spreads << " s only: viscosity holds"
        << " it back in passages as narrow" << nl;
    const scalar duration = timeSteps()*run_.timeStepSeconds();
    if (spreads < tolerable*duration) return;
    WarningInFunction
        << "Pressure needs " << spreads << " s along the domain, and the run is of "
        << duration << " s: until then less leaves than enters, and the flow is no"
        << " incompressible one" << nl
        << "Way out: maxMach "
        << run_.units_->mach(run_.timeStep_->referenceSpeed())
          *sqrt(tolerable*duration/spreads)
        << "; in system/lbmDict, with which that is a tenth of the run" << endl;
}


bool Foam::lbmPlan::fluidSticks() const
{
    forAll(run_.mesh_.boundary(), patchi)
    {
        const lbmPatchKind& kind = run_.boundary_.kinds()[patchi];
        const bool wall = kind.is == lbmPatchKind::role::wall
            || kind.is == lbmPatchKind::role::movingWall;
        if (wall && !kind.wallLaw && links(patchi) > 0) return true;
    }
    return false;
}


void Foam::lbmPlan::printLayers(const scalar gridReynolds) const
{
    if (run_.models_ || !fluidSticks()) return;
    const scalar guard = run_.units_->viscosity().guard();
    const scalar nodes = sqr(layerNodes/layerWidth)
       *(guard > 0 ? min(guard, gridReynolds) : gridReynolds);
    if (nodes <= leastLength) return;
    Info<< "    layers          at walls have " << layerNodes << " nodes from "
        << nodes*run_.units_->dx() << " m behind their edges on (" << layerWidth
        << " sqrt(nu x/U)): forces on what is shorter are coarse" << nl;
}


// Around bodies meshes are finer, in a few cells that do not decide the spacing
void Foam::lbmPlan::printFinerWalls() const
{
    if (run_.meshCells_ > 0 || !run_.lattice_.boundedByMesh()) return;
    const scalar dx = run_.units_->dx();
    const label dimensions = run_.lattice_.axes().dimensions();
    const scalar depth = dimensions == 3 ? 1
      : run_.mesh_.bounds().span()[run_.lattice_.axes().foamAxis(2)];
    forAll(run_.mesh_.boundary(), patchi)
    {
        if (!run_.boundary_.kinds()[patchi].anyWall() || links(patchi) == 0) continue;
        scalarField widths(run_.mesh_.boundary()[patchi].magSf());
        for (scalar& width : widths) width = dimensions == 3 ? sqrt(width) : width/depth;
        const label half = widths.size()/2;
        std::nth_element(widths.begin(), widths.begin() + half, widths.end());
        if (widths[half] >= narrow*dx) continue;
        std::ostringstream width;
        width << std::setprecision(3) << widths[half];
        Info<< "    finer faces     of " << run_.boundary_.patchName(patchi) << ": "
            << width.str().c_str() << " m wide, nodes are " << dx
            << " m apart. With cellSize " << width.str().c_str()
            << "; in system/lbmDict each has one, of "
            << round(pow(dx/widths[half], dimensions)) << " times as many" << nl;
    }
}


void Foam::lbmPlan::printCaution() const
{
    if (!run_.caution_) return;     // a sketch makes no steps
    Info<< "    while it runs   ";
    if (run_.caution_->stepIsFree())
    {
        Info<< "the lattice time step follows a flow whose Mach number passes "
            << lbmControls::machLimit;
    }
    else
    {
        Info<< "the lattice time step is that of system/lbmDict (referenceSpeed,"
            << " deltaT or maxMach)";
    }
    if (run_.keepsFlow())
    {
        Info<< ";" << nl << "                    a flow that diverges goes back to U and p"
            << " of the last time that they were read, " << run_.flowBytes()/1e6
            << " MB of the host";
    }
    Info<< nl;
}


void Foam::lbmPlan::printViscosity() const
{
    const lbmUnits& units = *run_.units_;
    const lbmViscosity& viscosity = units.viscosity();
    const scalar least = viscosity.least(units.dx());
    const scalar most = viscosity.most(units.dx());
    Info<< "    nu              " << least;
    if (viscosity.ofShearRate())
    {
        Info<< " to " << most << " m2/s, "
            << std::string(viscosity.closure().name).c_str()
            << " at shear rates of " << viscosity.slowest() << " to "
            << viscosity.fastest(units.dx())
            << " 1/s (reference speed by the longest side, by dx); "
            << viscosity.nu(0) << " at rest" << nl
            << "    tau             " << units.tau(least) << " to "
            << units.tau(most) << ", " << units.tau(viscosity.nu(0))
            << " at rest";
    }
    else
    {
        Info<< " m2/s" << nl << "    tau             " << units.tau();
    }
    Info<< " (relaxation time in lattice steps), magic " << run_.config_.magic
        << nl;
    if (run_.models_)
    {
        run_.models_->printPlan
        (
            run_.keptBelow(),
            run_.mostModelSteps(),
            run_.oneThread(),
            run_.sketches()
        );
    }
    if (run_.elastic_) run_.elastic_->printPlan();
    if (run_.buoyancy_)
    {
        run_.buoyancy_->printPlan(run_.boundary_.anyOpening());
    }
    if (viscosity.eddies() && !viscosity.onlyGuarded())
    {
        Info<< "    nut             "
            << std::string(viscosity.closure().name).c_str();
        if (viscosity.ofGradient())
        {
            const lbm::ClosureCoefficient& constant =
                viscosity.closure().coefficient[0];
            Info<< ", " << std::string(constant.name).c_str() << ' '
                << viscosity.coefficients()[0] << " ("
                << std::string(constant.meaning).c_str()
                << "), by the velocities around each node" << nl;
            printShear();
        }
        else
        {
            Info<< ", Cs delta " << viscosity.coefficients()[0]*units.dx()
                << " m: " << units.nut(viscosity.fastest(units.dx()), 0)
                << " m2/s at the reference speed by dx" << nl;
        }
    }
    if (viscosity.guard() > 0)
    {
        Info<< "    guard           viscosity keeps grid Reynolds numbers"
            << " below " << viscosity.guard() << ", and tau above 1/2 by "
            << lbmSafety::leastViscous << " or more" << nl;
    }
}


// Nodes beside a wall with a law have shear before they have eddies; without a viscosity
// there, stress does not get from the wall to the flow
void Foam::lbmPlan::printShear() const
{
    if (run_.transport_.laws().empty()) return;
    const word model(std::string(run_.units_->viscosity().closure().name));
    Info<< "    nut at walls    none: " << model << " has none in shear alone, as"
        << " there is beside walls with a wall" << nl
        << "                    function; their friction may come out too small"
        << " (way out: LESModel Smagorinsky)" << nl;
}


void Foam::lbmPlan::printPatches() const
{
    wordList names(run_.mesh_.boundaryMesh().names());
    std::size_t width = 5;
    for (const word& name : names) width = std::max(width, name.size());

    std::ostringstream table;
    const auto line = [&]
    (
        const std::string& patch,
        const std::string& kind,
        const std::string& links,
        const std::string& U,
        const std::string& p
    )
    {
        table
            << "    " << std::left << std::setw(int(width) + 2) << patch
            << std::setw(25) << kind << std::right << std::setw(9) << links
            << "  " << std::left << std::setw(28) << U << p << '\n';
    };
    line("patch", "kind", "links", "U", "p");
    forAll(names, patchi)
    {
        line
        (
            names[patchi],
            run_.boundary_.kinds()[patchi].name(),
            std::to_string(links(patchi)),
            run_.U_.boundaryField()[patchi].type(),
            run_.p_.boundaryField()[patchi].type()
        );
    }
    Info<< "Patches" << nl << table.str().c_str();
    run_.spongeZone_->printPlan(run_.sponge_.get());
    printSurfaces();
    printSteps();
    printBackflow();
}


void Foam::lbmPlan::printSurfaces() const
{
    if (const lbmReplacedWalls* walls = lbmReplacedWalls::of(run_.mesh_))
    {
        walls->tell();
        printVolumes();
    }
    if (!lbmSurfaceWalls::of(run_.mesh_)) return;
    Info<< "    links meet the surfaces, patch by patch; fields, openings' values and"
        << " function objects are the mesh's" << nl;
    printVolumes();
}


void Foam::lbmPlan::printVolumes() const
{
    const lbm::Domain& domain = run_.lattice_.domain();
    const scalar nodes = domain.fluidNodes()*pow3(domain.spacing);
    const scalar cells = sum(run_.mesh_.V()).value();
    const scalar more = nodes/cells - 1;
    Info<< "    its cells hold " << cells << " m3, nodes of the lattice ";
    if (mag(more) < sameVolume)
    {
        Info<< "as much" << nl;
        return;
    }
    Info<< nodes << " m3: " << 100*mag(more) << " % " << (more < 0 ? "less" : "more")
        << nl;
}


void Foam::lbmPlan::printBackflow() const
{
    forAll(run_.boundary_.kinds(), patchi)
    {
        const fvPatchVectorField& U = run_.U_.boundaryField()[patchi];
        if
        (
            run_.boundary_.kinds()[patchi].is != lbmPatchKind::role::pressure
         || !isA<inletOutletFvPatchVectorField>(U) || U.empty()
        ) continue;
        const vectorField& given = refCast<const inletOutletFvPatchVectorField>(U).refValue();
        const scalar fastest = max(mag(given));
        if (!(fastest > 0)) continue;

        WarningInFunction
            << "Patch " << U.patch().name() << ": the velocity of up to " << fastest
            << " m/s that " << U.type() << " gives what enters is not used, for p"
            << " is fixed there: what p drives in has the velocity of the nodes inside" << nl
            << "Way out: U fixedValue and p zeroGradient, where fluid is to enter with that"
            << " velocity; else inletValue uniform (0 0 0), of which it comes from rest, at a"
            << " pressure that is less by U2/2" << nl
            << "file: " << run_.U_.objectPath() << endl;
    }
}


void Foam::lbmPlan::printSteps() const
{
    wordList steps;
    forAll(run_.boundary_.kinds(), patchi)
    {
        if (run_.boundary_.kinds()[patchi].steps)
        {
            steps.append(run_.mesh_.boundary()[patchi].name());
        }
    }
    if (steps.empty()) return;

    Info<< "    ";
    for (const word& name : steps) Info<< name << ' ';
    Info<< "of steps: the mesh has steps of cells where a"
        << " surface may be smooth. Interpolation (entry wall) follows the steps;"
        << nl << "    the drag of spheres 32 cells wide came out 6 to 12 % high."
        << " Way out: a mesh that follows the surface (snappyHexMesh), from which"
        << nl << "    the lattice takes it, or smaller cells" << nl;
}


Foam::scalar Foam::lbmPlan::secondsPerStep
(
    lbm::Solver& solver,
    const scalar most
) const
{
    using clock = std::chrono::steady_clock;
    const lbmTrapFreeRegion throwAwayState(run_.config_.threads);

    label steps = 0;
    scalar seconds = 0;
    try
    {
        solver.advance(warmUpSteps);
        const auto start = clock::now();
        do
        {
            solver.advance(warmUpSteps);
            steps += warmUpSteps;
            seconds = std::chrono::duration<scalar>(clock::now() - start).count();
        } while (seconds < measuredSeconds && steps < most);
    }
    catch (const std::exception& fault)
    {
        if (lbm::ranks() == 1) throw;
        // Before the solver goes: it would wait for ranks that wait in their steps
        FatalErrorInFunction << lbmRankFault::words(fault).c_str() << exit(FatalError);
    }
    return seconds/steps;
}


Foam::scalar Foam::lbmPlan::timeSteps() const
{
    return run_.timeStepsLeft();
}


// Who goes on has the flow that there was; iterations of a steady case are no times
void Foam::lbmPlan::printAverages() const
{
    if (run_.iterates_ || run_.resume_.found()) return;
    const scalar speed = run_.timeStep_->referenceSpeed();
    if (!(speed > 0)) return;
    lbmTurbulencePlan::printAverages
    (
        run_.runTime_,
        lbmMeshDomain::longestSide(run_.mesh_, run_.lattice_.axes())/speed
    );
}


Foam::scalar Foam::lbmPlan::printLatticeSteps() const
{
    const scalar n = timeSteps();
    Info<< "Time" << nl
        << "    lattice steps   " << n*run_.substeps_ << " ("
        << run_.substeps_ << " in each of " << n << " time steps)" << nl;
    if (run_.steadyTolerance(run_.U_.name()) > 0)
    {
        Info<< "                    at most: a flow that is steady ends the run before"
            << nl;
    }
    printAverages();
    return n*run_.substeps_;
}


void Foam::lbmPlan::printExpected(const scalar seconds) const
{
    Info<< "    expected time   " << seconds
        << " s, "
        << (run_.models_ ? "models on the mesh, " : "")
        << (run_.buoyancy_ ? "temperature, " : "")
        << "writing and function objects apart" << nl;
}


void Foam::lbmPlan::printDuration() const
{
    lbm::Solver& solver = *run_.solver_;
    const int before = solver.stepsOfPass();
    const scalar perStep = secondsPerStep
    (
        solver,
        measuredShare*timeSteps()*run_.substeps_
    );
    const scalar steps = printLatticeSteps();
    // Parts on several devices find out in their first step
    if (solver.stepsOfPass() > before)
    {
        Info<< "                    " << solver.stepsOfPass() << " in a pass" << nl;
    }
    Info<< "    measured speed  "
        << scalar(solver.tiling().fluidNodes)/1e6/perStep
        << " MLUPS (million updates of fluid nodes a second)" << nl;
    printExpected(steps*perStep);
}


void Foam::lbmPlan::print() const
{
    Info<< nl;
    printLattice();
    printMemory();
    printUnits();
    printPatches();
    printDuration();
    Info<< endl;
}
