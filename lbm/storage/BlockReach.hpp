// BlockReach: what boundaries look at from a node, for blocks of several steps (moments/cpu/BlockPlan.hpp, rows/PopulationPlan.hpp), in which
// nodes a line away are a step ahead at most; what of it no blocks can have. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/boundary/Donors.hpp"

#include <string>

namespace lbm {

std::string patchName(const Domain&, int patch);

// Of openings and planes.
DonorRuns donorsOf(const Domain&, const Config&);

// What blocks can complete: of nodes the populations that arrive, from states of nodes a line away.
inline bool blocksMayHave(const LinkValue& value)
{
    return !value.velocityGradient && value.kind != BoundaryKind::frame && value.kind != BoundaryKind::turn;
}

// Walls whose links add to what is sent back nothing that depends on the flow (but on its density where that is compressible). Openings
// with a velocity look at the flow where it leaves (Leaving.hpp).
inline bool addsFixedValues(const LinkValue& value)
{
    return value.kind == BoundaryKind::wall || value.kind == BoundaryKind::movingWall;
}

// Which opening or plane takes its flow from further away. Empty: none.
std::string farDonor(const Domain&, const DonorRuns&);

// Why no blocks can have the domain, whatever they store: parts, forces by node, patches that take their flow from further away. Empty:
// they may.
std::string reachObstacle(const Domain&, const Config&);

} // namespace lbm
