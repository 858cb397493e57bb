// Health of nodes that parts, ranks and threads share: the same, however they do. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"

#include <algorithm>
#include <limits>

namespace lbm {

inline Health healthOfNone()
{
    Health none;
    none.minDensity = std::numeric_limits<double>::max();
    none.maxDensity = -std::numeric_limits<double>::max();
    return none;
}

// Of nodes that are equally fast the first one.
inline void includeSpeed(Health& all, double speed, NodeIndex node)
{
    if (speed > all.maxSpeed || (speed == all.maxSpeed && node < all.fastest)) {
        all.maxSpeed = speed;
        all.fastest = node;
    }
}

// node: -1 is none.
inline void includeBad(Health& all, NodeIndex node)
{
    if (node >= 0 && (all.bad < 0 || node < all.bad)) all.bad = node;
}

inline void includeDensity(Health& all, double density)
{
    ++all.nodes;
    all.excess.add(density - 1);
    all.minDensity = std::min(all.minDensity, density);
    all.maxDensity = std::max(all.maxDensity, density);
}

// Both name nodes of the same domain.
inline void include(Health& all, const Health& more)
{
    includeSpeed(all, more.maxSpeed, more.fastest);
    includeBad(all, more.bad);
    all.nodes += more.nodes;
    all.excess.add(more.excess);
    all.minDensity = std::min(all.minDensity, more.minDensity);
    all.maxDensity = std::max(all.maxDensity, more.maxDensity);
}

} // namespace lbm
