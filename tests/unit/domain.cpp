// BitSet and Domain. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Domain.hpp"
#include "lbm/api/LinkFinder.hpp"
#include "lbm/api/LinkRuns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

using namespace lbm;

TEST(BitSet, countsWhatWasSet)
{
    BitSet bits(130);
    EXPECT_EQ(bits.count(), 0);
    for (int i : {0, 63, 64, 127, 129}) bits.set(i);
    EXPECT_EQ(bits.count(), 5);
    EXPECT_TRUE(bits[63] && bits[64] && bits[129]);
    EXPECT_FALSE(bits[62] || bits[65] || bits[128]);
    bits.clear(64);
    bits.set(129, false);
    bits.set(1, true);
    EXPECT_EQ(bits.count(), 4);
    EXPECT_FALSE(bits[64] || bits[129]);
}

TEST(BitSet, runsAreSetAndClearedAcrossWords)
{
    BitSet bits(200), one(200);
    EXPECT_FALSE(bits.setInShared(60, 75)); // in three words
    EXPECT_EQ(bits.count(), 75);
    EXPECT_TRUE(bits[60] && bits[64] && bits[127] && bits[134]);
    EXPECT_FALSE(bits[59] || bits[135]);
    EXPECT_FALSE(bits.setInShared(50, 10)); // right beside
    EXPECT_TRUE(bits.setInShared(45, 6));   // one of which was set
    EXPECT_TRUE(bits.setInShared(134, 66));
    EXPECT_EQ(bits.count(), 155);
    bits.clearIn(63, 66);
    EXPECT_EQ(bits.count(), 89);
    EXPECT_TRUE(bits[62] && bits[129]);
    EXPECT_FALSE(bits[63] || bits[128]);
    one.setShared(64);
    EXPECT_TRUE(one[64]);
    EXPECT_EQ(one.count(), 1);
}

TEST(BitSet, fullSetHasNoBitBeyondItsEnd)
{
    for (int n : {1, 63, 64, 65, 128, 130}) EXPECT_EQ(BitSet(n, true).count(), n);
}

namespace {

// One open row of three fluid nodes and one solid node, with one link at each end.
Domain row()
{
    Domain d;
    d.dimensions = 2;
    d.size = {4, 1, 1};
    d.fluid = BitSet(4, true);
    d.fluid.clear(3);
    d.patches = {"left", "right"};
    d.links = {{0, 0.5f, 0, directionCode(-1, 0, 0)}, {2, 0.25f, 1, directionCode(1, 0, 0)}};
    return d;
}

// The message must say what is wrong, not only that something is.
template<class Change>
void expectComplaint(const std::string& about, Change&& change)
{
    Domain d = row();
    ASSERT_NO_THROW(d.check());
    change(d);
    try {
        d.check();
        FAIL() << "no complaint about " << about;
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find(about), std::string::npos) << error.what();
    }
}

} // namespace

TEST(Domain, indexAndCoordinatesAreInverse)
{
    Domain d;
    d.size = {7, 11, 18};
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        const Int3 x = d.coordinates(i);
        EXPECT_EQ(d.index(x[0], x[1], x[2]), i);
    }
    EXPECT_EQ(d.index(1, 0, 0), 1);
}

TEST(Domain, directionCodesAreInverse)
{
    for (int code = 0; code < 27; ++code) {
        const Int3 c = directionOf(std::uint8_t(code));
        EXPECT_EQ(directionCode(c[0], c[1], c[2]), code);
    }
    EXPECT_EQ(directionCode(0, 0, 0), 13);
}

TEST(Domain, neighbourWrapsWherePeriodicOnly)
{
    Domain d;
    d.size = {3, 4, 5};
    d.periodic = {true, false, true};
    EXPECT_EQ(d.neighbour({0, 0, 0}, {-1, 1, -1}), d.index(2, 1, 4));
    EXPECT_EQ(d.neighbour({0, 0, 0}, {0, -1, 0}), -1);
    EXPECT_EQ(d.neighbour({2, 3, 4}, {1, 0, 1}), d.index(0, 3, 0));
    EXPECT_EQ(d.neighbour({2, 3, 4}, {1, 1, 1}), -1);
}

TEST(Domain, porosityAndLinksPerPatch)
{
    const Domain d = row();
    EXPECT_EQ(d.fluidNodes(), 3);
    EXPECT_DOUBLE_EQ(d.porosity(), 0.75);
    EXPECT_EQ(linksPerPatch(d), (std::vector<std::int64_t>{1, 1}));
}

TEST(Domain, checkNamesWhatIsWrong)
{
    expectComplaint("side of the box", [](Domain& d) { d.size[1] = 0; });
    expectComplaint("dimensions", [](Domain& d) { d.dimensions = 1; });
    expectComplaint("layer", [](Domain& d) { d.size = {2, 1, 2}; });
    expectComplaint("do not fill", [](Domain& d) { d.fluid = BitSet(3, true); });
    expectComplaint("no fluid node", [](Domain& d) {
        d.fluid = BitSet(4);
        d.links.clear();
    });
    expectComplaint("spacing", [](Domain& d) { d.spacing = 0; });
    expectComplaint("outside the box", [](Domain& d) { d.links[1].node = 4; });
    expectComplaint("no direction", [](Domain& d) { d.links[0].direction = 13; });
    expectComplaint("solid node", [](Domain& d) { d.links[1].node = 3; });
    expectComplaint("names patch 2 of 2", [](Domain& d) { d.links[0].patch = 2; });
    expectComplaint("fraction", [](Domain& d) { d.links[0].fraction = 0; });
    expectComplaint("fraction", [](Domain& d) { d.links[0].fraction = 1.5f; });
    expectComplaint("order", [](Domain& d) { std::swap(d.links[0], d.links[1]); });
    expectComplaint("listed twice", [](Domain& d) { d.links.insert(d.links.begin(), d.links[0]); });
}

// Threads share long lists: of several faults the first one is named.
TEST(Domain, checkNamesTheFirstOfManyLinks)
{
    Domain d;
    d.size = {20, 20, 20};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"wall"};
    for (NodeIndex node = 0; node < d.nodes(); ++node)
        for (std::uint8_t code = 14; code < 27; ++code) d.links.push_back({node, 0.5f, 0, code});
    ASSERT_GT(d.links.size(), 100000u);
    d.check();
    for (const std::size_t faulty : {103999u, 103998u, 80000u, 51999u, 40000u, 0u}) {
        d.links[faulty].patch = std::int16_t(1000 + faulty % 1000);
        try {
            d.check();
            FAIL() << "nothing is found wrong";
        } catch (const std::invalid_argument& error) {
            EXPECT_NE(std::string(error.what()).find("patch " + std::to_string(1000 + faulty % 1000)),
                      std::string::npos)
                << error.what();
        }
    }
}

// Long lists, of which a patch has some here and there.
// Rows without links, the last one, and nodes without any among them.
TEST(LinkFinder, findsWhatAllLinksHave)
{
    Domain d;
    d.size = {7, 5, 6};
    d.fluid = BitSet(d.nodes(), true);
    for (NodeIndex node = 0; node < d.nodes(); ++node) {
        if (node / 7 % 3 == 1 || node % 4 == 2) continue;
        for (const Int3& c : {Int3{-1, 0, 0}, Int3{0, 0, 1}, Int3{1, 1, 0}})
            if ((node + c[0]) % 5 != 0) d.links.push_back({node, 0.5f, 0, directionCode(c[0], c[1], c[2])});
        std::sort(
            d.links.end() - std::min<std::ptrdiff_t>(3, std::ptrdiff_t(d.links.size())), d.links.end(),
            [](const Link& a, const Link& b) { return std::tie(a.node, a.direction) < std::tie(b.node, b.direction); });
    }
    const LinkFinder finder(d);
    for (NodeIndex node = 0; node < d.nodes(); ++node) {
        const auto [first, last] = finder.of(node);
        for (std::size_t i = first; i < last; ++i) EXPECT_EQ(d.links[i].node, node);
        EXPECT_EQ(finder.from(first, node).second, last);
        for (const Int3& c : {Int3{-1, 0, 0}, Int3{0, 0, 1}, Int3{1, 1, 0}, Int3{0, 1, 0}}) {
            const Link* link = findLink(d, node, c);
            EXPECT_EQ(finder.find(node, c), link ? link - d.links.data() : -1) << node;
        }
    }
}

TEST(LinkRuns, giveTheLinksOfAPatchInOrder)
{
    Domain d;
    d.patches = {"everywhere", "rare", "none", "last"};
    const NodeIndex n = 30000;
    for (NodeIndex i = 0; i < n; ++i) {
        const bool rare = i % 7919 == 11, last = i >= n - 3;
        d.links.push_back({i, 0.5f, std::int16_t(last ? 3 : rare ? 1 : 0), directionCode(1, 0, 0)});
    }
    const LinkRuns runs(d);
    for (int patch = 0; patch < 4; ++patch) {
        std::vector<std::size_t> expected;
        for (std::size_t i = 0; i < d.links.size(); ++i)
            if (d.links[i].patch == patch) expected.push_back(i);
        EXPECT_EQ(runs.of(patch), expected) << patch;
    }
    EXPECT_EQ(runs.of(1).size(), 4u);
    EXPECT_TRUE(runs.of(2).empty());
    EXPECT_EQ(runs.of(3).size(), 3u);
}
