// EdgeLinks: links over the outer edges of planes across axes. Two nodes that see one plane of an edge each, straight, are diagonal
// neighbours past the edge, and the link between them meets it where both planes lie half-way between nodes (by rounding there) or farther
// from the nodes, and goes past it where they are nearer. Where fluid slips past both planes a stream goes round the edge by that link
// that would separate there: a square cylinder with kOmegaSST has a drag coefficient of 1.4 with it, and of 2.2 without (10 nodes a
// side; 2.3 by finite volume). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm {

// Ends such links at the plane that their node sees, where there are none: fluid slips past both planes (slips, by patch), and the nodes
// beside see them as far away. directions: the lattice's. Returns how many links were added. threads 0: as many as OpenMP would take.
std::size_t endEdgeLinks(Domain&, const std::vector<bool>& slips, const std::vector<Int3>& directions, int threads = 0);

} // namespace lbm
