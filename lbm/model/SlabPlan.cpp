// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/model/SlabPlan.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lbm {

namespace {

// Transfers in the link's time are to be hidden with some room, for neither rate is met exactly.
constexpr double room = 1.4;

// A step of fewer nodes is a launch more than work.
constexpr double nodesOfThinSlab = 1e6, nodesOfThickSlab = 64e6;

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
        plan.linkTime = facts_.nodeBytes / facts_.linkRate / plan.steps;
        plan.deviceTime = 2 * facts_.nodeBytes / facts_.deviceRate;
        return plan;
    }

    bool fits(const SlabPlan& plan) const { return plan.windows <= facts_.budget; }

    // The most steps up to some with which slabs of about so many nodes fit; 0: none.
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
    // Thin slabs leave most room for steps; then as thick as may be with as many
    SlabPlan best = planner.longest(nodesOfThinSlab, steps);
    for (double nodes = 2 * nodesOfThinSlab; best.steps > 0 && nodes <= nodesOfThickSlab; nodes *= 2) {
        SlabPlan plan = planner.withNodes(nodes, best.steps);
        if (plan.steps < best.steps || !planner.fits(plan)) break;
        best = std::move(plan);
    }
    return best;
}

std::string describe(const SlabPlan& plan)
{
    std::ostringstream text;
    text.precision(3);
    text << plan.shape.slabs() << " slabs stream through the device, " << plan.steps << " steps a pass, windows of "
         << double(plan.windows) / 1e9 << " GB; by the model " << 1e-6 / std::max(plan.linkTime, plan.deviceTime)
         << " MLUPS, limited by the " << (plan.linkTime > plan.deviceTime ? "link" : "device") << " (link "
         << 1e-6 / plan.linkTime << ", device " << 1e-6 / plan.deviceTime << ')';
    return text.str();
}

} // namespace lbm
