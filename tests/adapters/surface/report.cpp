// The report's figures against surfaces made to have them.
// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include "adapters/surface/GeometryReport.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

void remove(TriangleMesh& mesh, std::size_t t)
{
    mesh.triangles.erase(mesh.triangles.begin() + t);
    mesh.regions.erase(mesh.regions.begin() + t);
}

TEST(GeometryReport, countsOfDefects)
{
    TriangleMesh mesh = sphereMesh({12, 12, 12}, 9.3, 20);
    for (int i = 0; i < 5; ++i) std::swap(mesh.triangles[40 * i + 7][0], mesh.triangles[40 * i + 7][1]);
    for (int i = 0; i < 4; ++i) {
        mesh.triangles.push_back(mesh.triangles[3 * i]);
        mesh.regions.push_back(0);
    }
    mesh.triangles.push_back({5, 5, 9});
    mesh.regions.push_back(0);
    remove(mesh, 500);
    append(mesh, octahedronMesh({12, 12, 12}, 3)); // a cavity
    const std::int64_t n = std::int64_t(mesh.triangles.size());

    const GeometryReport r = geometryReport(mesh, unitBox({25, 25, 25}), {});
    EXPECT_EQ(r.triangles, n);
    EXPECT_EQ(r.regions, 2);
    EXPECT_EQ(r.flipped, 5);
    EXPECT_EQ(r.misorientedEdges, 15);
    EXPECT_EQ(r.repeated, 4);
    EXPECT_EQ(r.degenerate, 1);
    EXPECT_EQ(r.openEdges, 3);
    EXPECT_EQ(r.branchEdges, 0);
    EXPECT_EQ(r.crossingPairs, 0);
    EXPECT_EQ(r.shells, 2);
    EXPECT_EQ(r.closedShells, 1);
    EXPECT_EQ(r.bodies, 1);
    EXPECT_EQ(r.cavities, 1);
    EXPECT_EQ(r.sheets, 0);
    EXPECT_TRUE(r.facts.byWindingNumber);
    EXPECT_EQ(r.pockets.regions, 1);
    EXPECT_TRUE(r.regionsWithoutLink.empty());
    EXPECT_TRUE(r.defects[7] & Topology::flipped);
    EXPECT_FALSE(r.defects[8] & Topology::flipped);
}

TEST(GeometryReport, branchesOpenAndInsideOut)
{
    // two cubes that share an edge, and a third one turned inside out, without a lid
    TriangleMesh mesh = boxMesh({0.5, 0.5, 0.5}, {5.5, 5.5, 9.5});
    append(mesh, boxMesh({5.5, 5.5, 0.5}, {9.5, 9.5, 9.5}));
    append(mesh, flipped(boxMesh({12.5, 0.5, 0.5}, {18.5, 9.5, 9.5})));
    remove(mesh, 24 + 10);
    const GeometryReport r = geometryReport(mesh, unitBox({20, 11, 11}), {});
    EXPECT_EQ(r.branchEdges, 1);
    EXPECT_EQ(r.openEdges, 3);
    EXPECT_EQ(r.shells, 3);
    EXPECT_EQ(r.bodies, 3);
    EXPECT_EQ(r.insideOut, 1);
}

TEST(GeometryReport, crossings)
{
    // one needle through the middle of a face, far from its edges
    TriangleMesh mesh = boxMesh({2.5, 2.5, 2.5}, {12.5, 12.5, 12.5});
    TriangleMesh needle;
    needle.points = {{4.1, 7.2, 10}, {4.9, 7.2, 10}, {4.5, 7.9, 10}, {4.5, 7.4, 16}};
    needle.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    needle.regions.assign(4, 0);
    needle.regionNames = {"needle"};
    append(mesh, needle);
    const GeometryReport r = geometryReport(mesh, unitBox({15, 15, 18}), {});
    EXPECT_EQ(r.crossingPairs, 3);
    EXPECT_EQ(r.crossingTriangles, 4);
    EXPECT_EQ(r.facts.why, "closed shells that overlap or touch");
}

TEST(GeometryReport, volumeAndArea)
{
    const double radius = 15.3;
    const TriangleMesh mesh = sphereMesh({20.2, 20.3, 20.4}, radius, 80);
    const GeometryReport r = geometryReport(mesh, unitBox({41, 41, 41}), {});
    EXPECT_NEAR(r.area, 4 * pi * radius * radius, 0.002 * r.area);
    EXPECT_NEAR(r.volume, 4 * pi / 3 * std::pow(radius, 3), 0.002 * r.volume);
    EXPECT_NEAR(r.fluidVolume, r.volume, 0.01 * r.volume);
    EXPECT_DOUBLE_EQ(r.expectedFluidVolume, r.volume);
    EXPECT_NEAR(r.wettedArea, r.area, 0.02 * r.area);

    // a plane oblique to all directions
    const TriangleMesh brick = turned(boxMesh({-15, -12, -9}, {15, 12, 9}), 0.7);
    LatticeBox box = unitBox({44, 44, 44});
    box.origin = {-21.4, -21.3, -21.2};
    const GeometryReport b = geometryReport(brick, box, {});
    EXPECT_NEAR(b.area, 2 * (30 * 24 + 24 * 18 + 18 * 30), 1e-6);
    EXPECT_NEAR(b.volume, 30 * 24 * 18, 1e-6);
    EXPECT_NEAR(b.fluidVolume, b.volume, 0.02 * b.volume);
    EXPECT_NEAR(b.wettedArea, b.area, 0.03 * b.area);
    EXPECT_NEAR(b.expectedWettedArea, b.area, 0.01 * b.area);
}

// The volume is that with the hole closed, wherever the origin is; links across it are no part of the area.
TEST(GeometryReport, boxWithoutLid)
{
    for (double far : {0.0, 1000.0}) {
        TriangleMesh mesh = boxMesh({far + 2.5, 2.5, 2.5}, {far + 12.5, 12.5, 42.5});
        remove(mesh, 11);
        remove(mesh, 10); // zMax
        LatticeBox box = unitBox({15, 15, 46});
        box.origin = {far, 0, 0};
        const GeometryReport r = geometryReport(mesh, box, {});
        EXPECT_EQ(r.openEdges, 4);
        EXPECT_EQ(r.bodies, 1);
        EXPECT_NEAR(r.volume, 10 * 10 * 40, 1e-6);
        EXPECT_DOUBLE_EQ(r.fluidVolume, 10 * 10 * 40);
        EXPECT_NEAR(r.area, 10 * 10 + 4 * 10 * 40, 1e-6);
        EXPECT_NEAR(r.expectedWettedArea, r.area, 0.01 * r.area);
        EXPECT_NEAR(r.wettedArea, r.area, 0.05 * r.area);
        EXPECT_NE(reportText(r).find("holes as if closed by flat faces"), std::string::npos);
    }
}

// Two blocks side by side on the ground: fluid meets neither what they stand on nor where they touch.
TEST(GeometryReport, blocksOnTheGround)
{
    TriangleMesh mesh = boxMesh({10, 10, 0}, {30, 30, 20});
    append(mesh, boxMesh({30, 12, 0}, {50, 28, 20}));
    SurfaceOptions options;
    options.enclosure = std::int64_t(mesh.triangles.size());
    appendBox(mesh, {0, 0, 0}, {60, 40, 40}, {"a", "b", "c", "d", "ground", "f"});
    LatticeBox box = unitBox({60, 40, 40});
    box.origin = {0.5, 0.5, 0.5};
    const GeometryReport r = geometryReport(mesh, box, options);
    const double wetted = 5 * 20 * 20 - 16 * 20 + 2 * 20 * 20 + 16 * 20 + 16 * 20;
    EXPECT_DOUBLE_EQ(r.enclosureVolume, 60 * 40 * 40);
    EXPECT_DOUBLE_EQ(r.fluidVolume, r.enclosureVolume - 20 * 20 * 20 - 20 * 16 * 20);
    EXPECT_DOUBLE_EQ(r.area, 6 * 20 * 20 + 4 * 16 * 20 + 2 * 20 * 20);
    EXPECT_NEAR(r.expectedWettedArea, wetted, 0.01 * wetted);
    EXPECT_NEAR(r.wettedArea, wetted, 0.03 * wetted);
    EXPECT_NE(reportText(r).find("body volume         14400 m3, by the surface 14400 m3 (+0 %)"), std::string::npos)
        << reportText(r);
}

// A box with a slab in it: gaps of 3 and 6.5 on its sides, a wall of 0.5.
TEST(GeometryReport, gapsAndWalls)
{
    TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {9.5, 20.5, 20.5});
    append(mesh, boxMesh({2.5, 2.5, 2.5}, {3, 17.5, 17.5}));
    const GeometryReport r = geometryReport(mesh, unitBox({10, 21, 21}), {});
    EXPECT_FALSE(r.facts.byWindingNumber);
    EXPECT_NEAR(r.gap.least, 3, 1e-5);
    EXPECT_NEAR(r.wall.least, 0.5, 1e-5);
    EXPECT_EQ(r.gap.belowTwo, 0);
    // the two large sides of the slab, of two triangles each
    EXPECT_EQ(r.wall.belowOne, 4);
    EXPECT_EQ(r.wall.belowTwo, 4);
    EXPECT_NEAR(r.wall.shareBelowOne, 2 * 15 * 15 / r.area, 1e-6);
    EXPECT_NEAR(r.gaps[12], 3, 1e-5);   // the slab's lower side
    EXPECT_NEAR(r.gaps[14], 6.5, 1e-5); // its upper one
    EXPECT_NEAR(r.walls[12], 0.5, 1e-5);
    // one side lies on nodes, which are solid: no link passes but along its edges
    EXPECT_EQ(r.facts.thinWallLinks, 0);
    EXPECT_GT(r.facts.bulgeLinks, 0);
    // half the spacing makes the gap of 3 one of 6
    EXPECT_GT(r.refinements[0].shareOfNarrow, GeometryReport::allowedShare);
    EXPECT_DOUBLE_EQ(r.recommendedSpacing, 0.5);
}

TEST(GeometryReport, pocketsAndRegionsWithoutLink)
{
    TriangleMesh mesh = boxMesh({-0.5, -0.5, -0.5}, {9.5, 9.5, 9.5});
    append(mesh, boxMesh({11.5, 2.5, 3.5}, {13.5, 4.5, 5.5}, {"p", "p", "p", "p", "p", "p"}));
    append(mesh, boxMesh({11.1, 8.1, 8.1}, {11.9, 8.9, 8.9}, {"lost", "lost", "lost", "lost", "lost", "lost"}));
    const GeometryReport r = geometryReport(mesh, unitBox({15, 10, 10}), {});
    ASSERT_EQ(r.pockets.all.size(), 2u);
    EXPECT_TRUE(r.pockets.all[0].kept);
    EXPECT_EQ(r.pockets.all[0].nodes, 1000);
    EXPECT_FALSE(r.pockets.all[1].kept);
    EXPECT_EQ(r.pockets.all[1].nodes, 8);
    EXPECT_EQ(r.pockets.all[1].first, 12 + 15 * (3 + 10 * 4));
    EXPECT_EQ(r.regionsWithoutLink, std::vector<std::string>{"lost"});
    EXPECT_EQ(r.fluidNodes, 1000);
    EXPECT_DOUBLE_EQ(r.fluidVolume, 1008);

    const std::string text = reportText(r), json = reportJson(r);
    EXPECT_NE(text.find("no link             meets region lost"), std::string::npos) << text;
    EXPECT_NE(text.find("removed             8 nodes, one at (12 3 4)"), std::string::npos) << text;
    EXPECT_NE(json.find("\"regionsWithoutLink\": [\n      \"lost\"\n    ]"), std::string::npos) << json;
}

TEST(GeometryReport, bestPlaceOfTheTiles)
{
    // 16 x 8 x 8 nodes would fill whole tiles, were it not for one node before them, at x = 4: a grid that
    // begins 7 nodes before it has its second tiles at x = 5
    TriangleMesh mesh = boxMesh({4.5, -0.5, -0.5}, {20.5, 7.5, 7.5});
    append(mesh, boxMesh({3.5, 2.5, 2.5}, {4.4, 3.5, 3.5}));
    const Domain domain = makeDomain(mesh, unitBox({22, 8, 8}), d3q27());
    ASSERT_EQ(domain.fluidNodes(), 16 * 8 * 8 + 1);
    const TileChoice best = bestTileOffset(domain, {8, 4, 4});
    EXPECT_EQ(best.offset, (Int3{7, 0, 0}));
    EXPECT_EQ(best.tiles, 2 * 2 * 2 + 1);
    EXPECT_EQ(best.tilesWithoutOffset, 3 * 2 * 2);
    EXPECT_DOUBLE_EQ(best.porosity, 1025.0 / (9 * 128));
    EXPECT_DOUBLE_EQ(best.porosityWithoutOffset, 1025.0 / (12 * 128));
}

} // namespace
} // namespace lbm::test
