// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include <gtest/gtest.h>

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
