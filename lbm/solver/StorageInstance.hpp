// Body of the generated source of one storage, lattice, precision and tile.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/RegistryTypes.hpp"
#include "lbm/solver/TiledSolver.hpp"
#include "lbm/storage/moments/cpu/MomentWindow.hpp"
#include "lbm/storage/nodes/NodeStorage.hpp"
#include "lbm/storage/rows/Aa.hpp"
#include "lbm/storage/rows/Ab.hpp"
#include "lbm/storage/rows/T2c.hpp"

namespace lbm {

template<class Storage>
std::unique_ptr<Part> makeTiled(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row,
                                const CollideKernel<typename Storage::Scalar>& kernel)
{
    return std::make_unique<TiledSolver<Storage>>(std::move(domain), config, row, kernel);
}

} // namespace lbm
