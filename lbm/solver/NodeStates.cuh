// NodeStates: states of nodes on a CUDA device, straight from what a storage keeps: of nodes one by one and, by the same source, of sums
// over boxes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/physics/Moments.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

namespace lbm {

// knownAt: see Storage::withKnown.
template<class L, class T, class KnownAt>
struct NodeStates {
    KnownAt knownAt;
    Moments<L> moments;
    Parameters<T> parameters;
    int tileNodes;
    bool byNode; // rates or forces are

    // strain: else nothing but the flow is found.
    template<bool strain>
    __device__ Macroscopic of(const NodePlace& place) const
    {
        const auto known = knownAt(place);
        if (!byNode) return moments.template state<strain>(known);
        const NodeValues<T> own =
            valuesOfNode<L::D>(parameters, std::size_t(place.tile) * tileNodes + place.local, tileNodes);
        const NodeValues<double> at{
            double(own.tau), {double(own.force[0]), double(own.force[1]), double(own.force[2])}, own.forced, {}};
        return moments.template state<strain>(known, at);
    }
};

// states: [n].
template<class StateAt>
__global__ void __launch_bounds__(listThreads)
    findStates(const NodePlace* places, int n, bool strain, StateAt stateAt, Macroscopic* states)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i < n) states[i] = strain ? stateAt.template of<true>(places[i]) : stateAt.template of<false>(places[i]);
}

} // namespace lbm
