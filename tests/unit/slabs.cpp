// Slabs: every layer is advanced as often as asked for, each step finds what it draws on, in one copy and in two, and what has
// left the window is not needed any more, be transfers as early and as late as they may; pass by pass.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/geometry/Slabs.hpp"
#include "lbm/model/SlabPlan.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace lbm {
namespace {

// What a place of a window holds: a layer, and how many steps it has behind it.
struct Held {
    int layer = -1, time = -1;
    bool operator==(const Held& o) const { return layer == o.layer && time == o.time; }
};

// A layer is as long as its number of values says; the first place of a layer stands for it.
class Window {
public:
    Window(const SlabShape& shape, int steps, const std::vector<std::size_t>& first, int copies) :
        shape_(shape), first_(first), copies_(copies), sizes_(windowOf(shape, steps, first))
    {
        for (int c = 0; c < 2; ++c) held_[c].resize(sizes_.head + sizes_.ring[c]);
    }

    // turn: of passes. time: steps since the first one began; in a pass, `ahead` others came before.
    void put(int turn, int ahead, int layer, int time)
    {
        layer = wrapped(layer);
        for (std::size_t i = first_[layer]; i < first_[layer + 1]; ++i)
            held_[ahead % copies_][place(turn, ahead, i)] = {layer, time};
    }
    bool has(int turn, int ahead, int layer, int time) const
    {
        layer = wrapped(layer);
        for (std::size_t i = first_[layer]; i < first_[layer + 1]; ++i)
            if (!(held_[ahead % copies_][place(turn, ahead, i)] == Held{layer, time})) return false;
        return true;
    }

private:
    int wrapped(int layer) const { return (layer + shape_.layers()) % shape_.layers(); }
    std::size_t place(int turn, int ahead, std::size_t i) const
    {
        const std::size_t copy = copies_ == 1 ? 0 : std::size_t(ahead % 2);
        if (i < sizes_.head) return i;
        return sizes_.head + (i - sizes_.head + std::size_t(turn) * sizes_.onward[copy]) % sizes_.ring[copy];
    }

    const SlabShape& shape_;
    const std::vector<std::size_t>& first_;
    int copies_;
    WindowSizes sizes_;
    std::vector<Held> held_[2];
};

class Passes {
public:
    Passes(const SlabShape& shape, int windowSteps, const std::vector<int>& steps, int copies) :
        shape_(shape),
        order_(shape, steps),
        copies_(copies),
        first_(layersOfValues(shape.layers())),
        window_(shape, windowSteps, first_, copies),
        home_(std::size_t(shape.layers()), 0),
        written_(std::size_t(shape.layers()), -1),
        made_(std::size_t(shape.layers()), 0)
    {
        for (const int s : steps) begin_.push_back(begin_.back() + s);
    }

    // Out as late, in as early as can be.
    void run()
    {
        takeUp(0);
        for (int at = 0; at < order_.count(); ++at) {
            takeOutTo(order_.outBeforeSteps(at));
            const bool last = at + 1 == order_.count(), early = !last && order_.outBeforeTakenUp(at + 1) < at;
            if (early) takeUp(at + 1);
            for (int t = 0; t < order_.slabs(at).steps(); ++t) step(at, t);
            if (!last && !early) takeUp(at + 1);
        }
        takeOutTo(order_.count() - 1);
        for (const int time : home_) EXPECT_EQ(time, begin_.back());
    }

private:
    static std::vector<std::size_t> layersOfValues(int layers)
    {
        std::vector<std::size_t> first{0};
        for (int z = 0; z < layers; ++z) first.push_back(first.back() + 3 + std::size_t(z * 7 % 5));
        return first;
    }

    bool inBox(int z) const { return shape_.periodic || (z >= 0 && z < shape_.layers()); }
    template<class F>
    void near(int z, F&& f) const
    {
        for (int n = z - shape_.reach; n <= z + shape_.reach; ++n)
            if (inBox(n)) f(n);
    }
    void takeOutTo(int last)
    {
        for (; isOut_ <= last; ++isOut_) {
            const Slabs& slabs = order_.slabs(isOut_);
            const int pass = order_.pass(isOut_), end = begin_[std::size_t(pass) + 1];
            const LayerRange finished = slabs.finished(order_.slab(isOut_));
            for (int z = finished.first; z < finished.last; ++z) {
                // In one copy neighbours' steps write there
                near(z, [&](int n) { EXPECT_GE(made(n), end) << "slab " << isOut_ << " takes out " << z; });
                EXPECT_TRUE(window_.has(pass, slabs.steps(), z, end)) << "slab " << isOut_ << ", layer " << z;
                EXPECT_EQ(home_[wrapped(z)], begin_[std::size_t(pass)]);
                home_[wrapped(z)] = end;
            }
        }
    }

    void takeUp(int at)
    {
        takeOutTo(order_.outBeforeTakenUp(at));
        const int pass = order_.pass(at), begin = begin_[std::size_t(pass)];
        const LayerRange taken = order_.slabs(at).takenUp(order_.slab(at));
        for (int z = taken.first; z < taken.last; ++z) {
            near(z, [&](int n) { EXPECT_EQ(made(n), begin) << "slab " << at << " takes up " << z; });
            EXPECT_EQ(home_[wrapped(z)], begin) << "slab " << at << " takes up " << z;
            window_.put(pass, 0, z, begin);
        }
    }

    std::size_t wrapped(int z) const { return std::size_t((z + shape_.layers()) % shape_.layers()); }
    int& made(int z) { return made_[wrapped(z)]; }
    int& written(int z) { return written_[wrapped(z)]; }

    void step(int at, int t)
    {
        const Slabs& slabs = order_.slabs(at);
        const int slab = order_.slab(at), pass = order_.pass(at), time = begin_[std::size_t(pass)] + t;
        const auto where = [&](int z) {
            return "slab " + std::to_string(at) + ", step " + std::to_string(t) + ", layer " + std::to_string(z);
        };
        const LayerRange remembered = slabs.remembered(slab, t), own = slabs.stepped(slab, t);
        if (shape_.remembers)
            for (int z = remembered.first; z < remembered.last; ++z) {
                near(z, [&](int n) { EXPECT_TRUE(window_.has(pass, t, n, time)) << where(z) << " writes down " << n; });
                EXPECT_LT(written(z), time) << where(z);
                written(z) = time;
            }
        for (int z = own.first; z < own.last; ++z) {
            near(z, [&](int n) {
                // In one copy a neighbour may have made this step; what it sent here lies where this step looks
                const bool there =
                    window_.has(pass, t, n, time) || (copies_ == 1 && n != z && window_.has(pass, t, n, time + 1));
                EXPECT_TRUE(there) << where(z) << " draws on " << n;
                if (shape_.remembers) { EXPECT_EQ(written(n), time) << where(z) << " looks at " << n; }
            });
            made(z) = time + 1;
            // The step must not change what it reads
            if (copies_ == 1) stepped_.push_back(z);
            else window_.put(pass, t + 1, z, time + 1);
        }
        for (const int z : stepped_) window_.put(pass, 0, z, time + 1);
        stepped_.clear();
    }

    const SlabShape& shape_;
    SlabOrder order_;
    int copies_;
    std::vector<std::size_t> first_;
    Window window_;
    std::vector<int> begin_{0}; // steps before each pass
    int isOut_ = 0;             // the next slab that leaves
    // By layer: steps behind it in the whole; when it was last written down; steps that it has made; those of a step
    std::vector<int> home_, written_, made_, stepped_;
};

SlabShape shapeOf(int layers, int width, int reach, bool remembers, bool periodic)
{
    SlabShape shape;
    for (int z = 0; z < layers; z += width) shape.bounds.push_back(z);
    shape.bounds.push_back(layers);
    shape.reach = reach;
    shape.remembers = remembers;
    shape.periodic = periodic;
    return shape;
}

TEST(Slabs, eachStepFindsWhatItDrawsOn)
{
    for (const bool periodic : {false, true})
        for (const bool remembers : {false, true})
            for (const int reach : {1, 2})
                for (const int layers : {1, 2, 7, 24, 61})
                    for (const int width : {1, 3, 5, 70})
                        for (const int steps : {1, 2, 3, 7, 12})
                            for (const int copies : {1, 2}) {
                                const SlabShape shape = shapeOf(layers, width, reach, remembers, periodic);
                                if (steps > shape.mostSteps()) continue;
                                SCOPED_TRACE(testing::Message()
                                             << "layers " << layers << ", width " << width << ", reach " << reach
                                             << ", steps " << steps << (periodic ? ", periodic" : "")
                                             << (remembers ? ", remembers" : "") << ", copies " << copies);
                                Passes(shape, steps, {steps, steps}, copies).run();
                                if (steps > 1) Passes(shape, steps, {steps, steps - 1, steps}, copies).run();
                                if (testing::Test::HasFailure()) return;
                            }
}

// A window is a piece of the whole.
TEST(Slabs, windowsAreSmall)
{
    const SlabShape shape = shapeOf(400, 4, 1, false, false);
    std::vector<std::size_t> first(401);
    for (std::size_t z = 0; z < first.size(); ++z) first[z] = 10 * z;
    const WindowSizes sizes = windowOf(shape, 8, first);
    EXPECT_EQ(sizes.head, 0u);
    EXPECT_EQ(sizes.ring[0], 10u * (3 * 4 + 8 + 1));
    EXPECT_EQ(sizes.ring[1], 10u * (2 * 4 + 8));
}

TEST(Slabs, passesAreEven)
{
    EXPECT_EQ(passesOf(0, 5), std::vector<int>{});
    EXPECT_EQ(passesOf(4, 5), std::vector<int>{4});
    EXPECT_EQ(passesOf(11, 5), (std::vector<int>{3, 4, 4}));
    EXPECT_EQ(passesOf(10, 5), (std::vector<int>{5, 5}));
}

TEST(Slabs, haveAboutAsManyTiles)
{
    std::vector<std::int32_t> below{0};
    for (int z = 0; z < 50; ++z) below.push_back(below.back() + (z < 25 ? 10 : 30));
    const std::vector<int> bounds = slabBounds(below, 60);
    ASSERT_EQ(bounds.front(), 0);
    ASSERT_EQ(bounds.back(), 50);
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
        EXPECT_LT(bounds[k], bounds[k + 1]);
        EXPECT_LE(below[std::size_t(bounds[k + 1])] - below[std::size_t(bounds[k])], 60);
    }
    EXPECT_EQ(slabBounds(below, 1).size(), 51u); // a layer each at least
}

// 200 layers of 1000 tiles of 64 nodes each; a node of 80 bytes; two copies.
struct PlanCase {
    std::vector<std::int32_t> below;
    SlabFacts facts;

    explicit PlanCase(double budget) : facts{std::size_t(budget), 80, 50e9, 4e12, 64, 0, 4, {}}
    {
        for (int z = 0; z <= 200; ++z) below.push_back(1000 * z);
        std::vector<std::size_t> first;
        for (const std::int32_t tiles : below) first.push_back(std::size_t(tiles) * 64);
        facts.windowBytes = [first](const SlabShape& shape, int steps) {
            const WindowSizes sizes = windowOf(shape, steps, first);
            return 80 * (2 * sizes.head + sizes.ring[0] + sizes.ring[1]);
        };
    }
    SlabPlan plan(int steps = 0, int layers = 0) const { return planSlabs(facts, SlabShape{}, below, steps, layers); }
};

TEST(SlabPlan, staysWithinItsBudgetAndGainsByIt)
{
    double slower = 1e300;
    for (const double budget : {0.1e9, 0.2e9, 0.4e9, 0.8e9}) {
        const SlabPlan plan = PlanCase(budget).plan();
        ASSERT_GT(plan.steps, 0) << budget;
        EXPECT_LE(double(plan.windows), budget);
        const double time = std::max(plan.linkTime, plan.deviceTime);
        EXPECT_LE(time, slower);
        slower = time;
    }
    // With enough of it the device is what limits
    const SlabPlan plan = PlanCase(2e9).plan();
    EXPECT_LE(plan.linkTime, plan.deviceTime);
}

TEST(SlabPlan, takesWhatIsAskedForOrSaysWhatItTakes)
{
    const SlabPlan plan = PlanCase(1e9).plan(7, 5);
    EXPECT_EQ(plan.steps, 7);
    EXPECT_EQ(plan.shape.slabs(), 40);
    const SlabPlan none = PlanCase(1e6).plan();
    EXPECT_EQ(none.steps, 0);
    ASSERT_GT(none.windows, 1000000u);
    EXPECT_GT(PlanCase(double(none.windows)).plan().steps, 0); // the least that it asks for is enough
}

// What it costs in words: how far slabs go down, which decides what windows hold, and their memory.
TEST(SlabPlan, tellsWhatItCosts)
{
    const PlanCase some(0.4e9);
    SlabShape shape;
    const auto wordsOf = [&] { return describe(planSlabs(some.facts, shape, some.below, 4, 5)); };
    const std::string near = wordsOf();
    EXPECT_NE(near.find("40 slabs stream through the device, 1 layer of tiles lower with each step, 4 steps a pass"),
              std::string::npos)
        << near;
    // Two rings of 20 and 14 layers of 64000 nodes
    EXPECT_NE(near.find("windows of 0.174 GB"), std::string::npos) << near;
    shape.reach = 2;
    shape.remembers = true;
    const std::string far = wordsOf();
    EXPECT_NE(far.find("4 layers of tiles lower with each step"), std::string::npos) << far;
}

TEST(SlabPlan, thickSlabsWhereBeginningsCost)
{
    PlanCase columns(0.4e9);
    const int thin = columns.plan().shape.slabs();
    columns.facts.startLayers = 40;
    EXPECT_LT(columns.plan().shape.slabs(), thin);
}

} // namespace
} // namespace lbm
