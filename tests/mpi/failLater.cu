// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/mpi/failLater.hpp"

#include <stdexcept>
#include <string>

namespace lbm::test {
namespace {

__global__ void trapAfter(unsigned long long nanoseconds)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < nanoseconds);
    __trap();
}

void check(cudaError_t status)
{
    if (status != cudaSuccess)
        throw std::logic_error(std::string("no kernel that would fail: ") + cudaGetErrorString(status));
}

} // namespace

// In a stream that none waits for, and that lives as long as the process.
void failLater(int device, double seconds)
{
    check(cudaSetDevice(device));
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    trapAfter<<<1, 1, 0, stream>>>(static_cast<unsigned long long>(seconds * 1e9));
    check(cudaGetLastError());
    if (seconds > 0) return;
    if (cudaStreamSynchronize(stream) == cudaSuccess) throw std::logic_error("the kernel did not fail");
    static_cast<void>(cudaGetLastError());
}

} // namespace lbm::test
