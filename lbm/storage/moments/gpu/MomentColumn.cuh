// What the threads of a tile's own nodes do while the block slides (see MomentStep), each for a column of nodes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/MomentVelocities.cuh"

namespace lbm {

// What a thread keeps: sums of what has come up to the layer above, by SlabSums, and populations that stay in the column
// until all have sent, by 1 + along.
template<bool inRegisters, class Plane, class Stage, class R>
struct ColumnMemory {
    Stage& stage;
    int t;
    R ownAbove[inRegisters ? sumsOfPlane<Plane> : 1], ownStaying[inRegisters && !Stage::stayingInWindow ? 3 : 1];

    __device__ LBM_INLINE ColumnMemory(Stage& stage, int t) : stage(stage), t(t) {}
    __device__ LBM_INLINE R& above(int i)
    {
        if constexpr (inRegisters) return ownAbove[i];
        else return stage.above[i][t];
    }
    // place: the node's in the layer's first slot.
    __device__ LBM_INLINE R& staying(int i, [[maybe_unused]] R* place)
    {
        if constexpr (Stage::stayingInWindow) return place[(Plane::slots + i) * Plane::size];
        else if constexpr (inRegisters) return ownStaying[i];
        else return stage.staying[i][t];
    }
};

// Walls below nodes of the layer below take shares of what comes down to it.
template<class Slide, class Arriving, class M>
__device__ LBM_INLINE void addFromAbove(const Slide& slide, int l, int place, std::uint32_t wordBelow,
                                        Arriving&& arriving, M& sums)
{
    using Plane = typename Slide::Plane;
    using R = typename Slide::R;
    const bool concerned = wordBelow & curvedNode;
    if (!__any_sync(0xffffffffu, concerned)) return;
    auto& stage = slide.stage;
    const auto& shares = stage.shares[stage.turnOf(l - 1)];
    const int first = concerned ? stage.firstLink[(l - 1) & 1][place] : 0;
    addSlab<Plane, 1, false>(sums, sumSlab<Plane, 1, R>([&](auto q) __attribute__((always_inline)) {
                                 const bool asks = concerned && wordBelow >> q & 1;
                                 const int k = asks ? first + __popc(wordBelow & ((1u << q) - 2)) : 0;
                                 float share = asks ? shares[min(k, stage.linksHeld - 1)].arriving : 0.f;
                                 if (k >= stage.linksHeld)
                                     share = slide.walls.curved.shares[stage.firstOf[l - 1] + k].arriving;
                                 return share != 0 ? share * arriving(Constant<opposite(q)>{}) : R(0);
                             }));
}

// Where the t-th node of layer l, of the run's own, has what it was told (NodeFields).
template<class Slide>
struct ToldPlace {
    using Plane = typename Slide::Plane;
    static constexpr int tileNodes = Plane::nodes * Plane::depth;

    std::int32_t tile;
    int local;

    __device__ LBM_INLINE ToldPlace(const Slide& slide, int l, int t) :
        tile(slide.stage.tile[Plane::tileOf(l) - 1]), local(Plane::layerOf(l) * Plane::nodes + t)
    {}
};

// What nodes were told comes from memory that nobody else reads: it is asked for a layer before it is needed, once a sector.
template<bool nodeForces, class Slide>
__device__ LBM_INLINE void askForTold([[maybe_unused]] const Slide& slide, [[maybe_unused]] int l,
                                      [[maybe_unused]] int t)
{
    using Collision = typename Slide::Collision;
    using R = typename Slide::R;
    if constexpr (takesNodeValues<Collision>) {
        constexpr int D = Slide::L::D, ofSector = 32 / int(sizeof(R));
        if (l < 0 || l >= slide.layers || t % ofSector != 0) return;
        const ToldPlace<Slide> place(slide, l, t);
        [[maybe_unused]] const NodeFields<R>& fields = slide.rates.closure.fields;
        if constexpr (takesNodeTau<Collision> && !Slide::looks)
            fetchAhead(fields.tau + (std::size_t(place.tile) * place.tileNodes + place.local));
        if constexpr (nodeForces)
            for (int a = 0; a < D; ++a)
                fetchAhead(fields.force + placeOfForce<D>(place.tile, a, place.local, place.tileNodes));
    }
}

// t: the node.
template<bool nodeForces, class Slide>
__device__ LBM_INLINE void slideColumn(const Slide& slide, int t)
{
    using Plane = typename Slide::Plane;
    using Collision = typename Slide::Collision;
    using Eq = typename Slide::Eq;
    using R = typename Slide::R;
    using Code = typename Slide::Code;
    using Faces = typename Slide::Faces;
    using M = typename Code::M;
    constexpr int width = Plane::width, nodes = Plane::nodes, tileNodes = nodes * Plane::depth;
    auto& stage = slide.stage;
    const int x = t % Plane::X, y = t / Plane::X;

    typename Slide::S* target = nullptr;
    std::uint32_t random = 0; // of the target's node; see RoundedPlaces
    if constexpr (Code::rounds)
        random = slide.to.places.template below<Plane::X>(stage.roundedFirst, t, stage.roundedStep);
    auto goToTarget = [&](int l) __attribute__((always_inline))
    {
        target += Slide::layerValues;
        if (l < 0) return;
        if (Plane::layerOf(l) == 0) target = slide.to.at(stage.target[Plane::tileOf(l) - 1], t);
        if constexpr (Code::rounds) random = randomAfter(random);
    };
    // Where walls are seen to solid nodes look at nothing, for another warp is at work on it.
    constexpr std::uint32_t nothing = Slide::hasWalls ? ~curvedNode : solidNode;
    std::int32_t detail = -1; // -1: no words in the tile
    const std::uint32_t* words = nullptr;
    auto nextWord = [&](int l) __attribute__((always_inline))->std::uint32_t
    {
        if (Plane::layerOf(l) == 0) {
            detail = l < slide.layers ? stage.detail[Plane::tileOf(l) - 1] : -1;
            words = slide.view.links + (std::ptrdiff_t(detail) * tileNodes + t);
        }
        const std::uint32_t next = detail < 0 ? 0 : words[Plane::layerOf(l) * nodes];
        if constexpr (Slide::hasWalls) return next & solidNode ? nothing : next;
        else return next;
    };

    MomentReader<Slide> reader(slide, x, y);
    ColumnMemory<Slide::Tuning::columnInRegisters, Plane, typename Slide::Stage, R> column(stage, t);
    eachSumOf<Plane, R>([&](int i, auto) __attribute__((always_inline)) { column.above(i) = R(0); });
    M sums; // of the layer below the current one
    unroll<M::count>([&](auto k) __attribute__((always_inline)) { sums.value[k] = R(0); });
    std::uint32_t wordBelow = nothing, word = nothing,
                  wordAbove = nextWord(0); // before the run nothing is finished
    R* place = stage.moving[0][0] + Plane::place(x, y);
    auto gradient = gradientOf(slide, Plane::place(x, y));
    int toOther = Slide::toOther;
#pragma unroll 1
    for (int l = -1; l <= slide.layers; ++l) {
        if constexpr (Slide::ahead) stage.arrived.wait((l + 1) & 1);
        const M here = reader.read(l);
        askForTold<nodeForces>(slide, l, t);
        if constexpr (Slide::Tuning::buffers == 1) Slide::sync();
        gradient.put(l, here);
        Collision::template populations<Eq>(
            here, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                if constexpr (Plane::moves(q)) {
                    place[Plane::slot(q) * Plane::size] = even + odd;
                    place[Plane::slot(q + 1) * Plane::size] = even - odd;
                } else {
                    column.staying(1 + Plane::along(q), place) = q == 0 ? even : R(even + odd);
                    if constexpr (q != 0) column.staying(1 - Plane::along(q), place) = even - odd;
                }
            });
        Slide::sync();
        R* const in = place;
        place += toOther;
        toOther = -toOther;

        auto sent = [&](auto q, int from) __attribute__((always_inline))->R
        {
            if constexpr (Plane::moves(q)) return in[Plane::slot(q) * Plane::size + from];
            else return column.staying(1 + Plane::along(q), in);
        };
        auto arriving = [&](auto q) __attribute__((always_inline))
        {
            return sent(q, -Plane::cx(q) - width * Plane::cy(q));
        };
        auto sentBack = [&](auto q) __attribute__((always_inline)) { return sent(Constant<opposite(q)>{}, 0); };
        auto unless = [&](std::uint32_t bits) __attribute__((always_inline))
        {
            return [&, bits ](auto q) __attribute__((always_inline)) { return bits >> q & 1 ? R(0) : arriving(q); };
        };
        const bool walls = __any_sync(0xffffffffu, (wordBelow | word | wordAbove) != 0);
        // On its way while sums are made
        [[maybe_unused]] NodeValues<R> told{};
        if constexpr (takesNodeValues<Collision> && !Slide::looks)
            if (!(wordBelow & solidNode)) {
                const ToldPlace<Slide> at(slide, l - 1, t);
                told = loadValues<Collision, nodeForces, Plane::L::D>(slide.rates, at.tile, at.local, tileNodes);
            }

        // The layer below is complete with what comes down to it.
        addSlab<Plane, -1, false>(sums,
                                  walls ? sumSlab<Plane, -1, R>(unless(wordBelow)) : sumSlab<Plane, -1, R>(arriving));
        if constexpr (Slide::hasWalls) addFromAbove(slide, l, Plane::place(x, y), wordBelow, arriving, sums);
        goToTarget(l - 1);
        if (!(wordBelow & solidNode)) {
            finish(sums);
            const std::int32_t table = walls ? stage.table[Plane::tileOf(l - 1) - 1] : -1;
            std::int32_t number = -1; // of special nodes
            if (table >= 0) {
                number = slide.special.table[std::size_t(table) * tileNodes + (Plane::layerOf(l - 1) * nodes + t)];
                if (number >= 0)
                    unroll<M::count>([&](auto i) __attribute__((always_inline)) {
                        sums.value[i] += slide.special.corrections[std::size_t(number) * M::count + i];
                    });
            }
            if constexpr (takesNodeValues<Collision>) {
                if constexpr (Slide::looks) {
                    const ToldPlace<Slide> at(slide, l - 1, t);
                    told = gradient.template values<nodeForces>(l, wordBelow, number, at.tile, at.local, tileNodes);
                }
                sums = Code::template relax<Collision, Eq, Slide::Tiles::stride>(target, x, sums, slide.rates, random,
                                                                                 told);
            } else {
                sums = Code::template relax<Collision, Eq, Slide::Tiles::stride>(target, x, sums, slide.rates, random);
            }
            if constexpr (Faces::kept)
                if (x == 0 || x == Plane::X - 1) {
                    const int end = (x == 0 ? 0 : Plane::Y) + y;
                    unroll<M::count>([&](auto i) __attribute__((always_inline)) {
                        stage.edge[(l - 1) & 1][i][end] = sums.value[i];
                    });
                }
        }

        slide.syncWalls(l);

        // The current one has what came up to it before.
        SlabSums<R> fromBelow{};
        eachSumOf<Plane, R>([&](int i, R SlabSums<R>::*sum)
                                __attribute__((always_inline)) { fromBelow.*sum = column.above(i); });
        addSlab<Plane, 1, true>(sums, fromBelow);
        if (walls) {
            auto where = [&](auto q) __attribute__((always_inline)) { return word >> q & 1 ? sentBack(q) : R(0); };
            addSlab<Plane, 0, false>(sums, sumSlab<Plane, 0, R>([&](auto q) __attribute__((always_inline)) {
                                         return q != 0 && word >> q & 1 ? sentBack(q) : arriving(q);
                                     }));
            addSlab<Plane, 1, false>(sums, sumSlab<Plane, 1, R>(where));
            addSlab<Plane, -1, false>(sums, sumSlab<Plane, -1, R>(where));
            fromBelow = sumSlab<Plane, 1, R>(unless(wordAbove));
        } else {
            addSlab<Plane, 0, false>(sums, sumSlab<Plane, 0, R>(arriving));
            fromBelow = sumSlab<Plane, 1, R>(arriving);
        }
        eachSumOf<Plane, R>([&](int i, R SlabSums<R>::*sum)
                                __attribute__((always_inline)) { column.above(i) = fromBelow.*sum; });
        wordBelow = word;
        word = wordAbove;
        wordAbove = nextWord(l + 2);
    }
    Slide::sync();
}

} // namespace lbm
