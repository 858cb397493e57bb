// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Threads.hpp"

#include <stdexcept>

#include <omp.h>

namespace lbm {
namespace {

constexpr int mostPerProcessor = 16;

std::string given(int threads, const std::string& what)
{
    return what + " is " + std::to_string(threads) + ", and this process may use " + std::to_string(processors())
        + (processors() == 1 ? " processor" : " processors");
}

} // namespace

int processors() { return omp_get_num_procs(); }

int mostThreads() { return mostPerProcessor * processors(); }

void checkThreads(int threads, const std::string& what)
{
    if (threads < 0) throw std::invalid_argument(what + " is " + std::to_string(threads) + "; it must not be negative");
    if (threads > mostThreads())
        throw std::invalid_argument(given(threads, what) + ": at most " + std::to_string(mostThreads())
                                    + " threads are taken");
}

std::string threadAdvice(int threads, const std::string& what)
{
    if (threads <= processors()) return {};
    return given(threads, what) + ": threads that share a processor wait for each other, and the run is slower";
}

std::string checkDefaultThreads()
{
    const std::string what = "OMP_NUM_THREADS";
    checkThreads(omp_get_max_threads(), what);
    return threadAdvice(omp_get_max_threads(), what);
}

} // namespace lbm
