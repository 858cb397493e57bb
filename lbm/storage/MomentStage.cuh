// What a block of threads has while it slides: its shared memory, tuned extents of it, and where each thread sits.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Bulk.cuh"
#include "lbm/storage/MomentLayer.cuh"
#include "lbm/storage/MomentView.hpp"

namespace lbm {

constexpr int longestRun = 32;      // tiles

// blocks: that a multiprocessor shall hold at least, which bounds a thread's registers. buffers: of shared memory; with
// two, threads wait for each other once a layer instead of twice. The moments of the next layer come ahead into
// registers, or into the second cache, or into shared memory (which takes compute capability 9.0), or not.
enum class Ahead { none, cache, registers, shared };

template<int blockCount, int bufferCount, Ahead aheadOf>
struct MomentTuning {
    static constexpr int blocks = blockCount, buffers = bufferCount;
    static constexpr Ahead ahead = aheadOf;
};

// Measured; see lbm/bench/results/moments.md.
template<class L, class R, class S, class TileT>
using TunedMoments = std::conditional_t<
    L::D == 2, MomentTuning<5, 2, Ahead::cache>,
    std::conditional_t<sizeof(R) == 8, MomentTuning<TileT::TX < 32 ? 4 : 2, 1, Ahead::shared>,
                       MomentTuning<3, L::Q == 27 ? 1 : 2, sizeof(S) == 2 ? Ahead::registers : Ahead::shared>>>;

// Shared memory of a block.
template<class Layer, class R, class S, class Faces, class Tuning>
struct MomentStage {
    static constexpr int count = MomentSet<typename Layer::L, R>::count, edgeMoments = Faces::kept ? count : 1;
    static constexpr int stored = MomentCode<typename Layer::L, R, S>::count;
    static constexpr bool ahead = Tuning::ahead == Ahead::shared;
    static constexpr int aheadRows = ahead ? Layer::Y + 2*Layer::rimY : 0;

    alignas(128) S soon[ahead ? aheadRows*stored*Layer::X : 8];      // moments of the layer to come, and of the rim across y
    R sentSoon[Faces::kept ? Faces::count : 1][Faces::kept ? 2*(Layer::Y + 2) : 1];     // what faces send to it
    R moving[Tuning::buffers][Layer::slots][Layer::size];   // populations that move within the layer ...
    R staying[3][Layer::nodes];                     // ... and those that stay in the column, by 1 + along
    R edge[2][edgeMoments][2*Layer::Y];      // new moments of the nodes on faces
    R above[6][Layer::nodes];       // SlabSums that wait for the layer above: they take no registers
    // Slots of the run's tiles and of those around, layer by layer, -1: none; across x those of faces, where these are kept.
    std::int32_t slot[(longestRun + 2)*Layer::columns];
    std::int32_t target[longestRun], faceTarget[longestRun];    // where new moments go, and new faces
    std::int32_t detail[longestRun], table[longestRun];     // of the run's own: rows of words and of special nodes
    std::int32_t run;
    BulkBarrier arrived;                                    // of `soon`

    template<class L, class Tiles>
    __device__ void know(const TilesView& view, const SpecialView<L, R>& special, const std::int32_t* own, int length,
                         const Tiles& from, const Tiles& to)
    {
        for (int i = threadIdx.x; i < (length + 2)*Layer::columns; i += Layer::threads) {
            const int k = i/Layer::columns - 1, column = i % Layer::columns;
            const int step = k < 0 ? -1 : k == length ? 1 : 0;
            const int around = 13 - Layer::columns/2 + column + step*Layer::slideStride;
            const std::int32_t tile = view.neighbours[std::size_t(own[min(max(k, 0), length - 1)])*27 + around];
            slot[i] = tile == view.tiles ? -1 : Faces::kept && around % 3 != 1 ? from.faceRing.slot(tile) : from.ring.slot(tile);
        }
        for (int i = threadIdx.x; i < length; i += Layer::threads) {
            target[i] = to.ring.slot(own[i]);
            faceTarget[i] = to.faceRing.slot(own[i]);
            detail[i] = view.detailOf[own[i]];
            table[i] = special.tableOf[own[i]];
        }
    }
};

// Where a thread's node lies in the layer; the rim has coordinates -1, X and Y. The first threads have the tile's own
// nodes, then come those of the rim across y and across x.
template<class Layer>
struct Seat {
    static constexpr int firstBeside = Layer::nodes + 2*Layer::rimY*Layer::X;

    int x, y;
    bool inside, beside, idle;      // of the tile; of the rim across x; of nothing
    int dx, dy;                     // to the tile
    int local, at;                  // place in its layer of that tile, and in shared memory

    __device__ explicit LBM_INLINE Seat(int t) : y(0), inside(t < Layer::nodes), beside(t >= firstBeside), idle(false)
    {
        if (inside) {
            x = t % Layer::X;
            y = t/Layer::X;
        } else if (!beside) {
            x = (t - Layer::nodes) % Layer::X;
            y = t - Layer::nodes < Layer::X ? -1 : Layer::Y;
        } else {
            constexpr int side = Layer::Y + 2*Layer::rimY;
            const int i = t - firstBeside;
            idle = i >= 2*side;
            x = i < side ? -1 : Layer::X;
            y = i % side - Layer::rimY;
        }
        dx = x < 0 ? -1 : x >= Layer::X;
        dy = y < 0 ? -1 : y >= Layer::Y;
        local = x - dx*Layer::X + Layer::X*(y - dy*Layer::Y);
        at = idle ? Layer::size - 1 : x + 1 + Layer::width*(y + Layer::rimY);
    }
};

} // namespace lbm
