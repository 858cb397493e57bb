// CudaShared: device memory of one process that another process of the same host reaches, by a name that the one tells the other.
// Failures throw cuda::Error. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"

#include <string>
#include <utility>

namespace lbm::cuda {

class SharedMemory {
public:
    SharedMemory() = default;
    SharedMemory(const Device&, std::size_t bytes);
    SharedMemory(SharedMemory&& other) noexcept : memory_(std::move(other.memory_)) {}
    SharedMemory& operator=(SharedMemory&& other) noexcept
    {
        memory_ = std::move(other.memory_);
        return *this;
    }

    char* data() { return memory_.data(); }
    const char* data() const { return memory_.data(); }
    std::size_t bytes() const { return memory_.bytes(); }

    // Of as many bytes each, with what a device has of such memory; empty where it shares nothing.
    std::string name() const;
    static const std::size_t nameBytes;

private:
    Array<char> memory_;
};

// The same in the other process, for kernels of a device. To be gone before the memory is.
class OpenedMemory {
public:
    OpenedMemory() = default;
    OpenedMemory(const Device&, const std::string& name);
    ~OpenedMemory();
    OpenedMemory(OpenedMemory&& other) noexcept { swap(other); }
    OpenedMemory& operator=(OpenedMemory&& other) noexcept
    {
        swap(other);
        return *this;
    }

    char* data() const { return data_; } // null: nothing is open

private:
    void swap(OpenedMemory& other) noexcept
    {
        std::swap(device_, other.device_);
        std::swap(data_, other.data_);
    }

    const Device* device_ = nullptr;
    char* data_ = nullptr;
};

} // namespace lbm::cuda
