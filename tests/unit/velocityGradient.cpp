// Openings that impose a node's whole state by differences of velocities: their order, any orientation, either form.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

struct Case {
    std::string storage, equilibrium;
    bool imposesVelocity;
};

LinkValue whole(BoundaryKind kind, double density = 1)
{
    LinkValue value;
    value.kind = kind;
    value.density = density;
    value.velocityGradient = true;
    return value;
}

// Flow between plates n apart, driven along `axis` by openings 2n apart, which lie half-way, until it is steady; the same
// velocity at all n, so that the error of compressibility does not mix in, and a tau that shows that of the walls.
Flow plates(int n, int axis, const Case& c)
{
    const int across = (axis + 1) % 2, length = 2 * n;
    const double speed = 0.08 / n, viscosity = 0.1;
    const double rise = 3 * 8 * viscosity * speed / (n * n) * length;
    Int3 size{1, 1, 1};
    size[axis] = length;
    size[across] = n + 2;
    Config config;
    config.tau = 0.8;
    config.collision = "regularized";
    config.storage = c.storage;
    config.equilibrium = c.equilibrium;
    config.patches = {LinkValue{}, LinkValue{},
                      whole(c.imposesVelocity ? BoundaryKind::velocity : BoundaryKind::pressure, 1 + rise),
                      whole(BoundaryKind::pressure)};
    const auto exact = [=](const Vec3& x) {
        Vec3 u{0, 0, 0};
        u[axis] = 4 * speed * (x[across] - 0.5) * (n + 0.5 - x[across]) / (n * n);
        return u;
    };
    Flow flow(
        shape(size, {false, false, false},
              {[=](const Vec3& x) { return x[across] - 0.5; }, [=](const Vec3& x) { return n + 0.5 - x[across]; },
               [=](const Vec3& x) { return x[axis] + 0.5; }, [=](const Vec3& x) { return length - 0.5 - x[axis]; }}),
        config);
    if (c.imposesVelocity) {
        const auto values = linkValues(*flow.domain, 2, BoundaryKind::velocity, exact);
        flow.solver->setBoundary(2, values.data(), values.size());
    }
    flow.begin(exact);
    flow.advance(60 * n * n);
    return flow;
}

double errorOf(const Flow& flow, int n, int axis)
{
    const int across = (axis + 1) % 2;
    return flow.error([=](const Vec3& x) {
        Vec3 u{0, 0, 0};
        u[axis] = 4 * 0.08 / n * (x[across] - 0.5) * (n + 0.5 - x[across]) / (n * n);
        return u;
    });
}

} // namespace

TEST(VelocityGradient, isOfSecondOrder)
{
    for (const char* storage : {"aa", "moments"})
        for (const bool imposesVelocity : {true, false})
            for (int axis : {0, 1}) {
                const Case c{storage, "incompressible", imposesVelocity};
                const double coarse = errorOf(plates(8, axis, c), 8, axis),
                             fine = errorOf(plates(16, axis, c), 16, axis);
                RecordProperty(std::string(storage) + (imposesVelocity ? "Velocity" : "Pressure")
                                   + std::to_string(axis),
                               std::to_string(coarse) + ", " + std::to_string(fine));
                EXPECT_LT(coarse, 0.05) << storage << imposesVelocity << axis;
                EXPECT_GT(std::log2(coarse / fine), 1.8)
                    << storage << imposesVelocity << axis << ": " << coarse << " and " << fine;
            }
}

// Populations of a node whole, or its moments.
TEST(VelocityGradient, bothFormsAreTheSame)
{
    for (const char* equilibrium : {"incompressible", "quasiCompressible"}) {
        Config both;
        both.lattice = "D2Q9";
        both.collision = "regularized";
        both.equilibrium = equilibrium;
        SKIP_IF_LEFT_OUT(both);
        const Flow a = plates(10, 0, {"aa", equilibrium, true}), b = plates(10, 0, {"moments", equilibrium, true});
        for (std::size_t i = 0; i < a.nodes.size(); ++i) {
            ASSERT_NEAR(a.states[i].density, b.states[i].density, 1e-13);
            for (int k = 0; k < 3; ++k) ASSERT_NEAR(a.states[i].velocity[k], b.states[i].velocity[k], 1e-13);
        }
    }
}

} // namespace lbm::test
