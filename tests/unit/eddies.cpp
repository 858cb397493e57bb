// Eddies whose viscosity follows the velocity gradient: by hand for gradients of which it is known, none in laminar shear, as much
// as the gradient at each node says, and runs that would not last without them. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/physics/EddyViscosity.hpp"
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace lbm::test {
namespace {

constexpr double Cw = 0.325, c = 0.07;

struct Model {
    const char* closure;
    double constant;
};
constexpr Model models[] = {{"WALE", Cw}, {"Vreman", c}, {"QR", 0.152}};

struct Tensor {
    double g[3][3];
};

template<class R>
struct Eddies {
    R wale, vreman, qr;

    explicit Eddies(const Tensor& t)
    {
        R g[3][3];
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) g[a][b] = R(t.g[a][b]);
        wale = eddies::wale(g, R(Cw * Cw));
        vreman = eddies::vreman(g, R(c));
        qr = eddies::qr(g, R(1));
    }
};

Tensor scaled(Tensor t, double factor)
{
    for (auto& row : t.g)
        for (double& v : row) v *= factor;
    return t;
}

const Tensor shear{{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}}, rotation{{{0, 1, 0}, {-1, 0, 0}, {0, 0, 0}}},
    plane{{{1, 0, 0}, {0, -1, 0}, {0, 0, 0}}}, squeezed{{{-1, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}}};

} // namespace

// Of slow flows, too, in both precisions: rates are of the first degree in the gradient.
template<class R>
class EddyViscosity : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(EddyViscosity, Precisions);

TYPED_TEST(EddyViscosity, isByHand)
{
    using R = TypeParam;
    for (const double rate : {0.1, 1e-3, 1e-6}) {
        const auto eddies = [&](const Tensor& t) { return Eddies<R>(scaled(t, rate)); };
        const double near = (sizeof(R) == 8 ? 1e-12 : 3e-5) * rate;
        // Shear alone has none
        EXPECT_NEAR(eddies(shear).wale, 0, near);
        EXPECT_NEAR(eddies(shear).vreman, 0, near);
        EXPECT_NEAR(eddies(shear).qr, 0, near);
        // A body that turns has Sd = diag(-1, -1, 2)/3 and g^T g = diag(1, 1, 0): Cw^2 (2/3)^(1/4), c sqrt(1/2)
        EXPECT_NEAR(eddies(rotation).wale, rate * Cw * Cw * std::pow(2.0 / 3, 0.25), near);
        EXPECT_NEAR(eddies(rotation).vreman, rate * c * std::sqrt(0.5), near);
        EXPECT_NEAR(eddies(rotation).qr, 0, near);
        // Plane strain: Sd = diag(1, 1, -2)/3, S:S = 2
        const double Sd = 2.0 / 3;
        EXPECT_NEAR(eddies(plane).wale, rate * Cw * Cw * std::pow(Sd, 1.5) / (std::pow(2.0, 2.5) + std::pow(Sd, 1.25)),
                    near);
        EXPECT_NEAR(eddies(plane).vreman, rate * c * std::sqrt(0.5), near);
        EXPECT_NEAR(eddies(plane).qr, 0, near);
        // Squeezed along an axis: g^T g = diag(1, 1/4, 1/4), r = 1/4, q = 3/4; stretched along it there is no cascade
        EXPECT_NEAR(eddies(squeezed).vreman, rate * c * std::sqrt((0.25 + 0.25 + 0.0625) / 1.5), near);
        EXPECT_NEAR(eddies(squeezed).qr, rate / 3, near);
        EXPECT_NEAR(eddies(scaled(squeezed, -1)).qr, 0, near);
    }
    const Eddies<R> none(scaled(shear, 0));
    EXPECT_EQ(none.wale, 0);
    EXPECT_EQ(none.vreman, 0);
    EXPECT_EQ(none.qr, 0);
}

// No choice of axes counts.
TYPED_TEST(EddyViscosity, isTheSameInTurnedAxes)
{
    const Tensor t{{{0.3, -0.2, 0.5}, {0.7, -0.4, 0.1}, {-0.6, 0.2, 0.1}}};
    const double s = std::sin(0.7), k = std::cos(0.7);
    const double turn[3][3] = {{k, s, 0}, {-s * k, k * k, s}, {s * s, -s * k, k}};
    Tensor turned{};
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) turned.g[a][b] += turn[a][i] * turn[b][j] * t.g[i][j];
    const Eddies<TypeParam> one(t), other(turned);
    const double near = sizeof(TypeParam) == 8 ? 1e-14 : 1e-6;
    EXPECT_NEAR(one.wale, other.wale, near);
    EXPECT_NEAR(one.vreman, other.vreman, near);
    EXPECT_NEAR(one.qr, other.qr, near);
    EXPECT_GT(one.wale, 0);
    EXPECT_GT(one.qr, 0);
}

namespace {

Config with(const Model& model, const char* storage, const char* collision, double tau)
{
    Config config;
    config.storage = storage;
    config.collision = collision;
    config.tau = tau;
    config.closure = model.closure;
    config.coefficients = {model.constant, 0};
    return config;
}

constexpr std::pair<const char*, const char*> kept[] = {{"moments", "regularized"}, {"ab", "trt"}};

} // namespace

// Between plates the flow is the laminar one: what models make of shear alone is nothing, at walls, too (QR makes a little of what
// rounding leaves across).
TEST(Eddies, leaveLaminarShearAlone)
{
    for (const auto& [storage, collision] : kept)
        for (const Model& model : models) {
            const auto run = [&](Config config) {
                config.force = {1e-4, 0, 0};
                Domain d;
                d.size = {5, 9, 3};
                d.periodic = {true, false, true};
                d.fluid = BitSet(d.nodes(), true);
                Flow flow(d, config);
                flow.begin([](const Vec3&) { return Vec3{0, 0, 0}; });
                flow.advance(300);
                return flow;
            };
            Config config = with(model, storage, collision, 0.6);
            SKIP_IF_LEFT_OUT(config);
            const Flow eddies = run(config);
            config.closure = "nodeField";
            const Flow laminar = run(config);
            for (std::size_t i = 0; i < laminar.states.size(); ++i)
                ASSERT_NEAR(eddies.states[i].velocity[0], laminar.states[i].velocity[0], 1e-9)
                    << model.closure << ", " << storage;
        }
}

// With hardly any viscosity of the fluid: the vortex breaks down, and its energy goes to the eddies. Nodes 30 and 32 wide: a whole
// number of tiles or not.
TEST(Eddies, takeTheEnergyOfAVortex)
{
    for (const int n : {30, 32})
        for (const Model& model : models) {
            const Config config = with(model, "moments", "regularized", 0.5 + 1e-6);
            SKIP_IF_LEFT_OUT(config);
            const double speed = 0.06;
            Flow flow(periodicBox({n, n, n}), config);
            flow.begin([=](const Vec3& x) { return vortex(x, n, speed); });
            const double start = energy(flow);
            double before = start;
            for (int unit = 1; unit <= 4; ++unit) { // of five times L/U
                flow.advance(std::int64_t(5 * n / (2 * std::numbers::pi) / speed));
                const double now = energy(flow);
                ASSERT_TRUE(std::isfinite(now)) << model.closure << ", " << n;
                ASSERT_LT(now, 1.001 * before) << model.closure << ", " << n << ", time " << 5 * unit;
                before = now;
            }
            EXPECT_LT(before, 0.3 * start) << model.closure << ", " << n;
        }
}

TEST(Eddies, areRefusedWhereNobodyLooksAround)
{
    Config config = with(models[0], "aa", "trt", 0.6);
    config.parts = 2;
    try {
        makeSolver(std::make_shared<const Domain>(periodicBox({8, 8, 8})), config);
        FAIL() << "ghosts of populations are not whole";
    } catch (const UnknownKernel& why) {
        EXPECT_NE(std::string(why.what()).find("WALE"), std::string::npos) << why.what();
        EXPECT_NE(std::string(why.what()).find("valid: moments"), std::string::npos) << why.what();
    }
}

} // namespace lbm::test
