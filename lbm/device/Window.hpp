// Window: an array that is longer than what a CUDA device holds of it: its first bytes for good, of what lies behind a piece at a
// time. All of it has addresses, and those a ring's length apart are the same memory: kernels that work on a piece need to
// know nothing of it. There is a turn of the ring more than the array takes: it may begin anywhere in the first one.
// (Virtual memory management of CUDA's driver, which maps an allocation to several addresses.)
// Failures throw cuda::Error. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace lbm::cuda {

class Window {
public:
    Window() = default;
    // Memory is zero at first. unit: what is copied at once within the device, in bytes; none crosses from one turn of the ring to the
    // next one, if the array consists of such. Throws if the device does not have as much.
    Window(const Device&, std::size_t bytes, std::size_t head, std::size_t ring, std::size_t unit = 1);
    ~Window();
    Window(Window&& other) noexcept { swap(other); }
    Window& operator=(Window&& other) noexcept
    {
        swap(other);
        return *this;
    }

    // Kernels of another device, which reaches this one's memory (cuda::reaches), write to it, too.
    void letIn(const Device& own, const Device& other);

    void* data() const { return reinterpret_cast<void*>(start_); }
    std::size_t bytes() const { return held_; } // of device memory

    // What a head or a ring of so many bytes takes: pages and units.
    static std::size_t whole(std::size_t bytes, std::size_t unit = 1)
    {
        const std::size_t step = std::lcm(page, unit);
        return (bytes + step - 1) / step * step;
    }
    static constexpr std::size_t page = std::size_t(2) << 20; // of devices

private:
    void swap(Window& other) noexcept
    {
        std::swap(start_, other.start_);
        std::swap(reserved_, other.reserved_);
        std::swap(held_, other.held_);
        std::swap(mapped_, other.mapped_);
        std::swap(memory_, other.memory_);
        std::swap(devices_, other.devices_);
    }
    void release() noexcept;
    std::uint64_t hold(const Device&, std::size_t bytes);
    void map(const Device&, std::size_t at, std::uint64_t memory, std::size_t bytes);

    std::uint64_t start_ = 0;
    std::size_t reserved_ = 0, held_ = 0;
    std::vector<std::pair<std::size_t, std::size_t>> mapped_; // where, bytes
    std::vector<std::uint64_t> memory_;
    std::vector<Device> devices_; // that reach it
};

// Memory of the host, zero at first, that devices reach by themselves, be it slowly, and from which they copy at the full rate of
// their link.
class PinnedMemory {
public:
    PinnedMemory() = default;
    PinnedMemory(const Device&, std::size_t bytes);
    ~PinnedMemory();
    PinnedMemory(PinnedMemory&& other) noexcept { swap(other); }
    PinnedMemory& operator=(PinnedMemory&& other) noexcept
    {
        swap(other);
        return *this;
    }

    void* data() const { return data_; }         // for the host
    void* onDevice() const { return onDevice_; } // the same for kernels
    std::size_t bytes() const { return bytes_; }

private:
    void swap(PinnedMemory& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(onDevice_, other.onDevice_);
        std::swap(bytes_, other.bytes_);
        std::swap(registered_, other.registered_);
    }

    void *data_ = nullptr, *onDevice_ = nullptr;
    std::size_t bytes_ = 0;
    bool registered_ = false;
};

} // namespace lbm::cuda
