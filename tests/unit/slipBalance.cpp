// Walls past which the fluid slips bring none of it. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/SlipBalance.hpp"
#include "lbm/api/SlippingWall.hpp"
#include "lbm/api/Solver.hpp"
#include "lbm/api/WallPieces.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace lbm::test {
namespace {

constexpr int high = 4, wide = 12, edge = 6;

enum class Ends { none, step, openings };

// A floor below y = 3/2 that ends in a step at x = edge - 1/2, goes on for ever, or lies between an inlet and an outlet, which are
// patch 2. Links are those of one patch, the others' lie among them: all of it, or what is before `second`.
struct Floor {
    Domain domain;
    std::vector<LinkValue> patches =
        std::vector<LinkValue>(3, {BoundaryKind::interpolatedWall, {0, 0, 0}, 1, WallScheme::slipping});
    int second;
    std::vector<std::size_t> links;
    std::vector<Vec3> normals, velocities;
    std::vector<double> weights = std::vector<double>(27, 0);

    Floor(Ends ends, const std::function<double(double)>& slip, int second = wide) : second(second)
    {
        patches[2].kind = BoundaryKind::velocity;
        const auto directions = latticeDirections("D2Q9");
        const auto of = latticeWeights("D2Q9");
        for (std::size_t q = 0; q < of.size(); ++q) {
            const Int3& c = directions[q];
            weights[directionCode(c[0], c[1], c[2])] = of[q];
        }
        domain.dimensions = 2;
        domain.size = {wide, high + 2, 1};
        domain.periodic = {ends != Ends::openings, false, false};
        domain.fluid = BitSet(domain.nodes());
        const auto solid = [ends](const Int3& x) { return x[1] < (ends == Ends::step && x[0] >= edge ? 0 : 2); };
        for (NodeIndex i = 0; i < domain.nodes(); ++i) domain.fluid.set(i, !solid(domain.coordinates(i)));
        for (NodeIndex i = 0; i < domain.nodes(); ++i) {
            const Int3 x = domain.coordinates(i);
            if (solid(x)) continue;
            std::vector<int> codes;
            for (const Int3& c : directions) {
                const NodeIndex there = domain.neighbour(x, c);
                const bool open = ends == Ends::openings && (x[0] + c[0] < 0 || x[0] + c[0] >= wide);
                if (open || (there >= 0 && !domain.fluid[there])) codes.push_back(directionCode(c[0], c[1], c[2]));
            }
            std::sort(codes.begin(), codes.end());
            for (const int code : codes) add(i, x, directionOf(std::uint8_t(code)), slip);
        }
    }

    void add(NodeIndex node, const Int3& x, const Int3& c, const std::function<double(double)>& slip)
    {
        Link link;
        link.node = node;
        link.direction = directionCode(c[0], c[1], c[2]);
        link.fraction = 0.5f;
        link.patch = x[1] + c[1] >= 2 && domain.neighbour(x, c) < 0 ? 2 : x[0] >= second;
        domain.links.push_back(link);
        if (link.patch > 0) return;
        links.push_back(domain.links.size() - 1);
        const bool top = x[1] >= 2;
        normals.push_back(top ? Vec3{0, -1, 0} : Vec3{c[0] < 0 ? -1.0 : 1.0, 0, 0});
        velocities.push_back({top ? slip(x[0]) : 0, 0, 0});
    }

    std::vector<LinkValue> told() const
    {
        std::vector<LinkValue> values(links.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i].velocity = velocities[i];
        return values;
    }
    std::vector<LinkValue> closed() const
    {
        auto values = told();
        SlipBalance(domain, patches, links, normals, weights).close(velocities, values.data());
        return values;
    }
    // Of the mass that links take: from what the fluid does, and from what they are told besides.
    double taken(const std::vector<LinkValue>& values) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Link& link = domain.links[links[i]];
            const Int3 c = directionOf(link.direction);
            const double share = slippingShare(domain, patches, link);
            for (int a = 0; a < 3; ++a) {
                const double u = velocities[i][a] + share * (values[i].velocity[a] - velocities[i][a]);
                sum += 6 * weights[link.direction] * c[a] * u;
            }
        }
        return sum;
    }
};

// A square box turned against the lattice, of which one wall moves along itself. Links are told its velocity once in a while.
struct TurnedBox {
    static constexpr double side = 21.4, middle = 16.2, angle = 0.44, speed = 0.08;
    static constexpr std::int64_t interval = 10;
    Config config;
    std::unique_ptr<Flow> flow;
    std::vector<std::size_t> links;
    std::vector<Vec3> normals, velocities;
    std::vector<double> weights = std::vector<double>(27, 0);

    // Towards wall k, from the middle
    static Vec3 towards(int k) { return {std::cos(angle + k * std::acos(0)), std::sin(angle + k * std::acos(0)), 0}; }
    static double before(int k, const Vec3& x)
    {
        return side / 2 - (x[0] - middle) * towards(k)[0] - (x[1] - middle) * towards(k)[1];
    }

    TurnedBox()
    {
        config.collision = "regularized";
        config.storage = "moments";
        config.tau = 0.51;
        config.patches.assign(1, {BoundaryKind::interpolatedWall, {0, 0, 0}, 1, WallScheme::slipping});
        const int n = int(2 * middle) + 1;
        flow = std::make_unique<Flow>(shape({n, n, 1}, {false, false, false}, {[](const Vec3& x) {
                                                double least = side;
                                                for (int k = 0; k < 4; ++k) least = std::min(least, before(k, x));
                                                return least;
                                            }}),
                                      config);
        const auto directions = latticeDirections("D2Q9");
        const auto of = latticeWeights("D2Q9");
        for (std::size_t q = 0; q < of.size(); ++q)
            weights[directionCode(directions[q][0], directions[q][1], directions[q][2])] = of[q];
        const Domain& domain = *flow->domain;
        for (std::size_t i = 0; i < domain.links.size(); ++i) {
            const Link& link = domain.links[i];
            const Int3 at = domain.coordinates(link.node), c = directionOf(link.direction);
            Vec3 x;
            for (int a = 0; a < 3; ++a) x[a] = at[a] + link.fraction * c[a];
            int wall = 0;
            for (int k = 1; k < 4; ++k)
                if (std::abs(before(k, x)) < std::abs(before(wall, x))) wall = k;
            links.push_back(i);
            normals.push_back(towards(wall));
            const double u = wall == 1 ? speed : 0;
            velocities.push_back({u * towards(wall + 1)[0], u * towards(wall + 1)[1], 0});
        }
        flow->begin([](const Vec3&) { return Vec3{0, 0, 0}; });
    }

    double mass() const
    {
        double sum = 0;
        for (const Macroscopic& state : flow->states) sum += state.density;
        return sum / double(flow->states.size());
    }

    // Counts, tells links, and goes on. share: of what is counted. Returns what the mass changes by.
    double advance(const SlipBalance& balance, const NodeSet& passing, double share, std::int64_t steps)
    {
        Solver& solver = *flow->solver;
        std::vector<double> passed(links.size());
        std::vector<LinkValue> values(links.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            values[k].kind = BoundaryKind::interpolatedWall;
            values[k].velocity = velocities[k];
        }
        solver.sumPopulations(passing, passed.data());
        beyond += share * (balance.beyond(passed, velocities, values.data()) - beyond);
        balance.close(velocities, values.data(), beyond);
        solver.setBoundary(0, values.data(), values.size());
        const double before = mass();
        flow->advance(steps);
        return mass() - before;
    }

    // In the second half of so many intervals, and in a step before which what is counted was told.
    struct Drifts {
        double half = 0, step = 0;
    };
    Drifts drifts(int intervals, double share)
    {
        const SlipBalance balance(*flow->domain, config.patches, links, normals, weights);
        const auto passing = flow->solver->place(SlipBalance::passing(*flow->solver, config.patches, links));
        flow->advance(0);
        Drifts drifts;
        for (int i = 0; i < intervals; ++i) {
            const double change = advance(balance, *passing, share, interval);
            if (2 * i >= intervals) drifts.half += change;
        }
        drifts.step = advance(balance, *passing, 1, 1);
        return drifts;
    }
    double beyond = 0;
};

double most(const std::vector<LinkValue>& values)
{
    double speed = 0;
    for (const LinkValue& value : values) speed = std::max(speed, std::abs(value.velocity[1]));
    return speed;
}

} // namespace

TEST(SlipBalance, evenStreamIsLeftAlone)
{
    const Floor floor(Ends::none, [](double) { return 0.05; });
    const auto told = floor.told(), closed = floor.closed();
    for (std::size_t i = 0; i < told.size(); ++i)
        for (int a = 0; a < 3; ++a) EXPECT_NEAR(closed[i].velocity[a], told[i].velocity[a], 1e-15) << i;
}

// Where the slip changes, links that mirror each other are told a half each: nothing is spread over the wall.
TEST(SlipBalance, changeAlongAFloorStaysWhereItIs)
{
    const Floor floor(Ends::none, [](double x) { return x > 4 && x < 8 ? 0.06 : 0.05; });
    const auto closed = floor.closed();
    EXPECT_NEAR(floor.taken(closed), 0, 1e-15);
    for (std::size_t i = 0; i < closed.size(); ++i) {
        const double x = floor.domain.coordinates(floor.domain.links[i].node)[0];
        if (x < 2 || x > 10) EXPECT_NEAR(closed[i].velocity[1], 0, 1e-15) << x;
    }
}

// Through the corners between floor and openings the stream enters and leaves; the rest of the floor brings nothing.
TEST(SlipBalance, streamPassesWhereAFloorMeetsOpenings)
{
    const Floor floor(Ends::openings, [](double x) { return 0.03 + 0.002 * x; });
    const auto told = floor.told(), closed = floor.closed();
    const double corner = 6 * floor.weights[directionCode(1, -1, 0)];
    EXPECT_NEAR(floor.taken(closed), corner * (floor.velocities.back()[0] - floor.velocities.front()[0]), 1e-15);
    EXPECT_EQ(closed.front().velocity, told.front().velocity);
    EXPECT_EQ(closed.back().velocity, told.back().velocity);
    EXPECT_LT(most(closed), 0.002);
}

// Half-way off the wall the fluid may move across it.
TEST(SlipBalance, whatTheFluidDoesAcrossAFloorIsTakenOff)
{
    for (const Ends ends : {Ends::none, Ends::openings}) {
        Floor floor(ends, [](double) { return 0.05; });
        for (std::size_t i = 0; i < floor.velocities.size(); ++i)
            floor.velocities[i][1] = 0.001 * (1 + floor.domain.coordinates(floor.domain.links[floor.links[i]].node)[0]);
        EXPECT_GT(std::abs(floor.taken(floor.told())), 1e-3);
        EXPECT_NEAR(floor.taken(floor.closed()), 0, 1e-15);
    }
}

TEST(SlipBalance, floorThatEndsBringsNothing)
{
    const Floor floor(Ends::step, [](double x) { return x < 2 ? 0.02 : 0.05; }); // ends on both sides
    EXPECT_GT(std::abs(floor.taken(floor.told())), 1e-3);
    const auto closed = floor.closed();
    EXPECT_NEAR(floor.taken(closed), 0, 1e-15);
    EXPECT_LT(most(closed), 0.02);
}

// Where another patch goes on, images of links are that patch's: each brings nothing by itself.
TEST(SlipBalance, aPatchThatAnotherGoesOnFromBringsNothing)
{
    const Floor floor(
        Ends::step, [](double x) { return x < 2 ? 0.02 : 0.05; }, 4);
    EXPECT_GT(std::abs(floor.taken(floor.told())), 1e-3);
    EXPECT_NEAR(floor.taken(floor.closed()), 0, 1e-15);
}

// Of nodes that stand at all distances from a wall links let a part of the flow through; counted, it comes back.
TEST(SlipBalance, whatLinksLetThroughComesBack)
{
    const TurnedBox::Drifts uncounted = TurnedBox().drifts(800, 0), counted = TurnedBox().drifts(800, 0.02);
    EXPECT_GT(std::abs(uncounted.half), 1e-3);
    EXPECT_LT(std::abs(counted.half), 0.02 * std::abs(uncounted.half));
    EXPECT_NEAR(uncounted.step, 0, 1e-13);
}

// Pieces of a wall overlap half and half, around the ends of periodic axes, too, and none is of two sides.
TEST(WallPieces, areAboutTheirLinks)
{
    const auto above = [](const Vec3& x) { return x[1] - 0.5 - 0.1 * x[0] + (x[0] > 70 ? 14.2 : 0); };
    const Domain domain = shape({142, 60, 1}, {true, false, false}, {above});
    std::vector<std::size_t> links;
    std::vector<std::uint32_t> sides;
    std::vector<Vec3> at;
    for (std::size_t i = 0; i < domain.links.size(); ++i) {
        const Link& link = domain.links[i];
        if (link.patch != 0) continue;
        const Int3 node = domain.coordinates(link.node), c = directionOf(link.direction);
        links.push_back(i);
        at.push_back({node[0] + link.fraction * c[0], node[1] + link.fraction * c[1], 0});
        sides.push_back(at.back()[0] > 70.5);
    }
    const WallPieces pieces(domain, links, sides);
    ASSERT_EQ(pieces.places.size(), links.size());
    struct Of {
        double all = 0;
        std::set<std::uint32_t> sides;
        std::vector<std::size_t> links;
    };
    std::vector<Of> of(pieces.count);
    double sum = 0;
    for (std::size_t i = 0; i < links.size(); ++i)
        for (int k = 0; k < 8; ++k) {
            const double share = shareOf(pieces.places[i], k);
            EXPECT_GE(share, 0);
            sum += share;
            Of& piece = of[pieces.corners[pieces.places[i].block][std::size_t(k)]];
            piece.all += share;
            piece.sides.insert(sides[i]);
            if (share > 0) piece.links.push_back(i);
        }
    EXPECT_NEAR(sum, double(links.size()), 1e-9);
    // 142 nodes along x are nine pieces there, the last of which goes on in the first
    const double widths[] = {142. / 9, 60. / 4};
    for (std::size_t i = 1; i < links.size(); ++i) {
        if (pieces.places[i].block != pieces.places[i - 1].block) continue;
        for (std::size_t a = 0; a < 2; ++a)
            EXPECT_NEAR(widths[a] * (pieces.places[i].within[a] - pieces.places[i - 1].within[a]),
                        at[i][a] - at[i - 1][a], 1e-5);
    }
    std::size_t acrossTheEnd = 0, whole = 0;
    for (const Of& piece : of) {
        EXPECT_EQ(piece.sides.size(), 1u);
        for (int a = 0; a < 2; ++a) {
            double least = 1e9, most = -1e9;
            for (const std::size_t i : piece.links) {
                double x = at[i][std::size_t(a)];
                if (a == 0 && x - at[piece.links[0]][0] > 71) x -= 142;
                if (a == 0 && x - at[piece.links[0]][0] < -71) x += 142;
                least = std::min(least, x);
                most = std::max(most, x);
            }
            if (!piece.links.empty()) EXPECT_LT(most - least, 2 * widths[a]);
        }
        double low = 1e9, high = -1e9;
        for (const std::size_t i : piece.links) {
            low = std::min(low, at[i][0]);
            high = std::max(high, at[i][0]);
        }
        acrossTheEnd += high - low > 71;
        whole += piece.all > 10;
    }
    EXPECT_EQ(acrossTheEnd, 0u); // the sides end there
    EXPECT_GT(whole, 8u);
    const WallPieces one(domain, links);
    std::set<std::uint32_t> first, last;
    for (std::size_t i = 0; i < links.size(); ++i)
        for (int k = 0; k < 8; ++k) {
            const std::uint32_t piece = one.corners[one.places[i].block][std::size_t(k)];
            if (at[i][0] < 2) first.insert(piece);
            if (at[i][0] > 139) last.insert(piece);
        }
    EXPECT_TRUE(std::any_of(first.begin(), first.end(), [&](std::uint32_t piece) { return last.count(piece) > 0; }));
}

} // namespace lbm::test
