// What links were told is kept number by number, and comes back to the bit. Part of lbmFoam, GPL-3.0-or-later.
#include "lbmToldLinks.H"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace lbm::test {
namespace {

using Foam::lbmToldLinks;

constexpr std::size_t ofALink = lbmToldLinks::numbers;

// More than threads take at a time. Normals of three faces of a box, a density that differs from link to link, a recovery in
// runs that end anywhere
std::vector<LinkValue> toldLinks(std::size_t n)
{
    std::vector<LinkValue> result(n);
    for (std::size_t i = 0; i < n; ++i) {
        LinkValue& v = result[i];
        v.kind = BoundaryKind::slip;
        v.velocity = {0, 0, 0};
        v.velocity[3 * i / n] = 1;
        v.density = 1 + 1e-9 * double(i);
        v.recovery = double(i / 1234);
    }
    return result;
}

void expectBack(const std::vector<LinkValue>& given, const lbmToldLinks& told)
{
    const std::vector<double> all = told.all();
    const std::vector<LinkValue> back = lbmToldLinks::links(all);
    ASSERT_EQ(back.size(), given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        ASSERT_EQ(back[i].kind, given[i].kind) << "link " << i;
        ASSERT_EQ(std::memcmp(&back[i].velocity, &given[i].velocity, sizeof back[i].velocity), 0) << "link " << i;
        ASSERT_EQ(std::memcmp(&back[i].density, &given[i].density, sizeof(double)), 0) << "link " << i;
        ASSERT_EQ(std::memcmp(&back[i].recovery, &given[i].recovery, sizeof(double)), 0) << "link " << i;
    }
}

TEST(ToldLinks, comeBackFromRunsThatThreadsShare)
{
    for (const std::size_t n : {0, 1, 2, 4096, 4097, 50000}) {
        const std::vector<LinkValue> given = toldLinks(n);
        for (const int threads : {1, 2, 5}) {
            lbmToldLinks told;
            told.append(given.data(), n, threads);
            EXPECT_EQ(told.size(), n);
            expectBack(given, told);
        }
    }
}

// One kind, two runs each of the normals' outer components and three of the middle one, a density each, 41 recoveries
TEST(ToldLinks, keepARunOnce)
{
    const std::size_t n = 50000;
    lbmToldLinks told;
    told.append(toldLinks(n).data(), n, 3);
    EXPECT_EQ(told.kept(), 1 + 2 + 3 + 2 + n + 41);
    told.append(toldLinks(n).data(), 1, 3); // in a piece of its own
    EXPECT_EQ(told.kept(), 1 + 2 + 3 + 2 + n + 41 + ofALink);
}

TEST(ToldLinks, comePieceByPiece)
{
    const std::vector<LinkValue> given = toldLinks(30000);
    lbmToldLinks told;
    for (std::size_t first = 0; first < given.size(); first += 7000)
        told.append(given.data() + first, std::min(given.size() - first, std::size_t(7000)), 2);
    EXPECT_EQ(told.size(), given.size());
    expectBack(given, told);
}

// Zero below zero is another number; what is no number is the same as itself
TEST(ToldLinks, goByTheBits)
{
    std::vector<LinkValue> given(10000);
    for (std::size_t i = 0; i < given.size(); ++i) {
        given[i].velocity[1] = i < 5000 ? 0.0 : -0.0;
        given[i].density = std::numeric_limits<double>::quiet_NaN();
    }
    lbmToldLinks told;
    told.append(given.data(), given.size(), 2);
    expectBack(given, told);
    EXPECT_EQ(told.kept(), ofALink + 1);
}

} // namespace
} // namespace lbm::test
