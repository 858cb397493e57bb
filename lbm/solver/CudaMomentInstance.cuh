// Body of the generated source of the moment representation of one lattice, precision, tile and collision: as kernels
// for boundaries and access depend on the collision, too, solver and step are compiled together.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Closures.hpp"
#include "lbm/physics/Equilibrium.hpp"
#include "lbm/solver/CudaSolver.cuh"
#include "lbm/solver/CudaTypes.hpp"
#include "lbm/storage/moments/gpu/CudaMoments.cuh"

namespace lbm {

template<class Storage>
std::unique_ptr<Part> makeCudaMoments(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row)
{
    return std::make_unique<CudaSolver<Storage>>(std::move(domain), config, row);
}

// S: what a moment is stored as.
template<int copies, class L, class T, class S, class TileT, class Collision, class... Equilibria>
void addMoments(std::vector<CudaMomentEntry<T>>& entries, const char* storage, const char* tile)
{
    static_assert(Collision::template supports<L>, "kernels.list asks for a collision that this lattice lacks");
    using Kept = typename KeptLattice<L, Collision>::Type;
    (entries.push_back({L::name, storage, tile, Collision::name, closureName<Collision>, Equilibria::name,
                        &makeCudaMoments<CudaMoments<copies, Kept, T, S, TileT, Collision, Equilibria>>}),
     ...);
}

} // namespace lbm
