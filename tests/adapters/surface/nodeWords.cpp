// Flags of nodes by words, beside flags one by one; and what goes by words around open surfaces in rows of several words.
// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include "adapters/surface/NodeWords.hpp"

#include <gtest/gtest.h>

#include <random>

namespace lbm::test {
namespace {

using exact::NodeWord;

// Of runs of many lengths: words that are full, empty and mixed.
BitSet randomRuns(std::int64_t n, std::mt19937& random)
{
    BitSet bits(n);
    for (std::int64_t at = 0; at < n;) {
        const std::int64_t length = std::min<std::int64_t>(n - at, 1 + random() % (random() % 2 ? 5 : 150));
        if (random() % 2) bits.setIn(at, length);
        at += length;
    }
    return bits;
}

TEST(NodeWords, readAndWriteWhatFlagsSay)
{
    std::mt19937 random(1);
    const std::int64_t n = 500;
    for (int turn = 0; turn < 50; ++turn) {
        BitSet bits = randomRuns(n, random);
        const std::int64_t first = std::int64_t(random() % (n + 100)) - 70;
        const NodeWord word = exact::wordAt(bits, first);
        for (int i = 0; i < exact::nodesOfWord; ++i) {
            const std::int64_t at = first + i;
            ASSERT_EQ(word >> i & 1, at >= 0 && at < n && bits[at] ? 1u : 0u) << first << " " << i;
        }
        NodeWord again = 0;
        exact::forRuns(word, [&](int begin, int length) {
            ASSERT_GT(length, 0);
            for (int i = begin; i < begin + length; ++i) again |= NodeWord(1) << i;
            ASSERT_TRUE(begin + length == exact::nodesOfWord || !(word >> (begin + length) & 1));
        });
        EXPECT_EQ(again, word);

        const int some = 1 + int(random() % exact::nodesOfWord);
        const std::int64_t to = std::int64_t(random() % (n - exact::nodesOfWord));
        const BitSet before = bits, source = randomRuns(n, random);
        exact::putWord(bits, to, some, exact::wordAt(source, to));
        for (std::int64_t i = 0; i < n; ++i)
            ASSERT_EQ(bits[i], i >= to && i < to + some ? source[i] : before[i])
                << i << " of " << some << " from " << to;
    }
}

TriangleMesh shreddedSphere(const Vec3& centre, double radius, std::mt19937& random)
{
    TriangleMesh mesh = sphereMesh(centre, radius, 7);
    for (std::size_t t = mesh.triangles.size(); t-- > 0;) {
        if (random() % 100 >= 45) continue;
        mesh.triangles.erase(mesh.triangles.begin() + std::ptrdiff_t(t));
        mesh.regions.erase(mesh.regions.begin() + std::ptrdiff_t(t));
    }
    return mesh;
}

// Fluid ends at faces across holes, far from triangles, in every shape: no link of the nodes there may be missed.
TEST(NodeWords, fluidEndsInLinksAcrossWideHoles)
{
    std::mt19937 random(2);
    for (int turn = 0; turn < 16; ++turn) {
        const bool outside = turn % 2;
        LatticeBox box = unitBox({65 + int(random() % 40), 19, 18});
        TriangleMesh mesh = shreddedSphere({44.3 + int(random() % 12), 9.2, 8.6}, 7.3, random);
        SurfaceOptions options;
        options.rule = InsideRule::windingNumber;
        if (outside) {
            options.enclosure = std::int64_t(mesh.triangles.size());
            appendBox(mesh, {-0.4, -0.4, -0.4}, {box.size[0] - 0.6, 18.4, 17.4}, {"a", "a", "b", "b", "c", "c"});
        }
        SurfaceFacts facts;
        const Domain domain = makeDomain(mesh, box, d3q27(), options, &facts);
        EXPECT_GT(facts.capLinks, 50);
        EXPECT_EQ(linkFault(domain, d3q27()), "") << "turn " << turn;
    }
}

// Of the enclosure and what it holds each node is as it lies.
TEST(NodeWords, enclosuresEndWithinWords)
{
    const LatticeBox box = unitBox({131, 9, 8});
    TriangleMesh mesh = octahedronMesh({66.2, 4.1, 3.9}, 2.4);
    SurfaceOptions options;
    options.rule = InsideRule::windingNumber;
    options.enclosure = std::int64_t(mesh.triangles.size());
    const Vec3 low{2.5, 1.5, 0.5}, high{129.5, 7.5, 6.5};
    appendBox(mesh, low, high, {"a", "a", "b", "b", "c", "c"});
    const Domain domain = makeDomain(mesh, box, d3q27(), options);
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        const Vec3 p = position(domain, node);
        bool within = true;
        double away = 0;
        for (int a = 0; a < 3; ++a) {
            within = within && p[a] > low[a] && p[a] < high[a];
            away += std::abs(p[a] - Vec3{66.2, 4.1, 3.9}[a]);
        }
        ASSERT_EQ(domain.fluid[node], within && away > 2.4) << p[0] << " " << p[1] << " " << p[2];
    }
    EXPECT_EQ(linkFault(domain, d3q27()), "");
}

} // namespace
} // namespace lbm::test
