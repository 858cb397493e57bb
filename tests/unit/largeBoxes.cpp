// Boxes of more nodes than 32 bits count: numbers of nodes, and a flow in the far corner of one, which is that in a small box. What
// takes the memory of such boxes is in tests/equivalence/boxes.cpp. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Solver.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/geometry/BoxCut.hpp"
#include "tests/built.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>

namespace lbm::test {
namespace {

// Multiples of all tiles
const Int3 large{2048, 1024, 1056}, small{128, 32, 32};
const Int3 corner{large[0] - small[0], large[1] - small[1], large[2] - small[2]};

bool isDuct(const Int3& x)
{
    for (int a = 0; a < 3; ++a)
        if (x[a] < 0 || x[a] >= small[a]) return false;
    return x[1] > 2 && x[1] < 20 && x[2] > 4 && x[2] < 27 && (x[0] - 50) * (x[0] - 50) + (x[1] - 11) * (x[1] - 11) > 16;
}

// A duct from one side of the small box to the other, with a cylinder across it: a velocity at one end, a pressure at the other.
std::shared_ptr<const Domain> duct(const Int3& size, const Int3& first)
{
    auto domain = std::make_shared<Domain>();
    domain->size = size;
    domain->fluid = BitSet(domain->nodes());
    domain->patches = {"inlet", "outlet", "walls"};
    for (int z = 0; z < small[2]; ++z)
        for (int y = 0; y < small[1]; ++y)
            for (int x = 0; x < small[0]; ++x) {
                if (!isDuct({x, y, z})) continue;
                const NodeIndex node = domain->index(first[0] + x, first[1] + y, first[2] + z);
                domain->fluid.set(node);
                for (std::uint8_t code = 0; code < 27; ++code) {
                    const Int3 c = directionOf(code), to{x + c[0], y + c[1], z + c[2]};
                    if (isDuct(to) || c[0] * c[1] * c[2] != 0) continue;
                    const int patch = to[0] < 0 ? 0 : to[0] >= small[0] ? 1 : 2;
                    domain->links.push_back({node, 0.5f, std::int16_t(patch), code});
                }
            }
    domain->check();
    return domain;
}

Config configOf(const KernelRow& row)
{
    Config config;
    config.lattice = row.lattice;
    config.collision = row.collision;
    config.closure = "constant";
    config.equilibrium = row.equilibrium;
    config.storage = row.storage;
    config.precision = row.precision;
    config.device = row.device;
    config.tile = row.tile;
    config.arithmetic = row.arithmetic;
    config.tau = 0.7;
    config.patches.resize(3);
    config.patches[0].kind = BoundaryKind::velocity;
    config.patches[0].velocity = {0.03, 0, 0};
    config.patches[1].kind = BoundaryKind::pressure;
    config.patches[1].density = 1;
    config.patches[2].kind = BoundaryKind::interpolatedWall;
    return config;
}

struct Result {
    std::vector<double> populations;
    Health health;
    Int3 fastest;
};

Result flowIn(const std::shared_ptr<const Domain>& domain, const Int3& first, const KernelRow& row)
{
    const auto solver = makeSolver(domain, configOf(row));
    std::vector<NodeIndex> nodes;
    std::vector<Macroscopic> states;
    for (int z = 0; z < small[2]; ++z)
        for (int y = 0; y < small[1]; ++y)
            for (int x = 0; x < small[0]; ++x) {
                if (!isDuct({x, y, z})) continue;
                nodes.push_back(domain->index(first[0] + x, first[1] + y, first[2] + z));
                states.emplace_back();
                states.back().velocity = {0.01 + 1e-4 * y, 2e-5 * x, -1e-4 * z};
                states.back().density = 1 + 1e-5 * x;
            }
    solver->initialise(nodes.data(), nodes.size(), states.data());
    solver->advance(7);
    Result result;
    result.populations.resize(nodes.size() * std::size_t(solver->directions()));
    solver->getPopulations(nodes.data(), nodes.size(), result.populations.data());
    result.health = solver->health(1);
    result.fastest = domain->coordinates(result.health.fastest);
    for (int a = 0; a < 3; ++a) result.fastest[a] -= first[a];
    return result;
}

} // namespace

TEST(LargeBoxes, numberNodesBeyond32Bits)
{
    Domain domain;
    domain.size = {2048, 2048, 2048}; // 2^33
    domain.periodic = {true, false, true};
    EXPECT_EQ(domain.nodes(), NodeIndex(1) << 33);
    for (const Int3& x :
         {Int3{0, 0, 0}, Int3{5, 7, 1023}, Int3{2047, 2047, 511}, Int3{1, 2, 512}, Int3{2047, 2047, 2047}})
        EXPECT_EQ(domain.coordinates(domain.index(x[0], x[1], x[2])), x);
    EXPECT_EQ(domain.index(2047, 2047, 2047), (NodeIndex(1) << 33) - 1);
    EXPECT_EQ(domain.neighbour({2047, 2046, 2047}, {1, 1, 1}), NodeIndex(2048) * 2047);
    EXPECT_EQ(domain.neighbour({0, 9, 0}, {-1, 0, -1}), domain.index(2047, 9, 2047));
    EXPECT_EQ(domain.neighbour({0, 2047, 1024}, {0, 1, 0}), -1);
}

// A layer of them holds as many values as 32 bits number; passes over boxes (BoxPass.cuh) are for such.
TEST(LargeBoxes, passOnlyWhatLayersNumber)
{
    EXPECT_TRUE(layerFitsWords({2048, 2048, 1024}, 4, 9));
    EXPECT_TRUE(layerFitsWords({8192, 8192, 64}, 4, 9));
    EXPECT_FALSE(layerFitsWords({16384, 8192, 64}, 4, 9));
    EXPECT_TRUE(layerFitsWords({16384, 8192, 64}, 1, 9));
    EXPECT_FALSE(layerFitsWords({65536, 65536, 64}, 1, 9)); // 2^32 nodes
}

// To the last bit. Rows that are left out have the tables of these.
TEST(LargeBoxes, holdInTheirFarCornerWhatASmallOneHolds)
{
    const auto far = duct(large, corner), near = duct(small, {0, 0, 0});
    ASSERT_GT(far->links.front().node, NodeIndex(INT32_MAX));
    const bool device = whyNoDevice().empty();
    std::set<std::array<std::string, 4>> seen;
    for (const KernelRow& row : kernels()) {
        if (row.lattice != "D3Q19" || row.closure != "constant" || row.equilibrium != "incompressible") continue;
        if (row.arithmetic == "scalar" || (row.device == "cuda" && !device)) continue;
        if (row.storage != "ab" && row.storage != "packed" && storageOf(row).stored != Stored::moments) continue;
        if (row.precision == "double" ? row.collision != "regularized" : storageOf(row).valueBytes != 2) continue;
        if (!seen.insert({row.storage, row.precision, row.device, row.tile}).second) continue;
        const Result here = flowIn(near, {0, 0, 0}, row), there = flowIn(far, corner, row);
        EXPECT_EQ(here.populations, there.populations) << name(row);
        EXPECT_EQ(here.health.nodes, near->fluidNodes());
        EXPECT_EQ(there.health.nodes, far->fluidNodes());
        EXPECT_EQ(here.fastest, there.fastest) << name(row);
        EXPECT_GT(here.health.maxSpeed, 0.02) << name(row);
    }
    EXPECT_GT(seen.size(), 1u);
}

} // namespace lbm::test
