// CudaGraph: work of several streams, of one CUDA device or of several, that is recorded once and then begun by one call of the host,
// as often as is liked. Of kernels it keeps what they were given: who records sees to it that this holds whenever it is begun. Failures
// throw cuda::Error. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"

#include <cstdint>
#include <functional>
#include <vector>

struct CUgraphExec_st;

namespace lbm::cuda {

class Graph {
public:
    // One stream at least; they and their devices must outlive this.
    explicit Graph(std::vector<const Stream*> streams);
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    // What `work` begins in the streams is kept instead, in the place of what was recorded before, and begins with the first launch().
    // Of events, none that is waited for is another Graph's.
    void record(const std::function<void()>& work);
    bool recorded() const { return graph_; }
    void forget();

    // So often, one after another: behind all that was begun in the streams, whose later work comes behind it.
    void launch(std::int64_t times);

private:
    const Device& device() const { return streams_[0]->device(); }
    void join();
    void part();

    std::vector<const Stream*> streams_;
    std::vector<Event> ends_; // of each stream
    CUgraphExec_st* graph_ = nullptr;
};

} // namespace lbm::cuda
