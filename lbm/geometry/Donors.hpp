// Donors: for links through an opening or a plane of symmetry, the fluid node from which the flow is carried on
// behind it. A link from x along c ends at a ghost node; its donor is the ghost's neighbour straight inwards,
// along the axes on which the patch's links at x lean most.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/Domain.hpp"

namespace lbm {

struct Donor {
    std::int64_t link;      // record in Domain::links
    NodeIndex node;         // fluid node, or -1: it would lie behind another patch
    NodeIndex beyond;       // fluid node one further in than the donor, or -1
    std::int64_t corner;    // then the record of the link from x to it; -1: none, a resting wall
    std::uint8_t inward;    // directionCode from the ghost to the donor
};

// One for each link of the chosen patches, in the order of Domain::links.
std::vector<Donor> findDonors(const Domain&, const std::vector<bool>& patches);

} // namespace lbm
