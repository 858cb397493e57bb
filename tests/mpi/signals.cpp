// A signal that any rank had comes to the first one, which asks all others at once: main.cpp's ranks answer when all are asked.
// To be run by mpirun. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Ranks.hpp"

#include <gtest/gtest.h>

namespace lbm::test {
namespace {

TEST(Signals, areAskedForAtOnce)
{
    for (int time = 0; time < 3; ++time) EXPECT_EQ(signalOfRanks(), ranks() - 1);
}

} // namespace
} // namespace lbm::test
