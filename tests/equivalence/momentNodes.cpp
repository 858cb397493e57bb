// What a GPU does node by node, done by the host (see NodesOnHost.hpp): moments, the papers' storages, and nodes with rates of their own.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/storage/papers/Dense.hpp"
#include "lbm/storage/papers/FluidLists.hpp"
#include "tests/equivalence/NodesOnHost.hpp"

namespace lbm::test {
namespace {

template<class L, class T, class Square, class Run>
void compareBaselines()
{
    compare<TgbPhases, L, T, Square>();
    compare<ConnectivityPhases, L, T, Run>();
    compare<FluidIndexPhases, L, T, Run>();
    compare<DenseAosPhases, L, T, Run>();
    compare<DenseFullPhases, L, T, Run>();
    compare<DenseTiledPhases, L, T, Square>();
}

} // namespace

// Steps with walls that are interpolated in them are apart from the others where both are many runs, and all tiles are in one.
TEST(Nodes, runsWithWallsAreApart)
{
    using Square = Tile<16, 8, 4>;
    Domain domain;
    domain.size = {64, 16, 16};
    domain.periodic = {true, true, false};
    domain.patches = {"floor"};
    domain.fluid = BitSet(domain.nodes(), true);
    for (NodeIndex i = 0; i < NodeIndex(domain.size[0]) * domain.size[1]; ++i)
        for (std::uint8_t d = 0; d < 9; ++d)
            if (directionOf(d)[0] * directionOf(d)[1] == 0) domain.links.push_back({i, 0.3f, std::int16_t(0), d});
    domain.check();
    Config config;
    config.patches.resize(1);
    config.patches[0].kind = BoundaryKind::interpolatedWall;
    const cuda::Device device{"host"};
    for (const int atOnce : {1, 2}) {
        MomentGeometry<D3Q19, double, Square> geometry(domain, config, 2, atOnce, false, false);
        geometry.copyTo(device);
        ASSERT_EQ(geometry.splitsWalls(), atOnce == 1); // eight runs of each kind
        if (!geometry.splitsWalls()) continue;
        std::vector<int> seen(std::size_t(geometry.tiles().grid().tiles()), 0);
        for (const bool walls : {true, false}) {
            const RunsView runs = geometry.runs(walls);
            ASSERT_EQ(runs.count, 8);
            for (int run = 0; run < runs.count; ++run) {
                bool any = false;
                for (std::int32_t i = runs.first[run]; i < runs.last[run]; ++i) {
                    ++seen[std::size_t(runs.tiles[i])];
                    any = any || geometry.tiles().grid().origin(runs.tiles[i])[2] == 0;
                }
                EXPECT_EQ(any, walls);
            }
        }
        EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    }
}

// In double precision kernels of the CPU are built upon the same addresses.
TEST(Nodes, ofBaselines) { compareBaselines<D2Q9, float, Tile<16, 16, 1>, Tile<128, 1, 1>>(); }
TEST(Nodes, ofGhostsBeyondCorners) { compare<TgbPhases, D3Q27, double, Tile<4, 4, 4>>(); }
TEST(Nodes, ofMomentsInTwoDimensions)
{
    compareWith<MomentsByNode<D2Q9, double, Tile<32, 8, 1>, Regularized>, D2Q9, double>("regularized", 5e-16);
}
TEST(Nodes, ofMomentsInThreeDimensions)
{
    compareWith<MomentsByNode<D3Q19, double, Tile<16, 8, 4>, Regularized>, D3Q19, double>("regularized", 5e-16);
}
// Relaxation times by the velocities around nodes: roots and ratios of differences
TEST(Nodes, ofVelocityGradients)
{
    compareWith<MomentsByGradient<D2Q9, double, Tile<32, 8, 1>, Regularized>, D2Q9, double>("regularized", 5e-15);
    compareWith<MomentsByGradient<D3Q19, double, Tile<16, 8, 4>, Regularized>, D3Q19, double>("regularized", 5e-15);
}
// Strain rates likewise; and both
TEST(Nodes, ofStrainRates)
{
    using Hybrid = HybridRegularized;
    compareWith<MomentsByNode<D2Q9, double, Tile<32, 8, 1>, Hybrid>, D2Q9, double>("hybridRegularized", 1e-15);
    compareWith<MomentsByNode<D3Q19, double, Tile<16, 8, 4>, Hybrid>, D3Q19, double>("hybridRegularized", 1e-15);
    compareWith<MomentsByGradient<D3Q19, double, Tile<16, 8, 4>, Hybrid>, D3Q19, double>("hybridRegularized", 5e-15);
}
// Relaxation times and forces that nodes are told one by one
TEST(Nodes, ofTheirOwnRates)
{
    using Field = Closed<Trt, NodeField>;
    compare<AaPhases, D3Q19, double, Tile<32, 2, 2>, Field>();
    compare<PackedPhases, D2Q9, double, Tile<8, 8, 1>, Field>();
    compareWith<MomentsByNode<D3Q19, double, Tile<16, 8, 4>, Closed<Regularized, NodeField>>, D3Q19, double>(
        "regularized", 5e-16);
}

} // namespace lbm::test
