// Closures: power-law profiles against exact ones, states that are read back as they were written, strain rates that
// populations do not tell, coefficients that mean nothing. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/physics/Closures.hpp"
#include "lbm/physics/Trt.hpp"
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace lbm::test {
namespace {

// Velocity at a distance s from the middle of a channel or pipe of half-width R (Bird, Stewart & Lightfoot, section 8.3):
// U (1 - (s/R)^(1 + 1/n)).
struct Profile {
    double index, speed, R;

    double operator()(double s) const { return speed * (1 - std::pow(std::abs(s) / R, 1 + 1 / index)); }

    double shearRate(double s) const { return speed * (1 + 1 / index) / R * std::pow(std::abs(s) / R, 1 / index); }

    // Force per volume that drives it: stress k g^n at the wall times `sides` over R, 1 between plates and 2 in a pipe.
    double force(double k, int sides) const { return sides * k * std::pow(shearRate(R), index) / R; }
};

// k such that the viscosity at the wall is the same for every R.
Config powerLaw(const Profile& profile)
{
    Config c;
    c.closure = "powerLaw";
    const double k = 0.05 / std::pow(profile.shearRate(profile.R), profile.index - 1);
    c.coefficients = {k, profile.index, 1e-4, 2};
    return c;
}

// Error of the velocity between plates, n nodes across; in time that diffusion takes across several times.
double betweenPlates(double index, int n, const std::string& collision, const std::string& storage)
{
    const Profile profile{index, 0.64 / n, n / 2.0};
    Config c = powerLaw(profile);
    c.collision = collision;
    c.storage = storage;
    c.force = {profile.force(c.coefficients[0], 1), 0, 0};
    Domain d;
    d.dimensions = 2;
    d.size = {4, n, 1};
    d.periodic = {true, false, false};
    d.fluid = BitSet(d.nodes(), true);
    Flow flow(d, c);
    const auto exact = [=](const Vec3& x) { return Vec3{profile(x[1] + 0.5 - profile.R), 0, 0}; };
    flow.begin(exact);
    flow.advance(std::int64_t(2 * n * n / 0.05));
    return flow.error(exact);
}

class PowerLaw : public testing::TestWithParam<double> {};

TEST_P(PowerLaw, betweenPlatesIsOfSecondOrder)
{
    for (const auto& [collision, storage] : {std::pair{"trt", "aa"}, {"regularized", "moments"}}) {
        const double coarse = betweenPlates(GetParam(), 16, collision, storage);
        const double fine = betweenPlates(GetParam(), 32, collision, storage);
        RecordProperty(std::string(storage) + "16", std::to_string(coarse));
        RecordProperty(std::string(storage) + "32", std::to_string(fine));
        EXPECT_GT(std::log2(coarse / fine), 1.8) << collision << ": " << coarse << ", " << fine;
        EXPECT_LT(fine, 0.01) << collision;
    }
}

TEST_P(PowerLaw, inAPipe)
{
    const int n = 32;
    const Profile profile{GetParam(), 0.02, n / 2.0};
    Config c = powerLaw(profile);
    c.force = {0, 0, profile.force(c.coefficients[0], 2)};
    c.patches = {{BoundaryKind::interpolatedWall}};
    const auto radius = [=](const Vec3& x) { return std::hypot(x[0] - 17.13, x[1] - 16.79); };
    Flow flow(shape({n + 3, n + 3, 4}, {false, false, true}, {[=](const Vec3& x) { return profile.R - radius(x); }}),
              c);
    const auto exact = [=](const Vec3& x) { return Vec3{0, 0, profile(radius(x))}; };
    flow.begin(exact);
    flow.advance(std::int64_t(n * n / 0.05));
    RecordProperty("error", std::to_string(flow.error(exact)));
    EXPECT_LT(flow.error(exact), 0.01);
    // The shear rate, from velocities around; next to the wall a small error of velocity is divided by a small distance
    double worst = 0;
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
        if (profile.R - radius(flow.position(i)) < 0.1) continue;
        const auto& s = flow.states[i].strainRate;
        const double found = 2 * std::hypot(s[2], s[4]);
        worst = std::max(worst, std::abs(found - profile.shearRate(radius(flow.position(i)))));
    }
    EXPECT_LT(worst, 0.05 * profile.shearRate(profile.R));
}

INSTANTIATE_TEST_SUITE_P(closures, PowerLaw, testing::Values(0.5, 1.5),
                         [](const auto& info) { return info.param < 1 ? "thinning" : "thickening"; });

// A uniform shear flow with a force along it, periodic along x, that a step has not yet touched.
struct Shear {
    Flow flow;
    double rate;

    Shear(Config c, double shearRate) : flow(make(c)), rate(shearRate)
    {
        flow.states.resize(flow.nodes.size());
        for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
            flow.states[i] = {};
            flow.states[i].velocity = {rate * flow.position(i)[1], 0, 0};
            flow.states[i].strainRate = {0, rate / 2, 0, 0, 0, 0};
        }
        flow.solver->initialise(flow.nodes.data(), flow.nodes.size(), flow.states.data());
        flow.solver->sample(flow.nodes.data(), flow.nodes.size(), flow.states.data());
    }

    // Of nodes that are not next to a wall, which moves not.
    double worst() const
    {
        double most = 0;
        for (std::size_t i = 0; i < flow.nodes.size(); ++i)
            if (const double y = flow.position(i)[1]; y > 0 && y < 7)
                most = std::max(most, std::abs(flow.states[i].strainRate[1] - rate / 2));
        return most;
    }

private:
    static Flow make(Config c)
    {
        c.force = {1e-4, 2e-4, 0};
        Domain d;
        d.dimensions = c.lattice == "D2Q9" ? 2 : 3;
        d.size = {5, 8, d.dimensions == 2 ? 1 : 3};
        d.periodic = {true, false, true};
        d.fluid = BitSet(d.nodes(), true);
        return Flow(d, c);
    }
};

Config with(const std::string& closure, double tau, const ClosureCoefficients& coefficients)
{
    Config c;
    c.lattice = "D2Q9";
    c.closure = closure;
    c.tau = tau;
    c.coefficients = coefficients;
    return c;
}

} // namespace

TEST(Closures, statesAreReadAsTheyAreWritten)
{
    for (const char* storage : {"ab", "aa", "moments"})
        for (const Config& closure :
             {with("constant", 0.6, {}), with("constant", 1, {}), with("constant", 1.4, {}),
              with("smagorinsky", 0.51, {0.17}), with("smagorinsky", 0.51, {0.17, 2}), with("smagorinsky", 0.6, {0.7}),
              with("smagorinsky", 1.3, {0.5}), with("powerLaw", 0.8, {0.03, 0.5, 1e-3, 1}),
              with("powerLaw", 0.8, {2, 1.5, 1e-3, 1})}) {
            Config c = closure;
            c.storage = storage;
            if (c.storage == "moments") c.collision = "regularized";
            EXPECT_LT(Shear(c, 0.004).worst(), 1e-12) << storage << ", " << c.closure << ", tau " << c.tau;
        }
}

// Two runs that start apart in their coefficients alone end apart, and alike once they are set alike.
TEST(Closures, coefficientsCanChange)
{
    const auto after = [](const ClosureCoefficients& first, const ClosureCoefficients& then) {
        Shear s(with("powerLaw", 0.8, first), 0.004);
        s.flow.solver->setCoefficients(then);
        s.flow.advance(5);
        return s.flow.states[12].velocity[0];
    };
    EXPECT_EQ(after({0.03, 0.5, 1e-3, 1}, {0.03, 0.5, 1e-3, 1}), after({0.03, 0.5, 1e-3, 1}, {0.03, 0.5, 1e-3, 1}));
    EXPECT_NE(after({0.03, 0.5, 1e-3, 1}, {0.03, 0.5, 1e-3, 1}), after({0.03, 0.5, 1e-3, 1}, {0.05, 0.5, 1e-3, 1}));
}

// By hand, each where it is neither at rest nor in its limit.
TEST(Closures, areOpenFoamsModels)
{
    const auto nu = [](const char* name, const ClosureCoefficients& c, double rate) {
        return viscosity(*findClosure(name), c, rate);
    };
    EXPECT_DOUBLE_EQ(nu("powerLaw", {0.02, 0.5, 0.001, 1}, 0.25), 0.04);
    EXPECT_DOUBLE_EQ(nu("powerLaw", {0.02, 0.5, 0.05, 1}, 0.25), 0.05);
    EXPECT_DOUBLE_EQ(nu("powerLaw", {0.02, 0.5, 0.001, 0.03}, 0.25), 0.03);
    EXPECT_DOUBLE_EQ(nu("CrossPowerLaw", {0.3, 0.1, 4, 2}, 0.25), 0.2);
    EXPECT_DOUBLE_EQ(nu("BirdCarreau", {0.3, 0.1, 4, 0, 2}, 0.25), 0.1 + 0.2 / std::sqrt(2.0));
    EXPECT_DOUBLE_EQ(nu("HerschelBulkley", {0.01, 0.02, 0.5, 1}, 0.25), 0.08);
    EXPECT_DOUBLE_EQ(nu("HerschelBulkley", {0.01, 0.02, 0.5, 0.07}, 0.25), 0.07);
    EXPECT_DOUBLE_EQ(nu("Casson", {0.04, 0.01, 0.001, 1}, 0.25), 0.16);
}

// A stress in SI is the same stress by coefficients in lattice units.
TEST(Closures, keepTheirStressInOtherUnits)
{
    const double dx = 0.01, dt = 0.002, shearRate = 3;
    for (const ClosureDescriptor& closure : closureDescriptors) {
        if (!closure.ofShearRate()) continue;
        ClosureCoefficients si{};
        for (int i = 0; i < closure.coefficients; ++i) si[i] = 7 * closure.coefficient[i].example;
        const double lattice = viscosity(closure, inLatticeUnits(closure, si, dx, dt), shearRate * dt);
        EXPECT_NEAR(lattice * dx * dx / dt, viscosity(closure, si, shearRate), 1e-12) << closure.name;
    }
}

TEST(Closures, refuseWhatMeansNothing)
{
    const auto why = [](const Config& c) -> std::string {
        try {
            Shear(c, 0.004);
        } catch (const std::invalid_argument& fault) {
            return fault.what();
        }
        return "";
    };
    EXPECT_NE(why(with("powerLaw", 0.8, {0.03, 0, 1e-3, 1})).find("n = 0"), std::string::npos);
    EXPECT_NE(why(with("powerLaw", 0.8, {0.03, 0.5, 0, 1})).find("nuMin = 0"), std::string::npos);
    EXPECT_NE(why(with("powerLaw", 0.8, {0.03, 0.5, 1e-3, 1e-4})).find("nuMax = 0.0001"), std::string::npos);
    EXPECT_NE(why(with("smagorinsky", 0.8, {-0.1})).find("Cs = -0.1"), std::string::npos);
    const std::string unknown = why(with("smagorinski", 0.8, {0.1}));
    for (const ClosureDescriptor& c : closureDescriptors) EXPECT_NE(unknown.find(c.name), std::string::npos) << unknown;
    // mrt is built with one rate alone
    Config mrt = with("smagorinsky", 0.8, {0.1});
    mrt.collision = "mrt";
    EXPECT_NE(why(mrt).find("unknown closure 'smagorinsky' for"), std::string::npos) << why(mrt);
}

template<class S>
class RateTables : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(RateTables, Precisions);

TYPED_TEST(RateTables, followAFunction)
{
    using Table = RateTable<TypeParam>;
    std::vector<TypeParam> table(Table::values);
    const auto f = [](double x) { return 0.5 + std::pow(x, -0.3); };
    Table::fill(table.data(), f);
    const double tolerance = sizeof(TypeParam) == 8 ? 1e-8 : 4e-7;
    const double first = double(Table::start(0)), last = double(Table::start(Table::intervals));
    for (double x = first * 1.01; x < last; x *= 1.0137) {
        const double exact = f(double(TypeParam(x)));
        EXPECT_NEAR(Table::at(table.data(), TypeParam(x)), exact, tolerance * exact) << x;
    }
    EXPECT_NEAR(Table::at(table.data(), TypeParam(0)), f(first), tolerance * f(first));
    EXPECT_NEAR(Table::at(table.data(), TypeParam(10 * last)), f(last), tolerance * f(last));
}

// Of populations in no order, by the definition: sum of (c_a c_b - delta_ab/3) (g - equilibrium), without its trace.
template<class L, class Eq>
void stressIsAsDefined(const double (&force)[3])
{
    double g[L::Q], r = 0, j[3] = {0, 0, 0}, pi[3][3] = {};
    for (int q = 0; q < L::Q; ++q) {
        g[q] = 0.01 * std::sin(1 + 5 * q * q);
        r += g[q];
        for (int a = 0; a < L::D; ++a) j[a] += L::c[q][a] * g[q];
    }
    const double inertia = Eq::inertia(r);
    double trace = 0, expected = 0;
    for (int a = 0; a < L::D; ++a)
        for (int b = 0; b < L::D; ++b) {
            for (int q = 0; q < L::Q; ++q) pi[a][b] += L::c[q][a] * L::c[q][b] * g[q];
            pi[a][b] -= (j[a] * j[b] - force[a] * force[b] / 4) / inertia;
            if (a == b) trace += pi[a][a];
        }
    for (int a = 0; a < L::D; ++a)
        for (int b = 0; b < L::D; ++b) expected += std::pow((pi[a][b] - (a == b) * trace / L::D) / inertia, 2);
    auto m = momentsOf<L>(g);
    addEquilibrium<Eq>(m, -1.0);
    EXPECT_NEAR(stressSquare<Eq>(m, force, force[0] != 0), expected, 1e-15) << L::name;
    Trt::addPairs<L>(g, r, j);
    m = momentsOfPairs<L>(r, j, g);
    addEquilibrium<Eq>(m, -1.0);
    EXPECT_NEAR(stressSquare<Eq>(m, force, force[0] != 0), expected, 1e-15) << L::name << ", pairs";
}

TEST(Closures, stressIsAsDefined)
{
    for (const auto& force : {std::array{0.0, 0.0, 0.0}, {0.02, -0.03, 0.0}}) {
        const double f[3] = {force[0], force[1], force[2]};
        stressIsAsDefined<D2Q9, Incompressible>(f);
        stressIsAsDefined<D3Q15, QuasiCompressible>(f);
        stressIsAsDefined<D3Q19, Incompressible>(f);
        stressIsAsDefined<D3Q19, QuasiCompressible>(f);
        stressIsAsDefined<D3Q27, QuasiCompressible>(f);
    }
}

} // namespace lbm::test
