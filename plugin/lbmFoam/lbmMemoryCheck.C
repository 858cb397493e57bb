// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMemoryCheck.H"
#include "lbmCellNodes.H"
#include "lbmCellSums.H"
#include "lbm/api/DeviceRoom.hpp"
#include "lbm/api/HostMemory.hpp"
#include "lbm/api/Solver.hpp"

namespace
{
    // What sets the start, and fits the lattice to the mesh, takes for a cell
    // while it does: gradients and faces' values of U and p, a matrix
    const Foam::scalar cellBytes = 600;

    // Likewise for each node that a cell has beyond one and that is told by its
    // number: its place and share in what the cell is told
    const Foam::scalar nodeBytes = 60;

    // On a device: place, number and weight of a node in the mean of its cell; of
    // cells that are boxes; where cells are smaller than two nodes, of those that a
    // cell is interpolated from; of cells with a node at the centre, with those at
    // boundaries among them
    const Foam::scalar meanBytes = 20;
    const Foam::scalar boxBytes = 80;
    const Foam::scalar interpolatedBytes = 160;
    const Foam::scalar centredBytes = 24;
    const Foam::scalar nodesOfMean = 8;


    void check
    (
        const Foam::lbmControls& controls,
        const Foam::lbmMeshDomain& lattice,
        const Foam::scalar nodes,
        const char* what,
        const Foam::scalar needed
    )
    {
        using namespace Foam;

        const scalar available = lbm::availableMemory();
        if (needed <= available) return;
        FatalIOErrorInFunction(controls.dict())
            << "About " << nodes << " nodes in " << what << " need "
            << needed/1e9 << " GB of memory; " << available/1e9
            << " GB are available" << nl
            << "Entry "
            << (controls.spacingIsFree() ? "cellSize"
                                          : controls.spacingEntry())
            << ": the cell size is " << lattice.spacing() << ", try "
            << lattice.spacing()
              *Foam::pow(needed/available, 1.0/lattice.axes().dimensions())
            << " or more" << exit(FatalIOError);
    }


    // Another device has its own memory, and says itself when it is too small;
    // what streams through it has one copy of them here
    Foam::scalar populationsOnHost
    (
        const lbm::Config& config,
        const lbm::MemoryUse& use
    )
    {
        const lbm::KernelRow& kernel = lbm::findKernel(config);
        const double all = double(use.populations);
        if (lbm::isOnHost(kernel)) return all;
        const bool streams =
            config.deviceMemory > 0
         && all + double(use.geometry) > config.deviceMemory;
        return streams ? all/lbm::storedState(kernel).copies : 0;
    }
}


Foam::lbmMemoryCheck::cells::cells(const polyMesh& mesh)
:
    n(mesh.nCells()),
    inBoxes(lbmCellNodes::shareOfBoxes(mesh))
{}


namespace
{
    // On a device
    Foam::scalar bytesOfMeans(const Foam::lbmMemoryCheck::cells& of, const Foam::scalar nodes)
    {
        using namespace Foam;
        const scalar perCell = nodes/max(of.n, scalar(1));
        // Halves of what is more than a piece may hold
        const scalar boxes = of.n + of.inBoxes*nodes/(lbmCellSums::nodesOfPiece/2);
        const bool centred = mag(perCell - 1) < 0.1;
        return perCell > nodesOfMean
          ? boxBytes*boxes + meanBytes*(1 - of.inBoxes)*nodes
          : (centred ? centredBytes : interpolatedBytes)*of.n;
    }


    // A device gives so much, or is not there: nothing
    Foam::scalar roomOnDevice(const lbm::Config& config)
    {
        try
        {
            const double room = lbm::deviceRoom(config.device).bytes;
            return config.deviceMemory > 0 ? std::min(config.deviceMemory, room) : room;
        }
        catch (const std::exception&)
        {
            return 0;
        }
    }


    // Of the host, a node: temperature follows the flow to a device that has room for both
    Foam::scalar hostBytesOfScalar
    (
        const lbm::Config& config,
        const lbm::MemoryUse& use,
        const Foam::scalar nodes,
        const Foam::lbmMemoryCheck::cells& of,
        const lbm::WallLawMemory& law
    )
    {
        if (!(of.ofScalar.device > 0)) return of.ofScalar.host;
        const Foam::scalar needed =
            Foam::scalar(use.populations) + Foam::scalar(use.geometry)
          + bytesOfMeans(of, nodes) + law.device + of.ofScalar.device*nodes;
        return needed < roomOnDevice(config)
          ? of.ofScalar.host : Foam::max(of.ofScalar.host, of.ofHostScalar);
    }
}


Foam::scalar Foam::lbmMemoryCheck::startBytes
(
    const scalar nodes,
    const cells& of
)
{
    return cellBytes*of.n
      + nodeBytes*max((1 - of.inBoxes)*nodes - of.n, scalar(0));
}


lbm::model::DomainCounts Foam::lbmMemoryCheck::counts
(
    const lbm::Domain& domain,
    const lbm::Config& config
)
{
    return lbm::model::countDomain(domain, lbm::findKernel(config));
}


lbm::WallLawMemory Foam::lbmMemoryCheck::ofLaws
(
    const laws& walls,
    const std::vector<double>& patchLinks,
    const lbm::Config& config
)
{
    if (walls.empty()) return {};
    scalar links = 0;
    for (const lbmLatticeLaw::wall& wall : walls) links += patchLinks.at(wall.patchi);
    return lbm::expectedLawMemory(config, links);
}


Foam::lbmMemoryCheck::need Foam::lbmMemoryCheck::needed
(
    const lbm::model::DomainCounts& counts,
    const lbm::KernelRow& kernel,
    const lbm::Config& config,
    const cells& of,
    const laws& walls
)
{
    const lbm::MemoryUse use = lbm::model::memoryOf(counts, kernel, config);
    need n;
    n.onHost = lbm::isOnHost(kernel);
    n.populations = scalar(use.populations);
    n.geometry = scalar(use.geometry);
    n.means = bytesOfMeans(of, counts.fluid);
    n.start = startBytes(counts.fluid, of);
    n.nodes = counts.box/8 + counts.links()*sizeof(lbm::Link);
    n.ofScalar = {of.ofScalar.host*counts.fluid, of.ofScalar.device*counts.fluid};
    n.law = ofLaws(walls, counts.patchLinks, config);
    return n;
}


Foam::scalar Foam::lbmMemoryCheck::budget::share(const need& n) const
{
    return max(n.host()/host, device > 0 ? n.device()/device : 0);
}


Foam::lbmMemoryCheck::budget Foam::lbmMemoryCheck::room
(
    const lbmControls& controls,
    const lbm::Config& config
)
{
    const scalar given = controls.deviceMemory();
    const auto gigabytes = [](const scalar bytes)
    {
        return Foam::name(bytes/1e9) + " GB";
    };
    budget b;
    b.device = 0;
    b.host = lbm::availableMemory();
    if (lbm::isOnHost(lbm::findKernel(config)))
    {
        const bool less = given > 0 && given < b.host;
        if (less) b.host = given;
        b.words = gigabytes(b.host)
          + (less ? " (entry deviceMemory)" : ", available on this machine");
        return b;
    }
    try
    {
        const lbm::DeviceRoom room(lbm::deviceRoom(config.device));
        const bool less = given > 0 && given < room.bytes;
        b.device = less ? given : room.bytes;
        b.words = gigabytes(b.device)
          + (less ? " (entry deviceMemory)" : string(", free on " + room.name))
          + " and " + gigabytes(b.host) + ", available on its host";
    }
    catch (const std::exception& fault)
    {
        FatalIOErrorInFunction(controls.dict())
            << fault.what() << exit(FatalIOError);
    }
    return b;
}


void Foam::lbmMemoryCheck::ofMesh
(
    const lbmControls& controls,
    const lbmMeshDomain& lattice,
    const lbm::Config& config
)
{
    const scalar bitsPerByte = 8;
    const scalar nodes = lattice.expectedNodes();
    // Counted for a million nodes: the bytes of a mistyped cell size pass
    // every whole number
    const scalar million = 1e6;
    const lbm::KernelRow& kernel = lbm::findKernel(config);
    // Another device has its own memory, and says itself when it is too small
    const scalar perMillion = lbm::isOnHost(kernel)
      ? scalar(lbm::populationBytes(kernel, million)) : 0;
    check
    (
        controls,
        lattice,
        nodes,
        "the mesh",
        nodes/million*perMillion + lattice.boxNodes()/bitsPerByte
    );
}


void Foam::lbmMemoryCheck::ofLattice
(
    const lbmControls& controls,
    const lbmMeshDomain& lattice,
    const lbm::Config& config,
    const cells& of,
    const laws& walls
)
{
    const lbm::MemoryUse use(lbm::expectedMemory(lattice.domain(), config));
    const std::vector<std::int64_t> links(lbm::linksPerPatch(lattice.domain()));
    ofEstimate
    (
        controls,
        lattice,
        config,
        use,
        lattice.domain().fluidNodes(),
        of,
        ofLaws(walls, {links.begin(), links.end()}, config)
    );
}


void Foam::lbmMemoryCheck::ofEstimate
(
    const lbmControls& controls,
    const lbmMeshDomain& lattice,
    const lbm::Config& config,
    const lbm::MemoryUse& use,
    const scalar nodes,
    const cells& of,
    const lbm::WallLawMemory& law
)
{
    check
    (
        controls,
        lattice,
        nodes,
        "the lattice",
        populationsOnHost(config, use) + scalar(use.geometry)
      + startBytes(nodes, of)
      + hostBytesOfScalar(config, use, nodes, of, law)*nodes + law.host
    );
}
