// Boxes in blocks of several steps against the scalar kernel of populations, step by step. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/lattice/named.hpp"
#include "lbm/storage/TileGeometry.hpp"
#include "lbm/storage/moments/cpu/BoxBlocks.hpp"
#include "tests/built.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace lbm {
namespace {

constexpr double tau = 0.6;

// Periodic along some axes, between walls along the others; the wall at the end of y moves. patchOf(node, c): of other walls.
template<class Solid, class PatchOf>
std::shared_ptr<const Domain> domainWith(const Int3& size, const std::array<bool, 3>& periodic, Solid&& solid,
                                         PatchOf&& patchOf, bool withLid = true)
{
    auto domain = std::make_shared<Domain>();
    domain->dimensions = size[2] == 1 ? 2 : 3;
    domain->size = size;
    domain->periodic = periodic;
    domain->patches = {"walls", "lid", "obstacle", "in", "out", "symmetry", "wind"};
    domain->fluid = BitSet(domain->nodes(), true);
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        if (solid(domain->coordinates(i))) domain->fluid.set(i, false);
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        for (int code = 0; code < 27 && domain->fluid[i]; ++code) {
            const Int3 c = directionOf(std::uint8_t(code)), x = domain->coordinates(i);
            const int links = std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]);
            const NodeIndex end = domain->neighbour(x, c);
            if (links == 0 || links == 3 || (domain->dimensions == 2 && c[2] != 0)) continue;
            if (end >= 0 && domain->fluid[end]) continue;
            const bool lid = withLid && !periodic[1] && x[1] + c[1] == size[1];
            domain->links.push_back({i, 0.5F, std::int16_t(lid ? 1 : patchOf(x, c)), std::uint8_t(code)});
        }
    domain->check();
    return domain;
}

std::shared_ptr<const Domain> boxWith(const Int3& size, const std::array<bool, 3>& periodic)
{
    return domainWith(
        size, periodic, [](const Int3&) { return false; }, [](const Int3&, const Int3&) { return 0; });
}

// Nodes taken out here and there, alone and together, at the box's ends and corners too; the fluid's own ends, like theirs,
// belong to `obstacle` where they lie beyond a plane.
std::shared_ptr<const Domain> porous(const Int3& size, const std::array<bool, 3>& periodic)
{
    return domainWith(
        size, periodic,
        [&](const Int3& x) {
            const int hash = (x[0] * 7349 + x[1] * 9151 + x[2] * 6197 + x[0] * x[1] * 31 + x[1] * x[2] * 17) % 23;
            const Int3 d = {x[0] - size[0] / 2, x[1] - size[1] / 2, x[2] - size[2] / 2};
            return hash < 3 || d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 12;
        },
        [&](const Int3& x, const Int3& c) { return 2 * x[0] + c[0] > size[0] ? 2 : 0; });
}

std::vector<LinkValue> wallsOf(const Domain& domain)
{
    const bool planar = domain.dimensions == 2;
    std::vector<LinkValue> walls(domain.patches.size());
    walls[1].kind = BoundaryKind::movingWall;
    walls[1].velocity = {0.03, planar ? 0.02 : 0, planar ? 0 : 0.02};
    walls[2].kind = BoundaryKind::velocity;
    walls[2].velocity = {0.01, 0.02, planar ? 0 : -0.015};
    return walls;
}

template<class T>
Parameters<T> rates(const Vec3& force = {0, 0, 0})
{
    return parameters<T>(tau, 3.0 / 16, {force[0], force[1], force[2]});
}

Macroscopic stateAt(const Int3& x, bool planar)
{
    Macroscopic m;
    m.density = 1 + 0.01 * std::sin(0.3 * x[0] + 0.7 * x[1] * x[2]);
    m.velocity = {0.03 * std::sin(0.9 * x[1] + x[2]), 0.02 * std::cos(0.37 * x[0] * x[2]),
                  planar ? 0 : 0.025 * std::sin(0.5 * x[0] - 0.3 * x[1])};
    if (planar) m.velocity[0] += 0.02 * std::sin(0.7 * x[0] - 0.3 * x[1]);
    return m;
}

struct Plain {
    Plain(std::shared_ptr<const Domain> d, const Config& config) :
        domain(std::move(d)), solver(makeSolver(domain, config))
    {
        std::vector<Macroscopic> states;
        for (NodeIndex i = 0; i < domain->nodes(); ++i) {
            if (!domain->fluid[i]) continue;
            nodes.push_back(i);
            states.push_back(stateAt(domain->coordinates(i), domain->dimensions == 2));
        }
        solver->initialise(nodes.data(), nodes.size(), states.data());
    }

    std::vector<double> moments() const { return domain->dimensions == 2 ? momentsAs<D2Q9>() : momentsAs<D3Q19>(); }

    template<class L>
    std::vector<double> momentsAs() const
    {
        std::vector<double> g(nodes.size() * L::Q), all;
        solver->getPopulations(nodes.data(), nodes.size(), g.data());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            double own[L::Q];
            std::copy_n(&g[i * L::Q], L::Q, own);
            const auto m = momentsOf<L>(own);
            all.insert(all.end(), std::begin(m.value), std::end(m.value));
        }
        return all;
    }

    std::shared_ptr<const Domain> domain;
    std::unique_ptr<Solver> solver;
    std::vector<NodeIndex> nodes;
};

template<class T, class L = D3Q19>
struct Blocks {
    using Geometry = TileGeometry<L, T, Tile<16, 8, L::D == 2 ? 1 : 4>>;
    static constexpr int count = BoxBlocks<L, T>::Rows::count;

    Blocks(const Plain& plain, const Config& config, int pieces, int steps, int threads) :
        domain(*plain.domain),
        nodes(plain.nodes),
        geometry(domain, config),
        box(domain, config.patches, planOf(domain.size[L::D - 1], pieces, steps), threads,
            BorderNodes<L, T>::of(held(geometry)))
    {
        const auto& walls = config.patches;
        for (std::size_t p = 0; p < walls.size(); ++p) EXPECT_TRUE(box.setWall(int(p), &walls[p], 0));
        const std::vector<double> m = plain.moments();
        for (std::size_t i = 0; i < nodes.size(); ++i) box.set(domain.coordinates(nodes[i]), &m[count * i]);
    }

    static BlockPlan planOf(int n, int pieces, int steps)
    {
        BlockPlan plan({1, 1, 1}, 1, 0, 0);
        for (int k = 0; k <= pieces; ++k) plan.cuts.push_back(n * k / pieces);
        plan.steps = steps;
        return plan;
    }

    static Geometry& held(Geometry& geometry)
    {
        geometry.holdPopulations(2);
        return geometry;
    }

    void advance(int steps, const Parameters<T>& parameters)
    {
        box.advance(steps,
                    {geometry.boundaryNodes(),
                     {geometry.sent(0), geometry.sent(1)},
                     geometry.boundaryLinks(),
                     geometry.boundaryShares(),
                     geometry.openingMemory().data(),
                     0,
                     parameters,
                     true});
    }

    std::vector<double> moments() const
    {
        std::vector<double> all(count * nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) box.get(domain.coordinates(nodes[i]), &all[count * i]);
        return all;
    }

    const Domain& domain;
    std::vector<NodeIndex> nodes;
    Geometry geometry;
    BoxBlocks<L, T> box;
};

double largestDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (const double d = std::abs(a[i] - b[i]); !(d <= worst)) worst = d;
    return worst;
}

Config scalar(const Domain& domain)
{
    Config config;
    config.lattice = domain.dimensions == 2 ? "D2Q9" : "D3Q19";
    config.collision = "regularized";
    config.storage = "ab";
    config.arithmetic = "scalar";
    config.tau = tau;
    config.patches = wallsOf(domain);
    return config;
}

struct Cut {
    int pieces, steps, threads;
};

// runs: steps that are told together. Rounding of moments in double: 1e-15.
template<class L>
void compare(std::shared_ptr<const Domain> domain, const Config& config, const std::vector<Cut>& cuts,
             const std::vector<int>& runs)
{
    Plain plain(domain, config);
    std::vector<Blocks<double, L>> own;
    own.reserve(cuts.size());
    for (const Cut& cut : cuts) own.emplace_back(plain, config, cut.pieces, cut.steps, cut.threads);
    Blocks<float, L> single(plain, config, 2, 3, 2);
    const std::vector<double> before = plain.moments();
    for (const int n : runs) {
        plain.solver->advance(n);
        const std::vector<double> expected = plain.moments();
        for (auto& b : own) {
            b.advance(n, rates<double>(config.force));
            EXPECT_LT(largestDifference(b.moments(), expected), 1e-15) << b.box.stepsOfPass() << ' ' << n;
        }
        single.advance(n, rates<float>(config.force));
        EXPECT_LT(largestDifference(single.moments(), expected), 3e-7) << n;
    }
    EXPECT_GT(largestDifference(plain.moments(), before), 1e-2); // steps are seen
}

} // namespace

// All kinds of axes, 1 to 5 steps a pass with remainders, pieces of several widths, 1 to 16 threads.
TEST(MomentBlocks, areStepsOneByOne)
{
    for (int kinds = 0; kinds < 12; ++kinds) {
        const bool planar = kinds >= 8;
        const auto domain = boxWith(planar ? Int3{48, 31, 1} : Int3{32, 13, 31},
                                    {(kinds & 1) != 0, (kinds & 2) != 0, (kinds & 4) != 0});
        const Config config = scalar(*domain);
        SKIP_IF_LEFT_OUT(config);
        SCOPED_TRACE(kinds);
        std::vector<Cut> cuts = {{1, 5, 1}, {2, 4, 2}, {3, 3, 4}, {5, 2, 3}, {4, 1, 2}};
        if (kinds % 3 == 0) cuts.insert(cuts.end(), {{7, 2, 16}, {15, 1, 16}}); // many threads on few cores take long
        (planar ? compare<D2Q9> : compare<D3Q19>)(domain, config, cuts, {7, 1, 4});
    }
}

// What is read and set again goes on to the last bit; threads change nothing.
template<class L>
void goOn(const Int3& size)
{
    const auto domain = boxWith(size, {false, true, false});
    const Config config = scalar(*domain);
    SKIP_IF_LEFT_OUT(config);
    const Plain plain(domain, config);
    Blocks<double, L> first(plain, config, 3, 4, 1), second(plain, config, 3, 4, 3);
    first.advance(9, rates<double>());
    const std::vector<double> between = first.moments();
    for (NodeIndex i = 0; i < domain->nodes(); ++i) second.box.set(domain->coordinates(i), &between[first.count * i]);
    first.advance(6, rates<double>());
    second.advance(6, rates<double>());
    EXPECT_EQ(first.moments(), second.moments());
}

TEST(MomentBlocks, goOnFromWhatTheyTell) { goOn<D3Q19>({64, 16, 24}); }
TEST(MomentBlocks, goOnFromWhatTheyTellInAPlane) { goOn<D2Q9>({64, 24, 1}); }

// Obstacles, walls that move and forces, of all kinds of axes; rows that whole registers do not fill; passes longer than a run,
// runs longer than a pass.
TEST(MomentBlocks, haveObstaclesAndForces)
{
    for (int kinds = 0; kinds < 12; ++kinds) {
        const bool along = kinds & 1, planar = kinds >= 8;
        const auto domain =
            porous({along ? 32 : 37, planar ? 34 : 15, planar ? 1 : 34}, {along, (kinds & 2) != 0, (kinds & 4) != 0});
        Config config = scalar(*domain);
        config.force = {2e-4, -1e-4, planar ? 0 : 3e-4};
        SKIP_IF_LEFT_OUT(config);
        SCOPED_TRACE(kinds);
        (planar ? compare<D2Q9> : compare<D3Q19>)(domain, config, {{1, 7, 1}, {2, 4, 2}, {3, 3, 4}, {4, 1, 2}},
                                                  {9, 1, 6});
    }
}

// A duct with an obstacle, from an opening with a velocity to one with a pressure, along each axis in turn; sides are walls, a plane of
// symmetry, one with a given shear, and one that moves. Openings change their values and kinds between runs, and let sound out.
template<class L>
void haveOpenings()
{
    constexpr bool planar = L::D == 2;
    for (int axis = 0; axis < L::D; ++axis)
        for (const double recovery : {0.0, 0.02}) {
            const Int3 size{37, planar ? 26 : 22, planar ? 1 : 26};
            const int side = planar ? 1 - axis : (axis + 1) % 3;
            const Int3 axes{axis, side, 3 - axis - side};
            const auto domain = domainWith(
                size, {false, false, false},
                [&](const Int3& x) {
                    return std::abs(x[0] - 16) < 3 && std::abs(x[1] - 9) < 3 && std::abs(x[2] - (planar ? 0 : 11)) < 4;
                },
                [&](const Int3& x, const Int3& c) {
                    for (const int a : axes) {
                        if (x[a] + c[a] < 0) return a == axis ? 3 : a == side ? 5 : 0;
                        if (x[a] + c[a] >= size[a]) return a == axis ? 4 : a == side ? 6 : 2;
                    }
                    return 0;
                },
                false);
            Config config = scalar(*domain);
            const auto set = [&](int patch, BoundaryKind kind, const Vec3& along, double density) {
                LinkValue& value = config.patches[patch];
                value.kind = kind;
                for (int a = 0; a < 3; ++a) value.velocity[axes[a]] = along[a];
                value.density = density;
            };
            set(2, BoundaryKind::movingWall, {0.03, 0.01, 0}, 1);
            set(3, BoundaryKind::velocity, {0.04, 0.005, 0}, 1);
            set(4, BoundaryKind::pressure, {0, 0, 0}, 0.995);
            set(5, BoundaryKind::slip, {0, -1, 0}, 1);
            set(6, BoundaryKind::shear, {0, 1, 0}, 1.0001);
            for (const int patch : {2, 3, 4}) config.patches[patch].recovery = recovery; // a wall's does not count
            SKIP_IF_LEFT_OUT(config);
            Plain plain(domain, config);
            std::vector<Blocks<double, L>> own;
            own.reserve(4);
            for (const auto& [pieces, steps, threads] :
                 {std::array{1, 7, 1}, std::array{2, 4, 2}, std::array{3, 3, 4}, std::array{3, 1, 2}})
                own.emplace_back(plain, config, pieces, steps, threads);
            const auto runAll = [&](int n) {
                plain.solver->advance(n);
                for (auto& b : own) {
                    b.advance(n, rates<double>());
                    EXPECT_LT(largestDifference(b.moments(), plain.moments()), 1e-15)
                        << axis << ' ' << recovery << ' ' << b.box.stepsOfPass() << ' ' << n;
                }
            };
            const std::vector<double> before = plain.moments();
            for (const int n : {9, 1, 6}) runAll(n);
            EXPECT_GT(largestDifference(plain.moments(), before), 1e-2); // steps are seen

            LinkValue out = config.patches[4];
            out.kind = BoundaryKind::outflow;
            out.recovery = 0;
            const std::vector<LinkValue> values(linksPerPatch(*domain)[4], out);
            plain.solver->setBoundary(4, values.data(), values.size());
            for (auto& b : own) {
                b.geometry.setBoundary(4, values.data(), values.size());
                EXPECT_TRUE(b.box.setWall(4, values.data(), values.size()));
            }
            runAll(7);

            if (recovery > 0) continue; // openings remember, too
            Blocks<double, L> again(plain, config, 2, 4, 1);
            again.geometry.setBoundary(4, values.data(), values.size());
            const std::vector<double> between = own[1].moments();
            for (std::size_t i = 0; i < plain.nodes.size(); ++i)
                again.box.set(domain->coordinates(plain.nodes[i]), &between[again.count * i]);
            own[1].advance(7, rates<double>());
            again.advance(7, rates<double>());
            EXPECT_EQ(again.moments(), own[1].moments()) << axis;
        }
}

TEST(MomentBlocks, haveOpenings) { haveOpenings<D3Q19>(); }
TEST(MomentBlocks, haveOpeningsInAPlane) { haveOpenings<D2Q9>(); }

// Walls that links meet anywhere, at rest and moving, of all schemes that draw on the node behind at most; other walls behind them.
template<class L>
void haveInterpolatedWalls(const Int3& size)
{
    auto domain = std::make_shared<Domain>(*porous(size, {false, L::D == 3, false}));
    for (Link& link : domain->links) {
        link.fraction = float(0.03 + 0.9 * std::abs(std::sin(0.37 * double(link.node) + link.direction)));
        if (link.patch == 0 && link.node % 3) link.patch = 1;
    }
    for (const WallScheme scheme : {WallScheme::linear, WallScheme::local, WallScheme::slipping}) {
        Config config = scalar(*domain);
        for (const int patch : {1, 2}) {
            config.patches[patch].kind = BoundaryKind::interpolatedWall;
            config.patches[patch].scheme = scheme;
        }
        SKIP_IF_LEFT_OUT(config);
        Plain plain(domain, config);
        std::vector<Blocks<double, L>> own;
        own.reserve(3);
        for (const auto& [pieces, steps, threads] : {std::array{1, 6, 1}, std::array{2, 4, 2}, std::array{3, 3, 4}})
            own.emplace_back(plain, config, pieces, steps, threads);
        const auto runAll = [&](int n) {
            plain.solver->advance(n);
            for (auto& b : own) {
                b.advance(n, rates<double>());
                EXPECT_LT(largestDifference(b.moments(), plain.moments()), 2e-15) << int(scheme) << ' ' << n;
            }
        };
        const std::vector<double> before = plain.moments();
        for (const int n : {7, 1, 4}) runAll(n);
        EXPECT_GT(largestDifference(plain.moments(), before), 1e-2); // steps are seen
        const std::vector<double> atRest = plain.moments();
        std::vector<LinkValue> values(linksPerPatch(*domain)[2], config.patches[2]);
        for (LinkValue& value : values) value.velocity = {0.03, -0.02, L::D == 2 ? 0 : 0.01};
        plain.solver->setBoundary(2, values.data(), values.size());
        for (auto& b : own) {
            b.geometry.setBoundary(2, values.data(), values.size());
            EXPECT_TRUE(b.box.setWall(2, values.data(), values.size()));
        }
        runAll(5);
        EXPECT_GT(largestDifference(plain.moments(), atRest), 1e-2);
    }
}

TEST(MomentBlocks, haveInterpolatedWalls) { haveInterpolatedWalls<D3Q19>({45, 17, 26}); }
TEST(MomentBlocks, haveInterpolatedWallsInAPlane) { haveInterpolatedWalls<D2Q9>({45, 26, 1}); }

// Walls without thickness, across x, y and z: at rest, moving and interpolated; links from both sides end at them.
template<class L>
void haveThinWalls(const Int3& size, const std::array<bool, 3>& periodic, const Int3& place)
{
    auto domain = std::make_shared<Domain>(*boxWith(size, periodic));
    const auto patchAcross = [&](const Int3& x, const Int3& y) {
        for (int a = 0; a < L::D; ++a) {
            const bool crosses = std::min(x[a], y[a]) == place[a] && std::max(x[a], y[a]) == place[a] + 1;
            const int b = (a + 1) % L::D;
            if (crosses && std::abs(x[b] - place[b]) < 5) return a;
        }
        return -1;
    };
    for (NodeIndex i = 0; i < domain->nodes(); ++i)
        for (int code = 0; code < 27; ++code) {
            const Int3 c = directionOf(std::uint8_t(code)), x = domain->coordinates(i);
            const NodeIndex end = domain->neighbour(x, c);
            if (code == 13 || end < 0 || (L::D == 2 && c[2] != 0)
                || std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) > 2)
                continue;
            const Int3 y = domain->coordinates(end);
            if (std::abs(x[1] - y[1]) > 1) continue;
            const int patch = patchAcross(std::min(x, y), std::max(x, y));
            if (patch >= 0) domain->links.push_back({i, 0.3F, std::int16_t(patch), std::uint8_t(code)});
        }
    std::sort(domain->links.begin(), domain->links.end(), [](const Link& a, const Link& b) {
        return std::pair(a.node, a.direction) < std::pair(b.node, b.direction);
    });
    domain->check();
    Config config = scalar(*domain);
    SKIP_IF_LEFT_OUT(config);
    constexpr int last = L::D - 1;
    for (const bool moves : {true, false}) {
        config.patches = wallsOf(*domain);
        config.patches[1].kind = moves ? BoundaryKind::movingWall : BoundaryKind::wall;
        config.patches[2].kind = BoundaryKind::wall;
        config.patches[last].kind = moves ? config.patches[last].kind : BoundaryKind::interpolatedWall;
        config.patches[last].scheme = WallScheme::local;
        EXPECT_EQ(BlockPlan::of(*domain, config, 8, 1).obstacle, "");
        Plain plain(domain, config);
        const std::vector<double> before = plain.moments();
        std::vector<Blocks<double, L>> own;
        own.reserve(3);
        for (const auto& [pieces, steps, threads] : {std::array{1, 6, 1}, std::array{2, 4, 2}, std::array{3, 3, 4}})
            own.emplace_back(plain, config, pieces, steps, threads);
        for (const int n : {7, 1, 4}) {
            plain.solver->advance(n);
            for (auto& b : own) {
                b.advance(n, rates<double>());
                EXPECT_LT(largestDifference(b.moments(), plain.moments()), 2e-15)
                    << moves << ' ' << b.box.stepsOfPass() << ' ' << n;
            }
        }
        EXPECT_GT(largestDifference(plain.moments(), before), 1e-2); // steps are seen
    }
    config.patches[last].kind = BoundaryKind::pressure;
    EXPECT_NE(BlockPlan::of(*domain, config, 8, 1).obstacle.find("between two nodes of the fluid"), std::string::npos);
}

TEST(MomentBlocks, haveThinWalls) { haveThinWalls<D3Q19>({45, 17, 26}, {false, true, false}, {20, 8, 13}); }
TEST(MomentBlocks, haveThinWallsInAPlane) { haveThinWalls<D2Q9>({45, 26, 1}, {false, false, false}, {20, 13, 0}); }

// 1 to 32 steps a pass, in the fewest lines along y that a periodic axis may have.
TEST(MomentBlocks, makeAnyNumberOfSteps)
{
    for (const int steps : {1, 2, 3, 5, 8, 16, 32}) {
        const auto domain = porous({32, 2 * steps + 1, 64}, {true, true, true});
        Config config = scalar(*domain);
        SKIP_IF_LEFT_OUT(config);
        Plain plain(domain, config);
        Blocks<double> blocks(plain, config, 1, steps, 1);
        EXPECT_GT(domain->size[1], 2 * steps); // a periodic y closes
        for (const int n : {2 * steps + 1, steps}) {
            plain.solver->advance(n);
            blocks.advance(n, rates<double>());
            EXPECT_LT(largestDifference(blocks.moments(), plain.moments()), 2e-15) << steps;
        }
    }
}

TEST(MomentBlocks, makeAnyNumberOfStepsInAPlane)
{
    for (const int steps : {1, 2, 3, 5, 8, 16, 32})
        for (const int threads : {1, 2, 4}) {
            const auto domain = porous({32, 2 * steps * threads, 1}, {true, true, false});
            Config config = scalar(*domain);
            SKIP_IF_LEFT_OUT(config);
            Plain plain(domain, config);
            Blocks<double, D2Q9> blocks(plain, config, threads, steps, threads);
            for (const int n : {2 * steps + 1, steps}) {
                plain.solver->advance(n);
                blocks.advance(n, rates<double>());
                EXPECT_LT(largestDifference(blocks.moments(), plain.moments()), 2e-15) << steps << ' ' << threads;
            }
        }
}

// A wall's links may move each in its own way, at the box's ends and at obstacles; that it becomes an opening blocks cannot have.
template<class L>
void tellWhichWalls(const Int3& size)
{
    const auto domain = porous(size, {false, false, false});
    Config config = scalar(*domain);
    config.patches[2].kind = BoundaryKind::movingWall;
    SKIP_IF_LEFT_OUT(config);
    Plain plain(domain, config);
    Blocks<double, L> blocks(plain, config, 2, 3, 2);
    for (const int patch : {1, 2}) {
        std::vector<LinkValue> values;
        for (const Link& link : domain->links)
            if (link.patch == patch) {
                values.push_back(config.patches[patch]);
                values.back().velocity = {0.04 * std::sin(0.1 * double(link.node)),
                                          L::D == 2 ? 0.001 * link.direction : 0,
                                          L::D == 2 ? 0 : 0.001 * link.direction};
            }
        EXPECT_TRUE(blocks.box.setWall(patch, values.data(), values.size()));
        plain.solver->setBoundary(patch, values.data(), values.size());
        plain.solver->advance(6);
        blocks.advance(6, rates<double>());
        EXPECT_LT(largestDifference(blocks.moments(), plain.moments()), 1e-15);
    }
    LinkValue value;
    for (const BoundaryKind kind : {BoundaryKind::pressure, BoundaryKind::velocity}) {
        value.kind = kind;
        EXPECT_FALSE(blocks.box.setWall(1, &value, 0));
    }
    value.kind = BoundaryKind::movingWall;
    EXPECT_TRUE(blocks.box.setWall(1, &value, 0));
}

TEST(MomentBlocks, tellWhichWallsTheyCanHave) { tellWhichWalls<D3Q19>({32, 12, 16}); }
TEST(MomentBlocks, tellWhichWallsTheyCanHaveInAPlane) { tellWhichWalls<D2Q9>({32, 16, 1}); }

// By hand: a slab of solid nodes across z, of whose rows and the two beside them all registers have links.
TEST(MomentBlocks, loseWhereThereIsNoFluid)
{
    Config config;
    for (const int layers : {13, 30}) {
        const auto domain = domainWith(
            {64, 10, 100}, {true, true, true}, [&](const Int3& x) { return x[2] < layers; },
            [](const Int3&, const Int3&) { return 0; });
        config.patches.resize(domain->patches.size());
        EXPECT_NEAR(BlockPlan::share(*domain, config, 8), (100 - layers) / (100 + 0.75 * (layers + 2)), 1e-12);
    }
}

// A corner between an interpolated wall and an opening: the wall's scheme draws on what comes from the opening's side only where the
// wall is nearer than half-way. Links along three axes are not of the lattice.
TEST(MomentBlocks, refuseWallsThatDrawOnOpenings)
{
    const auto obstacle = [](float fraction) {
        Domain domain;
        domain.size = {32, 12, 16};
        domain.patches = {"wall", "opening"};
        domain.fluid = BitSet(domain.nodes(), true);
        for (NodeIndex i = 0; i < domain.nodes(); ++i)
            for (int code = 0; code < 27; ++code) {
                const Int3 c = directionOf(std::uint8_t(code)), x = domain.coordinates(i);
                if (code == 13 || domain.neighbour(x, c) >= 0) continue;
                const bool opens = x[0] + c[0] < 0;
                domain.links.push_back({i, fraction, std::int16_t(opens), std::uint8_t(code)});
            }
        Config config;
        config.patches.resize(2);
        config.patches[0].kind = BoundaryKind::interpolatedWall;
        config.patches[0].scheme = WallScheme::linear;
        config.patches[1].kind = BoundaryKind::pressure;
        return BlockPlan::of(domain, config, 8, 1).obstacle;
    };
    EXPECT_EQ(obstacle(0.7F), "");
    EXPECT_EQ(obstacle(0.3F),
              "patch wall is an interpolated wall, and has nodes with links of patch opening on their other side");
}

// By hand: a piece of 12 lines of 15 360 bytes in 2 MiB, one a thread; none where there are fewer than 4 lines for each.
TEST(MomentBlocks, pieces)
{
    constexpr double cache = 2 << 20, line = 192 * 80;
    const BlockPlan sixteen({192, 192, 192}, 16, cache, line);
    ASSERT_EQ(sixteen.cuts.size(), 17u);
    EXPECT_EQ(sixteen.cuts[1], 12);
    EXPECT_EQ(sixteen.steps, 4);
    EXPECT_EQ(BlockPlan({192, 192, 192}, 1, cache, line).cuts.size(), 15u); // 14 x 13.7 lines: 1.5 MB
    EXPECT_EQ(BlockPlan({192, 192, 192}, 64, cache, line).steps, 0);
    EXPECT_EQ(BlockPlan({4096, 64, 64}, 1, cache, 4096 * 80).steps, 0);
    // One line, which waits as a whole: 32 rows of 49 152 bytes
    const BlockPlan plane({1024, 1, 1024}, 2, cache, 1024 * 48);
    ASSERT_EQ(plane.cuts.size(), 33u);
    EXPECT_EQ(plane.steps, 4);
}

} // namespace lbm
