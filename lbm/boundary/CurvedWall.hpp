// CurvedWall: what a link through an interpolated wall draws on. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"
#include "lbm/boundary/InterpolatedWall.hpp"

#include <vector>

namespace lbm {

struct CurvedWall {
    WallInterpolation shares;
    NodeIndex further = -1;       // the fluid node of f*_more; -1: not needed
    bool furtherOut = false;      // f*_more is a population of the link's own direction, else of the opposite one
    const Link* across = nullptr; // an interpolated wall on the other side of the node
};

// link: one of an interpolatedWall among `patches`, which has an entry a patch of the Domain.
CurvedWall curvedWall(const Domain&, const std::vector<LinkValue>& patches, const Link& link);

} // namespace lbm
