// WindingScan: which nodes lie inside a surface that need not be closed, by the winding number.
//
// The number is taken at the nodes around the surface. Away from it, it is a harmonic function: where it
// passes one half (across a hole), that face starts at the surface, and is followed node by
// node; all other nodes are as their neighbours.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/Slabs.hpp"
#include "adapters/surface/WindingTree.hpp"
#include "lbm/surface/SurfaceDevice.hpp"

namespace lbm::exact {

struct ScanCounts {
    std::int64_t across = 0; // nodes along faces across holes
};

// Of the nodes of a box those whose side is known, and which of them lie inside.
struct KnownNodes {
    BitSet known, inside;
};

// Those around the surface in some slabs; how many in `near`. tree: positions in node spacings from node (0,0,0). device: adds up
// the tree's terms, if there is one.
KnownNodes nearSides(const Surface& surface, const WindingTree& tree, const DeviceWinding* device,
                     const std::vector<Slab>& slabs, int threads, std::int64_t& near);

// All of the box, of which the slabs are the whole, from all those around the surface.
BitSet windingScan(const WindingTree& tree, KnownNodes near, const std::vector<Slab>& slabs, int threads,
                   ScanCounts& counts);

} // namespace lbm::exact
