// CurvedLink: a link through an interpolated wall, as storages have it. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Macros.hpp"

#include <cstdint>

namespace lbm {

// See lbm/boundary/InterpolatedWall.hpp for the factors.
template<class T>
struct CurvedLink {
    T sentAway;                         // f*_in: the node's own population of this direction after the last collision
    T move;                             // the walls' share
    float reflected, arriving, further; // a, b, d
    std::int32_t distant;               // of f*_more; -1: none
    std::int16_t local;
    std::uint8_t direction; // incoming

    LBM_HD T kept() const { return 1 - T(reflected) - T(arriving) - T(further); }
};

} // namespace lbm
