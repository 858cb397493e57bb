// What the generated CUDA sources and the registry agree on: storages and steps are compiled once each and meet
// through a pointer to a function that launches the step. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Part.hpp"
#include "lbm/storage/nodes/CudaStep.hpp"

#include <memory>
#include <vector>

namespace lbm {

template<class T>
struct CudaStepEntry {
    const char *lattice, *storage, *tile, *collision, *closure, *equilibrium;
    CudaStep<T> step;
};

template<class T>
struct CudaStorageEntry {
    const char *lattice, *storage, *tile;
    std::unique_ptr<Part> (*make)(std::shared_ptr<const Domain>, const Config&, const KernelRow&, const CudaStep<T>&);
};

// Storages that are compiled together with their step.
template<class T>
struct CudaMomentEntry {
    const char *lattice, *storage, *tile, *collision, *closure, *equilibrium;
    std::unique_ptr<Part> (*make)(std::shared_ptr<const Domain>, const Config&, const KernelRow&);
};

template<class T>
struct CudaCatalogue {
    std::vector<CudaStorageEntry<T>> storages;
    std::vector<CudaStepEntry<T>> steps;
    std::vector<CudaMomentEntry<T>> moments;
};

// Generated from kernels.list; empty in a build without CUDA.
void fillCatalogue(CudaCatalogue<double>&);
void fillCatalogue(CudaCatalogue<float>&);

} // namespace lbm
