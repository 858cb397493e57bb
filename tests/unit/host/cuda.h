// Of CUDA's driver what windows on a device ask for, as device.cpp has it: memory that is counted, behind addresses of the host.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstddef>

#include <sys/mman.h>

namespace {

using CUdeviceptr = unsigned long long;
using CUmemGenericAllocationHandle = unsigned long long;
enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_OUT_OF_MEMORY = 2 };
enum { CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
enum { CU_MEM_ALLOC_GRANULARITY_MINIMUM };
struct CUmemLocation {
    int type, id;
};
struct CUmemAllocationProp {
    int type;
    CUmemLocation location;
};
struct CUmemAccessDesc {
    CUmemLocation location;
    int flags;
};

struct Driver {
    std::size_t unused = 2000000000, page = std::size_t(2) << 20;
    int held = 0, mapped = 0, reserved = 0; // of each, how many are not given back
} driver;

CUresult cuGetErrorString(CUresult, const char** text)
{
    *text = "out of memory";
    return CUDA_SUCCESS;
}
CUresult cuMemGetAllocationGranularity(std::size_t* bytes, const CUmemAllocationProp*, int)
{
    *bytes = driver.page;
    return CUDA_SUCCESS;
}
CUresult cuMemAddressReserve(CUdeviceptr* start, std::size_t bytes, std::size_t, CUdeviceptr, unsigned long long)
{
    *start =
        reinterpret_cast<CUdeviceptr>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ++driver.reserved;
    return CUDA_SUCCESS;
}
CUresult cuMemAddressFree(CUdeviceptr start, std::size_t bytes)
{
    munmap(reinterpret_cast<void*>(start), bytes);
    --driver.reserved;
    return CUDA_SUCCESS;
}
CUresult cuMemCreate(CUmemGenericAllocationHandle*, std::size_t bytes, const CUmemAllocationProp*, unsigned long long)
{
    if (bytes > driver.unused) return CUDA_ERROR_OUT_OF_MEMORY;
    ++driver.held;
    return CUDA_SUCCESS;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle)
{
    --driver.held;
    return CUDA_SUCCESS;
}
CUresult cuMemMap(CUdeviceptr, std::size_t, std::size_t, CUmemGenericAllocationHandle, unsigned long long)
{
    ++driver.mapped;
    return CUDA_SUCCESS;
}
CUresult cuMemUnmap(CUdeviceptr, std::size_t)
{
    --driver.mapped;
    return CUDA_SUCCESS;
}
CUresult cuMemSetAccess(CUdeviceptr, std::size_t, const CUmemAccessDesc*, std::size_t) { return CUDA_SUCCESS; }

void* functionOfDriver(const char* name);

} // namespace
