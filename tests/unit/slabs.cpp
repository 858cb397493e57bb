// Slabs: every layer is advanced as often as asked for, each step finds what it draws on, in one copy and in two, and what has
// left the window is not needed any more, be transfers as early and as late as they may.
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

    void put(int copy, int layer, int time)
    {
        layer = wrapped(layer);
        for (std::size_t i = first_[layer]; i < first_[layer + 1]; ++i)
            held_[copy % copies_][place(copy, i)] = {layer, time};
    }
    bool has(int copy, int layer, int time) const
    {
        layer = wrapped(layer);
        for (std::size_t i = first_[layer]; i < first_[layer + 1]; ++i)
            if (!(held_[copy % copies_][place(copy, i)] == Held{layer, time})) return false;
        return true;
    }

private:
    int wrapped(int layer) const { return (layer + shape_.layers()) % shape_.layers(); }
    std::size_t place(int copy, std::size_t i) const
    {
        return i < sizes_.head ? i : sizes_.head + (i - sizes_.head) % sizes_.ring[copies_ == 1 ? 0 : copy % 2];
    }

    const SlabShape& shape_;
    const std::vector<std::size_t>& first_;
    int copies_;
    WindowSizes sizes_;
    std::vector<Held> held_[2];
};

class Pass {
public:
    Pass(const SlabShape& shape, int windowSteps, int steps, int copies) :
        shape_(shape),
        slabs_(shape, steps),
        copies_(copies),
        first_(layersOfValues(shape.layers())),
        window_(shape, windowSteps, first_, copies),
        written_(std::size_t(shape.layers()), -1),
        made_(std::size_t(shape.layers()), 0)
    {}

    void run()
    {
        std::vector<int> finished(std::size_t(shape_.layers()), 0);
        const auto takeOut = [&](int slab) {
            if (slab < 0 || slab >= slabs_.count()) return;
            for (int z = slabs_.finished(slab).first; z < slabs_.finished(slab).last; ++z) {
                // In one copy neighbours' steps write there
                near(z, [&](int n) { EXPECT_EQ(made(n), slabs_.steps()) << "slab " << slab << " takes out " << z; });
                EXPECT_TRUE(window_.has(slabs_.steps(), z, slabs_.steps())) << "slab " << slab << ", layer " << z;
                ++finished[std::size_t(z % shape_.layers())];
            }
        };
        const auto takeUp = [&](int slab) {
            if (slab >= slabs_.count()) return;
            for (int z = slabs_.takenUp(slab).first; z < slabs_.takenUp(slab).last; ++z) {
                near(z, [&](int n) { EXPECT_EQ(made(n), 0) << "slab " << slab << " takes up " << z; });
                window_.put(0, z, 0);
            }
        };
        takeUp(0);
        for (int slab = 0; slab < slabs_.count(); ++slab) { // out as late, in as early as can be
            takeOut(slab - Slabs::outBeforeSteps);
            takeUp(slab + 1);
            for (int t = 0; t < slabs_.steps(); ++t) step(slab, t);
        }
        for (int slab = slabs_.count() - Slabs::outBeforeSteps; slab < slabs_.count(); ++slab) takeOut(slab);
        for (const int times : finished) EXPECT_EQ(times, 1);
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
    int& made(int z) { return made_[std::size_t((z + shape_.layers()) % shape_.layers())]; }
    int& written(int z) { return written_[std::size_t((z + shape_.layers()) % shape_.layers())]; }

    void step(int slab, int t)
    {
        const auto where = [&](int z) {
            return "slab " + std::to_string(slab) + ", step " + std::to_string(t) + ", layer " + std::to_string(z);
        };
        const LayerRange remembered = slabs_.remembered(slab, t), own = slabs_.stepped(slab, t);
        if (shape_.remembers)
            for (int z = remembered.first; z < remembered.last; ++z) {
                near(z, [&](int n) { EXPECT_TRUE(window_.has(t, n, t)) << where(z) << " writes down " << n; });
                EXPECT_LT(written(z), t) << where(z);
                written(z) = t;
            }
        for (int z = own.first; z < own.last; ++z) {
            near(z, [&](int n) {
                // In one copy a neighbour may have made this step; what it sent here lies where this step looks
                const bool there = window_.has(t, n, t) || (copies_ == 1 && n != z && window_.has(t, n, t + 1));
                EXPECT_TRUE(there) << where(z) << " draws on " << n;
                if (shape_.remembers) { EXPECT_EQ(written(n), t) << where(z) << " looks at " << n; }
            });
            made(z) = t + 1;
            // The step must not change what it reads
            if (copies_ == 1) stepped_.push_back(z);
            else window_.put(t + 1, z, t + 1);
        }
        for (const int z : stepped_) window_.put(0, z, t + 1);
        stepped_.clear();
    }

    const SlabShape& shape_;
    Slabs slabs_;
    int copies_;
    std::vector<std::size_t> first_;
    Window window_;
    std::vector<int> written_, made_, stepped_; // by layer: when it was last written down; steps that it has made
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
                                Pass(shape, steps, steps, copies).run();
                                if (steps > 1)
                                    Pass(shape, steps, steps - 1, copies).run(); // what is left of many steps
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

TEST(SlabPlan, thickSlabsWhereBeginningsCost)
{
    PlanCase columns(0.4e9);
    const int thin = columns.plan().shape.slabs();
    columns.facts.startLayers = 40;
    EXPECT_LT(columns.plan().shape.slabs(), thin);
}

} // namespace
} // namespace lbm
