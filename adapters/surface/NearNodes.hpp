// NearNodes: the nodes of a slab from which some link might meet the surface.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/ColumnScan.hpp"

namespace lbm::exact {

// One bit a node of the slab, x fastest. Never misses one; marks a few more.
BitSet nearNodes(const Surface& surface, const std::vector<bool>& skippedRegions, const std::array<bool, 3>& periodic,
                 const Slab& slab);

} // namespace lbm::exact
