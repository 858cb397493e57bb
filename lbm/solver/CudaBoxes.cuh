// CudaBoxes: boxes of nodes (NodeBoxes) in the memory of a CUDA device, whose fluid nodes kernels find when they are
// worked on: what is kept is a box each, and a bit a node of those that are not all fluid. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/BoxNodes.cuh"
#include "lbm/solver/BoxTables.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

#include <memory>

namespace lbm {

class CudaTileMap {
public:
    CudaTileMap(const cuda::Device& device, const TileGrid& grid) :
        grid_(&grid), device_(device), map_(device_, grid.map().data(), grid.map().size())
    {}

    TileMapView view() const { return {map_.data(), {grid_->count()[0], grid_->count()[1]}}; }

private:
    const TileGrid* grid_; // of the solver, which lives as long as its sets are read
    cuda::Device device_;
    cuda::Array<std::int32_t> map_;
};

// One warp a box, of n: visit(g, x, to) of each fluid node x of box g, to: its number among those of all boxes.
template<class Visit>
__device__ LBM_INLINE void visitBoxes(const BoxesView& view, int n, Visit&& visit)
{
    const int g = (blockIdx.x * listThreads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (g >= n) return;
    const BoxNodes box(view, g);
    std::size_t before = view.begin[g] - view.begin[0];
    for (int at = 0; at < box.nodes; at += 32) {
        const std::uint32_t fluid = box.fluidFrom(at);
        if (fluid >> lane & 1) visit(g, box.node(at + lane), before + __popc(fluid & ((std::uint32_t(1) << lane) - 1)));
        before += __popc(fluid);
    }
}

// Where nodes of boxes lie, and the states of the boxes there.
template<class TileT>
__global__ void __launch_bounds__(listThreads)
    listBoxes(BoxesView view, int n, NodePlace* places, const LinearState* states, Macroscopic* own)
{
    visitBoxes(view, n, [&](int g, const Int3& x, std::size_t to) {
        places[to] = view.tiles.template place<TileT>(x);
        if (states) own[to] = stateAt(states[g], x[0], x[1], x[2]);
    });
}

class CudaBoxes {
public:
    CudaBoxes(const cuda::Device& device, const Domain& domain, const NodeBlocks& blocks,
              std::shared_ptr<const CudaTileMap> map) :
        map_(std::move(map))
    {
        const BoxTables tables(domain, blocks);
        const auto copy = [&](auto& to, const auto& from) { to = {device, from.data(), from.size()}; };
        copy(boxes_, blocks.boxes);
        copy(begin_, blocks.begin);
        copy(firstWords_, tables.firstWords);
        copy(words_, tables.words);
    }

    std::size_t size() const { return boxes_.size(); }

    BoxesView view(std::size_t first) const
    {
        return {boxes_.data() + first, begin_.data() + first, firstWords_.data() + first, words_.data(), map_->view()};
    }

    // Of `groups` boxes from `first` on; states: of all boxes, on the device; null: places alone.
    template<class TileT>
    void list(std::size_t first, std::size_t groups, NodePlace* places, const LinearState* states,
              Macroscopic* own) const
    {
        if (groups == 0) return;
        listBoxes<TileT><<<blocksFor(groups * 32, listThreads), listThreads>>>(view(first), int(groups), places,
                                                                               states ? states + first : nullptr, own);
    }

private:
    std::shared_ptr<const CudaTileMap> map_;
    cuda::Array<NodeBox> boxes_;
    cuda::Array<std::size_t> begin_, firstWords_;
    cuda::Array<std::uint32_t> words_;
};

} // namespace lbm
