// The step of moments on a GPU as its blocks do it, against the scalar ab kernel (MomentsInBlocks.hpp): whole, in runs and in slabs.
// Part of lbmFoam, GPL-3.0-or-later.
#include "tests/equivalence/MomentsInBlocks.hpp"

#include "lbm/physics/Cumulant.hpp"

namespace lbm::test {

TEST(Blocks, ofStrainRates)
{
    using Flat = Tile<128, 8, 1>;
    using Deep = Tile<32, 8, 1>;
    compareWith<MomentsInBlocks<D2Q9, double, Flat, HybridRegularized, TunedFor<D2Q9, Flat, double>>, D2Q9, double>(
        "hybridRegularized", 2e-15);
    compareWith<MomentsInBlocks<D3Q19, double, Deep, HybridRegularized, TunedFor<D3Q19, Deep, double>>, D3Q19, double>(
        "hybridRegularized", 2e-15);
}

// The same steps in another order: passes of one step and of many, with a rest and without. What a slab looks at before it is there,
// or later than it ought to, differs in the first digits.
template<class Emulated, class L>
void compareInSlabs(const char* collision, std::initializer_list<Thickness> passes)
{
    for (const Thickness& slabs : passes)
        compareWith<Emulated, L, double>(collision, 1e-12, slabs.steps == 1 ? 1 : 4, slabs);
}

TEST(Blocks, ofStrainRatesInSlabs)
{
    using Flat = Tile<128, 8, 1>;
    using Deep = Tile<32, 8, 1>;
    compareInSlabs<MomentsInBlocks<D2Q9, double, Flat, HybridRegularized, TunedFor<D2Q9, Flat, double>>, D2Q9>(
        "hybridRegularized", {{1, 1}, {1, 5}, {3, 32}});
    compareInSlabs<MomentsInBlocks<D3Q19, double, Deep, HybridRegularized, TunedFor<D3Q19, Deep, double>>, D3Q19>(
        "hybridRegularized", {{2, 4}});
}

TEST(Blocks, ofVelocityGradientsInSlabs)
{
    using Deep = Tile<32, 8, 4>;
    compareInSlabs<GradientsInBlocks<D3Q19, double, Deep, Regularized, TunedFor<D3Q19, Deep, float>>, D3Q19>(
        "regularized", {{1, 5}});
}

TEST(Blocks, ofThirdMoments)
{
    using Kept = WithThird<D3Q27>;
    using Small = Tile<16, 8, 4>;
    compareWith<MomentsInBlocks<Kept, double, Small, Cumulant, TunedFor<Kept, Small, double>>, D3Q27, double>(
        "cumulant", 5e-16);
}

TEST(Blocks, ofVelocityGradients)
{
    using Deep = Tile<32, 8, 4>;
    compareWith<GradientsInBlocks<D3Q19, double, Deep, Regularized, TunedFor<D3Q19, Deep, float>>, D3Q19, double>(
        "regularized", 1e-14);
}

// In runs of so many tiles at most.
template<class L, class TileT, class Collision>
class InRuns : public MomentsInBlocks<L, double, TileT, Collision, TunedFor<L, TileT, double>> {
    using Base = MomentsInBlocks<L, double, TileT, Collision, TunedFor<L, TileT, double>>;

public:
    InRuns(const Scenario& s, const Config& config, int longestRun) : Base(s, config)
    {
        this->geometry_ = MomentGeometry<L, double, TileT>(*s.domain, config, longestRun, 1, false, false);
        this->geometry_.copyTo(this->device_);
    }

    int runs() const { return this->geometry_.runs(PartOfTiles::rim).count; }
};

// What all nodes send away, event by event. runs: how many there are besides.
template<class Emulated, class L>
std::vector<std::vector<double>> courseInRuns(const Scenario& s, const char* collision, int longestRun, int& runs)
{
    Config config;
    config.lattice = L::name;
    config.collision = collision;
    config.tau = s.tau;
    config.force = s.force;
    config.patches = s.patches;
    const auto nodes = fluidNodesOf(*s.domain);
    Emulated found(s, config, longestRun);
    runs += found.runs();
    found.put(nodes, randomPopulations(nodes.size(), L::Q));
    std::vector<std::vector<double>> course;
    for (const Event& event : s.events) {
        found.advance(event.steps);
        course.push_back(found.get(nodes));
        for (const auto& [patch, links] : event.boundaries) found.setBoundary(patch, links);
        found.set(event.tau, event.force, event.magic);
    }
    return course;
}

// Slabs that stream through a device lie elsewhere with another link or budget, and columns are begun there. Who goes on from a
// checkpoint is to have the same last bits for all that.
template<class L, class TileT, class Collision>
void compareRuns(const char* collision)
{
    using Emulated = InRuns<L, TileT, Collision>;
    int few = 0, many = 0;
    for (const Scenario& s : scenarios(latticeDirections(L::name))) {
        if (takesStrain<Collision> && !s.domain->turns.empty()) continue; // refused
        const auto whole = courseInRuns<Emulated, L>(s, collision, longestRun<Layer<L, TileT>>, few);
        for (const int longest : {1, 3}) {
            const auto found = courseInRuns<Emulated, L>(s, collision, longest, many);
            ASSERT_EQ(found.size(), whole.size());
            for (std::size_t e = 0; e < whole.size(); ++e)
                ASSERT_EQ(std::memcmp(found[e].data(), whole[e].data(), whole[e].size() * sizeof(double)), 0)
                    << s.name << ", event " << e << ", runs of " << longest << " tiles";
        }
    }
    EXPECT_GT(many, 4 * few);
}

TEST(Blocks, beginAnywhere)
{
    compareRuns<D2Q9, Tile<128, 8, 1>, Regularized>("regularized");
    compareRuns<D3Q19, Tile<32, 8, 1>, Regularized>("regularized");
    compareRuns<D3Q19, Tile<32, 8, 1>, HybridRegularized>("hybridRegularized");
}

} // namespace lbm::test
