// Edges: where two planes of symmetry meet in an edge round which the fluid lies, one node beyond it (outer) and one at each plane
// (sides), with a node that is not fluid between the sides. What the three send to the edge comes back from it in halves: of a
// side's one goes on to the other side, one is mirrored to the outer node; of the outer node's one is mirrored to either side.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/reference/Neighbours.hpp"

#include <utility>
#include <vector>

namespace lbm::reference {

// By record: nodes, and the directions in which they send what arrives, half of each. None: the link meets no edge, or several.
using SentRound = std::vector<std::pair<NodeIndex, Int3>>;
std::vector<SentRound> sentRoundEdges(const Domain&, const Neighbours&, const std::vector<LinkValue>& patches);

} // namespace lbm::reference
