// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <omp.h>
#include <random>

namespace lbm::test {
namespace {

const std::vector<Int3> axes = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

TriangleMesh twoBoxes()
{
    TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {4.5, 4.5, 4.5});
    append(mesh, boxMesh({6.5, -0.5, -0.5}, {9.5, 4.5, 4.5}));
    return mesh;
}

TEST(SurfacePockets, keepsTheLargestOrTheOneAskedFor)
{
    Domain domain = makeDomain(twoBoxes(), unitBox({10, 5, 5}), d3q27());
    Pockets pockets = keepConnected(domain, d3q27());
    EXPECT_EQ(pockets.regions, 2);
    EXPECT_EQ(pockets.removedNodes, 3 * 5 * 5);
    EXPECT_EQ(domain.fluidNodes(), 5 * 5 * 5);
    EXPECT_EQ(linkFault(domain, d3q27()), "");
    domain.check();

    domain = makeDomain(twoBoxes(), unitBox({10, 5, 5}), d3q27());
    pockets = keepConnected(domain, d3q27(), Vec3{8, 2, 2});
    EXPECT_EQ(pockets.removedNodes, 5 * 5 * 5);
    EXPECT_EQ(domain.fluidNodes(), 3 * 5 * 5);
    EXPECT_TRUE(domain.fluid[domain.index(8, 2, 2)]);

    EXPECT_THROW(keepConnected(domain, d3q27(), Vec3{2, 2, 2}), SurfaceError);
    EXPECT_THROW(keepConnected(domain, d3q27(), Vec3{-5, 2, 2}), SurfaceError);
}

TEST(SurfacePockets, thinWallsSeparate)
{
    TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {9.5, 4.5, 4.5});
    append(mesh, flipped(boxMesh({4.3, -0.5, -0.5}, {4.5, 4.5, 4.5})));
    SurfaceOptions options;
    options.rule = InsideRule::parity;
    Domain domain = makeDomain(mesh, unitBox({10, 5, 5}), d3q27(), options);
    EXPECT_EQ(domain.fluidNodes(), 250);
    EXPECT_EQ(keepConnected(domain, d3q27(), Vec3{1, 1, 1}).removedNodes, 125);
    EXPECT_FALSE(domain.fluid[domain.index(5, 2, 2)]);
}

TEST(SurfacePockets, periodicEndsConnect)
{
    TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {2.5, 4.5, 4.5});
    append(mesh, boxMesh({6.5, -0.5, -0.5}, {9.5, 4.5, 4.5}, {"inner", "end", "yMin", "yMax", "zMin", "zMax"}));
    LatticeBox box = unitBox({10, 5, 5});
    box.periodic[0] = true;
    SurfaceOptions options;
    // the first box's xMin and the second one's end
    options.transparent = {true, false, false, false, false, false, false, true};
    Domain domain = makeDomain(mesh, box, d3q27(), options);
    EXPECT_EQ(linkFault(domain, d3q27()), "");
    EXPECT_EQ(keepConnected(domain, d3q27()).regions, 1);
    EXPECT_EQ(domain.fluidNodes(), 6 * 5 * 5);
}

// Nodes and walls of no thickness by chance: fluid in three of four nodes, three of four links between them cut, from both sides.
Domain randomDomain(const Int3& size, bool repeats, std::mt19937& random)
{
    Domain domain;
    domain.size = size;
    domain.periodic = {repeats, false, repeats};
    domain.fluid = BitSet(domain.nodes());
    domain.patches = {"wall"};
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        if (random() % 4) domain.fluid.set(i);
    const auto chance = [](NodeIndex a, NodeIndex b) { // the same from both ends
        return (std::min(a, b) * 2654435761u ^ std::max(a, b) * 40503u) >> 7 & 3;
    };
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        for (std::uint8_t code = 0; domain.fluid[i] && code < 27; ++code) {
            const NodeIndex next = code == 13 ? i : domain.neighbour(domain.coordinates(i), directionOf(code));
            if (next == i || (next >= 0 && domain.fluid[next] && chance(i, next) == 0)) continue;
            domain.links.push_back({i, 0.5f, 0, code});
        }
    return domain;
}

// Of each fluid node the lowest one that links join it with.
std::vector<NodeIndex> lowestJoined(const Domain& domain, const std::vector<Int3>& directions)
{
    std::vector<NodeIndex> lowest(std::size_t(domain.nodes()), -1), open;
    for (NodeIndex first = 0; first < domain.nodes(); ++first) {
        if (!domain.fluid[first] || lowest[std::size_t(first)] >= 0) continue;
        open = {first};
        lowest[std::size_t(first)] = first;
        while (!open.empty()) {
            const NodeIndex node = open.back();
            open.pop_back();
            for (const Int3& c : directions) {
                const NodeIndex next = domain.neighbour(domain.coordinates(node), c);
                if (next < 0 || !domain.fluid[next] || lowest[std::size_t(next)] >= 0) continue;
                if (findLink(domain, domain.coordinates(node), c)) continue;
                lowest[std::size_t(next)] = first;
                open.push_back(next);
            }
        }
    }
    return lowest;
}

// Runs in rows of several words, whatever their share of the rows: the same regions as node by node.
TEST(SurfacePockets, areThoseOfAFloodFromNodeToNode)
{
    std::mt19937 random(3);
    const int threads = omp_get_max_threads();
    const std::vector<Int3> across = {{0, 0, -1}, {0, -1, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, 0}, {1, 1, 0}};
    for (int turn = 0; turn < 12; ++turn) {
        const Domain before = randomDomain({60 + int(random() % 80), 5, 7}, turn % 2, random);
        const std::vector<Int3> directions = turn % 3 == 0 ? d3q27() : turn % 3 == 1 ? axes : across;
        const std::vector<NodeIndex> expected = lowestJoined(before, directions);
        std::map<NodeIndex, NodeIndex> sizes;
        for (const NodeIndex first : expected)
            if (first >= 0) ++sizes[first];
        Domain after = before;
        omp_set_num_threads(1 + turn % 4);
        const Pockets pockets = keepConnected(after, directions);
        omp_set_num_threads(threads);
        ASSERT_EQ(pockets.regions, std::int64_t(sizes.size()));
        ASSERT_GT(pockets.regions, 1);
        NodeIndex kept = -1;
        for (const Pocket& pocket : pockets.all) {
            EXPECT_EQ(pocket.nodes, sizes.at(pocket.first));
            if (pocket.kept) kept = pocket.first;
        }
        for (NodeIndex i = 0; i < before.nodes(); ++i)
            ASSERT_EQ(after.fluid[i], before.fluid[i] && expected[std::size_t(i)] == kept) << i;
        for (const Link& link : after.links) ASSERT_TRUE(after.fluid[link.node]);
    }
}

// Two regions that touch along a diagonal are one for the lattice, two for cells with faces.
TEST(SurfacePockets, directionsDecide)
{
    TriangleMesh mesh;
    mesh.regionNames = {"wall"};
    const std::vector<std::array<double, 2>> outline = {{-0.5, -0.5}, {1.7, -0.5}, {1.7, 1.3}, {3.5, 1.3},
                                                        {3.5, 3.5},   {1.3, 3.5},  {1.3, 1.7}, {-0.5, 1.7}};
    const int n = int(outline.size());
    for (double z : {-0.5, 1.5})
        for (const auto& p : outline) mesh.points.push_back({p[0], p[1], z});
    auto add = [&](int a, int b, int c) {
        mesh.triangles.push_back({a, b, c});
        mesh.regions.push_back(0);
    };
    for (int i = 0; i < n; ++i) {
        const int j = (i + 1) % n;
        add(i, j, n + j);
        add(i, n + j, n + i);
    }
    for (const Int3& t : {Int3{0, 1, 2}, {0, 2, 7}, {7, 2, 6}, {6, 2, 3}, {6, 3, 4}, {6, 4, 5}}) {
        add(t[0], t[2], t[1]);
        add(n + t[0], n + t[1], n + t[2]);
    }
    // nodes (0..1, 0..1) and (2..3, 2..3), joined by the diagonal from (1, 1) to (2, 2) alone
    Domain diagonal = makeDomain(mesh, unitBox({4, 4, 2}), d3q27());
    EXPECT_EQ(diagonal.fluidNodes(), 16);
    EXPECT_EQ(keepConnected(diagonal, d3q27()).regions, 1);
    Domain faces = makeDomain(mesh, unitBox({4, 4, 2}), axes);
    EXPECT_EQ(keepConnected(faces, axes).regions, 2);
    EXPECT_EQ(faces.fluidNodes(), 8);
}

} // namespace
} // namespace lbm::test
