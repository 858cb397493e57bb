// Collisions of the reference against their definitions, and of cumulants the kernels' against the reference's at the small
// viscosities that equivalence tests do not come to. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/physics/Cumulant.hpp"
#include "lbm/physics/CumulantOnes.hpp"
#include "lbm/reference/Collision.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

using namespace lbm::reference;

namespace {

Populations randomState(const LatticeData& lattice)
{
    std::mt19937_64 random(7);
    Populations f;
    for (double w : lattice.w) f.push_back(w * (1 + 0.1 * double(random() >> 11) / double(1ull << 53)));
    return f;
}

double sum(const LatticeData& lattice, const Populations& f, int a = -1)
{
    double total = 0;
    for (int q = 0; q < lattice.size(); ++q) total += (a < 0 ? 1 : lattice.c[q][a]) * f[q];
    return total;
}

struct Combination {
    const char *lattice, *collision, *equilibrium;
};

std::vector<Combination> combinations()
{
    std::vector<Combination> all;
    for (const char* lattice : {"D2Q9", "D3Q15", "D3Q19", "D3Q27"})
        for (const char* collision :
             {"bgk", "trt", "mrt", "regularized", "recursiveRegularized", "cumulantOnes", "cumulant"})
            for (const char* equilibrium : {"incompressible", "quasiCompressible"}) {
                if (collision == std::string("mrt") && lattice != std::string("D2Q9")
                    && lattice != std::string("D3Q19"))
                    continue;
                if (collision == std::string("recursiveRegularized") && lattice == std::string("D3Q15")) continue;
                if (collision == std::string("cumulant") && lattice != std::string("D3Q27")) continue;
                if (collision == std::string("cumulantOnes") && lattice != std::string("D3Q27")
                    && lattice != std::string("D2Q9"))
                    continue;
                all.push_back({lattice, collision, equilibrium});
            }
    return all;
}

} // namespace

class CollisionTest : public testing::TestWithParam<Combination> {
protected:
    LatticeData lattice = latticeData(GetParam().lattice);
    Equilibrium kind = equilibriumNamed(GetParam().equilibrium);
    Collision collision = collisionNamed(GetParam().collision);
    Rates rates = ratesOf(lattice, 0.7, 3.0 / 16);
    bool relaxesEverything() const { return collision < Collision::regularized; }
    // Those drop what is no second moment.
    bool isOfMoments() const { return !relaxesEverything() && collision != Collision::cumulant; }
    Vector force() const { return {1e-3, -2e-3, lattice.dimensions == 3 ? 3e-3 : 0}; }
};

TEST_P(CollisionTest, equilibriumHasTheMomentsItIsMadeFrom)
{
    const State state{1.02, {0.03, -0.05, lattice.dimensions == 3 ? 0.02 : 0}};
    Populations f;
    for (int q = 0; q < lattice.size(); ++q) f.push_back(equilibrium(lattice, kind, q, state));
    const State found = stateOf(lattice, kind, f, {0, 0, 0});
    EXPECT_NEAR(found.density, state.density, 1e-15);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(found.velocity[a], state.velocity[a], 1e-15);
    // Pressure and momentum flux.
    const double inertia = kind == Equilibrium::incompressible ? 1 : state.density;
    for (int a = 0; a < lattice.dimensions; ++a)
        for (int b = 0; b < lattice.dimensions; ++b) {
            double flux = 0;
            for (int q = 0; q < lattice.size(); ++q) flux += lattice.c[q][a] * lattice.c[q][b] * f[q];
            EXPECT_NEAR(flux, (a == b ? state.density / 3 : 0) + inertia * state.velocity[a] * state.velocity[b],
                        1e-15);
        }
}

TEST_P(CollisionTest, equilibriumStaysWhatItIs)
{
    Populations f;
    for (int q = 0; q < lattice.size(); ++q)
        f.push_back(equilibrium(lattice, kind, q, {0.98, {0.03, -0.05, lattice.dimensions == 3 ? 0.02 : 0}}));
    Populations after = f;
    collide(lattice, kind, collision, rates, {0, 0, 0}, after);
    // Orders above the second have their own equilibrium, which these come to at once, with this viscosity.
    if (collision >= Collision::recursiveRegularized) {
        f = after;
        collide(lattice, kind, collision, rates, {0, 0, 0}, after);
    }
    for (int q = 0; q < lattice.size(); ++q) EXPECT_NEAR(after[q], f[q], 1e-15);
}

TEST_P(CollisionTest, keepsMassAndAddsTheForceToMomentum)
{
    const Populations before = randomState(lattice);
    Populations after = before;
    collide(lattice, kind, collision, rates, force(), after);
    EXPECT_NEAR(sum(lattice, after), sum(lattice, before), 1e-15);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(sum(lattice, after, a), sum(lattice, before, a) + force()[a], 1e-15);
    double change = 0;
    for (int q = 0; q < lattice.size(); ++q) change = std::max(change, std::abs(after[q] - before[q]));
    EXPECT_GT(change, 1e-4);
}

TEST_P(CollisionTest, equalRatesGiveBgk)
{
    if (!relaxesEverything()) return;
    rates.odd = rates.energy = rates.energySquared = rates.ghost = rates.shear;
    Populations one = randomState(lattice), other = one;
    collide(lattice, kind, collision, rates, force(), one);
    collide(lattice, kind, Collision::bgk, rates, force(), other);
    for (int q = 0; q < lattice.size(); ++q) EXPECT_NEAR(one[q], other[q], 1e-15);
}

TEST_P(CollisionTest, shearStressRelaxesWithItsRate)
{
    const Populations before = randomState(lattice);
    Populations after = before;
    collide(lattice, kind, collision, rates, {0, 0, 0}, after);
    const State state = stateOf(lattice, kind, before, {0, 0, 0});
    double excess = 0, left = 0;
    for (int q = 0; q < lattice.size(); ++q) {
        const double xy = lattice.c[q][0] * lattice.c[q][1], f = equilibrium(lattice, kind, q, state);
        excess += xy * (before[q] - f);
        left += xy * (after[q] - f);
    }
    EXPECT_GT(std::abs(excess), 1e-6);
    EXPECT_NEAR(left, (1 - rates.shear) * excess, 1e-15);
}

TEST_P(CollisionTest, conservedMomentsMayRelaxAtAnyRate)
{
    Populations one = randomState(lattice), other = one;
    collide(lattice, kind, collision, rates, force(), one);
    rates.conserved = 1.7;
    collide(lattice, kind, collision, rates, force(), other);
    for (int q = 0; q < lattice.size(); ++q) EXPECT_NEAR(one[q], other[q], 1e-15);
}

// What a regularized collision leaves has no more than the moments that it is made from: it does not see the rest.
TEST_P(CollisionTest, regularizedOnesSeeMomentsUpToTheSecondOnly)
{
    if (!isOfMoments()) return;
    Populations one = randomState(lattice), other = one;
    for (int q = 0; q < lattice.size(); ++q) {
        double third = 0; // no moment up to the second on any of the lattices
        const auto& c = lattice.c[q];
        for (int a = 0; a < lattice.dimensions; ++a)
            for (int b = 0; b < lattice.dimensions; ++b)
                if (a != b) third += (c[a] * c[a] - 1.0 / 3) * c[b];
        other[q] += 0.01 * lattice.w[q] * third;
    }
    collide(lattice, kind, collision, rates, force(), one);
    collide(lattice, kind, collision, rates, force(), other);
    for (int q = 0; q < lattice.size(); ++q) EXPECT_NEAR(one[q], other[q], 1e-15);
}

// Nor does anything of the trace survive: it is that of an equilibrium with the new momentum.
TEST_P(CollisionTest, regularizedOnesDropTheTraceOfTheStress)
{
    if (!isOfMoments()) return;
    Populations f = randomState(lattice);
    collide(lattice, kind, collision, rates, force(), f);
    const State after = stateOf(lattice, kind, f, {0, 0, 0});
    double expected = 0, found = 0;
    const double inertia = kind == Equilibrium::incompressible ? 1 : after.density;
    for (int a = 0; a < lattice.dimensions; ++a) expected += inertia * after.velocity[a] * after.velocity[a];
    for (int q = 0; q < lattice.size(); ++q) {
        const auto& c = lattice.c[q];
        found += (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - lattice.dimensions / 3.0) * f[q];
    }
    EXPECT_NEAR(found, expected, 1e-15);
}

// Third moments of a state in equilibrium are those of the Maxwell distribution, which collisions of second order lack.
TEST(Collision, recursiveRegularizationHasThirdMomentsOfTheEquilibrium)
{
    for (const char* name : {"D2Q9", "D3Q19", "D3Q27"}) {
        const auto lattice = latticeData(name);
        const State state{1.02, {0.03, -0.05, lattice.dimensions == 3 ? 0.02 : 0}};
        Populations f;
        for (int q = 0; q < lattice.size(); ++q)
            f.push_back(equilibrium(lattice, Equilibrium::quasiCompressible, q, state));
        collide(lattice, Equilibrium::quasiCompressible, Collision::recursiveRegularized, {}, {0, 0, 0}, f);
        const Vector& u = state.velocity;
        double xxy = 0, xyz = 0;
        for (int q = 0; q < lattice.size(); ++q) {
            const auto& c = lattice.c[q];
            xxy += (c[0] * c[0] - 1.0 / 3) * c[1] * f[q];
            xyz += c[0] * c[1] * c[2] * f[q];
        }
        EXPECT_NEAR(xxy, state.density * u[0] * u[0] * u[1], 1e-16) << name;
        if (lattice.name == "D3Q27") EXPECT_NEAR(xyz, state.density * u[0] * u[1] * u[2], 1e-16);
    }
}

// The equilibrium of cumulants is a product of lines' own; with the incompressible one pressure rests.
TEST(Collision, cumulantsComeToAProduct)
{
    for (const Equilibrium kind : {Equilibrium::incompressible, Equilibrium::quasiCompressible})
        for (const Collision collision : {Collision::cumulantOnes, Collision::cumulant}) {
            const auto lattice = latticeData("D3Q27");
            const State state{1.02, {0.03, -0.05, 0.02}};
            Populations f;
            for (int q = 0; q < lattice.size(); ++q) f.push_back(equilibrium(lattice, kind, q, state));
            collide(lattice, kind, collision, ratesOf(lattice, 0.9, 0.25), {0, 0, 0}, f);
            for (int q = 0; q < lattice.size(); ++q) {
                double product = 1;
                for (int a = 0; a < 3; ++a) {
                    const double u = state.velocity[a], c = lattice.c[q][a];
                    product *= c == 0 ? 2.0 / 3 - u * u : 1.0 / 6 + c * u / 2 + u * u / 2;
                }
                const bool rests = kind == Equilibrium::incompressible;
                EXPECT_NEAR(f[q], rests ? 0.02 * lattice.w[q] + product : 1.02 * product, 1e-16);
            }
        }
}

// Populations of a distribution at rest with one third cumulant, after a collision at omega = 1.9: shares of it are left that
// follow from the rates by hand (omega_3 = 3.84/9.33, omega_4 = 0.48/6.51, omega_5 = 10.728/66.411), the smaller the larger it is.
TEST(Collision, thirdCumulantsRelaxWithTheirOwnRates)
{
    const auto lattice = latticeData("D3Q27");
    Rates rates;
    rates.shear = 1.9;
    const auto third = [&](const Populations& f, const std::array<int, 3>& powers) {
        double sum = 0;
        for (int q = 0; q < lattice.size(); ++q) {
            double term = f[q];
            for (int a = 0; a < 3; ++a)
                for (int n = 0; n < powers[a]; ++n) term *= lattice.c[q][a];
            sum += term;
        }
        return sum;
    };
    const auto left = [&](double xyy, double xzz, double xyz, const std::array<int, 3>& powers) {
        Populations f;
        for (int q = 0; q < lattice.size(); ++q) {
            const auto& c = lattice.c[q];
            const double x = c[0], y = c[1] * c[1] - 1.0 / 3, z = c[2] * c[2] - 1.0 / 3;
            f.push_back(lattice.w[q] * (1 + 13.5 * x * (y * xyy + z * xzz) + 27 * x * c[1] * c[2] * xyz));
        }
        collide(lattice, Equilibrium::quasiCompressible, Collision::cumulant, rates, {0, 0, 0}, f);
        return third(f, powers);
    };
    const double tiny = 1e-9, omega3 = 3.84 / 9.33, omega4 = 0.48 / 6.51, omega5 = 10.728 / 66.411;
    EXPECT_NEAR(left(tiny, tiny, 0, {1, 2, 0}) / tiny, 1 - omega3, 1e-6);
    EXPECT_NEAR(left(tiny, -tiny, 0, {1, 0, 2}) / tiny, omega4 - 1, 1e-6);
    EXPECT_NEAR(left(0, 0, tiny, {1, 1, 1}) / tiny, 1 - omega5, 1e-6);
    EXPECT_NEAR(left(0, 0, 0.01, {1, 1, 1}) / 0.01, (1 - omega5) / 2, 1e-12);
    EXPECT_NEAR(left(0.01, 0.01, 0, {1, 2, 0}) / 0.01, (1 - omega3) / 3, 1e-12);
}

template<class Kernel, class L, class Eq, class S>
void kernelAgrees(double tau, bool forced, double tolerance)
{
    const auto lattice = latticeData(L::name);
    const double force[3] = {forced ? 1e-2 : 0, forced ? -2e-2 : 0, forced && L::D == 3 ? 3e-2 : 0};
    std::mt19937_64 random(11);
    for (int n = 0; n < 20; ++n) {
        S g[L::Q];
        Populations f;
        for (int q = 0; q < L::Q; ++q) {
            const double noise = 2 * double(random() >> 11) / double(1ull << 53) - 1;
            g[q] = S(lattice.w[q] * 0.3 * (noise + 0.5 * lattice.c[q][0]));
            f.push_back(lattice.w[q] + double(g[q]));
        }
        Kernel::template apply<L, Eq>(g, lbm::parameters<S>(tau, 0.1875, force));
        collide(lattice, equilibriumNamed(Eq::name), collisionNamed(Kernel::name), ratesOf(lattice, tau, 0.1875),
                {force[0], force[1], force[2]}, f);
        for (int q = 0; q < L::Q; ++q)
            ASSERT_NEAR(lattice.w[q] + double(g[q]), f[q], tolerance)
                << Kernel::name << ' ' << L::name << ", tau " << tau;
    }
}

TEST(Collision, cumulantsOfKernelsAreThoseOfTheReference)
{
    using namespace lbm;
    for (const double tau : {0.5001, 0.53, 0.5634, 0.58, 1.0, 2.5})
        for (const bool forced : {false, true}) {
            kernelAgrees<Cumulant, D3Q27, Incompressible, double>(tau, forced, 1e-15);
            kernelAgrees<Cumulant, D3Q27, QuasiCompressible, double>(tau, forced, 1e-15);
            kernelAgrees<Cumulant, D3Q27, QuasiCompressible, float>(tau, forced, 2e-7);
            kernelAgrees<CumulantOnes, D3Q27, Incompressible, double>(tau, forced, 1e-15);
            kernelAgrees<CumulantOnes, D3Q27, QuasiCompressible, double>(tau, forced, 1e-15);
            kernelAgrees<CumulantOnes, D2Q9, Incompressible, double>(tau, forced, 1e-15);
            kernelAgrees<CumulantOnes, D2Q9, QuasiCompressible, double>(tau, forced, 1e-15);
        }
}

INSTANTIATE_TEST_SUITE_P(all, CollisionTest, testing::ValuesIn(combinations()), [](const auto& info) {
    return std::string(info.param.lattice) + '_' + info.param.collision + '_' + info.param.equilibrium;
});

TEST(Collision, magicParameterSetsTheOddRate)
{
    const auto lattice = latticeData("D3Q19");
    for (double tau : {0.51, 0.8, 1.0, 3.0}) {
        const Rates rates = ratesOf(lattice, tau, 3.0 / 16);
        EXPECT_NEAR((1 / rates.shear - 0.5) * (1 / rates.odd - 0.5), 3.0 / 16, 1e-14);
        EXPECT_NEAR(rates.odd, 8 * (2 - rates.shear) / (8 - rates.shear), 1e-14);
    }
}

TEST(Collision, unknownWordsAreErrors)
{
    EXPECT_THROW(equilibriumNamed("compressible"), std::invalid_argument);
    EXPECT_THROW(collisionNamed("BGK"), std::invalid_argument);
    const auto lattice = latticeData("D3Q27");
    Populations f = randomState(lattice);
    EXPECT_THROW(collide(lattice, Equilibrium::incompressible, Collision::mrt, {}, {0, 0, 0}, f),
                 std::invalid_argument);
    const auto fewer = latticeData("D3Q19");
    f = randomState(fewer);
    for (const Collision c : {Collision::cumulant, Collision::cumulantOnes})
        EXPECT_THROW(collide(fewer, Equilibrium::incompressible, c, {}, {0, 0, 0}, f), std::invalid_argument);
}
