// Velocities around the nodes of a layer while a block slides (see MomentStep), for collisions and closures that take their gradient.
// It is that of the moments before the step, which the block has in hand: whoever turns a node's moments into populations puts its
// velocity into shared memory, too, the rim's with those of the tile; a node that is finished has its neighbours across the
// layer in the layer below the one at hand, and those along the column in the one at hand and in that before. No byte of it
// goes through DRAM but what faces keep (a pass of its own before each step moved 120 bytes a node, the step 144).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/NodeValues.hpp"
#include "lbm/storage/moments/gpu/GradientNodes.hpp"
#include "lbm/storage/moments/gpu/MomentSlide.cuh"

namespace lbm {

// By who brings a node's moments into layer l. place: Layer::place.
template<class Slide, class M>
__device__ LBM_INLINE void putVelocity(const Slide& slide, int l, int place, const M& m)
{
    if constexpr (Slide::looks) {
        using Plane = typename Slide::Plane;
        typename Slide::R u[Plane::L::D];
        velocityOf<typename Slide::Eq>(m, u);
        auto* const at = slide.stage.velocities(l) + place;
        unroll<Plane::L::D>([&](auto a) __attribute__((always_inline)) { at[a * Plane::size] = u[a]; });
    }
}

// What a node is told from outside where the rest is found around it.
struct ToldBesides {
    struct Closure {
        static constexpr bool byNode = false;
    };
};

// Of the nodes of a column.
template<class Slide>
struct ColumnGradient {
    using Plane = typename Slide::Plane;
    using Stage = typename Slide::Stage;
    using L = typename Plane::L;
    using R = typename Slide::R;
    using Collision = typename Slide::Collision;
    static constexpr int D = L::D;
    static constexpr bool keepsLowest = !Stage::keepsThreeLayers;

    const Slide& slide;
    const int place;
    R lowest[keepsLowest ? D : 1]; // of the layer whose place the one at hand has taken

    __device__ LBM_INLINE ColumnGradient(const Slide& slide, int place) : slide(slide), place(place) {}

    template<class M>
    __device__ LBM_INLINE void put(int l, const M& m)
    {
        if constexpr (keepsLowest) {
            const R* const before = slide.stage.velocities(l) + place;
            unroll<D>([&](auto a) __attribute__((always_inline)) { lowest[a] = before[a * Plane::size]; });
        }
        putVelocity(slide, l, place, m);
    }

    // Of the node of layer l - 1, once layer l is there. word: its links; number: of the special node, or -1; tile, local: where
    // it lies.
    template<bool nodeForces>
    __device__ LBM_INLINE NodeValues<R> values(int l, std::uint32_t word, std::int32_t number, std::int32_t tile,
                                               int local, int tileNodes) const
    {
        R g[3][3], here[3];
        if (__any_sync(__activemask(), word != 0)) find<true>(l, word, g, here);
        else find<false>(l, word, g, here);
        if (number >= 0) slide.around.special.get(number, g);
        NodeValues<R> own = loadValues<ToldBesides, nodeForces, D>(slide.rates, tile, local, tileNodes);
        if constexpr (takesStrain<Collision>)
            strainOf<D>(
                g, [&](auto k, const R& s) __attribute__((always_inline)) { own.strain[k] = s; });
        if constexpr (takesNodeTau<Collision>) {
            const auto& closure = slide.rates.closure;
            if (isOfGradient(closure.kind)) own.tau = tauAround(g, here, closure);
            else own.tau = closure.fields.tau[std::size_t(tile) * tileNodes + local];
        }
        return own;
    }

private:
    // Where there is no node beyond, the node itself stands for it, and the difference spans one step instead of two.
    template<bool anyWalls>
    __device__ LBM_INLINE void find(int l, [[maybe_unused]] std::uint32_t word, R (&g)[3][3], R (&here)[3]) const
    {
        const R* const own = slide.stage.velocities(l - 1) + place;
        const R* const above = slide.stage.velocities(l) + place;
        [[maybe_unused]] const R* const below = slide.stage.velocities(l - 2) + place;
        for (int b = 0; b < 3; ++b) here[b] = b < D ? own[b * Plane::size] : R(0);
        unroll<3>([&](auto a) __attribute__((always_inline)) {
            for (int b = 0; b < 3; ++b) g[a][b] = 0;
            if constexpr (a < D) {
                constexpr bool alongColumn = a == D - 1, lowIsKept = alongColumn && keepsLowest;
                constexpr int step = a == 0 ? 1 : Plane::width;
                bool hasLow = true, hasHigh = true;
                if constexpr (anyWalls) {
                    hasLow = !(word >> straightFrom<L>(a, 0) & 1);
                    hasHigh = !(word >> straightFrom<L>(a, 1) & 1);
                }
                const R* const high = !hasHigh ? own : alongColumn ? above : own + step;
                [[maybe_unused]] const R* const low = !hasLow ? own : alongColumn ? below : own - step;
                const R share = shareOfSteps<R>(hasLow, hasHigh);
                unroll<D>([&](auto b) __attribute__((always_inline)) {
                    constexpr int at = b * Plane::size;
                    R before;
                    if constexpr (lowIsKept) before = hasLow ? lowest[b] : here[b];
                    else before = low[at];
                    g[a][b] = share * (high[at] - before);
                });
            }
        });
    }
};

// For steps that do not look.
template<class Slide>
struct NoGradient {
    template<class M>
    __device__ LBM_INLINE void put(int, const M&) const
    {}
};

template<class Slide>
__device__ LBM_INLINE auto gradientOf(const Slide& slide, int place)
{
    if constexpr (Slide::looks) return ColumnGradient<Slide>(slide, place);
    else return NoGradient<Slide>();
}

} // namespace lbm
