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

// Whether parts of a periodic box are expected to take several steps in one pass: all lie beside each other across y and are large enough, and
// each is on a device of its own (if others reach its memory).
bool partsPassOverBox(const KernelRow&, const Domain& whole, const Config&);

// Axes along which cuts change how a GPU's moments are rounded ("x", "x and z"), also where products and sums are kept apart; empty:
// none. Links around the end of a periodic axis that is no whole number of tiles are added behind a node's others; where a cut ends that
// axis they are as all others.
std::string axesRoundedByCuts(const KernelRow&, const Domain& whole, const Bricks&);

} // namespace lbm
