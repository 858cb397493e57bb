// SlabAgreement: a domain of several parts that does not fit into its devices' memory: whether its parts stream through them, how it is cut
// then, and which slabs and passes all parts have (SlabPart). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Solver.hpp"
#include "lbm/geometry/Bricks.hpp"
#include "lbm/solver/Part.hpp"

#include <vector>

namespace lbm {

// Parts that a device has at most. Devices of ranks are taken to be theirs alone.
int partsOfDevice(const Config&);

// All of a domain's parts do, or none: where slabs are asked for, or where what parts take together is more than their devices give
// (what is free on those of this process, at most Config::deviceMemory). Throws std::invalid_argument where a given budget asks for slabs of a
// storage that has none.
bool partsStream(const KernelRow&, const Domain&, const Config&);

// Of parts that do: none lies across the axis of slabs.
CutCosts slabCutCosts(CutCosts);

// The Config of each: of a device's budget its share, and that it streams.
Config configOfSlabPart(const KernelRow&, Config);

// All parts stream from now on. Throws cuda::Error where nothing fits.
void agreeOnSlabs(const std::vector<SlabPart*>&, const Config&);

} // namespace lbm
