// CudaPeers: which CUDA devices kernels of another one reach by themselves, and memory that a device's kernels fill for those
// of another one. Failures throw cuda::Error. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Window.hpp"

namespace lbm::cuda {

// Whether kernels on `own` may read and write what is in the memory of `other`; from now on they may.
bool reaches(const Device& own, const Device& other);

// Written by one device and read by another: in the reader's memory where the writer reaches it, else in the host's.
class Passage {
public:
    Passage() = default;
    Passage(const Device& reader, std::size_t bytes, bool onHost)
    {
        if (onHost) host_ = {reader, bytes};
        else memory_ = {reader, bytes};
    }

    void* data() { return host_.bytes() ? host_.onDevice() : memory_.data(); }
    std::size_t bytes() const { return host_.bytes() + memory_.bytes(); }

private:
    Array<char> memory_;
    PinnedMemory host_;
};

} // namespace lbm::cuda
