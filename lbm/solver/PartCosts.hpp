// PartCosts: what the cut of a domain into parts is judged by, of a row: costs of faces and links, ghosts and tiles, bytes of what
// is handed over. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Config.hpp"
#include "lbm/geometry/CutFacts.hpp"

namespace lbm {

// Measured: faces across the last axis are dear where blocks slide along it, for a rim across it is no range of what they do, and is
// not stepped before the rest; links of interpolated walls and openings by kind of patch.
CutCosts cutCosts(const KernelRow&, const Config&);

CutView cutView(const KernelRow&, const Config&);

// Of a step.
double handedOverBytes(const KernelRow&, const TakenGhosts&);

// Whether ghosts are handed over while inner tiles are stepped.
bool overlapsHandover(const KernelRow&, const Config&);

} // namespace lbm
