// Launch: kernels of one step after another. Blocks of a kernel may begin once all blocks of the one before have begun: they
// find their tables while its last ones are still at work, and wait for its end before they touch what it writes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cuda_runtime.h>

namespace lbm {

// Devices before Hopper cannot.
constexpr bool stepsOverlap = [] {
    for (int architecture : {__CUDA_ARCH_LIST__})
        if (architecture < 900) return false;
    return true;
}();

// For a kernel that calls awaitPrevious(). sharedMemory: of a block. Failures are left for cudaGetLastError().
template<class... Taken, class... Given>
void launchEarly(void (*kernel)(Taken...), int blocks, int threads, std::size_t sharedMemory, cudaStream_t stream,
                 const Given&... given)
{
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch{};
    launch.gridDim = blocks;
    launch.blockDim = threads;
    launch.dynamicSmemBytes = sharedMemory;
    launch.stream = stream;
    launch.attrs = &early;
    launch.numAttrs = stepsOverlap ? 1 : 0;
    static_cast<void>(cudaLaunchKernelEx(&launch, kernel, given...));
}

// By every thread of such a kernel: first of all; before it reads or writes what other kernels write or read.
__device__ inline void letNextBegin()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__device__ inline void awaitPrevious()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

// Every other step goes through the domain backwards, so that it finds in the cache what the one before has left there last.
__device__ inline int blockOf(bool backwards) { return backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x; }

} // namespace lbm
