// Towers on a CUDA device against those on the CPU, bit for bit: both built without contraction of products and sums. Those on the
// CPU are held against two arrays by lrnla.cpp. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/Cuda.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"
#include "lbm/storage/papers/lrnla/ReFold.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "tests/unit/towersOnDevice.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

using namespace lbm;
using namespace lbm::lrnla;

namespace {

template<class L, class S>
std::vector<S> noiseOf(const Place& size)
{
    std::mt19937 generator(11);
    std::uniform_real_distribution<float> noise(-0.02f, 0.02f);
    std::vector<S> populations(std::size_t(size[0]) * size[1] * size[2] * L::Q);
    for (std::size_t i = 0; i < populations.size(); ++i)
        populations[i] = S(float(L::w[i % L::Q] + 0.01) * noise(generator));
    return populations;
}

template<class L, class R, class S>
std::vector<S> onHost(const Place& size, int steps, bool trt, double tau, const std::vector<S>& start)
{
    using Relax = Relaxation<L, QuasiCompressible, S>;
    ReFold<L, R> towers(size, 4, 4);
    std::vector<S> populations(start.size());
    const auto visit = [&](auto&& each) {
        std::size_t i = 0;
        for (int z = 0; z < size[2]; ++z)
            for (int y = 0; y < size[1]; ++y)
                for (int x = 0; x < size[0]; ++x)
                    for (int q = 0; q < L::Q; ++q) each(Place{x, y, z}, q, i++);
    };
    visit([&](const Place& x, int q, std::size_t i) { towers.setArrived(x, q, start[i]); });
    towers.advance(steps, trt ? Relax::trt(tau, 0.1875) : Relax::bgk(tau));
    visit([&](const Place& x, int q, std::size_t i) { populations[i] = towers.arrived(x, q); });
    return populations;
}

template<class L, class S>
void agree(const Place& size, bool folds, int most, const std::vector<int>& rounds, bool trt)
{
    const double tau = trt ? 0.6 : 0.55;
    const std::vector<S> start = noiseOf<L, S>(size);
    const int steps = std::accumulate(rounds.begin(), rounds.end(), 0);
    const std::vector<S> host =
        folds ? onHost<L, Octants<S>>(size, steps, trt, tau, start) : onHost<L, S>(size, steps, trt, tau, start);
    const std::vector<S> device = towersOnDevice<L, S>(size, folds, most, rounds, trt, tau, start);
    std::size_t differ = 0;
    double largest = 0;
    for (std::size_t i = 0; i < host.size(); ++i) {
        differ += !(host[i] == device[i]);
        largest = std::max(largest, std::abs(double(host[i]) - double(device[i])));
    }
    EXPECT_EQ(differ, 0u) << L::name << " " << sizeof(S) << " bytes, " << size[0] << "x" << size[1] << "x" << size[2]
                          << (folds ? " folded" : "") << ", NT " << most << ", " << steps << " steps, of "
                          << host.size() << ", by " << largest;
}

} // namespace

TEST(LrnlaDevice, planesOfSymmetryAreExact)
{
    visitBuiltShells([]<class L>() {
        agree<L, float>({8, 16, 24}, false, 5, {3, 5, 6}, true);
        agree<L, double>({16, 8, 8}, false, 4, {9}, false);
    });
    for (int most : {1, 2, 3, 4, 7, 8, 9, 16, 17, 32}) {
        agree<D3Q19, float>({8, 8, 8}, false, most, {most, 1, most}, false);
        agree<D3Q19, double>({16, 24, 8}, false, most, {33}, true);
    }
    agree<D3Q19, float>({64, 48, 40}, false, 16, {37}, false);
}

TEST(LrnlaDevice, periodicBoxesAreExact)
{
    visitBuiltShells([]<class L>() {
        agree<L, float>({16, 32, 48}, true, 5, {3, 5, 6}, true);
        agree<L, double>({32, 16, 16}, true, 4, {9}, false);
    });
    for (int most : {1, 2, 3, 4, 7, 8, 9, 16, 17, 32}) {
        agree<D3Q19, float>({16, 16, 16}, true, most, {most, 1, most}, false);
        agree<D3Q19, double>({32, 48, 16}, true, most, {33}, true);
    }
    agree<D3Q19, float>({96, 80, 64}, true, 16, {37}, false);
}

TEST(LrnlaDevice, whatDoesNotFitIsRefused)
{
    const std::vector<float> none;
    EXPECT_THROW((towersOnDevice<D3Q19, float>({8, 12, 8}, false, 4, {1}, false, 0.6, none)), std::invalid_argument);
    EXPECT_THROW((towersOnDevice<D3Q19, float>({16, 24, 16}, true, 4, {1}, false, 0.6, none)), std::invalid_argument);
    EXPECT_THROW((towersOnDevice<D3Q19, float>({16, 16, 16}, true, 0, {1}, false, 0.6, none)), std::invalid_argument);
    EXPECT_THROW((towersOnDevice<D3Q19, float>({8192, 8192, 8192}, true, 4, {1}, false, 0.6, none)), lbm::cuda::Error);
}
