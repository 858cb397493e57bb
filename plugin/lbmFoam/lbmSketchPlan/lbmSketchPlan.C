// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSketchPlan.H"
#include "plugin/lbmFoam/lbmRun.H"
#include "lbm/api/HostMemory.hpp"
#include "lbm/api/Solver.hpp"
#include "lbm/api/StepChoice.hpp"
#include "lbm/api/Storage.hpp"

#include <cmath>
#include <limits>

namespace
{
    const Foam::scalar GB = 1e9;

    // Of a lattice as small as none, and what it may take of a budget
    const Foam::scalar fewNodes = 1e3, fewShare = 0.9;

    // What TileGrid can number
    const Foam::scalar mostTiles = std::numeric_limits<std::int32_t>::max();

    // Nodes that keep a device as busy as more do, made in a second
    const Foam::scalar largeBox = 3e7;

    // Of a part of a cut lattice over the mean
    const Foam::scalar uneven = 0.05;


    std::string whole(const Foam::scalar number)
    {
        return std::to_string(std::int64_t(std::llround(number)));
    }


    // A share in per cent, of two digits
    Foam::scalar percent(const Foam::scalar share)
    {
        const Foam::scalar digit = Foam::pow(10.0, std::floor(Foam::log10(share)) - 1);
        return 100*digit*std::ceil(share/digit - 1e-9);
    }
}


Foam::lbmSketchPlan::lbmSketchPlan
(
    const lbmRun& run,
    const lbmSketch& sketch,
    lbm::Solver* solver,
    const string& fault
)
:
    lbmPlan(run),
    sketch_(sketch),
    solver_(solver),
    fault_(fault)
{
    const bool isThere = solver_ || lbm::isOnHost(lbm::findKernel(run_.config_));
    if (!isThere || lbm::partsOf(run_.config_) > 1) return;
    room_.reset
    (
        new lbmMemoryCheck::budget(lbmMemoryCheck::room(run_.controls_, run_.config_))
    );
    if (!meshFits()) return;
    fit_.reset
    (
        new lbmLatticeFit
        (
            run_.controls_.dict(),
            *room_,
            [this](const scalar least){ return run_.lattice_.whole(least); },
            [this](const lbm::model::DomainCounts& c){ return needed(c); }
        )
    );
    fit_->choose(sketch_.counts(), run_.lattice_.spacing());
}


std::int64_t Foam::lbmSketchPlan::links(const label patchi) const
{
    return std::llround(sketch_.counts().patchLinks[patchi]);
}


void Foam::lbmSketchPlan::printLattice() const
{
    const lbm::model::DomainCounts& counts = sketch_.counts();
    const lbm::Domain& sketch = sketch_.domain();
    const scalar inTile = scalar(counts.tile[0])*counts.tile[1]*counts.tile[2];

    Info<< "Estimate" << nl
        << "    from a sketch of " << std::to_string(sketch.fluidNodes()).c_str() << " nodes, with cells of "
        << sketch.spacing << " m; the lattice itself is not made: -sketch 0 makes it"
        << nl
        << "    and counts. Off by at most: nodes "
        << percent(sketch_.offFluid()) << " %, tiles and populations "
        << percent(sketch_.offTiles()) << " %, links of a patch "
        << (sketch_.offLinks() > 0 ? percent(sketch_.offLinks()) : 0)
        << " % of all" << nl
        << "    links. Patches that are smaller than a sketch's cell may have none" << nl
        << "Lattice" << nl;
    printKernel();
    Info<< "    box             " << counts.size[0] << " x " << counts.size[1]
        << " x " << counts.size[2] << " nodes" << nl
        << "    fluid nodes     " << whole(counts.fluid).c_str() << ", "
        << 100*counts.fluid/counts.box << " % of the box" << nl
        << "    tiles           " << whole(counts.tiles).c_str() << " of "
        << inTile << " nodes, " << 100*counts.fluid/(counts.tiles*inTile)
        << " % of them fluid" << nl;
    printParts();
    printStorage();
    if (lbm::takesBlocks(lbm::findKernel(run_.config_)) && run_.controls_.mayHaveBlocks())
    {
        Info<< "    steps           in blocks or one by one, the run itself tells (entry"
            << " blocks); blocks take about half as much memory again" << nl;
    }
    Info<< "    mesh cells      " << whole(run_.nMeshCells()).c_str()
        << (run_.meshCells_ > 0 ? ", about: the mesh is a sketch, too" : "") << nl;
}


void Foam::lbmSketchPlan::printParts() const
{
    const label parts = lbm::partsOf(run_.config_);
    if (parts == 1) return;

    const scalar most = (1 + uneven)/parts;
    const lbm::MemoryUse& use = sketch_.memory();
    Info<< (parts == run_.config_.ranks ? "    ranks           "
          : "    parts           ") << parts;
    if (run_.config_.ranks > 1 && parts > run_.config_.ranks)
    {
        Info<< " of " << label(run_.config_.ranks) << " ranks";
    }
    Info<< ", with "
        << use.populations*most/GB << " GB of populations and "
        << use.geometry*most/GB << " GB of geometry each, if it has "
        << 100*uneven << " % more than the mean" << nl;
    Info<< "    cuts            " << run_.cuts_->text().c_str() << nl;
    if (run_.config_.ranks > 1)
    {
        Info<< "                    and on the first the whole mesh, its fields and"
            << " the lattice's nodes and links ("
            << needed(sketch_.counts()).nodes/GB << " GB)" << nl;
    }
}


Foam::lbmMemoryCheck::need Foam::lbmSketchPlan::needed
(
    const lbm::model::DomainCounts& counts
) const
{
    return lbmMemoryCheck::needed
    (
        counts,
        lbm::findKernel(run_.config_),
        run_.config_,
        run_.cells(),
        run_.transport_.laws()
    );
}


void Foam::lbmSketchPlan::printMemory() const
{
    const lbm::MemoryUse& use = sketch_.memory();
    const lbmMemoryCheck::need need(needed(sketch_.counts()));
    Info<< "Memory" << nl
        << "    populations     " << use.populations/GB << " GB" << nl
        << "    geometry        " << use.geometry/GB << " GB at most" << nl
        << "    fluid alone     " << use.ideal/GB
        << " GB, the least for this storage" << nl
        << "    start           " << need.start/GB
        << " GB besides on the host, until the first time step" << nl
        << "    nodes and links " << need.nodes/GB << " GB besides on the host" << nl;
    if (run_.transport_.laws().size())
    {
        const bool onDevice = need.law.device > 0;
        Info<< "    wall law        "
            << (onDevice ? need.law.device : need.law.host)/GB << " GB"
            << (onDevice ? " of the device" : "") << nl;
    }
    Info<< "    available       " << scalar(lbm::availableMemory())/GB << " GB" << nl;
    if (room_) printRoom();
}


bool Foam::lbmSketchPlan::meshFits() const
{
    const lbm::model::DomainCounts& counts = sketch_.counts();
    const scalar times = pow(fewNodes/counts.fluid, 1.0/counts.dimensions);
    return room_->share(needed(counts.refined(times))) < fewShare;
}


bool Foam::lbmSketchPlan::streams() const
{
    return room_
     && needed(sketch_.counts()).device() > room_->device
     && lbm::storageOf(lbm::findKernel(run_.config_)).streams;
}


void Foam::lbmSketchPlan::printRoom() const
{
    const scalar dx = run_.lattice_.spacing();
    const lbmMemoryCheck::need need(needed(sketch_.counts()));
    if (!need.onHost)
    {
        Info<< "    on the device   " << need.device()/GB << " GB";
        if (streams()) Info<< ", of which a part at a time streams through it";
        Info<< nl;
    }
    Info<< "    this run        " << 100*room_->share(need) << " % of "
        << room_->words.c_str() << nl;
    if (!fit_)
    {
        Info<< "    finest          none would fit: the mesh and its fields take too"
            << " much" << nl;
        return;
    }
    Info<< "    finest          cells of " << fit_->spacing() << " m would fit: "
        << whole(sketch_.counts().refined(dx/fit_->spacing()).fluid).c_str()
        << " nodes" << nl;
}


void Foam::lbmSketchPlan::check() const
{
    const scalar nodes = sketch_.counts().fluid;
    const scalar onDevice = needed(sketch_.counts()).device();
    if (room_ && onDevice > room_->device && !streams())
    {
        FatalIOErrorInFunction(run_.controls_.dict())
            << "About " << nodes << " nodes need " << onDevice/GB
            << " GB of the device's memory: " << room_->words.c_str() << nl
            << "The cell size is " << run_.lattice_.spacing() << ", try "
            << (fit_ ? fit_->spacing() : run_.lattice_.spacing()*onDevice/room_->device)
            << " or more" << exit(FatalIOError);
    }
    const scalar boxTiles = sketch_.counts().boxTiles;
    if (lbm::partsOf(run_.config_) == 1 && boxTiles > mostTiles)
    {
        FatalIOErrorInFunction(run_.controls_.dict())
            << "The lattice's box has " << boxTiles << " tiles; a part has at most "
            << mostTiles << nl << "Entry parts (system/lbmDict) divides it"
            << exit(FatalIOError);
    }
    lbmMemoryCheck::ofEstimate
    (
        run_.controls_,
        run_.lattice_,
        run_.config_,
        sketch_.memory(),
        nodes,
        run_.cells(),
        needed(sketch_.counts()).law
    );
}


Foam::scalar Foam::lbmSketchPlan::secondsOfBox(const scalar nodes) const
{
    const auto domain = std::make_shared<lbm::Domain>();
    const label D = sketch_.domain().dimensions;
    const auto side = int(std::lround(std::pow(nodes, 1.0/D)));
    domain->dimensions = int(D);
    domain->size = {side, side, D == 3 ? side : 1};
    domain->fluid = lbm::BitSet(domain->nodes(), true);
    lbm::Config config(run_.config_);
    config.patches.clear();
    const auto solver = lbm::makeSolver(domain, config);
    if (!solver->executor().empty())
    {
        throw std::runtime_error("a large box does not fit on the device");
    }
    return secondsPerStep(*solver)/domain->nodes();
}


Foam::scalar Foam::lbmSketchPlan::deviceStep(const scalar ofSketch) const
{
    const lbm::model::DomainCounts& counts = sketch_.counts();
    const scalar all = counts.fluid, own = sketch_.domain().fluidNodes();
    const scalar ofLinks = max(ofSketch - own*secondsOfBox(own), scalar(0));
    const scalar ownLinks = max(scalar(sketch_.domain().links.size()), scalar(1));
    return all*secondsOfBox(max(own, min(all, largeBox)))
      + ofLinks*counts.links()/ownLinks;
}


void Foam::lbmSketchPlan::printDuration() const
{
    const scalar steps = printLatticeSteps();
    if (!solver_ || streams())
    {
        Info<< "    expected time   unknown: "
            << (solver_ ? "how fast a lattice streams through the device, a sketch"
                " does not tell" : fault_.c_str()) << nl;
        return;
    }
    const scalar nodes = sketch_.domain().fluidNodes(), million = 1e6;
    const scalar ofSketch = secondsPerStep(*solver_)/nodes;
    const bool modelled = sketch_.slowness() > 0;
    const bool onHost = lbm::isOnHost(lbm::findKernel(run_.config_));
    scalar ofStep = ofSketch*(modelled ? sketch_.slowness() : 1)*sketch_.counts().fluid;
    try
    {
        if (!onHost) ofStep = deviceStep(ofSketch*nodes);
    }
    catch (const std::runtime_error& failed)    // no room for a box
    {
        Info<< "    expected time   unknown: " << failed.what() << nl;
        return;
    }
    const scalar ofNode = ofStep/sketch_.counts().fluid;
    const scalar passage =
        lbmMeshDomain::longestSide(run_.mesh_, run_.lattice_.axes())
       /run_.timeStep_->referenceSpeed()/run_.units_->dt();
    Info<< "    sketch's speed  " << 1/ofSketch/million
        << " MLUPS (million updates of fluid nodes a second), measured" << nl
        << "    expected speed  " << 1/ofNode/million << " MLUPS, "
        << (!onHost ? "of large boxes without walls, measured, and what the sketch's"
            " links add" : modelled ? "with fewer walls to a node, by the"
            " performance model" : "the sketch's: the model does not know this"
            " storage") << nl
        << "    lattice step    " << ofStep << " s" << nl
        << "    flow-through    " << passage*ofStep << " s, for " << passage
        << " lattice steps: the reference speed along the longest side" << nl;
    printExpected(steps*ofStep);
}
