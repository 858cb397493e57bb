// Sponges (lbm/api/Sponge.hpp): what they make of a node, on a device as on a host; going on from what is kept; what is refused.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Sponge.hpp"
#include "lbm/api/Storage.hpp"
#include "tests/built.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace lbm::test {
namespace {

constexpr int boxWide = 37, spongeFrom = 17;

// Between walls across x, of no tile's size; the sponge is before the last one.
std::shared_ptr<const Domain> spongedBox(const std::string& lattice)
{
    auto d = std::make_shared<Domain>();
    d->dimensions = latticeDimensions(lattice);
    d->size = {boxWide, 11, d->dimensions == 2 ? 1 : 6};
    d->periodic = {false, true, true};
    d->fluid = BitSet(d->nodes(), true);
    return d;
}

Config configOf(const KernelRow& row)
{
    Config c;
    c.lattice = row.lattice;
    c.device = row.device;
    c.precision = row.precision;
    c.tile = row.tile;
    c.storage = row.storage;
    c.collision = row.collision;
    c.tau = 0.52;
    return c;
}

struct Sponged {
    std::shared_ptr<const Domain> domain;
    std::unique_ptr<Solver> solver;
    std::vector<NodeIndex> nodes, members;
    std::unique_ptr<Sponge> sponge;
    double deviation = 0; // the largest seen

    explicit Sponged(const Config& config) : domain(spongedBox(config.lattice)), solver(makeSolver(domain, config))
    {
        std::vector<double> shares;
        for (NodeIndex i = 0; i < domain->nodes(); ++i) {
            nodes.push_back(i);
            const int x = domain->coordinates(i)[0];
            if (x < spongeFrom) continue;
            members.push_back(i);
            shares.push_back(std::pow(double(x - spongeFrom + 1) / (boxWide - spongeFrom), 2));
        }
        sponge = placeSponge(*solver, members, shares);
    }

    void begin()
    {
        std::vector<Macroscopic> states(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Int3 x = domain->coordinates(nodes[i]);
            const double a = 0.17 * x[0] + 2 * M_PI / 11 * x[1], b = 2 * M_PI / 6 * x[2];
            states[i].density = 1 + 0.004 * std::sin(a);
            states[i].velocity = {0.03 * std::cos(a), 0.02 * std::sin(a + b), 0.0};
            if (domain->dimensions == 3) states[i].velocity[2] = 0.01 * std::cos(b - a);
        }
        solver->initialise(nodes.data(), nodes.size(), states.data());
    }

    void go(int times, bool first)
    {
        for (int i = 0; i < times; ++i) {
            solver->advance(5);
            const double seen = sponge->apply(first && i == 0 ? 1 : 0.1, 0.7, 1).deviation;
            deviation = std::isfinite(seen) ? std::max(deviation, seen) : std::numeric_limits<double>::infinity();
        }
    }

    std::vector<double> populations() const
    {
        std::vector<double> all(nodes.size() * std::size_t(solver->directions()));
        solver->getPopulations(nodes.data(), nodes.size(), all.data());
        return all;
    }
    std::vector<double> means() const
    {
        std::vector<double> all(sponge->size() * Sponge::meanValues);
        sponge->means(0, sponge->size(), all.data());
        return all;
    }
    std::vector<Macroscopic> states() const
    {
        std::vector<Macroscopic> all(members.size());
        solver->sample(members.data(), members.size(), all.data());
        return all;
    }
};

double furthest(const std::vector<double>& a, const std::vector<double>& b)
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    double most = a.size() == b.size() ? 0 : infinite;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        most = std::isfinite(difference) ? std::max(most, difference) : infinite;
    }
    return most;
}

// Of the processor, in double precision, with the collision and as many values a node. What a sponge adds to populations is of second
// order in velocities, and moments keep another part of it than populations do: 1e-5 here.
bool isAlikeOnHost(const KernelRow& row, const KernelRow& of)
{
    return isOnHost(row) && row.precision == "double" && row.lattice == of.lattice && row.collision == of.collision
        && row.closure == of.closure && row.equilibrium == of.equilibrium
        && storedState(row).values == storedState(of).values;
}

// Of the same storage, if it has one.
const KernelRow* onHost(const KernelRow& of)
{
    const KernelRow* found = nullptr;
    for (const KernelRow& row : kernels())
        if (isAlikeOnHost(row, of) && (!found || row.storage == of.storage)) found = &row;
    return found;
}

bool isPlain(const KernelRow& row) { return row.closure == "constant" && row.equilibrium == "incompressible"; }

Config plain()
{
    Config c;
    c.lattice = "D2Q9";
    c.collision = "regularized";
    c.storage = "moments";
    c.tau = 0.52;
    return c;
}

// A run that goes on from what another one has kept.
void expectGoesOn(const Config& config)
{
    Sponged whole(config), again(config);
    whole.begin();
    whole.go(3, true);
    const std::size_t values = std::size_t(storedState(whole.solver->row()).values);
    std::vector<double> stored(whole.nodes.size() * values);
    whole.solver->getStored(whole.nodes.data(), whole.nodes.size(), stored.data());
    again.solver->setStateTau(whole.solver->stateTau());
    again.solver->setStateSteps(whole.solver->step());
    again.solver->setStored(again.nodes.data(), again.nodes.size(), stored.data());
    again.sponge->setMeans(whole.means().data());
    EXPECT_EQ(again.means(), whole.means());
    whole.go(3, false);
    again.go(3, false);
    EXPECT_EQ(again.populations(), whole.populations()) << name(whole.solver->row());
    EXPECT_EQ(again.means(), whole.means()) << name(whole.solver->row());
}

} // namespace

TEST(Sponge, relaxesDensityAndMomentumAlone)
{
    Sponged s(plain());
    s.begin();
    s.go(1, true);
    s.solver->advance(5);
    const std::vector<double> mean = s.means();
    const std::vector<Macroscopic> before = s.states();
    s.sponge->apply(0, 0.7, 1);
    const std::vector<Macroscopic> after = s.states();
    EXPECT_EQ(s.means(), mean);
    double moved = 0;
    for (std::size_t i = 0; i < s.members.size(); ++i) {
        const int x = s.domain->coordinates(s.members[i])[0];
        const double share = std::pow(double(x - spongeFrom + 1) / (boxWide - spongeFrom), 2),
                     left = std::exp(-0.7 * share);
        const double* m = &mean[Sponge::meanValues * i];
        ASSERT_NEAR(after[i].density - 1, m[0] + left * (before[i].density - 1 - m[0]), 1e-14) << i;
        for (int a = 0; a < 2; ++a)
            ASSERT_NEAR(after[i].velocity[a], m[1 + a] + left * (before[i].velocity[a] - m[1 + a]), 1e-14) << i;
        for (int k = 0; k < 6; ++k) ASSERT_NEAR(after[i].strainRate[k], before[i].strainRate[k], 1e-14) << i;
        moved = std::max(moved, std::abs(after[i].velocity[0] - before[i].velocity[0]));
    }
    EXPECT_GT(moved, 1e-3);
}

TEST(Sponge, hasMeansInUnitsOfSteps)
{
    Sponged s(plain());
    s.begin();
    s.go(2, true);
    const std::vector<double> before = s.means();
    s.sponge->convert(3);
    const std::vector<double> after = s.means();
    for (std::size_t i = 0; i < before.size(); ++i)
        ASSERT_DOUBLE_EQ(after[i], (i % Sponge::meanValues ? 3 : 9) * before[i]) << i;
    std::vector<double> some(2 * Sponge::meanValues);
    s.sponge->means(5, 2, some.data());
    EXPECT_TRUE(std::equal(some.begin(), some.end(), after.begin() + 5 * Sponge::meanValues));
}

TEST(Sponge, goesOn) { expectGoesOn(plain()); }

TEST(Sponge, refuses)
{
    Sponged s(plain());
    EXPECT_THROW(placeSponge(*s.solver, {0, 1}, {1}), std::invalid_argument);
    for (const double share : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(placeSponge(*s.solver, {0}, {share}), std::invalid_argument);
    EXPECT_THROW(placeSponge(*s.solver, {s.domain->nodes()}, {1}), std::out_of_range);
    const auto none = placeSponge(*s.solver, {}, {});
    EXPECT_EQ(none->apply(1, 1, 1).deviation, 0);
}

// Of what has no meaning the caller is told.
TEST(Sponge, seesWhatIsNoNumber)
{
    Sponged s(plain());
    s.begin();
    EXPECT_LT(s.sponge->apply(1, 0.7, 1).deviation, 1);
    std::vector<double> lost(9, std::numeric_limits<double>::quiet_NaN());
    s.solver->setPopulations(&s.members[3], 1, lost.data());
    EXPECT_FALSE(s.sponge->apply(1, 0.7, 1).deviation < 1e9);
}

TEST(Sponge, isTheSameInStorages)
{
    int rows = 0;
    for (const KernelRow& row : kernels()) {
        if (!isAlikeOnHost(row, row) || !isPlain(row)) continue;
        const KernelRow& first = *std::find_if(kernels().begin(), kernels().end(),
                                               [&](const KernelRow& r) { return isAlikeOnHost(r, row); });
        if (first.storage == row.storage) continue;
        ++rows;
        Sponged one(configOf(first)), same(configOf(row));
        for (Sponged* s : {&one, &same}) {
            s->begin();
            s->go(5, true);
        }
        EXPECT_LT(furthest(same.populations(), one.populations()), 1e-15) << name(row);
        EXPECT_LT(furthest(same.means(), one.means()), 1e-15) << name(row);
    }
    if (rows == 0) GTEST_SKIP() << "each collision has one storage in this build";
}

TEST(Sponge, isTheSameOnADevice)
{
    SKIP_WITHOUT_DEVICE();
    int rows = 0;
    for (const KernelRow& row : kernels()) {
        const KernelRow* other = isOnHost(row) || !isPlain(row) ? nullptr : onHost(row);
        if (!other) continue;
        ++rows;
        Sponged host(configOf(*other)), device(configOf(row));
        EXPECT_FALSE(host.sponge->onDevice());
        ASSERT_TRUE(device.sponge->onDevice()) << name(row) << device.sponge->whyOnHost();
        for (Sponged* s : {&host, &device}) {
            s->begin();
            s->go(5, true);
        }
        const bool sixteen = storedState(row).valueBytes == 2;
        const double tolerance = sixteen ? 3e-4 : row.precision == "double" ? 1e-12 : 2e-6;
        EXPECT_LT(furthest(device.populations(), host.populations()), tolerance) << name(row);
        EXPECT_LT(furthest(device.means(), host.means()), 10 * tolerance) << name(row);
        EXPECT_NEAR(device.deviation, host.deviation, 30 * tolerance) << name(row);
        std::vector<double> lost(std::size_t(device.solver->directions()), std::numeric_limits<double>::quiet_NaN());
        device.solver->setPopulations(&device.members[3], 1, lost.data());
        if (!sixteen) EXPECT_FALSE(device.sponge->apply(1, 0.7, 1).deviation < 1e9) << name(row);
        expectGoesOn(configOf(row));
    }
    if (rows == 0) GTEST_SKIP() << "no kernels of a device and the processor in this build";
    std::printf("%d kernels of a device\n", rows);
}

} // namespace lbm::test
