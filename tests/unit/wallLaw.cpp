// Walls with a law, link by link: what it makes of flows whose answer is known, what links are told of it, and what is kept.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/SlipBalance.hpp"
#include "lbm/api/SlippingWall.hpp"
#include "lbm/api/WallLaw.hpp"
#include "lbm/api/WallPieces.hpp"
#include "lbm/physics/LawLink.hpp"
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace lbm::test {
namespace {

constexpr double kappa = 0.41, E = 9.8;
constexpr double thinFluid = 1e-5; // viscosity
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Between two walls along x, half a spacing off the nodes: y from 0 to `high`.
struct LawFlow {
    Flow flow;
    std::vector<LinkValue> patches;

    LawFlow() : LawFlow(20, config("WALE")) {}
    LawFlow(int high, const Config& c) : flow(domainOf(high), c), patches(c.patches) {}

    static Domain domainOf(int high)
    {
        return shape({6, high + 2, 1}, {true, false, false},
                     {[](const Vec3& x) { return x[1] - 0.5; }, [=](const Vec3& x) { return high + 0.5 - x[1]; }});
    }
    static Config config(const std::string& closure, const std::string& collision = "regularized")
    {
        Config c;
        c.lattice = "D2Q9";
        c.collision = collision;
        c.storage = "moments";
        c.closure = closure;
        if (closure != "constant") c.coefficients = {0.1, 100, 0, 0, 0};
        c.tau = 0.5 + 3 * thinFluid;
        c.patches.assign(2, {BoundaryKind::interpolatedWall, {0, 0, 0}, 1, WallScheme::slipping});
        return c;
    }

    WallLawSetup setup(int patch) const
    {
        WallLawSetup s;
        s.patch = patch;
        s.kappa = kappa;
        s.E = E;
        s.patches = patches;
        for (const Link& link : flow.domain->links)
            if (link.patch == patch) s.normals.push_back({0, patch ? 1.0 : -1.0, 0});
        return s;
    }
    std::unique_ptr<WallLaw> law(int patch) { return placeLaw(*flow.solver, setup(patch)); }

    std::vector<Link> links(int patch) const
    {
        std::vector<Link> of;
        for (const Link& link : flow.domain->links)
            if (link.patch == patch) of.push_back(link);
        return of;
    }
};

// Collisions, and eddies beside them
const std::pair<std::string, std::string> besideEddies[] = {{"regularized", "smagorinsky"},
                                                            {"hybridRegularized", "WALE"}};

Vec3 member(const WallLaw& law, int k, std::size_t i)
{
    const std::vector<double> state = law.state();
    const double* at = &state[3 * (std::size_t(k) * law.size() + i)];
    return {at[0], at[1], at[2]};
}

} // namespace

// Of the log law's own profile: what is sampled 2.5 spacings from the wall tells the friction velocity that the profile was made
// with, whatever the first node, half a spacing off it, does.
TEST(WallLaw, tellsTheFrictionOfTheLogLaw)
{
    const double uTau = 0.002, nu = thinFluid;
    LawFlow f;
    f.flow.begin([&](const Vec3& x) {
        const double y = std::min(x[1] - 0.5, 20.5 - x[1]);
        const double plus = y * uTau / nu;
        return Vec3{y < 1 ? 0.01 : uTau * lawVelocity(plus, kappa, E), 0, 0};
    });
    const auto law = f.law(0);
    law->update(nu, 0);
    const double plus = 2.5 * uTau / nu;
    EXPECT_NEAR(law->report(nu).yPlus, plus, 0.03 * plus); // between nodes profiles are straight
    EXPECT_EQ(law->report(nu).clipped, 0);
    for (std::size_t i = 0; i < law->size(); ++i) {
        EXPECT_NEAR(std::sqrt(member(*law, 0, i)[0]), uTau, 0.03 * uTau);
        EXPECT_NEAR(member(*law, 0, i)[1], 0, 1e-18);
        // What is set without a strain rate sends no stress
        const double gain = member(*law, 2, i)[0];
        EXPECT_NEAR(gain, 6 * member(*law, 0, i)[0], 1e-9 * uTau * uTau);
        EXPECT_NEAR(member(*law, 1, i)[0], 0.01 - gain / 2, 1e-15);
    }
}

// Of a node in even shear that sends the stress it has, (1 - 1/tau) of what arrives: links and it together pass the law's.
TEST(WallLaw, gainMakesGoodWhatTheNodeSends)
{
    const double shear = 0.002, u1 = 0.05, left = 0.5 - 3 * thinFluid; // 1 - tau
    int met = 0;
    for (const char* collision : {"regularized", "recursiveRegularized", "hybridRegularized"}) {
        const Config c = LawFlow::config("constant", collision);
        if (!leftOut(c).empty()) continue;
        ++met;
        LawFlow f(20, c);
        std::vector<Macroscopic> states(f.flow.nodes.size());
        for (std::size_t i = 0; i < states.size(); ++i) {
            states[i].velocity = {u1 + shear * (f.flow.position(i)[1] - 1), 0, 0};
            states[i].strainRate[1] = shear / 2;
        }
        f.flow.solver->initialise(f.flow.nodes.data(), states.size(), states.data());
        const auto law = f.law(0);
        law->update(thinFluid, 10);
        EXPECT_EQ(law->report(thinFluid).clipped, 0);
        for (std::size_t i = 0; i < law->size(); ++i) {
            const double gain = member(*law, 2, i)[0];
            EXPECT_NEAR(gain, 6 * member(*law, 0, i)[0] + 2 * left * shear, 1e-9) << collision;
            EXPECT_NEAR(member(*law, 1, i)[0], u1 - gain / 2, 1e-12) << collision;
        }
    }
    if (met == 0) GTEST_SKIP() << "none of the collisions in this build";
}

// The wall takes what the law says whatever collision there is: of a flow driven by a force, what it does not gain.
TEST(WallLaw, wallsTakeTheStressWhateverTheCollision)
{
    const double half = 10, speed = 0.05, uTau = speed / 23.6, viscosity = uTau * half / 5200;
    int met = 0;
    for (const char* collision : {"regularized", "hybridRegularized"}) {
        Config c = LawFlow::config("WALE", collision);
        c.tau = 0.5 + 3 * viscosity;
        c.force = {uTau * uTau / half, 0, 0};
        if (!leftOut(c).empty()) continue;
        ++met;
        LawFlow f(20, c);
        f.flow.begin([&](const Vec3& x) {
            const double y = std::min(x[1] - 0.5, 20.5 - x[1]);
            return Vec3{uTau * lawVelocity(y * uTau / viscosity, kappa, E), 0, 0};
        });
        const auto low = f.law(0), high = f.law(1);
        const auto mean = [&] {
            f.flow.advance(0);
            double sum = 0;
            for (const Macroscopic& state : f.flow.states) sum += state.velocity[0];
            return sum / double(f.flow.states.size());
        };
        const int steps = 6000;
        double begun = 0, told = 0;
        for (int i = 0; i < 2 * steps; ++i) {
            if (i == steps) begun = mean();
            for (WallLaw* law : {low.get(), high.get()}) {
                law->update(viscosity, 1);
                if (i >= steps) told += member(*law, 0, 0)[0] / (2 * steps);
            }
            f.flow.solver->advance(1);
        }
        const double gained = (mean() - begun) / steps * half;
        EXPECT_NEAR((uTau * uTau - gained) / told, 1, 0.02) << collision;
        EXPECT_GT(told, 0.5 * uTau * uTau) << collision;
    }
    if (met == 0) GTEST_SKIP() << "none of the collisions in this build";
}

// Where half a spacing lies in the viscous layer the fluid sticks.
TEST(WallLaw, resolvedWallsHaveNoSlip)
{
    LawFlow f;
    const double slope = 2e-4, viscosity = 1e-4;
    f.flow.begin([&](const Vec3& x) { return Vec3{slope * (x[1] - 0.5), 0, 0}; });
    const auto law = f.law(0);
    law->update(viscosity, 10);
    EXPECT_LT(law->report(viscosity).yPlus, 25);
    for (std::size_t i = 0; i < law->size(); ++i) {
        EXPECT_NEAR(member(*law, 1, i)[0], 0, 1e-15);
        EXPECT_NEAR(member(*law, 2, i)[0], slope, 1e-12);
    }
}

// What comes over the time that the flow takes past the distance, and half of the way to the slip.
TEST(WallLaw, followsInTime)
{
    LawFlow f;
    const auto law = f.law(0);
    const auto stressAt = [&](double u, double steps) {
        f.flow.begin([&](const Vec3&) { return Vec3{u, 0, 0}; });
        law->update(thinFluid, steps);
        return member(*law, 0, 0)[0];
    };
    const double slow = stressAt(0.03, 0), steps = 20, u = 0.06;
    LawFlow other;
    other.flow.begin([&](const Vec3&) { return Vec3{u, 0, 0}; });
    const auto fast = other.law(0);
    fast->update(thinFluid, 0);
    const double end = member(*fast, 0, 0)[0];
    EXPECT_GT(end, 2 * slow);
    EXPECT_NEAR(stressAt(u, steps), end + (slow - end) * std::exp(-steps * u / 2.5), 1e-6 * end);
}

// Both walls of a symmetric flow are told the same, mirrored.
TEST(WallLaw, isSymmetric)
{
    LawFlow f;
    f.flow.begin([&](const Vec3& x) {
        const double y = std::min(x[1] - 0.5, 20.5 - x[1]);
        return Vec3{0.05 * std::pow(y / 10, 1.0 / 7) * (1 + 0.1 * std::sin(M_PI / 3 * x[0])), 0, 0};
    });
    const auto low = f.law(0), high = f.law(1);
    for (int i = 0; i < 5; ++i) {
        low->update(thinFluid, 10);
        high->update(thinFluid, 10);
    }
    std::map<std::array<double, 3>, Vec3> atLow; // by place along the wall and direction
    const std::vector<Link> lowLinks = f.links(0), highLinks = f.links(1);
    ASSERT_EQ(lowLinks.size(), highLinks.size());
    for (std::size_t i = 0; i < lowLinks.size(); ++i) {
        const Int3 c = directionOf(lowLinks[i].direction);
        atLow[{double(f.flow.domain->coordinates(lowLinks[i].node)[0]), double(c[0]), double(c[1])}] = low->told()[i];
    }
    double most = 0;
    for (std::size_t i = 0; i < highLinks.size(); ++i) {
        const Int3 c = directionOf(highLinks[i].direction);
        const Vec3 mirrored =
            atLow.at({double(f.flow.domain->coordinates(highLinks[i].node)[0]), double(c[0]), double(-c[1])});
        EXPECT_NEAR(high->told()[i][0], mirrored[0], 1e-12);
        EXPECT_NEAR(high->told()[i][1], -mirrored[1], 1e-12);
        most = std::max(most, std::abs(high->told()[i][0]));
    }
    EXPECT_GT(most, 0.005);
}

namespace {

// Periodic, of 2 n and n nodes, between walls that rise by one node in two.
struct ObliqueChannel {
    static constexpr int run = 2, rise = 1;
    int n;
    double width;
    double length = std::hypot(run, rise), period = rise * n * run / length;

    double above(const Vec3& x) const
    {
        const double h = (x[1] * run - x[0] * rise) / length - 0.35 - width / 2;
        return h - period * std::round(h / period) + width / 2;
    }
    Domain domain() const
    {
        return shape(
            {run * n, rise * n, 1}, {true, true, false},
            {[*this](const Vec3& x) { return above(x); }, [*this](const Vec3& x) { return width - above(x); }});
    }
    Vec3 along(double u) const { return {u * run / length, u * rise / length, 0}; }
    Vec3 outwards(int patch) const
    {
        const double sign = patch == 0 ? 1 : -1;
        return {sign * rise / length, -sign * run / length, 0};
    }
};

// Links are told what SlippingWall and SlipBalance make of the law's slip, on a wall that is oblique to the lattice, too; of which each
// side, if there are several, brings nothing by itself. Its pieces overlap, and add up.
void linksAreToldTheSlipInBalance(std::uint32_t sides)
{
    const int n = 24;
    const ObliqueChannel channel{n, 17};
    ASSERT_LT(channel.width, channel.period);
    const Config c = LawFlow::config("WALE");
    Flow flow(channel.domain(), c);
    flow.begin([&](const Vec3& x) { return channel.along(0.05 * (1 + 0.2 * std::sin(M_PI / n * x[0]))); });
    WallLawSetup setup;
    setup.patches = c.patches;
    std::vector<std::size_t> links;
    for (std::size_t i = 0; i < flow.domain->links.size(); ++i)
        if (flow.domain->links[i].patch == 0) links.push_back(i);
    setup.normals.assign(links.size(), channel.outwards(0));
    // One behind the other, of different lengths
    std::vector<std::uint32_t> sideOf(links.size(), 0);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double x = double(flow.domain->coordinates(flow.domain->links[links[i]].node)[0]) / flow.domain->size[0];
        sideOf[i] = std::min(std::uint32_t(std::sqrt(x) * sides), sides - 1);
    }
    if (sides > 1) setup.sides = sideOf;
    const auto law = placeLaw(*flow.solver, setup);
    law->update(thinFluid, 1e6); // steps: all of the way of the lags

    std::vector<double> weights(27, 0);
    const auto directions = latticeDirections("D2Q9");
    const auto of = latticeWeights("D2Q9");
    for (std::size_t q = 0; q < of.size(); ++q)
        weights[directionCode(directions[q][0], directions[q][1], directions[q][2])] = of[q];
    std::vector<LinkValue> values(links.size());
    std::vector<Vec3> halfWay(links.size());
    double most = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const Link& link = flow.domain->links[links[i]];
        const Int3 d = directionOf(link.direction);
        const Vec3 slip = member(*law, 1, i);
        const double across = std::abs(d[0] * setup.normals[i][0] + d[1] * setup.normals[i][1]);
        Vec3 gain = member(*law, 2, i);
        for (int a = 0; a < 3; ++a) {
            gain[a] = across * (gain[a] + law->state()[12 * links.size() + i] * setup.normals[i][a]);
            halfWay[i][a] = slip[a] + (link.fraction - 0.5) * gain[a];
        }
        values[i].velocity = slippingWall(*flow.domain, c.patches, link, slip, gain);
        most = std::max(most, std::abs(slip[0]));
    }
    const std::vector<LinkValue> open = values;
    const WallPieces pieces(*flow.domain, links, setup.sides);
    std::vector<double> passed(links.size());
    flow.solver->sumPopulations(*flow.solver->place(SlipBalance::passing(*flow.solver, c.patches, links)),
                                passed.data());
    // What links take of the slip, all of them and those without an image, what they let through, and what of the wall they are
    const std::vector<std::int64_t> partner = slipPartners(*flow.domain, c.patches, links, setup.normals);
    std::vector<double> taken(links.size()), unpaired(links.size()), through(links.size()), area(links.size());
    const auto weightOf = [&](std::size_t i) { return 6 * weights[flow.domain->links[links[i]].direction]; };
    const auto along = [&](std::size_t i) {
        const Int3 d = directionOf(flow.domain->links[links[i]].direction);
        return Vec3{double(d[0]), double(d[1]), double(d[2])};
    };
    const auto share = [&](std::size_t i) {
        return slippingShare(*flow.domain, c.patches, flow.domain->links[links[i]]);
    };
    for (std::size_t i = 0; i < links.size(); ++i) {
        taken[i] = law::takenBy(weightOf(i), along(i), halfWay[i]);
        unpaired[i] = partner[i] < 0 ? taken[i] : 0;
        through[i] = passed[i] + share(i) * law::takenBy(weightOf(i), along(i), open[i].velocity) - taken[i];
        area[i] = law::takenBy(weightOf(i), along(i), setup.normals[i]);
    }
    const std::vector<double> beyond = pieces.sums(through), areas = pieces.sums(area);
    std::vector<double> left = pieces.sums(unpaired);
    for (std::size_t piece = 0; piece < left.size(); ++piece)
        left[piece] = areas[piece] > 0 ? (left[piece] + beyond[piece]) / areas[piece] : 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double own = law::takenByImage(weightOf(i), along(i), setup.normals[i], halfWay[i]);
        const double* image = partner[i] < 0 ? nullptr
            : std::size_t(partner[i]) == i   ? &own
                                             : &taken[std::size_t(partner[i])];
        const WallPieces::Place& at = pieces.places[i];
        values[i].velocity =
            law::balanced(open[i].velocity, weightOf(i), share(i), along(i), setup.normals[i], taken[i], image,
                          law::fromPieces(at, pieces.corners[at.block].data(), left.data()));
    }
    // What a wall takes where the fluid half-way moves along it (SlipBalance.hpp), what links are told less for it, and all that
    // either adds up from
    std::vector<double> takes(sides, 0), less(sides, 0);
    double all = 0;
    const std::vector<Vec3> told = law->told();
    for (std::size_t i = 0; i < links.size(); ++i) {
        const Link& link = flow.domain->links[links[i]];
        const Int3 d = directionOf(link.direction);
        const double share = slippingShare(*flow.domain, c.patches, link);
        for (int a = 0; a < 3; ++a) {
            EXPECT_NEAR(told[i][a], values[i].velocity[a], 4 * epsilon * most);
            takes[sideOf[i]] += 6 * weights[link.direction] * d[a] * halfWay[i][a];
            less[sideOf[i]] += 6 * weights[link.direction] * share * d[a] * (open[i].velocity[a] - told[i][a]);
            all += 6 * weights[link.direction] * std::abs(d[a] * halfWay[i][a]);
        }
    }
    EXPECT_GT(most, 0.01);
    EXPECT_GT(pieces.count, 3 * sides);
    ASSERT_EQ(law->pieces(), pieces.count);
    ASSERT_EQ(beyond.size(), pieces.count);
    std::vector<std::uint32_t> sideOfPiece(pieces.count, sides);
    for (std::size_t i = 0; i < links.size(); ++i)
        for (const std::uint32_t piece : pieces.corners[pieces.places[i].block]) sideOfPiece[piece] = sideOf[i];
    std::vector<double> beyondOf(sides, 0);
    for (std::size_t piece = 0; piece < pieces.count; ++piece) {
        ASSERT_LT(sideOfPiece[piece], sides);
        beyondOf[sideOfPiece[piece]] += beyond[piece];
    }
    for (std::uint32_t side = 0; side < sides; ++side) {
        EXPECT_GT(std::abs(takes[side]), 1e3 * epsilon * all);
        EXPECT_GT(std::abs(beyondOf[side]), 1e3 * epsilon * all);
        EXPECT_NEAR(less[side], takes[side] + beyondOf[side], double(links.size()) * epsilon * all);
    }
}

} // namespace

TEST(WallLaw, linksAreToldTheSlipInBalance)
{
    for (const std::uint32_t sides : {1, 3}) linksAreToldTheSlipInBalance(sides);
}

// What a budget of memory is told of laws before they are there: no less than they hold, and little more.
TEST(WallLaw, memoryIsExpected)
{
    for (const int high : {20, 41}) {
        LawFlow f(high, LawFlow::config("WALE"));
        const auto law = f.law(0);
        const WallLawMemory expected = expectedLawMemory(LawFlow::config("WALE"), double(law->size()));
        EXPECT_GT(law->size(), 0u);
        EXPECT_EQ(expected.device, 0);
        EXPECT_GE(expected.host, double(law->bytes()));
        EXPECT_LT(expected.host, 1.25 * double(law->bytes()));
    }
}

// What links bring and take of second order in the velocity is left (lbm/api/SlippingWall.hpp).
TEST(WallLaw, keepsMass)
{
    LawFlow f;
    f.flow.begin([&](const Vec3& x) {
        const double y = std::min(x[1] - 0.5, 20.5 - x[1]);
        return Vec3{0.05 * std::pow(y / 10, 1.0 / 7) * (1 + 0.1 * std::sin(M_PI / 3 * x[0])), 0, 0};
    });
    const auto low = f.law(0), high = f.law(1);
    for (int i = 0; i < 200; ++i) {
        low->update(thinFluid, 10);
        high->update(thinFluid, 10);
        f.flow.solver->advance(10);
    }
    f.flow.advance(0);
    double gained = 0;
    for (const Macroscopic& state : f.flow.states) gained += state.density - 1;
    EXPECT_NEAR(gained, 0, 3e-6 * double(f.flow.states.size()));
}

// Links where the fluid sticks take mass and bring none: what they take comes back where it slips.
TEST(WallLaw, keepsMassWhereHalfOfAnObliqueWallSticks)
{
    const ObliqueChannel channel{40, 30};
    ASSERT_LT(channel.width, channel.period);
    const Config c = LawFlow::config("WALE");
    Flow flow(channel.domain(), c);
    flow.begin([&](const Vec3&) { return channel.along(0.05); });
    std::vector<std::unique_ptr<WallLaw>> laws;
    for (const int patch : {0, 1}) {
        WallLawSetup setup;
        setup.patch = patch;
        setup.patches = c.patches;
        for (const Link& link : flow.domain->links) {
            if (link.patch != patch) continue;
            setup.normals.push_back(channel.outwards(patch));
            setup.sticks.push_back(flow.domain->coordinates(link.node)[0] < flow.domain->size[0] / 2);
        }
        laws.push_back(placeLaw(*flow.solver, setup));
    }
    for (int i = 0; i < 500; ++i) {
        for (const auto& law : laws) law->update(thinFluid, 10);
        flow.solver->advance(10);
    }
    flow.advance(0);
    double gained = 0;
    for (const Macroscopic& state : flow.states) gained += state.density - 1;
    EXPECT_NEAR(gained / double(flow.states.size()), 0, 2e-4);
}

namespace {

// A square box turned against the lattice, all of whose walls have the law, and one of which moves along itself: what its mass changes
// by in the second half of so many updates, a node.
double driftOfTurnedBox(const std::string& collision, const std::string& closure, int updates)
{
    const double side = 21.4, middle = 16.2, angle = 0.44, speed = 0.08;
    const auto towards = [=](int k) {
        return Vec3{std::cos(angle + k * std::acos(0)), std::sin(angle + k * std::acos(0)), 0};
    };
    std::vector<Level> levels;
    for (int k = 0; k < 4; ++k)
        levels.push_back([=](const Vec3& x) {
            return side / 2 - (x[0] - middle) * towards(k)[0] - (x[1] - middle) * towards(k)[1];
        });
    Config c = LawFlow::config(closure, collision);
    c.patches.assign(4, c.patches[0]);
    const int n = int(2 * middle) + 1;
    Flow flow(shape({n, n, 1}, {false, false, false}, levels), c);
    flow.begin([](const Vec3&) { return Vec3{0, 0, 0}; });
    std::vector<std::unique_ptr<WallLaw>> laws;
    for (int k = 0; k < 4; ++k) {
        WallLawSetup setup;
        setup.patch = k;
        setup.patches = c.patches;
        for (const Link& link : flow.domain->links)
            if (link.patch == k) setup.normals.push_back(towards(k));
        laws.push_back(placeLaw(*flow.solver, setup));
    }
    laws[1]->setWall(std::vector<Vec3>(laws[1]->size(), Vec3{speed * towards(2)[0], speed * towards(2)[1], 0}));
    const auto mass = [&] {
        flow.advance(0);
        double sum = 0;
        for (const Macroscopic& state : flow.states) sum += state.density;
        return sum / double(flow.states.size());
    };
    double half = 0;
    for (int i = 0; i < updates; ++i) {
        if (2 * i == updates) half = mass();
        for (const auto& law : laws) law->update(thinFluid, 10);
        flow.solver->advance(10);
    }
    return mass() - half;
}

} // namespace

// Links of nodes at all distances from a wall let a part of the flow through: it comes back.
TEST(WallLaw, whatLinksLetThroughComesBack)
{
    int met = 0;
    for (const auto& [collision, closure] : besideEddies) {
        if (!leftOut(LawFlow::config(closure, collision)).empty()) continue;
        ++met;
        EXPECT_LT(std::abs(driftOfTurnedBox(collision, closure, 800)), 1e-4) << collision;
    }
    if (met == 0) GTEST_SKIP() << "none of the collisions in this build";
}

// A flow that goes with the wall sees none of it; the wall's own velocity is told on top.
TEST(WallLaw, onlyWhatIsPastTheWallCounts)
{
    LawFlow still, moving;
    const auto rest = still.law(0), along = moving.law(0);
    along->setWall(std::vector<Vec3>(along->size(), Vec3{0.02, 0, 0}));
    // Without a guard the node's own speed does not count
    const double fluid = 1e-3;
    still.flow.begin([](const Vec3& x) { return Vec3{0.002 * x[1], 0, 0}; });
    moving.flow.begin([](const Vec3& x) { return Vec3{0.02 + 0.002 * x[1], 0, 0}; });
    rest->update(fluid, 10);
    along->update(fluid, 10);
    for (std::size_t i = 0; i < rest->size(); ++i)
        for (int k = 0; k < 3; ++k)
            for (int a = 0; a < 3; ++a) EXPECT_NEAR(member(*along, k, i)[a], member(*rest, k, i)[a], 1e-12);
    double told = 0, toldAtRest = 0;
    for (const Vec3& u : along->told()) told += u[0] / along->size();
    for (const Vec3& u : rest->told()) toldAtRest += u[0] / rest->size();
    EXPECT_NEAR(told - toldAtRest, 0.02, 1e-3); // but for what populations carry in second order
    along->setWall({});
    for (std::size_t i = 0; i < rest->size(); ++i) EXPECT_NEAR(along->told()[i][0], rest->told()[i][0], 1e-12);
}

// Another law that is given the state tells the same to the last bit; in other units it is the same stress.
TEST(WallLaw, goesOnFromItsState)
{
    LawFlow f;
    const auto flowAt = [&](double u) {
        f.flow.begin([&](const Vec3& x) {
            return Vec3{u * (1 + 0.01 * x[1] + 0.05 * std::cos(M_PI / 3 * x[0])), 0, 0};
        });
    };
    flowAt(0.03);
    const auto law = f.law(0);
    EXPECT_TRUE(law->state().empty());
    law->update(thinFluid, 10);
    flowAt(0.04);
    law->update(thinFluid, 10);
    const auto other = f.law(0);
    other->setState(law->state());
    EXPECT_EQ(other->told(), law->told());
    flowAt(0.05);
    law->update(thinFluid, 10);
    other->update(thinFluid, 10);
    EXPECT_EQ(other->state(), law->state());
    EXPECT_EQ(other->told(), law->told());
    law->convert(0.5);
    for (std::size_t i = 0; i < law->size(); ++i) {
        EXPECT_DOUBLE_EQ(member(*law, 0, i)[0], 0.25 * member(*other, 0, i)[0]);
        EXPECT_DOUBLE_EQ(member(*law, 1, i)[0], 0.5 * member(*other, 1, i)[0]);
    }
}

// However many threads, and parts, there are.
TEST(WallLaw, isTheSameForAnyNumberOfThreadsAndParts)
{
    const auto toldWith = [](int threads, int parts) {
        Config c = LawFlow::config("smagorinsky");
        c.storage = "ab";
        c.arithmetic = "scalar"; // whose results do not depend on where a node lies in its tile
        c.parts = parts;
        Domain domain = shape({700, 22, 1}, {true, false, false},
                              {[](const Vec3& x) { return x[1] - 0.5; }, [](const Vec3& x) { return 20.5 - x[1]; }});
        Flow flow(std::move(domain), c);
        flow.begin([](const Vec3& x) { return Vec3{0.05 + 0.01 * std::sin(M_PI / 70 * x[0]) + 0.001 * x[1], 0, 0}; });
        WallLawSetup setup;
        setup.patches = c.patches;
        setup.threads = threads;
        for (const Link& link : flow.domain->links)
            if (link.patch == 0) setup.normals.push_back({0, -1, 0});
        const auto law = placeLaw(*flow.solver, setup);
        for (int i = 0; i < 3; ++i) {
            law->update(thinFluid, 10);
            flow.solver->advance(10);
        }
        return law->told();
    };
    const std::vector<Vec3> one = toldWith(1, 1);
    EXPECT_GT(one.size(), 1000u);
    EXPECT_EQ(toldWith(3, 1), one);
    EXPECT_EQ(toldWith(2, 2), one);
}

namespace {

// What a law comes to in an oblique channel that is one node wide at a place, whose other wall moves and is told by somebody else.
struct Followed {
    std::vector<double> state;
    std::vector<Vec3> told;
    std::vector<double> flow; // states of nodes
    WallLaw::Report report;
    bool onDevice = false;
};

// On D2Q9, or nodes deep on D3Q19.
Followed followedOn(const std::string& device, const std::string& precision, int depth, const std::string& collision,
                    const std::string& closure, const std::string& tile = {})
{
    const int n = 24, run = 2, rise = 1;
    const double length = std::hypot(run, rise), period = rise * n * run / length, widest = 17;
    const auto above = [=](const Vec3& x) {
        const double h = (x[1] * run - x[0] * rise) / length - 0.35 - widest / 2;
        return h - period * std::round(h / period) + widest / 2;
    };
    const auto width = [=](const Vec3& x) { return widest - 15.8 * std::exp(-std::pow((x[0] - n) / 3, 2)); };
    Config c = LawFlow::config(closure, collision);
    c.device = device;
    c.precision = precision;
    c.tile = tile;
    Flow flow(shape({run * n, rise * n, depth}, {true, true, depth > 1},
                    {above, [=](const Vec3& x) { return width(x) - above(x); }}),
              c);
    flow.begin([&](const Vec3& x) {
        const double u = 0.02 * (1 + 0.2 * std::sin(M_PI / n * x[0]));
        return Vec3{u * run / length, u * rise / length, 0};
    });
    WallLawSetup setup;
    setup.patches = c.patches;
    for (const Link& link : flow.domain->links)
        if (link.patch == 0) setup.normals.push_back({rise / length, -run / length, 0});
    for (std::size_t i = 0; i < setup.normals.size(); ++i)
        setup.sides.push_back(std::uint32_t(3 * i / setup.normals.size()));
    const auto law = placeLaw(*flow.solver, setup);
    for (int i = 0; i < 10; ++i) {
        law->update(1e-4, 10);
        const Vec3 wall{0.001 * i, 0.0005 * i, 0};
        const auto values =
            linkValues(*flow.domain, 1, BoundaryKind::interpolatedWall, [&](const Vec3&) { return wall; });
        flow.solver->setBoundary(1, values.data(), values.size());
        if (i == 5) law->setWall(std::vector<Vec3>(law->size(), Vec3{0.002, 0.001, 0}));
        flow.solver->advance(10);
    }
    Followed all{law->state(), law->told(), {}, law->report(1e-4), law->onDevice()};
    EXPECT_GT(law->pieces(), 3u);
    const auto again = placeLaw(*flow.solver, setup);
    again->setWall(std::vector<Vec3>(law->size(), Vec3{0.002, 0.001, 0}));
    again->setState(all.state);
    EXPECT_EQ(again->state(), all.state) << device;
    EXPECT_EQ(again->told(), all.told) << device;
    flow.advance(0);
    for (const Macroscopic& state : flow.states) {
        all.flow.insert(all.flow.end(), {state.density, state.velocity[0], state.velocity[1]});
        all.flow.insert(all.flow.end(), state.strainRate.begin(), state.strainRate.end());
    }
    return all;
}

double apart(const std::vector<double>& a, const std::vector<double>& b)
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    double most = a.size() == b.size() ? 0 : infinite;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        most = std::isfinite(difference) ? std::max(most, difference) : infinite;
    }
    return most;
}

} // namespace

TEST(WallLaw, isFollowedBesideOtherWalls)
{
    int met = 0;
    for (const auto& [collision, closure] : besideEddies) {
        if (!leftOut(LawFlow::config(closure, collision)).empty()) continue;
        ++met;
        const Followed host = followedOn("cpu", "double", 1, collision, closure);
        EXPECT_FALSE(host.onDevice);
        EXPECT_GT(host.report.yPlus, 1);
        for (const double value : host.flow) ASSERT_LT(std::abs(value - (value > 0.5 ? 1 : 0)), 0.1) << collision;
    }
    if (met == 0) GTEST_SKIP() << "none of the collisions in this build";
}

TEST(WallLaw, isTheSameOnADevice)
{
    SKIP_WITHOUT_DEVICE();
    int rows = 0;
    for (const auto& [row, collision, closure] : [] {
             std::vector<std::tuple<KernelRow, std::string, std::string>> found;
             for (const KernelRow& row : kernels())
                 for (const auto& [collision, closure] : besideEddies)
                     if (row.device == "cuda" && row.storage == "moments" && row.collision == collision
                         && row.closure == findClosure(closure)->kernel && row.equilibrium == "incompressible"
                         && (row.lattice == "D2Q9" || row.lattice == "D3Q19"))
                         found.emplace_back(row, collision, closure);
             return found;
         }()) {
        ++rows;
        const int depth = row.lattice == "D2Q9" ? 1 : 8;
        const Followed host = followedOn("cpu", "double", depth, collision, closure),
                       device = followedOn("cuda", row.precision, depth, collision, closure, row.tile);
        const double tolerance = row.precision == "double" ? 1e-10 : 2e-4;
        EXPECT_TRUE(device.onDevice);
        EXPECT_LT(apart(device.state, host.state), tolerance) << name(row);
        EXPECT_LT(apart(device.flow, host.flow), tolerance) << name(row);
        EXPECT_NEAR(device.report.yPlus, host.report.yPlus, 100 * tolerance * host.report.yPlus) << name(row);
        for (std::size_t i = 0; i < host.told.size(); ++i)
            for (int a = 0; a < 3; ++a) EXPECT_NEAR(device.told[i][a], host.told[i][a], tolerance) << name(row);
    }
    if (rows == 0) GTEST_SKIP() << "no moments with eddies for a device in this build";
}

// Where the lattice does not resolve the fluid it sticks.
TEST(WallLaw, sticksWhereItIsToldTo)
{
    LawFlow f;
    f.flow.begin([](const Vec3&) { return Vec3{0.05, 0, 0}; });
    WallLawSetup setup = f.setup(0);
    setup.sticks.assign(setup.normals.size(), true);
    const auto law = placeLaw(*f.flow.solver, setup);
    law->update(thinFluid, 10);
    for (const Vec3& u : law->told()) EXPECT_EQ(u, (Vec3{0, 0, 0}));
}

TEST(WallLaw, refusesWhatMakesNoSense)
{
    LawFlow f;
    const auto place = [&](const std::function<void(WallLawSetup&)>& change) {
        WallLawSetup setup = f.setup(0);
        change(setup);
        placeLaw(*f.flow.solver, setup);
    };
    EXPECT_NO_THROW(place([](WallLawSetup&) {}));
    EXPECT_THROW(place([](WallLawSetup& s) { s.patch = 2; }), std::invalid_argument);
    EXPECT_THROW(place([](WallLawSetup& s) { s.normals.pop_back(); }), std::invalid_argument);
    EXPECT_THROW(place([](WallLawSetup& s) { s.sticks.assign(1, true); }), std::invalid_argument);
    EXPECT_THROW(place([](WallLawSetup& s) { s.sides.assign(1, 0); }), std::invalid_argument);
    EXPECT_THROW(place([](WallLawSetup& s) { s.sides.assign(s.normals.size(), 1 << 20); }), std::invalid_argument);
    EXPECT_THROW(place([](WallLawSetup& s) { s.kappa = 0; }), std::invalid_argument);
    EXPECT_THROW(place([](WallLawSetup& s) { s.E = -1; }), std::invalid_argument);
    EXPECT_THROW(place([](WallLawSetup& s) { s.patches[0].scheme = WallScheme::linear; }), std::invalid_argument);
    EXPECT_THROW(place([](WallLawSetup& s) { s.patches.pop_back(); }), std::invalid_argument);
    const auto law = f.law(0);
    EXPECT_THROW(law->update(0, 10), std::invalid_argument);
    EXPECT_THROW(law->setWall({{0, 0, 0}}), std::invalid_argument);
    EXPECT_THROW(law->setState({0, 0, 0}), std::invalid_argument);
}

} // namespace lbm::test
