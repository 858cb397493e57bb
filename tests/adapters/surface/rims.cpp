// Open ends of surfaces: found, measured, put in order, and closed so that the lattice sees what it sees of the closed surface.
// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include "adapters/surface/Rims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace lbm::test {
namespace {

// Without the triangles of some regions; the regions stay.
TriangleMesh without(TriangleMesh mesh, const std::set<std::string>& names)
{
    std::size_t n = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (names.count(mesh.regionNames[mesh.regions[t]])) continue;
        mesh.triangles[n] = mesh.triangles[t];
        mesh.regions[n++] = mesh.regions[t];
    }
    mesh.triangles.resize(n);
    mesh.regions.resize(n);
    return mesh;
}

TriangleMesh duct(const Vec3& min, const Vec3& max) { return without(boxMesh(min, max), {"xMin", "xMax"}); }

// Walls of a prism along z without its ends, turning counter-clockwise: outward normals.
TriangleMesh prism(const std::vector<std::array<double, 2>>& outline, double low, double high)
{
    TriangleMesh mesh;
    mesh.regionNames = {"prism"};
    const int n = int(outline.size());
    for (double z : {low, high})
        for (const auto& p : outline) mesh.points.push_back({p[0], p[1], z});
    for (int i = 0; i < n; ++i) {
        const int j = (i + 1) % n;
        mesh.triangles.push_back({i, j, n + j});
        mesh.triangles.push_back({i, n + j, n + i});
        mesh.regions.insert(mesh.regions.end(), 2, 0);
    }
    return mesh;
}

TriangleMesh tube(double radius, int sides, double low, double high)
{
    std::vector<std::array<double, 2>> outline;
    for (int i = 0; i < sides; ++i)
        outline.push_back({radius * std::cos(2 * pi * i / sides), radius * std::sin(2 * pi * i / sides)});
    return prism(outline, low, high);
}

TriangleMesh closed(TriangleMesh mesh)
{
    const RimList rims = rimsOf(mesh);
    for (std::size_t i = 0; i < rims.all.size(); ++i) closeRim(mesh, rims.all[i], "rim" + std::to_string(i));
    return mesh;
}

void expectNear(const Vec3& a, const Vec3& b, double tolerance)
{
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
}

TEST(Rims, aClosedSurfaceHasNone)
{
    const RimList rims = rimsOf(sphereMesh({0, 0, 0}, 1, 10));
    EXPECT_TRUE(rims.all.empty());
    EXPECT_EQ(rims.strayEdges, 0);
}

TEST(Rims, ofADuct)
{
    const TriangleMesh mesh = duct({1, 2, 3}, {9, 4, 8});
    const RimList rims = rimsOf(mesh);
    ASSERT_EQ(rims.all.size(), 2u);
    // equal areas: the lower x first
    expectNear(rims.all[0].centre, {1, 3, 5.5}, 1e-12);
    expectNear(rims.all[0].normal, {-1, 0, 0}, 1e-12);
    expectNear(rims.all[1].centre, {9, 3, 5.5}, 1e-12);
    expectNear(rims.all[1].normal, {1, 0, 0}, 1e-12);
    for (const Rim& rim : rims.all) {
        EXPECT_NEAR(rim.area, 10, 1e-12);
        EXPECT_NEAR(rim.perimeter, 14, 1e-12);
        EXPECT_NEAR(rim.width(), 40.0 / 14, 1e-12);
        EXPECT_NEAR(rim.deviation, 0, 1e-12);
        EXPECT_NEAR(rim.reach, std::hypot(1, 2.5), 1e-12);
        EXPECT_TRUE(rim.simple && rim.flat());
        EXPECT_EQ(std::max({rim.within, rim.holds, rim.facing}), -1);
    }
    const TriangleMesh caps = closed(mesh);
    EXPECT_TRUE(edgeDefects(caps).none());
    EXPECT_NEAR(volume(caps), 80, 1e-12);
}

// The same whichever way triangles face in the file
TEST(Rims, normalsLeadOutWhateverTheFile)
{
    const RimList rims = rimsOf(flipped(duct({1, 2, 3}, {9, 4, 8})));
    ASSERT_EQ(rims.all.size(), 2u);
    expectNear(rims.all[0].normal, {-1, 0, 0}, 1e-12);
    EXPECT_TRUE(edgeDefects(closed(flipped(duct({1, 2, 3}, {9, 4, 8})))).none());

    TriangleMesh mixed = duct({1, 2, 3}, {9, 4, 8});
    std::swap(mixed.triangles[3][0], mixed.triangles[3][1]);
    ASSERT_EQ(rimsOf(mixed).all.size(), 2u);
    expectNear(rimsOf(mixed).all[1].normal, {1, 0, 0}, 1e-12);
}

TEST(Rims, largestFirst)
{
    TriangleMesh cone = tube(2, 60, 0, 10);
    for (Vec3& p : cone.points)
        if (p[2] > 5) p = {p[0] / 2, p[1] / 2, p[2]};
    TriangleMesh torn = cone;
    torn.triangles.erase(torn.triangles.begin() + 40); // touches one rim with a side: a part of it
    RimList rims = rimsOf(cone);
    ASSERT_EQ(rims.all.size(), 2u);
    expectNear(rims.all[0].normal, {0, 0, -1}, 1e-12);
    EXPECT_NEAR(rims.all[0].radius() / rims.all[1].radius(), 2, 1e-12);
    EXPECT_EQ(rimsOf(torn).all.size(), 2u);

    append(cone, without(octahedronMesh({20, 0, 0}, 0.1), {}));
    cone.triangles.pop_back();
    cone.regions.pop_back();
    rims = rimsOf(cone);
    ASSERT_EQ(rims.all.size(), 3u);
    EXPECT_EQ(rims.all[2].points.size(), 3u);
    EXPECT_EQ(cone.regionNames[rims.all[2].region], "octahedron");
}

// Every order of triangles and of their corners gives the same rims in the same order
TEST(Rims, orderDoesNotDependOnTheFile)
{
    TriangleMesh mesh = turned(duct({1, 2, 3}, {9, 4, 8}), 0.7);
    const RimList rims = rimsOf(mesh);
    std::reverse(mesh.triangles.begin(), mesh.triangles.end());
    for (Int3& t : mesh.triangles) t = {t[1], t[2], t[0]};
    const RimList again = rimsOf(mesh);
    ASSERT_EQ(rims.all.size(), again.all.size());
    for (std::size_t i = 0; i < rims.all.size(); ++i) expectNear(rims.all[i].centre, again.all[i].centre, 1e-12);
}

// Outlines that a fan from the middle, or from any corner, does not fill
TEST(Rims, hollowOutlinesAreFilled)
{
    const std::vector<std::array<double, 2>> comb = {{0, 0}, {7, 0}, {7, 5}, {6, 5}, {6, 1}, {4, 1},
                                                     {4, 5}, {3, 5}, {3, 1}, {1, 1}, {1, 5}, {0, 5}};
    std::vector<std::array<double, 2>> star;
    for (int i = 0; i < 40; ++i) {
        const double r = i % 2 ? 1 : 5;
        star.push_back({r * std::cos(pi * i / 20), r * std::sin(pi * i / 20)});
    }
    // sides of many points on straight lines
    std::vector<std::array<double, 2>> square;
    for (int side = 0; side < 4; ++side)
        for (int i = 0; i < 25; ++i) {
            const double s = i / 25.0, x[4] = {s, 1, 1 - s, 0}, y[4] = {0, s, 1, 1 - s};
            square.push_back({x[side], y[side]});
        }
    for (const auto& outline : {comb, star, square}) {
        double area = 0;
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const auto &p = outline[i], &q = outline[(i + 1) % outline.size()];
            area += (p[0] * q[1] - p[1] * q[0]) / 2;
        }
        const TriangleMesh open = turned(prism(outline, -1, 2), 1.1);
        const RimList rims = rimsOf(open);
        ASSERT_EQ(rims.all.size(), 2u);
        EXPECT_NEAR(rims.all[0].area, area, 1e-9);
        const TriangleMesh caps = closed(open);
        EXPECT_TRUE(edgeDefects(caps).none());
        EXPECT_EQ(caps.triangles.size(), open.triangles.size() + 2 * (outline.size() - 2));
        EXPECT_NEAR(volume(caps), 3 * area, 1e-9);
        double sum = 0; // of the triangles' own areas: they do not overlap
        for (std::size_t t = open.triangles.size(); t < caps.triangles.size(); ++t) {
            const Vec3 &a = caps.points[caps.triangles[t][0]], &b = caps.points[caps.triangles[t][1]],
                       &c = caps.points[caps.triangles[t][2]];
            const Vec3 u{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v{c[0] - a[0], c[1] - a[1], c[2] - a[2]};
            sum += std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
        }
        EXPECT_NEAR(sum, 2 * area, 1e-9);
    }
}

TEST(Rims, manyPoints)
{
    const TriangleMesh open = tube(1, 20000, 0, 1);
    const TriangleMesh caps = closed(open);
    EXPECT_TRUE(edgeDefects(caps).none());
    EXPECT_NEAR(volume(caps), 20000 * std::sin(2 * pi / 20000) / 2, 1e-9);
}

// Two holes in one plane with a common corner are two rims
TEST(Rims, touchingOnesArePulledApart)
{
    TriangleMesh mesh = boxMesh({0, 0, 0}, {4, 4, 4});
    mesh = without(mesh, {"zMax"});
    const int middle = int(mesh.points.size());
    mesh.points.push_back({2, 2, 4});
    // of the lid's four triangles around its middle two opposite ones are there
    mesh.triangles.push_back({4, 5, middle});
    mesh.triangles.push_back({7, 6, middle});
    mesh.regions.insert(mesh.regions.end(), 2, 0);
    const RimList rims = rimsOf(mesh);
    ASSERT_EQ(rims.all.size(), 2u);
    EXPECT_EQ(rims.strayEdges, 0);
    for (const Rim& rim : rims.all) {
        EXPECT_EQ(rim.points.size(), 3u);
        EXPECT_NEAR(rim.area, 4, 1e-12);
        expectNear(rim.normal, {0, 0, 1}, 1e-12);
    }
    EXPECT_NEAR(volume(closed(mesh)), 64, 1e-12);
}

TEST(Rims, nestedAndFacingOnesAreTold)
{
    TriangleMesh mesh = tube(3, 48, 0, 10);
    append(mesh, flipped(tube(1, 24, 0, 10)));
    RimList rims = rimsOf(mesh);
    ASSERT_EQ(rims.all.size(), 4u);
    EXPECT_EQ(rims.all[0].holds, 2);
    EXPECT_EQ(rims.all[2].within, 0);
    EXPECT_EQ(rims.all[1].holds, 3);
    EXPECT_EQ(rims.all[3].within, 1);

    // a cap of its own that does not quite meet the tube
    mesh = tube(3, 48, 0, 10);
    TriangleMesh lid = closed(tube(3, 36, -2, 0));
    lid = without(lid, {"prism", "rim0"});
    append(mesh, lid);
    rims = rimsOf(mesh);
    ASSERT_EQ(rims.all.size(), 3u);
    int facing = 0;
    for (const Rim& rim : rims.all) facing += rim.facing >= 0;
    EXPECT_EQ(facing, 2);
}

TEST(Rims, whatNoCapCloses)
{
    // a saddle is not flat
    TriangleMesh saddle = tube(1, 40, 0, 4);
    for (Vec3& p : saddle.points)
        if (p[2] > 2) p[2] += 0.5 * (p[0] * p[0] - p[1] * p[1]);
    const RimList rims = rimsOf(saddle);
    ASSERT_EQ(rims.all.size(), 2u);
    const bool first = rims.all[0].deviation > 0.1;
    EXPECT_FALSE(rims.all[first ? 0 : 1].flat());
    EXPECT_TRUE(rims.all[first ? 1 : 0].flat());
    EXPECT_NEAR(rims.all[first ? 0 : 1].deviation, 0.5, 1e-12);
    EXPECT_TRUE(edgeDefects(closed(saddle)).none()); // asked for, it is closed all the same

    // an eight crosses itself
    std::vector<std::array<double, 2>> eight;
    for (int i = 0; i < 40; ++i)
        eight.push_back({2 * std::sin(2 * pi * (i + 0.3) / 40), 0.2 + std::sin(4 * pi * (i + 0.3) / 40)});
    for (auto& p : eight) p[1] += 0.3 * p[0] * p[0]; // the lobes differ: some area is left
    TriangleMesh crossed = prism(eight, 0, 1);
    for (std::size_t i = 0; i < crossed.points.size(); ++i) crossed.points[i][0] *= crossed.points[i][0] > 0 ? 1 : 0.5;
    const RimList bad = rimsOf(crossed);
    ASSERT_EQ(bad.all.size(), 2u);
    EXPECT_FALSE(bad.all[0].simple);
    EXPECT_THROW(closeRim(crossed, bad.all[0], "end"), SurfaceError);

    // a slit has no area
    TriangleMesh slit = octahedronMesh({0, 0, 0}, 1);
    const int extra = int(slit.points.size());
    slit.points.push_back({0.5, 0.5, 0});
    for (std::size_t t = 0; t < slit.triangles.size(); ++t) {
        const Vec3 &a = slit.points[slit.triangles[t][0]], &b = slit.points[slit.triangles[t][1]],
                   &c = slit.points[slit.triangles[t][2]];
        if (a[2] + b[2] + c[2] < 0 || a[0] + b[0] + c[0] < 0 || a[1] + b[1] + c[1] < 0) continue;
        // the triangle of the first octant in two, its neighbour below whole
        Int3 corner = slit.triangles[t];
        while (slit.points[corner[2]][2] == 0) corner = {corner[1], corner[2], corner[0]};
        slit.triangles[t] = {corner[0], extra, corner[2]};
        slit.triangles.push_back({extra, corner[1], corner[2]});
        slit.regions.push_back(slit.regions[t]);
        break;
    }
    const RimList thin = rimsOf(slit);
    ASSERT_EQ(thin.all.size(), 1u);
    EXPECT_EQ(thin.all[0].area, 0);
    EXPECT_THROW(closeRim(slit, thin.all[0], "slit"), SurfaceError);
}

// Nodes, links, fractions and patches are those of the surface that was never open.
TEST(Rims, theLatticeSeesTheClosedSurface)
{
    const TriangleMesh whole = turned(boxMesh({3.1, 4.2, 5.3}, {17.7, 13.9, 15.4}), 0.6);
    TriangleMesh open = without(whole, {"xMin", "xMax"});
    open.regionNames = whole.regionNames;
    const RimList rims = rimsOf(open);
    ASSERT_EQ(rims.all.size(), 2u);
    for (const Rim& rim : rims.all) {
        // outward along the turned first axis, or against it
        const Vec3 along = turned({{{1, 0, 0}}, {}, {}, {}}, 0.6).points[0];
        const double side = rim.normal[0] * along[0] + rim.normal[1] * along[1] + rim.normal[2] * along[2];
        EXPECT_NEAR(std::abs(side), 1, 1e-12);
        closeRim(open, rim, side < 0 ? "xMin" : "xMax");
    }
    LatticeBox box = unitBox({30, 30, 30});
    const Bounds b = bounds(whole);
    for (int a = 0; a < 3; ++a) box.origin[a] = std::floor(b.min[a]) - 1;
    const Domain expected = makeDomain(whole, box, d3q27()), found = makeDomain(open, box, d3q27());
    EXPECT_EQ(expected.patches, found.patches);
    ASSERT_EQ(expected.fluidNodes(), found.fluidNodes());
    EXPECT_GT(found.fluidNodes(), 1000);
    ASSERT_EQ(expected.links.size(), found.links.size());
    for (std::size_t i = 0; i < found.links.size(); ++i) {
        EXPECT_EQ(expected.links[i].node, found.links[i].node);
        EXPECT_EQ(expected.links[i].direction, found.links[i].direction);
        EXPECT_EQ(expected.links[i].patch, found.links[i].patch);
        EXPECT_NEAR(expected.links[i].fraction, found.links[i].fraction, 1e-6);
    }
}

} // namespace
} // namespace lbm::test
