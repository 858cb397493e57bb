// What the generated sources and the registry agree on.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/CollideEntry.hpp"
#include "lbm/solver/Part.hpp"

#include <memory>

namespace lbm {

template<class T>
using TiledFactory = std::unique_ptr<Part> (*)(std::shared_ptr<const Domain>, const Config&, const KernelRow&,
                                               const CollideKernel<T>&);

template<class T>
struct StorageEntry {
    const char *lattice, *storage, *tile, *collisions; // collisions: separated by commas
    TiledFactory<T> make;
};

template<class T>
struct Catalogue {
    std::vector<StorageEntry<T>> storages;
    std::vector<CollideEntry<T>> collisions;
};

// Generated from kernels.list; the order of its lines is kept.
void fillCatalogue(Catalogue<double>&);
void fillCatalogue(Catalogue<float>&);

// What a node's moments (MomentSet) stand for by a row's collision; null: this build lacks it, or it takes more than moments.
// factors: at a relaxation rate.
struct NodeOfMoments {
    void (*populations)(const double* moments, const FourthFactors<double>&, double* populations) = nullptr;
    FourthFactors<double> (*factors)(double omega) = nullptr;
};
NodeOfMoments nodeOfMoments(const KernelRow&);

// Rows of kernels.list that LBM_KERNELS=all would have built here, in any arithmetic. Plain words: compilers take half a minute
// for thousands of strings.
struct LeftOutKernel {
    const char *lattice, *collision, *closure, *equilibrium, *storage, *precision, *device, *tile;
};
const std::vector<LeftOutKernel>& leftOutKernels();

} // namespace lbm
