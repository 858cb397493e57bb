// Edges round which planes of symmetry or with a given shear go, half-way between nodes: mass, and a stream that knows nothing of
// them. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Reference.hpp"
#include "tests/built.hpp"
#include "tests/unit/Shape.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lbm::test {
namespace {

// A block in the middle of a periodic box. capped: planes end it along z, too.
struct Block {
    Int3 size, from, to; // the block's nodes
    bool capped;
    bool plate = false; // one without thickness in its place, before from[0], as high

    bool solid(const Int3& x) const
    {
        if (capped && (x[2] < 0 || x[2] >= size[2])) return true;
        for (int a = 0; a < 2; ++a)
            if (x[a] < from[a] || x[a] >= to[a]) return false;
        return !plate;
    }

    // From its edges on
    bool meetsPlate(const Int3& x, const Int3& c) const
    {
        if (!plate || c[0] == 0 || x[0] + (c[0] < 0 ? -1 : 0) != from[0] - 1) return false;
        return 2 * x[1] + c[1] >= 2 * from[1] - 1 && 2 * x[1] + c[1] <= 2 * to[1] - 1;
    }

    // As meshes have it, a link through an edge meets the walls there, though both its ends are fluid.
    bool meetsEdge(const Int3& x, const Int3& c) const
    {
        if (c[0] == 0 || c[1] == 0) return false;
        return solid({x[0] + c[0], x[1], x[2]}) != solid({x[0], x[1] + c[1], x[2]});
    }

    Domain domain() const
    {
        Domain d;
        d.dimensions = size[2] == 1 ? 2 : 3;
        d.size = size;
        d.periodic = {true, true, !capped};
        d.patches = {"block"};
        d.fluid = BitSet(d.nodes());
        for (NodeIndex i = 0; i < d.nodes(); ++i)
            if (!solid(d.coordinates(i))) d.fluid.set(i);
        for (NodeIndex i = 0; i < d.nodes(); ++i) {
            const Int3 x = d.coordinates(i);
            for (std::uint8_t code = 0; code < 27; ++code) {
                const Int3 c = directionOf(code);
                if (!d.fluid[i] || code == 13 || (d.dimensions == 2 && c[2])) continue;
                if (solid({x[0] + c[0], x[1] + c[1], x[2] + c[2]}) || meetsEdge(x, c) || meetsPlate(x, c))
                    d.links.push_back({i, 0.5f, 0, code});
            }
        }
        d.check();
        return d;
    }
};

struct Row {
    const char *lattice, *storage, *collision;
};

class EdgeTest : public testing::TestWithParam<Row> {
protected:
    void SetUp() override { SKIP_IF_LEFT_OUT(config(BoundaryKind::slip)); }

    bool flat() const { return std::string(GetParam().lattice) == "D2Q9"; }

    Config config(BoundaryKind kind) const
    {
        Config c;
        c.lattice = GetParam().lattice;
        c.storage = GetParam().storage;
        c.collision = GetParam().collision;
        c.tau = 0.53;
        c.patches = {{kind, {1, 0, 0}, 1}};
        return c;
    }

    Block block(bool capped, bool plate = false) const
    {
        return {{12, 11, flat() ? 1 : 4}, {4, 4, 0}, {8, 7, 0}, capped, plate};
    }

    // A stream past the block, of all nodes
    static Macroscopic stream(const Int3& x)
    {
        Macroscopic m;
        m.velocity = {0.05 + 0.01 * std::sin(2 * x[1]), 0.02 * std::cos(3 * x[0]), 0};
        return m;
    }

    struct Start {
        std::vector<NodeIndex> nodes;
        std::vector<Macroscopic> states;
    };
    static Start startOf(const Domain& domain)
    {
        Start start;
        for (NodeIndex i = 0; i < domain.nodes(); ++i)
            if (domain.fluid[i]) {
                start.nodes.push_back(i);
                start.states.push_back(stream(domain.coordinates(i)));
            }
        return start;
    }
};

TEST_P(EdgeTest, massStays)
{
    for (int which = 0; which < 4; ++which) {
        const bool capped = which & 1;
        if (capped && flat()) continue;
        for (const BoundaryKind kind : {BoundaryKind::slip, BoundaryKind::shear}) {
            const auto domain = std::make_shared<const Domain>(block(capped, which & 2).domain());
            const auto solver = makeSolver(domain, config(kind));
            const auto [nodes, states] = startOf(*domain);
            solver->initialise(nodes.data(), nodes.size(), states.data());
            const double before = solver->health(1).excess;
            solver->advance(100);
            EXPECT_NEAR(solver->health(1).excess, before, 1e-10 * double(nodes.size()))
                << "capped " << capped << ", plate " << (which & 2);
        }
    }
}

TEST_P(EdgeTest, isTheReferences)
{
    for (int which = 0; which < 4; ++which) {
        const bool capped = which & 1;
        if (capped && flat()) continue;
        const auto domain = std::make_shared<const Domain>(block(capped, which & 2).domain());
        const Config c = config(BoundaryKind::slip);
        const auto solver = makeSolver(domain, c);
        reference::Reference plain(*domain, c);
        auto [nodes, states] = startOf(*domain);
        for (std::size_t i = 0; i < nodes.size(); ++i) plain.initialise(nodes[i], {1, states[i].velocity, {}});
        solver->initialise(nodes.data(), nodes.size(), states.data());
        solver->advance(20);
        plain.advance(20);
        solver->sample(nodes.data(), nodes.size(), states.data());
        for (std::size_t i = 0; i < nodes.size(); ++i)
            for (int a = 0; a < 3; ++a)
                ASSERT_NEAR(states[i].velocity[a], plain.state(nodes[i]).velocity[a], 1e-12)
                    << "capped " << capped << ", plate " << (which & 2);
    }
}

// Parts see edges that lie in others.
TEST_P(EdgeTest, doesNotDependOnParts)
{
    const auto domain = std::make_shared<const Domain>(block(false).domain());
    const Start start = startOf(*domain);
    const auto& nodes = start.nodes;
    const auto ofParts = [&](int parts) {
        Config c = config(BoundaryKind::slip);
        c.parts = parts;
        const auto solver = makeSolver(domain, c);
        std::vector<Macroscopic> states = start.states;
        solver->initialise(nodes.data(), nodes.size(), states.data());
        solver->advance(20);
        solver->sample(nodes.data(), nodes.size(), states.data());
        return states;
    };
    const auto one = ofParts(1), two = ofParts(2);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (int a = 0; a < 3; ++a) ASSERT_EQ(two[i].velocity[a], one[i].velocity[a]) << i;
}

std::string nameOf(const testing::TestParamInfo<Row>& info)
{
    return std::string(info.param.lattice) + info.param.storage + info.param.collision;
}

INSTANTIATE_TEST_SUITE_P(Edges, EdgeTest,
                         testing::Values(Row{"D2Q9", "ab", "regularized"}, Row{"D2Q9", "aa", "trt"},
                                         Row{"D2Q9", "moments", "regularized"}, Row{"D3Q19", "ab", "regularized"},
                                         Row{"D3Q19", "aa", "trt"}, Row{"D3Q19", "moments", "regularized"},
                                         Row{"D3Q27", "aa", "cumulant"}),
                         nameOf);

} // namespace
} // namespace lbm::test
