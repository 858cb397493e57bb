// A pass over a periodic box without walls: two steps, or one, in one kernel, so that DRAM sees moments once each way for both.
// A block of threads has a column of 32 nodes by `rowsOf` rows and slides along z. A warp has a row: it turns the moments of a
// layer into populations, those that move within the layer go to shared memory where they arrive (each node reads its own
// place), and what has arrived is summed and collides. Of two steps the first one is made on a rim of one node as well, from
// moments on a rim of two: a third or a quarter of its nodes twice. Its moments after collision become populations again at
// once, one layer behind, and those of the second step are stored one layer behind that; they never leave the multiprocessor.
// Rows of the rim make nothing of their own to be stored, and see to the rim across x.
// Measured: lbm/bench/results/two-steps.md.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Bulk.cuh"
#include "lbm/storage/moments/gpu/BoxArithmetic.cuh"

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

namespace lbm {

// What kernels must know of the box: blocks of 32 nodes along x, rows, layers, and layers that a block of threads slides through.
struct BoxView {
    int blocks, rows, layers, piece;
};

// steps: of the pass. Of double precision one block of threads has room on a multiprocessor, of single precision two.
template<class RT, class TileTT, int stepCount>
struct BoxShape {
    using R = RT;
    using TileT = TileTT;
    static constexpr int steps = stepCount, width = 32, rowsOf = 12, count = BoxMoments<R>::count;
    static constexpr int rim = steps, rows = rowsOf + 2 * rim, threads = 32 * rows;
    static constexpr int blocks = sizeof(R) == 8 ? 1 : 2; // on a multiprocessor
    // Where populations of the first of two steps arrive, and of the last one. Odd, so that a column lies in all banks.
    static constexpr int firstPitch = width + 3, first = firstPitch * (rowsOf + 2);
    static constexpr int lastPitch = width + 1, last = lastPitch * rowsOf;
    static constexpr int rimGroups = (rows * 2 * rim + 31) / 32, rimCopies = count * rows * 2;
    static constexpr bool aboveInShared = sizeof(R) == 4 && steps == 2; // for want of registers
    static_assert(TileT::TX == width && rows % 2 == 0 && rows <= 32 && rimCopies <= threads);
};

template<class Shape>
struct BoxStage {
    using R = typename Shape::R;
    alignas(128) R moments[Shape::rows][Shape::count][32]; // of the layer to come
    R rim[Shape::rimGroups][Shape::count][32];             // across x: by row, side and distance
    R toFirst[Shape::steps == 2 ? BoxLinks::count : 1][Shape::steps == 2 ? Shape::first : 1];
    R toLast[BoxLinks::count][Shape::last];
    R above[Shape::aboveInShared ? 5 : 1][Shape::aboveInShared ? Shape::first : 1];
    BulkBarrier arrived;
};

// Where moments lie (see MomentTiles): a layer, and a block of 32 nodes in it.
template<class Shape>
struct BoxPlaces {
    using TileT = typename Shape::TileT;
    static constexpr int row = Shape::count * Shape::width; // values

    __device__ static std::size_t layer(const BoxView& box, int z)
    {
        return std::size_t(z / TileT::TZ) * (box.rows / TileT::TY) * box.blocks * (Shape::count * TileT::N)
            + z % TileT::TZ * (TileT::TY * row);
    }
    __device__ static std::uint32_t block(const BoxView& box, int x, int y)
    {
        return std::uint32_t(y / TileT::TY * box.blocks + x) * (Shape::count * TileT::N) + y % TileT::TY * row;
    }
};

// One bit for each of the nine nodes around: those within `margin` of the column.
template<class Shape>
__device__ LBM_INLINE std::uint32_t targetsWithin(int margin, int x, int y)
{
    std::uint32_t bits = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (x + dx >= -margin && x + dx < Shape::width + margin && y + dy >= -margin
                && y + dy < Shape::rowsOf + margin)
                bits |= 1u << (3 * dy + dx + 4);
    return bits;
}

// Moments to come into shared memory: rows by bulk copies, the rim across x by copies of a node or two.
template<class Shape>
struct BoxFetch {
    using R = typename Shape::R;
    using Places = BoxPlaces<Shape>;
    BoxStage<Shape>& stage;
    const R* from;
    const BoxView& box;
    int x, y;
    bool copies;
    R* rimTo;
    std::uint32_t rimFrom;

    __device__ LBM_INLINE BoxFetch(BoxStage<Shape>& stage, const R* from, const BoxView& box) :
        stage(stage),
        from(from),
        box(box),
        x(blockIdx.x),
        y(blockIdx.y * Shape::rowsOf),
        copies(threadIdx.x < Shape::rimCopies)
    {
        const int i = copies ? threadIdx.x : 0, row = i % Shape::rows, side = i / Shape::rows % 2,
                  k = i / Shape::rows / 2, place = (2 * row + side) * Shape::rim;
        rimTo = &stage.rim[place / 32][k][place % 32];
        const int beside = side ? (x + 1) % box.blocks : (x + box.blocks - 1) % box.blocks;
        rimFrom = Places::block(box, beside, rowOf(row)) + k * Shape::width + (side ? 0 : Shape::width - Shape::rim);
    }

    // Of the box, of a row of the column with its rim. (The last column may reach beyond the box.)
    __device__ LBM_INLINE int rowOf(int row) const { return wrapped(y + row - Shape::rim, box.rows); }

    // Of something around which there is a rim; no less than that.
    __device__ LBM_INLINE static int wrapped(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

    // z: of the box, or beyond it by a rim. Each warp asks for a row.
    __device__ LBM_INLINE void ask(int z)
    {
        const R* layer = from + Places::layer(box, wrapped(z, box.layers));
        const int row = threadIdx.x / 32, lane = threadIdx.x % 32;
        const R* source = layer + Places::block(box, x, rowOf(row));
        if constexpr (bulkCopies) {
            constexpr std::uint32_t bytes = Places::row * sizeof(R);
            if (threadIdx.x == 0) stage.arrived.expect(bytes * Shape::rows);
            if (lane == 0) stage.arrived.copy(stage.moments[row], source, bytes);
        } else {
            constexpr int each = 16 / sizeof(R);
            for (int i = lane * each; i < Places::row; i += 32 * each)
                __pipeline_memcpy_async(stage.moments[row][0] + i, source + i, 16);
        }
        if (copies) __pipeline_memcpy_async(rimTo, layer + rimFrom, Shape::rim * sizeof(R));
        __pipeline_commit();
    }
};

template<class R>
__device__ LBM_INLINE BoxMoments<R> fetched(const R* from)
{
    BoxMoments<R> m;
    unroll<m.count>([&](auto k) __attribute__((always_inline)) { m.value[k].value = from[k * 32]; });
    return m;
}

// To where they arrive, of those links whose bit is set.
template<int pitch, int size, class R>
__device__ LBM_INLINE BoxColumn<R> sendTo(R* place, std::uint32_t targets, const BoxMoments<R>& m)
{
    return sendFrom(
        m, [&](auto link, Rounded<R> value) __attribute__((always_inline)) {
            constexpr int x = BoxLinks::x[link], y = BoxLinks::y[link];
            if (targets >> (3 * y + x + 4) & 1) place[link * size + y * pitch + x] = value.value;
        });
}

template<int size, class R>
__device__ LBM_INLINE auto arrivedAt(const R* place)
{
    return [place](auto link) __attribute__((always_inline)) { return Rounded<R>{place[link * size]}; };
}

template<class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    boxPass(const typename Shape::R* from, typename Shape::R* to, BoxView box, typename Shape::R rate)
{
    using R = typename Shape::R;
    using Places = BoxPlaces<Shape>;
    constexpr int rim = Shape::rim;
    constexpr bool two = Shape::steps == 2;
    extern __shared__ __align__(128) char memory[];
    auto& stage = *reinterpret_cast<BoxStage<Shape>*>(memory);

    const int lane = threadIdx.x % 32, row = __shfl_sync(0xffffffffu, threadIdx.x / 32, 0), y = row - rim;
    // Outermost rows see to the nodes next to the column across x, those beside them to the ones beyond.
    const bool outermost = row == 0 || row == Shape::rows - 1,
               helps = outermost || (two && (row == 1 || row == Shape::rows - 2));
    const bool side = lane & 1, has = helps && lane < Shape::rows;
    const int rimY = (row >= Shape::rows / 2 ? Shape::rows / 2 : 0) + lane / 2 - rim, distance = outermost ? 1 : 2,
              rimX = side ? Shape::width - 1 + distance : -distance;
    const int rimPlace = has ? (2 * (rimY + rim) + side) * rim + (side ? distance - 1 : rim - distance) : 0;
    const R* const own = &stage.moments[row][0][lane];
    const R* const ownRim = &stage.rim[rimPlace / 32][0][rimPlace % 32];

    // The node of the first of two steps, which for the outermost rows is one of the rim across x.
    const int x1 = outermost ? rimX : lane, y1 = outermost ? rimY : y;
    const bool first = two && (!outermost || has) && y1 >= -1 && y1 <= Shape::rowsOf;
    const bool last = y >= 0 && y < Shape::rowsOf && blockIdx.y * Shape::rowsOf + y < box.rows;
    constexpr int pitch = two ? Shape::firstPitch : Shape::lastPitch, size = two ? Shape::first : Shape::last;
    R* const begin = two ? stage.toFirst[0] + pitch + 1 : stage.toLast[0];
    const std::uint32_t targets = targetsWithin<Shape>(rim - 1, lane, y)
        | (has ? targetsWithin<Shape>(rim - 1, rimX, rimY) : 0) << 9
        | (first ? targetsWithin<Shape>(0, x1, y1) : 0) << 18;
    R* const sentTo = begin + y * pitch + lane;
    R* const rimSentTo = begin + rimY * pitch + rimX;
    [[maybe_unused]] R* const atFirst = begin + y1 * pitch + x1;
    [[maybe_unused]] R* const sentOn = stage.toLast[0] + y1 * Shape::lastPitch + x1;
    R* const atLast = stage.toLast[0] + y * Shape::lastPitch + lane;
    [[maybe_unused]] R* const aboveFirst =
        stage.above[0] + (Shape::aboveInShared && first ? atFirst - stage.toFirst[0] : 0);

    const Rounded<R> omega{rate}, keep = Rounded<R>{R(1)} - omega;
    const int begins = blockIdx.z * box.piece, length = min(box.piece, box.layers - begins);
    const std::uint32_t target = last ? Places::block(box, blockIdx.x, blockIdx.y * Shape::rowsOf + y) + lane : 0;
    BoxFetch<Shape> fetch(stage, from, box);
    if (threadIdx.x == 0) stage.arrived.begin();
    __syncthreads();
    fetch.ask(begins - rim);
    __pipeline_wait_prior(0);
    __syncthreads();

    BoxSums<R> firstSums, lastSums;
    BoxAbove<R> firstAbove, lastAbove;
    const auto keptAbove = [&](auto&& visit) __attribute__((always_inline))
    {
        if constexpr (Shape::aboveInShared) {
            Rounded<R>* const values[5] = {&firstAbove.n, &firstAbove.x, &firstAbove.y, &firstAbove.xx, &firstAbove.yy};
            unroll<5>([&](auto k)
                          __attribute__((always_inline)) { visit(values[k]->value, aboveFirst[k * Shape::first]); });
        }
    };
    if (first) keptAbove([](R&, R & kept) __attribute__((always_inline)) { kept = 0; });
        // l: the layer at hand, from the piece's first one. Sums of what is not all there yet are thrown away.
#pragma unroll 1
    for (int l = -rim; l < length + rim; ++l) {
        if constexpr (bulkCopies) stage.arrived.wait((l + rim) & 1);
        BoxColumn<R> column = sendTo<pitch, size>(sentTo, targets, fetched(own));
        if (helps) {
            const BoxColumn<R> ofRim = sendTo<pitch, size>(rimSentTo, targets >> 9, fetched(ownRim));
            if (outermost) column = ofRim;
        }
        __syncthreads();
        if (l + 1 < length + rim) fetch.ask(begins + l + 1);
        if constexpr (two) {
            if (first) {
                keptAbove([](R & value, R & kept) __attribute__((always_inline)) { value = kept; });
                const BoxMoments<R> m =
                    gatherAt(firstSums, firstAbove, column, omega, keep, arrivedAt<Shape::first>(atFirst));
                keptAbove([](R & value, R & kept) __attribute__((always_inline)) { kept = value; });
                if (l >= 0) column = sendTo<Shape::lastPitch, Shape::last>(sentOn, targets >> 18, m);
            }
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        if (last && l >= rim - 2) {
            const BoxMoments<R> m = gatherAt(lastSums, lastAbove, column, omega, keep, arrivedAt<Shape::last>(atLast));
            if (l >= rim) {
                R* const stored = to + Places::layer(box, begins + l - rim) + target;
                unroll<m.count>([&](auto k) __attribute__((always_inline)) { stored[k * 32] = m.value[k].value; });
            }
        }
        if constexpr (!two) {
            __pipeline_wait_prior(0);
            __syncthreads();
        }
    }
}

} // namespace lbm
