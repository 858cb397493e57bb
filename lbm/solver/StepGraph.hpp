// StepGraph: steps of a process's parts on GPUs, with the halos between them, recorded as one CUDA graph: of a small part a step takes
// less time than the host needs to begin its kernels one by one (lbm/bench/results/two-gpus.md). Results are the same.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Part.hpp"

#include <functional>
#include <memory>
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

    // step(): begins one of all parts, of which so many are to be made. Others have been made since the last change, or many are to be.
    void advance(std::int64_t steps, const std::function<void()>& step);

    // Kernels of steps to come are given other things.
    void forget();

    bool recorded() const;

private:
    std::unique_ptr<cuda::Graph> graph_; // null: steps are begun one by one
    std::vector<Part*> parts_;
    bool settled_ = false; // since the last change a course of steps has been made
};

} // namespace lbm
