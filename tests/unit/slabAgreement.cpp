// Parts that stream in step: how the domain is cut, what they agree on, which layers their halos hand over, and what is refused by name.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/SlabAgreement.hpp"

#include "lbm/geometry/PartDomain.hpp"
#include "lbm/solver/HaloLayers.hpp"
#include "lbm/solver/RankMessage.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace lbm::test {
namespace {

Domain boxOf(const Int3& size)
{
    Domain d;
    d.dimensions = size[2] == 1 ? 2 : 3;
    d.size = size;
    d.fluid = BitSet(d.nodes(), true);
    return d;
}

template<class F>
std::string refusalOf(F&& f)
{
    try {
        f();
    } catch (const std::invalid_argument& fault) {
        return fault.what();
    }
    return {};
}

// What it says of windows: so many bytes for each layer of a step's way down.
class Offering final : public SlabPart {
public:
    Offering(std::size_t budget, int reach, bool remembers, int tilesOfLayer) : reach_(reach), remembers_(remembers)
    {
        facts_ = {budget, 80, 50e9, 4e12, 64, 0, 4, {}};
        for (int z = 0; z <= 50; ++z) below_.push_back(tilesOfLayer * z);
    }

    SlabOffer slabOffer(int sharing) const override
    {
        SlabOffer offer{facts_, {}, below_};
        offer.facts.budget /= std::size_t(sharing);
        offer.shape.reach = reach_;
        offer.shape.remembers = remembers_;
        offer.facts.windowBytes = [this](const SlabShape& shape, int steps) {
            asked.push_back(shape.skew());
            return std::size_t(below_[1]) * std::size_t(shape.skew() * steps + 3 * shape.layers() / shape.slabs());
        };
        return offer;
    }
    void stream(const SlabPlan& plan) override { given = plan; }
    std::int64_t beginPasses(std::int64_t) override { return 0; }
    void stepPiece() override {}
    void endPiece() override {}
    void endPasses(std::int64_t) override {}

    mutable std::vector<int> asked; // how far slabs go down with each step
    SlabPlan given;

private:
    SlabFacts facts_;
    int reach_;
    bool remembers_;
    std::vector<std::int32_t> below_;
};

} // namespace

// However long it is along the axis of slabs, and however dear other faces are.
TEST(SlabAgreement, cutsAcrossOtherAxesAlone)
{
    const Int3 tile{8, 4, 4};
    for (const Int3& size : {Int3{16, 16, 200}, Int3{24, 200, 1}}) {
        const Domain d = boxOf(size);
        const int last = d.dimensions - 1;
        for (const int parts : {2, 3, 6}) {
            const Bricks bricks(d, parts, tile, slabCutCosts(CutCosts()));
            for (int i = 0; i < parts; ++i) EXPECT_EQ(bricks[i].size[last], d.size[last]);
        }
        bool across = false;
        const Bricks usual(d, 2, tile);
        for (int i = 0; i < 2; ++i) across = across || usual[i].size[last] < d.size[last];
        EXPECT_TRUE(across); // else nothing has been shown
    }
}

TEST(SlabAgreement, refusesOtherCutsByName)
{
    const Int3 tile{8, 4, 4};
    const Domain d = boxOf({16, 16, 40});
    CutNumbers numbers;
    numbers.pieces = {1, 2, 2};
    EXPECT_EQ(
        refusalOf([&] { Bricks(d, 4, tile, slabCutCosts(CutCosts()), numbers); }),
        "cuts: 1 x 2 x 2 pieces: a domain that streams through devices (deviceMemory) is not cut across z, along which "
        "its slabs lie");
    numbers.pieces = {2, 2, 1};
    EXPECT_EQ(refusalOf([&] { Bricks(d, 4, tile, slabCutCosts(CutCosts()), numbers); }), "");
    const std::string narrow = refusalOf([&] { Bricks(boxOf({1, 1, 40}), 2, tile, slabCutCosts(CutCosts())); });
    EXPECT_NE(narrow.find("which for slabs that stream through devices (deviceMemory) lies along them"),
              std::string::npos)
        << narrow;
    EXPECT_EQ(refusalOf([&] { Bricks(boxOf({1, 1, 40}), 2, tile); }), "");
}

// Before anything is made, whatever the machine.
TEST(SlabAgreement, refusesStoragesWithoutLayersByName)
{
    KernelRow row{"D3Q19", "regularized", "constant", "incompressible", "moments", "float", "cuda", "simt", "32x8x1"};
    const Domain d = boxOf({32, 32, 32});
    Config config;
    config.device = "cuda:0,1";
    config.slabSteps = 4;
    EXPECT_TRUE(partsStream(row, d, config));
    for (const char* storage : {"momentsSingle", "moments16Single"}) {
        row.storage = storage;
        EXPECT_EQ(refusalOf([&] { partsStream(row, d, config); }),
                  std::string("deviceMemory: storage ") + storage
                      + " cannot stream through a device; others can: moments, aa, t2c, packed");
    }
    config.device = "cuda:0"; // one part, which sees to itself
    EXPECT_FALSE(partsStream(row, d, config));
}

// Parts of one device have its budget between them.
TEST(SlabAgreement, sharesBudgets)
{
    const KernelRow row{"D3Q19", "regularized", "constant", "incompressible", "moments",
                        "float", "cuda",        "simt",     "32x8x1"};
    Config config;
    config.device = "cuda:0,1";
    config.parts = 3;
    config.deviceMemory = 8e9;
    EXPECT_EQ(partsOfDevice(config), 2);
    const Config own = configOfSlabPart(row, config);
    EXPECT_EQ(own.deviceMemory, 4e9);
    EXPECT_EQ(own.slabSteps, 1);
    EXPECT_EQ(own.tile, "32x8x1");
    config.ranks = 3;
    EXPECT_EQ(partsOfDevice(config), 1);
}

// The least budget, the furthest reach; whoever is small has the slabs of who is large.
TEST(SlabAgreement, isOfAllParts)
{
    Offering small(1000000, 1, true, 100), large(60000, 2, false, 1000);
    Config config;
    config.device = "cuda:0,1";
    agreeOnSlabs({&small, &large}, config);
    ASSERT_GT(small.given.steps, 0);
    for (const Offering* part : {&small, &large}) {
        EXPECT_EQ(part->given.shape.bounds, large.given.shape.bounds);
        EXPECT_EQ(part->given.steps, large.given.steps);
        EXPECT_EQ(part->given.shape.skew(), 4);
        EXPECT_LE(part->given.windows, 60000u);
        for (const int down : part->asked) EXPECT_EQ(down, 4);
        EXPECT_FALSE(part->asked.empty());
    }
    const SlabPlan alone = large.given;
    large = Offering(30000, 2, false, 1000);
    agreeOnSlabs({&small, &large}, config);
    EXPECT_LE(large.given.windows, 30000u);
    EXPECT_LT(small.given.steps * small.given.shape.layers() / small.given.shape.slabs(),
              alone.steps * alone.shape.layers() / alone.shape.slabs());
    config.slabSteps = 3;
    config.slabLayers = 5;
    agreeOnSlabs({&small, &large}, config);
    EXPECT_EQ(large.given.shape.slabs(), 10);
    Offering none(10, 1, false, 1000);
    agreeOnSlabs({&small, &none}, Config());
    EXPECT_EQ(small.given.steps, 0); // each says so of its device
}

// As ranks tell each other; windows are asked for.
TEST(SlabAgreement, goesFromRankToRank)
{
    Offering part(1000000, 2, true, 100);
    const SlabOffer offer = part.slabOffer(1);
    RankMessage message;
    put(message, offer);
    SlabPlan plan = planSlabs({offer}, 3, 5);
    put(message, plan);
    const SlabOffer told = getSlabOffer(message);
    EXPECT_EQ(told.below, offer.below);
    EXPECT_EQ(told.shape.skew(), 4);
    EXPECT_EQ(told.facts.budget, 1000000u);
    EXPECT_EQ(told.facts.linkRate, 50e9);
    EXPECT_EQ(told.facts.layersOfTile, 4);
    EXPECT_FALSE(told.facts.windowBytes);
    const SlabPlan toldPlan = getSlabPlan(message);
    EXPECT_EQ(describe(toldPlan), describe(plan));
    EXPECT_EQ(toldPlan.shape.bounds, plan.shape.bounds);
    EXPECT_EQ(toldPlan.steps, 3);
}

// Ghosts of a layer are those of its owners, and one after the other; around the end of a periodic axis there are two rows of them.
TEST(SlabAgreement, halosAreCutByLayers)
{
    const Int3 tile{8, 4, 4};
    Domain d = boxOf({30, 20, 26});
    d.periodic = {true, false, false};
    const Bricks bricks(d, 2, tile, slabCutCosts(CutCosts()));
    const PartFrame frames[2] = {{d, bricks[0], 1, tile}, {d, bricks[1], 1, tile}};
    for (int p = 0; p < 2; ++p) {
        const PartDomain part(d, frames[p]);
        std::vector<NodeIndex> ghosts, owners;
        part.forGhosts([&](NodeIndex node) {
            const Int3 x = part.global(node);
            if (bricks.owner(x) != 1 - p) return;
            ghosts.push_back(node);
            owners.push_back(frames[1 - p].local(x));
        });
        ASSERT_FALSE(ghosts.empty());
        const PartDomain other(d, frames[1 - p]);
        const HaloLayers here(*part.domain(), ghosts, tile), there(*other.domain(), owners, tile);
        for (const LayerRange& layers : {LayerRange{0, 7}, {2, 3}, {5, 9}, {3, 3}, {7, 8}}) {
            std::vector<std::pair<std::size_t, std::size_t>> own, theirs;
            std::size_t count = 0;
            here.forNodesIn(layers, [&](std::size_t first, std::size_t n) {
                own.emplace_back(first, n);
                count += n;
                for (std::size_t i = first; i < first + n; ++i) {
                    const int z = part.coordinates(ghosts[i])[2] / 4;
                    EXPECT_TRUE((z >= layers.first && z < layers.last)
                                || (z + 7 >= layers.first && z + 7 < layers.last));
                }
            });
            there.forNodesIn(layers, [&](std::size_t first, std::size_t n) { theirs.emplace_back(first, n); });
            EXPECT_EQ(own, theirs);
            if (layers.first == 0) { EXPECT_EQ(count, ghosts.size()); }
        }
        std::vector<NodeIndex> turned(ghosts.rbegin(), ghosts.rend());
        EXPECT_THROW(HaloLayers(*part.domain(), turned, tile), std::logic_error);
    }
}

} // namespace lbm::test
