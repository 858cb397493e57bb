// Upload: what the host has in ordinary memory goes to a CUDA device by way of pinned memory, in slices: threads copy one while
// another is on its way. (From ordinary memory itself a link carries a fifth of what it can.) Failures throw cuda::Error.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/device/Window.hpp"

namespace lbm::cuda {

class Upload {
public:
    explicit Upload(const Device&);

    // What is begun in the device's default stream afterwards finds it there; `source` may change at once.
    void send(void* target, const void* source, std::size_t bytes);

    // Until all has arrived.
    void finish();

private:
    static constexpr std::size_t slice = std::size_t(4) << 20;
    static constexpr int slices = 2;

    Stream stream_;
    PinnedMemory memory_;
    Event sent_[slices];
    int next_ = 0;
};

} // namespace lbm::cuda
