// The two halves of a scalar's step on a GPU, beside a flow whose nodes lie in tiles: a thread a node, in the scalar's order.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/CarriedScalar.hpp"
#include "lbm/physics/Parameters.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"
#include "lbm/storage/scalar/ScalarGroups.hpp"

namespace lbm {

constexpr int scalarThreads = 128;

// Forces of the flow's nodes, one by one. force: see placeOfForce; null: none. which: bit a, component a is told; others are uniform.
template<class T>
struct FlowForces {
    T* force;
    int tileNodes;
    unsigned which;
    double uniform[3];

    template<int D>
    __device__ double at(const NodePlace& place, int a) const
    {
        return which >> a & 1 ? double(force[placeOfForce<D>(std::size_t(place.tile), a, place.local, tileNodes)])
                              : uniform[a];
    }
    template<int D>
    __device__ void tell(const NodePlace& place, int a, double value) const
    {
        if (which >> a & 1) force[placeOfForce<D>(std::size_t(place.tile), a, place.local, tileNodes)] = T(value);
    }
};

// before: what arrived the last time, and now; between: what forces follow, null: nobody asks.
template<int D, class T>
__global__ void __launch_bounds__(scalarThreads)
    arriveScalar(ScalarGroupsView view, const T* sent, const T* arrives, T* before, T* between, double middle,
                 Buoyancy buoyancy, const NodePlace* places, FlowForces<T> forces)
{
    const std::int32_t i = blockIdx.x * scalarThreads + threadIdx.x;
    if (i >= view.nodes) return;
    T g[1 + 2 * D];
    pullScalar<D>(view, sent, arrives, i, g);
    const double after = double(sumOfScalar<D>(g)), s = scalarBetween(double(before[i]), after, middle);
    before[i] = T(after);
    if (between) between[i] = T(s);
    if (!forces.force) return;
    const NodePlace place = places[i];
    for (int a = 0; a < D; ++a) forces.template tell<D>(place, a, forceOf(buoyancy, s, a));
}

// The largest of a warp's values, none of which is below 0. What is no number is infinite: a maximum would pass it over.
__device__ inline double largestOfWarp(double value)
{
    if (!isfinite(value)) value = HUGE_VAL;
    for (int half = 16; half > 0; half /= 2) value = max(value, __shfl_xor_sync(~0u, value, half));
    return value;
}

// Of a block of `threads`, all of which call this: to its first thread.
template<int threads>
__device__ double largestOfBlock(double value)
{
    __shared__ double ofWarps[threads / 32];
    value = largestOfWarp(value);
    if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < threads / 32; ++w) value = max(value, ofWarps[w]);
    return value;
}

// One block, of what blocks have found.
constexpr int largestThreads = 1024;
inline __global__ void __launch_bounds__(largestThreads) largestOfBlocks(int n, const double* found, double* largest)
{
    double value = 0;
    for (int i = threadIdx.x; i < n; i += largestThreads) value = max(value, found[i]);
    value = largestOfBlock<largestThreads>(value);
    if (threadIdx.x == 0) *largest = value;
}

// momentumAt(place, j): after the flow's collision; returns the inertia. fastest: of each block, the square of its largest velocity.
template<int D, class T, class Momentum>
__global__ void __launch_bounds__(scalarThreads)
    collideScalarNodes(ScalarGroupsView view, const T* sent, const T* arrives, T* next, const NodePlace* places,
                       Momentum momentumAt, FlowForces<T> forces, double stride, ScalarRatesOfNodes<T> rates,
                       double* fastest)
{
    const std::int32_t i = blockIdx.x * scalarThreads + threadIdx.x;
    double square = 0;
    if (i < view.nodes) {
        T g[1 + 2 * D];
        pullScalar<D>(view, sent, arrives, i, g);
        const NodePlace place = places[i];
        double u[D];
        const double faster = stride / momentumAt(place, u);
        for (int a = 0; a < D; ++a) {
            u[a] = faster * (u[a] - 0.5 * forces.template at<D>(place, a));
            square += u[a] * u[a];
        }
        collideAndSend<D>(g, u, rates.at(i), next, view.nodes, i);
    }
    square = largestOfBlock<scalarThreads>(square);
    if (threadIdx.x == 0) fastest[blockIdx.x] = square;
}

// Groups of terms, of what arrived.
template<class T>
__global__ void __launch_bounds__(scalarThreads)
    sumGroupsOfScalar(int n, const std::size_t* begin, const std::int32_t* nodes, const double* weights,
                      const T* arrived, double* sums)
{
    const int g = blockIdx.x * scalarThreads + threadIdx.x;
    if (g < n) sums[g] = scalarSum(begin[g], begin[g + 1], nodes, weights, arrived);
}

} // namespace lbm
