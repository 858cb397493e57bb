// SurfaceTeam: makeDomain by all processes that share a lattice. Each has the whole surface and finds nodes and links of planes of
// its own, so many that it has about as much to do as others; the first one puts them together. Meanwhile each holds, besides the
// surface, a bit of each node of the whole box, or two where winding numbers tell. The Domain does not depend on how many there
// are. Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/SurfaceDomain.hpp"

namespace lbm::exact {

// See makeDomain, which has looked at the arguments. What another process finds at fault comes as SurfaceError that names the rank,
// but for std::invalid_argument and std::out_of_range, whose words are the process's, and std::bad_alloc: these name none.
Domain sharedDomain(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                    const SurfaceOptions& options, SurfaceFacts& facts);

// Where the planes of each of n processes begin, and where the last ones' end: each at a word of a BitSet of the box. byWinding: of
// so many triangles, which come first, the winding number is taken. The first process, which does more besides, has less of them.
std::vector<int> sharesOfPlanes(const TriangleMesh& mesh, const LatticeBox& box, std::size_t byWinding, int n);

} // namespace lbm::exact
