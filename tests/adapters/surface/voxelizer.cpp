// Insides, fractions and regions against analysis and against plain arithmetic.
// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lbm::test {
namespace {

bool identical(const Domain& a, const Domain& b)
{
    if (a.size != b.size || a.links.size() != b.links.size() || a.patches != b.patches) return false;
    for (NodeIndex i = 0; i < a.nodes(); ++i)
        if (a.fluid[i] != b.fluid[i]) return false;
    for (std::size_t i = 0; i < a.links.size(); ++i) {
        const Link& p = a.links[i];
        const Link& q = b.links[i];
        if (p.node != q.node || p.fraction != q.fraction || p.patch != q.patch || p.direction != q.direction)
            return false;
    }
    return true;
}

// Every node and link against the winding number and a loop over all triangles.
void comparePlain(const TriangleMesh& mesh, const LatticeBox& box)
{
    const Domain domain = makeDomain(mesh, box, d3q27());
    EXPECT_EQ(linkFault(domain, d3q27()), "");
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        const Vec3 p = position(domain, node);
        ASSERT_EQ(domain.fluid[node], windingNumber(mesh, p) > 0.5) << "node " << node;
        if (!domain.fluid[node]) continue;
        for (const Int3& c : d3q27()) {
            const Link* link = findLink(domain, domain.coordinates(node), c);
            const double h = box.spacing;
            const double plain = nearestCrossing(mesh, p, {c[0] * h, c[1] * h, c[2] * h});
            ASSERT_EQ(link != nullptr, plain <= 1) << "node " << node;
            ASSERT_NEAR(link ? link->fraction : 2, plain, 1e-6) << "node " << node;
        }
    }
}

TEST(SurfaceVoxelizer, rotatedBoxAgreesWithPlainArithmetic)
{
    LatticeBox box = unitBox({20, 20, 20});
    box.origin = {-9.7, -9.6, -9.5};
    comparePlain(turned(boxMesh({-6, -4, -3}, {6, 4, 3}), 0.7), box);
}

TEST(SurfaceVoxelizer, torusAgreesWithPlainArithmetic)
{
    LatticeBox box = unitBox({21, 21, 9});
    box.origin = {-10.1, -10.05, -4.02};
    comparePlain(turned(torusMesh({0, 0, 0}, 6.5, 2.5, 24), 0.3), box);
}

TEST(SurfaceVoxelizer, coarseSphereInSmallSpacingAgreesWithPlainArithmetic)
{
    LatticeBox box;
    box.spacing = 0.0123;
    box.origin = {100 - 0.11, -50 - 0.11, 0.003 - 0.11};
    box.size = {19, 19, 19};
    comparePlain(sphereMesh({100, -50, 0.003}, 0.1, 9), box);
}

TEST(SurfaceVoxelizer, sphereVolumeAndFractions)
{
    const double radius = 15.3;
    const int rings = 150;
    const Vec3 centre{20.2, 20.3, 20.4};
    const Domain domain = makeDomain(sphereMesh(centre, radius, rings), unitBox({41, 41, 41}), d3q27());
    const double volume = 4 * pi / 3 * radius * radius * radius;
    EXPECT_NEAR(double(domain.fluidNodes()), volume, 0.01 * volume);
    EXPECT_EQ(linkFault(domain, d3q27()), "");

    // facets lie inside the sphere by at most their sagitta
    const double sagitta = radius * (1 - std::cos(pi / rings));
    for (const Link& link : domain.links) {
        const Vec3 p = position(domain, link.node);
        const Int3 c = directionOf(link.direction);
        double r = 0;
        for (int a = 0; a < 3; ++a) r += std::pow(p[a] + link.fraction * c[a] - centre[a], 2);
        ASSERT_NEAR(std::sqrt(r), radius - sagitta, 1.01 * sagitta + 1e-5);
    }
}

TEST(SurfaceVoxelizer, torusVolume)
{
    const Domain domain = makeDomain(torusMesh({24.1, 24.2, 9.3}, 16, 7, 120), unitBox({49, 49, 19}), d3q27());
    const double volume = 2 * pi * pi * 16 * 7 * 7;
    EXPECT_NEAR(double(domain.fluidNodes()), volume, 0.01 * volume);
}

TEST(SurfaceVoxelizer, boxSidesThroughNodesAreSolid)
{
    SurfaceFacts facts;
    const Domain domain = makeDomain(boxMesh({0, 0, 0}, {8, 8, 8}), unitBox({9, 9, 9}), d3q27(), {}, &facts);
    EXPECT_EQ(domain.fluidNodes(), 7 * 7 * 7);
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        const Int3 c = domain.coordinates(node);
        ASSERT_EQ(domain.fluid[node],
                  *std::min_element(c.begin(), c.end()) > 0 && *std::max_element(c.begin(), c.end()) < 8);
    }
    EXPECT_EQ(linkFault(domain, d3q27()), "");
    for (const Link& link : domain.links) ASSERT_EQ(link.fraction, 1);
    EXPECT_GT(facts.nodesOnSurface, 0);
    EXPECT_EQ(facts.guessedLinks, 0);
}

TEST(SurfaceVoxelizer, boxSidesBetweenNodes)
{
    for (double shift : {0.5, 0.25, 1.0 / 1024}) {
        const Domain domain = makeDomain(boxMesh({-shift, -shift, -shift}, {8 - shift, 8 - shift, 8 - shift}),
                                         unitBox({8, 8, 8}), d3q27());
        ASSERT_EQ(domain.fluidNodes(), 8 * 8 * 8);
        ASSERT_EQ(linkFault(domain, d3q27()), "");
        for (const Link& link : domain.links) {
            // the nearest of the sides that the link heads for
            const Int3 at = domain.coordinates(link.node), c = directionOf(link.direction);
            double nearest = 2;
            for (int a = 0; a < 3; ++a) {
                if (c[a] < 0) nearest = std::min(nearest, at[a] + shift);
                if (c[a] > 0) nearest = std::min(nearest, 8 - shift - at[a]);
            }
            ASSERT_FLOAT_EQ(link.fraction, float(nearest));
        }
    }
}

// Corners, edges and diagonals all run through nodes and along links.
TEST(SurfaceVoxelizer, octahedronWithCornersOnNodes)
{
    for (const Vec3& centre : {Vec3{8, 8, 8}, Vec3{8.5, 8, 8.5}}) {
        const Domain domain = makeDomain(octahedronMesh(centre, 6), unitBox({17, 17, 17}), d3q27());
        auto norm = [&](const Vec3& p) {
            return std::abs(p[0] - centre[0]) + std::abs(p[1] - centre[1]) + std::abs(p[2] - centre[2]);
        };
        for (NodeIndex node = 0; node < domain.nodes(); ++node)
            ASSERT_EQ(domain.fluid[node], norm(position(domain, node)) < 6) << node;
        EXPECT_EQ(linkFault(domain, d3q27()), "");
        for (const Link& link : domain.links) {
            Vec3 p = position(domain, link.node);
            const Int3 c = directionOf(link.direction);
            for (int a = 0; a < 3; ++a) p[a] += link.fraction * c[a];
            ASSERT_NEAR(norm(p), 6, 1e-6);
        }
    }
}

TEST(SurfaceVoxelizer, outsideOfTheOctahedronWithCornersOnNodes)
{
    TriangleMesh mesh = octahedronMesh({8, 8, 8}, 6);
    appendBox(mesh, {-0.5, -0.5, -0.5}, {16.5, 16.5, 16.5}, {"far", "far", "far", "far", "far", "far"});
    const Domain domain = makeDomain(mesh, unitBox({17, 17, 17}), d3q27());
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        const Int3 c = domain.coordinates(node);
        ASSERT_EQ(domain.fluid[node], std::abs(c[0] - 8) + std::abs(c[1] - 8) + std::abs(c[2] - 8) > 6);
    }
    EXPECT_EQ(linkFault(domain, d3q27()), "");
}

TEST(SurfaceVoxelizer, movingSurfaceAndLatticeTogetherChangesNothing)
{
    const TriangleMesh mesh = turned(boxMesh({-6, -4, -3}, {6, 4, 3}), 0.7);
    LatticeBox box = unitBox({20, 20, 20});
    box.origin = {-9.7, -9.6, -9.5};
    const Domain reference = makeDomain(mesh, box, d3q27());
    for (const Vec3& step : {Vec3{1.0 / 3, -2.0 / 7, 5.0 / 11}, Vec3{1e3, -2e3, 3e3}}) {
        LatticeBox there = box;
        for (int a = 0; a < 3; ++a) there.origin[a] += step[a];
        const Domain domain = makeDomain(moved(mesh,
                                               [&](const Vec3& p) {
                                                   return Vec3{p[0] + step[0], p[1] + step[1], p[2] + step[2]};
                                               }),
                                         there, d3q27());
        ASSERT_EQ(domain.links.size(), reference.links.size());
        for (std::size_t i = 0; i < domain.links.size(); ++i) {
            ASSERT_EQ(domain.links[i].node, reference.links[i].node);
            ASSERT_EQ(domain.links[i].patch, reference.links[i].patch);
            ASSERT_NEAR(domain.links[i].fraction, reference.links[i].fraction, 1e-6);
        }
    }
}

TEST(SurfaceVoxelizer, volumeHardlyChangesWhenTheSurfaceMovesByFractions)
{
    for (int i = 0; i < 8; ++i) {
        const double s = i / 8.0;
        const Domain domain =
            makeDomain(sphereMesh({14 + s, 14 + s * s, 14 - s / 3}, 11.7, 60), unitBox({29, 29, 29}), d3q27());
        const double volume = 4 * pi / 3 * std::pow(11.7, 3);
        EXPECT_NEAR(double(domain.fluidNodes()), volume, 0.015 * volume) << s;
    }
}

TEST(SurfaceVoxelizer, linksTellTheRegionTheyCross)
{
    const Domain domain = makeDomain(boxMesh({-0.5, -0.5, -0.5}, {5.5, 6.5, 7.5}), unitBox({6, 7, 8}), d3q27());
    ASSERT_EQ(domain.patches, (std::vector<std::string>{"xMin", "xMax", "yMin", "yMax", "zMin", "zMax"}));
    for (const Link& link : domain.links) {
        // every side it might cross heads the same way and is met at the node's distance
        const Int3 at = domain.coordinates(link.node), c = directionOf(link.direction);
        const int axis = link.patch / 2, side = link.patch % 2 ? 1 : -1;
        EXPECT_EQ(c[axis], side);
        EXPECT_EQ(at[axis], side > 0 ? domain.size[axis] - 1 : 0);
    }
    EXPECT_EQ(findLink(domain, {5, 3, 3}, {1, 0, 0})->patch, 1);
    EXPECT_EQ(findLink(domain, {3, 0, 3}, {0, -1, 0})->patch, 2);
    EXPECT_EQ(findLink(domain, {3, 3, 7}, {-1, 0, 1})->patch, 5);
}

TEST(SurfaceVoxelizer, preferredRegionTakesLinksIntoItsEdges)
{
    const TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {5.5, 5.5, 5.5});
    TriangleMesh backwards = mesh;
    std::reverse(backwards.triangles.begin(), backwards.triangles.end());
    std::reverse(backwards.regions.begin(), backwards.regions.end());
    for (int chosen : {1, 3}) { // xMax, yMax
        SurfaceOptions options;
        options.preferred.assign(6, false);
        options.preferred[chosen] = true;
        for (const TriangleMesh& m : {mesh, backwards}) {
            const Domain domain = makeDomain(m, unitBox({6, 6, 6}), d3q27(), options);
            // along the edge of xMax and yMax, where both are met half-way
            for (int z = 0; z < 6; ++z) EXPECT_EQ(findLink(domain, {5, 5, z}, {1, 1, 0})->patch, chosen);
            // and one that only passes near it
            EXPECT_EQ(findLink(domain, {5, 4, 3}, {1, 1, 0})->patch, 1);
            EXPECT_EQ(findLink(domain, {4, 5, 3}, {1, 1, 0})->patch, 3);
            EXPECT_EQ(linkFault(domain, d3q27()), "");
        }
    }
}

TEST(SurfaceVoxelizer, nearestOfTwoWallsCounts)
{
    // a slab of a fifth of a spacing between the nodes 4 and 5
    TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {9.5, 5.5, 5.5});
    append(mesh,
           flipped(boxMesh({4.3, -0.25, -0.25}, {4.5, 5.25, 5.25}, {"left", "right", "rim", "rim", "rim", "rim"})));
    SurfaceFacts facts;
    const Domain domain = makeDomain(mesh, unitBox({10, 6, 6}), d3q27(), {}, &facts);
    EXPECT_EQ(domain.fluidNodes(), 10 * 6 * 6);
    EXPECT_EQ(linkFault(domain, d3q27()), "");
    const Link* fromLeft = findLink(domain, {4, 3, 3}, {1, 0, 0});
    const Link* fromRight = findLink(domain, {5, 3, 3}, {-1, 0, 0});
    ASSERT_TRUE(fromLeft && fromRight);
    EXPECT_FLOAT_EQ(fromLeft->fraction, 0.3f);
    EXPECT_EQ(domain.patches[fromLeft->patch], "left");
    EXPECT_FLOAT_EQ(fromRight->fraction, 0.5f);
    EXPECT_EQ(domain.patches[fromRight->patch], "right");
    EXPECT_GT(facts.thinWallLinks, 2 * 36);
}

// Its poles and rims reach between nodes, and it is thick everywhere
TEST(SurfaceVoxelizer, sphereHasNoThinWall)
{
    TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {19.5, 19.5, 19.5});
    append(mesh, flipped(sphereMesh({9.6, 9.4, 9.55}, 5.02, 40)));
    SurfaceFacts facts;
    makeDomain(mesh, unitBox({20, 20, 20}), d3q27(), {}, &facts);
    EXPECT_EQ(facts.thinWallLinks, 0);
    EXPECT_GT(facts.bulgeLinks, 0);
}

TEST(SurfaceVoxelizer, eachSideOfABaffleHasItsOwnRegion)
{
    TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {9.5, 5.5, 5.5});
    TriangleMesh sheet;
    sheet.points = {{4.5, -0.5, -0.5}, {4.5, 5.5, -0.5}, {4.5, 5.5, 5.5}, {4.5, -0.5, 5.5}};
    sheet.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}}; // cut along different diagonals
    sheet.regions = {1, 1, 0, 0};
    sheet.regionNames = {"front", "back"};
    append(mesh, sheet);
    SurfaceOptions options;
    options.rule = InsideRule::parity;
    const Domain domain = makeDomain(mesh, unitBox({10, 6, 6}), d3q27(), options);
    EXPECT_EQ(domain.fluidNodes(), 10 * 6 * 6);
    EXPECT_EQ(linkFault(domain, d3q27()), "");
    for (int y = 0; y < 6; ++y) {
        for (int z = 0; z < 6; ++z) {
            // normals point out of the fluid: along +x on the side of node 4
            ASSERT_EQ(domain.patches[findLink(domain, {4, y, z}, {1, 0, 0})->patch], "front");
            ASSERT_EQ(domain.patches[findLink(domain, {5, y, z}, {-1, 0, 0})->patch], "back");
        }
    }
}

TEST(SurfaceVoxelizer, threadsAndOrderOfTrianglesDoNotMatter)
{
    const TriangleMesh mesh = turned(torusMesh({0, 0, 0}, 12.5, 5.5, 60), 0.4);
    const LatticeBox box = boxAround(mesh, 37);
    SurfaceOptions one, four;
    one.threads = 1;
    four.threads = 4;
    const Domain first = makeDomain(mesh, box, d3q27(), one);
    EXPECT_TRUE(identical(first, makeDomain(mesh, box, d3q27(), four)));
    TriangleMesh backwards = mesh;
    std::reverse(backwards.triangles.begin(), backwards.triangles.end());
    EXPECT_TRUE(identical(first, makeDomain(backwards, box, d3q27())));
}

TEST(SurfaceVoxelizer, orientationDoesNotMatter)
{
    const TriangleMesh mesh = turned(boxMesh({-6, -4, -3}, {6, 4, 3}), 0.7);
    const LatticeBox box = boxAround(mesh, 20);
    EXPECT_TRUE(identical(makeDomain(mesh, box, d3q27()), makeDomain(flipped(mesh), box, d3q27())));
}

// A duct with a wavy roof, `periods` long; period 8, sides along x at -0.5 and 8 periods - 0.5.
TriangleMesh wavyDuct(int periods)
{
    std::vector<std::array<double, 2>> outline = {{-0.5, -0.5}, {8 * periods - 0.5, -0.5}};
    const std::vector<std::array<double, 2>> wave = {{7.5, 5.3}, {6.2, 3.1}, {5.0, 6.4}, {2.3, 2.7}};
    for (int p = periods - 1; p >= 0; --p)
        for (const auto& corner : wave) outline.push_back({corner[0] + 8 * p, corner[1]});
    outline.push_back({-0.5, 5.3});
    const int n = int(outline.size());

    TriangleMesh mesh;
    for (double z : {-0.5, 4.5})
        for (const auto& corner : outline) mesh.points.push_back({corner[0], corner[1], z});
    mesh.regionNames = {"wall", "ends", "sides"};
    auto add = [&](int a, int b, int c, int region) {
        mesh.triangles.push_back({a, b, c});
        mesh.regions.push_back(std::int16_t(region));
    };
    for (int i = 0; i < n; ++i) {
        const int j = (i + 1) % n, region = i == 1 || i == n - 1 ? 1 : 0;
        add(i, j, n + j, region);
        add(i, n + j, n + i, region);
    }
    // sides: strips between floor and roof; the floor's corners fan to both ends of the roof
    for (int side = 0; side < 2; ++side) {
        auto fan = [&](int a, int b, int c) { side ? add(n + a, n + b, n + c, 2) : add(a, c, b, 2); };
        for (int i = 2; i + 1 < n; ++i) fan(0, i, i + 1);
        fan(0, 1, 2);
    }
    return mesh;
}

TEST(SurfaceVoxelizer, linksMeetWallsBehindAPeriodicEnd)
{
    SurfaceOptions options;
    options.transparent = {false, true, true};
    LatticeBox box = unitBox({8, 8, 5});
    box.periodic = {true, false, true};
    const Domain one = makeDomain(wavyDuct(1), box, d3q27(), options);
    EXPECT_EQ(linkFault(one, d3q27()), "");

    LatticeBox longBox = unitBox({24, 8, 5});
    longBox.periodic = {true, false, true};
    const Domain three = makeDomain(wavyDuct(3), longBox, d3q27(), options);
    EXPECT_EQ(three.fluidNodes(), 3 * one.fluidNodes());
    EXPECT_EQ(three.links.size(), 3 * one.links.size());
    for (const Link& link : one.links) {
        EXPECT_EQ(link.patch, 0);
        Int3 at = one.coordinates(link.node);
        at[0] += 8;
        const Link* same = findLink(three, at, directionOf(link.direction));
        ASSERT_TRUE(same);
        EXPECT_NEAR(same->fraction, link.fraction, 1e-6);
    }
}

TEST(SurfaceVoxelizer, twoDimensions)
{
    LatticeBox box = unitBox({7, 5, 1});
    SurfaceOptions options;
    options.transparent = {false, false, false, false, true, true};
    const Domain domain = makeDomain(boxMesh({-0.5, -0.5, -0.5}, {6.5, 4.5, 0.5}), box, d2q9(), options);
    EXPECT_EQ(domain.dimensions, 2);
    EXPECT_EQ(domain.fluidNodes(), 35);
    EXPECT_EQ(linkFault(domain, d2q9()), "");
    const std::vector<std::int64_t> links = linksPerPatch(domain);
    EXPECT_EQ(links[4] + links[5], 0);
    EXPECT_EQ(links[0] + links[1] + links[2] + links[3], 2 * 3 * (7 + 5) - 4);
    EXPECT_THROW(makeDomain(boxMesh({-0.5, -0.5, -0.5}, {6.5, 4.5, 1.5}), unitBox({7, 5, 2}), d2q9()),
                 std::invalid_argument);
}

TEST(SurfaceVoxelizer, insidePointChoosesTheSide)
{
    TriangleMesh mesh = sphereMesh({8, 8, 8}, 5.2, 20);
    SurfaceOptions options;
    options.insidePoint = Vec3{8, 8, 8};
    const Domain inside = makeDomain(mesh, unitBox({17, 17, 17}), d3q27(), options);
    EXPECT_TRUE(inside.fluid[inside.index(8, 8, 8)]);

    options.insidePoint = Vec3{1, 1, 1};
    LatticeBox periodic = unitBox({17, 17, 17});
    periodic.periodic = {true, true, true};
    const Domain outside = makeDomain(mesh, periodic, d3q27(), options);
    EXPECT_EQ(outside.fluidNodes() + inside.fluidNodes(), 17 * 17 * 17);
    EXPECT_EQ(linkFault(outside, d3q27()), "");

    try {
        makeDomain(mesh, unitBox({17, 17, 17}), d3q27(), options);
        FAIL() << "fluid that leaves the box was accepted";
    } catch (const SurfaceError& e) {
        EXPECT_NE(std::string(e.what()).find("end of the lattice's box"), std::string::npos) << e.what();
    }
    options.insidePoint = Vec3{80, 1, 1};
    EXPECT_THROW(makeDomain(mesh, periodic, d3q27(), options), SurfaceError);
}

TEST(SurfaceVoxelizer, refusesWhatIsNotClosed)
{
    TriangleMesh mesh = boxMesh({0, 0, 0}, {1, 1, 1});
    EXPECT_TRUE(edgeDefects(mesh).none());
    TriangleMesh cornersApart = mesh;
    cornersApart.points.clear();
    for (Int3& t : cornersApart.triangles) {
        for (int& corner : t) {
            cornersApart.points.push_back(mesh.points[corner]);
            corner = int(cornersApart.points.size()) - 1;
        }
    }
    EXPECT_TRUE(edgeDefects(cornersApart).none());

    TriangleMesh open = mesh;
    open.triangles.pop_back();
    open.regions.pop_back();
    EXPECT_EQ(edgeDefects(open).open, 3);
    SurfaceOptions options;
    options.name = "vessel.stl";
    options.rule = InsideRule::exact;
    try {
        makeDomain(open, boxAround(open, 4), d3q27(), options);
        FAIL() << "an open box was accepted";
    } catch (const SurfaceError& e) {
        const std::string what = e.what();
        EXPECT_NE(what.find("vessel.stl is not closed: 3 open edges"), std::string::npos) << what;
        EXPECT_NE(what.find("triangle 0, from (0 0 1) to (0 1 1)"), std::string::npos) << what;
    }

    std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);
    EXPECT_EQ(edgeDefects(mesh).misoriented, 3);
    EXPECT_THROW(requireClosed(mesh, "box"), SurfaceError);
}

TEST(SurfaceVoxelizer, refusesBadArguments)
{
    const TriangleMesh mesh = boxMesh({0.1, 0.1, 0.1}, {0.4, 0.4, 0.4});
    EXPECT_THROW(makeDomain(TriangleMesh(), unitBox({4, 4, 4}), d3q27()), SurfaceError);
    EXPECT_THROW(makeDomain(mesh, unitBox({4, 0, 4}), d3q27()), std::invalid_argument);
    EXPECT_THROW(makeDomain(mesh, unitBox({4, 4, 4}), {{0, 0, 0}}), std::invalid_argument);
    EXPECT_THROW(makeDomain(mesh, unitBox({4, 4, 4}), {{0, 2, 0}}), std::invalid_argument);
    LatticeBox flat = unitBox({4, 4, 4});
    flat.spacing = 0;
    EXPECT_THROW(makeDomain(mesh, flat, d3q27()), std::invalid_argument);
    // between the nodes
    EXPECT_THROW(makeDomain(mesh, unitBox({4, 4, 4}), d3q27()), SurfaceError);
    // too far for exact arithmetic
    EXPECT_THROW(makeDomain(boxMesh({-0.5, -0.5, -0.5}, {1e9, 3.5, 3.5}), unitBox({4, 4, 4}), d3q27()), SurfaceError);
}

// Ground far wider than the box that holds the fluid: all nodes and links of a lattice around both are those of the box's own.
void compareBeyondTheBox(TriangleMesh ground)
{
    SurfaceOptions options;
    options.enclosure = std::int64_t(ground.triangles.size());
    appendBox(ground, {-0.4, -0.4, -0.4}, {11.4, 9.4, 7.4}, {"a", "b", "c", "d", "e", "f"});
    const Bounds fluid = fluidBounds(ground, options);
    EXPECT_EQ(fluid.min, (Vec3{-0.4, -0.4, -0.4}));
    EXPECT_EQ(fluid.max, (Vec3{11.4, 9.4, 7.4}));
    EXPECT_LT(bounds(ground).min[0], fluid.min[0] - 5);

    LatticeBox wide = unitBox({32, 30, 28});
    const Int3 shift = {10, 10, 10};
    for (int a = 0; a < 3; ++a) wide.origin[a] = -shift[a];
    const Domain own = makeDomain(ground, unitBox({12, 10, 8}), d3q27(), options),
                 around = makeDomain(ground, wide, d3q27(), options);
    ASSERT_EQ(own.fluidNodes(), around.fluidNodes());
    ASSERT_EQ(own.links.size(), around.links.size());
    EXPECT_GT(own.fluidNodes(), 400);
    EXPECT_LT(own.fluidNodes(), 900);
    for (std::size_t i = 0; i < own.links.size(); ++i) {
        const Link &a = own.links[i], &b = around.links[i];
        const Int3 x = own.coordinates(a.node);
        ASSERT_EQ(around.coordinates(b.node), (Int3{x[0] + shift[0], x[1] + shift[1], x[2] + shift[2]}));
        ASSERT_EQ(a.direction, b.direction);
        ASSERT_EQ(a.patch, b.patch);
        ASSERT_NEAR(a.fraction, b.fraction, 1e-6);
    }
}

TEST(SurfaceVoxelizer, groundBeyondTheBoxChangesNothing)
{
    const TriangleMesh slab = moved(boxMesh({-9, -9, -9}, {20, 18, 2.7}), [](const Vec3& p) {
        return Vec3{p[0], p[1], p[2] + 0.11 * p[0] - 0.07 * p[1]};
    });
    compareBeyondTheBox(slab);
    // An open sheet of ground, without an underside, by the winding number
    TriangleMesh open = slab;
    open.triangles.resize(open.triangles.size() - 1);
    open.regions.resize(open.triangles.size());
    compareBeyondTheBox(open);
}

TEST(SurfaceVoxelizer, roundedSpacingsGetNoFurtherNode)
{
    EXPECT_EQ(nodesAlong(2.5, 0.0833333), 30);
    EXPECT_EQ(nodesAlong(7, 0.0833333), 84);
    EXPECT_EQ(nodesAlong(2.5, 0.0834), 30);
    EXPECT_EQ(nodesAlong(2.5, 0.0833), 31);
    EXPECT_EQ(nodesAlong(-2.5, 0.0833333), -30);
}

TEST(SurfaceVoxelizer, boxAroundFillsTheBounds)
{
    const LatticeBox box = boxAround(boxMesh({1, 2, 3}, {2, 2.5, 3.26}), 100);
    EXPECT_EQ(box.size, (Int3{100, 50, 26}));
    EXPECT_DOUBLE_EQ(box.spacing, 0.01);
    EXPECT_NEAR(box.origin[0], 1.005, 1e-12);
    EXPECT_NEAR(box.origin[1], 2.005, 1e-12);
    EXPECT_NEAR(box.origin[2], 3.005, 1e-12);
}

} // namespace
} // namespace lbm::test
