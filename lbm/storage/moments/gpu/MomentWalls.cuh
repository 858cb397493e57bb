// Interpolated walls while a block slides (see MomentStep and MomentWalls.hpp): one warp of the rim, which has nothing else to do
// while nodes of the layer below are finished, goes through the links of the layer at hand, whichever nodes they belong
// to. (Each thread for its own node would hold up nearly half of all warps, most of them for a few nodes.) All wait for that warp
// in the end: it must not wait for memory. Links come ahead into shared memory, those of the layer after next; and what a few of
// them read and write has no branches, so that it overlaps.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/MomentSlide.cuh"

#include <cuda_pipeline.h>

namespace lbm {

template<class Slide>
struct SlideWalls {
    using Plane = typename Slide::Plane;
    using R = typename Slide::R;
    using Stage = typename Slide::Stage;
    static constexpr std::uint32_t lanes = 32, atOnce = linksAtOnce, held = Stage::linksHeld;

    const Slide& slide;
    const std::uint32_t lane;

    __device__ LBM_INLINE SlideWalls(const Slide& slide, int lane) : slide(slide), lane(lane) { ask(0); }

    // Once the populations of layer l are there; after that those who wait for its walls go on.
    __device__ LBM_INLINE void pass(int l) const
    {
        if (slide.hasLinks(l))
            eachBatch(
                l, [&](auto inStage, std::uint32_t begin) __attribute__((always_inline)) {
                    bringBack<decltype(inStage)::value>(l, begin);
                });
        slide.syncWalls(l);
        if (slide.hasLinks(l + 1)) {
            __pipeline_wait_prior(0);
            eachBatch(
                l + 1, [&](auto inStage, std::uint32_t begin) __attribute__((always_inline)) {
                    keepForNext<decltype(inStage)::value>(l, begin);
                });
        }
        ask(l + 2);
    }

private:
    template<class Batch>
    __device__ LBM_INLINE void eachBatch(int l, Batch&& batch) const
    {
        const std::uint32_t count = slide.stage.countOf[l];
        for (std::uint32_t begin = lane; begin < min(count, held) + lane; begin += lanes * atOnce)
            batch(Constant<1>{}, begin);
        for (std::uint32_t begin = held + lane; begin < count + lane; begin += lanes * atOnce)
            batch(Constant<0>{}, begin);
    }

    // k: of the layer's links; where there is none, or none for the step, one that asks for nothing.
    template<bool inStage>
    __device__ LBM_INLINE WallLink linkAt(int l, std::uint32_t k) const
    {
        auto& stage = slide.stage;
        WallLink link = WallLink::none();
        if (k < stage.countOf[l])
            link = inStage ? stage.wallLinks[Stage::turnOf(l)][k] : slide.walls.links[stage.firstOf[l] + k];
        return link;
    }

    // Where what it sent to the wall lies.
    __device__ LBM_INLINE R* sent(int l, WallLink link) const
    {
        constexpr int turn = Slide::toOther;
        return slide.stage.moving[0][0] + ((l + 1) & 1) * turn + (link.slot() * Plane::size + link.place());
    }

    template<bool inStage>
    __device__ LBM_INLINE void bringBack(int l, std::uint32_t begin) const
    {
        auto& stage = slide.stage;
        const std::uint32_t first = stage.firstOf[l], count = stage.countOf[l];
        WallLink link[atOnce];
        R* out[atOnce];
        R value[atOnce];
        unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
            const std::uint32_t k = begin + n * lanes, own = k < count ? k : inStage ? lane : 0;
            link[n] = linkAt<inStage>(l, k);
            out[n] = sent(l, link[n]);
            const CurvedShares shares =
                inStage ? stage.shares[Stage::turnOf(l)][own] : slide.walls.curved.shares[first + own];
            R arriving = 0;
            if (link[n].asksLayer()) arriving = out[n][link[n].behind()];
            if (link[n].asksBelow())
                arriving = inStage ? stage.fromBelow[own] : slide.walls.curved.sentAway[first + own];
            value[n] = broughtBack(slide.walls.curved, first + (k < count ? k : 0), shares, *out[n], arriving,
                                   out[n][link[n].away() * Plane::size]);
        });
        unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
            if (link[n].inStep()) *out[n] = value[n];
            if (link[n].first()) stage.firstLink[l & 1][link[n].place()] = std::uint16_t(begin + n * lanes);
        });
    }

    // What goes up from layer l to nodes whose walls take a share of it.
    template<bool inStage>
    __device__ LBM_INLINE void keepForNext(int l, std::uint32_t begin) const
    {
        auto& stage = slide.stage;
        unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
            const std::uint32_t k = begin + n * lanes;
            const WallLink link = linkAt<inStage>(l + 1, k);
            if (!link.asksBelow()) return;
            const R value = sent(l, link)[link.behind()];
            if constexpr (inStage) stage.fromBelow[k] = value;
            else slide.walls.curved.sentAway[stage.firstOf[l + 1] + k] = value;
        });
    }

    // Each lane the links that it will work on.
    __device__ LBM_INLINE void ask(int l) const
    {
        if (!slide.hasLinks(l)) return;
        auto& stage = slide.stage;
        const std::uint32_t first = stage.firstOf[l], count = stage.countOf[l];
        for (std::uint32_t k = lane; k < min(count, held); k += lanes) {
            __pipeline_memcpy_async(&stage.wallLinks[Stage::turnOf(l)][k], slide.walls.links + (first + k),
                                    sizeof(WallLink));
            __pipeline_memcpy_async(&stage.shares[Stage::turnOf(l)][k], slide.walls.curved.shares + (first + k),
                                    sizeof(CurvedShares));
        }
        __pipeline_commit();
    }
};

// For a warp that others see to walls for.
template<class Slide>
struct NoSlideWalls {
    const Slide& slide;
    __device__ LBM_INLINE void pass(int l) const { slide.syncWalls(l); }
};

// For a warp that sees to walls, if anyone has to.
template<bool here = true, class Slide>
__device__ LBM_INLINE auto wallsOf(const Slide& slide, int lane)
{
    if constexpr (here && Slide::hasWalls) return SlideWalls<Slide>(slide, lane);
    else return NoSlideWalls<Slide>{slide};
}

} // namespace lbm
