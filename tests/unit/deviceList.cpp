// Words of several devices, and what is refused before a solver is made. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/DeviceList.hpp"

#include "lbm/api/Solver.hpp"
#include "lbm/solver/Devices.hpp"

#include <gtest/gtest.h>

namespace lbm {
namespace {

using Words = std::vector<std::string>;

TEST(DeviceList, hasOneWordADevice)
{
    EXPECT_EQ(devicesIn("cpu", 2), Words{"cpu"});
    EXPECT_EQ(devicesIn("cuda", 2), Words{"cuda"});
    EXPECT_EQ(devicesIn("cuda:1", 2), Words{"cuda:1"});
    EXPECT_EQ(devicesIn("cuda:H200", 2), Words{"cuda:H200"});
    EXPECT_EQ(devicesIn("cuda:1,0", 2), (Words{"cuda:1", "cuda:0"}));
    EXPECT_EQ(devicesIn("cuda:all", 3), (Words{"cuda:0", "cuda:1", "cuda:2"}));
    EXPECT_EQ(devicesIn("cuda:all", 1), Words{"cuda:0"});
}

TEST(DeviceList, refusesWordsThatAreMissing)
{
    for (const char* word : {"cuda:", "cuda:0,", "cuda:,0", "cuda:0,,1", "cuda:0,all", "cuda:all,0"})
        EXPECT_THROW(devicesIn(word, 2), std::invalid_argument) << word;
}

TEST(DeviceList, givesPartsInTurnAndEvenly)
{
    EXPECT_EQ(deviceOfPart(0, 2, 2), 0);
    EXPECT_EQ(deviceOfPart(1, 2, 2), 1);
    for (int parts : {4, 8, 12})
        for (int devices : {1, 2, 4})
            for (int p = 0; p < parts; ++p)
                EXPECT_EQ(deviceOfPart(p, parts, devices), p / (parts / devices)) << p << " of " << parts;
}

TEST(Devices, haveAPartEachWhereNoNumberIsGiven)
{
    Config config;
    EXPECT_EQ(partsOf(config), 1);
    config.parts = 3;
    EXPECT_EQ(partsOf(config), 3);
    config.device = "cuda:0,1";
    config.parts = 1;
    EXPECT_EQ(partsOf(config), 2);
    config.parts = 4;
    EXPECT_EQ(partsOf(config), 4);
}

std::string refusal(const Config& config)
{
    try {
        checkDevices(config);
    } catch (const std::invalid_argument& fault) {
        return fault.what();
    }
    return {};
}

std::string refusalOfRank(const Config& config, int number, int ofSo)
{
    try {
        devicesOfRank(config, {number, ofSo});
    } catch (const std::invalid_argument& fault) {
        return fault.what();
    }
    return {};
}

// Sets where this process is among the ranks of its host, for a while.
class OnHost {
public:
    OnHost(int number, int ranks) { placeOnHost() = {number, ranks}; }
    ~OnHost() { placeOnHost() = {}; }
    OnHost(const OnHost&) = delete;
    OnHost& operator=(const OnHost&) = delete;
};

TEST(Devices, areOneForEachRankOfAHost)
{
    Config config;
    for (int rank : {0, 1, 7}) EXPECT_EQ(devicesOfRank(config, {rank, 8}), Words{"cpu"});
    config.device = "cuda:1,0";
    EXPECT_EQ(devicesOfRank(config, {0, 2}), Words{"cuda:1"});
    EXPECT_EQ(devicesOfRank(config, {1, 2}), Words{"cuda:0"});
    EXPECT_EQ(refusalOfRank(config, 0, 3),
              "device 'cuda:1,0' is 2 devices of a host that 3 ranks share; each is to have one of its own");
    config.device = "cuda:0";
    for (int rank : {0, 1})
        EXPECT_EQ(refusalOfRank(config, rank, 2),
                  "device 'cuda:0' is 1 device of a host that 2 ranks share; each is to have one of its own");
    config.device = "cuda:0,0";
    EXPECT_EQ(refusalOfRank(config, 1, 2), "device 'cuda:0,0': cuda:0 is named twice");
    // More than any machine has, so that it holds where there are devices, too
    config.device = "cuda";
    EXPECT_NE(refusalOfRank(config, 0, 1000).find("of a host that 1000 ranks share"), std::string::npos);

    config.sharedDevices = true;
    for (const char* word : {"cuda:0", "cuda:0,0"}) {
        config.device = word;
        EXPECT_EQ(devicesOfRank(config, {1, 2}), Words{"cuda:0"});
    }
    config.device = "cuda:1,0";
    EXPECT_EQ(devicesOfRank(config, {2, 3}), Words{"cuda:1"});
}

TEST(Devices, areAsManyForEachRankOfAHost)
{
    Config config;
    config.device = "cuda:1,0";
    EXPECT_EQ(devicesOfRank(config, {0, 1}), (Words{"cuda:1", "cuda:0"}));
    config.device = "cuda:0,1,2,3";
    EXPECT_EQ(devicesOfRank(config, {0, 2}), (Words{"cuda:0", "cuda:1"}));
    EXPECT_EQ(devicesOfRank(config, {1, 2}), (Words{"cuda:2", "cuda:3"}));
    EXPECT_EQ(devicesOfRank(config, {3, 4}), Words{"cuda:3"});
    EXPECT_EQ(refusalOfRank(config, 0, 3),
              "device 'cuda:0,1,2,3' is 4 devices of a host that 3 ranks share; each is to have as many: name 3, or "
              "start another number of ranks");
    // Tests on two devices let each of two ranks have both
    config.device = "cuda:0,1,0,1";
    EXPECT_EQ(refusalOfRank(config, 0, 2), "device 'cuda:0,1,0,1': cuda:0 is named twice");
    config.sharedDevices = true;
    for (int rank : {0, 1}) EXPECT_EQ(devicesOfRank(config, {rank, 2}), (Words{"cuda:0", "cuda:1"}));
}

TEST(Devices, ofRanksHaveAPartEachWhereNoNumberIsGiven)
{
    const OnHost second(1, 2);
    Config config;
    config.ranks = config.parts = 2;
    EXPECT_EQ(partsOf(config), 2);
    EXPECT_EQ(devicesOf(config), Words{"cpu"});
    for (const char* word : {"cuda", "cuda:0,1"}) {
        config.device = word;
        EXPECT_EQ(partsOf(config), 2) << word;
    }
    config.device = "cuda:0,1,2,3";
    EXPECT_EQ(partsOf(config), 4);
    EXPECT_EQ(devicesOf(config), (Words{"cuda:2", "cuda:3"}));
    config.parts = 8;
    EXPECT_EQ(partsOf(config), 8);
    // Two hosts, of two ranks each
    config.ranks = config.parts = 4;
    EXPECT_EQ(partsOf(config), 8);
    config.parts = 12;
    EXPECT_EQ(refusal(config),
              "parts is 12, and device 'cuda:0,1,2,3' names 8 for 4 ranks: leave parts out, or let each "
              "device have as many");
}

TEST(Devices, ofARankAreAsManyAsTheFirstOnes)
{
    const Words two = {"cuda:2", "cuda:3"};
    EXPECT_EQ(deviceOfRank(two, {0, 2}), "cuda:2");
    EXPECT_EQ(deviceOfRank(two, {1, 2}), "cuda:3");
    const auto words = [&](const DeviceOfRank& device) -> std::string {
        try {
            return deviceOfRank(two, device);
        } catch (const std::invalid_argument& fault) {
            return fault.what();
        }
    };
    EXPECT_EQ(words({0, 1}),
              "device: this rank takes 2 devices of its host, and the first one 1 of its own; each is to have as many");
    EXPECT_EQ(words({2, 3}),
              "device: this rank takes 2 devices of its host, and the first one 3 of its own; each is to have as many");
}

TEST(Devices, refuseOddNumbersOfPartsAndUnknownWays)
{
    Config config;
    EXPECT_EQ(refusal(config), "");
    config.exchange = "mail";
    EXPECT_EQ(refusal(config), "exchange 'mail' is none of auto, peer, nccl, mpi");
    for (const char* way : {"peer", "nccl"}) {
        config.exchange = way;
        EXPECT_EQ(refusal(config), std::string("exchange ") + way + ": it is between GPUs, and the device is cpu");
    }
    config.device = "cuda:0";
    EXPECT_EQ(refusal(config), "exchange nccl: it is between ranks, and this is one process");
    config.exchange = "mpi";
    config.device = "cuda:0,1";
    config.parts = 3;
    EXPECT_EQ(refusal(config),
              "parts is 3, and device 'cuda:0,1' names 2: leave parts out, or let each device have as many");
}

} // namespace
} // namespace lbm
