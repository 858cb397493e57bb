// Walls at rest in the compact update and in towers, against two arrays with half-way bounce-back, bit for bit, and those against the
// scalar kernel ab. Built without contraction of products and sums. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/storage/papers/lrnla/BuiltShells.hpp"
#include "lbm/storage/papers/lrnla/CellWalls.hpp"
#include "lbm/storage/papers/lrnla/Folding.hpp"
#include "lbm/storage/papers/lrnla/PlainCompact.hpp"
#include "lbm/storage/papers/lrnla/ReFold.hpp"
#include "lbm/storage/papers/lrnla/Relaxation.hpp"
#include "tests/unit/OtherThreads.hpp"
#include "tests/unit/TwoArrays.hpp"
#include "tests/unit/WallShapes.hpp"

#include <gtest/gtest.h>

#include <memory>

using namespace lbm;
using namespace lbm::lrnla;
using namespace lbm::lrnla::test;

namespace {

template<class L, class S, class Box, class Team>
void expectExact(const Size& size, TwoArrays<L, S>& plain, Box& box, std::initializer_list<int> rounds,
                 const Team& team, const std::string& what)
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
void plainIsExact(const Size& size, const NamedWalls& walls)
{
    TwoArrays<L, S> plain(size, walls.solid);
    PlainCompact<L, S> compact(size, walls.solid);
    fill(size, plain, compact);
    expectExact(size, plain, compact, {1, 1, 2, 3, 8, 5}, AloneTeam{}, walls.name);
}

template<class L, class S, class Team = AloneTeam>
void refoldIsExact(const Size& size, int n, int most, std::initializer_list<int> rounds, const NamedWalls& walls,
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
void towersAreExact(const Size& size, int n, int most, std::initializer_list<int> rounds, const NamedWalls& walls)
{
    ReFold<L, S> towers(size, n, most, walls.solid);
    TwoArrays<L, S> plain = mirroredCopies<L, S>(size, towers, walls.solid);
    expectExact(size, plain, towers, rounds, AloneTeam{}, walls.name + ", planes of symmetry");
}

// The compact update of one cell of one octant at a time, as threads of a device do it, a folded box.
template<class L, class S>
class CellByCell {
public:
    CellByCell(const Size& size, const Solid& solid) :
        folding_(size, 2),
        walls_(size, Ends::folded, solid, [this](const Size& cell) { return place(cell); }),
        now_(8 * std::size_t(size[0]) * size[1] * size[2] / 8),
        values_(8 * walls_.keptValues())
    {
        own_.resize(now_.size());
        forEach(folding_.cells(), [&](const Size& cell) {
            const auto links = walls_.blockedLinks(cell);
            for (int octant = 0; octant < 8; ++octant)
                own_[octant * cells() + place(cell)] = {links[octant], walls_.kept(place(cell))};
        });
    }

    S arrived(const Size& x, int q) const { return *find(x, q); }
    void setArrived(const Size& x, int q, S value) { *const_cast<S*>(find(x, q)) = value; }

    template<class Collide>
    void advance(int steps, const Collide& relax)
    {
        for (; steps > 0; --steps, ++steps_) {
            exchange<-1>();
            for (std::size_t i = 0; i < now_.size(); ++i) {
                relax(now_[i].f);
                own_[i].keep(now_[i].f, odd(), values(int(i / cells())));
            }
            exchange<1>();
        }
    }

private:
    bool odd() const { return (steps_ & 1) != 0; }
    std::size_t cells() const { return now_.size() / 8; }
    std::size_t place(const Size& x) const
    {
        const Size& n = folding_.cells();
        return (std::size_t(x[2]) * n[1] + x[1]) * n[0] + x[0];
    }
    KeptValues<S> values(int octant) const { return {const_cast<S*>(values_.data()) + octant, 8}; }

    template<int sign>
    void exchange()
    {
        const std::vector<Cell<L, S>> before = now_;
        for (int octant = 0; octant < 8; ++octant)
            forEach(folding_.cells(), [&](const Size& cell) {
                const std::size_t i = octant * cells() + place(cell);
                unroll<L::Q>([&](auto q) {
                    constexpr int axes = axesOf<L, sign>(q);
                    if constexpr (axes != 0)
                        now_[i].f[q] = own_[i].template exchanged<decltype(q)::value, sign>(
                            before[i].f[q], before[across(cell, octant, axes)].f[q], odd(), values(octant));
                });
            });
    }

    std::size_t across(Size cell, int octant, int axes) const
    {
        for (int a = 0; a < 3; ++a) {
            if (!(axes >> a & 1)) continue;
            const int there = cell[a] + ((cell[a] + steps_) & 1 ? -1 : 1);
            if (there < 0 || there >= folding_.cells()[a]) octant ^= 1 << a;
            else cell[a] = there;
        }
        return octant * cells() + place(cell);
    }

    const S* find(const Size& x, int q) const
    {
        const Folding::Home home = folding_.home(x, steps_);
        const std::size_t i = home.octant * cells() + place(home.cell);
        const int link = mirroredLink<L>(q, home.i ^ home.octant);
        if (!(own_[i].arriving(odd()) >> link & 1)) {
            const Folding::At at = folding_.find(x, steps_, [&](int i, int octant) { return keptAs<L>(q, i, octant); });
            return &now_[at.octant * cells() + place(at.cell)].f[at.link];
        }
        if (!goesByThird<L>(link)) return &now_[i].f[link];
        return values(home.octant).at(own_[i].kept, odd() ? opposite(link) : link);
    }

    Folding folding_;
    WallCells<L> walls_;
    std::vector<Cell<L, S>> now_; // [octant][cell]
    std::vector<S> values_;
    std::vector<CellWalls<L, S>> own_;
    std::int64_t steps_ = 0;
};

} // namespace

TEST(LrnlaWalls, cellByCellIsExact)
{
    const Size size{12, 8, 16};
    visitBuiltShells([&]<class L>() {
        for (const NamedWalls& walls : wallsOf(size)) {
            TwoArrays<L, double> plain(size, walls.solid);
            CellByCell<L, double> cells(size, walls.solid);
            fill(size, plain, cells);
            expectExact(size, plain, cells, {1, 1, 2, 3, 8, 5}, AloneTeam{}, walls.name);
        }
    });
}

TEST(LrnlaWalls, plainCompactUpdateIsExact)
{
    visitBuiltShells([]<class L>() {
        for (const NamedWalls& walls : wallsOf({8, 4, 6})) {
            plainIsExact<L, double>({8, 4, 6}, walls);
            plainIsExact<L, float>({8, 4, 6}, walls);
        }
    });
}

TEST(LrnlaWalls, refoldIsExact)
{
    visitBuiltShells([]<class L>() {
        for (const NamedWalls& walls : wallsOf({8, 4, 8})) {
            refoldIsExact<L, float>({8, 4, 8}, 2, 3, {1, 2, 3, 7}, walls);
            refoldIsExact<L, double>({8, 4, 8}, 2, 3, {3, 4}, walls);
        }
    });
    for (const NamedWalls& walls : wallsOf({16, 32, 48}))
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
        refoldIsExact<D3Q19, float>(
            size, 2, 4, {4, 3},
            {"a node at " + std::to_string(at[0]) + " " + std::to_string(at[1]) + " " + std::to_string(at[2]),
             one(at)});
    });
}

TEST(LrnlaWalls, planesOfSymmetryAreExact)
{
    visitBuiltShells([]<class L>() {
        for (const NamedWalls& walls : wallsOf({4, 8, 4}))
            towersAreExact<L, float>({4, 8, 4}, 4, 3, {1, 2, 3, 7}, walls);
    });
    for (int most : {1, 2, 5, 16})
        for (const NamedWalls& walls : wallsOf({8, 4, 12}))
            towersAreExact<D3Q19, double>({8, 4, 12}, 2, most, {1, 32, 5}, walls);
}

TEST(LrnlaWalls, threadsAreExact)
{
    for (int threads : {1, 2, 4, 16}) {
        refoldIsExact<D3Q19, float>({16, 16, 16}, 2, 5, {5, 1, 7}, {"grains", grains(30)}, ThreadTeam{threads});
        refoldIsExact<D3Q19, double>({16, 8, 24}, 4, 4, {4, 9}, {"a shell", shell({16, 8, 24})}, ThreadTeam{threads});
    }
}

// Others have values beside cells to themselves while they climb, as devices do.
TEST(LrnlaWalls, innerTorreFoldsMayBeOthers)
{
    const auto exact = []<class L, class S>(const Size& size, int n, int threads, int shares,
                                            std::initializer_list<int> rounds, const NamedWalls& walls) {
        TwoArrays<L, S> plain(size, walls.solid);
        OtherThreads<L, S> both(size, n, Relaxation<L, QuasiCompressible, S>::trt(0.6, 0.1875), shares, walls.solid);
        fill(size, plain, both);
        expectExact(size, plain, both, rounds, ThreadTeam{threads},
                    walls.name + ", n " + std::to_string(n) + ", " + std::to_string(threads) + " threads, "
                        + std::to_string(shares) + " others");
    };
    for (const NamedWalls& walls : wallsOf({48, 32, 48}))
        exact.operator()<D3Q19, float>({48, 32, 48}, 8, 2, 2, {8, 13, 16}, walls);
    exact.operator()<D3Q19, float>({48, 32, 64}, 8, 1, 1, {8, 13, 16}, {"grains", grains(30)});
    exact.operator()<D3Q19, float>({48, 32, 64}, 8, 4, 3, {8, 13, 16}, {"grains", grains(30)});
    visitBuiltShells([&]<class L>() {
        exact.template operator()<L, double>({32, 32, 48}, 8, 2, 2, {8, 11}, {"grains", grains(30)});
    });
    exact.operator()<D3Q19, float>({96, 64, 64}, 16, 2, 2, {32}, {"a sphere", sphere({96, 64, 64}, 25)});
}

TEST(LrnlaWalls, massIsKeptAndNothingGetsIntoWalls)
{
    using L = D3Q19;
    const Size size{16, 16, 16};
    for (const NamedWalls& walls : wallsOf(size)) {
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
    for (const NamedWalls& walls : wallsOf(size)) {
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
