// StepGraph: steps of a process's parts on GPUs, with the halos between them, recorded as one CUDA graph. Where a step's kernels take
// less time than the host needs to begin them one by one, the graph is faster; else it is a little slower, for devices that wait for
// each other (lbm/bench/results/two-gpus.md). So both are tried, on steps that are to be made anyhow: results are the same.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Part.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lbm {

namespace cuda {
class Graph;
}

class StepGraph {
public:
    // An even number: copies and the order of parts are then as before.
    static constexpr int length = 16;

    StepGraph();
    ~StepGraph();

    // Before the first step. They must outlive this.
    void be(const std::vector<Part*>&, const std::vector<std::unique_ptr<Halo>>&);

    // step(): begins one of all parts, of which so many are to be made. begun(steps): whenever some more are under way.
    using Begun = std::function<void(std::int64_t)>;
    void advance(std::int64_t steps, const std::function<void()>& step, const Begun& begun);

    // Kernels of steps to come are given other things.
    void forget();

    // What was found out, for users; empty: nothing yet, or steps cannot be recorded.
    std::string found() const;

private:
    enum class Faster { unknown, atOnce, oneByOne };

    bool worth(std::int64_t steps) const;
    void record(const std::function<void()>& step);
    void launch(std::int64_t times, const Begun& begun);
    void compare(const std::function<void()>& step, const Begun& begun);
    double secondsOf(const std::function<void()>& work) const;

    std::unique_ptr<cuda::Graph> graph_; // null: steps are begun one by one
    std::vector<Part*> parts_;
    std::int64_t counted_ = 0; // of recorded steps that are yet to be begun
    bool settled_ = false;     // steps have been made since the last change
    Faster faster_ = Faster::unknown;
};

} // namespace lbm
