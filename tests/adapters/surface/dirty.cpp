// Surfaces that are not closed, overlap or repeat themselves, with known insides.
// Part of lbmFoam, GPL-3.0-or-later.
#include "meshes.hpp"

#include "adapters/surface/Topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace lbm::test {
namespace {

using Inside = std::function<bool(const Vec3&)>;

double distance(const Vec3& a, const Vec3& b)
{
    return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2));
}

void removeTriangle(TriangleMesh& mesh, std::size_t t)
{
    mesh.triangles.erase(mesh.triangles.begin() + t);
    mesh.regions.erase(mesh.regions.begin() + t);
}

void repeatTriangle(TriangleMesh& mesh, std::size_t t, bool turned)
{
    Int3 corners = mesh.triangles[t];
    if (turned) std::swap(corners[0], corners[1]);
    mesh.triangles.push_back(corners);
    mesh.regions.push_back(mesh.regions[t]);
}

// Every node as `inside` says, but for those nearer to the surface than `skin`, of which it says nothing.
void expectInside(const Domain& domain, const Inside& inside, const std::function<double(const Vec3&)>& depth = nullptr,
                  double skin = 0)
{
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        const Vec3 p = position(domain, node);
        if (depth && std::abs(depth(p)) < skin) continue;
        ASSERT_EQ(domain.fluid[node], inside(p)) << p[0] << " " << p[1] << " " << p[2];
    }
    EXPECT_EQ(linkFault(domain, d3q27()), "");
}

const Vec3 centre{15.3, 15.2, 15.4};
constexpr double radius = 11.6;
constexpr int rings = 24;

TriangleMesh sphere() { return sphereMesh(centre, radius, rings); }
LatticeBox sphereBox() { return unitBox({31, 31, 31}); }

// The closed sphere's nodes are the expected ones.
void expectAsClosed(const TriangleMesh& dirty, const TriangleMesh& closed, const LatticeBox& box)
{
    SurfaceFacts facts;
    const Domain domain = makeDomain(dirty, box, d3q27(), {}, &facts);
    EXPECT_TRUE(facts.byWindingNumber);
    EXPECT_NE(facts.why, "");
    const Domain expected = makeDomain(closed, box, d3q27());
    for (NodeIndex node = 0; node < domain.nodes(); ++node)
        ASSERT_EQ(domain.fluid[node], expected.fluid[node]) << "node " << node;
    EXPECT_EQ(linkFault(domain, d3q27()), "");
}

TEST(DirtySurface, closedOneTakesTheExactPath)
{
    SurfaceFacts facts;
    makeDomain(sphere(), sphereBox(), d3q27(), {}, &facts);
    EXPECT_FALSE(facts.byWindingNumber);
    EXPECT_EQ(facts.why, "");
}

TEST(DirtySurface, windingNumberGivesWhatParityGives)
{
    const TriangleMesh mesh = turned(torusMesh({0, 0, 0}, 6.5, 2.5, 24), 0.3);
    LatticeBox box = unitBox({21, 21, 9});
    box.origin = {-10.1, -10.05, -4.02};
    SurfaceOptions options;
    options.rule = InsideRule::windingNumber;
    const Domain domain = makeDomain(mesh, box, d3q27(), options);
    const Domain exact = makeDomain(mesh, box, d3q27());
    ASSERT_EQ(domain.links.size(), exact.links.size());
    for (NodeIndex node = 0; node < domain.nodes(); ++node) ASSERT_EQ(domain.fluid[node], exact.fluid[node]);
}

TEST(DirtySurface, sphereWithAMissingTriangle)
{
    for (std::size_t missing : {std::size_t(3), std::size_t(500), sphere().triangles.size() - 1}) {
        TriangleMesh mesh = sphere();
        removeTriangle(mesh, missing);
        EXPECT_EQ(topologyOf(mesh).openEdges, 3);
        expectAsClosed(mesh, sphere(), sphereBox());
    }
}

TEST(DirtySurface, sphereWithATenthOfItsTrianglesFlipped)
{
    TriangleMesh mesh = sphere();
    std::mt19937 random(5);
    std::vector<int> order(mesh.triangles.size());
    for (std::size_t t = 0; t < order.size(); ++t) order[t] = int(t);
    std::shuffle(order.begin(), order.end(), random);
    const std::size_t n = order.size() / 10;
    for (std::size_t i = 0; i < n; ++i) std::swap(mesh.triangles[order[i]][1], mesh.triangles[order[i]][2]);
    const Topology topology = topologyOf(mesh);
    EXPECT_EQ(topology.count(Topology::flipped), std::int64_t(n));
    for (std::size_t i = 0; i < order.size(); ++i)
        ASSERT_EQ(bool(topology.defects[order[i]] & Topology::flipped), i < n);
    expectAsClosed(mesh, sphere(), sphereBox());
}

TEST(DirtySurface, repeatedAndDegenerateTriangles)
{
    TriangleMesh mesh = sphere();
    for (std::size_t t = 0; t < 300; ++t) repeatTriangle(mesh, 3 * t, t % 2);
    for (int i = 0; i < 7; ++i) {
        mesh.triangles.push_back({10 + i, 10 + i, 40});
        mesh.regions.push_back(0);
    }
    const Topology topology = topologyOf(mesh);
    EXPECT_EQ(topology.count(Topology::repeated), 300);
    EXPECT_EQ(topology.count(Topology::degenerate), 7);
    EXPECT_EQ(topology.openEdges + topology.branchEdges + topology.misorientedEdges, 0);
    EXPECT_EQ(topology.shells.size(), 1u);
    expectAsClosed(mesh, sphere(), sphereBox());
}

// Links through a crack take the wall where it would be without.
TEST(DirtySurface, linksThroughACrackMeetTheWallBesideIt)
{
    TriangleMesh mesh = boxMesh({0.3, 0.3, 0.3}, {8.7, 8.6, 8.8});
    const auto top = std::find(mesh.regionNames.begin(), mesh.regionNames.end(), "yMax") - mesh.regionNames.begin();
    for (std::size_t t = mesh.triangles.size(); t-- > 0;)
        if (mesh.regions[t] == top) removeTriangle(mesh, t);
    for (const auto& [from, to] : {std::pair(0.3, 3.9), std::pair(4.1, 8.7)}) {
        const int first = int(mesh.points.size());
        for (const Vec3& p : {Vec3{from, 8.6, 0.3}, Vec3{from, 8.6, 8.8}, Vec3{to, 8.6, 8.8}, Vec3{to, 8.6, 0.3}})
            mesh.points.push_back(p);
        for (const Int3& corners : {Int3{first, first + 1, first + 2}, Int3{first, first + 2, first + 3}}) {
            mesh.triangles.push_back(corners);
            mesh.regions.push_back(std::int16_t(top));
        }
    }
    SurfaceOptions options;
    options.rule = InsideRule::parity;
    SurfaceFacts facts;
    const Domain domain = makeDomain(mesh, unitBox({10, 10, 10}), d3q27(), options, &facts);
    EXPECT_GE(facts.guessedLinks, 8);
    for (int z = 1; z <= 8; ++z)
        for (int dz : {-1, 0, 1}) {
            if (z + dz < 1 || z + dz > 8) continue;
            const Link* link = findLink(domain, {4, 8, z}, {0, 1, dz});
            ASSERT_TRUE(link) << "z = " << z;
            EXPECT_NEAR(link->fraction, 0.6, 1e-6) << "z = " << z << ", dz = " << dz;
            EXPECT_EQ(link->patch, top);
        }
}

TEST(DirtySurface, wholeSurfaceTwice)
{
    TriangleMesh mesh = sphere();
    append(mesh, sphere());
    expectAsClosed(mesh, sphere(), sphereBox());
}

TEST(DirtySurface, orientationOfWholeShellsDoesNotMatter)
{
    TriangleMesh mesh = sphere();
    removeTriangle(mesh, 77);
    expectAsClosed(flipped(mesh), sphere(), sphereBox());
}

TEST(DirtySurface, overlappingSpheresUnite)
{
    const Vec3 other{24.1, 17.2, 13.9};
    TriangleMesh mesh = sphere();
    append(mesh, sphereMesh(other, 7.3, 20));
    const LatticeBox box = unitBox({35, 31, 31});
    SurfaceFacts facts;
    const Domain domain = makeDomain(mesh, box, d3q27(), {}, &facts);
    EXPECT_EQ(facts.why, "closed shells that overlap or touch");
    const Domain a = makeDomain(sphere(), box, d3q27()), b = makeDomain(sphereMesh(other, 7.3, 20), box, d3q27());
    for (NodeIndex node = 0; node < domain.nodes(); ++node)
        ASSERT_EQ(domain.fluid[node], a.fluid[node] || b.fluid[node]) << "node " << node;
    EXPECT_EQ(linkFault(domain, d3q27()), "");
    // nothing divides the two
    EXPECT_GT(facts.unitedLinks, 0);
    Domain whole = domain;
    EXPECT_EQ(keepConnected(whole, d3q27()).regions, 1);
}

TEST(DirtySurface, nestedShellsAlternateWhateverTheirOrientation)
{
    for (int orientation : {0, 2, 5}) {
        TriangleMesh mesh;
        const double radii[3] = {13.3, 9.7, 5.2};
        for (int i = 0; i < 3; ++i) {
            const TriangleMesh shell = sphereMesh(centre, radii[i], rings);
            append(mesh, orientation >> i & 1 ? flipped(shell) : shell);
        }
        const TriangleMesh closed = mesh;
        removeTriangle(mesh, mesh.triangles.size() - 40);
        removeTriangle(mesh, mesh.triangles.size() / 2);
        removeTriangle(mesh, 40);
        expectAsClosed(mesh, closed, sphereBox());
    }
}

TEST(DirtySurface, slitThinnerThanACell)
{
    // a cube with a wedge cut out, 0.4 wide where it begins, on a plane of nodes and beside it; the top is missing
    for (double at : {8.0, 8.5}) {
        TriangleMesh mesh = boxMesh({2.5, 2.5, 2.5}, {at - 0.2, 13.5, 13.5});
        append(mesh, boxMesh({at + 0.2, 2.5, 2.5}, {13.5, 13.5, 13.5}));
        removeTriangle(mesh, 1);
        const Domain domain = makeDomain(mesh, unitBox({17, 17, 17}), d3q27());
        expectInside(domain, [&](const Vec3& p) {
            bool in = std::abs(p[0] - at) > 0.2;
            for (double x : p) in = in && x > 2.5 && x < 13.5;
            return in;
        });
    }
}

// Vertices and edges on nodes, a face missing: its plane is the edge of the fluid.
TEST(DirtySurface, cornersOnNodes)
{
    TriangleMesh mesh = octahedronMesh({8, 8, 8}, 6);
    repeatTriangle(mesh, 2, true);
    std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);
    expectInside(makeDomain(mesh, unitBox({17, 17, 17}), d3q27()),
                 [](const Vec3& p) { return std::abs(p[0] - 8) + std::abs(p[1] - 8) + std::abs(p[2] - 8) < 6; });

    removeTriangle(mesh, 8);
    removeTriangle(mesh, 0);
    SurfaceFacts facts;
    const Domain domain = makeDomain(mesh, unitBox({17, 17, 17}), d3q27(), {}, &facts);
    // near the hole's plane the number passes one half on a face that bulges
    auto depth = [](const Vec3& p) { return 6 - std::abs(p[0] - 8) - std::abs(p[1] - 8) - std::abs(p[2] - 8); };
    expectInside(
        domain, [&](const Vec3& p) { return depth(p) > 0; }, depth, 3.5);
    EXPECT_GT(facts.capLinks, 0);
}

TEST(DirtySurface, openBoxEndsAtItsOpening)
{
    TriangleMesh mesh = boxMesh({2.5, 2.5, 2.5}, {13.5, 13.5, 10.5});
    removeTriangle(mesh, 11);
    removeTriangle(mesh, 10); // zMax
    SurfaceFacts facts;
    const Domain domain = makeDomain(mesh, unitBox({17, 17, 17}), d3q27(), {}, &facts);
    // one half is passed exactly in the plane of the missing side
    expectInside(domain, [](const Vec3& p) {
        return p[0] > 2.5 && p[0] < 13.5 && p[1] > 2.5 && p[1] < 13.5 && p[2] > 2.5 && p[2] < 10.5;
    });
    EXPECT_GT(facts.capLinks, 0);
    for (int x = 5; x < 12; ++x) {
        const Link* link = findLink(domain, {x, 8, 10}, {0, 0, 1});
        ASSERT_TRUE(link);
        EXPECT_NEAR(link->fraction, 0.5, 0.1);
    }
}

TEST(DirtySurface, aroundABodyThatStandsOnTheEnclosure)
{
    TriangleMesh mesh = sphereMesh({10.2, 10.3, 2.1}, 5.3, 20); // half under the floor
    removeTriangle(mesh, 900);
    SurfaceOptions options;
    options.enclosure = std::int64_t(mesh.triangles.size());
    append(mesh, boxMesh({-0.5, -0.5, 0.5}, {20.5, 20.5, 14.5}));
    LatticeBox box = unitBox({21, 21, 19});
    box.origin = {0, 0, -4};
    const Domain domain = makeDomain(mesh, box, d3q27(), options);
    const Domain body = makeDomain(sphereMesh({10.2, 10.3, 2.1}, 5.3, 20), box, d3q27());
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        const double z = position(domain, node)[2];
        ASSERT_EQ(domain.fluid[node], z > 0.5 && z < 14.5 && !body.fluid[node]) << "node " << node;
    }
    EXPECT_EQ(linkFault(domain, d3q27()), "");
}

// A body with every defect at once.
TriangleMesh wreck()
{
    TriangleMesh mesh = turned(sphereMesh({0, 0, 0}, 7.4, 16), 0.4);
    append(mesh, turned(boxMesh({-3, 2, -4}, {4, 9.1, 3}), 0.2));
    append(mesh, flipped(turned(torusMesh({-3, -5, 0}, 4.5, 1.7, 16), 1.1)));
    std::mt19937 random(7);
    for (int i = 0; i < 40; ++i) removeTriangle(mesh, random() % mesh.triangles.size());
    for (int i = 0; i < 40; ++i) repeatTriangle(mesh, random() % mesh.triangles.size(), i % 2);
    for (int i = 0; i < 30; ++i) std::swap(mesh.triangles[random() % mesh.triangles.size()][0], mesh.triangles[i][1]);
    return mesh;
}

TEST(DirtySurface, quarterTurnsAndWholeStepsMoveTheNodesAlong)
{
    const int n = 29;
    const TriangleMesh mesh = wreck();
    const double middle = (n - 1) / 2.0 + 1.0 / 8;
    auto place = [&](const Vec3& p, const Int3& axis, const Int3& sense, const Int3& step) {
        Vec3 q;
        for (int a = 0; a < 3; ++a) q[a] = middle + sense[a] * p[axis[a]] + step[a];
        return q;
    };
    const Int3 same{0, 1, 2};
    const Domain reference = makeDomain(moved(mesh,
                                              [&](const Vec3& p) {
                                                  return place(p, same, {1, 1, 1}, {0, 0, 0});
                                              }),
                                        unitBox({n, n, n}), d3q27());
    EXPECT_GT(reference.fluidNodes(), 1000);

    struct Case {
        Int3 axis, sense, step;
    };
    const Case cases[] = {{{0, 1, 2}, {1, 1, 1}, {2, -1, 1}},  {{1, 0, 2}, {1, -1, 1}, {0, 0, 0}},
                          {{2, 1, 0}, {1, 1, -1}, {0, 0, 0}},  {{1, 2, 0}, {1, 1, 1}, {0, 0, 0}},
                          {{0, 1, 2}, {-1, -1, 1}, {0, 0, 0}}, {{2, 0, 1}, {1, 1, 1}, {1, 2, -2}}};
    for (const Case& c : cases) {
        // the node that the middle of the box goes to is off by the part of `middle` between nodes
        LatticeBox box = unitBox({n, n, n});
        for (int a = 0; a < 3; ++a) box.origin[a] = c.sense[a] > 0 ? 0 : 0.25;
        const Domain domain =
            makeDomain(moved(mesh, [&](const Vec3& p) { return place(p, c.axis, c.sense, c.step); }), box, d3q27());
        std::int64_t compared = 0;
        for (NodeIndex node = 0; node < domain.nodes(); ++node) {
            const Int3 at = domain.coordinates(node);
            Int3 from;
            for (int a = 0; a < 3; ++a) {
                const int shifted = at[a] - c.step[a];
                from[c.axis[a]] = c.sense[a] > 0 ? shifted : n - 1 - shifted;
            }
            if (*std::min_element(from.begin(), from.end()) < 0 || *std::max_element(from.begin(), from.end()) >= n)
                continue;
            ASSERT_EQ(domain.fluid[node], reference.fluid[reference.index(from[0], from[1], from[2])])
                << "node " << node;
            ++compared;
        }
        EXPECT_GT(compared, n * n * n / 2);
    }
}

TEST(DirtySurface, volumeHardlyChangesWhenTheSurfaceMovesByFractions)
{
    const TriangleMesh mesh = wreck();
    std::vector<double> volumes;
    for (int i = 0; i < 6; ++i) {
        const double s = i / 6.0;
        volumes.push_back(double(makeDomain(moved(mesh,
                                                  [&](const Vec3& p) {
                                                      return Vec3{14 + p[0] + s, 14 + p[1] + s * s, 14 + p[2] - s / 3};
                                                  }),
                                            unitBox({29, 29, 29}), d3q27())
                                     .fluidNodes()));
    }
    const auto ends = std::minmax_element(volumes.begin(), volumes.end());
    EXPECT_LT(*ends.second - *ends.first, 0.03 * *ends.first);
}

TEST(DirtySurface, threadsDoNotMatter)
{
    const TriangleMesh mesh = wreck();
    const LatticeBox box = boxAround(mesh, 40);
    SurfaceOptions one, four;
    one.threads = 1;
    four.threads = 4;
    const Domain a = makeDomain(mesh, box, d3q27(), one), b = makeDomain(mesh, box, d3q27(), four);
    ASSERT_EQ(a.links.size(), b.links.size());
    for (NodeIndex node = 0; node < a.nodes(); ++node) ASSERT_EQ(a.fluid[node], b.fluid[node]);
    for (std::size_t i = 0; i < a.links.size(); ++i) {
        ASSERT_EQ(a.links[i].node, b.links[i].node);
        ASSERT_EQ(a.links[i].fraction, b.links[i].fraction);
        ASSERT_EQ(a.links[i].patch, b.links[i].patch);
    }
}

} // namespace
} // namespace lbm::test
