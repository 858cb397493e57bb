// SectorDomain: the Domain of a sector that repeats by turns. Its walls go on behind its sides: those of the whole circle are what
// links of its nodes end at, and only links to the circle's other fluid nodes go through the sides.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/SurfaceDomain.hpp"

namespace lbm {

// mesh: the sector, with its sides, which are the turns' patches (none of options.transparent). turns: of the box; of them
// twiceCentre is odd across the axis. centre: SI, on the axis that the mesh repeats about; a small part of the spacing off the one
// of the turns, where sides would go through nodes. facts: of the sector. Throws as makeDomain does.
Domain makeSectorDomain(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                        const SurfaceOptions& options, const std::vector<Turn>& turns, const Vec3& centre,
                        SurfaceFacts* facts = nullptr);

} // namespace lbm
