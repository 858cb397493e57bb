// NodeBoxSums: sums over the fluid nodes of boxes (CudaBoxes), straight from what a storage keeps: a warp takes a box, 32 nodes at a time,
// whose states it adds in the order of nodes, as GroupSum does. Nothing of a node goes through memory but what is stored of it: lists,
// populations and states of a million nodes at a time took 1.6 ms of an H200, most of it one thread's sum of a thousand nodes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/CudaBoxes.cuh"
#include "lbm/solver/CudaFields.cuh"
#include "lbm/solver/GroupSum.hpp"

namespace lbm {

// What a state is made with besides populations.
template<class L, class T>
struct StateOfNode {
    Moments<L> moments;
    Parameters<T> parameters;
    int tileNodes;
    bool byNode; // rates or forces are

    __device__ Macroscopic operator()(const double* populations, const NodePlace& place) const
    {
        return byNode ? stateByNode<L>(populations, place, moments, tileNodes, parameters) : moments.state(populations);
    }
};

__device__ inline Extremes ofWarp(Extremes all)
{
    for (int half = 16; half > 0; half /= 2) {
        const auto other = [half](double value) { return __shfl_xor_sync(~0u, value, half); };
        include(all, {other(all.speedSquare), other(all.excess), other(all.rate), other(all.deviation)});
    }
    return all;
}

// values: [n][valuesOf(reading)]; found: one a block. populationsAt: see Storage::withPopulations.
template<int Q, class Populations, class State>
__global__ void __launch_bounds__(listThreads)
    sumBoxes(BoxesView view, int n, Reading reading, Populations populationsAt, State stateOf, double* values,
             Extremes* found)
{
    constexpr int warps = listThreads / 32, most = valuesOf(Reading::state), each = most + 1;
    static_assert(each % 2 == 1, "lanes that write nodes side by side use all banks");
    __shared__ double terms[warps][32][each]; // of nodes: values, weight
    __shared__ Extremes seen[warps];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = blockIdx.x * warps + warp;
    Extremes all{0, 0, 0, 0};
    if (g < n) {
        const int count = valuesOf(reading), k = lane < count ? (reading == Reading::strainRate ? 4 : 0) + lane : 0;
        double sum = 0;
        forWarp(view, g, [&](std::uint32_t fluid, std::size_t, const Int3& x, const NodePlace& place) {
            if (fluid >> lane & 1) {
                double populations[Q];
                populationsAt(place, populations);
                const Macroscopic s = stateOf(populations, place);
                include(all, extremesOf(s));
                unroll<most>([&](auto i) __attribute__((always_inline)) { terms[warp][lane][i] = valueOf(s, i); });
                terms[warp][lane][most] = weightAt(view.boxes[g], x[0], x[1], x[2]);
            }
            __syncwarp();
            const auto add = [&](int i) { sum = fma(terms[warp][i][most], terms[warp][i][k], sum); };
            if (fluid == ~std::uint32_t(0)) {
#pragma unroll
                for (int i = 0; i < 32; ++i) add(i);
            } else
                for (std::uint32_t rest = fluid; rest; rest &= rest - 1) add(__ffs(int(rest)) - 1);
            __syncwarp();
        });
        if (lane < count) values[std::size_t(g) * count + lane] = k == 0 ? 1 + sum : sum;
    }
    all = ofWarp(all);
    if (lane == 0) seen[warp] = all;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int i = 1; i < warps; ++i) include(all, seen[i]);
    found[blockIdx.x] = all;
}

// What is read of boxes, some at a time, so that what they are brought in is little memory.
class NodeBoxSums {
public:
    explicit NodeBoxSums(const cuda::Device& device) : device_(&device) {}

    // values: [boxes][valuesOf(reading)]
    template<int Q, class Populations, class State>
    Extremes sample(const CudaBoxes& boxes, Reading reading, const Populations& populationsAt, const State& stateOf,
                    double* values)
    {
        constexpr std::size_t most = std::size_t(1) << 18, warps = listThreads / 32;
        const std::size_t all = boxes.size(), each = std::size_t(valuesOf(reading));
        Extremes extremes{0, 0, 0, 0};
        for (std::size_t first = 0; first < all; first += most) {
            const std::size_t n = std::min(most, all - first);
            const int blocks = blocksFor(n, int(warps));
            double* sums = need(sums_, n * each);
            Extremes* found = need(found_, std::size_t(blocks));
            sumBoxes<Q>
                <<<blocks, listThreads>>>(boxes.view(first), int(n), reading, populationsAt, stateOf, sums, found);
            device_->check("kernel of sums of boxes");
            sums_.download(values + first * each, n * each);
            onHost_.resize(std::size_t(blocks));
            found_.download(onHost_.data(), onHost_.size());
            for (const Extremes& own : onHost_) include(extremes, own);
        }
        return extremes;
    }

private:
    template<class T>
    T* need(cuda::Array<T>& array, std::size_t n)
    {
        if (array.size() < n) array = {*device_, n};
        return array.data();
    }

    const cuda::Device* device_;
    cuda::Array<double> sums_;
    cuda::Array<Extremes> found_;
    std::vector<Extremes> onHost_;
};

} // namespace lbm
