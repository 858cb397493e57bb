// Pieces in which ranks hand ghosts over: every value goes once, both sides agree, and no room is much larger than that of a step.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/TiledHaloEnds.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace {

using lbm::Handover;

constexpr int valuesOfNode = 27;

struct ByDirection {
    struct Lattice {
        static constexpr int Q = valuesOfNode;
    };
};

using Pieces = lbm::HandedPieces<ByDirection>;

// Of each node some populations that a step wants, or none
std::vector<std::uint32_t> wanted(std::size_t nodes, int ofHundred)
{
    std::mt19937 random(7);
    std::vector<std::uint32_t> needed(nodes);
    for (std::uint32_t& of : needed)
        for (int k = 0; k < valuesOfNode; ++k)
            if (int(random() % 100) < ofHundred) of |= std::uint32_t(1) << k;
    return needed;
}

std::size_t valuesOfStep(const std::vector<std::uint32_t>& needed)
{
    std::size_t n = 0;
    for (const std::uint32_t of : needed)
        for (int k = 0; k < valuesOfNode; ++k) n += of >> k & 1;
    return n;
}

TEST(HandedPieces, haveEveryValueOnce)
{
    for (const std::size_t nodes : {0, 1, 303, 304, 5000, 60000})
        for (const int ofHundred : {0, 20, 100}) {
            const auto needed = wanted(nodes, ofHundred);
            Pieces pieces(needed), other(needed);
            EXPECT_EQ(pieces.values(Handover::forStep), valuesOfStep(needed));
            std::vector<int> had(nodes * valuesOfNode, 0);
            do {
                ASSERT_EQ(pieces.values(Handover::whole), other.values(Handover::whole));
                ASSERT_LE(pieces.values(Handover::whole), pieces.room());
                std::size_t n = 0;
                pieces.each(Handover::whole, [&](std::size_t i, int k) {
                    ++had[i * valuesOfNode + std::size_t(k)];
                    ++n;
                });
                ASSERT_EQ(n, pieces.values(Handover::whole));
                pieces.next(Handover::whole), other.next(Handover::whole);
                ASSERT_EQ(pieces.more(), other.more());
            } while (pieces.more());
            EXPECT_EQ(std::set<int>(had.begin(), had.end()), nodes ? std::set<int>{1} : std::set<int>{});
            EXPECT_EQ(pieces.piece(Handover::whole), 0u); // the next handover begins anew
        }
}

TEST(HandedPieces, needNoRoomBeyondThatOfAStep)
{
    constexpr std::size_t small = 8192;
    for (const int ofHundred : {0, 2, 20, 100}) {
        const auto needed = wanted(60000, ofHundred);
        EXPECT_LE(Pieces(needed).room(), std::max(small, valuesOfStep(needed)));
    }
    EXPECT_EQ(Pieces(wanted(10, 20)).room(), 10u * valuesOfNode);
}

} // namespace
