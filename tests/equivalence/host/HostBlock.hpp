// A block of a GPU's threads on a host: each is a fiber, which runs until it waits for the others. Shared memory begins as NaN, and
// every other block has its threads run the other way round. Not seen: threads that do not wait where they should (compute-sanitizer's
// racecheck sees them on a device).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <ucontext.h>

#define __device__
#define __global__
#define __shared__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

struct HostIndex {
    unsigned x = 0;
};
inline HostIndex threadIdx, blockIdx;

namespace lbm {

inline char memory[256 * 1024] __attribute__((aligned(128))); // shared

template<class A, class B>
auto min(A a, B b)
{
    return std::min<std::common_type_t<A, B>>(a, b);
}
template<class A, class B>
auto max(A a, B b)
{
    return std::max<std::common_type_t<A, B>>(a, b);
}

class HostBlock {
public:
    void run(unsigned number, int threads, std::function<void()> body)
    {
        body_ = std::move(body);
        threads_ = threads;
        arrived_ = 0;
        fibers_.resize(threads);
        stacks_.resize(threads * stackBytes);
        done_.assign(threads, 0);
        warps_.assign((threads + 31) / 32, Warp());
        given_.resize(threads);
        std::memset(memory, 0xFF, sizeof memory);
        for (int t = 0; t < threads; ++t) start(t);
        backwards_ = !backwards_;
        for (int left = threads; left > 0;) {
            moved_ = false;
            for (int i = 0; i < threads; ++i) {
                const int t = backwards_ ? threads - 1 - i : i;
                if (done_[t]) continue;
                current_ = t;
                threadIdx.x = unsigned(t);
                blockIdx.x = number;
                swapcontext(&main_, &fibers_[t]);
                left -= done_[t];
            }
            if (!moved_ && left > 0) throw std::logic_error("all threads of a block wait");
        }
    }

    void yield() { swapcontext(&fibers_[current_], &main_); }

    // Something that others may wait for.
    void happened() { moved_ = true; }

    void sync()
    {
        const unsigned mine = generation_;
        if (++arrived_ == threads_) {
            arrived_ = 0;
            ++generation_;
            happened();
        }
        while (generation_ == mine) yield();
    }

    void syncWarp()
    {
        Warp& own = warps_[current_ / 32];
        const unsigned mine = own.generation;
        if (++own.arrived == 32) {
            own.arrived = 0;
            ++own.generation;
            happened();
        }
        while (own.generation == mine) yield();
    }

    // What the warp's lane `own ^ mask` gives.
    double exchange(double value, int mask)
    {
        given_[current_] = value;
        syncWarp();
        const double other = given_[current_ ^ mask];
        syncWarp();
        return other;
    }

private:
    struct Warp {
        int arrived = 0;
        unsigned generation = 0;
    };

    static constexpr std::size_t stackBytes = 256 * 1024;

    static void entry();

    void start(int t)
    {
        getcontext(&fibers_[t]);
        fibers_[t].uc_stack.ss_sp = stacks_.data() + t * stackBytes;
        fibers_[t].uc_stack.ss_size = stackBytes;
        fibers_[t].uc_link = &main_;
        makecontext(&fibers_[t], entry, 0);
    }

    std::function<void()> body_;
    std::vector<ucontext_t> fibers_;
    std::vector<char> stacks_, done_;
    std::vector<Warp> warps_;
    std::vector<double> given_;
    ucontext_t main_;
    int current_ = 0, arrived_ = 0, threads_ = 0;
    unsigned generation_ = 0;
    bool moved_ = false, backwards_ = false;
};

inline HostBlock hostBlock;

inline void HostBlock::entry()
{
    hostBlock.body_();
    hostBlock.done_[hostBlock.current_] = 1;
    hostBlock.happened();
    hostBlock.yield();
}

} // namespace lbm

inline void __syncthreads() { lbm::hostBlock.sync(); }
inline void __syncwarp() { lbm::hostBlock.syncWarp(); }
inline double __shfl_xor_sync(unsigned, double v, int mask) { return lbm::hostBlock.exchange(v, mask); }
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }

// What all lanes have alike; and votes that only spare what would come to nothing for the thread itself.
template<class T>
T __shfl_sync(unsigned, T v, int)
{
    return v;
}
inline bool __any_sync(unsigned, bool v) { return v; }
inline unsigned __activemask() { return 0; }
