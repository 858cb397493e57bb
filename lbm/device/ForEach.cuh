// forEach: a function of a number on a CUDA device, once for each of many. Tests have the same of a host (tests/equivalence/host).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"

#include <string>

namespace lbm::cuda {

template<class F>
__global__ void __launch_bounds__(128) callEach(std::size_t n, F f)
{
    const std::size_t i = std::size_t(blockIdx.x) * 128 + threadIdx.x;
    if (i < n) f(i);
}

// f(i) for i from 0 to n - 1, in the device's default stream. what: for messages.
template<class F>
void forEach(const Device& device, std::size_t n, const F& f, const std::string& what)
{
    if (n == 0) return;
    device.use();
    callEach<<<unsigned((n + 127) / 128), 128>>>(n, f);
    device.check(what);
}

} // namespace lbm::cuda
