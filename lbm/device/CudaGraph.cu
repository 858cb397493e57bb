// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/CudaGraph.hpp"

namespace lbm::cuda {
namespace {

void checkGraph(cudaError_t status, const Device& device)
{
    if (status != cudaSuccess) throw Error("recorded work of " + device.name() + ": " + cudaGetErrorString(status));
}

} // namespace

Graph::Graph(std::vector<const Stream*> streams) : streams_(std::move(streams))
{
    for (const Stream* stream : streams_) ends_.emplace_back(stream->device());
}

Graph::~Graph() { forget(); }

void Graph::forget()
{
    if (graph_) static_cast<void>(cudaGraphExecDestroy(std::exchange(graph_, nullptr)));
}

// The first stream's work is from now on behind all others'.
void Graph::join()
{
    for (std::size_t i = 1; i < streams_.size(); ++i) {
        streams_[i]->record(ends_[i]);
        streams_[0]->follow(ends_[i]);
    }
}

// And all others' behind the first one's.
void Graph::part()
{
    streams_[0]->record(ends_[0]);
    for (std::size_t i = 1; i < streams_.size(); ++i) streams_[i]->follow(ends_[0]);
}

void Graph::record(const std::function<void()>& work)
{
    forget();
    const StreamHandle first = streams_[0]->handle();
    device().use();
    checkGraph(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal), device());
    cudaGraph_t graph = nullptr;
    try {
        part();
        work();
        join();
    } catch (...) {
        if (cudaStreamEndCapture(first, &graph) == cudaSuccess) static_cast<void>(cudaGraphDestroy(graph));
        static_cast<void>(cudaGetLastError());
        throw;
    }
    device().use();
    checkGraph(cudaStreamEndCapture(first, &graph), device());
    const cudaError_t status = cudaGraphInstantiate(&graph_, graph, cudaGraphInstantiateFlagUseNodePriority);
    static_cast<void>(cudaGraphDestroy(graph));
    if (status != cudaSuccess) graph_ = nullptr;
    checkGraph(status, device());
}

void Graph::launch(std::int64_t times)
{
    join();
    device().use();
    for (std::int64_t i = 0; i < times; ++i) checkGraph(cudaGraphLaunch(graph_, streams_[0]->handle()), device());
    part();
}

} // namespace lbm::cuda
