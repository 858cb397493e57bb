// CudaBoxes: boxes of nodes (NodeBoxes) in the memory of a CUDA device, whose fluid nodes kernels find when they are
// worked on: what is kept is a box each, and a bit a node of those that are not all fluid. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/NodeBlocks.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

#include <memory>

namespace lbm {

// Where nodes lie whose places follow from their coordinates alone (NodeTables without runs).
struct TileMapView {
    const std::int32_t* map; // [tiles of the box]
    int count[2];            // of them, along x and y
    int extents[3];
};

class CudaTileMap {
public:
    CudaTileMap(const cuda::Device& device, const TileGrid& grid) :
        grid_(&grid), device_(device), map_(device_, grid.map().data(), grid.map().size())
    {}

    TileMapView view() const
    {
        const Int3 &n = grid_->count(), &e = grid_->extents();
        return {map_.data(), {n[0], n[1]}, {e[0], e[1], e[2]}};
    }

private:
    const TileGrid* grid_; // of the solver, which lives as long as its sets are read
    cuda::Device device_;
    cuda::Array<std::int32_t> map_;
};

struct BoxesView {
    const NodeBox* boxes;          // of a block
    const std::size_t* begin;      // how many fluid nodes lie before each box, of all
    const std::size_t* firstWords; // of each box's bits
    const std::uint32_t* words;
    TileMapView tiles;
};

// By a warp, all of whose lanes call visit(fluid, before, x, place) together, for 32 nodes of box g at a time: which of them are fluid,
// how many of the view's fluid nodes lie before the first, and of the lane's own node where it is.
template<class Visit>
__device__ __forceinline__ void forWarp(const BoxesView& view, int g, Visit&& visit)
{
    const int lane = threadIdx.x % 32;
    const NodeBox box = view.boxes[g];
    const int nodes = int(nodesIn(box));
    const auto& e = view.tiles.extents;
    std::size_t before = view.begin[g] - view.begin[0];
    const bool whole = view.begin[g + 1] - view.begin[g] == std::size_t(nodes);
    const std::uint32_t* words = view.words + view.firstWords[g];
    for (int first = 0; first < nodes; first += 32) {
        const int i = first + lane;
        const std::uint32_t rest = nodes - first < 32 ? (std::uint32_t(1) << (nodes - first)) - 1 : ~std::uint32_t(0);
        const std::uint32_t fluid = whole ? rest : words[first / 32];
        Int3 x{0, 0, 0};
        NodePlace place{0, 0};
        if (fluid >> lane & 1) {
            const int row = i / box.size[0];
            x = {box.low[0] + i % box.size[0], box.low[1] + row % box.size[1], box.low[2] + row / box.size[1]};
            const std::int64_t tile = x[0] / e[0]
                + std::int64_t(view.tiles.count[0]) * (x[1] / e[1] + std::int64_t(view.tiles.count[1]) * (x[2] / e[2]));
            place = {view.tiles.map[tile], x[0] % e[0] + e[0] * (x[1] % e[1] + e[1] * (x[2] % e[2]))};
        }
        visit(fluid, before, x, place);
        before += __popc(fluid);
    }
}

// One warp a box: where its nodes lie, and the states of the boxes there.
template<int threads>
__global__ void __launch_bounds__(threads)
    listBoxes(BoxesView view, int n, NodePlace* places, const LinearState* states, Macroscopic* own)
{
    const int g = (blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (g >= n) return;
    forWarp(view, g, [&](std::uint32_t fluid, std::size_t before, const Int3& x, const NodePlace& place) {
        if (!(fluid >> lane & 1)) return;
        const std::size_t to = before + __popc(fluid & ((std::uint32_t(1) << lane) - 1));
        places[to] = place;
        own[to] = stateAt(states[g], x[0], x[1], x[2]);
    });
}

class CudaBoxes {
public:
    CudaBoxes(const cuda::Device& device, const Domain& domain, const NodeBlocks& blocks,
              std::shared_ptr<const CudaTileMap> map) :
        map_(std::move(map))
    {
        const std::vector<NodeBox>& boxes = blocks.boxes;
        const auto isWhole = [&](std::size_t g) {
            return std::int64_t(blocks.begin[g + 1] - blocks.begin[g]) == nodesIn(boxes[g]);
        };
        std::vector<std::size_t> firstWords(boxes.size() + 1);
        for (std::size_t g = 0; g < boxes.size(); ++g) {
            firstWords[g + 1] = firstWords[g] + (isWhole(g) ? 0 : std::size_t(nodesIn(boxes[g]) + 31) / 32);
        }
        std::vector<std::uint32_t> words(firstWords.back());
#pragma omp parallel for schedule(dynamic, 1024)
        for (std::size_t g = 0; g < boxes.size(); ++g) {
            if (isWhole(g)) continue;
            const NodeBox& box = boxes[g];
            forFluid(domain, box, [&](NodeIndex, int x, int y, int z) {
                const std::size_t i = std::size_t(x - box.low[0])
                    + std::size_t(box.size[0])
                        * (std::size_t(y - box.low[1]) + std::size_t(box.size[1]) * std::size_t(z - box.low[2]));
                words[firstWords[g] + i / 32] |= std::uint32_t(1) << i % 32;
            });
        }
        const auto copy = [&](auto& to, const auto& from) { to = {device, from.data(), from.size()}; };
        copy(boxes_, boxes);
        copy(begin_, blocks.begin);
        copy(firstWords_, firstWords);
        copy(words_, words);
    }

    std::size_t size() const { return boxes_.size(); }

    BoxesView view(std::size_t first) const
    {
        return {boxes_.data() + first, begin_.data() + first, firstWords_.data() + first, words_.data(), map_->view()};
    }

    // Of `groups` boxes from `first` on; states: of all boxes, on the device.
    void list(std::size_t first, std::size_t groups, NodePlace* places, const LinearState* states,
              Macroscopic* own) const
    {
        if (groups == 0) return;
        listBoxes<listThreads><<<blocksFor(groups * 32, listThreads), listThreads>>>(view(first), int(groups), places,
                                                                                     states + first, own);
    }

private:
    std::shared_ptr<const CudaTileMap> map_;
    cuda::Array<NodeBox> boxes_;
    cuda::Array<std::size_t> begin_, firstWords_;
    cuda::Array<std::uint32_t> words_;
};

} // namespace lbm
