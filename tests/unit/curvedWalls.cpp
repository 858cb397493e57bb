// Interpolated walls: exact for linear profiles wherever the wall lies, second order on inclined and round walls.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/Solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

using namespace lbm;

namespace {

using Level = std::function<double(double x, double y)>;    // positive in the fluid, its zero is the wall

// Every link of a fluid node that meets a level's zero, by bisection. Patch p is the wall of level p.
Domain shape(int nx, int ny, bool periodic, const std::vector<Level>& levels)
{
    Domain d;
    d.dimensions = 2;
    d.size = {nx, ny, 1};
    d.periodic = {periodic, periodic, false};
    d.fluid = BitSet(d.nodes());
    auto level = [&](double x, double y) {
        double least = levels[0](x, y);
        for (const Level& l : levels) least = std::min(least, l(x, y));
        return least;
    };
    for (std::size_t p = 0; p < levels.size(); ++p) d.patches.push_back("wall" + std::to_string(p));
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        if (level(d.coordinates(i)[0], d.coordinates(i)[1]) > 0) d.fluid.set(i);
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        if (!d.fluid[i]) continue;
        const Int3 x = d.coordinates(i);
        for (std::uint8_t code = 9; code < 18; ++code) {
            const Int3 c = directionOf(code);
            if (code == 13 || level(x[0] + c[0], x[1] + c[1]) > 0) continue;
            double inside = 0, outside = 1;
            for (int k = 0; k < 50; ++k) {
                const double s = (inside + outside)/2;
                (level(x[0] + s*c[0], x[1] + s*c[1]) > 0 ? inside : outside) = s;
            }
            std::int16_t patch = 0;
            while (levels[patch](x[0] + outside*c[0], x[1] + outside*c[1]) > 0) ++patch;
            d.links.push_back({i, float(std::max(outside, 1e-6)), patch, code});
        }
    }
    d.check();
    return d;
}

struct Flow {
    std::shared_ptr<const Domain> domain;
    std::unique_ptr<Solver> solver;
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;
};

Flow start(Domain domain, Config c)
{
    Flow flow;
    flow.domain = std::make_shared<const Domain>(std::move(domain));
    c.lattice = "D2Q9";
    c.collision = "trt";
    flow.solver = makeSolver(flow.domain, c);
    for (NodeIndex i = 0; i < flow.domain->nodes(); ++i)
        if (flow.domain->fluid[i]) flow.nodes.push_back(i);
    flow.states.resize(flow.nodes.size());
    return flow;
}

void advance(Flow& flow, std::int64_t steps)
{
    flow.solver->advance(steps);
    flow.solver->sample(flow.nodes.data(), flow.nodes.size(), flow.states.data());
}

// Relative L2 error against exact(x, y).
double error(const Flow& flow, const std::function<std::array<double, 2>(double, double)>& exact)
{
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        const Int3 x = flow.domain->coordinates(flow.nodes[i]);
        const auto u = exact(x[0], x[1]);
        for (int a = 0; a < 2; ++a) {
            difference += std::pow(flow.states[i].velocity[a] - u[a], 2);
            norm += u[a]*u[a];
        }
    }
    return std::sqrt(difference/norm);
}

} // namespace

class CurvedWallTest : public testing::Test {
protected:
    Config config(std::size_t patches, BoundaryKind kind = BoundaryKind::interpolatedWall) const
    {
        Config c;
        c.patches.assign(patches, {kind, {0, 0, 0}, 1});
        c.tau = 0.8;
        return c;
    }

    // A channel that rises by one in two, between the periodic sides of a box of 2n x n nodes.
    double inclined(int n, BoundaryKind kind) const
    {
        const double slope = 0.5, cosine = 1/std::hypot(1, slope), sine = slope*cosine;
        const double period = n*cosine, width = 0.7*period, low = 0.137*period;
        auto height = [=](double x, double y) { return (y - slope*x)*cosine; };
        // Distance above the lower wall, of the periodic copy that is nearest to the channel's middle.
        auto above = [=](double x, double y) {
            const double h = height(x, y) - low - width/2;
            return h - period*std::round(h/period) + width/2;
        };
        const Level lower = [=](double x, double y) { return above(x, y); };
        const Level upper = [=](double x, double y) { return width - above(x, y); };
        Config c = config(2, kind);
        const double viscosity = (c.tau - 0.5)/3, speed = 0.1/n, force = 8*viscosity*speed/(width*width);
        c.force = {force*cosine, force*sine, 0};
        Flow flow = start(shape(2*n, n, true, {lower, upper}), c);
        advance(flow, std::int64_t(2*width*width/viscosity));
        return error(flow, [=](double x, double y) {
            const double h = above(x, y)/width, u = 4*speed*h*(1 - h);
            return std::array{u*cosine, u*sine};
        });
    }

    // Cylinders about a common axis, the inner one turning.
    double rotating(int n, BoundaryKind kind) const
    {
        const double outer = 0.45*n, inner = 0.2*n, cx = n/2.0 + 0.21, cy = n/2.0 - 0.13, rim = 0.05;
        auto radius = [=](double x, double y) { return std::hypot(x - cx, y - cy); };
        Domain d = shape(n, n, false, {[=](double x, double y) { return radius(x, y) - inner; },
                                       [=](double x, double y) { return outer - radius(x, y); }});
        std::vector<LinkValue> values;
        for (const Link& link : d.links) {
            if (link.patch != 0) continue;
            const Int3 x = d.coordinates(link.node), e = directionOf(link.direction);
            const double wx = x[0] + link.fraction*e[0] - cx, wy = x[1] + link.fraction*e[1] - cy;
            values.push_back({kind, {-rim/inner*wy/n, rim/inner*wx/n, 0}, 1});
        }
        const Config c = config(2, kind);
        const double viscosity = (c.tau - 0.5)/3;
        Flow flow = start(std::move(d), c);
        flow.solver->setBoundary(0, values.data(), values.size());
        advance(flow, std::int64_t(2*std::pow(outer - inner, 2)/viscosity));
        const double swirl = rim/n*inner/(outer*outer - inner*inner);
        return error(flow, [=](double x, double y) {
            const double r = radius(x, y), u = swirl*(outer*outer/r - r);
            return std::array{-u*(y - cy)/r, u*(x - cx)/r};
        });
    }
};

TEST_F(CurvedWallTest, couetteIsExactWhereverTheWallLies)
{
    for (double shift : {0.03, 0.3, 0.5, 0.71, 0.99}) {
        const double top = 7 + shift, bottom = 1 - shift/2;
        Domain d = shape(6, 9, true, {[=](double, double y) { return y - bottom; }, [=](double, double y) { return top - y; }});
        d.periodic[1] = false;
        Config c = config(2);
        c.patches[1].velocity = {1e-3, 0, 0};
        Flow flow = start(std::move(d), c);
        advance(flow, 4000);
        EXPECT_LT(error(flow, [=](double, double y) { return std::array{1e-3*(y - bottom)/(top - bottom), 0.0}; }), 1e-6)
            << shift;
    }
}

// The wall turns with the fluid as one body: exact from any start, which needs every disturbance damped.
TEST_F(CurvedWallTest, rigidRotationIsExact)
{
    const int n = 20;
    const double radius = 0.45*n, cx = n/2.0 + 0.21, cy = n/2.0 - 0.13, spin = 1e-4;
    Domain d = shape(n, n, false, {[=](double x, double y) { return radius - std::hypot(x - cx, y - cy); }});
    std::vector<LinkValue> values;
    for (const Link& link : d.links) {
        const Int3 x = d.coordinates(link.node), e = directionOf(link.direction);
        values.push_back({BoundaryKind::interpolatedWall,
                          {-spin*(x[1] + link.fraction*e[1] - cy), spin*(x[0] + link.fraction*e[0] - cx), 0}, 1});
    }
    Flow flow = start(std::move(d), config(1));
    flow.solver->setBoundary(0, values.data(), values.size());
    advance(flow, 5000);
    EXPECT_LT(error(flow, [=](double x, double y) { return std::array{-spin*(y - cy), spin*(x - cx)}; }), 1e-6);
}

TEST_F(CurvedWallTest, inclinedChannelIsSecondOrder)
{
    const double coarse = inclined(20, BoundaryKind::interpolatedWall), fine = inclined(60, BoundaryKind::interpolatedWall);
    EXPECT_GT(std::log(coarse/fine)/std::log(3), 1.8) << coarse << " " << fine;
    EXPECT_LT(fine, 0.1*inclined(60, BoundaryKind::wall));
}

TEST_F(CurvedWallTest, rotatingCylinderIsSecondOrder)
{
    const double coarse = rotating(20, BoundaryKind::interpolatedWall), fine = rotating(60, BoundaryKind::interpolatedWall);
    EXPECT_GT(std::log(coarse/fine)/std::log(3), 1.8) << coarse << " " << fine;
    EXPECT_LT(fine, 0.2*rotating(60, BoundaryKind::movingWall));
}
