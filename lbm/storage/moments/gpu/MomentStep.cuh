// The step of the moment representation on a GPU. A block of threads slides along a run of tiles, layer by layer: each
// thread reads the moments of its node, turns them into populations and puts those that move within the layer into
// shared memory; populations that arrive are summed to moments at once, and two layers of unfinished sums stay with the
// thread. Warps beside the tile bring the populations of its rim. DRAM sees every moment once each way. The last
// thread asks for the next layer as soon as all have read the one at hand.
// (Section 5 of Gounley et al. 2022 streams in two dimensions and keeps populations in shared memory.)
//
// Velocities around nodes, for collisions and closures that take their gradient: MomentVelocities.cuh.
// Walls: the word of a node (TilesView::links) says over which links its own populations come back. What else happens
// at walls is done to the populations in shared memory (MomentWalls), or is a correction of the node's sums, made before the
// step (SpecialLinks).
// Steps of parts on several devices hand over their rims themselves: RimPassing.cuh.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Launch.cuh"
#include "lbm/storage/moments/gpu/MomentColumn.cuh"
#include "lbm/storage/moments/gpu/MomentRim.cuh"
#include "lbm/storage/moments/gpu/MomentTurns.cuh"
#include "lbm/storage/moments/gpu/RimPassing.cuh"

namespace lbm {

// walls: some are interpolated in the step. looks: at the gradient of velocities.
template<bool inTurns, bool nodeForces, bool walls, bool looks, class L, class Collision, class Eq, class R, class S,
         class TileT, class Tuning>
__global__ void __launch_bounds__(Layer<L, TileT>::threads, Tuning::blocks)
    momentStep(TilesView view, RunsView runs, SpecialView<L, R> special, MomentTiles<L, R, S, TileT> from,
               MomentTiles<L, R, S, TileT> to, typename RatesOf<Collision, R>::Type rates, StepNumber number,
               TurnsView turns, WallsGiven<walls, R> given, AroundGiven<looks, L, R> around,
               RimPassing<MomentTiles<L, R, S, TileT>> rim)
{
    letNextBegin();
    if constexpr (inTurns) awaitPrevious();
    using Slide = MomentSlide<walls, looks, Collision, Eq, L, R, S, TileT, Tuning>;
    using Plane = typename Slide::Plane;
    extern __shared__ __align__(128) char memory[];
    auto& stage = *reinterpret_cast<typename Slide::Stage*>(memory);

    const int t = threadIdx.x;
    int run = blockIdx.x;
    if constexpr (inTurns) {
        if (t == 0) stage.run = turns.take(runs.count);
        __syncthreads();
        run = stage.run;
    }
    const std::int32_t* own = runs.tiles + runs.first[run];
    // The same for all threads of a warp, which the compiler knows now.
    const int length = __shfl_sync(0xffffffffu, runs.last[run] - runs.first[run], 0);
    const int warp = __shfl_sync(0xffffffffu, t / 32, 0);
    if constexpr (inTurns)
        if (t == 0) turns.await(run, runs.count);
    if (Slide::ahead && t == 0) stage.arrived.begin();
    stage.know(view, special, own, length, from, to, number);
    stage.knowWalls(given, own, length);
    if constexpr (!inTurns) {
        awaitPrevious();
        if (rim.isRim(run) && t < 32) awaitGhosts(rim);
    }
    __syncthreads();

    const Slide slide{stage, view, special, from, to, rates, length * Plane::depth, given, around};
    if (warp < Plane::nodes / 32) {
        slideColumn<nodeForces>(slide, t);
        if constexpr (inTurns)
            if (t == 0) turns.finish(run);
    } else if (warp < Plane::firstAcrossX / 32) {
        if constexpr (Plane::rimY != 0) rimAcrossY(slide, t - Plane::nodes);
    } else {
        auto fetch = [&](int l) __attribute__((always_inline))
        {
            if constexpr (Slide::ahead)
                if (t == Plane::threads - 1) fetchLayer(slide, l);
        };
        if constexpr (Slide::ahead && !inTurns)
            if (rim.isRim(run)) letBulkCopiesFollow();
        fetch(-1);
        RimAcrossX<Slide> across{slide, t - Plane::firstAcrossX};
        if constexpr (Slide::Faces::kept) across.fromFaces(fetch);
        else across.fromMoments(fetch);
    }
    if constexpr (!inTurns)
        if (rim.isRim(blockIdx.x)) { // not `run`: a register less meanwhile
            __syncthreads();
            passRim<Collision, Eq>(rim, blockIdx.x, to);
        }
}

} // namespace lbm
