// Slabs that stream through several devices in step: the same as in one part without slabs, to the last bit (PartsOnHost.hpp).
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/equivalence/MomentsInBlocks.hpp"
#include "tests/equivalence/PartsOnHost.hpp"

namespace lbm::test {
namespace {

// What all nodes send away, event by event. factor: so many times the steps of events.
template<class Emulated>
std::vector<std::vector<double>> courseOf(Emulated& found, const Scenario& s, std::size_t directions, int factor)
{
    const auto nodes = fluidNodesOf(*s.domain);
    found.put(nodes, randomPopulations(nodes.size(), directions));
    std::vector<std::vector<double>> course;
    for (const Event& event : s.events) {
        found.advance(factor * event.steps);
        course.push_back(found.get(nodes));
        for (const auto& [patch, links] : event.boundaries) found.setBoundary(patch, links);
        found.set(event.tau, event.force, event.magic);
    }
    return course;
}

template<class L>
Config configOf(const Scenario& s, const char* collision)
{
    Config config;
    config.lattice = L::name;
    config.collision = collision;
    config.tau = s.tau;
    config.force = s.force;
    config.patches = s.patches;
    return config;
}

// Sums of moments have links around a periodic axis of no whole tiles added behind the others; a cut across it makes them as all others.
bool sumsDependOnCuts(const Domain& domain, const Int3& tile)
{
    for (int a = 0; a < domain.dimensions; ++a)
        if (domain.periodic[a] && domain.size[a] % tile[a] != 0) return true;
    return false;
}

// All fluid, on whole tiles, and closed around itself: the wedge that slabs leave along a periodic axis. A force drives it.
template<class L>
Scenario periodicBox(const Int3& tile)
{
    Domain d;
    d.dimensions = L::D;
    d.size = {2 * tile[0], (L::D == 2 ? 13 : 3) * tile[1], L::D == 2 ? 1 : 13 * tile[2]};
    for (int a = 0; a < L::D; ++a) d.periodic[a] = true;
    d.fluid = BitSet(d.nodes(), true);
    d.check();
    Scenario s;
    s.name = "periodic box";
    s.domain = std::make_shared<const Domain>(std::move(d));
    s.events = {{3, {}, {1e-4, 0, 0}, 0.7, 0.25}, {5, {}, {0, 0, 0}, 0.8, 0.25}};
    return s;
}

template<class Emulated, class L, class TileT>
void compareInParts(const char* collision, bool moments, std::initializer_list<Thickness> passes)
{
    const Int3 tile{TileT::TX, TileT::TY, TileT::TZ};
    auto all = scenarios(latticeDirections(L::name));
    all.push_back(periodicBox<L>(tile));
    std::size_t compared = 0, periodic = 0;
    for (const Scenario& s : all) {
        if (!s.domain->turns.empty() || (moments && sumsDependOnCuts(*s.domain, tile)))
            continue; // the former is refused
        const Config config = configOf<L>(s, collision);
        for (const Thickness& slabs : passes)
            for (const int parts : moments&& L::D == 3 ? std::vector<int>{2} : std::vector<int>{2, 3}) {
                std::optional<InParts<Emulated>> cut;
                try {
                    cut.emplace(s, config, slabs, parts, tile);
                } catch (const std::invalid_argument&) { // too narrow to be cut but across the axis of slabs
                    continue;
                }
                if (!cut->streams()) continue;
                Emulated whole(s, config);
                const int factor = slabs.steps == 1 || s.tau < 0.6 ? 1 : 4;
                const auto expected = courseOf(whole, s, L::Q, factor), found = courseOf(*cut, s, L::Q, factor);
                for (std::size_t e = 0; e < expected.size(); ++e)
                    ASSERT_EQ(std::memcmp(found[e].data(), expected[e].data(), expected[e].size() * sizeof(double)), 0)
                        << s.name << ", event " << e << ", " << parts << " parts, slabs of " << slabs.layers
                        << " layers, passes of " << slabs.steps << " steps";
                ++compared;
                periodic += s.domain->periodic[L::D - 1];
            }
    }
    EXPECT_GT(compared, all.size() / 4);
    EXPECT_GT(periodic, 0u);
}

template<class Phases, class L, class TileT>
void populationsInParts()
{
    compareInParts<NodeByNode<Phases, L, double, TileT, Trt>, L, TileT>("trt", false,
                                                                        {{1, 1}, {1, 4}, {2, 3}, {3, 32}});
}

template<class L, class TileT, class Collision>
void momentsInParts(const char* collision, std::initializer_list<Thickness> passes)
{
    compareInParts<MomentsInBlocks<L, double, TileT, Collision, TunedFor<L, TileT, double>>, L, TileT>(collision, true,
                                                                                                       passes);
}

} // namespace

TEST(Nodes, inSlabsOfParts)
{
    populationsInParts<AaPhases, D3Q19, Tile<32, 2, 2>>();
    populationsInParts<AaPhases, D2Q9, Tile<32, 4, 1>>();
    populationsInParts<T2cPhases, D3Q19, Tile<4, 4, 4>>();
    populationsInParts<PackedPhases, D2Q9, Tile<8, 8, 1>>();
}

TEST(Blocks, inSlabsOfParts)
{
    momentsInParts<D2Q9, Tile<128, 8, 1>, Regularized>("regularized", {{1, 1}, {1, 5}, {3, 32}});
    momentsInParts<D3Q19, Tile<32, 8, 1>, Regularized>("regularized", {{2, 4}});
}

TEST(Blocks, ofStrainRatesInSlabsOfParts)
{
    momentsInParts<D2Q9, Tile<128, 8, 1>, HybridRegularized>("hybridRegularized", {{1, 1}, {1, 5}, {3, 32}});
    momentsInParts<D3Q19, Tile<32, 8, 1>, HybridRegularized>("hybridRegularized", {{2, 4}});
}

} // namespace lbm::test
