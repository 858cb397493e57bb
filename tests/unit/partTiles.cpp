// Tiles of parts: which of them are stepped, what ghosts take, and that tables of tiles do not depend on threads.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/unit/Shape.hpp"

#include "lbm/api/Storage.hpp"
#include "lbm/boundary/Reach.hpp"
#include "lbm/geometry/PartDomain.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/storage/TileGeometry.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>

#include <omp.h>

namespace lbm::test {
namespace {

Domain box(const Int3& size, bool periodic)
{
    Domain d;
    d.size = size;
    d.periodic = {periodic, periodic, periodic};
    d.fluid = BitSet(d.nodes(), true);
    return d;
}

double bytesOf(const MemoryUse& use) { return double(use.populations) + double(use.geometry); }

bool sameLink(const BoundaryLink<double>& a, const BoundaryLink<double>& b)
{
    return a.direction == b.direction && a.kind == b.kind && a.donor == b.donor && a.shares == b.shares
        && a.reach == b.reach && a.r == b.r;
}

} // namespace

// The extents of all rows there are.
TEST(PartTiles, leaveGhostsApartWhereBricksEndOnTiles)
{
    const Int3 size{256, 64, 64};
    for (const bool periodic : {false, true})
        for (const Int3& tile :
             std::vector<Int3>{{8, 4, 4}, {16, 4, 4}, {4, 4, 4}, {8, 8, 16}, {32, 2, 2}, {32, 8, 4}, {128, 1, 1}})
            for (const int reach : {1, 2, 4}) {
                const Domain whole = box(size, periodic);
                const Bricks bricks(whole, 4, tile);
                for (int p = 0; p < 4; ++p) {
                    const PartDomain part(whole, bricks[p], reach, tile);
                    const TileGrid grid(*part.domain(), tile, TileOrder::rimLast);
                    std::int64_t tiles = 1;
                    for (int a = 0; a < 3; ++a) {
                        ASSERT_EQ(bricks[p].size[a] % tile[a], 0) << "tiles of " << tile[0] << " x " << tile[1];
                        tiles *= bricks[p].size[a] / tile[a];
                    }
                    EXPECT_EQ(grid.stepped(), tiles);
                    EXPECT_FALSE(grid.stepsGhosts());
                    EXPECT_GT(grid.tiles(), grid.stepped());
                }
            }
}

TEST(PartTiles, putInnerOnesBeforeTheRim)
{
    const Domain whole = box({40, 33, 50}, true);
    const Int3 tile{8, 4, 4};
    const Bricks bricks(whole, 5, tile);
    for (int p = 0; p < 5; ++p) {
        const PartDomain part(whole, bricks[p], 2, tile);
        const Domain& d = *part.domain();
        const TileGrid grid(d, tile, TileOrder::rimLast), rows(d, tile);
        EXPECT_EQ(rows.range(PartOfTiles::inner).count(), 0);
        EXPECT_EQ(rows.range(PartOfTiles::rim).last, grid.stepped());
        const TileRange inner = grid.range(PartOfTiles::inner);
        EXPECT_EQ(inner.last, grid.range(PartOfTiles::rim).first);
        std::set<std::int32_t> stepped;
        for (NodeIndex i = 0; i < d.nodes(); ++i) {
            if (!d.fluid[i]) continue;
            const Int3 x = d.coordinates(i);
            const std::int32_t t = grid.place(x).tile;
            if (!d.isGhost(x)) stepped.insert(t);
            else EXPECT_GE(t, inner.last);
            for (const std::int32_t other : grid.neighbours(t))
                if (t < inner.last && other < grid.tiles()) EXPECT_LT(other, grid.stepped());
        }
        EXPECT_EQ(std::int32_t(stepped.size()), grid.stepped());
        EXPECT_EQ(*stepped.rbegin(), grid.stepped() - 1);
    }
}

// Own nodes and ghosts stand where they do in the whole, whatever is left out below them.
TEST(PartTiles, keepNodesInTheirPlaces)
{
    for (const bool periodic : {false, true}) {
        const Domain whole = box({21, 18, 17}, periodic);
        const Bricks bricks(whole, 6, {8, 4, 4});
        for (int p = 0; p < 6; ++p) {
            const PartDomain part(whole, bricks[p], 2, {8, 4, 4});
            const Domain& d = *part.domain();
            for (NodeIndex i = 0; i < d.nodes(); ++i) {
                if (!d.fluid[i]) continue;
                const Int3 x = part.global(i);
                EXPECT_EQ(part.owns(x) && part.local(x) == i, !d.isGhost(d.coordinates(i)));
                ASSERT_GE(part.local(x), 0);
                EXPECT_TRUE(d.fluid[part.local(x)]);
                EXPECT_EQ(part.global(part.local(x)), x);
            }
        }
    }
}

TEST(PartTiles, takeLittleMemoryForGhosts)
{
    auto domain = box({256, 256, 256}, false);
    Config config;
    config.lattice = "D3Q19";
    std::set<std::array<std::string, 4>> seen;
    for (const KernelRow& row : kernels()) {
        if (row.lattice != "D3Q19" || row.arithmetic == "scalar" || tileExtents(row.tile)[0] > 32) continue;
        // Collisions share what they are stored in
        if (!seen.insert({row.storage, row.precision, row.device, row.tile}).second) continue;
        config.storage = row.storage;
        config.collision = row.collision;
        config.precision = row.precision;
        config.device = row.device;
        config.tile = row.tile;
        config.parts = 1;
        const double one = bytesOf(expectedMemory(domain, config));
        config.parts = 2;
        // Parts of moments are cut across rows, of which a tile has eight: two layers of tiles in 256 nodes
        EXPECT_LT(bytesOf(expectedMemory(domain, config)),
                  one * (storageOf(row).stored == Stored::moments ? 1.08 : 1.06))
            << name(row);
    }
}

// By record, the node and the direction in which its link leaves.
template<class Geometry>
std::vector<std::pair<NodeIndex, Int3>> linksOfRecords(const Domain& domain, const Geometry& geometry)
{
    std::vector<std::pair<NodeIndex, Int3>> links(geometry.boundaryLinkCount());
    for (std::int32_t t = 0; t < geometry.grid().tiles(); ++t)
        for (std::uint32_t n = geometry.uniform(t) ? 0 : geometry.detail(t).firstNode;
             !geometry.uniform(t) && n < geometry.detail(t).lastNode; ++n) {
            const BoundaryState& state = geometry.boundaryNodes()[n];
            const Int3 x = geometry.coordinates({t, state.local});
            for (std::uint32_t k = state.firstLink; k < state.lastLink; ++k) {
                const int* const c = D2Q9::c[geometry.boundaryLinks()[k].direction];
                links[k] = {domain.index(x[0], x[1], x[2]), {-c[0], -c[1], -c[2]}};
            }
        }
    return links;
}

// Lists are put together some thousand tiles at a time: numbers of links and nodes go on from one time to the next.
TEST(TileTables, haveEachLinkOfTheDomainOnce)
{
    using Geometry = TileGeometry<D2Q9, float, Tile<8, 8, 1>>;
    const Domain domain =
        shape({803, 600, 1}, {false, false, false},
              {[](const Vec3& x) { return std::hypot(std::fmod(x[0], 20.) - 10, std::fmod(x[1], 20.) - 10) - 5.7; }});
    for (const BoundaryKind kind : {BoundaryKind::slip, BoundaryKind::movingWall}) {
        Config config;
        config.patches = {{kind, {0, 1, 0}, 1}};
        const Geometry geometry(domain, config);
        ASSERT_GT(geometry.grid().tiles() - geometry.uniformTiles(), 4096);
        const auto records = linksOfRecords(domain, geometry);
        ASSERT_EQ(records.size(), domain.links.size());
        for (std::size_t i = 0; i < domain.links.size(); ++i) {
            const Link& link = domain.links[i];
            const auto& [node, direction] = records[std::size_t(geometry.recordsOfLinks(0)[i])];
            ASSERT_EQ(node, link.node) << i;
            ASSERT_EQ(direction, directionOf(link.direction)) << i;
        }
    }
}

// Remote links, distant populations, corners, donors: all lists of a domain that has more tiles than are put together at a time.
TEST(TileTables, doNotDependOnThreads)
{
    using Geometry = TileGeometry<D2Q9, double, Tile<16, 16, 1>>;
    const Domain domain =
        shape({1603, 1100, 1}, {true, false, false},
              {[](const Vec3& x) { return x[1] - 3.3; }, [](const Vec3& x) { return 1090.4 - x[1]; },
               [](const Vec3& x) { return std::hypot(std::fmod(x[0], 50.) - 25, std::fmod(x[1], 50.) - 25) - 9.7; }});
    Config config;
    config.patches = {{BoundaryKind::pressure, {0, 0, 0}, 1},
                      {BoundaryKind::velocity, {0.01, 0, 0}, 1},
                      {BoundaryKind::interpolatedWall, {0, 0, 0}, 1}};
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const Geometry one(domain, config);
    omp_set_num_threads(4);
    const Geometry four(domain, config);
    omp_set_num_threads(threads);
    ASSERT_GT(one.grid().tiles() - one.uniformTiles(), 2048);
    ASSERT_GT(one.remoteCount(), 0u);
    ASSERT_GT(one.distant().size(), 0u);
    ASSERT_EQ(four.remoteCount(), one.remoteCount());
    ASSERT_EQ(four.boundaryNodeCount(), one.boundaryNodeCount());
    ASSERT_EQ(four.boundaryLinkCount(), one.boundaryLinkCount());
    ASSERT_EQ(four.curvedLinkCount(), one.curvedLinkCount());
    ASSERT_EQ(four.distant().size(), one.distant().size());
    std::int64_t links = 0;
    for (std::int32_t t = 0; t < one.grid().tiles(); ++t) {
        ASSERT_EQ(four.uniform(t), one.uniform(t));
        if (one.uniform(t)) continue;
        const auto &a = one.detail(t), &b = four.detail(t);
        ASSERT_EQ(a.firstRemote, b.firstRemote);
        ASSERT_EQ(a.lastNode, b.lastNode);
        ASSERT_EQ(a.firstCurved, b.firstCurved);
        ASSERT_EQ(a.lastCurved, b.lastCurved);
        ASSERT_TRUE(std::equal(a.order, a.order + a.active, b.order));
        ASSERT_EQ(a.curved, b.curved);
        for (std::uint32_t n = a.firstNode; n < a.lastNode; ++n) {
            // A node's links, and a link's node, are of this tile
            EXPECT_TRUE(a.isFluid(one.boundaryNodes()[n].local));
            links += one.boundaryNodes()[n].lastLink - one.boundaryNodes()[n].firstLink;
            ASSERT_EQ(four.boundaryNodes()[n].firstLink, one.boundaryNodes()[n].firstLink);
            ASSERT_EQ(four.boundaryNodes()[n].opening, one.boundaryNodes()[n].opening);
        }
    }
    EXPECT_EQ(links, std::int64_t(one.boundaryLinkCount())); // no shadows here
    for (std::size_t i = 0; i < one.remoteCount(); ++i) ASSERT_EQ(four.remotes()[i].source, one.remotes()[i].source);
    for (std::size_t i = 0; i < one.boundaryLinkCount(); ++i)
        ASSERT_TRUE(sameLink(four.boundaryLinks()[i], one.boundaryLinks()[i])) << i;
    for (std::size_t i = 0; i < one.curvedLinkCount(); ++i) {
        ASSERT_EQ(four.curvedLinks()[i].reflected, one.curvedLinks()[i].reflected);
        ASSERT_EQ(four.curvedLinks()[i].distant, one.curvedLinks()[i].distant);
    }
    for (std::size_t i = 0; i < one.distant().size(); ++i) ASSERT_EQ(four.distant()[i].tile, one.distant()[i].tile);
}

} // namespace lbm::test
