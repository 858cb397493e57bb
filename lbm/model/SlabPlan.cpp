// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/SlabPlan.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace lbm {

namespace {

// Kernels do not reach the rate of copies; the link is to keep up with them all the same.
constexpr double room = 1.2;

// A step of a slab costs its launches besides, about.
constexpr double launchTime = 8e-6;

// Nodes of the thinnest and of the thickest slabs that are thought of, and by what factor one is thicker than the next; a layer of
// tiles is the least.
constexpr double thinnest = 16e3, thickest = 512e6, finer = 1.2;

std::vector<int> equalBounds(int layers, int width)
{
    std::vector<int> bounds;
    for (int z = 0; z < layers; z += width) bounds.push_back(z);
    bounds.push_back(layers);
    return bounds;
}

class Planner {
public:
    Planner(const SlabFacts& facts, const SlabShape& shape, const std::vector<std::int32_t>& below) :
        facts_(facts), shape_(shape), below_(below)
    {}

    // Slabs of about so many nodes.
    SlabPlan withNodes(double nodes, int steps) const
    {
        return withBounds(slabBounds(below_, std::int64_t(nodes / facts_.nodesOfTile)), steps);
    }

    SlabPlan withBounds(std::vector<int> bounds, int steps) const
    {
        SlabPlan plan;
        plan.shape = shape_;
        plan.shape.bounds = std::move(bounds);
        plan.steps = std::clamp(steps, 1, std::max(plan.shape.mostSteps(), 1));
        plan.windows = facts_.windowBytes(plan.shape, plan.steps);
        const double nodes = double(below_.back()) * facts_.nodesOfTile;
        plan.linkTime = facts_.nodeBytes / facts_.linkRate / plan.steps;
        const double thickness = double(plan.shape.layers()) * facts_.layersOfTile / plan.shape.slabs();
        plan.deviceTime = 2 * facts_.nodeBytes / facts_.deviceRate * (1 + facts_.startLayers / thickness)
            + launchTime * plan.shape.slabs() / nodes;
        return plan;
    }

    bool fits(const SlabPlan& plan) const { return plan.windows <= facts_.budget; }

    // With the most steps, up to some, with which slabs of about so many nodes fit; 0: none.
    SlabPlan longest(double nodes, int steps) const
    {
        SlabPlan best = withNodes(nodes, 1);
        if (!fits(best)) return best.steps = 0, best;
        for (int low = 1, high = steps; low <= high;) {
            const int middle = (low + high) / 2;
            SlabPlan plan = withNodes(nodes, middle);
            if (fits(plan)) {
                best = std::move(plan);
                low = middle + 1;
            } else high = middle - 1;
        }
        return best;
    }

    int stepsToHideLink() const
    {
        const double steps = room * facts_.deviceRate / (2 * facts_.linkRate);
        return std::max(1, int(std::ceil(steps)));
    }

private:
    const SlabFacts& facts_;
    const SlabShape& shape_;
    const std::vector<std::int32_t>& below_;
};

} // namespace

SlabPlan planSlabs(const SlabFacts& facts, SlabShape shape, const std::vector<std::int32_t>& below, int wantedSteps,
                   int wantedLayers)
{
    const int layers = int(below.size()) - 1;
    const Planner planner(facts, shape, below);
    const int steps = wantedSteps > 0 ? wantedSteps : planner.stepsToHideLink();
    if (wantedLayers > 0) {
        SlabPlan plan = planner.withBounds(equalBounds(layers, wantedLayers), steps);
        if (!planner.fits(plan)) plan.steps = 0;
        return plan;
    }
    SlabPlan best = planner.longest(thinnest, steps);
    const auto time = [](const SlabPlan& plan) { return std::max(plan.linkTime, plan.deviceTime); };
    for (double nodes = finer * thinnest; best.steps > 0 && nodes <= thickest; nodes *= finer) {
        SlabPlan plan = planner.longest(nodes, steps);
        if (plan.steps > 0 && time(plan) < time(best)) best = std::move(plan);
    }
    return best;
}

SlabPlan planSlabs(const std::vector<SlabOffer>& offers, int wantedSteps, int wantedLayers)
{
    const SlabOffer& largest =
        *std::max_element(offers.begin(), offers.end(),
                          [](const SlabOffer& a, const SlabOffer& b) { return a.below.back() < b.below.back(); });
    SlabFacts facts = largest.facts;
    SlabShape shape = largest.shape;
    for (const SlabOffer& offer : offers) {
        if (offer.below.size() != largest.below.size() || offer.shape.periodic != shape.periodic)
            throw std::logic_error("slabs: parts of one domain have other layers");
        facts.budget = std::min(facts.budget, offer.facts.budget);
        facts.linkRate = std::min(facts.linkRate, offer.facts.linkRate);
        facts.deviceRate = std::min(facts.deviceRate, offer.facts.deviceRate);
        shape.reach = std::max(shape.reach, offer.shape.reach);
        shape.remembers = shape.remembers || offer.shape.remembers;
    }
    facts.windowBytes = [&](const SlabShape& s, int steps) {
        std::size_t most = 0;
        for (const SlabOffer& offer : offers) most = std::max(most, offer.facts.windowBytes(s, steps));
        return most;
    };
    return planSlabs(facts, shape, largest.below, wantedSteps, wantedLayers);
}

std::string describe(const SlabPlan& plan)
{
    std::ostringstream text;
    text.precision(3);
    text << plan.shape.slabs() << " slabs stream through the device, " << plan.shape.skew()
         << (plan.shape.skew() == 1 ? " layer" : " layers") << " of tiles lower with each step, " << plan.steps
         << " steps a pass, windows of " << double(plan.windows) / 1e9 << " GB; by the model "
         << 1e-6 / std::max(plan.linkTime, plan.deviceTime) << " MLUPS, limited by the "
         << (plan.linkTime > plan.deviceTime ? "link" : "device") << " (link " << 1e-6 / plan.linkTime << ", device "
         << 1e-6 / plan.deviceTime << ')';
    return text.str();
}

} // namespace lbm
