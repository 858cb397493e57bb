// What the threads of a block share while it slides along a run, and how they read moments, layer by layer.
// Layers of the run count from -1 to its length; the first and the last belong to the tiles before and after it.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Block.cuh"
#include "lbm/storage/moments/gpu/GradientNodes.hpp"
#include "lbm/storage/moments/gpu/SpecialLinks.hpp"
#include "lbm/storage/moments/gpu/MomentStage.cuh"

namespace lbm {

// What a step is given that looks at the velocities around nodes.
template<class L, class R>
struct AroundView {
    SpecialGradients<L, R> special;
};
struct NoAround {};
template<bool looks, class L, class R>
using AroundGiven = std::conditional_t<looks, AroundView<L, R>, NoAround>;

template<bool withWalls, bool looksAround, class CollisionT, class EqT, class LT, class RT, class ST, class TileT,
         class TuningT>
struct MomentSlide {
    static constexpr bool hasWalls = withWalls; // that are interpolated in the step
    static constexpr bool looks = looksAround;  // at the gradient of velocities
    using Collision = CollisionT;
    using Eq = EqT;
    using L = LT;
    using R = RT;
    using S = ST;
    using Tuning = TuningT;
    using Plane = Layer<L, TileT>;
    using Tiles = MomentTiles<L, R, S, TileT>;
    using Faces = MomentFaces<L, S, TileT, mayLookAround<Collision>>;
    using Stage = MomentStage<hasWalls, looks, Plane, R, S, Faces, Tuning>;
    static constexpr int fromFaces =
        looks ? Faces::count : Faces::populations; // values of a node that steps read and write
    using Code = MomentCode<L, R, S>;
    static constexpr bool ahead = Tuning::ahead == Ahead::shared && bulkCopies;
    static constexpr int layerValues = Code::count * Plane::nodes;

    Stage& stage;
    const TilesView& view;
    const SpecialView<L, R>& special;
    const Tiles &from, &to;
    const typename RatesOf<Collision, R>::Type& rates;
    int layers;
    const WallsGiven<hasWalls, R>& walls;
    const AroundGiven<looks, L, R>& around;

    __device__ LBM_INLINE bool hasLinks(int l) const { return l >= 0 && l < layers && stage.countOf[l] > 0; }
    // What the layer below needs of its links lies where the next but one will come.
    __device__ LBM_INLINE bool awaitsWalls(int l) const { return l < layers && (hasLinks(l) || hasLinks(l - 1)); }

    __device__ static LBM_INLINE void sync() { syncBlock(); }

    // All threads, those beside x too, whom no wall concerns: racecheck does not see who waits for whom at a barrier of some.
    __device__ LBM_INLINE void syncWalls(int l) const
    {
        if constexpr (hasWalls)
            if (awaitsWalls(l)) sync();
    }

    // Where the block's next populations go.
    static constexpr int toOther =
        Tuning::buffers == 2 ? (hasWalls ? Plane::windowSlots : Plane::slots) * Plane::size : 0;
};

// Moments of the nodes of a column.
template<class Slide>
struct MomentReader {
    using Plane = typename Slide::Plane;
    using Code = typename Slide::Code;
    using M = typename Code::M;
    static constexpr Ahead ahead = Slide::Tuning::ahead;
    static constexpr int stride = Slide::Tiles::stride;

    const Slide& slide;
    int column;        // of tiles along the sliding axis, 4 (in two dimensions 1): the run's own
    int local, x, row; // place in a layer of the tile that has it, in a row, and row in Stage::fetched
    int last;          // layer
    const typename Slide::S* source = nullptr;
    bool present = false;
    typename Code::Raw raw{};

    // atX, atY: in the layer of the run's own tile; nobody: reads nothing
    __device__ LBM_INLINE MomentReader(const Slide& slide, int atX, int atY, bool nobody = false) :
        slide(slide), last(nobody ? -2 : slide.layers)
    {
        const int dx = atX < 0 ? -1 : atX >= Plane::X, dy = atY < 0 ? -1 : atY >= Plane::Y;
        column = 1 + dx + (Plane::L::D == 3 ? 3 * (1 + dy) : 0);
        x = atX - dx * Plane::X;
        local = x + Plane::X * (atY - dy * Plane::Y);
        row = atY + Plane::rimY;
        goTo(-1);
        if constexpr (ahead == Ahead::registers) {
            if (present) raw = Code::template read<stride>(source, x);
        }
    }

    __device__ LBM_INLINE void goTo(int l)
    {
        source += Slide::layerValues;
        if (l > last) present = false;
        if (l > last || (l >= 0 && Plane::layerOf(l) != 0)) return;
        const std::int32_t slot = slide.stage.slot[Plane::tileOf(l) * Plane::columns + column];
        present = slot >= 0;
        if (ahead == Ahead::registers && !present) raw = {};
        source = slide.from.at(slot, Plane::layerOf(l) * Plane::nodes + local);
    }

    // Of layer l; one after another. What is ahead in shared memory has come.
    __device__ LBM_INLINE M read(int l)
    {
        if constexpr (ahead != Ahead::registers) {
            raw = {};
            if (present)
                raw = Slide::ahead ? Code::template read<stride>(
                          slide.stage.fetched + (Code::count * stride * row + Code::offsetOf(x)), x)
                                   : Code::template read<stride>(source, x);
        }
        M m = Code::template decode<typename Slide::Eq>(raw);
        m.take(slide.from.factors);
        goTo(l + 1);
        if constexpr (ahead == Ahead::registers) {
            if (present) raw = Code::template read<stride>(source, x);
        }
        if constexpr (ahead == Ahead::cache) {
            if (present)
                Code::template eachSector<stride>(
                    source, x, [](const auto* p) __attribute__((always_inline)) { fetchAhead(p); });
        }
        return m;
    }
};

} // namespace lbm
