// SumGroups: sums over groups of nodes from their states in a device's memory, as GroupSum makes them: a warp has a group in hand, its lanes
// fetch terms side by side, and then each adds up one value, in the order of the terms. One thread a group waits for memory at each of its
// terms, half a microsecond, and cells of a mesh that are no boxes along the axes hold up to 10^5 nodes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/lattice/Unroll.hpp"
#include "lbm/solver/GroupSum.hpp"

namespace lbm {

template<Reading reading>
struct GroupShare {
    static constexpr int threads = 128, warps = threads / 32;
    static constexpr int values = valuesOf(reading), each = values + 1; // of a term; behind them its weight
    static constexpr int ofLane = 4, ofWarp = 32 * ofLane; // terms at a time: many loads are under way at once
    static_assert(each % 2 == 1, "lanes that write terms side by side use all banks");
    static_assert(warps * ofWarp * each * sizeof(double) <= 48 * 1024);

    static std::size_t blocks(std::size_t groups) { return (groups + warps - 1) / warps; }
};

// Of n groups: values: [n][valuesOf(reading)]; states: of the block's nodes.
template<Reading reading>
__global__ void __launch_bounds__(GroupShare<reading>::threads)
    sumGroups(GroupTerms terms, int n, const Macroscopic* states, double* values)
{
    using Share = GroupShare<reading>;
    constexpr int firstValue = reading == Reading::strainRate ? 4 : 0;
    __shared__ double memory[Share::warps * Share::ofWarp * Share::each];
    double* const inHand = memory + threadIdx.x / 32 * (Share::ofWarp * Share::each);
    const int lane = threadIdx.x % 32;
    const std::size_t group = std::size_t(blockIdx.x) * Share::warps + threadIdx.x / 32;
    if (group >= std::size_t(n)) return; // all of the warp
    const std::size_t end = terms.begin[group + 1];
    double fetched[Share::ofLane][Share::each];
    const auto fetch = [&](std::size_t first) __attribute__((always_inline))
    {
        unroll<Share::ofLane>([&](auto j) __attribute__((always_inline)) {
            const std::size_t i = first + 32 * j + lane;
            if (i >= end) return;
            const Macroscopic& s = states[terms.node(i)];
            unroll<Share::values>([&](auto k)
                                      __attribute__((always_inline)) { fetched[j][k] = valueOf(s, firstValue + k); });
            fetched[j][Share::values] = terms.weight(i);
        });
    };
    fetch(terms.begin[group]);
    double sum = 0;
    for (std::size_t at = terms.begin[group]; at < end; at += Share::ofWarp) {
        unroll<Share::ofLane>([&](auto j) __attribute__((always_inline)) {
            if (at + 32 * j + lane >= end) return;
            double* const to = inHand + (32 * j + lane) * Share::each;
            unroll<Share::each>([&](auto k) __attribute__((always_inline)) { to[k] = fetched[j][k]; });
        });
        __syncwarp();
        // While these are added the next are on their way
        fetch(at + Share::ofWarp);
        const auto add = [&](int i) __attribute__((always_inline))
        {
            const double* const term = inHand + i * Share::each;
            sum = std::fma(term[Share::values], term[lane], sum);
        };
        if (lane < Share::values && end - at >= Share::ofWarp)
            for (int i = 0; i < Share::ofWarp; i += 32)
                unroll<32>([&](auto k) __attribute__((always_inline)) { add(i + k); });
        else if (lane < Share::values)
            for (int i = 0; i < int(end - at); ++i) add(i);
        __syncwarp();
    }
    if (lane < Share::values) values[group * Share::values + lane] = firstValue + lane == 0 ? 1 + sum : sum;
}

} // namespace lbm
