// What the CUDA device says when something is wrong, without one: its source, compiled against a CUDA runtime of a few
// functions that fail as they are told to. Part of lbmFoam, GPL-3.0-or-later.
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <vector>

namespace {

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorLaunchFailure = 719
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr { cudaDevAttrMaxSharedMemoryPerBlockOptin };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
using cudaEvent_t = int;
struct cudaDeviceProp {
    char name[256];
    struct {
        char bytes[16];
    } uuid;
};

struct Machine {
    std::vector<std::string> devices = {"NVIDIA A100", "NVIDIA H200"};
    cudaError_t counting = cudaSuccess, pending = cudaSuccess;
    int driver = 13000, used = -1;
    std::size_t unused = 2000000000, shared = 100000;
} machine;

const char* cudaGetErrorString(cudaError_t e)
{
    return e == cudaErrorLaunchFailure ? "unspecified launch failure" : "other error";
}
cudaError_t cudaGetLastError()
{
    const cudaError_t e = machine.pending;
    machine.pending = cudaSuccess;
    return e;
}
cudaError_t cudaGetDeviceCount(int* n)
{
    *n = int(machine.devices.size());
    return machine.counting;
}
cudaError_t cudaDriverGetVersion(int* v)
{
    *v = machine.driver;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* v)
{
    *v = 13000;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int i)
{
    std::strcpy(p->name, machine.devices.at(i).c_str());
    for (int b = 0; b < 16; ++b) p->uuid.bytes[b] = char(0xa0 + b + 16 * i);
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int i)
{
    machine.used = i;
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() { return cudaGetLastError(); }
cudaError_t cudaMemGetInfo(std::size_t* unused, std::size_t* total)
{
    *unused = *total = machine.unused;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int)
{
    *value = int(machine.shared);
    return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    if (bytes > machine.unused) return machine.pending = cudaErrorMemoryAllocation;
    *memory = ::operator new(bytes);
    return cudaSuccess;
}
cudaError_t cudaFree(void* memory)
{
    ::operator delete(memory);
    return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes)
{
    std::memset(memory, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaEventCreate(cudaEvent_t*) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t)
{
    *milliseconds = 1;
    return cudaSuccess;
}

} // namespace

#include "lbm/device/Cuda.cu"

#include <gtest/gtest.h>

namespace {

using lbm::cuda::Array;
using lbm::cuda::Device;

struct CudaDevice : testing::Test {
    CudaDevice() { machine = Machine(); }
};

template<class F>
void expectError(F&& f, const std::vector<std::string>& words)
{
    try {
        f();
        ADD_FAILURE() << "no error: " << words.front();
    } catch (const lbm::cuda::Error& error) {
        for (const std::string& word : words)
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
}

} // namespace

TEST_F(CudaDevice, isMissing)
{
    const auto make = [] { Device("cuda"); };
    machine.devices.clear();
    expectError(make, {"device cuda", "no CUDA device is present"});
    machine.counting = cudaErrorNoDevice;
    expectError(make, {"device cuda", "no CUDA device is present"});
    machine.counting = cudaErrorInsufficientDriver;
    machine.driver = 0;
    expectError(make, {"device cuda", "no NVIDIA driver is loaded"});
    machine.driver = 11080;
    expectError(make, {"the driver is too old", "CUDA 11.8", "needs 13.0"});
}

TEST_F(CudaDevice, isChosenByNumberOrName)
{
    EXPECT_EQ(Device("cuda").name(), "cuda:0 (NVIDIA A100)");
    EXPECT_EQ(Device("cuda:1").name(), "cuda:1 (NVIDIA H200)");
    EXPECT_EQ(Device("cuda:1").identity(), "GPU-b0b1b2b3b4b5b6b7b8b9babbbcbdbebf");
    EXPECT_EQ(machine.used, 1);
    EXPECT_EQ(Device("cuda:H200").name(), "cuda:1 (NVIDIA H200)");
    for (const char* word : {"cuda:2", "cuda:nonsuch", "cuda:"})
        expectError([&] { Device{word}; }, {word, "no such device", "cuda:0 (NVIDIA A100)", "cuda:1 (NVIDIA H200)"});
}

TEST_F(CudaDevice, hasTooLittleMemory)
{
    const Device device("cuda");
    device.require(2000000000, 1e6, "fluid nodes");
    expectError([&] { device.require(8000000000, 1e6, "fluid nodes"); },
                {"cuda:0 (NVIDIA A100)", "8 GB are needed for 1e+06 fluid nodes", "2 GB are free",
                 "250000 fluid nodes would fit"});
    expectError([&] { Array<double>(device, 1000000000); }, {"cuda:0", "8 GB more are needed", "2 GB are free"});
    device.check("what comes next"); // the failure is not reported again
    expectError([&] { device.allowSharedMemory(nullptr, 200000); },
                {"200000 bytes of shared memory", "100000", "smaller tile"});
}

TEST_F(CudaDevice, failsInAKernel)
{
    const Device device("cuda:1");
    machine.pending = cudaErrorLaunchFailure;
    const std::vector<std::string> words = {"kernel D3Q19 on cuda:1 (NVIDIA H200)", "unspecified launch failure"};
    expectError([&] { device.synchronize("kernel D3Q19"); }, words);
    machine.pending = cudaErrorLaunchFailure;
    expectError([&] { device.check("kernel D3Q19"); }, words);
}
