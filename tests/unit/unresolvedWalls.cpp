// Which nodes at walls along which the fluid slips the lattice does not resolve. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/api/UnresolvedWalls.hpp"
#include "tests/unit/MassDrift.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lbm::test {
namespace {

constexpr const char* lattice = "D3Q27";
constexpr int size = 16;

// Planes z = 0 of a frame turned about two axes, through a place off the nodes.
struct Plane {
    Vec3 normal; // unit, outward
    double at = 0;

    double inside(const Vec3& x) const
    {
        double along = at;
        for (int a = 0; a < 3; ++a) along -= normal[a] * (x[a] - size / 2.0 - 0.13 * (a + 1));
        return along;
    }
};

Vec3 direction(double polarDegrees, double azimuthDegrees)
{
    const double p = polarDegrees * std::numbers::pi / 180, a = azimuthDegrees * std::numbers::pi / 180;
    return {std::sin(p) * std::cos(a), std::sin(p) * std::sin(a), std::cos(p)};
}

Vec3 reversed(const Vec3& v) { return {-v[0], -v[1], -v[2]}; }

// Shares of nodes with links through these walls where the fluid has to stick. The periodic box's own seams are left out.
double stuckShare(const std::vector<Plane>& planes)
{
    std::vector<std::function<double(const Vec3&)>> sides;
    for (const Plane& plane : planes) sides.push_back([=](const Vec3& x) { return plane.inside(x); });
    const Domain domain = shape({size, size, size}, {true, true, true}, sides);

    std::vector<double> weights(27, 0.0);
    const auto directions = latticeDirections(lattice);
    const auto values = latticeWeights(lattice);
    for (std::size_t q = 0; q < directions.size(); ++q)
        weights[directionCode(directions[q][0], directions[q][1], directions[q][2])] = values[q];
    std::vector<Vec3> normals;
    for (const Link& link : domain.links) normals.push_back(planes[link.patch].normal);

    const auto stuck = unresolvedWalls(domain, weights, normals);
    std::size_t nodes = 0, found = 0;
    for (std::size_t i = 0; i < stuck.size(); ++i) {
        const Int3 x = domain.coordinates(domain.links[i].node);
        const auto [least, most] = std::minmax({x[0], x[1], x[2]});
        if (least < 2 || most > size - 3) continue;
        ++nodes;
        found += stuck[i];
    }
    EXPECT_GT(nodes, 50u);
    return double(found) / double(nodes);
}

// Between a ground whose shear is given, but where nodes stick, and a roof at rest: what the mass of a flow changes by, over that of
// all nodes.
double driftOverAGround(bool inPairs)
{
    const Int3 box{12, 10, 6};
    auto domain = std::make_shared<Domain>();
    domain->size = box;
    domain->dimensions = 3;
    domain->periodic = {true, true, false};
    domain->patches = {"ground", "roof"};
    domain->fluid = BitSet(domain->nodes());
    std::vector<bool> stuck, mirrors;
    std::vector<Vec3> normals;
    for (NodeIndex i = 0; i < domain->nodes(); ++i) {
        const Int3 x = domain->coordinates(i);
        domain->fluid.set(i);
        for (std::uint8_t code = 0; code < 27; ++code) {
            const int to = x[2] + directionOf(code)[2];
            if (to >= 0 && to < box[2]) continue;
            const bool ground = to < 0;
            domain->links.push_back({i, ground ? 0.3f : 0.5f, std::int16_t(!ground), code});
            mirrors.push_back(ground);
            normals.push_back(ground ? Vec3{0, 0, -1} : Vec3{0, 0, 0});
            stuck.push_back(ground && x[0] >= 3 && x[0] < 7 && x[1] >= 2 && x[1] < 6);
        }
    }
    domain->check();
    if (inPairs) stickInPairs(*domain, normals, mirrors, stuck);

    Config config;
    config.tau = 0.53;
    config.patches = {{BoundaryKind::shear, {0, 0, -1}, 1}, {}};
    const auto solver = makeSolver(domain, config);
    std::vector<LinkValue> told;
    for (std::size_t i = 0; i < domain->links.size(); ++i) {
        if (!mirrors[i]) continue;
        told.push_back(config.patches[0]);
        if (!stuck[i]) continue;
        told.back().kind = BoundaryKind::movingWall;
        told.back().velocity = {0.02, 0.01, 0};
    }
    solver->setBoundary(0, told.data(), told.size());
    return massDrift(*solver, *domain);
}

} // namespace

TEST(UnresolvedWalls, PlanesAtAnyAngleAreResolved)
{
    for (double polar = 0; polar <= 90; polar += 7.5)
        for (double azimuth = 0; azimuth <= 45; azimuth += 7.5)
            EXPECT_EQ(stuckShare({{direction(polar, azimuth)}}), 0) << polar << ' ' << azimuth;
}

TEST(UnresolvedWalls, PlanesAtRightAnglesAreResolved)
{
    for (double turn = 0; turn < 90; turn += 9)
        EXPECT_LT(stuckShare({{direction(90, turn), 2}, {direction(90, turn + 90), 2}}), 0.02) << turn;
}

TEST(UnresolvedWalls, FluidSticksInGapsOfANode)
{
    const Vec3 n = direction(60, 20);
    EXPECT_GT(stuckShare({{n, 0.5}, {reversed(n), 0.5}}), 0.9);
    EXPECT_EQ(stuckShare({{n, 3}, {reversed(n), 3}}), 0);
}

TEST(UnresolvedWalls, FluidSticksInTheTipOfAWedge)
{
    const double wide = stuckShare({{direction(90, 20), 1}, {direction(90, 20 + 150), 1}});
    EXPECT_GT(wide, 0);
    EXPECT_LT(wide, 0.7);
}

TEST(UnresolvedWalls, WhereAPlaneSticksInPairsItKeepsMass)
{
    EXPECT_GT(std::abs(driftOverAGround(false)), 1e-5);
    EXPECT_LT(std::abs(driftOverAGround(true)), 1e-13);
}

} // namespace lbm::test
