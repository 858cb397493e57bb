// Interpolated walls while a block slides (see MomentStep and MomentWalls.hpp): one warp of the rim, which has nothing else to do
// while nodes of the layer below are finished, goes through the links of the layer at hand, whichever nodes they belong
// to. (Each thread for its own node would hold up nearly half of all warps, most of them for a few nodes.)
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/MomentSlide.cuh"

namespace lbm {

template<class Slide>
struct SlideWalls {
    using Plane = typename Slide::Plane;
    using L = typename Plane::L;
    using R = typename Slide::R;
    static constexpr int lanes = 32, atOnce = 4;

    const Slide& slide;
    const int lane;

    __device__ LBM_INLINE SlideWalls(const Slide& slide, int lane) : slide(slide), lane(lane)
    {
        fetch(0);
        fetch(1);
    }

    // Once the populations of layer l are there; after that those who wait for its walls go on.
    __device__ LBM_INLINE void pass(int l) const
    {
        if (slide.awaitsWalls(l)) {
            bringBack(l);
            Slide::syncWalls();
        }
        if (slide.awaitsWalls(l + 1)) keepForNext(l);
        fetch(l + 2);
    }

private:
    // Where population q lies that the node at `place` sent, or the one behind it.
    template<bool behind>
    __device__ LBM_INLINE R& sent(int l, int q, int place) const
    {
        constexpr std::uint32_t inColumn = [] {
            std::uint32_t bits = 0;
            for (int i = 0; i < L::Q; ++i) bits |= std::uint32_t(!Plane::moves(i)) << i;
            return bits;
        }();
        auto& stage = slide.stage;
        const int turn = Slide::Tuning::buffers == 2 ? l + 1 & 1 : 0;
        if (inColumn >> q & 1) return stage.staying[turn][1 + component<L>(q, L::D - 1)][place];
        const int slot = q - __popc(inColumn & ((1u << q) - 1));
        int at = Plane::place(place % Plane::X, place / Plane::X);
        if constexpr (behind) at -= component<L>(q, 0) + (L::D == 3 ? Plane::width * component<L>(q, 1) : 0);
        return stage.moving[turn][slot][at];
    }

    __device__ LBM_INLINE void bringBack(int l) const
    {
        const auto& walls = slide.walls;
        const auto links = slide.stage.links[l];
        for (std::uint32_t begin = lane; begin < links.count + lane; begin += lanes * atOnce) {
            R* out[atOnce];
            R value[atOnce];
            unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
                const std::uint32_t k = begin + n * lanes, i = links.first + k;
                out[n] = nullptr;
                if (k >= links.count) return;
                const WallLink link = walls.links[i];
                if (!link.inStep()) return;
                const int q = link.direction(), place = link.place();
                out[n] = &sent<false>(l, opposite(q), place);
                const R arriving = component<L>(q, L::D - 1) == 0 ? sent<true>(l, opposite(q), place)
                    : link.asksBelow()                            ? walls.curved.sentAway[i]
                                                                  : R(0);
                value[n] = broughtBack(walls.curved, i, *out[n], arriving, sent<false>(l, q, place));
                if (link.first()) slide.stage.firstLink[l & 1][place] = std::uint16_t(k);
            });
            unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
                if (out[n]) *out[n] = value[n];
            });
        }
    }

    // What goes up from layer l to nodes whose walls take a share of it.
    __device__ LBM_INLINE void keepForNext(int l) const
    {
        const auto links = slide.stage.links[l + 1];
        for (std::uint32_t begin = lane; begin < links.count + lane; begin += lanes * atOnce)
            unroll<atOnce>([&](auto n) __attribute__((always_inline)) {
                const std::uint32_t k = begin + n * lanes, i = links.first + k;
                if (k >= links.count) return;
                const WallLink link = slide.walls.links[i];
                if (link.inStep() && link.asksBelow())
                    slide.walls.curved.sentAway[i] = sent<true>(l, opposite(link.direction()), link.place());
            });
    }

    // Into the second cache, as far as the warp reaches.
    __device__ LBM_INLINE void fetch(int l) const
    {
        if (!slide.awaitsWalls(l)) return;
        constexpr int line = 128;
        const auto links = slide.stage.links[l];
        const auto ask = [&](const auto* first) __attribute__((always_inline))
        {
            const char* at = reinterpret_cast<const char*>(first + links.first) + lane * line;
            if (at < reinterpret_cast<const char*>(first + (links.first + links.count)))
                asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
        };
        ask(slide.walls.links);
        ask(slide.walls.curved.shares);
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
