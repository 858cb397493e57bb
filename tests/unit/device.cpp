// What the CUDA device says when something is wrong, without one: its source, compiled against a CUDA runtime of a few
// functions that fail as they are told to. Part of lbmFoam, GPL-3.0-or-later.
#include "tests/unit/host/cuda.h"

#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <new>
#include <string>
#include <vector>

struct CUstream_st {};
struct CUevent_st {};

namespace {

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorNoDevice = 100,
    cudaErrorNotReady = 600,
    cudaErrorLaunchFailure = 719
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr { cudaDevAttrMaxSharedMemoryPerBlockOptin };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
using cudaEvent_t = CUevent_st*;
using cudaStream_t = CUstream_st*;
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
    cudaError_t pinning = cudaSuccess;
    int copies = 1 << 30; // that succeed
    bool busy = false;    // streams are
    bool lost() const { return copies < 0; }
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
// What rates are measured with need not arrive
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t = nullptr)
{
    if (--machine.copies < 0) return cudaErrorLaunchFailure;
    return bytes < 1000000 ? cudaMemcpy(to, from, bytes, kind) : cudaSuccess;
}
cudaError_t answer() { return machine.lost() ? cudaErrorLaunchFailure : cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    *event = new CUevent_st;
    return cudaSuccess;
}
enum { cudaEventDisableTiming, cudaStreamDefault, cudaStreamNonBlocking, cudaStreamCaptureStatusNone };
using cudaStreamCaptureStatus = int;
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, int) { return cudaEventCreate(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return answer();
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) { return answer(); }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return answer(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return machine.busy ? cudaErrorNotReady : answer(); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = *greatest = 0;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, int, int)
{
    *stream = new CUstream_st;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    delete stream;
    return answer();
}
cudaError_t cudaStreamQuery(cudaStream_t) { return machine.busy ? cudaErrorNotReady : answer(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, int) { return answer(); }
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus* status, unsigned long long*)
{
    *status = cudaStreamCaptureStatusNone;
    return answer();
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t)
{
    *milliseconds = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int* i)
{
    *i = machine.used;
    return cudaSuccess;
}
enum { cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
cudaError_t cudaHostRegister(void*, std::size_t, int) { return machine.pinning; }
cudaError_t cudaHostUnregister(void*) { return answer(); }
cudaError_t cudaHostGetDevicePointer(void** there, void* here, int)
{
    *there = here;
    return cudaSuccess;
}

#define CUDART_VERSION 13000
enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound };
enum { cudaEnableDefault };
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** found, int, int,
                                             cudaDriverEntryPointQueryResult* result)
{
    *found = functionOfDriver(name);
    *result = *found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
#define HAS(name)                                                                                                      \
    {                                                                                                                  \
#name, reinterpret_cast < void*>(&name)                                                                        \
    }
void* functionOfDriver(const char* name)
{
    static const std::map<std::string, void*> all = {HAS(cuGetErrorString),
                                                     HAS(cuMemGetAllocationGranularity),
                                                     HAS(cuMemAddressReserve),
                                                     HAS(cuMemAddressFree),
                                                     HAS(cuMemCreate),
                                                     HAS(cuMemRelease),
                                                     HAS(cuMemMap),
                                                     HAS(cuMemUnmap),
                                                     HAS(cuMemSetAccess)};
    const auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}
#undef HAS

} // namespace

#include "lbm/device/Cuda.cu"
#include "lbm/device/CudaStream.cu"
#include "lbm/device/Window.cu"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/solver/CudaSlabs.cuh"
#include "lbm/solver/SlabFit.cpp"
#include "tests/built.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace {

using lbm::cuda::Array;
using lbm::cuda::Device;

struct CudaDevice : testing::Test {
    CudaDevice()
    {
        machine = Machine();
        driver = Driver();
    }
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

using lbm::cuda::PinnedMemory;
using lbm::cuda::Window;

// Of what a state that streams needs: the host's memory first.
TEST_F(CudaDevice, hasAHostWithoutMemory)
{
    const Device device("cuda");
    const std::string name = "cuda:0 (NVIDIA A100)";
    // More than any host has, and more than there are addresses
    expectError([&] { PinnedMemory(device, std::size_t(1) << 45); },
                {"the host has no 3.518e+04 GB to pin for " + name, "GB are available"});
    machine.pinning = cudaErrorMemoryAllocation;
    expectError([&] { PinnedMemory(device, 40000000); },
                {"0.04 GB of the host's memory cannot be pinned for " + name, "other error", "ulimit -l"});
    machine.pinning = cudaSuccess;
    PinnedMemory memory(device, 40000000);
    EXPECT_EQ(static_cast<char*>(memory.data())[39999999], 0);
}

TEST_F(CudaDevice, hasNoRoomForAWindow)
{
    const Device device("cuda");
    constexpr std::size_t page = Window::page;
    {
        const Window window(device, 100 * page, page, 10 * page);
        EXPECT_EQ(window.bytes(), 11 * page);
    }
    driver.unused = 5 * page;
    machine.unused = 5 * page;
    // The head is there when the ring is asked for
    expectError([&] { Window(device, 100 * page, page, 10 * page); },
                {"cuda:0 (NVIDIA A100): 0.02097 GB more are needed, 0.01049 GB are free"});
    EXPECT_EQ(driver.held, 0);
    EXPECT_EQ(driver.mapped, 0);
    EXPECT_EQ(driver.reserved, 0);
    driver.page = 3 * page;
    expectError([&] { Window(device, 100 * page, page, page); }, {"pages of 6291456 bytes there, not of 2097152"});
}

// What slabs of a box of 64 x 64 x 400 nodes do to a device's memory, and nothing of what they compute.
class Crossing {
public:
    struct L {
        static constexpr int D = 3;
    };
    using Scalar = double;
    static constexpr int nodesPerTile = 64;
    static constexpr double startLayers = 0;
    struct PassTables {};

    explicit Crossing(const lbm::Domain& domain) : grid_(domain, {4, 4, 4}) {}

    const Crossing& geometry() const { return *this; }
    const lbm::TileGrid& grid() const { return grid_; }
    int layersLookedAt() const { return 1; }
    bool remembersForOthers() const { return false; }
    std::size_t homeBytes() const { return std::size_t(grid_.tiles()) * tileBytes; }
    std::size_t windowBytes(const lbm::SlabShape& shape, int steps, const std::vector<std::int32_t>& below) const
    {
        std::vector<std::size_t> first;
        for (const std::int32_t tiles : below) first.push_back(std::size_t(tiles) * tileBytes);
        const lbm::WindowSizes sizes = lbm::windowOf(shape, steps, first);
        return sizes.head + sizes.ring[0];
    }
    void streamTo(const Device& device, const lbm::SlabShape& shape, int steps, const std::vector<std::int32_t>& below)
    {
        home_ = PinnedMemory(device, homeBytes());
        there_ = Array<char>(device, windowBytes(shape, steps, below));
    }
    PassTables tablesOf(const Device&, const std::vector<lbm::SlabStep>&) const { return {}; }
    void beginStep(const Device&, const lbm::cuda::Stream&, const lbm::Parameters<double>&, const lbm::SlabStep&) {}
    void step(const Device&, const lbm::cuda::Stream&, const std::string&, const lbm::Parameters<double>&,
              const lbm::SlabStep&, const PassTables&)
    {
        ++steps;
    }
    void endSteps(int) {}
    void takeUp(const lbm::TileRange& tiles, bool, const lbm::cuda::Stream& stream)
    {
        if (tiles.count() > 0) stream.toDevice(there_.data(), home_.data(), tileBytes);
    }
    void takeOut(const lbm::TileRange& tiles, int, const lbm::cuda::Stream& stream)
    {
        if (tiles.count() > 0) stream.toHost(home_.data(), there_.data(), tileBytes);
    }

    int steps = 0;

private:
    static constexpr std::size_t tileBytes = 64 * 8;
    lbm::TileGrid grid_;
    PinnedMemory home_;
    Array<char> there_;
};

lbm::Domain boxOf(const lbm::Int3& size)
{
    lbm::Domain domain;
    domain.size = size;
    domain.fluid = lbm::BitSet(domain.nodes(), true);
    return domain;
}

using CrossingSlabs = lbm::CudaSlabs<Crossing>;

lbm::SlabPlan planOf(const Device& device, const Crossing& storage, const lbm::Domain& domain, std::size_t budget,
                     std::size_t besides, int steps = 0, int layers = 0)
{
    return lbm::planSlabs({CrossingSlabs::offer(device, storage, domain, budget, besides)}, steps, layers);
}

// The least that is asked for is enough, and a byte less is not.
TEST_F(CudaDevice, saysTheLeastThatSlabsNeed)
{
    const Device device("cuda");
    const lbm::Domain domain = boxOf({64, 64, 400});
    constexpr std::size_t besides = 1000000;
    Crossing storage(domain);
    const auto make = [&](std::size_t budget) {
        return CrossingSlabs(device, storage, planOf(device, storage, domain, budget, besides), budget, besides).plan();
    };
    std::string words;
    try {
        make(1100000);
    } catch (const lbm::cuda::Error& error) {
        words = error.what();
    }
    // A layer of 256 tiles of 512 bytes: three slabs of one, and one for each step and for what it looks at
    constexpr std::size_t least = besides + 5 * 256 * 512;
    EXPECT_EQ(
        words,
        "cuda:0 (NVIDIA A100): deviceMemory of 0.0011 GB is too little even for thin slabs of the domain, which ask for 0.001655 GB");
    EXPECT_EQ(make(least).steps, 1);
    EXPECT_EQ(make(least).shape.slabs(), 100);
    EXPECT_THROW(make(least - 1), lbm::cuda::Error);
}

// In whatever copy a device is lost: a sentence that names it, and what is left is put away without another word.
TEST_F(CudaDevice, isAskedWhetherItIsDone)
{
    const Device device("cuda:1");
    const lbm::cuda::Stream stream(device);
    lbm::cuda::Event mark(device);
    stream.record(mark);
    machine.busy = true;
    EXPECT_FALSE(stream.isDone("a step"));
    EXPECT_FALSE(stream.isDone(mark, "a step"));
    machine.busy = false;
    EXPECT_TRUE(stream.isDone("a step"));
    EXPECT_TRUE(stream.isDone(mark, "a step"));
    machine.copies = -1;
    const auto isLost = [&](auto&& ask) {
        try {
            ask();
            FAIL() << "a stream of a lost device is done";
        } catch (const lbm::cuda::Error& error) {
            EXPECT_EQ(std::string(error.what()), "a step on " + device.name() + ": unspecified launch failure");
        }
    };
    isLost([&] { stream.isDone("a step"); });
    isLost([&] { stream.isDone(mark, "a step"); });
}

TEST_F(CudaDevice, isLostWhileSlabsStream)
{
    const lbm::Domain domain = boxOf({64, 64, 400});
    const Device device("cuda");
    Crossing storage(domain);
    CrossingSlabs slabs(device, storage, planOf(device, storage, domain, 5000000, 0), 5000000, 0);
    const lbm::cuda::Stream stream(device);
    const auto advance = [&] { slabs.advance(50, stream, lbm::Parameters<double>(), "steps"); };
    advance();
    EXPECT_EQ(storage.steps % slabs.plan().shape.slabs(), 0);
    EXPECT_GE(storage.steps, 50 * slabs.plan().shape.slabs());
    for (const int after : {40, 7, 1, 0}) {
        machine.copies = after;
        expectError(advance, {"streams of cuda:0 (NVIDIA A100)", "unspecified launch failure"});
    }
}

// Piece by piece, as parts step that hand over ghosts in between: each step of each slab of each pass once, in the order that
// passes have, and every layer once a step.
TEST_F(CudaDevice, stepsSlabsPieceByPiece)
{
    const lbm::Domain domain = boxOf({64, 64, 400});
    const Device device("cuda");
    Crossing storage(domain);
    CrossingSlabs slabs(device, storage, planOf(device, storage, domain, 5000000, 0, 3, 4), 5000000, 0);
    const lbm::cuda::Stream stream(device);
    const int most = slabs.plan().steps, count = slabs.plan().shape.slabs();
    ASSERT_EQ(most, 3);
    std::int64_t left = slabs.begin(2 * most);
    EXPECT_EQ(left, 2 * most * count);
    std::vector<int> made(100); // steps of each layer
    for (; left > 0; --left) {
        slabs.stepPiece(stream, lbm::Parameters<double>(), "steps");
        const lbm::SlabStep& piece = slabs.piece();
        for (int z = piece.layers.first; z < piece.layers.last; ++z)
            EXPECT_EQ(made[std::size_t(z)]++ % most, piece.ahead) << "layer " << z;
        slabs.endPiece(stream);
    }
    slabs.end(stream);
    EXPECT_EQ(made, std::vector<int>(100, 2 * most));
    EXPECT_EQ(slabs.begin(0), 0);
    slabs.end(stream);
}

// What slabs cannot honour they refuse before anything is made.
TEST_F(CudaDevice, refusesDomainsThatCannotStream)
{
    const auto refusal = [](const lbm::Domain& domain) {
        try {
            lbm::requireStreamable(domain, {4, 4, 4}, 2);
        } catch (const std::invalid_argument& fault) {
            return std::string(fault.what());
        }
        return std::string();
    };
    lbm::Domain domain = boxOf({16, 18, 40});
    EXPECT_EQ(refusal(domain), "");
    domain.periodic[1] = true; // closes within each layer
    EXPECT_EQ(refusal(domain), "");
    domain.periodic[2] = true;
    EXPECT_EQ(
        refusal(domain),
        "deviceMemory: a domain that is periodic along z streams through the device only where its periodic sides are "
        "whole tiles; along y it has 18 nodes, tiles of this kernel 4");
    domain.periodic[1] = false;
    EXPECT_EQ(refusal(domain), "");
    domain.ghostsBelow = {4, 0, 0};
    domain.ghostsAbove = {0, 1, 0};
    EXPECT_EQ(refusal(domain), "");
    domain.ghostsAbove[2] = 1;
    EXPECT_EQ(refusal(domain),
              "parts: a domain that streams through devices (deviceMemory) is not cut across z, along "
              "which its slabs lie");
    domain.ghostsBelow = domain.ghostsAbove = {0, 0, 0};
    domain.turns.emplace_back();
    EXPECT_NE(refusal(domain).find("repeats by turns"), std::string::npos);
}

// Where the whole fits into what is given, or is free, nothing streams.
TEST_F(CudaDevice, streamsWhatDoesNotFit)
{
    const Device device("cuda");
    const lbm::Domain domain = boxOf({64, 64, 64});
    lbm::Config config;
    config.lattice = "D3Q19";
    config.collision = "trt";
    config.storage = "aa";
    config.precision = "double";
    SKIP_IF_LEFT_OUT(config);
    const lbm::MemoryUse use = lbm::expectedMemory(domain, config);
    EXPECT_FALSE(lbm::mustStream(device, domain, config));
    config.deviceMemory = double(use.populations + use.geometry);
    EXPECT_FALSE(lbm::mustStream(device, domain, config));
    config.deviceMemory -= 1;
    EXPECT_TRUE(lbm::mustStream(device, domain, config));
    EXPECT_EQ(lbm::memoryBudget(device, config), std::size_t(config.deviceMemory));
    config.deviceMemory = 0;
    machine.unused = use.populations; // of which a little is left to others
    EXPECT_TRUE(lbm::mustStream(device, domain, config));
    config.deviceMemory = 1e12; // as much as there is, not more
    EXPECT_TRUE(lbm::mustStream(device, domain, config));
    EXPECT_LT(lbm::memoryBudget(device, config), use.populations);
    machine.unused = 2000000000;
    config.deviceMemory = 0;
    config.slabSteps = 4;
    EXPECT_TRUE(lbm::mustStream(device, domain, config));
}
