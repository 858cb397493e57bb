// Openings oblique to the lattice, streams that turn, and how much of a sound wave openings send back.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/unit/Shape.hpp"

#include "lbm/api/OpeningFlux.hpp"
#include "lbm/storage/KeptDonors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace lbm::test {
namespace {

const LinkValue restingWall{BoundaryKind::interpolatedWall, {0, 0, 0}, 1};

LinkValue pressureOf(double density, double recovery = 0)
{
    return {BoundaryKind::pressure, {0, 0, 0}, density, WallScheme::quadratic, recovery};
}

LinkValue velocityOf(const Vec3& velocity, double recovery = 0)
{
    return {BoundaryKind::velocity, velocity, 1, WallScheme::quadratic, recovery};
}

// A straight channel at an angle to the lattice, between openings across it. Patches: two walls, inlet, outlet.
struct Duct {
    double width, length;
    Vec3 axis, start;
    Int3 size;

    Duct(double degrees, double w, double l) : width(w), length(l)
    {
        const double angle = degrees * std::numbers::pi / 180;
        axis = {std::cos(angle), std::sin(angle), 0};
        start = {2.3 + width / 2 * axis[1], 2.6 + width / 2 * axis[0], 0};
        size = {int(length * axis[0] + width * axis[1]) + 6, int(length * axis[1] + width * axis[0]) + 6, 1};
    }

    double along(const Vec3& x) const { return (x[0] - start[0]) * axis[0] + (x[1] - start[1]) * axis[1]; }
    double across(const Vec3& x) const { return (x[1] - start[1]) * axis[0] - (x[0] - start[0]) * axis[1]; }
    Vec3 parabola(const Vec3& x, double speed) const
    {
        const double h = 2 * across(x) / width, u = speed * (1 - h * h);
        return {u * axis[0], u * axis[1], 0};
    }

    Domain domain() const
    {
        const Duct d = *this;
        return shape(size, {false, false, false},
                     {[d](const Vec3& x) { return d.width / 2 + d.across(x); },
                      [d](const Vec3& x) { return d.width / 2 - d.across(x); },
                      [d](const Vec3& x) { return d.along(x); }, [d](const Vec3& x) { return d.length - d.along(x); }});
    }

    double flux(const Flow& flow) const
    {
        double sum = 0;
        for (const Macroscopic& s : flow.states) sum += s.velocity[0] * axis[0] + s.velocity[1] * axis[1];
        return sum / length;
    }
};

// From rows of fluid between inlet and outlet, half-way outside the first and last node, periodic along y.
Domain rows(int n)
{
    return shape({n, 4, 1}, {false, true, false},
                 {[](const Vec3& x) { return x[0] + 0.5; }, [=](const Vec3& x) { return n - 0.5 - x[0]; }});
}

Config config(double tau, std::vector<LinkValue> patches)
{
    Config c;
    c.tau = tau;
    c.patches = std::move(patches);
    return c;
}

// Share of a pressure pulse, `sigma` nodes wide, that comes back from the outlet, or, going upstream, from the inlet.
double echo(double sigma, double tau, bool outlet, double stream, double recovery)
{
    const int n = int(20 * sigma);
    const double amplitude = 1e-4;
    // Ratios of velocity and density in waves that go either way with the stream
    const double down = stream + std::sqrt(stream * stream + 1.0 / 3),
                 up = stream - std::sqrt(stream * stream + 1.0 / 3);
    Flow flow(rows(n), config(tau, {velocityOf({stream, 0, 0}, recovery), pressureOf(1, recovery)}));
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        const double x = (flow.position(i)[0] - n / 2.0) / sigma, p = amplitude * std::exp(-x * x / 2);
        flow.states[i] = {1 + p, {stream + (outlet ? down : up) * p, 0, 0}, {}};
    }
    flow.solver->initialise(flow.nodes.data(), flow.nodes.size(), flow.states.data());
    // To the end and back to the middle
    flow.advance(std::int64_t(n / 2.0 / down - n / 2.0 / up));
    double most = 0;
    for (const Macroscopic& s : flow.states) {
        const double p = s.density - 1, u = s.velocity[0] - stream;
        most = std::max(most, std::abs((u - (outlet ? down : up) * p) / (up - down)));
    }
    return most / amplitude;
}

// 20 nodes wide. What openings along an axis would make of it: errors of the velocity around 10 %. By links, and by nodes
// that take on their whole state.
void poiseuilleThroughObliqueChannels(bool whole, double tolerance)
{
    for (double degrees : {0.0, 10.0, 20.0, 30.0, 45.0})
        for (bool imposesVelocity : {false, true}) {
            const Duct duct(degrees, 20, 50);
            const double speed = 0.01, viscosity = 0.1,
                         rise = 3 * 8 * viscosity * speed / (duct.width * duct.width) * duct.length;
            Config c = config(0.8,
                              {restingWall, restingWall, imposesVelocity ? velocityOf({0, 0, 0}) : pressureOf(1 + rise),
                               pressureOf(1)});
            c.patches[2].velocityGradient = c.patches[3].velocityGradient = whole;
            Flow flow(duct.domain(), c);
            const auto exact = [&](const Vec3& x) { return duct.parabola(x, speed); };
            if (imposesVelocity) {
                const auto values = linkValues(*flow.domain, 2, BoundaryKind::velocity, exact);
                flow.solver->setBoundary(2, values.data(), values.size());
            }
            flow.begin(exact);
            flow.advance(6000);
            double density = 0;
            for (std::size_t i = 0; i < flow.nodes.size(); ++i)
                density += (flow.states[i].density - 1) / rise - (1 - duct.along(flow.position(i)) / duct.length);
            EXPECT_NEAR(duct.flux(flow), 2.0 / 3 * speed * duct.width, tolerance * 2.0 / 3 * speed * duct.width)
                << degrees << imposesVelocity;
            EXPECT_LT(flow.error(exact), tolerance) << degrees << imposesVelocity;
            const auto passes = OpeningFlux(*flow.solver, {false, false, true, true}).compute(*flow.solver);
            EXPECT_NEAR(passes.out, passes.in, 0.005 * passes.in)
                << degrees << imposesVelocity; // interpolated walls lose some
            EXPECT_NEAR(passes.in, duct.flux(flow), 0.01 * passes.in) << degrees << imposesVelocity;
            EXPECT_NEAR(density / double(flow.nodes.size()), 0, tolerance) << degrees << imposesVelocity;
        }
}

} // namespace

// A patch on both sides of a node has no direction; nor has it donors then, where every place is inside, too.
TEST(Openings, patchOnBothSidesHasNoDonors)
{
    Domain d;
    d.size = {7, 7, 7};
    d.periodic = {true, true, true};
    d.fluid = BitSet(d.nodes(), true);
    d.patches = {"opening"};
    const NodeIndex node = d.index(3, 3, 3);
    for (int c : {-1, 1}) {
        d.fluid.clear(d.index(3 + c, 3, 3));
        d.links.push_back({node, 0.5f, 0, directionCode(c, 0, 0)});
    }
    d.check();
    const DonorRuns donors = findDonors(d, {true});
    ASSERT_EQ(donors.size(), 1u);
    ASSERT_EQ(donors[0].size(), 2u);
    for (const Donor& donor : donors[0]) {
        EXPECT_TRUE(donor.shares.empty());
        EXPECT_TRUE(donor.beyond.empty());
    }
}

// Two planes of so many links that threads share them: each link has its donor once, in their order, straight inwards.
TEST(Openings, manyLinksHaveTheirDonorsInOrder)
{
    const Domain d = shape({70, 70, 8}, {true, true, false},
                           {[](const Vec3& x) { return x[2] - 0.5; }, [](const Vec3& x) { return 6.5 - x[2]; }});
    for (const std::vector<bool>& patches : {std::vector<bool>{true, true}, {false, true}}) {
        const DonorRuns runs = findDonors(d, patches);
        EXPECT_GT(runs.size(), 3u);
        std::vector<std::int64_t> links;
        for (std::size_t i = 0; i < d.links.size(); ++i)
            if (patches[std::size_t(d.links[i].patch)]) links.push_back(std::int64_t(i));
        std::size_t n = 0;
        for (const auto& run : runs)
            for (const Donor& donor : run) {
                ASSERT_LT(n, links.size());
                ASSERT_EQ(donor.link, links[n++]);
                const Link& link = d.links[std::size_t(donor.link)];
                const Int3 x = d.coordinates(link.node), c = directionOf(link.direction);
                ASSERT_EQ(donor.shares.size(), 1u);
                EXPECT_EQ(donor.shares[0].node, d.neighbour(x, {c[0], c[1], 0})) << donor.link;
            }
        EXPECT_EQ(n, links.size());
    }
}

// Until tiles have found their links, donors are kept in lists by run, which say the same.
TEST(Openings, keptDonorsAreThoseFound)
{
    // One plane leans, and has fits; where it meets the other one links go on to corners
    const Domain d = shape({24, 20, 18}, {true, false, false},
                           {[](const Vec3& x) { return x[1] + 0.4 * x[2] - 4; },
                            [](const Vec3& x) { return std::min(18.5 - x[1], std::min(x[2] - 0.5, 16.5 - x[2])); }});
    std::size_t fits = 0, corners = 0, beyond = 0;
    for (const bool symmetric : {true, false})
        for (const std::vector<Donor>& run : findDonors(d, {true, true}, {symmetric, symmetric})) {
            const KeptDonors<double> kept(run);
            ASSERT_EQ(kept.donors.size(), run.size());
            std::size_t share = 0;
            const auto is = [&](NodeIndex node, double weight) {
                ASSERT_LT(share, kept.nodes.size());
                EXPECT_EQ(kept.nodes[share], node);
                EXPECT_EQ(kept.weights[share++], weight);
            };
            for (std::size_t i = 0; i < run.size(); ++i) {
                const Donor& found = run[i];
                const KeptDonor<double>& own = kept.donors[i];
                EXPECT_EQ(kept.link(own), found.link);
                EXPECT_EQ(own.corner, found.corner);
                EXPECT_EQ(own.reach, found.reach);
                for (int a = 0; a < 3; ++a) EXPECT_EQ(own.outward[a], found.outward[a]);
                EXPECT_EQ(own.sent, found.sent);
                EXPECT_EQ(own.inward, found.inward);
                EXPECT_EQ(own.round, found.round);
                EXPECT_EQ(own.fitted, found.fit.size());
                EXPECT_EQ(own.shares, found.shares.size());
                for (const MirrorShare& s : found.fit) is(s.node, s.even);
                for (const MirrorShare& s : found.fit) is(s.node, s.odd);
                for (const DonorShare& s : found.shares) is(s.node, s.weight);
                // Without shares nobody looks beyond
                ASSERT_EQ(own.beyond, found.shares.empty() ? 0u : found.beyond.size());
                for (std::size_t k = 0; k < own.beyond; ++k) is(found.beyond[k].node, found.beyond[k].weight);
                fits += found.fit.size();
                corners += found.corner >= 0;
                beyond += own.beyond;
            }
            EXPECT_EQ(share, kept.nodes.size());
        }
    EXPECT_GT(fits, 0u);
    EXPECT_GT(corners, 0u);
    EXPECT_GT(beyond, 0u);
}

// One patch on four planes across axes, two of them anywhere between nodes: where they meet each link has the plane that it crosses
// first, not one that fits both.
TEST(Openings, planesThatMeetStayApart)
{
    for (const double top : {0.5, 0.52, 0.0008, 0.2, 0.9}) {
        const double low = 0.5 - (1 - top), high = 9 + top;
        const auto inside = [&](const Vec3& x) {
            return std::min(std::min(x[1] - 0.5, 8.5 - x[1]), std::min(x[2] - low, high - x[2]));
        };
        const Domain d = shape({6, 10, 12}, {true, false, false}, {inside});
        std::size_t links = 0;
        for (const auto& run : findDonors(d, {true}, {true}))
            for (const Donor& donor : run) {
                const Link& link = d.links[std::size_t(donor.link)];
                const Int3 x = d.coordinates(link.node), c = directionOf(link.direction);
                int axes = 0;
                for (int a = 0; a < 3; ++a) axes += std::abs(donor.outward[a]) > 1 - 1e-6;
                EXPECT_EQ(axes, 1) << top << ": " << x[1] << ' ' << x[2] << " along " << c[1] << ' ' << c[2];
                EXPECT_TRUE(donor.fit.empty()) << top << ": " << x[1] << ' ' << x[2];
                ++links;
            }
        EXPECT_GT(links, 1000u);
    }
}

TEST(Openings, poiseuilleThroughObliqueChannels) { poiseuilleThroughObliqueChannels(false, 0.025); }
TEST(Openings, poiseuilleThroughObliqueChannelsWholeNodes) { poiseuilleThroughObliqueChannels(true, 0.04); }

// With half-way walls nothing is lost: the balance closes to rounding.
TEST(Openings, whatEntersLeaves)
{
    const double speed = 0.01;
    Flow flow(shape({24, 10, 1}, {false, false, false},
                    {[](const Vec3& x) { return x[1] - 0.5; }, [](const Vec3& x) { return 8.5 - x[1]; },
                     [](const Vec3& x) { return x[0] + 0.5; }, [](const Vec3& x) { return 23.5 - x[0]; }}),
              config(0.8, {LinkValue(), LinkValue(), velocityOf({speed, 0, 0}), pressureOf(1)}));
    const OpeningFlux openings(*flow.solver, {false, false, true, true});
    flow.advance(20000);
    double sum = 0;
    for (const Macroscopic& s : flow.states) sum += s.velocity[0] / 24;
    const auto passes = openings.compute(*flow.solver);
    EXPECT_NEAR(passes.in, sum, 1e-9 * sum);
    EXPECT_NEAR(passes.out, sum, 1e-9 * sum);
    EXPECT_NEAR(sum, 8 * speed, 0.05 * sum);
}

// Of an even stream between planes, or walls past which the fluid slips, links at the edges hand on a share, too.
TEST(Openings, whatPassesAlongWallsIsCounted)
{
    const double speed = 0.02, across = 8;
    LinkValue wall{BoundaryKind::interpolatedWall, {speed, 0, 0}, 1, WallScheme::slipping};
    LinkValue plane;
    plane.kind = BoundaryKind::slip;
    plane.velocity = {0, 1, 0};
    for (const LinkValue& side : {wall, plane}) {
        Flow flow(shape({24, 10, 1}, {false, false, false},
                        {[](const Vec3& x) { return x[1] - 0.5; }, [](const Vec3& x) { return 8.5 - x[1]; },
                         [](const Vec3& x) { return x[0] + 0.5; }, [](const Vec3& x) { return 23.5 - x[0]; }}),
                  config(0.8, {side, side, velocityOf({speed, 0, 0}), pressureOf(1)}));
        flow.begin([=](const Vec3&) { return Vec3{speed, 0, 0}; });
        flow.advance(2000);
        const auto passes =
            OpeningFlux(*flow.solver, {false, false, true, true}, {true, true, false, false}).compute(*flow.solver);
        EXPECT_NEAR(passes.in, across * speed, 1e-6 * across * speed);
        EXPECT_NEAR(passes.out, across * speed, 1e-6 * across * speed);
        // As if it stuck: half of a link's sixth on either side
        const auto fewer = OpeningFlux(*flow.solver, {false, false, true, true}).compute(*flow.solver);
        EXPECT_NEAR(fewer.in, (across - 2.0 / 6) * speed, 1e-6 * across * speed);
    }
}

// Through either end, and of it a part that the nodes do not have: the density there differs by three times what the flow gains.
TEST(Openings, whatTheFlowGainsUpToAPressureHoldsNoDensity)
{
    const double gain = 0.002;
    for (const double speed : {0.02, -0.02}) {
        for (const double told : {0.0, gain}) {
            LinkValue outlet = pressureOf(1);
            outlet.velocity = {told, 0, 0};
            Flow flow(rows(30), config(0.7, {velocityOf({speed, 0, 0}, 0.05), outlet}));
            flow.advance(4000);
            EXPECT_NEAR(flow.states.back().velocity[0], speed, 1e-3 * std::abs(speed));
            EXPECT_NEAR(flow.states.back().density, 1 - 3 * told, 0.05 * 3 * gain);
        }
    }
}

// Before the flow has come to the other end what passes is on one side alone.
TEST(Openings, whatEntersIsNoOutflow)
{
    for (const double speed : {0.02, -0.02}) {
        Flow flow(rows(30), config(0.7, {velocityOf({speed, 0, 0}, 0), pressureOf(1, 0)}));
        const OpeningFlux openings(*flow.solver, {true, true});
        flow.advance(10);
        const auto passes = openings.compute(*flow.solver);
        const double flows = 0.02 * flow.domain->size[1], large = speed > 0 ? passes.in : passes.out;
        EXPECT_NEAR(large, flows, 0.2 * flows);
        EXPECT_LT(speed > 0 ? passes.out : passes.in, 0.01 * flows);
    }
}

// The pressure difference swings: either end is inlet and outlet in turn.
TEST(Openings, streamThatTurnsStaysBounded)
{
    const Duct duct(25, 16, 48);
    Flow flow(duct.domain(), config(0.55, {restingWall, restingWall, pressureOf(1), pressureOf(1)}));
    double most = 0, least = 0;
    for (int k = 0; k < 200; ++k) {
        const LinkValue inlet = pressureOf(1 + 0.01 * std::sin(0.1 * k));
        const std::vector<LinkValue> values(linksPerPatch(*flow.domain)[2], inlet);
        flow.solver->setBoundary(2, values.data(), values.size());
        flow.advance(200);
        most = std::max(most, duct.flux(flow) / duct.width);
        least = std::min(least, duct.flux(flow) / duct.width);
    }
    EXPECT_EQ(flow.solver->health(1).bad, -1);
    EXPECT_NEAR(most, 0.08, 0.03);
    EXPECT_NEAR(least, -0.08, 0.03);
}

TEST(Openings, soundLeaves)
{
    for (bool outlet : {true, false})
        for (double stream : {0.0, 0.05}) {
            const double plain = echo(10, 0.8, outlet, stream, 0), nonReflecting = echo(10, 0.8, outlet, stream, 2e-4);
            RecordProperty(std::string(outlet ? "outlet" : "inlet") + (stream > 0 ? "InAStream" : ""),
                           std::to_string(plain) + " plain, " + std::to_string(nonReflecting) + " non-reflecting");
            EXPECT_LT(nonReflecting, 0.01);
            EXPECT_GT(plain, 0.5);
        }
    // What lbmFoam takes by default holds the mean within the time that sound takes along the domain, here 200 nodes, and
    // so sends more of such a wide pulse back
    EXPECT_LT(echo(10, 0.8, true, 0, std::sqrt(1.0 / 3) / 200), 0.07);
}

// What they remember belongs to the state.
TEST(Openings, memoryGoesOnElsewhere)
{
    const std::vector<LinkValue> patches{velocityOf({0.02, 0, 0}, 0.01), pressureOf(1, 0.01)};
    Flow first(rows(30), config(0.7, patches)), second(rows(30), config(0.7, patches));
    first.advance(101);
    std::vector<double> populations(9 * first.nodes.size()), own(populations.size()), other(populations.size());
    first.solver->getPopulations(first.nodes.data(), first.nodes.size(), populations.data());
    second.advance(7);
    second.solver->setPopulations(second.nodes.data(), second.nodes.size(), populations.data());
    second.solver->setOpeningMemory(first.solver->openingMemory());
    first.advance(50);
    second.advance(50);
    first.solver->getPopulations(first.nodes.data(), first.nodes.size(), own.data());
    second.solver->getPopulations(second.nodes.data(), second.nodes.size(), other.data());
    EXPECT_EQ(own, other);
    EXPECT_THROW(second.solver->setOpeningMemory({OpeningMemory{}}), std::invalid_argument);
}

// It is told link by link, whatever order tiles keep them in.
TEST(Openings, memoryIsTheSameForEveryTile)
{
    const auto made = [](const char* storage) {
        Config c = config(0.7, {restingWall, restingWall, velocityOf({0.02, 0, 0}, 0.01), pressureOf(1, 0.01)});
        c.collision = "regularized";
        c.storage = storage;
        return c;
    };
    const auto domain = shape({40, 70, 1}, {false, false, false},
                              {[](const Vec3& x) { return x[1] - 0.5; }, [](const Vec3& x) { return 68.5 - x[1]; },
                               [](const Vec3& x) { return x[0] + 0.5; }, [](const Vec3& x) { return 39.5 - x[0]; }});
    Flow one(domain, made("ab")), other(domain, made("moments"));
    one.advance(60);
    other.advance(60);
    const auto a = one.solver->openingMemory(), b = other.solver->openingMemory();
    ASSERT_EQ(a.size(), b.size());
    double least = 1, most = -1;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].kind, b[i].kind);
        if (std::isnan(a[i].mean)) EXPECT_TRUE(std::isnan(b[i].mean));
        else EXPECT_NEAR(a[i].mean, b[i].mean, 1e-10) << i;
        if (a[i].kind == BoundaryKind::pressure) least = std::min(least, a[i].mean), most = std::max(most, a[i].mean);
    }
    EXPECT_GT(most - least, 1e-6); // there is something to tell them by
}

// A link that becomes of another kind looks at another quantity, and begins anew.
TEST(Openings, memoryIsOfTheKind)
{
    Flow flow(rows(30), config(0.7, {velocityOf({0.02, 0, 0}, 0.01), pressureOf(1, 0.01)}));
    flow.advance(2000); // the sound of its start has left
    const auto before = flow.solver->openingMemory();
    const std::size_t links = before.size() / 2;
    ASSERT_EQ(before.back().kind, BoundaryKind::pressure);
    EXPECT_NEAR(before.back().mean, 0.02, 0.005);
    std::vector<LinkValue> values(links, velocityOf({0.02, 0, 0}, 0.01));
    flow.solver->setBoundary(1, values.data(), values.size());
    EXPECT_EQ(flow.solver->openingMemory().back().kind, BoundaryKind::velocity);
    EXPECT_TRUE(std::isnan(flow.solver->openingMemory().back().mean));
    flow.advance(1);
    EXPECT_LT(std::abs(flow.solver->openingMemory().back().mean), 0.005); // a deviation of the density
    flow.solver->setBoundary(1, values.data(), values.size());
    EXPECT_FALSE(std::isnan(flow.solver->openingMemory().back().mean));
}

// The means of what is imposed hold for ever: a developed channel, with openings that let sound out, disturbed at first.
void nothingDrifts(int n, double recovery)
{
    constexpr int width = 8;
    constexpr double speed = 0.02, viscosity = 0.1, slope = 3 * 8 * viscosity * speed / (width * width);
    Flow flow(shape({n, width + 2, 1}, {false, false, false},
                    {[](const Vec3& x) { return x[1] - 0.5; }, [](const Vec3& x) { return width + 0.5 - x[1]; },
                     [](const Vec3& x) { return x[0] + 0.5; }, [=](const Vec3& x) { return n - 0.5 - x[0]; }}),
              config(0.8, {restingWall, restingWall, velocityOf({0, 0, 0}, recovery), pressureOf(1, recovery)}));
    const auto exact = [=](const Vec3& x) {
        return Vec3{4 * speed * (x[1] - 0.5) * (width + 0.5 - x[1]) / (width * width), 0, 0};
    };
    auto values = linkValues(*flow.domain, 2, BoundaryKind::velocity, exact);
    for (LinkValue& value : values) value.recovery = recovery;
    flow.solver->setBoundary(2, values.data(), values.size());
    flow.advance(20000);
    const auto means = [&] {
        std::array<double, 2> sum{0, 0};
        for (const Macroscopic& s : flow.states) {
            sum[0] += s.velocity[0] / double(flow.nodes.size());
            sum[1] += (s.density - 1) / double(flow.nodes.size());
        }
        return sum;
    };
    const auto before = means();
    EXPECT_NEAR(before[0], 2.0 / 3 * speed, 0.02 * speed);
    EXPECT_NEAR(before[1], slope * n / 2, 0.02 * slope * n);
    flow.advance(100000);
    EXPECT_NEAR(means()[0], 2.0 / 3 * speed, 1e-6 * speed);
    EXPECT_NEAR(means()[0], before[0], 1e-4 * speed);
    EXPECT_NEAR(means()[1], before[1], 1e-4 * slope * n);
}

// A slow recovery, and the one that lbmFoam takes by default.
TEST(Openings, nothingDrifts)
{
    nothingDrifts(24, 1e-3);
    nothingDrifts(24, std::sqrt(1.0 / 3) / 24);
}

// A pulse that a wall sends back, at rest or moving, whatever the rate at which an opening in its place would return to its mean.
TEST(Openings, aloneLetSoundOut)
{
    const auto after = [](BoundaryKind kind, double recovery) {
        LinkValue end = velocityOf({1e-3, 0, 0}, recovery);
        end.kind = kind;
        Flow flow(rows(60), config(0.6, {end, pressureOf(1)}));
        for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
            const double x = (flow.position(i)[0] - 20) / 4;
            flow.states[i] = {1 + 1e-3 * std::exp(-x * x / 2), {1e-3, 0, 0}, {}};
        }
        flow.solver->initialise(flow.nodes.data(), flow.nodes.size(), flow.states.data());
        flow.advance(60);
        std::vector<double> densities;
        for (const Macroscopic& s : flow.states) densities.push_back(s.density);
        return densities;
    };
    const std::vector<double> kept = after(BoundaryKind::movingWall, 0);
    EXPECT_EQ(after(BoundaryKind::movingWall, 0.02), kept);
    EXPECT_EQ(after(BoundaryKind::velocity, 0), kept);
    EXPECT_NE(after(BoundaryKind::velocity, 0.02), kept);
}

// A corner of a pressure opening and a wall that moves along: Couette flow goes on through both ends.
TEST(Openings, movingInterpolatedWallsReachTheirCorners)
{
    const double low = 0.7, high = 6.4, speed = 1e-3;
    Flow flow(
        shape({12, 8, 1}, {false, false, false},
              {[=](const Vec3& x) { return x[1] - low; }, [=](const Vec3& x) { return high - x[1]; },
               [](const Vec3& x) { return x[0] + 0.5; }, [](const Vec3& x) { return 11.5 - x[0]; }}),
        config(0.8, {restingWall, {BoundaryKind::interpolatedWall, {speed, 0, 0}, 1}, pressureOf(1), pressureOf(1)}));
    flow.advance(5000);
    EXPECT_LT(flow.error([=](const Vec3& x) { return Vec3{speed * (x[1] - low) / (high - low), 0, 0}; }), 1e-5);
}

// Flow between interpolated walls leaves through a pressure opening across them: past its rim they go on, and pressure falls along
// the exact line to the very end. (Else what links along the wall let through there lacks its image, and pressure is off by 0.27 of the
// dynamic pressure of the mean in the pipe, 0.13 in the channel.)
double pressureAtTheEnd(bool round, double radius, WallScheme scheme)
{
    const int length = 24, wide = 17;
    const double speed = 0.05, end = length - 0.5;
    const Vec3 centre{0, 8, round ? 8.0 : 0.0};
    const auto square = [=](const Vec3& x) { return std::pow(x[1] - centre[1], 2) + std::pow(x[2] - centre[2], 2); };
    const auto exact = [=](const Vec3& x) {
        return Vec3{speed * std::max(0.0, 1 - square(x) / (radius * radius)), 0, 0};
    };
    Config c =
        config(0.8, {{BoundaryKind::interpolatedWall, {0, 0, 0}, 1, scheme}, velocityOf({0, 0, 0}), pressureOf(1)});
    Flow flow(shape({length, wide, round ? wide : 1}, {false, false, false},
                    {[=](const Vec3& x) { return radius * radius - square(x); },
                     [](const Vec3& x) { return x[0] + 0.5; }, [=](const Vec3& x) { return end - x[0]; }}),
              c);
    const auto inlet = linkValues(*flow.domain, 1, BoundaryKind::velocity, exact);
    flow.solver->setBoundary(1, inlet.data(), inlet.size());
    flow.begin(exact);
    flow.advance(round ? 600 : 1500);
    const double slope = (round ? 4 : 2) * (c.tau - 0.5) / 3 * speed / (radius * radius),
                 mean = speed / (round ? 2 : 1.5);
    double off = 0, nodes = 0;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        const Vec3 x = flow.position(i);
        if (x[0] != length - 2) continue;
        off += (flow.states[i].density - 1) / 3 - slope * (end - x[0]);
        ++nodes;
    }
    return off / nodes / (mean * mean);
}

TEST(Openings, interpolatedWallsGoOnBehindThem)
{
    for (const WallScheme scheme : {WallScheme::quadratic, WallScheme::linear, WallScheme::local}) {
        EXPECT_NEAR(pressureAtTheEnd(true, 6, scheme), 0, 0.025);
        for (const double radius : {6.6, 6.8, 6.99})
            EXPECT_NEAR(pressureAtTheEnd(false, radius, scheme), 0, 0.02) << radius;
    }
}

} // namespace lbm::test
