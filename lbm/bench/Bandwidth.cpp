// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Bandwidth.hpp"

#include "lbm/device/Pack.hpp"
#ifdef LBM_CUDA
#include "lbm/device/Cuda.hpp"
#endif

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>

#include <omp.h>
#include <unistd.h>

namespace lbm::bench {
namespace {

constexpr std::size_t page = 4096;

std::size_t lastCache()
{
    const long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return size > 0 ? std::size_t(size) : std::size_t(32) << 20;
}

// Vectors, one from each stream in turn, as a cell update reads them.
template<int Q, Traffic traffic, class T>
void pass(T* from, T* to, std::size_t stride, std::size_t n, int threads)
{
    using V = PackTraits<Pack<T>>;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < n; i += V::width)
            for (int q = 0; q < Q; ++q) {
                const Pack<T> value = Pack<T>(1) - V::load(from + q * stride + i);
                if constexpr (traffic == Traffic::copy) V::stream(to + q * stride + i, value);
                else V::store(from + q * stride + i, value);
            }
        if constexpr (traffic == Traffic::copy) streamFence();
    }
}

template<Traffic traffic, class T>
void pass(int streams, T* from, T* to, std::size_t stride, std::size_t n, int threads)
{
    switch (streams) {
        case 6: return pass<6, traffic>(from, to, stride, n, threads); // moments in two dimensions ...
        case 9: return pass<9, traffic>(from, to, stride, n, threads);
        case 10: return pass<10, traffic>(from, to, stride, n, threads); // ... and in three ...
        case 15: return pass<15, traffic>(from, to, stride, n, threads);
        case 17: return pass<17, traffic>(from, to, stride, n, threads); // ... with those of third order
        case 19: return pass<19, traffic>(from, to, stride, n, threads);
        case 27: return pass<27, traffic>(from, to, stride, n, threads);
    }
    throw std::invalid_argument("bandwidth: no lattice has " + std::to_string(streams) + " populations or moments");
}

} // namespace

Bandwidth::Bandwidth(std::size_t bytes) :
    bytes_((std::max(bytes, 4 * lastCache()) + page - 1) / page * page), memory_(2 * bytes_ / sizeof(double))
{
    double* p = memory_.data();
    const std::ptrdiff_t n = std::ptrdiff_t(2 * bytes_ / sizeof(double));
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) p[i] = 0;
}

template<class T>
double Bandwidth::measureAs(Traffic traffic, int streams, int threads)
{
    // Streams that begin at the same place of a page would meet in the same sets of the caches. Nine
    // lines apart they do not, and this distance measured best.
    constexpr std::size_t shift = 9 * 64;
    const std::size_t pages = bytes_ / page / streams;
    const std::size_t n = (pages - 1) * page / sizeof(T);
    const std::size_t stride = n + shift / sizeof(T);
    T* from = reinterpret_cast<T*>(memory_.data());
    T* to = from + bytes_ / sizeof(T);

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    double seconds = 0;
    int passes = 0;
    for (; passes < 2 || seconds < 0.1; ++passes) {
        if (traffic == Traffic::copy) pass<Traffic::copy>(streams, from, to, stride, n, threads);
        else pass<Traffic::inPlace>(streams, from, to, stride, n, threads);
        seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    return 2.0 * streams * n * sizeof(T) * passes / seconds;
}

double Bandwidth::measure(Traffic traffic, int streams, int valueBytes, int threads)
{
    if (valueBytes == 8) return measureAs<double>(traffic, streams, threads);
    if (valueBytes == 4) return measureAs<float>(traffic, streams, threads);
    throw std::invalid_argument("bandwidth: values of " + std::to_string(valueBytes) + " bytes");
}

double cacheBandwidth(std::size_t bytes, int threads)
{
    using V = PackTraits<Pack<float>>;
    const std::size_t n = std::max<std::size_t>(bytes / page, 1) * page / sizeof(float);
    const std::size_t passes = std::max<std::size_t>(3, (std::size_t(256) << 20) / bytes);
    HostArray<float> memory(n * threads);
    double best = 0;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
#pragma omp parallel num_threads(threads)
        {
            float* own = memory.data() + n * omp_get_thread_num();
            for (std::size_t pass = 0; pass < passes; ++pass)
                for (std::size_t i = 0; i < n; i += V::width) V::store(own + i, Pack<float>(1) - V::load(own + i));
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (repeat > 0)
            best = std::max(best, 2.0 * n * sizeof(float) * passes * threads / seconds); // the first fetches it
    }
    return best;
}

double deviceBandwidth([[maybe_unused]] const std::vector<std::string>& devices)
{
#ifdef LBM_CUDA
    constexpr std::size_t most = std::size_t(8) << 30;
    double sum = 0;
    for (const std::string& word : devices) {
        const cuda::Device chosen(word);
        sum += chosen.copyBandwidth(std::min(most, chosen.freeBytes() / 4));
    }
    return sum;
#else
    throw std::invalid_argument("bandwidth: this build knows no device '" + devices.front() + "'");
#endif
}

} // namespace lbm::bench
