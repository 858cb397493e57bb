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
    using L = typename Plane::L;
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
            eachBatch(l, [&](auto inStage, std::uint32_t begin)
                             __attribute__((always_inline)) { bringBack<decltype(inStage)::value>(l, begin); });
        if (slide.awaitsWalls(l)) Slide::syncWalls();
        if (slide.hasLinks(l + 1)) {
            __pipeline_wait_prior(0);
            eachBatch(l + 1, [&](auto inStage, std::uint32_t begin)
                                 __attribute__((always_inline)) { keepForNext<decltype(inStage)::value>(l, begin); });
        }
        ask(l + 2);
    }

private:
    template<class Batch>
    __device__ LBM_INLINE void eachBatch(int l, Batch&& batch) const
    {
        const std::uint32_t count = slide.stage.links[l].count;
        for (std::uint32_t begin = lane; begin < min(count, held) + lane; begin += lanes * atOnce)
            batch(Constant<1>{}, begin);
        for (std::uint32_t begin = held + lane; begin < count + lane; begin += lanes * atOnce) batch(Constant<0>{}, begin);
    }

    // Where there is none the lane looks at a place of its own, which no other writes. Links that the step has nothing to do with turn
    // to ones of direction 0.
    template<bool inStage>
    __device__ LBM_INLINE WallLink linkAt(int l, std::uint32_t k, bool& active) const
    {
        const auto links = slide.stage.links[l];
        active = k < links.count;
        k = active ? k : lane;
        const WallLink link = inStage ? slide.stage.wallLinks[Stage::turnOf(l)][k] : slide.walls.links[links.first + k];
        active = active && link.inStep();
        return active ? link : WallLink{0};
    }

    // Where population q lies that the link's node sent, or the one behind it.
    template<bool behind>
    __device__ LBM_INLINE R* sent(int l, int q, WallLink link) const
    {
        constexpr std::uint32_t inColumn = [] {
            std::uint32_t bits = 0;
            for (int i = 0; i < L::Q; ++i) bits |= std::uint32_t(!Plane::moves(i)) << i;
            return bits;
        }();
        auto& stage = slide.stage;
        const int turn = Slide::Tuning::buffers == 2 ? (l + 1) & 1 : 0;
        R* const staying = &stage.staying[turn][1 + component<L>(q, L::D - 1)][link.node()];
        const int slot = q - __popc(inColumn & ((1u << q) - 1));
        int place = link.place();
        if constexpr (behind) place -= component<L>(q, 0) + (L::D == 3 ? Plane::width * component<L>(q, 1) : 0);
        R* const moving = stage.moving[turn][0] + (slot * Plane::size + place);
        return inColumn >> q & 1 ? staying : moving;
    }

    template<bool inStage>
    __device__ LBM_INLINE void bringBack(int l, std::uint32_t begin) const
    {
        auto& stage = slide.stage;
        const std::uint32_t first = stage.links[l].first, count = stage.links[l].count;
        R* out[atOnce];
        R value[atOnce];
        bool active[atOnce], isFirst[atOnce];
        int node[atOnce];
        unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
            const std::uint32_t k = begin + n * lanes, own = k < count ? k : lane;
            const WallLink link = linkAt<inStage>(l, k, active[n]);
            const int q = link.direction();
            out[n] = sent<false>(l, opposite(q), link);
            isFirst[n] = active[n] && link.first();
            node[n] = link.node();
            const bool inLayer = component<L>(q, L::D - 1) == 0;
            const CurvedShares shares =
                inStage ? stage.shares[Stage::turnOf(l)][own] : slide.walls.curved.shares[first + own];
            const R* arriving = sent<true>(l, opposite(q), link);
            if (link.asksBelow()) arriving = inStage ? stage.fromBelow + own : slide.walls.curved.sentAway + (first + own);
            value[n] = broughtBack(slide.walls.curved, first + own, shares, *out[n],
                                   inLayer || link.asksBelow() ? *arriving : R(0), *sent<false>(l, q, link));
        });
        unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
            if (active[n]) *out[n] = value[n];
            if (isFirst[n]) stage.firstLink[l & 1][node[n]] = std::uint16_t(begin + n * lanes);
        });
    }

    // What goes up from layer l to nodes whose walls take a share of it.
    template<bool inStage>
    __device__ LBM_INLINE void keepForNext(int l, std::uint32_t begin) const
    {
        auto& stage = slide.stage;
        unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
            const std::uint32_t k = begin + n * lanes;
            bool active;
            const WallLink link = linkAt<inStage>(l + 1, k, active);
            const R value = *sent<true>(l, opposite(link.direction()), link);
            if (!link.asksBelow()) return;
            if constexpr (inStage) stage.fromBelow[k] = value;
            else slide.walls.curved.sentAway[stage.links[l + 1].first + k] = value;
        });
    }

    // Each lane the links that it will work on.
    __device__ LBM_INLINE void ask(int l) const
    {
        if (!slide.hasLinks(l)) return;
        auto& stage = slide.stage;
        const auto links = stage.links[l];
        for (std::uint32_t k = lane; k < min(links.count, held); k += lanes) {
            __pipeline_memcpy_async(&stage.wallLinks[Stage::turnOf(l)][k], slide.walls.links + (links.first + k),
                                    sizeof(WallLink));
            __pipeline_memcpy_async(&stage.shares[Stage::turnOf(l)][k], slide.walls.curved.shares + (links.first + k),
                                    sizeof(CurvedShares));
        }
        __pipeline_commit();
    }
};

struct NoSlideWalls {
    __device__ LBM_INLINE void pass(int) const {}
};

// For a warp that sees to walls, if anyone has to.
template<bool here = true, class Slide>
__device__ LBM_INLINE auto wallsOf(const Slide& slide, int lane)
{
    if constexpr (here && Slide::hasWalls) return SlideWalls<Slide>(slide, lane);
    else return NoSlideWalls();
}

} // namespace lbm
