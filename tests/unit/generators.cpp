// Generated domains. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/bench/geometries/generators.hpp"
#include "lbm/model/Tiling.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace lbm;

namespace {

std::int64_t linksThatLeave(const Domain& d, const std::vector<Int3>& directions)
{
    std::int64_t count = 0;
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (const Int3& c : directions) count += d.neighbour(d.coordinates(i), c) < 0;
    return count;
}

} // namespace

TEST(Generators, cavityListsEveryLinkThatLeaves)
{
    for (const char* lattice : {"D3Q15", "D3Q19", "D3Q27"})
        for (int n : {1, 2, 5}) {
            const auto made = cavity3D(n, latticeDirections(lattice));
            made.domain.check();
            EXPECT_EQ(std::int64_t(made.domain.links.size()), linksThatLeave(made.domain, latticeDirections(lattice)))
                << lattice << ' ' << n;
        }
    const auto flat = cavity2D(5, latticeDirections("D2Q9"));
    flat.domain.check();
    EXPECT_EQ(flat.domain.dimensions, 2);
    EXPECT_EQ(std::int64_t(flat.domain.links.size()), linksThatLeave(flat.domain, latticeDirections("D2Q9")));
}

TEST(Generators, cavityLidIsTheTopWithoutItsRim)
{
    const int n = 5;
    const auto made = cavity3D(n, latticeDirections("D3Q19"), 0.07);
    ASSERT_EQ(made.domain.patches, (std::vector<std::string>{"lid", "walls"}));
    EXPECT_EQ(made.patches[0].kind, BoundaryKind::movingWall);
    EXPECT_EQ(made.patches[0].velocity, (Vec3{0.07, 0, 0}));
    EXPECT_EQ(made.patches[1].kind, BoundaryKind::wall);
    // Straight links from n^2 nodes, each of four inclined ones from n(n-1).
    EXPECT_EQ(linksPerPatch(made.domain)[0], n * n + 4 * n * (n - 1));
    for (const Link& link : made.domain.links)
        if (link.patch == 0) {
            EXPECT_EQ(made.domain.coordinates(link.node)[1], n - 1);
            EXPECT_EQ(directionOf(link.direction)[1], 1);
        }
}

TEST(Generators, boxIsPeriodicFluid)
{
    const auto made = box({4, 5, 6});
    made.domain.check();
    EXPECT_EQ(made.domain.fluidNodes(), 120);
    EXPECT_EQ(made.domain.periodic, (std::array<bool, 3>{true, true, true}));
    EXPECT_EQ(box({4, 5, 1}).domain.dimensions, 2);
}

TEST(Generators, spheresReachThePorosityAndRepeat)
{
    for (double porosity : {0.3, 0.7, 0.9}) {
        const auto a = ras(64, porosity, 12), b = ras(64, porosity, 12);
        a.domain.check();
        const double sphere = 3.14159265 / 6 * 12 * 12 * 12 / (64.0 * 64 * 64);
        EXPECT_LE(a.domain.porosity(), porosity);
        EXPECT_GT(a.domain.porosity(), porosity - 1.05 * sphere);
        NodeIndex different = 0;
        for (NodeIndex i = 0; i < a.domain.nodes(); ++i) different += a.domain.fluid[i] != b.domain.fluid[i];
        EXPECT_EQ(different, 0);
        EXPECT_NE(ras(64, porosity, 12, 2).domain.fluidNodes(), a.domain.fluidNodes());
    }
    EXPECT_EQ(ras(16, 1, 4).domain.porosity(), 1);
}

TEST(Generators, oneSphereHasItsVolume)
{
    const auto made = ras(64, 0.999, 40);
    const double volume = 3.14159265 / 6 * 40 * 40 * 40;
    EXPECT_NEAR(double(made.domain.nodes() - made.domain.fluidNodes()), volume, 0.01 * volume);
}

namespace {

// Fluid nodes that can be reached from the first one along the axes.
NodeIndex connected(const Domain& d)
{
    BitSet seen(d.nodes());
    std::vector<NodeIndex> open;
    for (NodeIndex i = 0; i < d.nodes() && open.empty(); ++i)
        if (d.fluid[i]) open.push_back(i);
    seen.set(open.front());
    while (!open.empty()) {
        const Int3 x = d.coordinates(open.back());
        open.pop_back();
        for (const Int3& c : {Int3{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}) {
            const NodeIndex next = d.neighbour(x, c);
            if (next < 0 || !d.fluid[next] || seen[next]) continue;
            seen.set(next);
            open.push_back(next);
        }
    }
    return seen.count();
}

} // namespace

// Shares of fluid and of fluid in tiles as in Table 1 of Tomczak & Szafran 2019 (tile porosity: 0.93 on 439^3
// nodes, here fewer; 0.81; 0.58, 0.60, 0.71, 0.74), one connected region each.
TEST(Generators, vesselsAndChipsAreLikeThePapers)
{
    struct Expected {
        GeneratedCase made;
        double porosity, tilePorosity;
    };
    const Expected cases[] = {{aneurysm(220), 0.18, 0.85}, {coarctation(286), 0.094, 0.81}, {chipA(8), 0.2, 0.58},
                              {chipB(8), 0.2, 0.60},       {chipA(16), 0.2, 0.71},          {chipB(16), 0.2, 0.74}};
    for (const Expected& c : cases) {
        const Domain& d = c.made.domain;
        d.check();
        const bool flat = d.dimensions == 2;
        const auto tiling = model::measureTiling(d, flat ? Int3{16, 16, 1} : Int3{4, 4, 4}, latticeDirections("D2Q9"));
        EXPECT_NEAR(d.porosity(), c.porosity, 0.002);
        EXPECT_NEAR(tiling.tilePorosity(), c.tilePorosity, 0.04);
        EXPECT_EQ(connected(d), d.fluidNodes());
    }
}

// Half the way from supply to drain of chipA lies a row of narrow channels, cut straight across.
TEST(Generators, narrowestChannelsAreAsWideAsAsked)
{
    for (int width : {8, 16}) {
        const Domain d = chipA(width).domain;
        int channels = 0, nodes = 0;
        for (int y = 0; y < d.size[1]; ++y) {
            const bool fluid = d.fluid[d.index(d.size[0] / 2, y, 0)];
            nodes += fluid;
            channels += fluid && (y == 0 || !d.fluid[d.index(d.size[0] / 2, y - 1, 0)]);
        }
        EXPECT_EQ(channels, 32);
        EXPECT_NEAR(double(nodes) / channels, width, 0.05 * width);
    }
}

TEST(Generators, refuseNonsense)
{
    EXPECT_THROW(aneurysm(15), std::invalid_argument);
    EXPECT_THROW(coarctation(0), std::invalid_argument);
    EXPECT_THROW(chipA(0), std::invalid_argument);
    EXPECT_THROW(chipB(-1), std::invalid_argument);
    EXPECT_THROW(cavity3D(0, latticeDirections("D3Q19")), std::invalid_argument);
    EXPECT_THROW(cavity3D(4, {}), std::invalid_argument);
    EXPECT_THROW(box({3, 0, 3}), std::invalid_argument);
    EXPECT_THROW(ras(16, 0, 4), std::invalid_argument);
    EXPECT_THROW(ras(16, 1.1, 4), std::invalid_argument);
    EXPECT_THROW(ras(16, 0.5, 17), std::invalid_argument);
    EXPECT_THROW(ras(16, 0.5, 0.5), std::invalid_argument);
}
