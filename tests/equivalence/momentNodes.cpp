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

// What a device makes of tiles' masks and of bits, node by node, is what the Domain says of these nodes.
TEST(Nodes, tablesByNodeAreTheDomains)
{
    using L = D3Q19;
    using Square = Tile<16, 8, 4>;
    const cuda::Device device{"host"};
    std::size_t reflecting = 0, inStep = 0, special = 0;
    for (const Scenario& s : scenarios(latticeDirections(L::name))) {
        const Domain& domain = *s.domain;
        Config config;
        config.lattice = L::name;
        config.patches = s.patches;
        MomentGeometry<L, double, Square> geometry(domain, config, 4, 1, false, false);
        geometry.copyTo(device);
        const TileGrid& grid = geometry.tiles().grid();
        const TilesView view = geometry.tiles().view();
        const auto& tables = geometry.tiles().tables().tables();
        std::vector<std::uint32_t> expected(geometry.tiles().tables().words(), solidNode);
        const LinkFinder finder(domain);
        for (const NodeIndex node : fluidNodesOf(domain)) {
            const Int3 x = domain.coordinates(node);
            std::uint32_t word = 0;
            for (int q = 1; q < L::Q; ++q) {
                const Int3 back{-L::c[q][0], -L::c[q][1], -L::c[q][2]};
                const auto [first, last] = finder.of(node);
                const auto isAlong = [&](const Link& link) {
                    return link.direction == directionCode(back[0], back[1], back[2]);
                };
                const NodeIndex source = domain.neighbour(x, back);
                bool comes = source >= 0 && domain.fluid[source]
                    && std::none_of(domain.links.begin() + std::ptrdiff_t(first),
                                    domain.links.begin() + std::ptrdiff_t(last), isAlong);
                for (int a = 0; a < 3; ++a)
                    comes = comes && (grid.wraps(a) || (x[a] + back[a] >= 0 && x[a] + back[a] < domain.size[a]));
                if (!comes) word |= std::uint32_t(1) << q;
            }
            reflecting += word != 0;
            const TilePlace at = grid.place(x);
            const std::int32_t detail = view.detailOf[at.tile];
            if (detail < 0) ASSERT_EQ(word, 0u) << s.name;
            else expected[std::size_t(detail) * Square::N + std::size_t(at.local)] = word;
        }
        for (std::size_t i = 0; i < tables.curvedPlaces.size(); ++i) {
            if (std::binary_search(tables.between.begin(), tables.between.end(), std::int32_t(i))) continue;
            const NodePlace at = tables.curvedPlaces[i].node();
            expected[std::size_t(view.detailOf[at.tile]) * Square::N + std::size_t(at.local)] |= curvedNode;
            ++inStep;
        }
        for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(view.links[i], expected[i]) << s.name << ' ' << i;

        const SpecialView<L, double> nodes = geometry.special();
        std::size_t found = 0;
        for (std::int32_t tile = 0; tile < grid.tiles(); ++tile)
            for (int local = 0; nodes.tableOf[tile] >= 0 && local < Square::N; ++local) {
                const std::int32_t number =
                    nodes.table[std::size_t(nodes.tableOf[tile]) * Square::N + std::size_t(local)];
                if (number < 0) continue;
                ++found;
                ASSERT_EQ(nodes.nodes[number].place.tile, tile) << s.name;
                ASSERT_EQ(nodes.nodes[number].place.local, local) << s.name;
            }
        EXPECT_EQ(found, geometry.specialNodes()) << s.name;
        special += found;
    }
    EXPECT_GT(reflecting, 0u);
    EXPECT_GT(inStep, 0u);
    EXPECT_GT(special, 0u);
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
