// Walls at rest in the compact update and in towers, against two arrays with half-way bounce-back, bit for bit, and those against the
// scalar kernel ab. Built without contraction of products and sums. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"
#include "lbm/storage/papers/lrnla/PlainCompact.hpp"
#include "lbm/storage/papers/lrnla/ReFold.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "tests/unit/TwoArrays.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

using namespace lbm;
using namespace lbm::lrnla;
using namespace lbm::lrnla::test;

namespace {

// Every kind of corner: each node by itself, so many of a hundred.
Solid grains(int percent, int seed = 1)
{
    return [=](const Size& x) {
        std::uint32_t h = std::uint32_t(seed) * 2654435761u;
        for (int c : x) h = (h ^ std::uint32_t(c + 1)) * 2246822519u, h ^= h >> 13;
        return int(h % 100) < percent;
    };
}

// All sides closed.
Solid shell(const Size& size)
{
    return [=](const Size& x) {
        for (int a = 0; a < 3; ++a)
            if (x[a] == 0 || x[a] == size[a] - 1) return true;
        return false;
    };
}

Solid sphere(const Size& size, double radius)
{
    return [=](const Size& x) {
        double square = 0;
        for (int a = 0; a < 3; ++a) square += std::pow(x[a] - 0.5 * size[a] + 0.2, 2);
        return square < radius * radius;
    };
}

Solid slab(int axis, int from, int to)
{
    return [=](const Size& x) { return x[axis] >= from && x[axis] < to; };
}

Solid one(const Size& at)
{
    return [=](const Size& x) { return x == at; };
}

struct Named {
    std::string name;
    Solid solid;
};

std::vector<Named> wallsOf(const Size& size)
{
    return {{"few grains", grains(10)},          {"grains", grains(40)},
            {"many grains", grains(80)},         {"a shell", shell(size)},
            {"a sphere", sphere(size, 0.4 * size[1])}, {"layers across x", slab(0, 1, 4)},
            {"a layer across y", slab(1, 2, 3)}, {"layers across z", slab(2, size[2] - 1, size[2])}};
}

template<class L, class S, class Box, class Team>
void expectExact(const Size& size, TwoArrays<L, S>& plain, Box& box, std::initializer_list<int> rounds, const Team& team,
                 const std::string& what)
{
    ASSERT_EQ((differences<L>(size, plain, box)), 0u) << what << ", at the start";
    const auto relax = Relaxation<L, QuasiCompressible, S>::trt(0.6, 0.1875);
    int done = 0;
    for (int steps : rounds) {
        plain.advance(steps, relax);
        if constexpr (requires { box.advance(steps, relax, team); }) box.advance(steps, relax, team);
        else box.advance(steps, relax);
        done += steps;
        ASSERT_EQ((differences<L>(size, plain, box)), 0u)
            << L::name << " " << sizeof(S) << " bytes, " << size[0] << "x" << size[1] << "x" << size[2] << ", " << what
            << ", after " << done;
    }
}

template<class L, class S>
void plainIsExact(const Size& size, const Named& walls)
{
    TwoArrays<L, S> plain(size, walls.solid);
    PlainCompact<L, S> compact(size, walls.solid);
    fill(size, plain, compact);
    expectExact(size, plain, compact, {1, 1, 2, 3, 8, 5}, AloneTeam{}, walls.name);
}

template<class L, class S, class Team = AloneTeam>
void refoldIsExact(const Size& size, int n, int most, std::initializer_list<int> rounds, const Named& walls,
                   const Team& team = {})
{
    TwoArrays<L, S> plain(size, walls.solid);
    ReFold<L, Octants<S>> refold(size, n, most, walls.solid);
    fill(size, plain, refold);
    expectExact(size, plain, refold, rounds, team,
                walls.name + ", n " + std::to_string(n) + ", NT " + std::to_string(most) + ", "
                    + std::to_string(team.threads) + " threads");
}

template<class L, class S>
void towersAreExact(const Size& size, int n, int most, std::initializer_list<int> rounds, const Named& walls)
{
    ReFold<L, S> towers(size, n, most, walls.solid);
    TwoArrays<L, S> plain = mirroredCopies<L, S>(size, towers, walls.solid);
    expectExact(size, plain, towers, rounds, AloneTeam{}, walls.name + ", planes of symmetry");
}

} // namespace

TEST(LrnlaWalls, plainCompactUpdateIsExact)
{
    visitBuiltShells([]<class L>() {
        for (const Named& walls : wallsOf({8, 4, 6})) {
            plainIsExact<L, double>({8, 4, 6}, walls);
            plainIsExact<L, float>({8, 4, 6}, walls);
        }
    });
}

TEST(LrnlaWalls, refoldIsExact)
{
    visitBuiltShells([]<class L>() {
        for (const Named& walls : wallsOf({8, 4, 8})) {
            refoldIsExact<L, float>({8, 4, 8}, 2, 3, {1, 2, 3, 7}, walls);
            refoldIsExact<L, double>({8, 4, 8}, 2, 3, {3, 4}, walls);
        }
    });
    for (const Named& walls : wallsOf({16, 32, 48}))
        for (int n : {2, 8}) refoldIsExact<D3Q19, double>({16, 32, 48}, n, n, {n, n + 1}, walls);
}

TEST(LrnlaWalls, heightsAndRemaindersAreExact)
{
    for (int most = 1; most <= 32; ++most) {
        refoldIsExact<D3Q19, float>({8, 8, 16}, 4, most, {most, 1, 33}, {"grains", grains(30, most)});
        refoldIsExact<D3Q19, float>({8, 8, 16}, 4, most, {2 * most + 1}, {"a shell", shell({8, 8, 16})});
    }
}

// Wherever it is: at corners of groups, of TorreFolds, where the box is folded, where it closes.
TEST(LrnlaWalls, oneSolidNodeIsExact)
{
    const Size size{8, 8, 8};
    forEach(size, [&](const Size& at) {
        refoldIsExact<D3Q19, float>(size, 2, 4, {4, 3},
                                    {"a node at " + std::to_string(at[0]) + " " + std::to_string(at[1]) + " "
                                         + std::to_string(at[2]),
                                     one(at)});
    });
}

TEST(LrnlaWalls, planesOfSymmetryAreExact)
{
    visitBuiltShells([]<class L>() {
        for (const Named& walls : wallsOf({4, 8, 4})) towersAreExact<L, float>({4, 8, 4}, 4, 3, {1, 2, 3, 7}, walls);
    });
    for (int most : {1, 2, 5, 16})
        for (const Named& walls : wallsOf({8, 4, 12})) towersAreExact<D3Q19, double>({8, 4, 12}, 2, most, {1, 32, 5}, walls);
}

TEST(LrnlaWalls, threadsAreExact)
{
    for (int threads : {1, 2, 4, 16}) {
        refoldIsExact<D3Q19, float>({16, 16, 16}, 2, 5, {5, 1, 7}, {"grains", grains(30)}, ThreadTeam{threads});
        refoldIsExact<D3Q19, double>({16, 8, 24}, 4, 4, {4, 9}, {"a shell", shell({16, 8, 24})}, ThreadTeam{threads});
    }
}

TEST(LrnlaWalls, massIsKeptAndNothingGetsIntoWalls)
{
    using L = D3Q19;
    const Size size{16, 16, 16};
    for (const Named& walls : wallsOf(size)) {
        TwoArrays<L, double> start(size, walls.solid);
        ReFold<L, Octants<double>> refold(size, 4, 8, walls.solid);
        fill(size, start, refold);
        const auto mass = [&](const auto& box) {
            double sum = 0;
            forEach(size, [&](const Size& x) {
                for (int q = 0; q < L::Q && !start.isSolid(x); ++q) sum += box.arrived(x, q);
            });
            return sum;
        };
        refold.advance(101, Relaxation<L, QuasiCompressible, double>::bgk(0.6));
        EXPECT_NEAR(mass(refold), mass(start), 1e-13) << walls.name;
        forEach(size, [&](const Size& x) {
            bool within = true;
            forEach({3, 3, 3}, [&](const Size& d) {
                within = within && start.isSolid({x[0] + d[0] - 1, x[1] + d[1] - 1, x[2] + d[2] - 1});
            });
            for (int q = 0; q < L::Q && within; ++q) ASSERT_EQ(refold.arrived(x, q), 0.0) << walls.name;
        });
    }
}

// With D3Q19, bgk. The kernel adds links in another order.
TEST(LrnlaWalls, twoArraysAreTheScalarKernelAb)
{
    using L = D3Q19;
    const Size size{12, 8, 10};
    for (const Named& walls : wallsOf(size)) {
        const auto made = std::make_shared<Domain>();
        Domain& domain = *made;
        domain.size = size;
        domain.periodic = {true, true, true};
        domain.fluid = BitSet(domain.nodes());
        std::vector<NodeIndex> nodes;
        forEach(size, [&](const Size& x) {
            if (walls.solid(x)) return;
            nodes.push_back(domain.index(x[0], x[1], x[2]));
            domain.fluid.set(nodes.back());
        });
        Config config;
        config.collision = "bgk";
        config.storage = "ab";
        config.arithmetic = "scalar";
        config.tau = 0.6;
        const std::unique_ptr<Solver> solver = makeSolver(made, config);
        TwoArrays<L, double> plain(size, walls.solid), after(size, walls.solid);
        std::vector<double> populations(nodes.size() * L::Q);
        const auto streamed = [&](TwoArrays<L, double>& box) {
            const double* f = populations.data();
            for (NodeIndex node : nodes)
                for (int q = 0; q < L::Q; ++q, ++f) {
                    const Size x = domain.coordinates(node);
                    const Size there = domain.coordinates(domain.neighbour(x, {L::c[q][0], L::c[q][1], L::c[q][2]}));
                    if (box.isSolid(there)) box.setArrived(x, opposite(q), *f);
                    else box.setArrived(there, q, *f);
                }
        };
        std::mt19937 generator(3);
        std::uniform_real_distribution<double> noise(-0.002, 0.002);
        for (double& f : populations) f = noise(generator);
        solver->setPopulations(nodes.data(), nodes.size(), populations.data());
        streamed(plain);
        solver->advance(9);
        plain.advance(9, Relaxation<L, Incompressible, double>::bgk(0.6));
        solver->getPopulations(nodes.data(), nodes.size(), populations.data());
        streamed(after);
        double largest = 0;
        for (NodeIndex node : nodes)
            for (int q = 0; q < L::Q; ++q) {
                const Size x = domain.coordinates(node);
                largest = std::max(largest, std::abs(after.arrived(x, q) - plain.arrived(x, q)));
            }
        EXPECT_LT(largest, 1e-15) << walls.name;
        EXPECT_GT(std::abs(plain.arrived(domain.coordinates(nodes[0]), 1)), 1e-9) << walls.name;
    }
}
