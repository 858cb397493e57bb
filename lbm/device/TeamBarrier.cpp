// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/TeamBarrier.hpp"

#include <algorithm>
#include <chrono>

#include <omp.h>

namespace lbm {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Spinning. At most about as long as threads of one step differ on an idle machine, for waking takes up to a tenth of a
// millisecond there, and a thread that slept may wake on a processor far from its memory: threads of long steps differ
// by more. At least what a processor that fell asleep takes to wake, for less cannot gain.
constexpr Clock::duration longestOfShortSteps = 500us, shortest = 20us;
constexpr int shareOfStep = 2; // of the thread's own work since it waited last: one in so many

// A thread's own, whatever it waits for: where the machine is busy, it is busy for all.
thread_local Clock::duration patience = longestOfShortSteps;
thread_local Clock::time_point wentOn{};

inline void pause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

bool TeamBarrier::isLast() { return arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == omp_get_num_threads(); }

void TeamBarrier::release(int phase)
{
    arrived_.store(0, std::memory_order_relaxed);
    {
        const std::lock_guard lock(mutex_);
        phase_.store(phase + 1, std::memory_order_release);
    }
    released_.notify_all();
}

// Patience that was in vain halves; each time that it was not it grows again. Not std::atomic's wait or yielding, which
// give the processor away for good: schedulers take them for tasks that have had their share.
void TeamBarrier::await(int phase)
{
    const Clock::duration work = Clock::now() - wentOn;
    if (spin(phase)) {
        const Clock::duration longest = std::max<Clock::duration>(longestOfShortSteps, work / shareOfStep);
        patience = std::min(longest, patience + patience / 2);
    } else {
        patience = std::max<Clock::duration>(shortest, patience / 2);
        std::unique_lock lock(mutex_);
        released_.wait(lock, [&] { return phase_.load(std::memory_order_relaxed) != phase; });
    }
    wentOn = Clock::now();
}

// True if all have arrived meanwhile.
bool TeamBarrier::spin(int phase) const
{
    constexpr int polls = 16; // between readings of the clock, which take as long as a few of them
    const auto end = Clock::now() + patience;
    do {
        for (int i = 0; i < polls; ++i) {
            if (phase_.load(std::memory_order_acquire) != phase) return true;
            pause();
        }
    } while (Clock::now() < end);
    return false;
}

} // namespace lbm
