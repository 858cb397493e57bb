// What the registry and ranks know of each other: ranks are another library's, for the core itself knows no MPI.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Devices.hpp"
#include "lbm/solver/PartedSolver.hpp"

namespace lbm {

// Makes a part on one of its rank's devices; of a rank on processors there is one.
using MakePartOnDevice =
    std::function<std::unique_ptr<Part>(std::shared_ptr<const Domain>, const Config&, const DeviceOfRank&)>;

// Throws std::invalid_argument unless this is the first of as many ranks as the Config names, which serve.
using SpreadOverRanks = std::unique_ptr<SpreadParts> (*)(const Config&, const KernelRow&, PartedSolver::MakePart);

// To be set by who leads ranks; null: nobody does.
SpreadOverRanks& spreadOverRanks();

// As the registry makes a part at any rank.
std::unique_ptr<Part> makePart(std::shared_ptr<const Domain>, const Config&);

} // namespace lbm
