// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/StepGraph.hpp"

#include <algorithm>

#ifdef LBM_CUDA
#include "lbm/device/CudaGraph.hpp"
#include "lbm/solver/StreamedEnd.hpp"
#else
namespace lbm::cuda {
class Graph {};
} // namespace lbm::cuda
#endif

namespace lbm {

namespace {

void oneByOne(std::int64_t steps, const std::function<void()>& step)
{
    for (std::int64_t s = 0; s < steps; ++s) step();
}

} // namespace

StepGraph::StepGraph() = default;
StepGraph::~StepGraph() = default;

#ifdef LBM_CUDA

namespace {

OnDevice& onDevice(Part& part) { return dynamic_cast<OnDevice&>(part); }

bool repeats(Part& part)
{
    const auto* there = dynamic_cast<OnDevice*>(&part);
    return there && there->repeats();
}

} // namespace

void StepGraph::be(const std::vector<Part*>& parts, const std::vector<std::unique_ptr<Halo>>& halos)
{
    const bool all = !parts.empty()
        && std::all_of(parts.begin(), parts.end(), [](Part* part) { return repeats(*part); })
        && std::all_of(halos.begin(), halos.end(), [](const auto& halo) { return halo->repeats(); });
    if (!all) return;
    std::vector<const cuda::Stream*> streams;
    for (Part* part : parts)
        for (const cuda::Stream* stream : onDevice(*part).streams()) streams.push_back(stream);
    graph_ = std::make_unique<cuda::Graph>(std::move(streams));
    parts_ = parts;
}

bool StepGraph::recorded() const { return graph_ && graph_->recorded(); }

void StepGraph::forget()
{
    settled_ = false;
    if (graph_) graph_->forget();
}

// A first step may differ from those that follow, and a recording begins after an even number of them. It takes the host as long as
// some times that many steps.
void StepGraph::advance(std::int64_t steps, const std::function<void()>& step)
{
    if (!graph_) return oneByOne(steps, step);
    const std::int64_t first = 2 - parts_[0]->step() % 2, times = (steps - first) / length;
    const bool worth = times >= (recorded() ? 1 : settled_ ? 2 : 8);
    settled_ = true;
    if (!worth) return oneByOne(steps, step);
    oneByOne(first, step);
    std::int64_t made = 0;
    if (!recorded()) {
        for (Part* part : parts_) onDevice(*part).beginRecord();
        graph_->record([&] {
            oneByOne(length, step);
            for (Part* part : parts_) onDevice(*part).endRecord();
        });
        made = length;
    }
    for (Part* part : parts_) onDevice(*part).beginAgain(made);
    graph_->launch(times);
    for (Part* part : parts_) onDevice(*part).count(times * length - made);
    oneByOne(steps - first - times * length, step);
}

#else

void StepGraph::be(const std::vector<Part*>&, const std::vector<std::unique_ptr<Halo>>&) {}
bool StepGraph::recorded() const { return false; }
void StepGraph::forget() {}
void StepGraph::advance(std::int64_t steps, const std::function<void()>& step) { oneByOne(steps, step); }

#endif

} // namespace lbm
