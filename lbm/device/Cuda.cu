// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/NoMemory.hpp"

#include <charconv>
#include <cstdint>
#include <sstream>

namespace lbm::cuda {
namespace {

void check(cudaError_t status, const std::string& what)
{
    if (status == cudaSuccess) return;
    const std::string text = what + ": " + cudaGetErrorString(status);
    if (status != cudaErrorMemoryAllocation) throw Error(text);
    cudaGetLastError(); // else it would be reported again
    throw NoMemory(text);
}

std::string full(int index)
{
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, index), "cuda:" + std::to_string(index));
    return "cuda:" + std::to_string(index) + " (" + properties.name + ")";
}

} // namespace

int deviceCount()
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status == cudaErrorInsufficientDriver) {
        int driver = 0, runtime = 0;
        check(cudaDriverGetVersion(&driver), "device cuda");
        check(cudaRuntimeGetVersion(&runtime), "device cuda");
        if (driver == 0) throw Error("device cuda: no NVIDIA driver is loaded");
        std::ostringstream message;
        message << "device cuda: the driver is too old: it serves CUDA " << driver / 1000 << '.' << driver % 1000 / 10
                << ", this build needs " << runtime / 1000 << '.' << runtime % 1000 / 10;
        throw Error(message.str());
    }
    if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
        throw Error("device cuda: no CUDA device is present");
    check(status, "device cuda");
    return count;
}

namespace {

int find(const std::string& word)
{
    const int count = deviceCount();
    const auto colon = word.find(':');
    if (colon == std::string::npos) return 0;
    const std::string wanted = word.substr(colon + 1);
    int number = -1;
    const auto read = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    const bool isNumber = read.ec == std::errc() && read.ptr == wanted.data() + wanted.size();
    std::string present;
    for (int i = 0; i < count; ++i) {
        const std::string name = full(i);
        if (isNumber ? i == number : !wanted.empty() && name.find(wanted, name.find('(')) != std::string::npos)
            return i;
        present += " " + name;
    }
    throw Error("device '" + word + "': no such device; present:" + present);
}

std::string gigabytes(double bytes)
{
    std::ostringstream text;
    text.precision(4);
    text << bytes / 1e9 << " GB";
    return text.str();
}

} // namespace

Device::Device(const std::string& word) : index_(find(word)), name_(full(index_)) { use(); }

std::string Device::identity() const
{
    cudaDeviceProp properties;
    cuda::check(cudaGetDeviceProperties(&properties, index_), name_);
    std::string text = "GPU-";
    for (const char byte : properties.uuid.bytes)
        for (const int shift : {4, 0}) text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
    return text;
}

void Device::use() const { cuda::check(cudaSetDevice(index_), name_); }

void Device::check(const std::string& what) const { cuda::check(cudaGetLastError(), what + " on " + name_); }

void Device::synchronize(const std::string& what) const
{
    use();
    cuda::check(cudaDeviceSynchronize(), what + " on " + name_);
}

std::size_t Device::freeBytes() const
{
    use();
    std::size_t unused = 0, total = 0;
    cuda::check(cudaMemGetInfo(&unused, &total), name_);
    return unused;
}

void Device::require(std::size_t bytes, double items, const std::string& itemName) const
{
    const double have = double(freeBytes());
    if (double(bytes) <= have) return;
    std::ostringstream message;
    message << name_ << ": " << gigabytes(double(bytes)) << " are needed for " << items << ' ' << itemName << ", "
            << gigabytes(have) << " are free: about " << items * have / double(bytes) << ' ' << itemName
            << " would fit";
    throw NoMemory(message.str());
}

std::size_t Device::sharedMemory() const
{
    int most = 0;
    cuda::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, index_), name_);
    return std::size_t(most);
}

void Device::allowSharedMemory(const void* kernel, std::size_t bytes) const
{
    use();
    const std::size_t most = sharedMemory();
    if (bytes > most)
        throw Error(name_ + ": a block of this tile needs " + std::to_string(bytes)
                    + " bytes of shared memory, the device has " + std::to_string(most) + ": take a smaller tile");
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)),
                name_ + ", shared memory");
}

void* Device::allocate(std::size_t bytes) const
{
    use();
    void* memory = nullptr;
    const cudaError_t status = cudaMalloc(&memory, bytes);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError(); // else it would be reported again
        throw NoMemory(name_ + ": " + gigabytes(double(bytes)) + " more are needed, " + gigabytes(double(freeBytes()))
                       + " are free");
    }
    cuda::check(status, name_ + ", allocation of " + gigabytes(double(bytes)));
    return memory;
}

void Device::release(void* memory) const noexcept
{
    // Only a device that has failed refuses, and that has been reported.
    static_cast<void>(cudaFree(memory));
}

void Device::fillZero(void* memory, std::size_t bytes) const
{
    use();
    cuda::check(cudaMemset(memory, 0, bytes), name_ + ", filling memory");
}

void Device::toHost(void* target, const void* source, std::size_t bytes) const
{
    use();
    cuda::check(cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToHost), name_ + ", copy to the host");
}

double Device::copyBandwidth(std::size_t bytes) const
{
    use();
    const Array<std::uint8_t> from(*this, bytes);
    Array<std::uint8_t> to(*this, bytes);
    const std::string what = name_ + ", bandwidth of copies";
    cudaEvent_t start, end;
    cuda::check(cudaEventCreate(&start), what);
    cuda::check(cudaEventCreate(&end), what);
    constexpr int passes = 10;
    for (int i = -2; i < passes; ++i) {
        if (i == 0) cuda::check(cudaEventRecord(start), what);
        cuda::check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice), what);
    }
    cuda::check(cudaEventRecord(end), what);
    cuda::check(cudaEventSynchronize(end), what);
    float milliseconds = 0;
    cuda::check(cudaEventElapsedTime(&milliseconds, start, end), what);
    cuda::check(cudaEventDestroy(start), what);
    cuda::check(cudaEventDestroy(end), what);
    return 2.0 * double(bytes) * passes / (1e-3 * milliseconds);
}

} // namespace lbm::cuda
