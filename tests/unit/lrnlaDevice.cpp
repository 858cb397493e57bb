// Towers on a CUDA device against those on the CPU, bit for bit: both built without contraction of products and sums. Those on the
// CPU are held against two arrays by lrnla.cpp. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/Cuda.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"
#include "lbm/storage/papers/lrnla/HeteroReFold.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "tests/unit/TwoArrays.hpp"
#include "tests/unit/WallShapes.hpp"
#include "tests/unit/towersOnDevice.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include <omp.h>

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

// advance(towers, relax) makes all steps. Solid nodes keep what they have.
template<class L, class S, class Towers, class Advance>
std::vector<S> after(Towers& towers, const Place& size, const std::vector<S>& start, Advance&& advance,
                     const test::Solid& solid = {})
{
    std::vector<S> populations = start;
    const auto visit = [&](auto&& each) {
        std::size_t i = 0;
        for (int z = 0; z < size[2]; ++z)
            for (int y = 0; y < size[1]; ++y)
                for (int x = 0; x < size[0]; ++x)
                    for (int q = 0; q < L::Q; ++q, ++i)
                        if (!solid || !solid({x, y, z})) each(Place{x, y, z}, q, i);
    };
    visit([&](const Place& x, int q, std::size_t i) { towers.setArrived(x, q, start[i]); });
    advance(towers);
    visit([&](const Place& x, int q, std::size_t i) { populations[i] = towers.arrived(x, q); });
    return populations;
}

template<class L, class S>
auto relaxation(bool trt, double tau)
{
    using Relax = Relaxation<L, QuasiCompressible, S>;
    return trt ? Relax::trt(tau, 0.1875) : Relax::bgk(tau);
}

template<class L, class R, class S>
std::vector<S> onHost(const Place& size, int steps, bool trt, double tau, const std::vector<S>& start,
                      const test::Solid& solid = {})
{
    ReFold<L, R> towers(size, 4, 4, solid);
    return after<L>(
        towers, size, start,
        [&](auto& t) { t.advance(steps, relaxation<L, S>(trt, tau), OpenMpTeam{omp_get_max_threads()}); }, solid);
}

template<class S>
void expectSame(const std::vector<S>& host, const std::vector<S>& device, const std::string& what)
{
    std::size_t differ = 0;
    double largest = 0;
    for (std::size_t i = 0; i < host.size(); ++i) {
        differ += !(host[i] == device[i]);
        largest = std::max(largest, std::abs(double(host[i]) - double(device[i])));
    }
    EXPECT_EQ(differ, 0u) << what << ", of " << host.size() << ", by " << largest;
}

std::string textOf(const Place& size)
{
    return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

using Words = std::vector<std::string>;

// A CPU and devices together
template<class L, class S>
void together(const Place& size, int n, int threads, const std::vector<int>& rounds, bool trt,
              const test::NamedWalls& walls = {}, const Words& devices = {"cuda"})
{
    const double tau = trt ? 0.6 : 0.55;
    const std::vector<S> start = noiseOf<L, S>(size);
    const int steps = std::accumulate(rounds.begin(), rounds.end(), 0);
    HeteroReFold<L, S> towers(
        size, n, [&](const SharedBox& box) { return innerFoldsOnDevices<L, S>(devices, box, trt, tau); }, walls.solid);
    const auto advance = [&](auto& t) {
        for (int each : rounds) t.advance(each, relaxation<L, S>(trt, tau), OpenMpTeam{threads});
    };
    const std::vector<S> both = after<L>(towers, size, start, advance, walls.solid);
    expectSame(onHost<L, Octants<S>>(size, steps, trt, tau, start, walls.solid), both,
               std::string(L::name) + " " + std::to_string(sizeof(S)) + " bytes, " + textOf(size) + ' ' + walls.name
                   + ", n " + std::to_string(n) + ", " + std::to_string(threads) + " threads, "
                   + std::to_string(devices.size()) + " devices, " + std::to_string(steps) + " steps");
}

// One by one where there are as many; else some take a share more.
Words devicesFor(int shares)
{
    const int present = cuda::deviceCount();
    Words words;
    for (int i = 0; i < shares; ++i) words.push_back("cuda:" + std::to_string(i % present));
    return words;
}

template<class L, class S>
void agree(const Place& size, bool folds, int most, const std::vector<int>& rounds, bool trt,
           const test::NamedWalls& walls = {})
{
    const double tau = trt ? 0.6 : 0.55;
    const std::vector<S> start = noiseOf<L, S>(size);
    const int steps = std::accumulate(rounds.begin(), rounds.end(), 0);
    const std::vector<S> host = folds ? onHost<L, Octants<S>>(size, steps, trt, tau, start, walls.solid)
                                      : onHost<L, S>(size, steps, trt, tau, start, walls.solid);
    const std::vector<S> device = towersOnDevice<L, S>(size, folds, most, rounds, trt, tau, start, walls.solid);
    expectSame(host, device,
               std::string(L::name) + " " + std::to_string(sizeof(S)) + " bytes, " + textOf(size)
                   + (folds ? " folded" : "") + ' ' + walls.name + ", NT " + std::to_string(most) + ", "
                   + std::to_string(steps) + " steps");
}

class LrnlaDevice : public testing::Test {
protected:
    void SetUp() override
    {
        try {
            cuda::deviceCount();
        } catch (const cuda::Error& missing) {
            GTEST_SKIP() << missing.what();
        }
    }
};

} // namespace

TEST_F(LrnlaDevice, planesOfSymmetryAreExact)
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

TEST_F(LrnlaDevice, periodicBoxesAreExact)
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

TEST_F(LrnlaDevice, wallsAreExact)
{
    visitBuiltShells([]<class L>() {
        for (const test::NamedWalls& walls : test::wallsOf({16, 32, 48}))
            agree<L, float>({16, 32, 48}, true, 5, {3, 5, 6}, true, walls);
        for (const test::NamedWalls& walls : test::wallsOf({16, 8, 24}))
            agree<L, double>({16, 8, 24}, false, 4, {9}, false, walls);
    });
    for (int most : {1, 2, 3, 8, 9, 17, 32}) {
        const test::NamedWalls grains{"grains", test::grains(30, most)};
        agree<D3Q19, float>({16, 16, 16}, true, most, {most, 1, most}, false, grains);
        agree<D3Q19, double>({32, 48, 16}, true, most, {33}, true, grains);
        agree<D3Q19, float>({16, 24, 8}, false, most, {33}, true, grains);
    }
    agree<D3Q19, float>({96, 80, 64}, true, 16, {37}, false, {"a shell", test::shell({96, 80, 64})});
    agree<D3Q19, float>({96, 80, 64}, true, 16, {37}, false, {"a sphere", test::sphere({96, 80, 64}, 25)});
}

// Few towers, for memcheck and racecheck
TEST_F(LrnlaDevice, wallsOfASmallBoxAreExact)
{
    agree<D3Q19, float>({16, 16, 16}, true, 5, {5, 4}, false, {"grains", test::grains(30)});
    agree<D3Q19, double>({8, 16, 8}, false, 5, {5, 4}, false, {"grains", test::grains(30)});
}

TEST_F(LrnlaDevice, togetherWithACpuIsExact)
{
    visitBuiltShells([]<class L>() {
        together<L, float>({32, 64, 48}, 8, 3, {8, 11, 16}, true);
        together<L, double>({64, 32, 32}, 8, 2, {24}, false);
    });
}

TEST_F(LrnlaDevice, togetherOfAnyThreadsAndPassesIsExact)
{
    for (int threads : {1, 2, 4, 16}) {
        together<D3Q19, float>({96, 64, 80}, 8, threads, {16, 8}, false);
        together<D3Q19, double>({64, 96, 128}, 16, threads, {48}, true);
    }
    // Many passes, remainders between them, and an odd one, after which threads are alone
    together<D3Q19, float>({128, 64, 96}, 16, 4, {64, 6, 32, 7, 20}, true);
    together<D3Q19, float>({192, 128, 128}, 32, 8, {64}, false);
}

TEST_F(LrnlaDevice, togetherWithWallsIsExact)
{
    for (const test::NamedWalls& walls : test::wallsOf({32, 64, 48}))
        together<D3Q19, float>({32, 64, 48}, 8, 3, {8, 11, 16}, true, walls);
    visitBuiltShells([]<class L>() {
        together<L, float>({32, 48, 32}, 8, 2, {8, 11}, true, {"a sphere", test::sphere({32, 48, 32}, 14)});
        together<L, double>({48, 32, 32}, 8, 2, {24}, false, {"grains", test::grains(30)});
    });
    for (int threads : {1, 4, 16})
        together<D3Q19, double>({64, 96, 64}, 16, threads, {32, 5, 7, 16}, true, {"grains", test::grains(20, threads)});
    together<D3Q19, float>({128, 128, 128}, 32, 8, {32}, false, {"a shell", test::shell({128, 128, 128})});
    together<D3Q19, float>({160, 96, 96}, 16, 8, {32}, false, {"a sphere", test::sphere({160, 96, 96}, 40)});
}

TEST_F(LrnlaDevice, togetherOfSeveralDevicesIsExact)
{
    for (int shares : {2, 3}) {
        const Words devices = devicesFor(shares);
        visitBuiltShells([&]<class L>() {
            together<L, float>({64, 48, 32}, 8, 3, {8, 11, 16}, true, {}, devices);
            together<L, double>({32, 80, 32}, 8, 2, {24}, false, {"grains", test::grains(30)}, devices);
        });
        together<D3Q19, float>({128, 64, 96}, 16, 4, {64, 6, 32, 7, 20}, true, {}, devices);
        together<D3Q19, float>({192, 96, 96}, 16, 8, {32}, false, {"a sphere", test::sphere({192, 96, 96}, 40)},
                               devices);
        together<D3Q19, double>({128, 64, 96}, 16, 4, {32, 6, 16}, true, {"grains", test::grains(20)}, devices);
    }
}

// Few towers, for memcheck and racecheck
TEST_F(LrnlaDevice, togetherInASmallBoxIsExact)
{
    const test::NamedWalls grains{"grains", test::grains(30)};
    together<D3Q19, float>({32, 32, 32}, 8, 1, {8}, false, grains);
    together<D3Q19, float>({32, 32, 48}, 8, 1, {8}, false, grains, devicesFor(2));
}

TEST_F(LrnlaDevice, whatDoesNotFitIsRefused)
{
    EXPECT_THROW((together<D3Q19, float>({32, 32, 32}, 8, 1, {1}, false, {}, devicesFor(2))), std::invalid_argument);
    EXPECT_THROW((together<D3Q19, float>({16, 32, 32}, 8, 1, {1}, false)), std::invalid_argument); // no inner ones
    EXPECT_THROW((together<D3Q19, float>({32, 32, 32}, 4, 1, {1}, false)), std::invalid_argument); // a tower is larger
    const std::vector<float> none;
    EXPECT_THROW((towersOnDevice<D3Q19, float>({8, 12, 8}, false, 4, {1}, false, 0.6, none)), std::invalid_argument);
    EXPECT_THROW((towersOnDevice<D3Q19, float>({16, 24, 16}, true, 4, {1}, false, 0.6, none)), std::invalid_argument);
    EXPECT_THROW((towersOnDevice<D3Q19, float>({16, 16, 16}, true, 0, {1}, false, 0.6, none)), std::invalid_argument);
    EXPECT_THROW((towersOnDevice<D3Q19, float>({8192, 8192, 8192}, true, 4, {1}, false, 0.6, none)), lbm::cuda::Error);
}
