// Forces on walls: balances that hold to rounding, whatever the wall's shape and the storage.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"

#include "lbm/api/WallForces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

using namespace lbm;

namespace {

struct ForcedWall {
    const char *lattice, *storage;
    BoundaryKind kind;
};

// Plates at y = -gap and y = n - 1 + gap, each a patch, round a block of fluid that is periodic otherwise.
Domain plates(const std::string& lattice, int n, double gap)
{
    Domain d;
    const bool flat = lattice == "D2Q9";
    d.dimensions = flat ? 2 : 3;
    d.size = {6, n, flat ? 1 : 4};
    d.periodic = {true, false, !flat};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"bottom", "top"};
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code), x = d.coordinates(i);
            if ((flat && c[2]) || d.neighbour(x, c) >= 0) continue;
            d.links.push_back({i, float(gap), std::int16_t(c[1] > 0 ? 1 : 0), code});
        }
    d.check();
    return d;
}

} // namespace

class WallForcesTest : public testing::TestWithParam<ForcedWall> {
protected:
    void SetUp() override
    {
        config.lattice = GetParam().lattice;
        config.storage = GetParam().storage;
        config.collision = "trt";
        SKIP_IF_LEFT_OUT(config);
    }

    void make(int n, double gap, const Vec3& force, const Vec3& lid)
    {
        config.tau = 0.8;
        config.force = force;
        const bool moves = lid[0] != 0;
        const BoundaryKind lidKind =
            moves && GetParam().kind == BoundaryKind::wall ? BoundaryKind::movingWall : GetParam().kind;
        config.patches = {{GetParam().kind, {0, 0, 0}, 1}, {lidKind, lid, 1}};
        domain = std::make_shared<const Domain>(plates(config.lattice, n, gap));
        solver = makeSolver(domain, config);
    }

    Vec3 forceOn(int patch)
    {
        const WallForces forces(*solver, config, patch);
        std::vector<Vec3> each(forces.links());
        std::map<int, std::vector<Vec3>> of;
        WallForces::Velocities velocities;
        for (int wall : forces.patches()) {
            of[wall].assign(std::size_t(linksPerPatch(*domain)[std::size_t(wall)]), config.patches[wall].velocity);
            velocities[wall] = of[wall].data();
        }
        forces.compute(*solver, velocities, each.data());
        Vec3 sum{0, 0, 0};
        for (const Vec3& f : each)
            for (int a = 0; a < 3; ++a) sum[a] += f[a];
        return sum;
    }

    double gap() const { return GetParam().kind == BoundaryKind::interpolatedWall ? 0.3 : 0.5; }
    double area() const { return double(domain->size[0]) * domain->size[2]; }

    Config config;
    std::shared_ptr<const Domain> domain;
    std::unique_ptr<Solver> solver;
};

TEST_P(WallForcesTest, wallsTakeWhatTheBodyForceGives)
{
    for (std::int64_t odd : {0, 1}) {
        make(8, gap(), {1e-6, 0, 0}, {0, 0, 0});
        solver->advance(6000 + odd);
        const double given = 1e-6 * double(domain->fluidNodes());
        const Vec3 bottom = forceOn(0), top = forceOn(1);
        EXPECT_NEAR(bottom[0] + top[0], given, 1e-9 * given);
        EXPECT_NEAR(bottom[0], top[0], 1e-9 * given);
        EXPECT_NEAR(bottom[1] + top[1], 0, 1e-9 * given);
    }
}

TEST_P(WallForcesTest, couetteDragIsViscosityTimesShear)
{
    make(8, gap(), {0, 0, 0}, {1e-4, 0, 0});
    solver->advance(6000);
    const double drag = (config.tau - 0.5) / 3 * 1e-4 / (7 + 2 * gap()) * area();
    EXPECT_NEAR(forceOn(0)[0], drag, 1e-6 * drag);
    EXPECT_NEAR(forceOn(1)[0], -drag, 1e-6 * drag);
}

// Both walls act on the same populations.
TEST_P(WallForcesTest, aGapOfOneNodeThatMovesAsAWholeFeelsNoForce)
{
    make(1, gap(), {0, 0, 0}, {1e-3, 0, 0});
    config.patches[0] = config.patches[1];
    solver = makeSolver(domain, config);
    solver->advance(2000);
    for (int patch : {0, 1}) EXPECT_NEAR(forceOn(patch)[0], 0, 1e-9 * area()) << patch;
}

TEST_P(WallForcesTest, aGapOfOneNodeFeelsBothWalls)
{
    make(1, gap(), {0, 0, 0}, {1e-4, 0, 0});
    solver->advance(2000);
    const double drag = (config.tau - 0.5) / 3 * 1e-4 / (2 * gap()) * area();
    EXPECT_NEAR(forceOn(0)[0], drag, 1e-6 * drag);
    EXPECT_NEAR(forceOn(1)[0], -drag, 1e-6 * drag);
}

TEST_P(WallForcesTest, pressureIsRelativeToDensityOne)
{
    make(4, gap(), {0, 0, 0}, {0, 0, 0});
    std::vector<NodeIndex> nodes;
    for (NodeIndex i = 0; i < domain->nodes(); ++i) nodes.push_back(i);
    Macroscopic rest;
    rest.density = 1.01;
    solver->initialise(nodes.data(), nodes.size(), std::vector<Macroscopic>(nodes.size(), rest).data());
    EXPECT_NEAR(forceOn(1)[1], 0.01 / 3 * area(), 1e-12);
    EXPECT_NEAR(forceOn(0)[1], -0.01 / 3 * area(), 1e-12);
    EXPECT_NEAR(forceOn(0)[0], 0, 1e-12);
}

TEST_P(WallForcesTest, openingsHaveNoForce)
{
    make(4, gap(), {0, 0, 0}, {0, 0, 0});
    config.patches[0].kind = BoundaryKind::pressure;
    EXPECT_THROW(WallForces(*solver, config, 0), std::invalid_argument);
    EXPECT_THROW(WallForces(*solver, config, 2), std::invalid_argument);
}

namespace {

// A box of solid nodes in the middle of a periodic flow along x, or the upper half of both above a plane of symmetry that is half-way
// between nodes. The body is met after `fraction` of a link, one that crosses the plane half-way.
Domain bodyAndHalf(bool half, int n, float fraction)
{
    Domain d;
    d.size = {2 * n, n, half ? n / 2 : n};
    d.periodic = {true, true, !half};
    d.fluid = BitSet(d.nodes(), true);
    const int below = half ? n / 2 : 0; // nodes of the whole that the half lacks
    const auto isBody = [&](const Int3& x) {
        const bool inside = x[0] >= n / 2 && x[0] < n && x[1] >= 2 && x[1] < n - 2;
        return inside && std::abs(2 * (x[2] + below) + 1 - n) < n - 4;
    };
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        if (isBody(d.coordinates(i))) d.fluid.set(i, false);
    d.patches = {"body", "below", "above"};
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        if (!d.fluid[i]) continue;
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code), x = d.coordinates(i);
            const NodeIndex end = d.neighbour(x, c);
            if (end >= 0 && d.fluid[end]) continue;
            const int z = x[2] + below, over = z + c[2];
            const bool crosses = (2 * z < n) != (2 * over < n);
            const int patch = end >= 0 ? 0 : c[2] < 0 ? 1 : 2;
            d.links.push_back({i, patch == 0 && !crosses ? fraction : 0.5f, std::int16_t(patch), code});
        }
    }
    d.check();
    return d;
}

// Of the body's links: its halves move across the plane towards each other or apart, and links that meet the plane along it alone.
std::vector<Vec3> velocitiesOf(const Domain& domain, const Vec3& ofUpperHalf, double middle)
{
    std::vector<Vec3> velocities;
    for (const Link& link : domain.links) {
        if (link.patch != 0) continue;
        const double above = domain.coordinates(link.node)[2] + 0.5 * directionOf(link.direction)[2] - middle;
        Vec3 u = ofUpperHalf;
        u[2] *= above > 0 ? 1 : above < 0 ? -1 : 0;
        velocities.push_back(u);
    }
    return velocities;
}

} // namespace

// Links that cross the plane in front of the body's image belong to the plane, and count; what interpolated walls draw on comes over
// the plane beside it (but for the flow's own differences there: 5e-4 of the force, 0.2 of a link away).
TEST(WallForcesOnSymmetry, halfABodyTakesHalfOfTheForce)
{
    for (const char* lattice : {"D3Q19", "D3Q27"})
        for (const auto& [lid, across, fraction] :
             {std::tuple{0.0, 0.0, 0.5f}, {1e-3, 0.0, 0.5f}, {1e-3, 4e-4, 0.5f}, {0.0, 0.0, 0.2f}, {0.0, 0.0, 0.8f}}) {
            Config config;
            config.lattice = lattice;
            config.storage = "aa";
            config.collision = "trt";
            config.tau = 0.8;
            config.force = {1e-5, 2e-6, 0};
            SKIP_IF_LEFT_OUT(config);
            const int n = 12;
            const BoundaryKind kind = fraction != 0.5f ? BoundaryKind::interpolatedWall
                : lid != 0                             ? BoundaryKind::movingWall
                                                       : BoundaryKind::wall;
            config.patches = {
                {kind, {lid, lid / 2, 0}, 1}, {BoundaryKind::slip, {0, 0, -1}, 1}, {BoundaryKind::slip, {0, 0, 1}, 1}};
            const Vec3 moves{lid, lid / 2, across};
            const auto ownOf = [&](const Domain& d) {
                return velocitiesOf(d, moves, d.periodic[2] ? (n - 1) / 2.0 : -0.5);
            };
            const auto solved = [&](bool half) {
                auto solver = makeSolver(std::make_shared<const Domain>(bodyAndHalf(half, n, fraction)), config);
                std::vector<LinkValue> values;
                for (const Vec3& u : ownOf(solver->domain())) values.push_back({config.patches[0].kind, u, 1});
                if (lid != 0) solver->setBoundary(0, values.data(), values.size());
                solver->advance(200);
                return solver;
            };
            const auto whole = solved(false), half = solved(true);
            const auto forces = [&](const Solver& solver) {
                const WallForces of(solver, config, 0);
                std::vector<Vec3> each(of.links());
                const std::vector<Vec3> velocities = ownOf(solver.domain());
                of.compute(solver, {{0, velocities.data()}}, each.data());
                return each;
            };
            // Of the whole those on the upper half of the body
            Vec3 expected{0, 0, 0}, found{0, 0, 0};
            const auto ofWhole = forces(*whole);
            std::size_t at = 0;
            for (const Link& link : whole->domain().links) {
                const int z = whole->domain().coordinates(link.node)[2] + directionOf(link.direction)[2];
                for (int a = 0; a < 3 && z >= n / 2; ++a) expected[a] += ofWhole[at][a];
                ++at;
            }
            ASSERT_EQ(at, ofWhole.size());
            for (const Vec3& force : forces(*half))
                for (int a = 0; a < 3; ++a) found[a] += force[a];
            for (int a = 0; a < 3; ++a)
                EXPECT_NEAR(found[a], expected[a], (fraction == 0.5f ? 1e-9 : 2e-3) * std::abs(expected[0]))
                    << lattice << ' ' << lid << ' ' << across << ' ' << fraction << ' ' << a;
        }
}

INSTANTIATE_TEST_SUITE_P(all, WallForcesTest,
                         testing::Values(ForcedWall{"D2Q9", "aa", BoundaryKind::wall},
                                         ForcedWall{"D2Q9", "t2c", BoundaryKind::interpolatedWall},
                                         ForcedWall{"D3Q15", "aa", BoundaryKind::wall},
                                         ForcedWall{"D3Q19", "aa", BoundaryKind::interpolatedWall},
                                         ForcedWall{"D3Q19", "t2c", BoundaryKind::wall},
                                         ForcedWall{"D3Q27", "ab", BoundaryKind::interpolatedWall}),
                         [](const auto& info) {
                             return std::string(info.param.lattice) + '_' + info.param.storage
                                 + (info.param.kind == BoundaryKind::wall ? "_halfway" : "_interpolated");
                         });
