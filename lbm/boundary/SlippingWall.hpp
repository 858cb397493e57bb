// How a link of a wall past which the fluid slips takes what it is told: see lbm/api/SlippingWall.hpp.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/physics/LawLink.hpp"

namespace lbm {

SlipShares slipShares(const Domain&, const std::vector<LinkValue>& patches, const Link&);

} // namespace lbm
