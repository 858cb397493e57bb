// Bulk copies: contiguous pieces of a device's memory come into shared memory by themselves, asked for by one thread, and a
// barrier that counts their bytes tells when they have come. Pieces and both addresses are multiples of 16 bytes.
// Compute capability 9.0; `bulkCopies` is false in code for less.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <cstdint>

namespace lbm {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool bulkCopies = false;
#else
constexpr bool bulkCopies = true;
#endif

// In shared memory. One thread expects, any number waits.
struct BulkBarrier {
    std::uint64_t word;

    __device__ static std::uint32_t shared(const void* p) { return std::uint32_t(__cvta_generic_to_shared(p)); }

    // By one thread; others use it after a __syncthreads.
    __device__ void begin()
    {
#if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.proxy.async.shared::cta;" ::"r"(shared(&word))
                     : "memory");
#endif
    }

    // So many bytes make the next phase complete.
    __device__ void expect(std::uint32_t bytes)
    {
#if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(&word)), "r"(bytes)
                     : "memory");
#endif
    }

    __device__ void copy(void* to, const void* from, std::uint32_t bytes)
    {
#if __CUDA_ARCH__ >= 900
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared(to)),
            "l"(from), "r"(bytes), "r"(shared(&word))
            : "memory");
#endif
    }

    // Until the phase of this parity is complete; they alternate, beginning with 0.
    __device__ void wait(std::uint32_t parity)
    {
#if __CUDA_ARCH__ >= 900
        std::uint32_t done = 0;
        while (!done)
            asm volatile(
                "{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                : "=r"(done)
                : "r"(shared(&word)), "r"(parity)
                : "memory");
#endif
    }
};

} // namespace lbm
