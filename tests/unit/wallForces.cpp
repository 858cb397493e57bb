// Forces on walls: balances that hold to rounding, whatever the wall's shape and the storage.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"

#include "lbm/api/WallForces.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
