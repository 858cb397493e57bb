// What a block of threads has while it slides: its shared memory, and tuned extents of it.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Bulk.cuh"
#include "lbm/storage/moments/gpu/MomentLayer.cuh"
#include "lbm/storage/moments/gpu/MomentView.hpp"
#include "lbm/storage/moments/gpu/MomentWalls.hpp"

namespace lbm {

// In tiles.
template<class Layer>
constexpr int longestRun = Layer::L::D == 3 ? 128 / Layer::depth : 32;

// blocks: that a multiprocessor shall hold at least, which bounds a thread's registers. buffers: of shared memory; with
// two, threads wait for each other once a layer instead of twice. The moments of the next layer come ahead into
// registers, or into the second cache, or into shared memory (which takes compute capability 9.0), or not.
// columnInRegisters: what waits in a column takes no shared memory.
enum class Ahead { none, cache, registers, shared };

template<int blockCount, int bufferCount, Ahead aheadOf, bool columns>
struct MomentTuning {
    static constexpr int blocks = blockCount, buffers = bufferCount;
    static constexpr bool columnInRegisters = columns;
    static constexpr Ahead ahead = aheadOf;
};

// Measured; see lbm/bench/results/moments.md. Moments of third order: of what fits without spilling much (cumulants.md).
template<class L, class R, class S, class TileT>
using TunedMoments = std::conditional_t < keepsThird<L>,
      MomentTuning<sizeof(R) == 8 && TileT::TX * TileT::TY >= 256 ? 1 : 3, 1, Ahead::shared, false>,
      std::conditional_t<
          L::D == 2, MomentTuning<5, 2, Ahead::cache, false>,
          std::conditional_t<sizeof(R) == 8,
                             MomentTuning<TileT::TX<32 ? 4 : 2, 1, Ahead::shared, false>,
                                          MomentTuning<3, L::Q == 27 ? 1 : 2,
                                                       __is_same(S, Short) ? Ahead::registers : Ahead::shared, true>>>>;

// Links that a thread works on at once, and how many of a layer lie in shared memory: of more, which are rare, the rest is read
// when it is needed.
// (Then as many blocks have room at once as without walls, but with 27 populations in double precision: one for two.)
constexpr int linksAtOnce = 2;
template<class Layer, class R>
constexpr int linksInStage = 32
    * linksAtOnce*(Layer::nodes < 256  ? 1
                       : sizeof(R) < 8 ? 3
                                       : 5);

// Of interpolated walls, in the block's shared memory.
template<bool walls, class Layer, class R>
struct WallStage {
    __device__ void knowWalls(const NoWalls&, const std::int32_t*, int) {}
};

template<class Layer, class R>
struct WallStage<true, Layer, R> {
    static constexpr int linksHeld = linksInStage<Layer, R>;
    // Of a layer's links: that below, whose nodes are being finished, that at hand, the next one.
    static constexpr int turnOf(int l) { return unsigned(l + 3) % 3; }

    CurvedShares shares[3][linksHeld];
    R fromBelow[linksHeld]; // what came up to the layer's nodes
    WallLink wallLinks[3][linksHeld];
    std::uint32_t firstOf[longestRun<Layer> * Layer::depth]; // by layer of the run
    std::uint16_t countOf[longestRun<Layer> * Layer::depth];
    std::uint16_t firstLink[2][Layer::size]; // of a node, by place, among those of its layer; two layers

    __device__ void knowWalls(const WallsView<R>& walls, const std::int32_t* own, int length)
    {
        for (int i = threadIdx.x; i < length * Layer::depth; i += Layer::threads) {
            const std::uint32_t* of =
                walls.inLayer + (std::size_t(own[i / Layer::depth]) * Layer::depth + i % Layer::depth);
            firstOf[i] = of[0];
            countOf[i] = std::uint16_t(of[1] - of[0]);
        }
    }
};

// Velocities, for steps that look at their gradient (MomentVelocities.cuh). With two buffers of populations some threads are at the
// next layer while others read the last one's: three layers; else two, and of a third each thread keeps its own node's.
template<bool looks, class Layer, class R, int buffers>
struct VelocityStage {};

template<class Layer, class R, int buffers>
struct VelocityStage<true, Layer, R, buffers> {
    static constexpr bool keepsThreeLayers = buffers == 2;
    static constexpr int velocityLayers = buffers + 1;

    R velocity[velocityLayers][Layer::L::D][Layer::size];

    // The first component's, of layer l of the run, -3 or more.
    __device__ LBM_INLINE R* velocities(int l) { return velocity[unsigned(l + 6) % velocityLayers][0]; }
};

// Shared memory of a block.
template<bool walls, bool looks, class Layer, class R, class S, class Faces, class Tuning>
struct MomentStage : WallStage<walls, Layer, R>, VelocityStage<looks, Layer, R, Tuning::buffers> {
    static constexpr int count = MomentSet<typename Layer::L, R>::count, edgeMoments = Faces::kept ? count : 1;
    static constexpr int stored = MomentCode<typename Layer::L, R, S>::count;
    static constexpr bool ahead = Tuning::ahead == Ahead::shared, rounds = MomentCode<typename Layer::L, R, S>::rounds;
    static constexpr int aheadRows = ahead ? Layer::Y + 2 * Layer::rimY : 0;

    alignas(128)
        S fetched[ahead ? aheadRows * stored * Layer::X : 8]; // moments of the layer to come, and of the rim across y
    // What faces send to it. Without velocities, which few steps want, three blocks fit where else two do.
    static constexpr int sent = !Faces::kept ? 1 : looks ? Faces::count : Faces::populations;
    R sentAhead[sent][Faces::kept ? 2 * (Layer::Y + 2) : 1];
    // Populations that move within the layer; walls, which another warp sees to, ask for those that stay in a column, too.
    R moving[Tuning::buffers][walls ? Layer::windowSlots : Layer::slots][Layer::size];
    // What waits in a column, where registers do not hold it: populations that stay there, by 1 + along, and SlabSums for
    // the layer above.
    static constexpr int columnNodes = Tuning::columnInRegisters ? 0 : Layer::nodes;
    static constexpr bool stayingInWindow = walls;
    R staying[3][walls ? 1 : columnNodes + 1], above[sumsOfPlane<Layer>][columnNodes + 1];
    R edge[2][edgeMoments][2 * Layer::Y]; // new moments of the nodes on faces
    // Slots of the run's tiles and of those around, layer by layer, -1: none; across x those of faces, where these are kept.
    std::int32_t slot[(longestRun<Layer> + 2) * Layer::columns];
    std::int32_t target[longestRun<Layer>], faceTarget[longestRun<Layer>]; // where new moments go, and new faces
    std::int32_t detail[longestRun<Layer>],
        table[longestRun<Layer>];         // of the run's own: rows of words and of special nodes
    std::int32_t tile[longestRun<Layer>]; // their numbers
    std::int32_t run;
    RoundedTile roundedFirst;  // of the run's first tile, for rounding
    std::uint32_t roundedStep; // the step's number
    BulkBarrier arrived;       // of `fetched`

    template<class L, class Tiles>
    __device__ void know(const TilesView& view, const SpecialView<L, R>& special, const std::int32_t* own, int length,
                         const Tiles& from, const Tiles& to, const StepNumber& number)
    {
        for (int i = threadIdx.x; i < (length + 2) * Layer::columns; i += Layer::threads) {
            const int k = i / Layer::columns - 1, column = i % Layer::columns;
            const int step = k < 0 ? -1 : k == length ? 1 : 0;
            const int around = 13 - Layer::columns / 2 + column + step * Layer::slideStride;
            const std::int32_t tile = view.neighbours[std::size_t(own[min(max(k, 0), length - 1)]) * 27 + around];
            slot[i] = tile == view.tiles         ? -1
                : Faces::kept && around % 3 != 1 ? from.faceRing.slot(tile)
                                                 : from.ring.slot(tile);
        }
        for (int i = threadIdx.x; i < length; i += Layer::threads) {
            tile[i] = own[i];
            target[i] = to.ring.slot(own[i]);
            faceTarget[i] = to.faceRing.slot(own[i]);
            detail[i] = view.detailOf[own[i]];
            table[i] = special.tableOf[own[i]];
        }
        if constexpr (rounds)
            if (threadIdx.x == 0) {
                roundedFirst = to.places.tiles[own[0]];
                roundedStep = number();
            }
    }
};

} // namespace lbm
