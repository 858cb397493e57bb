// Neighbours: what lies around each node of a Domain, from plain tables of all nodes in all directions.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm::reference {

class Neighbours {
public:
    explicit Neighbours(const Domain&);

    // The node so many links on, whatever lies between, through periodic sides; -1: outside the box.
    NodeIndex nodeAt(NodeIndex, const Int3& links) const;

    // The same; -1: solid, too.
    NodeIndex fluidAt(NodeIndex, const Int3& links) const;

    // The fluid node at the other end of a link; -1, too, if the link is recorded, for then something lies between.
    NodeIndex openAt(NodeIndex, const Int3& link) const;

    // Place in Domain::links; -1: none, or not a link.
    int recordAt(NodeIndex, const Int3& link) const;

private:
    Int3 size_;
    std::array<bool, 3> periodic_;
    std::vector<bool> fluid_;
    std::vector<std::array<int, 27>> records_; // [node][cx + 1 + 3(cy + 1) + 9(cz + 1)]
};

} // namespace lbm::reference
