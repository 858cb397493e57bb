// Links over the edges of a block past which the fluid slips. Part of lbmFoam, GPL-3.0-or-later.
#include "tests/built.hpp"
#include "lbm/api/EdgeLinks.hpp"
#include "lbm/api/Solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace lbm::test {
namespace {

// Of 4 x 5 x 3 nodes in a periodic box; its sides lie this share of a spacing from the nodes around it. Links to its nodes, and none past
// its edges
Domain blockInBox(float away)
{
    Domain domain;
    domain.size = {12, 12, 9};
    domain.periodic = {true, true, true};
    domain.patches = {"block"};
    domain.fluid = BitSet(domain.nodes());
    const auto inBlock = [](const Int3& x) {
        return x[0] >= 4 && x[0] < 8 && x[1] >= 4 && x[1] < 9 && x[2] >= 3 && x[2] < 6;
    };
    for (NodeIndex i = 0; i < domain.nodes(); ++i)
        if (!inBlock(domain.coordinates(i))) domain.fluid.set(i);
    for (NodeIndex i = 0; i < domain.nodes(); ++i) {
        const Int3 x = domain.coordinates(i);
        if (!domain.fluid[i]) continue;
        for (std::uint8_t code = 0; code < 27; ++code) {
            const Int3 c = directionOf(code);
            if (inBlock({x[0] + c[0], x[1] + c[1], x[2] + c[2]})) domain.links.push_back({i, away, 0, code});
        }
    }
    domain.check();
    return domain;
}

// Mass of the fluid around it after 100 steps of a stream, over what it was, less 1
double massAround(const Domain& from)
{
    Config config;
    config.tau = 0.53;
    config.patches = {{BoundaryKind::slip, {1, 0, 0}, 1}};
    const auto solver = makeSolver(std::make_shared<const Domain>(from), config);
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;
    for (NodeIndex i = 0; i < from.nodes(); ++i) {
        if (!from.fluid[i]) continue;
        nodes.push_back(i);
        states.emplace_back();
        states.back().velocity = {0.05, 0.02, 0.01};
    }
    solver->initialise(nodes.data(), nodes.size(), states.data());
    solver->advance(100);
    solver->sample(nodes.data(), nodes.size(), states.data());
    double excess = 0;
    for (const Macroscopic& state : states) excess += state.density - 1;
    return excess / double(states.size());
}

} // namespace

TEST(EdgeLinks, areEndedBothWaysWhereverPlanesLie)
{
    const std::vector<Int3> directions = latticeDirections("D3Q19");
    for (const float away : {0.2f, 0.4999f, 0.8f}) {
        Domain domain = blockInBox(away);
        const std::size_t before = domain.links.size();
        // Over each of twelve edges, from each of its nodes and back
        const std::size_t added = 2 * 4 * (4 + 5 + 3);
        EXPECT_EQ(endEdgeLinks(domain, {true}, directions, 2), added) << away;
        EXPECT_EQ(domain.links.size(), before + added);
        domain.check();
        for (const Link& link : domain.links) {
            const Int3 c = directionOf(link.direction);
            const NodeIndex end = domain.neighbour(domain.coordinates(link.node), c);
            if (domain.fluid[end]) EXPECT_TRUE(findLink(domain, end, {-c[0], -c[1], -c[2]}));
        }
        EXPECT_EQ(endEdgeLinks(domain, {true}, directions), 0u);
    }
}

TEST(EdgeLinks, keepTheFluidsMassInPairs)
{
    Domain domain = blockInBox(0.3f);
    endEdgeLinks(domain, {true}, latticeDirections("D3Q19"));
    EXPECT_LT(std::abs(massAround(domain)), 1e-13);
    // What one of a pair lets past the edge alone is lost or there twice
    const auto past = std::find_if(domain.links.begin(), domain.links.end(), [&](const Link& link) {
        return domain.fluid[domain.neighbour(domain.coordinates(link.node), directionOf(link.direction))];
    });
    domain.links.erase(past);
    EXPECT_GT(std::abs(massAround(domain)), 1e-9);
}

TEST(EdgeLinks, ofOtherWallsAndOfSlopesStay)
{
    Domain domain = blockInBox(0.3f);
    EXPECT_EQ(endEdgeLinks(domain, {false}, latticeDirections("D3Q19")), 0u);
    // A slope: each node sees the side as far away as its place along it says
    for (Link& link : domain.links)
        link.fraction = 0.1f
            + 0.05f
                * float(domain.coordinates(link.node)[0] + domain.coordinates(link.node)[1]
                        + domain.coordinates(link.node)[2])
                * 0.5f;
    EXPECT_EQ(endEdgeLinks(domain, {true}, latticeDirections("D3Q19")), 0u);
}

} // namespace lbm::test
