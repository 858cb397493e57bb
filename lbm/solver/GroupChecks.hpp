// Checks of groups that are to be placed. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/NodeSet.hpp"

namespace lbm {

// Throws std::invalid_argument for groups whose arrays do not fit together or a direction of `directions` or more,
// std::out_of_range for a node that is not fluid.
void requireGroups(const Domain&, const NodeGroups&, int directions);

} // namespace lbm
