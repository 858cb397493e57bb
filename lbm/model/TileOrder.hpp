// TileOrder: how near in memory the tiles lie that exchange populations, in the order in which TileGrid numbers them (row
// by row) and along a space-filling curve (Morton 1966). C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

namespace lbm::model {

// Of all pairs of tiles with fluid that share a face, the share whose numbers differ by at most `window`.
struct TileOrder {
    Int3 extents;
    std::int64_t window;
    double rows, curve;
};

// Throws std::invalid_argument for extents below 1.
TileOrder compareOrders(const Domain&, const Int3& extents, std::int64_t window);

} // namespace lbm::model
