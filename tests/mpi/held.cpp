// What ranks hold: each its share of the parts, of their links and of sets of nodes, and none another one's besides; the first one has
// the Domain, too. Counted is what the heap has given out, not populations, which have pages of their own. To be run by mpirun.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/RankTeam.hpp"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/Solver.hpp"
#include "tests/equivalence/Scenarios.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <malloc.h>

namespace lbm::test {
namespace {

constexpr double aim = 1.15; // of a share

double heldHere()
{
    const struct mallinfo2 info = mallinfo2();
    return double(info.uordblks + info.hblkhd);
}

class Held final : public RankWorker {
public:
    explicit Held(Message&) {}
    Message answer(Message&) override { return Message(heldHere()); }
};

[[maybe_unused]] const bool named =
    nameRankWorker("held", [](Message& told) -> std::unique_ptr<RankWorker> { return std::make_unique<Held>(told); });

// By rank
std::vector<double> heldByRanks(RankTeam& team)
{
    std::vector<double> held{0};
    for (Message& its : team.ask(std::vector<Message>(std::size_t(ranks()) - 1), [] {}))
        held.push_back(its.get<double>());
    held[0] = heldHere();
    return held;
}

void expectShares(const std::vector<double>& before, const std::vector<double>& after, double whole, const char* what)
{
    const double share = whole / ranks(), small = 2e5;
    for (std::size_t r = 0; r < before.size(); ++r)
        EXPECT_LT(after[r] - before[r], aim * share + small) << what << ": rank " << r << " of " << ranks();
}

// A bed of rods across the box: half as many links as nodes, or more
std::shared_ptr<const Domain> rods()
{
    Domain d;
    d.size = {32, 32, 384};
    d.periodic = {true, true, false};
    d.patches = {"rods"};
    d.fluid = BitSet(d.nodes());
    const auto isRod = [](const Int3& x) { return x[0] % 4 == 1 && x[2] % 2 == 1; };
    for (NodeIndex i = 0; i < d.nodes(); ++i)
        if (!isRod(d.coordinates(i))) d.fluid.set(i);
    for (NodeIndex i = 0; i < d.nodes(); ++i) {
        if (!d.fluid[i]) continue;
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code);
            if (std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) > 2 || c == Int3{0, 0, 0}) continue;
            const NodeIndex next = d.neighbour(d.coordinates(i), c);
            if (next < 0 || !d.fluid[next]) d.links.push_back({i, 0.5f, 0, code});
        }
    }
    d.links.shrink_to_fit();
    d.check();
    return std::make_shared<const Domain>(std::move(d));
}

struct Sets {
    std::shared_ptr<const NodeSet> nodes, sums;
};

Sets placed(const Solver& solver, const std::vector<NodeIndex>& nodes)
{
    Sets sets;
    sets.nodes = solver.place(nodes.data(), nodes.size());
    NodeGroups groups(NodeSet::Kind::sumsOfPopulations);
    for (const Link& link : solver.domain().links) {
        groups.add(link.node, 1, 1);
        groups.endGroup();
    }
    sets.sums = solver.place(groups);
    return sets;
}

Config configOfRods()
{
    Config config;
    config.storage = "aa";
    config.threads = 1;
    config.tau = 0.8;
    config.patches.resize(1);
    config.patches[0].kind = BoundaryKind::movingWall;
    return config;
}

TEST(Held, shares)
{
    const auto domain = rods();
    Config config = configOfRods();
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    std::vector<double> values(nodes.size() * 4);

#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer's heap is not told";
#endif
    double solverAlone = 0, setsAlone = 0;
    {
        const double before = heldHere();
        const auto alone = makeSolver(domain, config);
        solverAlone = heldHere() - before;
        const Sets sets = placed(*alone, nodes);
        alone->sample(*sets.nodes, Reading::flow, values.data());
        setsAlone = heldHere() - before - solverAlone;
    }
    ASSERT_GT(solverAlone, 40. * double(domain->links.size())); // links are what shares are about here

    RankTeam team("held", {});
    config.parts = config.ranks = ranks();
    const std::vector<double> before = heldByRanks(team);
    const auto solver = makeSolver(domain, config);
    const std::vector<double> made = heldByRanks(team);
    expectShares(before, made, solverAlone, "solver");
    const Sets sets = placed(*solver, nodes);
    solver->sample(*sets.nodes, Reading::flow, values.data());
    expectShares(made, heldByRanks(team), setsAlone, "sets");
}

// What links are told is in no process as a whole: the first one has a piece at a time, each rank its own part's. The same flow as of
// one process, and the same of a whole list.
TEST(Held, tellsLinksByPieces)
{
    const auto domain = rods();
    Config config = configOfRods();
    const std::size_t n = domain->links.size();
    const auto valueOf = [](std::size_t link) {
        LinkValue value;
        value.kind = BoundaryKind::movingWall;
        value.velocity = {1e-3 * double(link % 7), 1e-3 * double(link % 11), -1e-3 * double(link % 13)};
        return value;
    };
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    const auto flowOf = [&](Solver& solver) {
        solver.advance(2);
        std::vector<double> values(nodes.size() * 4);
        const auto set = solver.place(nodes.data(), nodes.size());
        solver.sample(*set, Reading::flow, values.data());
        return values;
    };
    double toldAlone = 0;
    std::vector<double> expected;
    {
        std::vector<LinkValue> values;
        for (std::size_t i = 0; i < n; ++i) values.push_back(valueOf(i));
        const auto alone = makeSolver(domain, config);
        const double before = heldHere();
        alone->setBoundary(0, values.data(), n);
        toldAlone = heldHere() - before;
        expected = flowOf(*alone);
    }

    RankTeam team("held", {});
    config.parts = config.ranks = ranks();
    const auto solver = makeSolver(domain, config);
    const std::vector<double> before = heldByRanks(team);
    double most = 0;
    std::size_t next = 0;
    solver->tellBoundary(0, n, [&](std::size_t first, std::size_t many, LinkValue* values) {
        EXPECT_EQ(first, next);
        next = first + many;
        for (std::size_t i = 0; i < many; ++i) values[i] = valueOf(first + i);
        most = std::max(most, heldHere() - before[0]);
    });
    EXPECT_EQ(next, n);
#ifndef __SANITIZE_ADDRESS__
    const double whole = double(n) * sizeof(LinkValue), piece = 16384. * sizeof(LinkValue);
    const double bound = aim * whole / ranks() + 3 * piece;
    ASSERT_LT(bound, 0.9 * whole); // a whole list is noticed
    EXPECT_LT(most, bound);
    expectShares(before, heldByRanks(team), toldAlone, "told");
#endif
    EXPECT_EQ(flowOf(*solver), expected);
}

// Nodes of sets lie with their ranks: what is wrong with one is said with its place all the same.
TEST(Held, namesNodes)
{
    const auto domain = rods();
    Config config;
    config.collision = "regularized";
    config.storage = "aa";
    config.closure = "nodeField";
    config.threads = 1;
    config.patches.resize(1);
    config.parts = config.ranks = ranks();
    const auto solver = makeSolver(domain, config);
    const std::vector<NodeIndex> nodes = fluidNodesOf(*domain);
    std::vector<double> tau(nodes.size(), 0.7);
    for (const std::size_t i : {std::size_t(5), nodes.size() - 7}) {
        tau[i] = std::nan("");
        const Int3 x = domain->coordinates(nodes[i]);
        const std::string place =
            "(" + std::to_string(x[0]) + ' ' + std::to_string(x[1]) + ' ' + std::to_string(x[2]) + ")";
        const auto set = solver->place(nodes.data(), nodes.size());
        try {
            solver->setRelaxationTimes(*set, tau.data());
            ADD_FAILURE() << "not refused";
        } catch (const std::invalid_argument& fault) {
            EXPECT_NE(std::string(fault.what()).find(place), std::string::npos) << fault.what() << ", not " << place;
        }
        tau[i] = 0.7;
    }
}

} // namespace
} // namespace lbm::test
