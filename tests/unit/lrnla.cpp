// The algorithm of Levchenko & Perepelkina 2022 against two arrays, a collision and a streaming step, with the same
// relaxation: bit for bit, for whatever order it computes in. Built without contraction of products and sums.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/papers/lrnla/InnerPlan.hpp"
#include "lbm/storage/papers/lrnla/PlainCompact.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"
#include "tests/unit/OtherThreads.hpp"
#include "tests/unit/TwoArrays.hpp"

#include "lbm/model/TowerModel.hpp"
#include "lbm/physics/Bgk.hpp"

#include <gtest/gtest.h>

using namespace lbm;
using namespace lbm::lrnla;
using namespace lbm::lrnla::test;

namespace {

template<class L, class S>
void plainCompactIsExact()
{
    const Size size{8, 4, 6};
    TwoArrays<L, S> plain(size);
    PlainCompact<L, S> compact(size);
    fill<L>(size, plain, compact);
    ASSERT_EQ((differences<L>(size, plain, compact)), 0u);
    const auto relax = Relaxation<L, QuasiCompressible, S>::trt(0.6, 0.1875);
    for (int steps : {1, 1, 2, 3, 8, 5}) {
        plain.advance(steps, relax);
        compact.advance(steps, relax);
        EXPECT_EQ((differences<L>(size, plain, compact)), 0u) << L::name << ", " << steps << " more steps";
    }
}

template<class L, class S, class Team = AloneTeam>
void refoldIsExact(const Size& size, int n, int most, std::initializer_list<int> rounds, const Team& team = {})
{
    TwoArrays<L, S> plain(size);
    ReFold<L, Octants<S>> refold(size, n, most);
    fill<L>(size, plain, refold);
    ASSERT_EQ((differences<L>(size, plain, refold)), 0u);
    const auto relax = Relaxation<L, QuasiCompressible, S>::trt(0.6, 0.1875);
    int done = 0;
    for (int steps : rounds) {
        plain.advance(steps, relax);
        refold.advance(steps, relax, team);
        done += steps;
        EXPECT_EQ((differences<L>(size, plain, refold)), 0u)
            << L::name << " " << sizeof(S) << " bytes, " << size[0] << "x" << size[1] << "x" << size[2] << ", n " << n
            << ", NT " << most << ", " << team.threads << " threads, after " << done;
    }
}

template<class L, class S>
void togetherIsExact(const Size& size, int n, int threads, std::initializer_list<int> rounds, int shares = 1)
{
    const auto relax = Relaxation<L, QuasiCompressible, S>::trt(0.6, 0.1875);
    TwoArrays<L, S> plain(size);
    OtherThreads<L, S> both(size, n, relax, shares);
    fill<L>(size, plain, both);
    for (int steps : rounds) {
        plain.advance(steps, relax);
        both.advance(steps, relax, ThreadTeam{threads});
        EXPECT_EQ((differences<L>(size, plain, both)), 0u)
            << L::name << " " << sizeof(S) << " bytes, n " << n << ", " << threads << " threads, " << shares
            << " others, " << steps << " more";
    }
}

template<class L, class S>
void towersAreExact(const Size& size, int n, int most, std::initializer_list<int> rounds)
{
    ReFold<L, S> towers(size, n, most);
    TwoArrays<L, S> plain = mirroredCopies<L, S>(size, towers);
    const auto relax = Relaxation<L, QuasiCompressible, S>::bgk(0.55);
    for (int steps : rounds) {
        plain.advance(steps, relax);
        towers.advance(steps, relax);
        EXPECT_EQ((differences<L>(size, plain, towers)), 0u)
            << L::name << ", n " << n << ", NT " << most << ", " << steps;
    }
}

} // namespace

TEST(Lrnla, plainCompactUpdateIsExact)
{
    visitBuiltShells([]<class L>() {
        plainCompactIsExact<L, double>();
        plainCompactIsExact<L, float>();
    });
}

TEST(Lrnla, towersAreExact)
{
    visitBuiltShells([]<class L>() { towersAreExact<L, float>({4, 8, 4}, 4, 3, {1, 2, 3, 7}); });
    for (int most : {1, 2, 3, 4, 7, 8, 16, 32}) {
        towersAreExact<D3Q19, double>({4, 4, 4}, 2, most, {32, 33});
        towersAreExact<D3Q19, double>({8, 4, 12}, 4, most, {1, 32, 5});
        towersAreExact<D3Q19, double>({8, 8, 8}, 8, most, {1, 32, 5});
    }
    towersAreExact<D3Q19, double>({2, 2, 2}, 2, 5, {11});
}

TEST(Lrnla, refoldIsExact)
{
    visitBuiltShells([]<class L>() {
        refoldIsExact<L, float>({8, 4, 8}, 2, 3, {1, 2, 3, 7});
        refoldIsExact<L, float>({8, 16, 8}, 4, 4, {1, 4, 6});
    });
    refoldIsExact<D3Q19, double>({8, 4, 8}, 2, 3, {1, 2, 3, 7});
    for (int most = 1; most <= 32; ++most) refoldIsExact<D3Q19, float>({8, 8, 16}, 4, most, {most, 1, 33});
    for (int n : {2, 4, 8}) refoldIsExact<D3Q19, double>({16, 32, 48}, n, n, {n, n + 1});
    refoldIsExact<D3Q19, float>({4, 4, 4}, 2, 9, {1, 20});
}

TEST(Lrnla, threadsAreExact)
{
    for (int threads : {1, 2, 4, 16}) {
        refoldIsExact<D3Q19, float>({16, 16, 16}, 2, 5, {5, 1, 7}, ThreadTeam{threads});
        refoldIsExact<D3Q19, double>({16, 8, 24}, 4, 4, {4, 9}, ThreadTeam{threads});
    }
}

TEST(Lrnla, innerTorreFoldsMayBeAnothers)
{
    for (int threads : {1, 2, 4}) {
        togetherIsExact<D3Q19, float>({16, 24, 16}, 2, threads, {2, 4, 7, 4});
        togetherIsExact<D3Q19, double>({16, 24, 32}, 4, threads, {8, 5, 4});
        togetherIsExact<D3Q19, float>({32, 48, 32}, 8, threads, {16, 10});
    }
}

TEST(Lrnla, severalOthersMayShareInnerTorreFolds)
{
    for (int shares : {2, 3})
        for (int threads : {1, 2}) {
            togetherIsExact<D3Q19, float>({16, 24, 16}, 2, threads, {2, 4, 7, 4}, shares);
            togetherIsExact<D3Q19, double>({24, 16, 32}, 4, threads, {8, 5, 4}, shares);
            togetherIsExact<D3Q19, float>({64, 32, 32}, 8, threads, {16, 10}, shares);
        }
}

// Along the axis that has most of them, without rest
TEST(Lrnla, layersShareAllBlocks)
{
    for (const Place& upper : {Place{3, 7, 5}, Place{7, 3, 3}, Place{2, 2, 9}})
        for (int parts : {1, 2, 3, 7}) {
            const std::vector<BlockRange> layers = layersOf({{0, 0, 0}, upper}, parts);
            ASSERT_EQ(layers.size(), std::size_t(parts));
            forEach(upper, [&](const Place& block) {
                EXPECT_EQ(std::count_if(layers.begin(), layers.end(), [&](const auto& l) { return l.holds(block); }),
                          1);
            });
            const double all = double(upper[0]) * upper[1] * upper[2],
                         most = *std::max_element(upper.begin(), upper.end());
            for (const BlockRange& layer : layers)
                EXPECT_LE(layer.size(0) * layer.size(1) * layer.size(2), all / most * std::ceil(most / parts));
        }
    EXPECT_THROW(layersOf({{0, 0, 0}, {2, 1, 2}}, 3), std::invalid_argument);
}

TEST(Lrnla, anothersFaultEndsThePass)
{
    const auto relax = Relaxation<D3Q19, QuasiCompressible, float>::bgk(0.6);
    for (int shares : {1, 2})
        for (int after : {0, 3}) {
            OtherThreads<D3Q19, float> both({16, 16, 16}, 2, relax, shares, {}, after);
            EXPECT_THROW(both.advance(4, relax, ThreadTeam{2}), std::runtime_error);
        }
}

// What crosses from and to the towers of a range of blocks: a line a diagonal of its gnomon, each once.
TEST(Lrnla, innerPlanCrossesEachDiagonalOnce)
{
    struct Line {
        std::size_t inBox;
    };
    constexpr int n = 8;
    for (const Place& cells : {Place{24, 24, 24}, Place{32, 48, 16}})
        for (int parts : {1, 2})
            for (const BlockRange& range : layersOf(innerBlocks(cells, n), parts)) {
                const FarshOrder order(cells, n);
                const InnerPlan<Line> plan(range, n, 2,
                                           [&](const int(&)[3], const Place&, const Place& begin, const Place&) {
                                               return Line{order(begin)};
                                           });
                const double x = n * range.size(0), y = n * range.size(1), z = n * range.size(2);
                const double gnomon = x * y * z - (x - 1) * (y - 1) * (z - 1);
                std::size_t towers = 0;
                for (const InnerBatch& batch : plan.batches) {
                    EXPECT_LE(batch.blocks.size(), 2u);
                    towers += batch.towers.size();
                    for (const Place& block : batch.blocks) EXPECT_TRUE(range.holds(block));
                }
                EXPECT_EQ(double(towers), x * y * z / 512);
                EXPECT_EQ(plan.order.size(), towers);
                for (const std::vector<Line>* lines : {&plan.arriving, &plan.leaving}) {
                    EXPECT_EQ(double(lines->size()), gnomon);
                    std::vector<std::size_t> own;
                    for (const Line& line : *lines) own.push_back(line.inBox);
                    std::sort(own.begin(), own.end());
                    EXPECT_TRUE(std::adjacent_find(own.begin(), own.end()) == own.end());
                    EXPECT_NE(own.back(), FarshOrder::none);
                }
            }
}

TEST(Lrnla, openMpTeamIsExact)
{
    for (int threads : {1, 2, 4, 16}) refoldIsExact<D3Q19, float>({16, 16, 16}, 4, 6, {13}, OpenMpTeam{threads});
}

TEST(Lrnla, fusedTierIsDecompactCollideCompact)
{
    visitBuiltShells([]<class L>() {
        std::mt19937 generator(3);
        std::uniform_real_distribution<double> noise(-0.01, 0.01);
        Group<L, double> steps, fused, before;
        for (auto& cell : before.cell)
            for (double& f : cell.f) f = noise(generator);
        const auto relax = Relaxation<L, QuasiCompressible, double>::bgk(0.7);
        steps = before;
        decompact(steps);
        collide(steps, relax);
        compact(steps);
        Cell<L, double>* after[8];
        for (int i = 0; i < 8; ++i) after[i] = &fused.cell[i];
        fusedTier(before, relax, after);
        for (int i = 0; i < 8; ++i)
            for (int q = 0; q < L::Q; ++q) EXPECT_EQ(steps.cell[i].f[q], fused.cell[i].f[q]) << L::name;
    });
}

TEST(Lrnla, relaxationDoesNotNoticeReflections)
{
    visitShells([]<class L>() {
        std::mt19937 generator(5);
        std::uniform_real_distribution<float> noise(-0.01f, 0.01f);
        const auto relax = Relaxation<L, QuasiCompressible, float>::trt(0.55, 0.25);
        for (int sample = 0; sample < 1000; ++sample) {
            float g[L::Q], mirrored[8][L::Q];
            for (float& f : g) f = noise(generator);
            for (int m = 0; m < 8; ++m)
                for (int q = 0; q < L::Q; ++q) mirrored[m][mirroredLink<L>(q, m)] = g[q];
            relax(g);
            for (int m = 0; m < 8; ++m) {
                relax(mirrored[m]);
                for (int q = 0; q < L::Q; ++q) ASSERT_EQ(mirrored[m][mirroredLink<L>(q, m)], g[q]) << L::name;
            }
        }
    });
}

TEST(Lrnla, relaxationIsThatOfPhysics)
{
    visitShells([]<class L>() {
        std::mt19937 generator(9);
        std::uniform_real_distribution<double> noise(-0.01, 0.01);
        const double still[3] = {0, 0, 0};
        double g[L::Q], bgk[L::Q], trt[L::Q];
        for (int q = 0; q < L::Q; ++q) trt[q] = bgk[q] = g[q] = noise(generator);
        const auto p = parameters<double>(0.6, 0.1875, still);
        double f[L::Q];
        std::copy(g, g + L::Q, f);
        Bgk::apply<L, QuasiCompressible>(f, p);
        Relaxation<L, QuasiCompressible, double>::bgk(0.6)(bgk);
        for (int q = 0; q < L::Q; ++q) EXPECT_NEAR(bgk[q], f[q], 1e-16) << L::name;
        std::copy(g, g + L::Q, f);
        Trt::apply<L, QuasiCompressible>(f, p);
        Relaxation<L, QuasiCompressible, double>::trt(0.6, 0.1875)(trt);
        for (int q = 0; q < L::Q; ++q) EXPECT_NEAR(trt[q], f[q], 1e-16) << L::name;
    });
}

TEST(Lrnla, modelCountsWhatGroupsExchange)
{
    visitShells([]<class L>() {
        int all = 0, alongX = 0, axes = 0, faces = 0, corners = 0;
        for (int q = 1; q < L::Q; ++q) {
            all += inward<L>(q) != 0;
            alongX += inward<L>(q) == 1;
            const int length = L::c[q][0] * L::c[q][0] + L::c[q][1] * L::c[q][1] + L::c[q][2] * L::c[q][2];
            ++(length == 1 ? axes : length == 2 ? faces : corners);
        }
        const model::ExchangedLinks links = model::exchangedLinks(axes, faces, corners);
        EXPECT_EQ(links.all, all) << L::name;
        EXPECT_EQ(links.alongX, alongX) << L::name;
    });
    // D3Q19: 24 shuffles after an even step, 6 of them and 18 out and in after an odd one
    EXPECT_DOUBLE_EQ(model::exchangedWords(model::exchangedLinks(true, true, false), 4), (24 + 6 + 36) / 2.0);
}

TEST(Lrnla, shellsThatSolveNavierStokesAreThreeOfSeven)
{
    std::vector<int> sizes;
    visitShells([&]<class L>() {
        if (solvesNavierStokes<L>) sizes.push_back(L::Q);
    });
    EXPECT_EQ(sizes, (std::vector<int>{15, 19, 27}));
}

TEST(Lrnla, whatDoesNotFitIsRefused)
{
    EXPECT_THROW((PlainCompact<D3Q19, double>({4, 5, 4})), std::invalid_argument);
    EXPECT_THROW((ReFold<D3Q19, Octants<float>>({16, 16, 18}, 4, 4)), std::invalid_argument);
    EXPECT_THROW((ReFold<D3Q19, Octants<float>>({16, 16, 24}, 8, 4)), std::invalid_argument);
    EXPECT_THROW((ReFold<D3Q19, Octants<float>>({24, 24, 24}, 6, 4)), std::invalid_argument);
    EXPECT_THROW((ReFold<D3Q19, Octants<float>>({16, 16, 16}, 4, 0)), std::invalid_argument);
}
