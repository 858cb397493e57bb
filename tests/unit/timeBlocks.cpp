// TimeBlocks: every tile makes every step of a pass once, and finds what it draws on: tiles within reach have made the step before,
// and none of them two more. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/TimeBlocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace lbm {
namespace {

// holes: some tiles have no fluid.
Domain box(const Int3& size, const std::array<bool, 3>& periodic, bool holes)
{
    Domain d;
    d.size = size;
    d.dimensions = size[2] == 1 ? 2 : 3;
    d.periodic = periodic;
    d.fluid = BitSet(d.nodes(), true);
    if (holes)
        for (NodeIndex i = 0; i < d.nodes(); ++i)
            if ((d.coordinates(i)[0] / 8 * 5 + d.coordinates(i)[1] / 4 * 3 + d.coordinates(i)[2] / 4 * 7) % 11 < 6)
                d.fluid.clear(i);
    return d;
}

class Times {
public:
    Times(const TileGrid& grid, const Domain& domain, int reach) : grid_(grid), domain_(domain), reach_(reach)
    {
        made_.assign(grid.tiles(), 0);
    }

    // Tiles of a block's step run in any order: all look at what was there before.
    void make(const BlockStep& s)
    {
        std::int32_t tiles = 0;
        for (const TileRange& range : s.ranges)
            for (std::int32_t t = range.first; t < range.last; ++t, ++tiles) check(t, s.step);
        EXPECT_EQ(tiles, s.tiles);
        for (const TileRange& range : s.ranges)
            for (std::int32_t t = range.first; t < range.last; ++t) ++made_[t];
    }

    const std::vector<int>& made() const { return made_; }

private:
    void check(std::int32_t t, int step) const
    {
        ASSERT_EQ(made_[t], step) << "tile " << t;
        for (std::int32_t u = 0; u < grid_.tiles(); ++u) {
            if (!within(t, u)) continue;
            ASSERT_GE(made_[u], step) << "tiles " << t << ", " << u;
            ASSERT_LE(made_[u], step + 1) << "tiles " << t << ", " << u;
        }
    }

    // Some node of u is within reach of one of t.
    bool within(std::int32_t t, std::int32_t u) const
    {
        const Int3 a = grid_.origin(t), b = grid_.origin(u), &e = grid_.extents();
        for (int i = 0; i < 3; ++i) {
            int apart = std::abs(a[i] - b[i]);
            if (domain_.periodic[i]) apart = std::min(apart, domain_.size[i] - apart);
            if (apart > e[i] - 1 + reach_) return false;
        }
        return true;
    }

    const TileGrid& grid_;
    const Domain& domain_;
    int reach_;
    std::vector<int> made_;
};

void allInOrder(const Int3& size, const std::array<bool, 3>& periodic, bool holes, const Int3& extents, int reach)
{
    const Domain domain = box(size, periodic, holes);
    const TileGrid grid(domain, extents);
    const TimeBlocks blocks(grid, domain, reach);
    for (const int lines : {1, 2, 3, 5, 100})
        for (const int steps : {1, 2, 3, 8, 32}) {
            SCOPED_TRACE(std::to_string(lines) + " lines, " + std::to_string(steps) + " steps");
            Times times(grid, domain, reach);
            for (const BlockStep& s : blocks.pass(steps, blocks.widthsOf(lines))) times.make(s);
            for (const int made : times.made()) ASSERT_EQ(made, steps);
        }
}

TEST(TimeBlocks, boxes) { allInOrder({16, 29, 22}, {false, false, false}, false, {8, 4, 4}, 1); }
TEST(TimeBlocks, emptyTiles) { allInOrder({32, 29, 22}, {false, false, false}, true, {8, 4, 4}, 1); }
TEST(TimeBlocks, farReach) { allInOrder({16, 29, 22}, {false, false, false}, false, {8, 4, 4}, 4); }
TEST(TimeBlocks, reachBeyondTiles) { allInOrder({16, 20, 14}, {false, false, false}, false, {8, 2, 2}, 4); }
TEST(TimeBlocks, periodicAxes)
{
    allInOrder({16, 24, 20}, {true, true, false}, false, {8, 4, 4}, 1);
    allInOrder({16, 24, 18}, {false, false, true}, false, {8, 4, 4}, 2);
}
TEST(TimeBlocks, twoDimensions) { allInOrder({64, 150, 1}, {false, false, false}, false, {16, 16, 1}, 4); }

TEST(TimeBlocks, fitTheCache)
{
    const Domain domain = box({64, 128, 128}, {false, false, false}, false);
    const TileGrid grid(domain, {8, 4, 4}); // 8 tiles a line
    const TimeBlocks blocks(grid, domain, 1);
    EXPECT_EQ(blocks.widthsFor(8 * 25), (BlockWidths{4, 4}));
    EXPECT_EQ(blocks.widthsFor(8 * 16), (BlockWidths{3, 3}));
    EXPECT_EQ(blocks.widthsFor(8 * 15), (BlockWidths{0, 0})); // too thin to gain
    EXPECT_EQ(blocks.widthsFor(0), (BlockWidths{0, 0}));
    const Domain plates = box({64, 128, 16}, {true, false, true}, false);
    const TileGrid few(plates, {8, 4, 4});
    const TimeBlocks whole(few, plates, 1);
    EXPECT_EQ(whole.widthsFor(8 * 4 * 6), (BlockWidths{5, 4}));
    EXPECT_EQ(whole.widthsFor(8 * 4 * 3), (BlockWidths{0, 0}));
}

TEST(TimeBlocks, noneWhereAllIsPeriodic)
{
    const Domain domain = box({32, 32, 32}, {true, true, true}, false);
    const TileGrid grid(domain, {8, 4, 4});
    EXPECT_FALSE(TimeBlocks(grid, domain, 1).possible());
}

} // namespace
} // namespace lbm
