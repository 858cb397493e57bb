// Body of the generated source of one CUDA storage, lattice, precision and tile.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/CudaSolver.cuh"
#include "lbm/storage/nodes/CudaTiles.cuh"

namespace lbm {

template<class Phases, class L, class T, class TileT>
std::unique_ptr<Part> makeCuda(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row,
                               const CudaStep<T>& step)
{
    return std::make_unique<CudaSolver<CudaTiles<Phases, L, T, TileT>>>(std::move(domain), config, row, step);
}

} // namespace lbm
