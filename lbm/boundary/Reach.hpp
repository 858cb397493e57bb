// Reach: how far from a node lie others whose state its next step draws on. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

#include <algorithm>

namespace lbm {

// In nodes along each axis, for the patches of a Config.
inline int reachOf(const Config& config)
{
    constexpr int ofLinks = 1, ofQuadraticWalls = 2; // of frames that of links; turns are of one part
    // Donors lie up to three layers inwards of a ghost node, which lies one link away, and where a patch leans as far aside
    constexpr int ofDonors = 4;
    int reach = ofLinks;
    for (const LinkValue& patch : config.patches) {
        const bool atEnd = patch.kind == BoundaryKind::frame || patch.kind == BoundaryKind::turn;
        if (needsDonor(patch.kind) && !atEnd) reach = std::max(reach, ofDonors);
        if (patch.kind == BoundaryKind::interpolatedWall) reach = std::max(reach, ofQuadraticWalls);
    }
    return reach;
}

} // namespace lbm
