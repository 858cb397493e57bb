// A pass over a periodic box without walls: two steps, or one, in one kernel, so that DRAM sees moments once each way for both.
// A block of threads has a column of 32 nodes by `rowsOf` rows and slides along z. A warp has a row: it turns the moments of a
// layer into populations, those that move within the layer go to shared memory where they arrive (each node reads its own
// place), and what has arrived is summed and collides. Of two steps the first one is made on a rim of one node as well, from
// moments on a rim of two: a quarter more nodes than are stored. Its moments after collision become populations again at
// once, one layer behind, and those of the second step are stored one layer behind that; they never leave the multiprocessor.
// Rows of the rim make nothing of their own to be stored, and see to the rim across x.
// Parts of a box that is cut across y read rows of ghosts (BoxRim.cuh). Measured: lbm/bench/results/two-steps.md.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/BoxRim.cuh"

namespace lbm {

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

// beside: a BoxRim, or none.
template<class Shape, class Rim>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    boxPass(const typename Shape::R* from, typename Shape::R* to, BoxView box, typename Shape::R rate, Rim beside)
{
    using R = typename Shape::R;
    using Places = BoxPlaces<Shape>;
    constexpr int rim = Shape::rim;
    constexpr bool two = Shape::steps == 2;
    extern __shared__ __align__(128) char memory[];
    auto& stage = *reinterpret_cast<BoxStage<Shape>*>(memory);

    const BoxBlock block = ownBlock<Shape>(box, beside);
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
    const bool last = y >= 0 && y < Shape::rowsOf && block.column * Shape::rowsOf + y < box.rows;
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
    const int begins = block.piece * box.piece, length = min(box.piece, box.layers - begins);
    const std::uint32_t target = last ? Places::block(box, block.x, block.column * Shape::rowsOf + y) + lane : 0;
    const R* ghosts = nullptr;
    if constexpr (Rim::cut) {
        ghosts = from + std::size_t(beside.ghosts) * Places::tile;
        if (int(blockIdx.x) < beside.blocks && threadIdx.x < 32) awaitGhosts(*beside.tables);
    }
    BoxFetch<Shape, Rim::cut> fetch(stage, from, ghosts, box, block.x, block.column);
    if (threadIdx.x == 0) stage.arrived.begin();
    __syncthreads();
    if constexpr (Rim::cut) letBulkCopiesFollow();
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
    if constexpr (Rim::cut)
        if (int(blockIdx.x) < beside.blocks) {
            __syncthreads();
            const BoxBlock own = ownBlock<Shape>(box, beside); // registers less meanwhile
            const unsigned steps = *static_cast<const volatile unsigned*>(&beside.tables->steps) + 1;
            const int layer = own.piece * box.piece;
            handOverRows<Shape>(box, beside, to, steps & 1, own.x, own.column * Shape::rowsOf, Shape::rowsOf, layer,
                                min(box.piece, box.layers - layer));
            tellTakers(*beside.tables, unsigned(beside.blocks), steps);
        }
}

} // namespace lbm
