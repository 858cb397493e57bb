// inParallel: a loop that threads share, whose exceptions reach who called it: one that leaves a thread's part of it would end the
// process, as of memory that cannot be had. TeamFault: the same of regions that are no such loop. C++17. Part of lbmFoam,
// GPL-3.0-or-later.
#pragma once

#include <omp.h>

#include <cstddef>
#include <exception>

namespace lbm {

// What the threads of a team throw: the first is kept until all of them are through, so that nobody waits for one that has left.
class TeamFault {
public:
    // By any thread, within the region.
    template<class Act>
    void keep(const Act& act)
    {
        try {
            act();
        } catch (...) {
#pragma omp critical(lbmTeamFault)
            if (!first_) first_ = std::current_exception();
        }
    }

    // Behind the region.
    void rethrow() const
    {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::exception_ptr first_;
};

// body(i) for i < n, each by one thread, next come first served. The first exception is thrown here after all have ended. threads
// 0: as many as OpenMP would take.
template<class Body>
void inParallel(std::size_t n, const Body& body, int threads = 0)
{
    TeamFault fault;
    if (threads <= 0) threads = omp_get_max_threads();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t i = 0; i < n; ++i) fault.keep([&] { body(i); });
    fault.rethrow();
}

} // namespace lbm
