// The barrier of the loop over time, and how many threads meet there. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/TeamBarrier.hpp"
#include "lbm/api/TeamSize.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include <omp.h>

namespace lbm {
namespace {

// More threads than the machine has, some of them late: all see what all wrote, and one acts between.
TEST(Threads, NobodyPassesTheBarrierBeforeAllHaveCome)
{
    constexpr int threads = 7, rounds = 400;
    std::vector<int> written(threads, -1);
    int between = 0, wrong = 0;
    TeamBarrier team;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
        const int me = omp_get_thread_num();
        for (int round = 0; round < rounds; ++round) {
            // Longer than anybody spins
            if (round % 50 == me) std::this_thread::sleep_for(std::chrono::milliseconds(2));
            written[me] = round;
            team.wait([&] { ++between; });
            for (const int w : written) wrong += w != round;
            wrong += between != round + 1;
            team.wait();
        }
    }
    EXPECT_EQ(between, rounds);
    EXPECT_EQ(wrong, 0);
}

TEST(Threads, OneThreadWaitsForNobody)
{
    TeamBarrier team;
    int between = 0;
    for (int i = 0; i < 3; ++i) team.wait([&] { ++between; });
    EXPECT_EQ(between, 3);
}

TEST(Threads, SmallDomainsTakeFewerUnlessTheirNumberIsGiven)
{
    Config config;
    EXPECT_EQ(threadsFor(config, 400), 1);
    EXPECT_EQ(threadsFor(config, NodeIndex(1) << 40), omp_get_max_threads());
    config.threads = 3;
    EXPECT_EQ(threadsFor(config, 400), 3);
}

} // namespace
} // namespace lbm
