// A catalogue of one kernel, by name, which no fuzz target runs.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/CudaTypes.hpp"
#include "lbm/solver/RegistryTypes.hpp"

namespace lbm {

void fillCatalogue(Catalogue<double>& c)
{
    c.storages.push_back({"D3Q19", "aa", "8x4x4", "trt", nullptr});
    c.collisions.push_back({"D3Q19", "trt", "constant", "incompressible", "simd", {}});
}

void fillCatalogue(Catalogue<float>&) {}
void fillCatalogue(CudaCatalogue<double>&) {}
void fillCatalogue(CudaCatalogue<float>&) {}

const std::vector<LeftOutKernel>& leftOutKernels()
{
    static const std::vector<LeftOutKernel> none;
    return none;
}

} // namespace lbm
