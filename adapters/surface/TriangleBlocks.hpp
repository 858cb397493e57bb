// TriangleBlocks: the triangles of a surface put to blocks of nodes, as searches of many nodes at a time take them.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/ExactSurface.hpp"
#include "lbm/surface/SearchBlocks.hpp"

namespace lbm::exact {

// All of a surface; those of skipped regions, and those without an area, reach no node.
SearchTriangles searchTriangles(const Surface& surface, const std::vector<bool>& skippedRegions,
                                const std::vector<bool>& preferredRegions, int threads);

// Lists of blocks for planes [begin, end) of a box of nodes, with fewer planes if these have more than so many blocks or entries (32
// bits count them), but one layer of blocks at least; end becomes that of the planes that were taken. Throws NoDeviceRoom for a layer
// with more entries.
SearchBlockLists searchBlockLists(const SearchTriangles& triangles, Coordinate unit, const Int3& size, int begin,
                                  int& end, std::size_t mostSearchBlocks, std::size_t mostEntries, int threads);

} // namespace lbm::exact
