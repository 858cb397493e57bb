// In the place of lbm/device/ForEach.cuh. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"

#include <string>

namespace lbm::cuda {

template<class F>
void forEach(const Device&, std::size_t n, const F& f, const std::string&)
{
    for (std::size_t i = 0; i < n; ++i) f(i);
}

} // namespace lbm::cuda
