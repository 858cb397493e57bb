// CudaState: an array of what nodes of a CUDA device's tiles hold, one copy or two. It lies in the device's memory, or, where that
// does not hold it, in the host's, and a window of it in the device's (see Slabs): then kernels that step see the window, and
// whoever reads or writes nodes between steps the host's memory. Other processes may reach what lies in the device's.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaShared.hpp"
#include "lbm/device/CudaStream.hpp"
#include "lbm/device/Window.hpp"
#include "lbm/geometry/Slabs.hpp"

namespace lbm {

template<class T>
class CudaState {
public:
    // In device memory. n: values of a copy.
    void reside(const cuda::Device& device, std::size_t n, int copies)
    {
        copies_ = copies;
        for (int c = 0; c < copies; ++c) {
            resident_[c] = {device, n * sizeof(T)};
            copy_[c] = reinterpret_cast<T*>(resident_[c].data());
        }
    }

    // Of windows, in bytes. sizes, unit: in values; see Window.
    static std::size_t windowBytes(int copies, const WindowSizes& sizes, std::size_t unit = 1)
    {
        std::size_t bytes = 0;
        for (int c = 0; c < copies; ++c)
            for (const std::size_t values : {sizes.head, sizes.ring[c]})
                bytes += cuda::Window::whole(values * sizeof(T), unit * sizeof(T));
        return bytes;
    }

    // In the host's.
    void stream(const cuda::Device& device, std::size_t n, int copies, const WindowSizes& sizes, std::size_t unit = 1)
    {
        copies_ = copies;
        home_ = {device, n * sizeof(T)};
        for (int c = 0; c < copies; ++c) {
            window_[c] = {device, n * sizeof(T), sizes.head * sizeof(T), sizes.ring[c] * sizeof(T), unit * sizeof(T)};
            copy_[c] = static_cast<T*>(window_[c].data());
            ring_[c] = cuda::Window::whole(sizes.ring[c] * sizeof(T), unit * sizeof(T)) / sizeof(T);
            onward_[c] = sizes.onward[c];
        }
    }

    // See Window.
    void letIn(const cuda::Device& own, const cuda::Device& other)
    {
        for (cuda::Window& window : window_) window.letIn(own, other);
    }

    // Of what at() gives, in the device's memory; see SharedMemory.
    std::string name(int ahead) const { return resident_[(now_ + ahead) % copies_].name(); }

    bool streamed() const { return home_.bytes() > 0; }
    std::size_t deviceBytes() const
    {
        return resident_[0].bytes() + resident_[1].bytes() + window_[0].bytes() + window_[1].bytes();
    }

    // For kernels of steps: the state after so many more steps. (One copy: the same.)
    T* at(int ahead) const { return inPass((now_ + ahead) % copies_, false); }

    // For those that look at nodes: the state between steps.
    T* now() const { return streamed() ? static_cast<T*>(home_.onDevice()) : at(0); }

    // What is handed over to other parts: the state between steps, or that after so many steps of a pass.
    static constexpr int betweenSteps = -1;
    T* handedOver(int ahead) const { return ahead == betweenSteps ? now() : at(ahead); }

    // A pass over what is streamed begins with the first window.
    void moveOn(int steps)
    {
        now_ = streamed() ? 0 : (now_ + steps) % copies_;
        if (streamed())
            for (int c = 0; c < copies_; ++c) begin_[c] = nextBegin(c);
    }

    // Values from the first to behind the last: into the first window, for this pass or already for the next one, and out of
    // that after so many steps.
    void takeUp(std::size_t first, std::size_t last, bool forNext, const cuda::Stream& stream)
    {
        if (first < last) stream.toDevice(inPass(0, forNext) + first, home() + first, (last - first) * sizeof(T));
    }
    void takeOut(std::size_t first, std::size_t last, int steps, const cuda::Stream& stream)
    {
        if (first < last) stream.toHost(home() + first, at(steps) + first, (last - first) * sizeof(T));
    }

private:
    T* home() const { return static_cast<T*>(home_.data()); }

    // Where a copy begins: in a window each pass behind the one before.
    std::size_t nextBegin(int copy) const { return (begin_[copy] + onward_[copy]) % ring_[copy]; }
    T* inPass(int copy, bool next) const { return copy_[copy] + (streamed() && next ? nextBegin(copy) : begin_[copy]); }

    int copies_ = 1, now_ = 0;
    std::size_t ring_[2] = {1, 1}, onward_[2] = {0, 0}, begin_[2] = {0, 0}; // of windows, in values
    cuda::SharedMemory resident_[2];
    cuda::PinnedMemory home_;
    cuda::Window window_[2];
    T* copy_[2] = {nullptr, nullptr};
};

} // namespace lbm
