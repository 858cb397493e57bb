// DomainCounts: what the memory of a lattice follows from, counted in a Domain, and about what it is for other cells of the same
// geometry: a coarse lattice tells what a fine one will take. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <vector>

namespace lbm::model {

struct DomainCounts {
    int dimensions = 3;
    Int3 tile{1, 1, 1};             // extents
    Int3 size{1, 1, 1};             // of the box
    Vec3 lastLayer{0, 0, 0};        // of nodes at the box's upper end along each axis: the share that is fluid
    double box = 0, fluid = 0;      // nodes
    double boxTiles = 0, tiles = 0; // of the box; with a fluid node
    std::vector<double> patchLinks; // by patch

    double links() const;

    // With cells that are so many times smaller. Nodes grow with the volume; links, and what tiles hold beside fluid, which is
    // in those that walls cut, with the area.
    DomainCounts refined(double times) const;

    // The same where the finer box's size is known, and about how many of its nodes are fluid (0: follows from these counts): what
    // tiles have beyond the box's upper ends is counted, not scaled.
    DomainCounts refined(double times, const Int3& finerSize, double finerFluid = 0) const;

private:
    double beyondBox(const Int3& ofSize) const; // nodes of tiles with fluid
};

// In tiles of the row.
DomainCounts countDomain(const Domain&, const KernelRow&);

// About what makeSolver takes for one part; Config::patches as the links' patches. Geometry of a device's kernels lies in the
// host's memory, too.
MemoryUse memoryOf(const DomainCounts&, const KernelRow&, const Config&);

} // namespace lbm::model
