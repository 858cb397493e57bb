// Walls past which the fluid slips: a channel at an angle to the lattice, driven by a force, whose walls move along with most of
// its flow. What walls take is what they would at rest, and the flow beyond their speed the exact one.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/SlippingWall.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

// Along (run, rise), between the periodic sides of a box of run*n x rise*n nodes.
struct MovingChannel {
    int n, run, rise;
    double speed = 0.05, viscosity = 1e-3 / 3, gain = 0.003, width = 12.3, low = 0.35; // gain: per spacing at the walls

    double length() const { return std::hypot(run, rise); }
    Vec3 along(double u) const { return {u * run / length(), u * rise / length(), 0}; }
    double above(const Vec3& x) const
    {
        const double period = rise * n * run / length();
        const double h = (x[1] * run - x[0] * rise) / length() - low - width / 2;
        return h - period * std::round(h / period) + width / 2;
    }
    double beyond(const Vec3& x) const { return gain * above(x) * (1 - above(x) / width); }
    Domain domain() const
    {
        return shape(
            {run * n, rise * n, 1}, {true, true, false},
            {[*this](const Vec3& x) { return above(x); }, [*this](const Vec3& x) { return width - above(x); }});
    }
    // What a link's whole length is across the wall.
    double across(const Link& link) const
    {
        const Int3 c = directionOf(link.direction);
        return std::abs(c[1] * run - c[0] * rise) / length();
    }
};

// The exact flow beyond the walls' speed over what there is: of friction that walls take, its share of the right one.
double friction(const MovingChannel& channel, WallScheme scheme)
{
    Config c;
    c.collision = "regularized";
    c.storage = "moments";
    c.tau = 0.5 + 3 * channel.viscosity;
    c.force = channel.along(2 * channel.viscosity * channel.gain / channel.width);
    c.patches.assign(2, {BoundaryKind::interpolatedWall, {0, 0, 0}, 1, scheme});
    Flow flow(channel.domain(), c);
    for (int patch = 0; patch < 2; ++patch) {
        auto values = linkValues(*flow.domain, patch, BoundaryKind::interpolatedWall,
                                 [&](const Vec3&) { return channel.along(channel.speed); });
        auto value = values.begin();
        for (const Link& link : flow.domain->links) {
            if (link.patch != patch) continue;
            if (scheme == WallScheme::slipping)
                value->velocity = slippingWall(*flow.domain, c.patches, link, value->velocity,
                                               channel.along(channel.across(link) * channel.gain));
            ++value;
        }
        flow.solver->setBoundary(patch, values.data(), values.size());
    }
    flow.begin([&](const Vec3& x) { return channel.along(channel.speed + channel.beyond(x)); });
    flow.advance(60000);
    double exact = 0, is = 0;
    const Vec3 along = channel.along(1);
    for (std::size_t i = 0; i < flow.states.size(); ++i) {
        const Vec3& u = flow.states[i].velocity;
        exact += channel.beyond(flow.position(i));
        is += u[0] * along[0] + u[1] * along[1] - channel.speed;
    }
    return exact / is;
}

} // namespace

// Other schemes return what the flow carries past the wall as friction: linear has 1.6, 1.4 and 1.2 times the right one here.
TEST(SlippingWalls, takeTheirFrictionAtAnyAngle)
{
    for (const MovingChannel& channel : {MovingChannel{30, 2, 1}, {30, 3, 1}, {10, 7, 4}, {30, 1, 1}})
        EXPECT_NEAR(friction(channel, WallScheme::slipping), 1, 0.08) << channel.run << ':' << channel.rise;
    EXPECT_GT(friction({30, 2, 1}, WallScheme::linear), 1.3);
}

// A stream that slips evenly past a wall goes on as it is, wherever its links meet the wall.
TEST(SlippingWalls, evenStreamPasses)
{
    MovingChannel channel{12, 2, 1};
    channel.gain = 0;
    Config c;
    c.collision = "regularized";
    c.storage = "moments";
    c.tau = 0.501;
    c.patches.assign(2, {BoundaryKind::interpolatedWall, channel.along(channel.speed), 1, WallScheme::slipping});
    channel.width = 7.3;
    Flow flow(channel.domain(), c);
    const auto exact = [&](const Vec3&) { return channel.along(channel.speed); };
    flow.begin(exact);
    flow.advance(1000);
    EXPECT_LT(flow.error(exact), 1e-6);
}

} // namespace lbm::test
