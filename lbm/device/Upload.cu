// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/Upload.hpp"

#include <algorithm>
#include <cstring>

namespace lbm::cuda {

Upload::Upload(const Device& device) :
    stream_(device), memory_(device, slices * slice), sent_{Event(device), Event(device)}
{}

void Upload::send(void* target, const void* source, std::size_t bytes)
{
    constexpr std::size_t piece = std::size_t(64) << 10;
    for (std::size_t first = 0; first < bytes; first += slice) {
        const std::size_t n = std::min(slice, bytes - first);
        char* const pinned = static_cast<char*>(memory_.data()) + std::size_t(next_) * slice;
        const char* const from = static_cast<const char*>(source) + first;
        Stream::wait(sent_[next_]);
#pragma omp parallel for schedule(static) if (n > 4 * piece)
        for (std::size_t at = 0; at < n; at += piece) std::memcpy(pinned + at, from + at, std::min(piece, n - at));
        stream_.toDevice(static_cast<char*>(target) + first, pinned, n);
        stream_.record(sent_[next_]);
        next_ = (next_ + 1) % slices;
    }
}

void Upload::finish()
{
    for (const Event& sent : sent_) Stream::wait(sent);
}

void Device::toDevice(void* target, const void* source, std::size_t bytes) const
{
    // A link carries a fifth of what it can from ordinary memory
    constexpr std::size_t large = std::size_t(64) << 20;
    use();
    if (bytes >= large) {
        // The upload's own stream does not wait for what others still do there, as cudaMemcpy does
        const cudaError_t done = cudaDeviceSynchronize();
        if (done != cudaSuccess) throw Error(name_ + ", before a copy to the device: " + cudaGetErrorString(done));
        Upload upload(*this);
        upload.send(target, source, bytes);
        upload.finish();
        return;
    }
    const cudaError_t status = cudaMemcpy(target, source, bytes, cudaMemcpyHostToDevice);
    if (status != cudaSuccess) throw Error(name_ + ", copy to the device: " + cudaGetErrorString(status));
}

} // namespace lbm::cuda
