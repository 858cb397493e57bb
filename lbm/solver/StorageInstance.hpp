// Body of the generated source of some storages, a lattice, precision and tile, which includes the storages' headers first.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/RegistryTypes.hpp"
#include "lbm/solver/TiledSolver.hpp"

namespace lbm {

template<class Storage>
std::unique_ptr<Part> makeTiled(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row,
                                const CollideKernel<typename Storage::Scalar>& kernel)
{
    return std::make_unique<TiledSolver<Storage>>(std::move(domain), config, row, kernel);
}

} // namespace lbm
