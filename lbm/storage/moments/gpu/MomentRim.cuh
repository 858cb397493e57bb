// What threads beside a tile do while the block slides (see MomentStep): they put the populations that cross into it from
// the rim of the layer at hand into shared memory, ask for the next layer, and write faces.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/MomentVelocities.cuh"
#include "lbm/storage/moments/gpu/MomentWalls.cuh"

#include <cuda_pipeline.h>

namespace lbm {

// The layer's moments, and the nearest rows of the neighbours across y, by one thread.
template<class Slide>
__device__ LBM_INLINE void fetchLayer(const Slide& slide, int l)
{
    using Plane = typename Slide::Plane;
    if (l > slide.layers) return;
    auto& stage = slide.stage;
    constexpr std::uint32_t row = Slide::Code::count * Plane::X, bytes = row * sizeof(typename Slide::S);
    const std::int32_t* slots = stage.slot + Plane::tileOf(l) * Plane::columns + Plane::columns / 2;
    const int layer = Plane::layerOf(l) * Plane::nodes;
    const std::int32_t here = slots[0], behind = Plane::rimY ? slots[-3] : -1, beyond = Plane::rimY ? slots[3] : -1;
    stage.arrived.expect(bytes * ((here >= 0) * Plane::Y + (behind >= 0) + (beyond >= 0)));
    if (here >= 0) stage.arrived.copy(stage.fetched + Plane::rimY * row, slide.from.at(here, layer), Plane::Y * bytes);
    if constexpr (Plane::rimY) {
        if (behind >= 0)
            stage.arrived.copy(stage.fetched, slide.from.at(behind, layer + (Plane::Y - 1) * Plane::X), bytes);
        if (beyond >= 0) stage.arrived.copy(stage.fetched + (Plane::Y + 1) * row, slide.from.at(beyond, layer), bytes);
    }
}

// i: which of the threads for the rim across y. Each has one node on either side.
template<class Slide>
__device__ LBM_INLINE void rimAcrossY(const Slide& slide, int i)
{
    using Plane = typename Slide::Plane;
    using R = typename Slide::R;
    const bool nobody = i >= Plane::X;
    MomentReader<Slide> behind(slide, i, -1, nobody), beyond(slide, i, Plane::Y, nobody);
    const int from = nobody ? Plane::size - 1 : Plane::place(i, -1);
    R* place = slide.stage.moving[0][0] + from;
    const int across = nobody ? 0 : Plane::width * (Plane::Y + 1);
    int toOther = Slide::toOther;
    const auto walls = wallsOf(slide, i);
#pragma unroll 1
    for (int l = -1; l <= slide.layers; ++l) {
        if constexpr (Slide::ahead) slide.stage.arrived.wait((l + 1) & 1);
        const auto first = behind.read(l), second = beyond.read(l);
        if constexpr (Slide::Tuning::buffers == 1) Slide::sync();
        auto send = [&](auto up, const auto& m, R* at) __attribute__((always_inline))
        {
            constexpr int cy = decltype(up)::value;
            Slide::Collision::template populations<typename Slide::Eq>(
                m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                    if constexpr (Plane::cy(q) == cy) at[Plane::slot(q) * Plane::size] = even + odd;
                    if constexpr (Plane::cy(q) == -cy) at[Plane::slot(q + 1) * Plane::size] = even - odd;
                });
        };
        send(Constant<1>{}, first, place);
        send(Constant<-1>{}, second, place + across);
        putVelocity(slide, l, from, first);
        putVelocity(slide, l, from + across, second);
        Slide::sync();
        walls.pass(l);
        place += toOther;
        toOther = -toOther;
    }
    Slide::sync();
}

// i: which of the threads for the rim across x. Both sides share a warp: which of two opposite populations it is, is a sign.
template<class Slide>
struct RimAcrossX {
    using Plane = typename Slide::Plane;
    using R = typename Slide::R;
    using Faces = typename Slide::Faces;
    static constexpr int rows = Plane::sides / 2;

    const Slide& slide;
    const int i;
    const bool nobody = i >= Plane::sides, behind = i < rows;
    const int y = i % rows - Plane::rimY;
    const int at = nobody ? Plane::size - 1 : Plane::place(behind ? -1 : Plane::X, y);
    R* place = slide.stage.moving[0][0] + at;

    template<class Fetch>
    __device__ LBM_INLINE void fromMoments(Fetch&& fetch)
    {
        static_assert(!Slide::ahead); // the rim across x is not among what comes ahead
        MomentReader<Slide> reader(slide, behind ? -1 : Plane::X, y, nobody);
        const R sign = behind ? R(1) : R(-1);
        R* up = place + (behind ? 0 : Plane::size);
        R* down = place + (behind ? Plane::size : 0);
        int toOther = Slide::toOther;
        const auto walls = wallsOf<Plane::rimY == 0>(slide, i);
#pragma unroll 1
        for (int l = -1; l <= slide.layers; ++l) {
            const auto m = reader.read(l);
            if constexpr (Slide::Tuning::buffers == 1) Slide::sync();
            Slide::Collision::template populations<typename Slide::Eq>(
                m, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                    if constexpr (Plane::cx(q) > 0) up[Plane::slot(q) * Plane::size] = even + sign * odd;
                    if constexpr (Plane::cx(q) < 0) down[Plane::slot(q) * Plane::size] = even - sign * odd;
                });
            putVelocity(slide, l, at, m);
            Slide::sync();
            fetch(l + 1);
            walls.pass(l);
            up += toOther;
            down += toOther;
            toOther = -toOther;
        }
        Slide::sync();
    }

    template<class Fetch>
    __device__ LBM_INLINE void fromFaces(Fetch&& fetch)
    {
        auto& stage = slide.stage;
        const int column = (behind ? 0 : 2) + 3 * (y < 0 ? 0 : y >= Plane::Y ? 2 : 1);
        const int row = y < 0 ? Plane::Y - 1 : y >= Plane::Y ? 0 : y;
        const R* face = nullptr;
        R* fetched = stage.sentAhead[0] + i;
        bool present = false;
        auto ask = [&](int l) __attribute__((always_inline))
        {
            face += 2 * Faces::count * Faces::rows;
            if (l < 0 || Plane::layerOf(l) == 0) {
                const std::int32_t slot = nobody ? -1 : stage.slot[Plane::tileOf(l) * Plane::columns + column];
                present = slot >= 0;
                face = slide.from.faces + Faces::at(slot, Plane::layerOf(l), behind, row);
            }
            if (l > slide.layers) present = false;
            if (present)
                unroll<Slide::fromFaces>([&](auto k) __attribute__((always_inline)) {
                    __pipeline_memcpy_async(fetched + k * Plane::sides, face + k * Faces::rows, sizeof(R));
                });
            __pipeline_commit();
        };
        ask(-1);
        int toOther = Slide::toOther;
#pragma unroll 1
        for (int l = -1; l <= slide.layers; ++l) {
            R sent[Slide::fromFaces];
            __pipeline_wait_prior(0);
            unroll<Slide::fromFaces>([&](auto k) __attribute__((always_inline)) {
                sent[k] = present ? fetched[k * Plane::sides] : R(0);
            });
            ask(l + 1);
            if constexpr (Slide::Tuning::buffers == 1) Slide::sync();
            Faces::eachPair([&](auto k, auto up, auto down) __attribute__((always_inline)) {
                place[(behind ? Plane::slot(up) : Plane::slot(down)) * Plane::size] = sent[k];
            });
            if constexpr (Slide::looks)
                unroll<Slide::L::D>([&](auto a) __attribute__((always_inline)) {
                    stage.velocities(l)[a * Plane::size + at] = sent[Faces::populations + a];
                });
            Slide::sync();
            fetch(l + 1);
            if (l > 1) write(l - 2);
            slide.syncWalls(l);
            place += toOther;
            toOther = -toOther;
        }
        Slide::sync();
        write(slide.layers - 1);
    }

private:
    // The face of a layer that is done.
    __device__ LBM_INLINE void write(int l) const
    {
        if (nobody || y < 0 || y >= Plane::Y) return;
        const int side = !behind;
        typename Slide::Code::M m;
        unroll<m.count>([&](auto k) __attribute__((always_inline)) {
            m.value[k] = slide.stage.edge[l & 1][k][side * Plane::Y + y];
        });
        m.take(slide.to.factors);
        R* target =
            slide.to.faces + Faces::at(slide.stage.faceTarget[Plane::tileOf(l) - 1], Plane::layerOf(l), side, y);
        eachFaceValue<typename Slide::Collision, typename Slide::Eq, Faces, Slide::fromFaces>(
            m, side, [&](auto k, R value) __attribute__((always_inline)) { target[k * Faces::rows] = value; });
    }
};

} // namespace lbm
