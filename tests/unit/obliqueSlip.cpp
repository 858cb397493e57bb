// Planes of symmetry and slip that are oblique to the lattice: half a duct against the whole one's exact flow, second order;
// a stream along such a plane goes on as it is. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Reference.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace lbm::test {
namespace {

// A square duct along z, turned about that axis, of which a plane through the middle leaves half; `side` in nodes.
struct HalfDuct {
    double side, cosine, sine;
    Vec3 centre;

    HalfDuct(double width, double degrees, int n) :
        side(width),
        cosine(std::cos(degrees * std::numbers::pi / 180)),
        sine(std::sin(degrees * std::numbers::pi / 180)),
        centre{n / 2.0 + 0.17, n / 2.0 - 0.23, 0}
    {}

    double along(const Vec3& x) const { return (x[0] - centre[0]) * cosine + (x[1] - centre[1]) * sine; }
    double across(const Vec3& x) const { return (x[1] - centre[1]) * cosine - (x[0] - centre[0]) * sine; }
    Vec3 outward() const { return {sine, -cosine, 0}; } // of the plane

    double wall(const Vec3& x) const { return std::min(side / 2 - std::abs(along(x)), side / 2 - std::abs(across(x))); }

    // Velocity along z over force/viscosity; White, Viscous Fluid Flow, section 3-3.3.
    double velocity(const Vec3& x) const
    {
        const double a = side / 2, y = along(x), z = across(x);
        double sum = 0;
        for (int i = 1; i < 60; i += 2) {
            const double k = i * std::numbers::pi / (2 * a);
            sum += (i % 4 == 1 ? 1 : -1) / std::pow(i, 3) * (1 - std::cosh(k * z) / std::cosh(k * a)) * std::cos(k * y);
        }
        return 16 * a * a / std::pow(std::numbers::pi, 3) * sum;
    }
};

// `depth` nodes of it along z.
Domain domainOf(const HalfDuct& duct, int n, int depth)
{
    return shape({n, n, depth}, {false, false, true},
                 {[=](const Vec3& x) { return duct.wall(x); }, [=](const Vec3& x) { return duct.across(x); }});
}

// Relative L2 error of the velocity, the mean over a few widths, for places of walls between nodes differ.
double errorOfHalfDuct(double width, double degrees, const char* storage, const char* collision)
{
    double sum = 0;
    constexpr int tries = 5;
    for (int i = 0; i < tries; ++i) {
        const int n = int(width * 1.6) + 4;
        const HalfDuct duct(width + 0.2 * i, degrees, n);
        Config c;
        c.lattice = "D3Q19";
        c.storage = storage;
        c.collision = collision;
        c.tau = 0.8;
        const double force = 1e-5 * 1000 / std::pow(width, 3);
        c.force = {0, 0, force};
        c.patches = {{BoundaryKind::interpolatedWall, {0, 0, 0}, 1, WallScheme::quadratic},
                     {BoundaryKind::slip, duct.outward(), 1}};
        Flow flow(domainOf(duct, n, 2), c);
        const auto exact = [=](const Vec3& x) { return Vec3{0, 0, duct.velocity(x) * force / ((c.tau - 0.5) / 3)}; };
        flow.begin(exact);
        flow.advance(std::int64_t(3 * width * width));
        sum += flow.error(exact);
    }
    return sum / tries;
}

double orderOf(double coarse, double fine) { return std::log(coarse / fine) / std::log(2); }

} // namespace

class ObliqueSlip : public testing::TestWithParam<const char*> {
protected:
    static const char* collision() { return std::string(GetParam()) == "moments" ? "regularized" : "trt"; }
};

TEST_P(ObliqueSlip, halfADuctIsSecondOrder)
{
    for (const double degrees : {17.0, 30.0}) {
        const double coarse = errorOfHalfDuct(12, degrees, GetParam(), collision()),
                     fine = errorOfHalfDuct(24, degrees, GetParam(), collision());
        EXPECT_GT(orderOf(coarse, fine), 1.8) << degrees << ' ' << coarse << ' ' << fine;
        EXPECT_LT(fine, 0.003) << degrees;
    }
}

TEST_P(ObliqueSlip, halfADuctAlongADiagonal) { EXPECT_LT(errorOfHalfDuct(24, 45, GetParam(), collision()), 0.003); }

TEST_P(ObliqueSlip, agreesWithTheReference)
{
    const int n = 16;
    const HalfDuct duct(9, 30, n);
    Config c;
    c.lattice = "D3Q19";
    c.storage = GetParam();
    c.collision = collision();
    c.force = {1e-4, 2e-4, 3e-4};
    c.patches = {{BoundaryKind::wall}, {BoundaryKind::slip, duct.outward(), 1}};
    Flow flow(domainOf(duct, n, 3), c);
    reference::Reference reference(*flow.domain, c);
    std::vector<double> populations(flow.nodes.size() * 19);
    flow.begin([](const Vec3& x) {
        return Vec3{0.02 * std::sin(x[1]), 0.03 * std::cos(0.7 * x[0]), 0.02 * std::sin(0.8 * x[0] - x[1])};
    });
    flow.solver->getPopulations(flow.nodes.data(), flow.nodes.size(), populations.data());
    for (std::size_t i = 0; i < flow.nodes.size(); ++i)
        for (int q = 0; q < 19; ++q) reference.setPopulation(flow.nodes[i], q, populations[19 * i + q]);
    reference.advance(5);
    flow.solver->advance(5);
    flow.solver->getPopulations(flow.nodes.data(), flow.nodes.size(), populations.data());
    for (std::size_t i = 0; i < flow.nodes.size(); ++i)
        for (int q = 0; q < 19; ++q)
            ASSERT_NEAR(populations[19 * i + q], reference.population(flow.nodes[i], q), 1e-13) << i << ' ' << q;
}

// A stirred fluid of little viscosity beside such a plane comes to rest.
TEST_P(ObliqueSlip, isStable)
{
    const int n = 24;
    const HalfDuct duct(14, 30, n);
    Config c;
    c.lattice = "D3Q19";
    c.storage = GetParam();
    c.collision = collision();
    c.tau = 0.51;
    c.patches = {{BoundaryKind::interpolatedWall, {0, 0, 0}, 1, WallScheme::linear},
                 {BoundaryKind::slip, duct.outward(), 1}};
    Flow flow(domainOf(duct, n, 2), c);
    flow.begin([](const Vec3& x) {
        return Vec3{0.05 * std::sin(0.9 * x[1]), 0.05 * std::cos(0.7 * x[0]), 0.05 * std::sin(0.8 * x[0] - x[1])};
    });
    const auto fastest = [&] {
        double speed = 0;
        for (const Macroscopic& state : flow.states)
            speed = std::max(speed, std::hypot(state.velocity[0], state.velocity[1], state.velocity[2]));
        return speed;
    };
    const double before = fastest();
    flow.advance(20000);
    EXPECT_LT(fastest(), 0.2 * before);
}

INSTANTIATE_TEST_SUITE_P(storages, ObliqueSlip, testing::Values("aa", "t2c", "moments"),
                         [](const auto& info) { return std::string(info.param); });

} // namespace lbm::test
