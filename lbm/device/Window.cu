// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/Window.hpp"

#include "lbm/api/HostMemory.hpp"
#include "lbm/device/CudaStream.hpp"
#include "lbm/device/NoMemory.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <sstream>

#include <cuda.h>
#include <sys/mman.h>

namespace lbm::cuda {
namespace {

std::string gigabytes(std::size_t bytes)
{
    std::ostringstream text;
    text.precision(4);
    text << double(bytes) / 1e9 << " GB";
    return text.str();
}

// A function of the driver, which is looked for when it is first needed: programs start without one.
template<class Function>
Function driver(const char* name)
{
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    const cudaError_t status = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
#else
    const cudaError_t status = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
    if (status != cudaSuccess || result != cudaDriverEntryPointSuccess)
        throw Error(std::string("the driver has no ") + name + ", which windows on a device need");
    return reinterpret_cast<Function>(found);
}

#define LBM_DRIVER(name) driver<decltype(&::name)>(#name)

void check(CUresult status, const Device& device, const std::string& what)
{
    if (status == CUDA_SUCCESS) return;
    const char* text = nullptr;
    LBM_DRIVER(cuGetErrorString)(status, &text);
    throw Error(device.name() + ", " + what + ": " + (text ? text : "unknown error"));
}

CUmemAllocationProp properties(const Device& device)
{
    int index = 0;
    device.use();
    if (cudaGetDevice(&index) != cudaSuccess) throw Error(device.name() + ": lost");
    CUmemAllocationProp p{};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = index;
    return p;
}

void requirePages(const Device& device)
{
    const CUmemAllocationProp p = properties(device);
    std::size_t least = 0;
    check(LBM_DRIVER(cuMemGetAllocationGranularity)(&least, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM), device,
          "pages of windows");
    if (Window::page % least != 0)
        throw Error(device.name() + ": windows consist of pages of " + std::to_string(least) + " bytes there, not of "
                    + std::to_string(Window::page));
}

} // namespace

Window::Window(const Device& device, std::size_t bytes, std::size_t head, std::size_t ring, std::size_t unit)
{
    requirePages(device);
    devices_.push_back(device);
    head = whole(std::min(head, bytes), unit);
    ring = whole(std::max<std::size_t>(ring, 1), unit);
    const std::size_t behind = bytes > head ? bytes - head : 0;
    if (behind <= ring) ring = whole(behind, unit);
    const std::size_t turns = ring == 0 ? 0 : (behind + ring - 1) / ring + 1;
    reserved_ = head + turns * ring;
    if (reserved_ == 0) return;
    try {
        CUdeviceptr start = 0;
        check(LBM_DRIVER(cuMemAddressReserve)(&start, reserved_, 0, 0, 0), device,
              "addresses of " + gigabytes(reserved_));
        start_ = start;
        if (head > 0) map(device, 0, hold(device, head), head);
        if (ring > 0) {
            const std::uint64_t memory = hold(device, ring);
            for (std::size_t turn = 0; turn < turns; ++turn) map(device, head + turn * ring, memory, ring);
        }
        CUmemAccessDesc access{};
        access.location = properties(device).location;
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        check(LBM_DRIVER(cuMemSetAccess)(start_, reserved_, &access, 1), device, "window");
        device.fillZero(data(), head + ring);
    } catch (...) {
        release();
        throw;
    }
}

void Window::letIn(const Device& own, const Device& other)
{
    if (start_ == 0 || own.index() == other.index()) return;
    CUmemAccessDesc access{};
    access.location = properties(other).location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    check(LBM_DRIVER(cuMemSetAccess)(start_, reserved_, &access, 1), own, "window for " + other.name());
    devices_.push_back(other);
}

std::uint64_t Window::hold(const Device& device, std::size_t bytes)
{
    const CUmemAllocationProp p = properties(device);
    CUmemGenericAllocationHandle memory = 0;
    const CUresult status = LBM_DRIVER(cuMemCreate)(&memory, bytes, &p, 0);
    if (status == CUDA_ERROR_OUT_OF_MEMORY)
        throw Error(device.name() + ": " + gigabytes(bytes) + " more are needed, " + gigabytes(device.freeBytes())
                    + " are free");
    check(status, device, "allocation of " + gigabytes(bytes));
    memory_.push_back(memory);
    held_ += bytes;
    return memory;
}

void Window::map(const Device& device, std::size_t at, std::uint64_t memory, std::size_t bytes)
{
    check(LBM_DRIVER(cuMemMap)(start_ + at, bytes, 0, memory, 0), device, "window");
    mapped_.push_back({at, bytes});
}

// Only a device that has failed refuses, and that has been reported. Unlike cudaFree, the driver takes addresses away from work that has
// not ended: of who is thrown away right after it was made (refused by another part, say) memory may still be being filled with zeros.
void Window::release() noexcept
{
    if (start_ == 0) return;
    for (const Device& device : devices_)
        if (cudaSetDevice(device.index()) == cudaSuccess) static_cast<void>(cudaDeviceSynchronize());
    for (const auto& [at, bytes] : mapped_) LBM_DRIVER(cuMemUnmap)(start_ + at, bytes);
    for (const std::uint64_t memory : memory_) LBM_DRIVER(cuMemRelease)(memory);
    LBM_DRIVER(cuMemAddressFree)(start_, reserved_);
    start_ = 0;
}

Window::~Window() { release(); }

namespace {

// What is not there and touched all the same ends the process without a word.
void requireOnHost(const Device& device, std::size_t bytes)
{
    const std::uint64_t available = availableMemory();
    if (bytes <= available) return;
    throw NoMemory("the host has no " + gigabytes(bytes) + " to pin for " + device.name() + ": " + gigabytes(available)
                   + " are available");
}

} // namespace

// Touched by all threads first, which decides where pages lie, and in large pages where the system has them.
PinnedMemory::PinnedMemory(const Device& device, std::size_t bytes) : bytes_(bytes)
{
    if (bytes == 0) return;
    device.use();
    requireOnHost(device, bytes);
    constexpr std::size_t page = std::size_t(2) << 20;
    void* raw = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        throw NoMemory("the host has no " + gigabytes(bytes) + " for what " + device.name()
                       + " does not hold: " + std::strerror(errno));
    data_ = raw;
    madvise(raw, bytes, MADV_HUGEPAGE);
    char* const start = static_cast<char*>(raw);
#pragma omp parallel for schedule(static)
    for (std::size_t at = 0; at < bytes; at += page) std::memset(start + at, 0, std::min(page, bytes - at));
    const cudaError_t status = cudaHostRegister(raw, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped);
    registered_ = status == cudaSuccess;
    if (!registered_ || cudaHostGetDevicePointer(&onDevice_, raw, 0) != cudaSuccess) {
        const std::string reason = cudaGetErrorString(registered_ ? cudaGetLastError() : status);
        cudaGetLastError();
        if (registered_) static_cast<void>(cudaHostUnregister(raw));
        munmap(raw, bytes);
        data_ = nullptr;
        throw NoMemory(gigabytes(bytes) + " of the host's memory cannot be pinned for " + device.name() + " (" + reason
                       + "): ulimit -l, or a container's limit, may be less");
    }
}

PinnedMemory::~PinnedMemory()
{
    if (!data_) return;
    if (registered_) static_cast<void>(cudaHostUnregister(data_));
    munmap(data_, bytes_);
}

double Device::linkBandwidth(std::size_t bytes) const
{
    const PinnedMemory host(*this, 2 * bytes);
    Array<char> onDevice(*this, 2 * bytes);
    const Stream in(*this), out(*this);
    char *const here = static_cast<char*>(host.data()), *const there = onDevice.data();
    const std::string what = name_ + ", bandwidth of the link";
    constexpr int passes = 4;
    std::chrono::steady_clock::time_point start;
    for (int i = -1; i < passes; ++i) {
        if (i == 0) {
            synchronize(what);
            start = std::chrono::steady_clock::now();
        }
        in.toDevice(there, here, bytes);
        out.toHost(here + bytes, there + bytes, bytes);
    }
    synchronize(what);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return double(bytes) * passes / taken.count();
}

} // namespace lbm::cuda
