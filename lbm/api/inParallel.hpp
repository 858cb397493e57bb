// inParallel: a loop that threads share, whose exceptions reach who called it: one that leaves a thread's part of it would end the
// process, as of memory that cannot be had. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <omp.h>

#include <cstddef>
#include <exception>

namespace lbm {

// body(i) for i < n, each by one thread, next come first served. The first exception is thrown here after all have ended. threads
// 0: as many as OpenMP would take.
template<class Body>
void inParallel(std::size_t n, const Body& body, int threads = 0)
{
    std::exception_ptr error;
    if (threads <= 0) threads = omp_get_max_threads();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t i = 0; i < n; ++i) {
        try {
            body(i);
        } catch (...) {
#pragma omp critical(lbmInParallel)
            if (!error) error = std::current_exception();
        }
    }
    if (error) std::rethrow_exception(error);
}

} // namespace lbm
