// Which walls are called staircases. Part of lbmFoam, GPL-3.0-or-later.
#include "cases.hpp"

#include <gtest/gtest.h>

namespace lbm::test {
namespace {

std::vector<std::string> staircases(const char* name)
{
    FoamCase c(name);
    c.boundary.placeWalls(c.lattice.domain(), c.controls);
    std::vector<std::string> names;
    forAll(c.boundary.kinds(), patch) if (c.boundary.kinds()[patch].steps)
        names.push_back(c.mesh.boundary()[patch].name());
    return names;
}

TEST(Steps, bodyCutOutOfCells) { EXPECT_EQ(staircases("steps"), std::vector<std::string>{"body"}); }

// Corners of a box, cells of other sizes, sides of triangles, sheets, a single step
TEST(Steps, otherWallsAreNone)
{
    for (const char* name : {"equal", "graded", "triangles", "baffle", "backwardStep"})
        EXPECT_TRUE(staircases(name).empty()) << name;
}

} // namespace
} // namespace lbm::test
