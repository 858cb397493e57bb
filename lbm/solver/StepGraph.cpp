// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/StepGraph.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#ifdef LBM_CUDA
#include "lbm/device/CudaGraph.hpp"
#include "lbm/solver/PassedRims.hpp"
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

// Steps of a trial: some milliseconds of a small domain.
constexpr std::int64_t compared = 4 * StepGraph::length;

// Graphs that are begun in one go.
constexpr std::int64_t mostAtOnce = 16;

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

void StepGraph::forget()
{
    settled_ = false;
    if (graph_) graph_->forget();
}

// Behind the first steps. To record takes the host as long as to begin some times that many steps.
bool StepGraph::worth(std::int64_t steps) const
{
    if (faster_ == Faster::unknown) return steps >= length + 2 * compared;
    return faster_ == Faster::atOnce && steps >= length * (graph_->recorded() ? 1 : settled_ ? 2 : 8);
}

// A first step may differ from those that follow, and a recording begins after an even number of them.
void StepGraph::advance(std::int64_t steps, const std::function<void()>& step, const Begun& begun)
{
    const auto each = [&] {
        step();
        begun(1);
    };
    const std::int64_t first = graph_ ? 2 - parts_[0]->step() % 2 : 0;
    const bool atOnce = graph_ && worth(steps - first);
    settled_ = true;
    if (!atOnce) return oneByOne(steps, each);
    oneByOne(first, each);
    std::int64_t left = steps - first;
    if (!graph_->recorded()) record(step);
    if (faster_ == Faster::unknown) {
        launch(1, begun);
        compare(each, begun);
        left -= length + 2 * compared;
    }
    if (faster_ == Faster::atOnce) {
        if (left >= length) launch(left / length, begun);
        left %= length;
    } else graph_->forget();
    oneByOne(left, each);
}

void StepGraph::record(const std::function<void()>& step)
{
    for (Part* part : parts_) onDevice(*part).beginRecord();
    graph_->record([&] {
        oneByOne(length, step);
        for (Part* part : parts_) onDevice(*part).endRecord();
    });
    counted_ = length;
}

void StepGraph::launch(std::int64_t times, const Begun& begun)
{
    const std::int64_t counted = std::exchange(counted_, 0);
    for (Part* part : parts_) onDevice(*part).beginAgain(counted);
    for (std::int64_t left = times; left > 0; left -= mostAtOnce) {
        const std::int64_t some = std::min(left, mostAtOnce);
        graph_->launch(some);
        begun(some * length);
    }
    for (Part* part : parts_) onDevice(*part).count(times * length - counted);
}

double StepGraph::secondsOf(const std::function<void()>& work) const
{
    const auto wait = [&] {
        waitForEach(parts_);
        for (Part* part : parts_) part->wait();
        return std::chrono::steady_clock::now();
    };
    const auto begin = wait();
    work();
    return std::chrono::duration<double>(wait() - begin).count();
}

void StepGraph::compare(const std::function<void()>& step, const Begun& begun)
{
    const double together = secondsOf([&] { launch(compared / length, begun); }),
                 apart = secondsOf([&] { oneByOne(compared, step); });
    faster_ = together < apart ? Faster::atOnce : Faster::oneByOne;
}

std::string StepGraph::found() const
{
    const std::string many = std::to_string(length);
    switch (faster_) {
        case Faster::atOnce: return many + " steps are begun at once, which takes less time than one by one";
        case Faster::oneByOne: return "steps are begun one by one, which takes less time than " + many + " at once";
        default: return {};
    }
}

#else

void StepGraph::be(const std::vector<Part*>&, const std::vector<std::unique_ptr<Halo>>&) {}
void StepGraph::forget() {}
std::string StepGraph::found() const { return {}; }
void StepGraph::advance(std::int64_t steps, const std::function<void()>& step, const Begun&) { oneByOne(steps, step); }

#endif

} // namespace lbm
