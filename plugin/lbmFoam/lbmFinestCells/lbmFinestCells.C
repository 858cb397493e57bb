// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFinestCells.H"
#include "fvMesh.H"
#include "plugin/lbmFoam/lbmCheckpoint.H"
#include "plugin/lbmFoam/lbmLatticeFit.H"
#include "plugin/lbmFoam/lbmTransport.H"
#include "OSspecific.H"
#include "Time.H"
#include "wallPolyPatch.H"
#include "adapters/checkpoint/Checkpoint.hpp"
#include "lbm/model/Prediction.hpp"
#include "plugin/lbmVoxelize/voxelCells/voxelCells.H"
#include "plugin/lbmVoxelize/voxelMesh/voxelMesh.H"
#include "plugin/lbmVoxelize/voxelSettings/voxelSettings.H"
#include "plugin/lbmVoxelize/voxelizer/voxelizer.H"

namespace
{

using namespace Foam;

// Of a sketch, nodes of the box
const scalar sketchNodes = 1e6;

// Of the cell that makes most
const scalar facesPerCell = 6;


// Of the run before, or 0 where this one begins
scalar continued(const Time& runTime, const dictionary& sizes)
{
    const fileName file(lbmCheckpoint::fileIn(runTime.timePath()));
    if (isFile(file, false) && lbm::checkpointsAvailable())
    {
        const lbm::CheckpointReader reader(file);
        const auto& numbers = reader.notes().numbers;
        const auto found = numbers.find(lbmCheckpoint::meshCellSizeNote);
        if (found != numbers.end()) return found->second;
    }
    if (!isFile(runTime.timePath()/"uniform"/"time")) return 0;
    FatalErrorInFunction
        << "Entry cellSize of system/" << sizes.name().name()
        << " is auto, and time "
        << runTime.timeName() << " has fields but no checkpoint, which would tell"
        << " the cell size of the run that wrote it" << nl
        << "Give cellSize that number: its log has it" << exit(FatalError);
    return 0;
}


// A lattice with a node in each cell, by what a sketch of it says
class finestCells
{
    const Time& runTime_;
    voxelSettings& settings_;
    const lbm::TriangleMesh& surface_;
    const lbmControls controls_;
    const scalar side_;
    lbm::Config config_;
    lbm::Domain sketch_;
    lbmMemoryCheck::laws laws_;

    // All links of a node for one along an axis
    scalar linksOfAxis_;

    // Some kinds take less
    void setPatches()
    {
        for (const std::string& region : sketch_.patches)
        {
            const word type(settings_.patch(region).get<word>("type"));
            lbm::LinkValue value;
            value.kind = type == wallPolyPatch::typeName
              ? lbm::BoundaryKind::interpolatedWall : lbm::BoundaryKind::velocity;
            config_.patches.push_back(value);
        }
    }

    void makeConfig()
    {
        const voxelCells cells((lbm::Domain(sketch_)));
        const autoPtr<fvMesh> mesh(voxelizer::mesh(runTime_, cells, settings_));
        const lbmTransport transport(*mesh, controls_);
        config_ = controls_.config(3, transport.viscosity().closure());
        setPatches();
        // The mesh has a patch for each of the sketch, in its order
        laws_ = transport.laws();
    }

    void makeSketch()
    {
        scalar box = 1;
        const lbm::Bounds bounds = lbm::fluidBounds(surface_, settings_.options(surface_));
        for (int a = 0; a < 3; ++a) box *= bounds.max[a] - bounds.min[a];
        const scalar dx = Foam::pow(box/sketchNodes, 1.0/3);
        const auto directions = lbm::latticeDirections(lbm::Config().lattice);
        sketch_ = lbm::connectedDomain
        (
            surface_,
            settings_.lattice(surface_, side_/ceil(side_/dx)),
            directions,
            settings_.options(surface_)
        ).domain;
        scalar axis = 0;
        for (const lbm::Link& link : sketch_.links)
        {
            const lbm::Int3 c = lbm::directionOf(link.direction);
            axis += mag(c[0]) + mag(c[1]) + mag(c[2]) == 1;
        }
        linksOfAxis_ = sketch_.links.size()/max(axis, scalar(1));
    }

    lbm::model::DomainCounts countsOf(const lbm::Domain& domain, const scalar links)
    {
        lbm::model::DomainCounts counts(lbmMemoryCheck::counts(domain, config_));
        const scalar q = lbm::latticeDirections(config_.lattice).size() - 1;
        const scalar sketched = lbm::latticeDirections(lbm::Config().lattice).size() - 1;
        for (double& n : counts.patchLinks) n *= links*q/sketched;
        return counts;
    }

    lbmMemoryCheck::need taken(const lbm::model::DomainCounts& counts) const
    {
        lbmMemoryCheck::need need
        (
            lbmMemoryCheck::needed
            (
                counts,
                lbm::findKernel(config_),
                config_,
                lbmMemoryCheck::cells(counts.fluid),
                laws_
            )
        );
        need.start += voxelMesh::bytesPerCell*counts.fluid;
        return need;
    }

    // Of at least this: more cells have more faces than labels count
    scalar whole(const scalar least) const
    {
        const scalar volume = pow3(sketch_.spacing)*sketch_.fluidNodes();
        const scalar dx = max(least, Foam::cbrt(facesPerCell*volume/labelMax));
        return side_/max(scalar(1), floor(side_/dx*(1 + 1e-9)));
    }

    void chooseStorage()
    {
        if (!controls_.storageIsFree()) return;
        const auto choice = lbm::model::chooseStorage(sketch_, config_);
        if (choice.candidates.empty()) return;      // the run says so
        config_.storage = choice.best().row.storage;
        config_.tile = choice.best().row.tile;
    }

public:

    finestCells
    (
        const Time& runTime,
        voxelSettings& settings,
        const lbm::TriangleMesh& surface
    )
    :
        runTime_(runTime),
        settings_(settings),
        surface_(surface),
        controls_(runTime),
        side_(settings.longestSide(surface))
    {}

    voxelCells with(const scalar cellSize, const bool writes)
    {
        settings_.choose(cellSize);
        const lbm::LatticeBox box(voxelizer::lattice(settings_, surface_));
        return voxelizer::cells(settings_, surface_, box, writes);
    }

    // Where cellSize is auto
    const dictionary& sizes() const
    {
        return controls_.spacingIsAuto() ? controls_.dict() : settings_.dict();
    }

    // Entry cellSize or cells of lbmDict, or 0
    scalar given() const
    {
        return controls_.spacingIsFree() ? 0 : controls_.spacing(side_);
    }

    lbmLatticeFit estimated()
    {
        makeSketch();
        makeConfig();
        chooseStorage();
        lbmLatticeFit fit
        (
            sizes(),
            lbmMemoryCheck::room(controls_, config_),
            [this](const scalar least){ return whole(least); },
            [this](const lbm::model::DomainCounts& counts)
            {
                return taken(counts);
            }
        );
        fit.choose(countsOf(sketch_, 1), sketch_.spacing);
        return fit;
    }

    void tell(const lbmLatticeFit& fit) const
    {
        Info<< "Cell size  " << fit.words().c_str() << nl
            << "           of cells and, unless lbmDict names another, of the"
            << " lattice; kernel " << lbm::name(lbm::findKernel(config_)).c_str()
            << nl << endl;
    }

    scalar choose()
    {
        const lbmLatticeFit fit(estimated());
        tell(fit);
        return fit.spacing();
    }

    voxelCells find(const bool writes)
    {
        lbmLatticeFit fit(estimated());
        for (;;)
        {
            voxelCells cells(with(fit.spacing(), writes));
            if (fit.correct(countsOf(cells.domain(), linksOfAxis_))) continue;
            tell(fit);
            return cells;
        }
    }
};

} // End anonymous namespace


Foam::voxelCells Foam::lbmFinestCells::make
(
    const Time& runTime,
    voxelSettings& settings,
    const lbm::TriangleMesh& surface,
    const bool writes
)
{
    finestCells cells(runTime, settings, surface);
    const scalar before = continued(runTime, cells.sizes()), given = cells.given();
    if (before > 0) return cells.with(before, writes);
    if (given > 0) return cells.with(given, writes);
    try
    {
        return cells.find(writes);
    }
    catch (const lbm::SurfaceError& fault)
    {
        FatalIOErrorInFunction(settings.dict())
            << fault.what() << exit(FatalIOError);
    }
    return voxelCells(lbm::Domain());
}


void Foam::lbmFinestCells::choose
(
    const Time& runTime,
    voxelSettings& settings,
    const lbm::TriangleMesh& surface
)
{
    finestCells cells(runTime, settings, surface);
    const scalar before = continued(runTime, cells.sizes()), given = cells.given();
    const scalar known = before > 0 ? before : given;
    try
    {
        settings.choose(known > 0 ? known : cells.choose());
    }
    catch (const lbm::SurfaceError& fault)
    {
        FatalIOErrorInFunction(settings.dict())
            << fault.what() << exit(FatalIOError);
    }
}
