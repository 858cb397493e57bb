// Lattice data and numbering. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/lattice/Lattice.hpp"
#include "lbm/reference/LatticeData.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace lbm;

class LatticeTest : public testing::TestWithParam<const char*> {};

TEST_P(LatticeTest, linksAreDistinctAndComeInPairs)
{
    const auto lattice = reference::latticeData(GetParam());
    EXPECT_EQ(std::set(lattice.c.begin(), lattice.c.end()).size(), lattice.c.size());
    EXPECT_EQ(lattice.c[0], (std::array<int, 3>{0, 0, 0}));
    for (int q = 0; q < lattice.size(); ++q) {
        EXPECT_EQ(lattice.opposite[lattice.opposite[q]], q);
        EXPECT_EQ(lattice.opposite[q], opposite(q));
    }
}

TEST_P(LatticeTest, momentsAreIsotropicUpToFourthOrder)
{
    const auto lattice = reference::latticeData(GetParam());
    const int D = lattice.dimensions;
    const auto moment = [&](std::initializer_list<int> axes) {
        double sum = 0;
        for (int q = 0; q < lattice.size(); ++q) {
            double product = lattice.w[q];
            for (int a : axes) product *= lattice.c[q][a];
            sum += product;
        }
        return sum;
    };
    const double tolerance = 1e-15;
    EXPECT_NEAR(moment({}), 1, tolerance);
    for (int a = 0; a < D; ++a) {
        EXPECT_NEAR(moment({a}), 0, tolerance);
        for (int b = 0; b < D; ++b) {
            EXPECT_NEAR(moment({a, b}), a == b ? 1.0 / 3 : 0, tolerance);
            for (int c = 0; c < D; ++c) {
                EXPECT_NEAR(moment({a, b, c}), 0, tolerance);
                for (int d = 0; d < D; ++d)
                    EXPECT_NEAR(moment({a, b, c, d}),
                                ((a == b && c == d) + (a == c && b == d) + (a == d && b == c)) / 9.0, tolerance);
            }
        }
    }
}

TEST_P(LatticeTest, isNamedTheSameEverywhere)
{
    const auto lattice = reference::latticeData(GetParam());
    EXPECT_EQ(latticeDirections(GetParam()), std::vector<Int3>(lattice.c.begin(), lattice.c.end()));
    EXPECT_EQ(latticeDimensions(GetParam()), lattice.dimensions);
}

INSTANTIATE_TEST_SUITE_P(all, LatticeTest, testing::Values("D2Q9", "D3Q15", "D3Q19", "D3Q27"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Lattice, unknownNameHasNoDirections)
{
    EXPECT_TRUE(latticeDirections("D3Q20").empty());
    EXPECT_EQ(latticeDimensions("D3Q20"), 0);
    EXPECT_THROW(reference::latticeData("D3Q20"), std::invalid_argument);
}
