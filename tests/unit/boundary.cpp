// Boundaries of the reference: flows that each of them must leave as they are, and what they impose.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Reference.hpp"

#include <gtest/gtest.h>

using namespace lbm;
using reference::Reference;

namespace {

struct Combination {
    const char *lattice, *equilibrium;
};

// A duct along x: inlet, outlet, and sides, each a patch of its own. Links through an edge are the sides' or
// the ends'.
Domain duct(const std::string& lattice, bool edgesAreSides = true)
{
    Domain d;
    const bool flat = lattice == "D2Q9";
    d.dimensions = flat ? 2 : 3;
    d.size = flat ? Int3{6, 4, 1} : Int3{6, 4, 3};
    d.periodic = {false, false, true};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"inlet", "outlet", "sides"};
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code), x = d.coordinates(i);
            if ((flat && c[2]) || d.neighbour(x, c) >= 0) continue;
            const bool end = x[0] + c[0] < 0 || x[0] + c[0] >= d.size[0];
            const bool side = (x[1] + c[1] < 0 || x[1] + c[1] >= d.size[1]) && (edgesAreSides || !end);
            d.links.push_back({i, 0.5f, std::int16_t(side ? 2 : c[0] > 0 ? 1 : 0), code});
        }
    d.check();
    return d;
}

std::vector<LinkValue> normals(const Domain& d, int patch)
{
    std::vector<LinkValue> values;
    for (const Link& link : d.links)
        if (link.patch == patch)
            values.push_back({BoundaryKind::slip, {0, directionOf(link.direction)[1] > 0 ? 1.0 : -1.0, 0}, 1});
    return values;
}

// Of the lattice's direction c; 0: it has none.
double weightAlong(const Reference& r, const Int3& c)
{
    for (int q = 0; q < r.lattice().size(); ++q)
        if (r.lattice().c[q] == std::array<int, 3>{c[0], c[1], c[2]}) return r.lattice().w[q];
    return 0;
}

// A box whose lid, a patch of its own, moves. Whole: twice as long, its halves move towards each other. Half: with a plane of symmetry
// in the middle.
Domain lidTowardsItsImage(const std::string& lattice, bool whole)
{
    Domain d;
    const bool flat = lattice == "D2Q9";
    const int half = 7;
    d.dimensions = flat ? 2 : 3;
    d.size = {whole ? 2 * half : half, 6, flat ? 1 : 3};
    d.periodic = {false, false, true};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"walls", "lid", "plane", "middle", "image"};
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code), x = d.coordinates(i);
            if ((flat && c[2]) || d.neighbour(x, c) >= 0) continue;
            const double meets = x[0] + 0.5 * c[0] - (half - 0.5);
            int patch = 0;
            if (!whole && x[0] + c[0] == half) patch = 2;
            else if (x[1] + c[1] == d.size[1] && x[0] + c[0] >= 0 && x[0] + c[0] < d.size[0])
                patch = meets < 0 ? 1 : meets > 0 ? 4 : 3;
            d.links.push_back({i, 0.5f, std::int16_t(patch), code});
        }
    d.check();
    return d;
}

} // namespace

class BoundaryTest : public testing::TestWithParam<Combination> {
protected:
    Config config() const
    {
        Config c;
        c.lattice = GetParam().lattice;
        c.equilibrium = GetParam().equilibrium;
        c.tau = 0.8;
        c.patches.resize(3);
        return c;
    }

    void expectUniform(const Reference& r, const Domain& d, double density, const Vec3& u)
    {
        for (NodeIndex i = 0; i < d.nodes(); ++i) {
            const auto state = r.state(i);
            ASSERT_NEAR(state.density, density, 1e-13);
            for (int a = 0; a < 3; ++a) ASSERT_NEAR(state.velocity[a], u[a], 1e-13);
        }
    }

    // A plug flow through the duct must go on for ever, whatever completes the populations at its ends.
    void expectPlugFlow(const LinkValue& inlet, const LinkValue& outlet, double density = 1)
    {
        for (bool edgesAreSides : {true, false}) expectPlugFlow(inlet, outlet, density, edgesAreSides);
    }

    void expectPlugFlow(const LinkValue& inlet, const LinkValue& outlet, double density, bool edgesAreSides)
    {
        const Domain d = duct(GetParam().lattice, edgesAreSides);
        Config c = config();
        c.patches[0] = inlet;
        c.patches[1] = outlet;
        c.patches[2].kind = BoundaryKind::slip;
        Reference r(d, c);
        r.setBoundary(2, normals(d, 2));
        for (NodeIndex i = 0; i < d.nodes(); ++i) r.initialise(i, {density, u, {}});
        r.advance(20);
        expectUniform(r, d, density, u);
    }

    const Vec3 u{0.04, 0, 0};
    double rho() const { return std::string(GetParam().equilibrium) == "incompressible" ? 1 : 1.03; }
};

TEST_P(BoundaryTest, restStaysAtRest)
{
    for (BoundaryKind kind :
         {BoundaryKind::wall, BoundaryKind::movingWall, BoundaryKind::velocity, BoundaryKind::pressure,
          BoundaryKind::pressureVelocity, BoundaryKind::outflow, BoundaryKind::slip}) {
        const Domain d = duct(GetParam().lattice);
        Config c = config();
        for (LinkValue& value : c.patches) value.kind = kind;
        Reference r(d, c);
        r.advance(10);
        expectUniform(r, d, 1, {0, 0, 0});
    }
}

TEST_P(BoundaryTest, plugFlowVelocityToPressure)
{
    expectPlugFlow({BoundaryKind::velocity, u, 1}, {BoundaryKind::pressure, {0, 0, 0}, rho()}, rho());
}

TEST_P(BoundaryTest, plugFlowPressureAndVelocityToOutflow)
{
    expectPlugFlow({BoundaryKind::pressureVelocity, u, rho()}, {BoundaryKind::outflow, {0, 0, 0}, 1}, rho());
}

TEST_P(BoundaryTest, plugFlowBetweenMovingWalls)
{
    expectPlugFlow({BoundaryKind::movingWall, u, 1}, {BoundaryKind::movingWall, u, 1}, rho());
}

TEST_P(BoundaryTest, pressureDifferenceDrivesTheFlow)
{
    const Domain d = duct(GetParam().lattice);
    Config c = config();
    c.patches[0] = {BoundaryKind::pressure, {0, 0, 0}, 1.003};
    c.patches[1] = {BoundaryKind::pressure, {0, 0, 0}, 1};
    Reference r(d, c);
    r.advance(600);
    // Fully developed: the density falls evenly along the duct and the flow is the same everywhere. The
    // imposed values lie half a link outside.
    const int z = d.size[2] / 2;
    for (int x = 1; x < 5; ++x) {
        const auto state = r.state(d.index(x, 1, z));
        EXPECT_NEAR(state.density, 1.003 - 0.003 * (x + 0.5) / 6, 5e-5);
        EXPECT_GT(state.velocity[0], 1e-3);
        EXPECT_NEAR(state.velocity[0], r.state(d.index(x, 2, z)).velocity[0], 1e-12);
    }
}

// Between walls the profile is the parabola, which TRT with 3/16 gives to rounding; the sides may even move.
TEST_P(BoundaryTest, pressureDrivesCouettePoiseuille)
{
    for (bool edgesAreSides : {true, false})
        for (double side : {0.0, 1e-4}) {
            const Domain d = duct(GetParam().lattice, edgesAreSides);
            Config c = config();
            c.collision = "trt";
            const double rise = 1e-5;
            c.patches[0] = {BoundaryKind::pressure, {0, 0, 0}, 1 + rise};
            c.patches[1] = {BoundaryKind::pressure, {0, 0, 0}, 1 - rise};
            if (side > 0) c.patches[2] = {BoundaryKind::movingWall, {side, 0, 0}, 1};
            Reference r(d, c);
            r.advance(3000);
            const double gradient = 2 * rise / 3 / d.size[0], viscosity = (c.tau - 0.5) / 3;
            for (NodeIndex i = 0; i < d.nodes(); ++i) {
                const double y = d.coordinates(i)[1] + 0.5;
                const auto state = r.state(i);
                // Quasi-compressible: to the relative density change; Mach^2 terms of the equilibria differ.
                EXPECT_NEAR(state.velocity[0], side + gradient / (2 * viscosity) * y * (d.size[1] - y), 2e-5 * 1e-4);
                EXPECT_NEAR(state.density, 1 + rise * (1 - 2 * (d.coordinates(i)[0] + 0.5) / d.size[0]), 1e-8);
            }
        }
}

// Between walls the density falls to the end, and what enters leaves; a held density lets mass gather, by some
// per cent of the inflow in this short duct.
TEST_P(BoundaryTest, outflowLetsOutWhatEnters)
{
    const Domain d = duct(GetParam().lattice);
    Config c = config();
    c.patches[0] = {BoundaryKind::velocity, {1e-3, 0, 0}, 1};
    c.patches[1].kind = BoundaryKind::outflow;
    Reference r(d, c);
    r.advance(3000);
    const double before = r.mass(), inflow = 1e-3 * 4 * d.size[2];
    r.advance(100);
    EXPECT_NEAR(r.mass(), before, 2e-3 * 100 * inflow);
    EXPECT_GT(r.state(d.index(4, 1, 0)).density, r.state(d.index(5, 1, 0)).density);
}

// A force along planes of symmetry accelerates everything alike.
TEST_P(BoundaryTest, slipTakesNothingFromAForce)
{
    Domain d = duct(GetParam().lattice);
    d.periodic[0] = true;
    std::erase_if(d.links, [](const Link& link) { return link.patch != 2; });
    Config c = config();
    c.patches[2].kind = BoundaryKind::slip;
    c.force = {1e-5, 0, 0};
    Reference r(d, c);
    r.setBoundary(2, normals(d, 2));
    r.advance(100);
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        const auto state = r.state(i);
        EXPECT_NEAR(state.velocity[0], 100 * 1e-5 - 0.5e-5, 1e-13);
        EXPECT_NEAR(state.velocity[1], 0, 1e-13);
    }
}

// Sides in y and z that are one patch: planes at its faces, and mirrors of mirrors at its edges.
TEST_P(BoundaryTest, slipGoesRoundEdges)
{
    if (GetParam().lattice == std::string("D2Q9")) GTEST_SKIP() << "no edges along the flow";
    Domain d = duct(GetParam().lattice);
    d.periodic = {true, false, false};
    d.links.clear();
    std::vector<LinkValue> values;
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code), x = d.coordinates(i);
            if (d.neighbour(x, c) >= 0) continue;
            d.links.push_back({i, 0.5f, 2, code});
            // Of a link into an edge either face's normal
            const bool y = x[1] + c[1] < 0 || x[1] + c[1] >= d.size[1];
            values.push_back({BoundaryKind::slip, {0, y ? double(c[1]) : 0, y ? 0 : double(c[2])}, 1});
        }
    d.check();
    Config c = config();
    c.patches[2].kind = BoundaryKind::slip;
    c.force = {1e-5, 0, 0};
    Reference r(d, c);
    r.setBoundary(2, values);
    r.advance(100);
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        EXPECT_NEAR(r.state(i).velocity[0], 100 * 1e-5 - 0.5e-5, 1e-13);
        EXPECT_NEAR(r.state(i).velocity[1], 0, 1e-13);
        EXPECT_NEAR(r.state(i).velocity[2], 0, 1e-13);
    }
    // A flow of all kinds: nothing passes
    Macroscopic moved;
    moved.density = 1.01;
    moved.velocity = {0.01, 0.02, -0.03};
    r.initialise(d.index(2, 0, 0), moved);
    const double mass = r.mass();
    r.advance(50);
    EXPECT_NEAR(r.mass(), mass, 1e-11);
}

// A stress on both sides: the profile of constant shear is a line, whatever the relaxation time and however near to them nodes are.
TEST_P(BoundaryTest, shearIsTheGivenOne)
{
    for (const auto& [tau, fraction] : {std::pair(0.5005, 0.5), {0.8, 0.5}, {2.0, 0.5}, {0.5005, 0.09}, {0.8, 0.9}}) {
        Domain d = duct(GetParam().lattice);
        d.periodic = {true, false, true};
        std::erase_if(d.links, [](const Link& link) { return link.patch != 2; });
        for (Link& link : d.links) link.fraction = float(fraction);
        Config c = config();
        c.tau = tau;
        c.patches[2].kind = BoundaryKind::shear;
        Reference r(d, c);
        const double rate = 1e-4, stress = rate * (tau - 0.5) / 3;
        std::vector<LinkValue> values;
        for (const Link& link : d.links) {
            const Int3 out = directionOf(link.direction);
            const Vec3 normal{0, double(out[1]), 0};
            const Vec3 toWall{-normal[1] * stress, 0, 0}; // the upper side drives
            values.push_back({BoundaryKind::shear, normal, 1 + shearPart(weightAlong(r, out), out, normal, toWall)});
        }
        r.setBoundary(2, values);
        const auto line = [&](NodeIndex i) { return rate * (d.coordinates(i)[1] - 1.5); };
        for (NodeIndex i = 0; i < d.nodes(); ++i) {
            Macroscopic state;
            state.velocity = {line(i), 0, 0};
            state.strainRate[1] = rate / 2; // xy
            r.initialise(i, state);
        }
        r.advance(100);
        for (NodeIndex i = 0; i < d.nodes(); ++i)
            EXPECT_NEAR(r.state(i).velocity[0], line(i), 1e-8) << tau << ' ' << fraction;
    }
}

TEST_P(BoundaryTest, wallMovesTowardsItsImageInAPlane)
{
    const Domain whole = lidTowardsItsImage(GetParam().lattice, true),
                 half = lidTowardsItsImage(GetParam().lattice, false);
    Config c = config();
    c.patches.assign(5, {BoundaryKind::movingWall, {0, 0, 0}});
    const double along = whole.dimensions == 3 ? 0.02 : 0;
    c.patches[1].velocity = {0.05, 0, along};
    c.patches[3].velocity = {0, 0, along};
    c.patches[4].velocity = {-0.05, 0, along};
    Reference expected(whole, c);
    c.patches[2] = {BoundaryKind::slip, {1, 0, 0}};
    Reference r(half, c);
    const double before = r.mass();
    for (Reference* each : {&expected, &r}) each->advance(100);
    EXPECT_NEAR(2 * r.mass(), expected.mass(), 1e-10);
    // Where walls add what their velocity says, and no share of a density
    if (c.equilibrium == "incompressible") EXPECT_NEAR(r.mass(), before, 1e-11);
    for (NodeIndex i = 0; i < half.nodes(); ++i) {
        const Int3 x = half.coordinates(i);
        const auto own = r.state(i), other = expected.state(whole.index(x[0], x[1], x[2]));
        EXPECT_NEAR(own.density, other.density, 1e-13);
        for (int a = 0; a < 3; ++a) EXPECT_NEAR(own.velocity[a], other.velocity[a], 1e-13);
    }
    EXPECT_GT(std::abs(r.state(half.index(6, 5, 0)).velocity[1]), 1e-3); // what meets goes down
}

TEST_P(BoundaryTest, valuesBelongToLinksInOrder)
{
    const Domain d = duct(GetParam().lattice);
    Config c = config();
    c.patches[0].kind = BoundaryKind::velocity;
    Reference r(d, c);
    std::vector<LinkValue> values(linksPerPatch(d)[0], {BoundaryKind::velocity, {0, 0, 0}, 1});
    // Node (0 0 0), link (-1 0 0): the first straight one of the patch.
    std::size_t straight = 0;
    for (const Link& link : d.links) {
        if (link.patch != 0) continue;
        if (link.direction == directionCode(-1, 0, 0)) break;
        ++straight;
    }
    values[straight].velocity = {0.1, 0, 0};
    r.setBoundary(0, values);
    Config same = c;
    Reference still(d, same);
    r.advance(1);
    still.advance(1);
    const double w = r.lattice().w[1];
    const double mass = r.mass() - still.mass();
    EXPECT_NEAR(mass, 6 * w * 0.1, 1e-12);
    EXPECT_THROW(r.setBoundary(0, std::vector<LinkValue>(1)), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(
    all, BoundaryTest,
    testing::Values(Combination{"D2Q9", "incompressible"}, Combination{"D2Q9", "quasiCompressible"},
                    Combination{"D3Q15", "incompressible"}, Combination{"D3Q19", "incompressible"},
                    Combination{"D3Q19", "quasiCompressible"}, Combination{"D3Q27", "quasiCompressible"}),
    [](const auto& info) { return std::string(info.param.lattice) + '_' + info.param.equilibrium; });
