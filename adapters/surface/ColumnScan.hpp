// ColumnScan: which nodes lie inside, by parity of the crossings along x, and which lie on the surface.
//
// A column of nodes that meets an edge or a corner is decided as if it were moved by an infinitely small
// step along y and a smaller one along z, a node in a triangle's plane by another one along x. Both
// triangles at an edge see the same move, so every column crosses the surface as often as it should.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/ExactSurface.hpp"

namespace lbm::exact {

// The slab of planes [begin, end) of a box of nodes; slabs of one box may be worked on in parallel
// if begin*size[0]*size[1] is a multiple of 64.
struct Slab {
    Int3 size;
    int begin, end;
};

// Flips the nodes of the slab behind each crossing, seen along +x.
void flipInside(const Surface& surface, const Slab& slab, BitSet& inside);

// Clears nodes that lie exactly on a triangle that is not skipped; returns how many were set before.
std::int64_t clearOnSurface(const Surface& surface, const std::vector<bool>& skippedRegions, const Slab& slab,
                            BitSet& fluid);

// Whether a point lies inside; decided as for nodes.
bool isInside(const Surface& surface, const Point& point);

} // namespace lbm::exact
