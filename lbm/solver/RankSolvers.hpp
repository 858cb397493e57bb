// What the registry needs of ranks, be they there or not. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/PartedSolver.hpp"

namespace lbm {

// Throws std::invalid_argument unless this is the first of as many ranks as the Config names, which serve.
std::unique_ptr<SpreadParts> spreadOverRanks(const Config&, const KernelRow&, PartedSolver::MakePart);

// As the registry makes a part at any rank.
std::unique_ptr<Part> makePart(std::shared_ptr<const Domain>, const Config&);

} // namespace lbm
