// The step of the moment representation on a GPU. A block of threads slides along a run of tiles, layer by layer: each
// thread reads the moments of its node, turns them into populations and puts those that move within the layer into
// shared memory; populations that arrive are summed to moments at once, and two layers of unfinished sums stay in
// registers. Threads beyond the tile bring the populations of its rim. DRAM sees every moment once each way. The last
// threads ask for the next layer as soon as all have read the one at hand.
// (Section 5 of Gounley et al. 2022 streams in two dimensions and keeps populations in shared memory.)
//
// Walls: the word of a node (TilesView::links) says over which links its own populations come back. What else happens
// at walls is a correction of the node's sums, made before the step (MomentExchange).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Regularized.hpp"
#include "lbm/storage/MomentExchange.hpp"
#include "lbm/storage/MomentStage.cuh"
#include "lbm/storage/MomentTurns.cuh"

#include <cuda_pipeline.h>

namespace lbm {

template<bool inTurns, class L, class Collision, class Eq, class R, class S, class TileT, class Tuning>
__global__ void __launch_bounds__(Layer<L, TileT>::threads, Tuning::blocks)
momentStep(TilesView view, RunsView runs, SpecialView<L, R> special, MomentTiles<L, R, S, TileT> from,
           MomentTiles<L, R, S, TileT> to, MomentRates<R> p, std::uint32_t seed, TurnsView turns)
{
    using Plane = Layer<L, TileT>;
    using M = MomentSet<L, R>;
    using Code = MomentCode<L, R, S>;
    using Raw = typename Code::Raw;
    using Faces = MomentFaces<L, S, TileT>;
    constexpr int depth = Plane::depth, N = TileT::N, width = Plane::width, stride = decltype(from)::stride;
    using Stage = MomentStage<Plane, R, S, Faces, Tuning>;
    constexpr bool ahead = Tuning::ahead == Ahead::shared && bulkCopies;
    extern __shared__ __align__(128) char memory[];
    auto& stage = *reinterpret_cast<Stage*>(memory);

    const int t = threadIdx.x;
    int run = blockIdx.x;
    if constexpr (inTurns) {
        if (t == 0) stage.run = turns.take(runs.count);
        __syncthreads();
        run = stage.run;
    }
    const std::int32_t* own = runs.tiles + runs.first[run];
    const int length = runs.first[run + 1] - runs.first[run];
    if constexpr (inTurns) if (t == 0) turns.await(run, runs.count);
    if (ahead && t == 0) stage.arrived.begin();
    stage.know(view, special, own, length, from, to);
    __syncthreads();

    const Seat<Plane> seat(t);
    const int x = seat.x, y = seat.y, dx = seat.dx, dy = seat.dy, local = seat.local, at = seat.at;
    const bool inside = seat.inside, beside = Faces::kept && seat.beside;       // reads and writes faces
    const int column = 1 + dx + (L::D == 3 ? 3*(1 + dy) : 0);                   // of tiles along the sliding axis
    const int layers = length*depth;

    // Layers of the run count from -1 to `layers`.
    const S* source = nullptr;
    const R* face = nullptr;
    bool present = false;
    auto goTo = [&](int l) __attribute__((always_inline)) {
        if (l == -1 || (l & (depth - 1)) == 0) {
            const std::int32_t slot = seat.idle || l > layers ? -1 : stage.slot[(l + depth)/depth*Plane::columns + column];
            const int layer = (l + depth) & (depth - 1);
            present = slot >= 0;
            source = from.at(slot, layer*Plane::nodes + local);
            if (beside) face = from.faces + Faces::at(slot, layer, dx < 0, y - dy*Plane::Y);
        } else {
            source += stride <= Plane::nodes ? Code::count*Plane::nodes : Plane::nodes;
            face += 2*Faces::count*Faces::rows;
        }
    };
    // The layer's moments, and the nearest rows of the neighbours across y, are asked for by the last thread.
    auto fetch = [&](int l) __attribute__((always_inline)) {
        if (t < Plane::threads - 1 || l > layers) return;
        constexpr std::uint32_t row = Code::count*Plane::X, bytes = row*sizeof(S);
        const std::int32_t* slots = stage.slot + (l + depth)/depth*Plane::columns + Plane::columns/2;
        const int layer = ((l + depth) & (depth - 1))*Plane::nodes;
        const std::int32_t here = slots[0], behind = Plane::rimY ? slots[-3] : -1, beyond = Plane::rimY ? slots[3] : -1;
        stage.arrived.expect(bytes*((here >= 0)*Plane::Y + (behind >= 0) + (beyond >= 0)));
        if (here >= 0) stage.arrived.copy(stage.soon + Plane::rimY*row, from.at(here, layer), Plane::Y*bytes);
        if constexpr (Plane::rimY) {
            if (behind >= 0) stage.arrived.copy(stage.soon, from.at(behind, layer + (Plane::Y - 1)*Plane::X), bytes);
            if (beyond >= 0) stage.arrived.copy(stage.soon + (Plane::Y + 1)*row, from.at(beyond, layer), bytes);
        }
    };
    R* sentSoon = &stage.sentSoon[0][beside ? t - Seat<Plane>::firstBeside : 0];
    constexpr int sides = 2*(Plane::Y + 2);
    auto fetchSent = [&]() __attribute__((always_inline)) {
        if (present) unroll<Faces::count>([&](auto k) __attribute__((always_inline)) {
            __pipeline_memcpy_async(sentSoon + k*sides, face + k*Faces::rows, sizeof(R));
        });
        __pipeline_commit();
    };
    // Of a layer that is done, by the threads beside it.
    auto writeFaces = [&](int l) __attribute__((always_inline)) {
        if constexpr (!Faces::kept) return;
        if (!beside || seat.idle || dy != 0 || l < 0) return;
        const int side = dx > 0;
        M m;
        unroll<M::count>([&](auto k) __attribute__((always_inline)) { m.value[k] = stage.edge[l & 1][k][side*Plane::Y + y]; });
        R g[L::Q];
        populationsOf<Collision, Eq>(m, g);
        R* target = to.faces + Faces::at(stage.faceTarget[l/depth], l & (depth - 1), side, y);
        Faces::eachPair([&](auto k, auto up, auto down) __attribute__((always_inline)) {
            target[k*Faces::rows] = side ? g[up] : g[down];
        });
    };
    auto wordOf = [&](int l) __attribute__((always_inline)) -> std::uint32_t {
        if (!inside || l < 0 || l >= layers) return 0;
        const std::int32_t detail = stage.detail[l/depth];
        return detail < 0 ? 0 : view.links[std::size_t(detail)*N + ((l & (depth - 1))*Plane::nodes + local)];
    };

    M sums;                     // of the layer below the current one
    std::uint32_t wordBelow = 0, word = 0, wordAbove = wordOf(0);
    unroll<M::count>([&](auto k) __attribute__((always_inline)) { sums.value[k] = R(0); });
    if (inside) for (auto& sum : stage.above) sum[t] = R(0);
    goTo(-1);
    if constexpr (ahead) fetch(-1);
    if (beside) fetchSent();
    Raw raw;
    if constexpr (Tuning::ahead == Ahead::registers) { if (present && !beside) raw = Code::template read<stride>(source); }
    #pragma unroll 1
    for (int l = -1; l <= layers; ++l) {
        auto& out = stage.moving[l & (Tuning::buffers - 1)];
        if (beside) {
            R sent[Faces::count];
            __pipeline_wait_prior(0);
            unroll<Faces::count>([&](auto k) __attribute__((always_inline)) { sent[k] = present ? sentSoon[k*sides] : R(0); });
            goTo(l + 1);
            fetchSent();
            if constexpr (Tuning::buffers == 1) __syncthreads();
            Faces::eachPair([&](auto k, auto up, auto down) __attribute__((always_inline)) {
                out[dx < 0 ? Plane::slot(up) : Plane::slot(down)][at] = sent[k];
            });
        } else {
            M here;
            if (ahead && !seat.beside) {
                stage.arrived.wait((l + 1) & 1);
                raw = Code::template read<Plane::X>(stage.soon + x + Code::count*Plane::X*(y + Plane::rimY));
            } else if constexpr (Tuning::ahead != Ahead::registers) {
                if (present) raw = Code::template read<stride>(source);
            }
            if (present) here = Code::template decode<Eq>(raw);
            else unroll<M::count>([&](auto k) __attribute__((always_inline)) { here.value[k] = R(0); });
            goTo(l + 1);
            if constexpr (Tuning::ahead == Ahead::registers) { if (present) raw = Code::template read<stride>(source); }
            if constexpr (Tuning::ahead == Ahead::cache) {
                if (present && (t & 3) == 0)
                    unroll<Code::count>([&](auto k) __attribute__((always_inline)) { asm volatile("prefetch.global.L2 [%0];" :: "l"(source + k*stride)); });
            }
            if constexpr (Tuning::buffers == 1) __syncthreads();
            // From the rim across y, which is -rim away, only what crosses comes.
            auto send = [&](auto rim) __attribute__((always_inline)) {
                constexpr int side = decltype(rim)::value;
                constexpr auto crosses = [](int q) { return side == 0 || Plane::cy(q) == side; };
                Collision::template populations<Eq>(here, [&](auto q, R even, R odd) __attribute__((always_inline)) {
                    if constexpr (Plane::moves(q)) {
                        if constexpr (crosses(q)) out[Plane::slot(q)][at] = even + odd;
                        if constexpr (crosses(q + 1)) out[Plane::slot(q + 1)][at] = even - odd;
                    } else if constexpr (side == 0) {
                        if (!inside) return;
                        stage.staying[1 + Plane::along(q)][t] = q == 0 ? even : R(even + odd);
                        if constexpr (q != 0) stage.staying[1 - Plane::along(q)][t] = even - odd;
                    }
                });
            };
            if (Plane::rimY == 0 || inside || seat.beside) send(Constant<0>{});
            else if (dy < 0) send(Constant<1>{});
            else send(Constant<-1>{});
        }
        __syncthreads();
        if constexpr (ahead) fetch(l + 1);
        writeFaces(l - 2);
        if (!inside) continue;

        const auto& in = stage.moving[l & (Tuning::buffers - 1)];
        auto sent = [&](auto q, int from) __attribute__((always_inline)) -> R {
            if constexpr (Plane::moves(q)) return in[Plane::slot(q)][from];
            else return stage.staying[1 + Plane::along(q)][t];
        };
        auto arriving = [&](auto q) __attribute__((always_inline)) { return sent(q, at - Plane::cx(q) - width*Plane::cy(q)); };
        auto sentBack = [&](auto q) __attribute__((always_inline)) { return sent(Constant<opposite(q)>{}, at); };
        auto unless = [&](std::uint32_t bits) __attribute__((always_inline)) {
            return [&, bits](auto q) __attribute__((always_inline)) { return bits >> q & 1 ? R(0) : arriving(q); };
        };
        const bool walls = __any_sync(0xffffffffu, (wordBelow | word | wordAbove) != 0);

        // The layer below is complete with what comes down to it.
        addSlab<Plane, -1, false>(sums, walls ? sumSlab<Plane, -1, R>(unless(wordBelow)) : sumSlab<Plane, -1, R>(arriving));
        if (l > 0 && !(wordBelow & solidNode)) {
            const int k = (l - 1)/depth, node = ((l - 1) & (depth - 1))*Plane::nodes + local;
            finish(sums);
            if (stage.table[k] >= 0) {
                const std::int32_t number = special.table[std::size_t(stage.table[k])*N + node];
                if (number >= 0)
                    unroll<M::count>([&](auto i) __attribute__((always_inline)) {
                        sums.value[i] += special.corrections[std::size_t(number)*M::count + i];
                    });
            }
            Collision::template relax<Eq>(sums, p);
            sums = to.template store<Eq>(stage.target[k], node, sums, seed);
            if constexpr (Faces::kept) if (x == 0 || x == Plane::X - 1) {
                const int place = (x == 0 ? 0 : Plane::Y) + y;
                unroll<M::count>([&](auto i) __attribute__((always_inline)) {
                    stage.edge[(l - 1) & 1][i][place] = sums.value[i];
                });
            }
        }

        // The current one has what came up to it before.
        SlabSums<R> fromBelow{};
        eachSumOf<Plane, R>([&](int i, R SlabSums<R>::* sum) __attribute__((always_inline)) { fromBelow.*sum = stage.above[i][t]; });
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
        eachSumOf<Plane, R>([&](int i, R SlabSums<R>::* sum) __attribute__((always_inline)) { stage.above[i][t] = fromBelow.*sum; });
        wordBelow = word;
        word = wordAbove;
        wordAbove = wordOf(l + 2);
    }
    __syncthreads();
    writeFaces(layers - 1);
    if constexpr (inTurns) if (t == 0) turns.finish(run);
}

} // namespace lbm
