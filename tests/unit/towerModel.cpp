// The model of LRnLA algorithms against what Levchenko & Perepelkina 2022 print. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/TowerModel.hpp"

#include <gtest/gtest.h>

using namespace lbm::model;

namespace {

const NodeCost d3q19 = bgkCost(true, true, false, 4);

} // namespace

TEST(TowerModel, table1)
{
    struct Column {
        bool axes, faces, corners;
        int values;
        double bytes, flop, flopPerValue, operations, operationsPerValue;
    };
    for (const Column& p : {Column{false, false, false, 1, 4, 30, 30, 30, 30},
                            {true, false, false, 7, 28, 78, 11.1, 114, 16.3},
                            {false, true, false, 13, 52, 150, 11.5, 246, 18.9},
                            {true, true, false, 19, 76, 198, 10.4, 330, 17.4},
                            {false, false, true, 9, 36, 126, 14, 206, 22.9},
                            {true, false, true, 15, 60, 174, 11.6, 290, 19.3},
                            {false, true, true, 21, 84, 246, 11.7, 422, 20.1},
                            {true, true, true, 27, 108, 294, 10.9, 506, 18.7}}) {
        const NodeCost c = bgkCost(p.axes, p.faces, p.corners, 4);
        EXPECT_EQ(c.values, p.values);
        EXPECT_EQ(c.bytes, p.bytes);
        EXPECT_EQ(c.flop, p.flop);
        EXPECT_EQ(c.operations, p.operations);
        EXPECT_NEAR(c.flop / c.values, p.flopPerValue, 0.05);
        EXPECT_NEAR(c.operations / c.values, p.operationsPerValue, 0.05);
    }
}

TEST(TowerModel, table2)
{
    struct Line {
        double m, vector, scalar, intensity; // bytes
    };
    constexpr double k = 1024, M = k * k;
    for (const Line& p : {Line{16, 26.7 * M, 3.3 * M, 6.2},
                          {8, 5.6 * M, 719 * k, 3.7},
                          {4, 1.04 * M, 134 * k, 2.5},
                          {2, 152 * k, 19 * k, 2.2}}) {
        EXPECT_NEAR(footprintCells(p.m, 32) * 8 * d3q19.bytes, p.vector, 0.01 * p.vector) << p.m;
        EXPECT_NEAR(footprintCells(p.m, 32) * d3q19.bytes, p.scalar, 0.012 * p.scalar) << p.m;
        EXPECT_NEAR(footprintIntensity(d3q19, p.m, 32), p.intensity, 0.05) << p.m;
    }
    // Its ConeFold<32> holds what one of 16 steps does
    EXPECT_NEAR(footprintCells(32, 16) * 8 * d3q19.bytes, 69 * M, 0.5 * M);
    EXPECT_NEAR(footprintIntensity(d3q19, 32, 16), 9.6, 0.06);
    EXPECT_NEAR(cube(512) * d3q19.bytes, 9.5 * k * M, 0.05 * k * M);
    EXPECT_NEAR(cubeIntensity(d3q19, 32), 69.6, 0.2);
    EXPECT_NEAR(lrnlaCellCells * 8 * d3q19.bytes, 8.9 * k, 0.05 * k);
    EXPECT_NEAR(lrnlaCellIntensity(d3q19), 2.3, 0.05);
    EXPECT_NEAR(cellIntensity(d3q19), 1.1, 0.05);
    EXPECT_NEAR(d3q19.intensity(), 2.2, 0.05); // stepwise
}

TEST(TowerModel, equationsAgreeWhereTheyMeet)
{
    for (const double n : {2.0, 8.0, 32.0}) {
        for (const int nu : {0, 1, 2}) {
            const ConeFold fold = coneFold(d3q19, n, nu);
            EXPECT_NEAR(fold.operations / fold.bytes, coneFoldIntensity(d3q19, n), 1e-12);
        }
        // 3.3 has the slopes' corners once, 3.2 four times n^d
        EXPECT_NEAR(torreIntensity(d3q19, 1e6 * n, n), keptSlopesIntensity(d3q19, n), 1e-3 * n);
    }
    EXPECT_NEAR(torreIntensity(d3q19, 1000, 1000), coneFoldIntensity(d3q19, 1000), 0.001 * 1000);
    // Expansions of section 3.5
    const double N = 1e5, n = 10;
    EXPECT_NEAR(innerIntensity(d3q19, N, n), n / (1 + 3 * n / (N - n)) * d3q19.intensity(), 1e-4);
    EXPECT_NEAR(boundaryIntensity(d3q19, N, n), n / (2 + n / N) * d3q19.intensity(), 1e-2);
}

TEST(TowerModel, twoProcessorsAreFasterThanEach)
{
    // Both busy all the time: shares as speeds
    EXPECT_NEAR(togetherPeak(8 * 7 * 7 * 7, 8 * (512 - 343), 256, 32), 8 * 512, 1e-9);
    EXPECT_GT(togetherPeak(20, 15, 256, 32), 20);
}

TEST(TowerModel, eachTaskExchangesWithTheLevelThatHoldsTheOneAround)
{
    const std::vector<MemoryLevel> levels = {
        {"L1", 48e3, 400e9}, {"L2", 2e6, 100e9}, {"L3", 10e6, 50e9}, {"memory", 0, 10e9}};
    const auto limits = towerLimits(d3q19, 8, 16, 32, levels);
    ASSERT_EQ(limits.size(), 4u);
    const char* expected[] = {"memory", "memory", "L3", "L2"};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_STREQ(limits[i].level, expected[i]);
    // 16^3 base and 32 gnomons, read and written, for 16^3 nodes of 32 steps
    EXPECT_NEAR(limits[0].bytesPerNode, 2 * 76 * (4096 + 32 * 721.) / (4096 * 32), 1e-9);
    EXPECT_NEAR(limits[2].updates, 50e9 / limits[2].bytesPerNode, 1);
    EXPECT_EQ(towerPeak(limits, 1e6), 1e6);
    EXPECT_EQ(towerPeak(limits, 1e12), limits[1].updates);
}
