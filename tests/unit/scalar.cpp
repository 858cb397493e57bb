// A scalar on a lattice of its own against solutions in closed form, against populations moved one by one, and what it refuses.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/ScalarLattice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <random>

namespace lbm {
namespace {

using std::numbers::pi;
using Place = std::array<double, 3>;

Domain boxOf(int dimensions, const Int3& size, const std::array<bool, 3>& periodic)
{
    Domain domain;
    domain.dimensions = dimensions;
    domain.size = size;
    domain.periodic = periodic;
    domain.fluid = BitSet(domain.nodes(), true);
    domain.patches = {"low", "high"};
    return domain;
}

// Links along the axes that leave the fluid; fraction and patch by node and direction.
using Ends = std::function<std::pair<float, int>(const Int3& node, const Int3& c)>;
std::shared_ptr<const Domain> linked(Domain domain, const Ends& ends)
{
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        if (!domain.fluid[i]) continue;
        const Int3 x = domain.coordinates(i);
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code);
            if (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] != 1 || (domain.dimensions == 2 && c[2] != 0)) continue;
            const NodeIndex there = domain.neighbour(x, c);
            if (there >= 0 && domain.fluid[there]) continue;
            const auto [fraction, patch] = ends(x, c);
            domain.links.push_back({i, fraction, std::int16_t(patch), code});
        }
    }
    domain.check();
    return std::make_shared<const Domain>(std::move(domain));
}
const Ends halfWay = [](const Int3&, const Int3&) { return std::pair(0.5f, 0); };
const Ends bySide = [](const Int3&, const Int3& c) { return std::pair(0.5f, c[0] + c[1] + c[2] > 0 ? 1 : 0); };

Place placeOf(const Domain& domain, NodeIndex i)
{
    const Int3 x = domain.coordinates(i);
    return {double(x[0]), double(x[1]), double(x[2])};
}

using Function = std::function<double(const Place&)>;
std::vector<double> atNodes(const Domain& domain, const Function& f)
{
    std::vector<double> values;
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        if (domain.fluid[i]) values.push_back(f(placeOf(domain, i)));
    return values;
}

std::vector<double> flowOf(const Domain& domain, const std::function<Place(const Place&)>& u)
{
    std::vector<double> flow;
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        if (!domain.fluid[i]) continue;
        const Place at = u(placeOf(domain, i));
        flow.insert(flow.end(), {1, at[0], at[1], at[2]});
    }
    return flow;
}
std::vector<double> atRest(const Domain& domain)
{
    return flowOf(domain, [](const Place&) { return Place{0, 0, 0}; });
}

void advance(ScalarLattice& lattice, const std::vector<double>& flow, int steps)
{
    for (int i = 0; i < steps; ++i) {
        lattice.arrive();
        lattice.collide(flow.data());
    }
}

std::vector<double> valuesOf(const ScalarLattice& lattice)
{
    std::vector<double> values(lattice.size());
    lattice.values(values.data());
    return values;
}

// Imposes f where links meet patches.
void fix(ScalarLattice& lattice, const Function& f, bool interpolated)
{
    const Domain& domain = lattice.domain();
    for (int patch = 0; patch < int(domain.patches.size()); ++patch) {
        std::vector<ScalarLinkValue> values;
        for (const Link& link : domain.links) {
            if (link.patch != patch) continue;
            Place at = placeOf(domain, link.node);
            for (std::size_t a = 0; a < 3; ++a)
                at[a] += (interpolated ? double(link.fraction) : 0.5) * directionOf(link.direction)[a];
            values.push_back({ScalarKind::value, f(at), interpolated});
        }
        lattice.setBoundary(patch, values.data(), values.size());
    }
}

void setAll(ScalarLattice& lattice, int patch, const ScalarLinkValue& value)
{
    std::size_t n = 0;
    for (const Link& link : lattice.domain().links) n += link.patch == patch;
    const std::vector<ScalarLinkValue> values(n, value);
    lattice.setBoundary(patch, values.data(), n);
}

double largestError(const std::vector<double>& values, const std::vector<double>& exact)
{
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) largest = std::max(largest, std::abs(values[i] - exact[i]));
    return largest;
}

ScalarConfig diffusing(double diffusivity, const std::string& precision = "double")
{
    ScalarConfig config;
    config.diffusivity = diffusivity;
    config.precision = precision;
    return config;
}

// A wave that the flow carries while it fades: largest error. Space and time are scaled as diffusion does.
double waveError(int dimensions, int n, double speed, double diffusivity)
{
    const Int3 size{n, n, dimensions == 3 ? n : 1};
    const auto domain = linked(boxOf(dimensions, size, {true, true, true}), halfWay);
    const Place u{speed / n, 0.5 * speed / n, dimensions == 3 ? -0.25 * speed / n : 0};
    const double k = 2 * pi / n;
    const auto wave = [&](double t) {
        return atNodes(*domain, [&](const Place& x) {
            const double phase = x[0] + x[1] + (dimensions == 3) * x[2] - (u[0] + u[1] + u[2]) * t;
            return std::exp(-dimensions * k * k * diffusivity * t) * std::sin(k * phase);
        });
    };
    const auto lattice = makeScalarLattice(domain, diffusing(diffusivity));
    const auto flow = flowOf(*domain, [&](const Place&) { return u; });
    lattice->initialise(wave(0).data(), flow.data());
    const int steps = n * n / 8;
    advance(*lattice, flow, steps);
    return largestError(valuesOf(*lattice), wave(steps));
}

TEST(Scalar, wavesFadeAndAreCarriedWithOrderTwo)
{
    for (const int dimensions : {2, 3})
        for (const double speed : {0.0, 1.0}) {
            const double coarse = waveError(dimensions, 12, speed, 0.06), fine = waveError(dimensions, 24, speed, 0.06);
            EXPECT_GT(std::log2(coarse / fine), 1.8)
                << dimensions << " dimensions, speed " << speed << ": " << coarse << ' ' << fine;
            EXPECT_LT(fine, 0.02);
        }
}

// How fast a wave fades, by the diffusivity, in a flow of a speed along a direction; waves: how many of them along each axis.
double diffusionInFlow(int dimensions, double diffusivity, double speed, const Place& direction, const Int3& waves)
{
    const int n = 40;
    const auto domain = linked(boxOf(dimensions, {n, n, dimensions == 3 ? n : 1}, {true, true, true}), halfWay);
    const double length = std::hypot(direction[0], direction[1], direction[2]), k = 2 * pi / n;
    const auto flow = flowOf(*domain, [&](const Place&) {
        return Place{speed * direction[0] / length, speed * direction[1] / length, speed * direction[2] / length};
    });
    const auto phase = [&](const Place& x) { return k * (waves[0] * x[0] + waves[1] * x[1] + waves[2] * x[2]); };
    const auto cosine = atNodes(*domain, [&](const Place&x) { return std::cos(phase(x)); }),
               sine = atNodes(*domain, [&](const Place&x) { return std::sin(phase(x)); });
    const auto lattice = makeScalarLattice(domain, diffusing(diffusivity));
    lattice->initialise(cosine.data(), flow.data());
    const auto height = [&] {
        const auto values = valuesOf(*lattice);
        double even = 0, odd = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            even += values[i] * cosine[i];
            odd += values[i] * sine[i];
        }
        return std::hypot(even, odd);
    };
    // What the start lacks of the gradient has gone by then
    advance(*lattice, flow, 40);
    const double before = height();
    const int steps = 100;
    advance(*lattice, flow, steps);
    const double square = k * k * (waves[0] * waves[0] + waves[1] * waves[1] + waves[2] * waves[2]);
    return -std::log(height() / before) / (steps * square * diffusivity);
}

// 0.25 spacings in a step; an equilibrium that is linear in u alone has 0.75 of it there. With 0.01 it is the term of fourth order in
// the wave's length that is left.
TEST(Scalar, diffusionIsTheSameInAFastFlowInAllDirections)
{
    for (const double diffusivity : {0.01, 0.06, 0.25}) {
        const double tolerance = diffusivity < 0.05 ? 0.035 : 0.02;
        EXPECT_NEAR(diffusionInFlow(2, diffusivity, 0.25, {1, 0, 0}, {1, 0, 0}), 1, tolerance) << diffusivity;
        EXPECT_NEAR(diffusionInFlow(2, diffusivity, 0.25, {1, 1, 0}, {1, 1, 0}), 1, tolerance) << diffusivity;
        EXPECT_NEAR(diffusionInFlow(2, diffusivity, 0.25, {1, 1, 0}, {1, -1, 0}), 1, tolerance) << diffusivity;
        EXPECT_NEAR(diffusionInFlow(3, diffusivity, 0.25, {1, 1, 1}, {1, 1, 1}), 1, tolerance) << diffusivity;
        EXPECT_NEAR(diffusionInFlow(3, diffusivity, 0.25, {1, 0.5, -0.3}, {1, 0, 1}), 1, tolerance) << diffusivity;
    }
}

// Waves of all lengths, in a flow at the limit for the least diffusivities, and twice beyond.
TEST(Scalar, wavesOfAllLengthsStayBoundedUpToTheLimit)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> real(-1, 1);
    const auto domain = linked(boxOf(2, {32, 32, 1}, {true, true, true}), halfWay);
    const auto start = atNodes(*domain, [&](const Place&) { return real(random); });
    const auto largest = [&](double diffusivity, double speed) {
        double most = 0;
        for (const double angle : {0.0, 0.3, pi / 4}) {
            const auto flow = flowOf(*domain, [&](const Place&) {
                return Place{speed * std::cos(angle), speed * std::sin(angle), 0};
            });
            const auto lattice = makeScalarLattice(domain, diffusing(diffusivity));
            lattice->initialise(start.data(), flow.data());
            advance(*lattice, flow, 6000);
            most = std::max(most, largestError(valuesOf(*lattice), std::vector<double>(lattice->size(), 0)));
        }
        return most;
    };
    EXPECT_LT(largest(0.0005, mostPeclet * 0.0005), 2);
    EXPECT_LT(largest(0.002, mostPeclet * 0.002), 2);
    EXPECT_LT(largest(leastDiffusivityAtAnyPeclet, 0.4), 2);
    EXPECT_GT(largest(0.002, 2 * mostPeclet * 0.002), 10);
}

TEST(Scalar, isLinearBetweenPlatesWhereverTheyLie)
{
    for (const auto& [low, high] : {std::pair(0.5f, 0.5f), {0.1f, 0.75f}, {1.0f, 0.3f}})
        for (const double diffusivity : {0.02, 0.4}) {
            const auto domain =
                linked(boxOf(2, {9, 3, 1}, {false, true, true}), [low = low, high = high](const Int3&, const Int3& c) {
                    return c[0] < 0 ? std::pair(low, 0) : std::pair(high, 1);
                });
            const Function exact = [](const Place& x) { return 3 + 0.25 * x[0]; };
            const auto lattice = makeScalarLattice(domain, diffusing(diffusivity));
            fix(*lattice, exact, true);
            // A flow along the plates has no say in it
            const auto flow = flowOf(*domain, [](const Place& x) { return Place{0, 0.01 * x[0], 0}; });
            lattice->initialise(std::vector<double>(lattice->size(), 3).data(), flow.data());
            advance(*lattice, flow, int(400 / diffusivity));
            EXPECT_LT(largestError(valuesOf(*lattice), atNodes(*domain, exact)), 1e-7)
                << low << ' ' << high << ' ' << diffusivity;
        }
}

TEST(Scalar, magicPutsFixedValuesHalfWayForPolynomialsOfSecondDegree)
{
    const auto domain = linked(boxOf(2, {8, 6, 1}, {false, false, true}), bySide);
    const Function exact = [](const Place& x) { return 0.1 * (x[0] * x[0] - x[1] * x[1]) + 0.2 * x[0]; };
    const auto error = [&](double magic, double diffusivity) {
        ScalarConfig config = diffusing(diffusivity);
        config.magic = magic;
        const auto lattice = makeScalarLattice(domain, config);
        fix(*lattice, exact, false);
        lattice->initialise(std::vector<double>(lattice->size(), 0).data(), nullptr);
        advance(*lattice, atRest(*domain), int(300 / diffusivity));
        return largestError(valuesOf(*lattice), atNodes(*domain, exact));
    };
    EXPECT_LT(error(0.125, 0.05), 1e-10);
    EXPECT_LT(error(0.125, 0.3), 1e-10);
    EXPECT_GT(error(0.25, 0.05), 1e-3);
}

TEST(Scalar, aFluxBringsItsGradientAndLeavesAtTheOtherSide)
{
    const auto domain = linked(boxOf(3, {7, 2, 3}, {false, true, true}), bySide);
    const double diffusivity = 0.15, gradient = 0.3;
    const auto lattice = makeScalarLattice(domain, diffusing(diffusivity));
    setAll(*lattice, 0, {ScalarKind::flux, diffusivity * gradient});
    setAll(*lattice, 1, {ScalarKind::value, 5});
    lattice->initialise(std::vector<double>(lattice->size(), 5).data(), nullptr);
    advance(*lattice, atRest(*domain), 4000);
    EXPECT_LT(
        largestError(valuesOf(*lattice), atNodes(*domain, [&](const Place& x) { return 5 + gradient * (6.5 - x[0]); })),
        1e-9);
    for (const double out : lattice->passed(1)) EXPECT_NEAR(out, diffusivity * gradient, 1e-10);
    for (const double out : lattice->passed(0)) EXPECT_NEAR(out, -diffusivity * gradient, 1e-10);
}

// A wall that passes so much by what the node beside it lacks: resistances one after the other.
TEST(Scalar, aWallWithAConductancePassesWhatTheNodeLacks)
{
    const int n = 7;
    const auto domain = linked(boxOf(2, {n, 2, 1}, {false, true, true}), bySide);
    const double diffusivity = 0.15, conductance = 0.02, passes = (9 - 5) / (1 / conductance + (n - 0.5) / diffusivity);
    const auto lattice = makeScalarLattice(domain, diffusing(diffusivity));
    setAll(*lattice, 0, {ScalarKind::transfer, 9, false, conductance});
    setAll(*lattice, 1, {ScalarKind::value, 5});
    lattice->initialise(std::vector<double>(lattice->size(), 5).data(), nullptr);
    advance(*lattice, atRest(*domain), 40000);
    const auto exact = atNodes(*domain, [&](const Place& x) { return 5 + passes / diffusivity * (n - 0.5 - x[0]); });
    EXPECT_LT(largestError(valuesOf(*lattice), exact), 1e-9);
    for (const double out : lattice->passed(0)) EXPECT_NEAR(out, -passes, 1e-11);
}

// In a box whose walls all pass, from values at random: the largest one after many steps, infinite where one is no number. Nodes in
// corners have a wall for each axis; of boxes of one node across, two.
double largestBetweenPassingWalls(int dimensions, const Int3& size, double conductance, double diffusivity)
{
    const auto domain = linked(boxOf(dimensions, size, {false, false, dimensions == 2}), bySide);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> real(-1, 1);
    const auto lattice = makeScalarLattice(domain, diffusing(diffusivity));
    for (const int patch : {0, 1}) setAll(*lattice, patch, {ScalarKind::transfer, 0, false, conductance});
    lattice->initialise(atNodes(*domain, [&](const Place&) { return real(random); }).data(), nullptr);
    advance(*lattice, atRest(*domain), 5000);
    double largest = 0;
    for (const double value : valuesOf(*lattice))
        largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : std::numeric_limits<double>::infinity();
    return largest;
}

TEST(Scalar, cornersOfWallsThatPassStayBoundedBelowTwo)
{
    for (const double diffusivity : {0.01, 0.1, 0.4}) {
        EXPECT_LT(largestBetweenPassingWalls(2, {5, 4, 1}, 0.9, diffusivity), 1e-3) << diffusivity;
        EXPECT_LT(largestBetweenPassingWalls(3, {5, 4, 6}, 0.5, diffusivity), 1e-3) << diffusivity;
        EXPECT_LT(largestBetweenPassingWalls(3, {1, 1, 4}, 1.5 / 5, diffusivity), 1e-3) << diffusivity;
    }
    EXPECT_GT(largestBetweenPassingWalls(2, {5, 4, 1}, 1.3, 0.01), 10);
    EXPECT_GT(largestBetweenPassingWalls(3, {1, 1, 4}, 0.5, 0.01), 10);
}

// Of two fluids that conduct differently, and meet half-way between nodes.
TEST(Scalar, resistancesOfNodesAreOneAfterTheOther)
{
    const auto domain = linked(boxOf(2, {10, 2, 1}, {false, true, true}), bySide);
    const double low = 0.02, high = 0.3;
    const auto lattice = makeScalarLattice(domain, diffusing(0.1));
    const auto conducts = atNodes(*domain, [&](const Place& x) { return x[0] < 4 ? low : high; });
    lattice->setDiffusivity(ScalarDiffusivity(conducts.data()));
    setAll(*lattice, 0, {ScalarKind::value, 0});
    setAll(*lattice, 1, {ScalarKind::value, 1});
    lattice->initialise(std::vector<double>(lattice->size(), 0).data(), nullptr);
    advance(*lattice, atRest(*domain), 40000);
    const double passes = 1 / (4 / low + 6 / high);
    const auto exact = atNodes(*domain, [&](const Place& x) {
        return x[0] < 4 ? passes / low * (x[0] + 0.5) : 1 - passes / high * (9.5 - x[0]);
    });
    EXPECT_LT(largestError(valuesOf(*lattice), exact), 1e-9);
    for (const double out : lattice->passed(1)) EXPECT_NEAR(out, -passes, 1e-11);
}

// In a box, the steady state: of a harmonic function h the scalar is h + h^3, and the diffusivity the inverse of its slope, so that
// the flux is the gradient of h. From a third of the largest diffusivity to all of it.
double ofVaryingDiffusivityError(int n)
{
    const auto domain = linked(boxOf(2, {n, n, 1}, {false, false, true}), bySide);
    const Function harmonic = [n](const Place& x) {
        const double a = (x[0] + 0.5) / n, b = (x[1] + 0.5) / n;
        return a * a - b * b + 0.4 * a * b - 0.3 * a;
    };
    const Function scalar = [&](const Place& x) { return harmonic(x) + std::pow(harmonic(x), 3); };
    const auto conducts = atNodes(*domain, [&](const Place& x) { return 0.3 / (1 + 3 * harmonic(x) * harmonic(x)); });
    const auto exact = atNodes(*domain, scalar);
    const auto lattice = makeScalarLattice(domain, diffusing(0.1));
    lattice->setDiffusivity(ScalarDiffusivity(conducts.data()));
    fix(*lattice, scalar, false);
    lattice->initialise(exact.data(), nullptr);
    advance(*lattice, atRest(*domain), 8 * n * n);
    return largestError(valuesOf(*lattice), exact);
}

TEST(Scalar, aDiffusivityThatVariesIsOfOrderTwo)
{
    const double coarse = ofVaryingDiffusivityError(32), fine = ofVaryingDiffusivityError(64); // 1.94 from there to 128
    EXPECT_GT(std::log2(coarse / fine), 1.85) << coarse << ' ' << fine;
    EXPECT_LT(fine, 1e-3);
}

// Between two cylinders, the steady state: a logarithm of the radius.
double cylinderError(int n)
{
    const double middle = 0.5 * n - 0.37, inner = 0.17 * n, outer = 0.43 * n;
    const auto radius = [&](const Place& x) { return std::hypot(x[0] - middle, x[1] - middle); };
    Domain box = boxOf(2, {n, n, 1}, {false, false, true});
    for (NodeIndex i = 0; i < box.nodes(); ++i) {
        const double r = radius(placeOf(box, i));
        box.fluid.set(i, r > inner && r < outer);
    }
    const auto domain = linked(box, [&](const Int3& x, const Int3& c) {
        const auto along = [&](double s) { return radius({x[0] + s * c[0], x[1] + s * c[1], 0}); };
        const bool isInner = along(1) < inner;
        double in = 0, out = 1;
        for (int i = 0; i < 40; ++i) {
            const double s = 0.5 * (in + out), r = along(s);
            (r > inner && r < outer ? in : out) = s;
        }
        return std::pair(float(out), isInner ? 0 : 1);
    });
    const auto exact =
        atNodes(*domain, [&](const Place& x) { return std::log(radius(x) / inner) / std::log(outer / inner); });
    const auto lattice = makeScalarLattice(domain, diffusing(0.2));
    setAll(*lattice, 0, {ScalarKind::value, 0, true});
    setAll(*lattice, 1, {ScalarKind::value, 1, true});
    lattice->initialise(exact.data(), nullptr);
    advance(*lattice, atRest(*domain), 2 * n * n);
    double square = 0;
    const auto values = valuesOf(*lattice);
    for (std::size_t i = 0; i < values.size(); ++i) square += (values[i] - exact[i]) * (values[i] - exact[i]);
    return std::sqrt(square / double(values.size()));
}

TEST(Scalar, curvedWallsAreOfOrderTwo)
{
    const double coarse = cylinderError(24), fine = cylinderError(96);
    EXPECT_GT(std::log2(coarse / fine) / 2, 1.7) << coarse << ' ' << fine;
}

TEST(Scalar, whatLeavesLeavesWithoutATrace)
{
    const auto domain = linked(boxOf(2, {40, 3, 1}, {false, true, true}), bySide);
    const auto lattice = makeScalarLattice(domain, diffusing(0.01));
    setAll(*lattice, 0, {ScalarKind::value, 0});
    setAll(*lattice, 1, {ScalarKind::outflow});
    lattice->initialise(std::vector<double>(lattice->size(), 1).data(), nullptr);
    const auto flow = flowOf(*domain, [](const Place&) { return Place{0.1, 0, 0}; });
    advance(*lattice, flow, 200);
    EXPECT_NEAR(valuesOf(*lattice).back(), 1, 1e-2);
    advance(*lattice, flow, 1800);
    for (const double value : valuesOf(*lattice)) EXPECT_NEAR(value, 0, 1e-6);
}

// Fluid and solid nodes at random, with a flow at random.
struct Rubble {
    std::shared_ptr<const Domain> domain;
    std::vector<double> flow, values;
    std::mt19937 random{7};

    explicit Rubble(int dimensions)
    {
        std::uniform_real_distribution<double> real(-1, 1);
        Domain box = boxOf(dimensions, {13, 7, dimensions == 3 ? 5 : 1}, {true, false, dimensions == 3});
        for (NodeIndex i = 0; i < box.nodes(); ++i) box.fluid.set(i, real(random) > -0.6);
        domain = linked(box, [&](const Int3&, const Int3&) {
            const double fraction = 0.55 + 0.45 * real(random);
            return std::pair(float(fraction), real(random) > 0 ? 1 : 0);
        });
        flow = flowOf(*domain, [&](const Place&) {
            return Place{0.1 * real(random), 0.1 * real(random), dimensions == 3 ? 0.1 * real(random) : 0};
        });
        values = atNodes(*domain, [&](const Place&) { return 2 + real(random); });
    }
};

TEST(Scalar, nothingIsLostBetweenWalls)
{
    for (const int dimensions : {2, 3}) {
        const Rubble rubble(dimensions);
        const auto lattice = makeScalarLattice(rubble.domain, diffusing(0.03));
        lattice->initialise(rubble.values.data(), rubble.flow.data());
        const auto sum = [](const std::vector<double>& values) {
            double all = 0;
            for (const double value : values) all += value;
            return all;
        };
        const double before = sum(valuesOf(*lattice));
        advance(*lattice, rubble.flow, 500);
        EXPECT_NEAR(sum(valuesOf(*lattice)) / before, 1, 1e-12);
    }
}

// The same, population by population, without runs and slots.
class Plain {
public:
    Plain(const Domain& domain, double diffusivity) : domain_(domain), s_(std::size_t(domain.nodes()))
    {
        odd_ = 1 / (0.5 + 4 * diffusivity);
        even_ = 1 / (0.5 + 0.125 / (4 * diffusivity));
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code);
            const int length = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
            if (length > 1 || (domain.dimensions == 2 && c[2] != 0)) continue;
            f_[code].resize(s_.size());
            weight_[code] = length ? 0.125 : 1 - 0.25 * domain.dimensions;
        }
    }
    std::map<int, std::vector<double>> f_;
    std::function<double(const Link&)> value; // not a number: nothing passes

    void collide(const std::vector<double>& flow)
    {
        std::size_t n = 0;
        for (NodeIndex i = 0; i < domain_.nodes(); ++i) {
            if (!domain_.fluid[i]) continue;
            const double* u = &flow[4 * n++ + 1];
            double s = 0, alongBeyond = 0;
            const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
            for (const auto& [code, f] : f_) s += f[std::size_t(i)];
            // Of the odd part beyond its equilibrium, along the flow; each axis has two populations
            for (const auto& [code, f] : f_) {
                const Int3 c = directionOf(std::uint8_t(code));
                alongBeyond += (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]) * f[std::size_t(i)];
            }
            alongBeyond -= s * square;
            const double source = (1 - odd_ / 2) * 2 * alongBeyond / (1 / (2 * odd_) - square);
            std::map<int, double> sent;
            for (const auto& [code, f] : f_) {
                const Int3 c = directionOf(std::uint8_t(code));
                const double own = f[std::size_t(i)], other = f_[26 - code][std::size_t(i)];
                const double along = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
                const double plus = (own + other) / 2, minus = (own - other) / 2;
                sent[code] = own - even_ * (plus - weight_[code] * s) - odd_ * (minus - weight_[code] * 4 * along * s)
                    + 0.5 * along * source;
            }
            for (const auto& [code, f] : sent) f_[code][std::size_t(i)] = f;
            s_[std::size_t(i)] = s;
        }
    }

    void stream()
    {
        const auto sent = f_;
        for (auto& [code, f] : f_)
            for (NodeIndex i = 0; i < domain_.nodes(); ++i) {
                if (!domain_.fluid[i]) continue;
                const Int3 x = domain_.coordinates(i), c = directionOf(std::uint8_t(code)), back{-c[0], -c[1], -c[2]};
                const Link* link = code == 13 ? nullptr : findLink(domain_, i, back);
                const auto of = [&](int which, NodeIndex node) { return sent.at(which)[std::size_t(node)]; };
                if (!link) {
                    f[std::size_t(i)] = of(code, domain_.neighbour(x, back));
                    continue;
                }
                const double fixed = value(*link);
                if (!std::isfinite(fixed)) {
                    f[std::size_t(i)] = of(26 - code, i);
                    continue;
                }
                const double q = findLink(domain_, i, c) ? 0.5 : double(link->fraction);
                const double share = (1 - 2 * q) / (1 + 2 * q);
                const double follows = share == 0 ? 0 : of(26 - code, domain_.neighbour(x, c));
                f[std::size_t(i)] =
                    -of(26 - code, i) - share * (follows + of(code, i)) + 4 / (1 + 2 * q) * 0.125 * fixed;
            }
    }

private:
    const Domain& domain_;
    std::vector<double> s_;
    std::map<int, double> weight_;
    double odd_, even_;
};

TEST(Scalar, agreesWithPopulationsMovedOneByOne)
{
    for (const int dimensions : {2, 3}) {
        const Rubble rubble(dimensions);
        const Domain& domain = *rubble.domain;
        const auto lattice = makeScalarLattice(rubble.domain, diffusing(0.07));
        setAll(*lattice, 1, {ScalarKind::value, 1.5, true});
        lattice->initialise(rubble.values.data(), nullptr);
        Plain plain(domain, 0.07);
        plain.value = [](const Link& link) { return link.patch == 1 ? 1.5 : std::nan(""); };
        const auto expand = [&](int code, double weight) {
            std::size_t n = 0;
            for (NodeIndex i = 0; i < domain.nodes(); ++i)
                if (domain.fluid[i]) plain.f_[code][std::size_t(i)] = weight * rubble.values[n++];
        };
        for (auto& [code, f] : plain.f_) expand(code, code == 13 ? 1 - 0.25 * dimensions : 0.125);
        for (int step = 0; step < 20; ++step) {
            plain.stream();
            plain.collide(rubble.flow);
        }
        advance(*lattice, rubble.flow, 20);
        const auto values = valuesOf(*lattice);
        std::size_t n = 0;
        for (NodeIndex i = 0; i < domain.nodes(); ++i) {
            if (!domain.fluid[i]) continue;
            double s = 0;
            for (const auto& [code, f] : plain.f_) s += f[std::size_t(i)];
            ASSERT_NEAR(values[n++], s, 1e-11) << dimensions << " dimensions, node " << i;
        }
    }
}

TEST(Scalar, goesOnBitForBitWithAnyNumberOfThreads)
{
    for (const char* precision : {"double", "float"}) {
        const Rubble rubble(3);
        ScalarConfig config = diffusing(0.05, precision);
        config.threads = 1;
        const auto one = makeScalarLattice(rubble.domain, config);
        config.threads = 3;
        const auto other = makeScalarLattice(rubble.domain, config);
        for (const auto& lattice : {one.get(), other.get()}) setAll(*lattice, 0, {ScalarKind::value, 1, true});
        one->initialise(rubble.values.data(), rubble.flow.data());
        advance(*one, rubble.flow, 5);
        std::vector<double> populations(std::size_t(one->populations()) * one->size());
        one->getPopulations(populations.data());
        other->setPopulations(populations.data());
        advance(*one, rubble.flow, 5);
        advance(*other, rubble.flow, 5);
        EXPECT_EQ(valuesOf(*one), valuesOf(*other)) << precision;
    }
}

TEST(Scalar, ofSinglePrecisionIsNearThatOfDouble)
{
    const Rubble rubble(3);
    std::vector<std::vector<double>> values;
    for (const char* precision : {"double", "float"}) {
        const auto lattice = makeScalarLattice(rubble.domain, diffusing(0.05, precision));
        setAll(*lattice, 0, {ScalarKind::value, 1, true});
        lattice->initialise(rubble.values.data(), rubble.flow.data());
        advance(*lattice, rubble.flow, 50);
        values.push_back(valuesOf(*lattice));
    }
    const double difference = largestError(values[0], values[1]);
    EXPECT_LT(difference, 1e-5);
    EXPECT_GT(difference, 0);
}

// From a relaxation time of 1, where what is sent does not tell of gradients, to others on both sides; with a flow along the plates.
TEST(Scalar, stepsOfAnotherLengthKeepTheScalarAndItsGradient)
{
    const auto domain = linked(boxOf(2, {12, 3, 1}, {false, true, true}), bySide);
    const double speed = 0.02, before = 0.125;
    const auto flowOfSpeed = [&](double u) { return flowOf(*domain, [u](const Place&) { return Place{0, u, 0}; }); };
    for (const double ratio : {0.25, 3.0}) {
        const auto lattice = makeScalarLattice(domain, diffusing(before));
        const Function exact = [](const Place& x) { return 2 + 0.3 * x[0]; };
        fix(*lattice, exact, false);
        lattice->initialise(atNodes(*domain, exact).data(), flowOfSpeed(speed).data());
        advance(*lattice, flowOfSpeed(speed), 4000);
        const auto flow = flowOfSpeed(ratio * speed);
        lattice->rescale(ratio, ratio * before, flow.data());
        for (int step = 0; step < 20; ++step) {
            advance(*lattice, flow, 1);
            ASSERT_LT(largestError(valuesOf(*lattice), atNodes(*domain, exact)), 1e-10) << ratio << ", step " << step;
            for (const double out : lattice->passed(1)) ASSERT_NEAR(out, -ratio * before * 0.3, 1e-10);
        }
    }
}

// The same where each node has a diffusivity of its own.
TEST(Scalar, stepsOfAnotherLengthKeepFluxesOfVaryingDiffusivities)
{
    const auto domain = linked(boxOf(2, {12, 3, 1}, {false, true, true}), bySide);
    const double ratio = 3;
    const auto conducts = [&](double factor) {
        return atNodes(*domain, [=](const Place& x) { return factor * (x[0] < 5 ? 0.02 : 0.125); });
    };
    const auto lattice = makeScalarLattice(domain, diffusing(0.1));
    lattice->setDiffusivity(ScalarDiffusivity(conducts(1).data()));
    setAll(*lattice, 0, {ScalarKind::value, 0});
    setAll(*lattice, 1, {ScalarKind::value, 1});
    const auto flow = atRest(*domain);
    lattice->initialise(std::vector<double>(lattice->size(), 0).data(), flow.data());
    advance(*lattice, flow, 60000);
    const auto steady = valuesOf(*lattice);
    const double passed = lattice->passed(1)[0];
    lattice->rescale(ratio, ScalarDiffusivity(conducts(ratio).data()), flow.data());
    for (int step = 0; step < 20; ++step) {
        advance(*lattice, flow, 1);
        ASSERT_LT(largestError(valuesOf(*lattice), steady), 1e-10) << "step " << step;
        for (const double out : lattice->passed(1)) ASSERT_NEAR(out, ratio * passed, 1e-10);
    }
}

// A wave that moves and fades: the same, whether its steps are short all the time or become longer on the way.
TEST(Scalar, stepsOfAnotherLengthGoOnWithWaves)
{
    const int n = 48;
    const auto domain = linked(boxOf(2, {n, n, 1}, {true, true, true}), halfWay);
    const auto flowOfSpeed = [&](double u) {
        return flowOf(*domain, [u](const Place&) { return Place{u, 0.5 * u, 0}; });
    };
    const auto wave = atNodes(
        *domain, [&](const Place& x) { return std::sin(2 * pi * x[0] / n) + std::cos(2 * pi * (x[0] - x[1]) / n); });
    const auto one = makeScalarLattice(domain, diffusing(0.02)), other = makeScalarLattice(domain, diffusing(0.02));
    const auto slow = flowOfSpeed(0.03), fast = flowOfSpeed(0.12);
    for (const auto& lattice : {one.get(), other.get()}) {
        lattice->initialise(wave.data(), slow.data());
        advance(*lattice, slow, 100);
    }
    advance(*one, slow, 4 * 5);
    other->rescale(4, 0.08, fast.data());
    advance(*other, fast, 5);
    const double kept = largestError(valuesOf(*one), valuesOf(*other));
    EXPECT_LT(kept, 1e-3);

    // Begun anew at equilibrium it would lack the fluxes
    const auto anew = makeScalarLattice(domain, diffusing(0.02));
    anew->initialise(wave.data(), slow.data());
    advance(*anew, slow, 100);
    const auto then = valuesOf(*anew);
    anew->setDiffusivity(0.08);
    anew->initialise(then.data(), fast.data());
    advance(*anew, fast, 5);
    EXPECT_GT(largestError(valuesOf(*one), valuesOf(*anew)), 2 * kept);
}

TEST(Scalar, refusesWhatMakesNoSense)
{
    const auto domain = linked(boxOf(2, {4, 4, 1}, {false, false, true}), bySide);
    EXPECT_THROW(makeScalarLattice(domain, diffusing(0)), std::invalid_argument);
    EXPECT_THROW(makeScalarLattice(domain, diffusing(std::nan(""))), std::invalid_argument);
    EXPECT_THROW(makeScalarLattice(domain, diffusing(0.1, "half")), std::invalid_argument);
    const auto lattice = makeScalarLattice(domain, diffusing(0.1));
    const ScalarLinkValue none{ScalarKind::value, std::nan("")};
    EXPECT_THROW(lattice->setBoundary(0, &none, 1), std::invalid_argument);
    EXPECT_THROW(setAll(*lattice, 0, none), std::invalid_argument);
    EXPECT_THROW(lattice->setBoundary(2, nullptr, 0), std::invalid_argument);
    EXPECT_THROW(setAll(*lattice, 0, {ScalarKind::transfer, 1, false, -0.1}), std::invalid_argument);
    EXPECT_THROW(setAll(*lattice, 0, {ScalarKind::transfer, 1, false, std::nan("")}), std::invalid_argument);
    std::vector<double> ofNodes(lattice->size(), 0.1);
    ofNodes[5] = 0;
    EXPECT_THROW(lattice->setDiffusivity(ScalarDiffusivity(ofNodes.data())), std::invalid_argument);
    Domain part = *domain;
    part.ghostsAbove = {1, 0, 0};
    EXPECT_THROW(makeScalarLattice(std::make_shared<const Domain>(part), diffusing(0.1)), std::invalid_argument);
}

} // namespace
} // namespace lbm
