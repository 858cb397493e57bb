// CudaBoxes: boxes of nodes (NodeBoxes) in the memory of a CUDA device, whose fluid nodes a kernel lists when a block of them is
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

// One warp a box. ofStates: states of the boxes are written out to `own`, else weights are.
template<bool ofStates>
__global__ void __launch_bounds__(listThreads)
    listBoxes(BoxesView view, int n, NodePlace* places, double* weights, const LinearState* states, Macroscopic* own)
{
    const int g = (blockIdx.x * listThreads + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (g >= n) return;
    const NodeBox box = view.boxes[g];
    const std::int64_t nodes = nodesIn(box);
    std::size_t at = view.begin[g] - view.begin[0];
    const bool whole = std::int64_t(view.begin[g + 1] - view.begin[g]) == nodes;
    const std::uint32_t* words = view.words + view.firstWords[g];
    for (std::int64_t first = 0; first < nodes; first += 32) {
        const std::int64_t i = first + lane;
        const std::uint32_t rest = nodes - first < 32 ? (std::uint32_t(1) << (nodes - first)) - 1 : ~std::uint32_t(0);
        const std::uint32_t fluid = whole ? rest : words[first / 32];
        if (fluid >> lane & 1) {
            const int x = box.low[0] + int(i % box.size[0]), y = box.low[1] + int(i / box.size[0] % box.size[1]),
                      z = box.low[2] + int(i / box.size[0] / box.size[1]);
            const auto& e = view.tiles.extents;
            const std::size_t to = at + __popc(fluid & ((std::uint32_t(1) << lane) - 1));
            const std::int64_t tile = x / e[0]
                + std::int64_t(view.tiles.count[0]) * (y / e[1] + std::int64_t(view.tiles.count[1]) * (z / e[2]));
            places[to] = {view.tiles.map[tile], x % e[0] + e[0] * (y % e[1] + e[1] * (z % e[2]))};
            if constexpr (ofStates) own[to] = stateAt(states[g], x, y, z);
            else weights[to] = weightAt(box, x, y, z);
        }
        at += __popc(fluid);
    }
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

    const std::size_t* begin() const { return begin_.data(); }

    // Of `groups` boxes from `first` on; states: of all boxes, on the device, or null.
    void list(std::size_t first, std::size_t groups, NodePlace* places, double* weights, const LinearState* states,
              Macroscopic* own) const
    {
        if (groups == 0) return;
        const BoxesView view{boxes_.data() + first, begin_.data() + first, firstWords_.data() + first, words_.data(),
                             map_->view()};
        const int blocks = blocksFor(groups * 32, listThreads);
        if (states) listBoxes<true><<<blocks, listThreads>>>(view, int(groups), places, weights, states + first, own);
        else listBoxes<false><<<blocks, listThreads>>>(view, int(groups), places, weights, nullptr, nullptr);
    }

private:
    std::shared_ptr<const CudaTileMap> map_;
    cuda::Array<NodeBox> boxes_;
    cuda::Array<std::size_t> begin_, firstWords_;
    cuda::Array<std::uint32_t> words_;
};

} // namespace lbm
