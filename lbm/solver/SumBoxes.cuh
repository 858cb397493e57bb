// SumBoxes: sums over the fluid nodes of boxes, straight from what a storage keeps. A warp has some boxes in hand and takes 32 nodes of
// each at a time: its lanes find the nodes' values, and then each adds up one value of one box, in the order of nodes, as GroupSum does.
// (One box a warp leaves all lanes but those of four values idle while sums are made.) Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Block.cuh"
#include "lbm/solver/BoxNodes.cuh"
#include "lbm/solver/GroupSum.hpp"

namespace lbm {

// strain: of nodes' states strain rates are found, too.
template<bool strain>
struct BoxShare {
    static constexpr int threads = 128, warps = threads / 32;
    static constexpr int values =
                             valuesOf(strain ? Reading::state : Reading::flow), // of a node; behind them its weight
        each = values + 1, boxes = strain ? 3 : 4,                              // of a warp
        ofBox = 32 * each + values; // in shared memory, such that boxes' values are in other banks
    static_assert(each % 2 == 1, "lanes that write nodes side by side use all banks");
    static_assert(boxes * values <= 32);

    // What a warp has in shared memory.
    struct InHand {
        BoxNodes boxes[BoxShare::boxes];
        double terms[BoxShare::boxes * ofBox];
    };
    static constexpr std::size_t sharedBytes = warps * sizeof(InHand);
    static_assert(sharedBytes <= 48 * 1024);

    static std::size_t blocks(std::size_t n) { return (n + warps * boxes - 1) / (warps * boxes); }
};

__device__ inline Extremes ofWarp(Extremes all)
{
    for (int half = 16; half > 0; half /= 2) {
        const auto other = [half](double value) { return __shfl_xor_sync(~0u, value, half); };
        include(all, {other(all.speedSquare), other(all.excess), other(all.rate), other(all.deviation)});
    }
    return all;
}

// values: [n][valuesOf(reading)]; found: one a block. stateAt.template of<strain>(place): a Macroscopic.
template<bool strain, class TileT, class StateAt>
__global__ void __launch_bounds__(BoxShare<strain>::threads)
    sumBoxes(BoxesView view, int n, Reading reading, StateAt stateAt, double* values, Extremes* found)
{
    using Share = BoxShare<strain>;
    extern __shared__ __align__(128) char memory[];
    auto& inHand = reinterpret_cast<typename Share::InHand*>(memory)[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, first = (blockIdx.x * Share::warps + threadIdx.x / 32) * Share::boxes;
    const int mine = n - first < Share::boxes ? n - first : Share::boxes; // below zero in a block's last warps
    if (lane < mine) inHand.boxes[lane] = BoxNodes(view, first + lane);
    __syncwarp();
    int most = 0;
    for (int b = 0; b < mine; ++b) most = inHand.boxes[b].nodes > most ? inHand.boxes[b].nodes : most;
    const int count = valuesOf(reading), own = lane / count,
              k = lane % count + (reading == Reading::strainRate ? 4 : 0);
    const double* const termsOfOwn = inHand.terms + own * Share::ofBox;
    const bool adds = own < mine;
    Extremes all{0, 0, 0, 0};
    double sum = 0;
    for (int at = 0; at < most; at += 32) {
        std::uint32_t fluidOfOwn = 0;
        for (int b = 0; b < mine; ++b) {
            const BoxNodes box = inHand.boxes[b];
            const std::uint32_t fluid = box.fluidFrom(at);
            if (own == b) fluidOfOwn = fluid;
            if (!(fluid >> lane & 1)) continue;
            const Int3 x = box.node(at + lane);
            const Macroscopic s = stateAt.template of<strain>(view.tiles.template place<TileT>(x));
            include(all, extremesOf(s));
            double* const to = inHand.terms + b * Share::ofBox + lane * Share::each;
            unroll<Share::values>([&](auto i) __attribute__((always_inline)) { to[i] = valueOf(s, i); });
            to[Share::values] = weightAt(*box.box, x[0], x[1], x[2]);
        }
        __syncwarp();
        const auto add = [&](int i) __attribute__((always_inline))
        {
            const double* const node = termsOfOwn + i * Share::each;
            sum = std::fma(node[Share::values], node[k], sum);
        };
        if (adds && fluidOfOwn == ~std::uint32_t(0)) unroll<32>(add);
        else if (adds)
            for (std::uint32_t rest = fluidOfOwn; rest; rest &= rest - 1) add(__ffs(int(rest)) - 1);
        __syncwarp();
    }
    if (adds) values[std::size_t(first + own) * count + lane % count] = k == 0 ? 1 + sum : sum;
    all = ofWarp(all);
    Extremes* const seen = reinterpret_cast<Extremes*>(memory);
    __syncthreads(); // no warp looks at terms any more
    if (lane == 0) seen[threadIdx.x / 32] = all;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int i = 1; i < Share::warps; ++i) include(all, seen[i]);
    found[blockIdx.x] = all;
}

} // namespace lbm
