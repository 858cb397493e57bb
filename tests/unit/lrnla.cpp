// The algorithm of Levchenko & Perepelkina 2022 against two arrays, a collision and a streaming step, with the same
// relaxation: bit for bit, for whatever order it computes in. Built without contraction of products and sums.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/papers/lrnla/HeteroReFold.hpp"
#include "lbm/storage/papers/lrnla/InnerPlan.hpp"
#include "lbm/storage/papers/lrnla/PlainCompact.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"
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

// Another thread in a device's place: it climbs inner TorreFolds in the order of fronts.
template<class L, class S>
class OtherThread : public HeteroReFold<L, S> {
    using Relax = Relaxation<L, QuasiCompressible, S>;

    struct Inner : InnerFolds {
        Inner(const SharedBox& b, const Relax& r, OtherThread*& s, int f) : box(b), relax(r), self(s), failsAfter(f) {}

        void climb(TorreFolds& folds) override
        {
            const ZOrder order(box.cells, box.n);
            ConeTorre<L, Octants<S>, Relax> torre({box.cells, box.n, order, self->tiles(), self->farsh()}, relax);
            const Size most = innerBlocks(box.cells, box.n).upper;
            for (int front = most[0] + most[1] + most[2]; front >= 0; --front)
                forEach(most, [&](const Size& block) {
                    if (block[0] + block[1] + block[2] != front) return;
                    if (failsAfter-- != 0) each(torre, folds, block);
                    else fail(folds);
                });
        }
        void each(ConeTorre<L, Octants<S>, Relax>& torre, TorreFolds& folds, const Size& block)
        {
            for (int a = 0; a < 3; ++a) {
                Size right = block;
                ++right[a];
                while (!folds.isDone(right)) std::this_thread::yield();
            }
            for (std::uint64_t i = std::uint64_t(box.n / 2) * (box.n / 2) * (box.n / 2); i-- > 0;) {
                const Place within = unzipped<3>(i);
                torre.climb({block[0] * box.n + 2 * within[0], block[1] * box.n + 2 * within[1],
                             block[2] * box.n + 2 * within[2]});
            }
            folds.finish(block);
        }
        void fail(TorreFolds& folds)
        {
            forEach(innerBlocks(box.cells, box.n).upper, [&](const Size& block) { folds.finish(block); });
            throw std::runtime_error("lost");
        }

        SharedBox box;
        Relax relax;
        OtherThread*& self;
        int failsAfter;
    };

public:
    OtherThread(const Size& size, int n, const Relax& relax, int failsAfter = -1) :
        HeteroReFold<L, S>(
            size, n, [&](const SharedBox& box) { return std::make_unique<Inner>(box, relax, self_, failsAfter); }),
        self_(this)
    {}

private:
    OtherThread* self_;
};

template<class L, class S>
void togetherIsExact(const Size& size, int n, int threads, std::initializer_list<int> rounds)
{
    const auto relax = Relaxation<L, QuasiCompressible, S>::trt(0.6, 0.1875);
    TwoArrays<L, S> plain(size);
    OtherThread<L, S> both(size, n, relax);
    fill<L>(size, plain, both);
    for (int steps : rounds) {
        plain.advance(steps, relax);
        both.advance(steps, relax, ThreadTeam{threads});
        EXPECT_EQ((differences<L>(size, plain, both)), 0u)
            << L::name << " " << sizeof(S) << " bytes, n " << n << ", " << threads << " threads, " << steps << " more";
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

TEST(Lrnla, anothersFaultEndsThePass)
{
    const auto relax = Relaxation<D3Q19, QuasiCompressible, float>::bgk(0.6);
    for (int after : {0, 3}) {
        OtherThread<D3Q19, float> both({16, 16, 16}, 2, relax, after);
        EXPECT_THROW(both.advance(4, relax, ThreadTeam{2}), std::runtime_error);
    }
}

// What crosses from and to inner towers of a cube: a line a diagonal of its gnomon, each once.
TEST(Lrnla, innerPlanCrossesEachDiagonalOnce)
{
    struct Line {
        std::size_t inBox;
        Place tower, local;
    };
    for (const Place& cells : {Place{24, 24, 24}, Place{32, 48, 16}}) {
        constexpr int n = 8;
        const FarshOrder order(cells, n);
        const InnerPlan<Line> plan(cells, n, 2,
                                   [&](const int(&)[3], const Place& tower, const Place& begin, const Place& local) {
                                       return Line{order(begin), tower, local};
                                   });
        const double x = cells[0] - n, y = cells[1] - n, z = cells[2] - n;
        const double gnomon = x * y * z - (x - 1) * (y - 1) * (z - 1);
        std::size_t towers = 0;
        for (const InnerBatch& batch : plan.batches) {
            EXPECT_LE(batch.blocks.size(), 2u);
            towers += batch.towers.size();
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
