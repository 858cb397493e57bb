// The algorithm of Levchenko & Perepelkina 2022 against two arrays, a collision and a streaming step, with the same
// relaxation: bit for bit, for whatever order it computes in. Built without contraction of products and sums.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/papers/lrnla/PlainCompact.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "lbm/storage/papers/lrnla/Shells.hpp"

#include "lbm/physics/Bgk.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace lbm;
using namespace lbm::lrnla;

namespace {

using Size = std::array<int, 3>;

template<class L, class S>
class TwoArrays {
public:
    explicit TwoArrays(const Size& size) : size_(size), now_(std::size_t(size[0]) * size[1] * size[2]), next_(now_) {}

    S& arrived(const Size& x, int q) { return now_[place(x)].f[q]; }

    template<class Collide>
    void advance(int steps, const Collide& relax)
    {
        for (int s = 0; s < steps; ++s) {
            forEach(size_, [&](const Size& x) {
                Cell<L, S> node = now_[place(x)];
                relax(node.f);
                for (int q = 0; q < L::Q; ++q)
                    next_[place({x[0] + L::c[q][0], x[1] + L::c[q][1], x[2] + L::c[q][2]})].f[q] = node.f[q];
            });
            now_.swap(next_);
        }
    }

    template<class F>
    static void forEach(const Size& size, F&& f)
    {
        for (int z = 0; z < size[2]; ++z)
            for (int y = 0; y < size[1]; ++y)
                for (int x = 0; x < size[0]; ++x) f(Size{x, y, z});
    }

private:
    std::size_t place(const Size& x) const
    {
        std::size_t i = 0;
        for (int a = 2; a >= 0; --a) i = i * size_[a] + (x[a] + size_[a]) % size_[a];
        return i;
    }

    Size size_;
    std::vector<Cell<L, S>> now_, next_;
};

template<class L, class S, class A, class B>
void fill(const Size& size, A& a, B& b)
{
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> noise(-0.02, 0.02);
    TwoArrays<L, S>::forEach(size, [&](const Size& x) {
        for (int q = 0; q < L::Q; ++q) a.arrived(x, q) = b.arrived(x, q) = S(L::w[q] * noise(generator));
    });
}

// How many populations differ, and how many are the same because nothing moves.
template<class L, class S, class A, class B>
std::size_t differences(const Size& size, A& a, B& b)
{
    std::size_t count = 0;
    TwoArrays<L, S>::forEach(size, [&](const Size& x) {
        for (int q = 0; q < L::Q; ++q) count += !(a.arrived(x, q) == b.arrived(x, q));
    });
    return count;
}

template<class L, class S>
void plainCompactIsExact()
{
    const Size size{8, 4, 6};
    TwoArrays<L, S> plain(size);
    PlainCompact<L, S> compact(size);
    fill<L, S>(size, plain, compact);
    ASSERT_EQ((differences<L, S>(size, plain, compact)), 0u);
    const auto relax = Relaxation<L, QuasiCompressible, S>::trt(0.6, 0.1875);
    for (int steps : {1, 1, 2, 3, 8, 5}) {
        plain.advance(steps, relax);
        compact.advance(steps, relax);
        EXPECT_EQ((differences<L, S>(size, plain, compact)), 0u) << L::name << ", " << steps << " more steps";
    }
}

} // namespace

TEST(Lrnla, plainCompactUpdateIsExact)
{
    visitShells([]<class L>() {
        plainCompactIsExact<L, double>();
        plainCompactIsExact<L, float>();
    });
}

TEST(Lrnla, fusedTierIsDecompactCollideCompact)
{
    visitShells([]<class L>() {
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

TEST(Lrnla, shellsThatSolveNavierStokesAreThreeOfSeven)
{
    std::vector<int> sizes;
    visitShells([&]<class L>() {
        if (solvesNavierStokes<L>) sizes.push_back(L::Q);
    });
    EXPECT_EQ(sizes, (std::vector<int>{15, 19, 27}));
}

TEST(Lrnla, oddExtentsAreRefused) { EXPECT_THROW((PlainCompact<D3Q19, double>({4, 5, 4})), std::invalid_argument); }
