// TeamBarrier: where the threads of an OpenMP team wait for each other in the loop over time. OpenMP's own barriers spin
// for milliseconds, and so use up the processor that the thread they wait for is to be given: beside another program
// steps of a small domain took twenty times as long. Who waits here spins for about as long as waiting has taken lately
// and sleeps after that.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace lbm {

class TeamBarrier {
public:
    // By all threads of the parallel region that encloses the call. The last one calls `whenAll` (must not throw)
    // before any goes on; what threads wrote before is seen by all.
    template<class F>
    void wait(F&& whenAll)
    {
        const int phase = phase_.load(std::memory_order_relaxed);
        if (isLast()) {
            whenAll();
            release(phase);
        } else {
            await(phase);
        }
    }

    void wait()
    {
        wait([] {});
    }

private:
    bool isLast();
    void release(int phase);
    void await(int phase);
    bool spin(int phase) const;

    // Apart: spinning threads read the one while others write the other
    alignas(64) std::atomic<int> arrived_{0};
    alignas(64) std::atomic<int> phase_{0};
    std::mutex mutex_;
    std::condition_variable released_;
};

} // namespace lbm
