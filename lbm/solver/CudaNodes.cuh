// CudaNodes: a NodeSet in the memory of a CUDA device, and the kernels that reduce what is read of its nodes, whatever stores
// the populations. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/KeptStates.hpp"
#include "lbm/device/Cuda.hpp"
#include "lbm/device/Upload.hpp"
#include "lbm/solver/CudaBoxes.cuh"
#include "lbm/solver/GroupSum.hpp"
#include "lbm/solver/NodeBlocks.hpp"
#include "lbm/solver/NodeStates.cuh"
#include "lbm/solver/OwnedSet.hpp"
#include "lbm/solver/SumGroups.cuh"
#include "lbm/storage/nodes/NodeKernels.cuh"

#include <algorithm>
#include <optional>
#include <utility>

namespace lbm {

class CudaNodes final : public OwnedSet {
public:
    // Nodes of a block: many threads, and memory for their populations that is little beside a lattice.
    static constexpr std::size_t blockNodes = std::size_t(1) << 20;

    // placeOf(node)
    template<class PlaceOf>
    CudaNodes(const SetOwner& owner, const cuda::Device& device, NodeBlocks nodes, const PlaceOf& placeOf) :
        OwnedSet(owner, std::move(nodes)), device_(device)
    {
        const std::size_t n = blocks_.nodes.size();
        std::vector<NodePlace> places(n);
#pragma omp parallel for schedule(static) if (n > 1000)
        for (std::size_t i = 0; i < n; ++i) places[i] = placeOf(blocks_.nodes[i]);
        const auto copy = [&](auto& to, const auto& from) { to = {device_, from.data(), from.size()}; };
        device_.use();
        copy(places_, places);
        copy(begin_, blocks_.begin);
        copy(ordinals_, blocks_.ordinals);
        copy(weights_, blocks_.weights);
        copy(directions_, blocks_.directions);
        listLarge();
        if (!tellsStrain()) forget();
    }

    // blocks: of boxes.
    CudaNodes(const SetOwner& owner, const cuda::Device& device, NodeBlocks blocks, const Domain& domain,
              std::shared_ptr<const CudaTileMap> map) :
        OwnedSet(owner, std::move(blocks)), device_(device)
    {
        device_.use();
        boxes_.emplace(device_, domain, blocks_, std::move(map));
        if (!tellsStrain()) forget();
    }

    const std::optional<CudaBoxes>& boxes() const { return boxes_; }

    struct Block {
        const NodePlace* places;
        std::size_t first, nodes, group, groups;
        GroupTerms terms; // without a beginning: each node is a group
        bool large;       // groups of many terms are among them
    };

    std::size_t blockCount() const { return blocks_.blocks.size() - 1; }
    // Of boxes without places and terms: see CudaReading::listed and NodeBoxSums.
    Block block(std::size_t b) const
    {
        const NodeBlocks::Begin &here = blocks_.blocks[b], &next = blocks_.blocks[b + 1];
        Block block{nullptr, here.node, next.node - here.node, here.group, next.group - here.group, {}, false};
        if (boxes_) return block;
        const std::size_t* begin = kind() == Kind::nodes ? nullptr : begin_.data() + here.group;
        block.places = places_.data() + here.node;
        block.terms = {begin, ordinals_.data(), weights_.data(), directions_.data()};
        block.large = begin && large_[b];
        return block;
    }

private:
    // Of so many a warp makes the sum sooner than a thread, of which a warp has 32.
    static constexpr std::size_t manyTerms = 64;

    void listLarge()
    {
        const std::vector<std::size_t>& begin = blocks_.begin;
        for (std::size_t b = 0; !begin.empty() && b < blockCount(); ++b) {
            bool any = false;
            for (std::size_t g = blocks_.blocks[b].group; g < blocks_.blocks[b + 1].group && !any; ++g)
                any = begin[g + 1] - begin[g] >= manyTerms;
            large_.push_back(any);
        }
    }

    void forget()
    {
        blocks_.nodes = {};
        blocks_.boxes = {};
        blocks_.begin = {};
        blocks_.ordinals = {};
        blocks_.weights = {};
        blocks_.directions = {};
    }

    cuda::Device device_; // which the arrays refer to, whether or not the solver is still there
    cuda::Array<NodePlace> places_;
    cuda::Array<std::size_t> begin_;
    cuda::Array<std::uint32_t> ordinals_;
    cuda::Array<double> weights_;
    cuda::Array<std::uint8_t> directions_;
    std::vector<bool> large_;        // by block, of groups
    std::optional<CudaBoxes> boxes_; // in place of all these
};

// values: [n][valuesOf(reading)].
template<Reading reading>
__global__ void __launch_bounds__(listThreads)
    sumStatesOfGroups(GroupTerms terms, int n, const Macroscopic* states, double* values)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= n) return;
    double* own = values + std::size_t(i) * valuesOf(reading);
    if (terms.begin) sumStates<reading>(terms, i, states, own);
    else writeState<reading>(states[i], own);
}

// tau: of nodes, null: that of all; force: [n][3], null: that of `moments`.
template<class L>
__global__ void __launch_bounds__(listThreads)
    populationsOfStates(const Macroscopic* states, int n, Moments<L> moments, double tauOfAll, const double* tau,
                        const double* force, double* populations)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= n) return;
    double* own = populations + std::size_t(i) * L::Q;
    const double t = tau ? tau[i] : tauOfAll;
    if (force) moments.populations(states[i], t, force + 3 * std::size_t(i), own);
    else moments.populations(states[i], t, own);
}

__global__ inline void __launch_bounds__(listThreads)
    scaleStates(const Macroscopic* from, int n, StateScale scale, Macroscopic* to)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i < n) to[i] = scaled(from[i], scale);
}

// Where NodeViscosity::tauOfStrain tells them.
__global__ inline void __launch_bounds__(listThreads)
    tausOfStates(const Macroscopic* states, int n, NodeViscosity viscosity, double* tau)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= n) return;
    double s[6], square = 0;
    for (int k = 0; k < 6; ++k) s[k] = states[i].strainRate[k];
    for (int a = 0; a < 3; ++a) square += states[i].velocity[a] * states[i].velocity[a];
    tau[i] = viscosity.tauOfStrain(shearRateOf(s), sqrt(square));
}

template<int Q>
__global__ void __launch_bounds__(listThreads)
    sumPopulationsOfGroups(GroupTerms terms, int n, const double* populations, double* sums)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i < n) sums[i] = sumPopulations(terms, i, Q, populations);
}

// Each thread looks at some of n nodes: at its own, and at every so many after it as there are threads.
constexpr std::size_t mostWatchers = 8192;

template<int Q>
__global__ void __launch_bounds__(listThreads)
    watchPopulations(int n, int watchers, const double* populations, Extremes* found)
{
    const int first = blockIdx.x * listThreads + threadIdx.x;
    if (first >= watchers) return;
    Extremes all{0, 0, 0, 0};
    for (int i = first; i < n; i += watchers) include(all, extremesOf(populations + std::size_t(i) * Q, Q));
    found[first] = all;
}

template<int Q>
__global__ void __launch_bounds__(listThreads)
    watchStates(int n, int watchers, const Macroscopic* states, Extremes* found)
{
    const int first = blockIdx.x * listThreads + threadIdx.x;
    if (first >= watchers) return;
    Extremes all{0, 0, 0, 0};
    for (int i = first; i < n; i += watchers) include(all, extremesOf(states[i]));
    found[first] = all;
}

// CudaReading: the memory in which blocks of sets are worked on, of the largest that there was so far, and what is done there.
template<class L>
class CudaReading {
public:
    explicit CudaReading(const cuda::Device& device) : device_(&device) {}

    double* populations(std::size_t nodes) { return need(populations_, nodes * L::Q); }

    // A block of a set of boxes, its nodes listed and their states written out: of linear ones on the device. Null: listed alone.
    template<class TileT>
    CudaNodes::Block listed(const CudaNodes& set, std::size_t b, const LinearState* states)
    {
        CudaNodes::Block block = set.block(b);
        NodePlace* places = need(places_, block.nodes);
        set.boxes()->template list<TileT>(block.group, block.groups, places, states, need(states_, block.nodes));
        device_->check("kernel of boxes of nodes");
        block.places = places;
        return block;
    }

    // What states stand for, in the place of populations. tau, force: of nodes; empty: those of all.
    void imagine(std::size_t n, const Macroscopic* states, const Moments<L>& moments, double tauOfAll,
                 const std::vector<double>& tau, const std::vector<double>& force)
    {
        if (n == 0) return;
        if (!statesToDevice_) statesToDevice_.emplace(*device_);
        statesToDevice_->send(need(states_, n), states, n * sizeof(Macroscopic));
        imagine(n, moments, tauOfAll, tau, force);
    }

    // Of the states there.
    void imagine(std::size_t n, const Moments<L>& moments, double tauOfAll, const std::vector<double>& tau,
                 const std::vector<double>& force)
    {
        if (n > 0) makePopulations(n, moments, tauOfAll, uploaded(tau_, tau), uploaded(force_, force));
    }

    // The states there, of n nodes that were kept on the device, or for who needs them on the host.
    void scale(std::size_t n, const Macroscopic* kept, const StateScale& scale)
    {
        if (n == 0) return;
        scaleStates<<<blocksFor(n, listThreads), listThreads>>>(kept, int(n), scale, need(states_, n));
        device_->check("kernel of states in other units");
    }
    void download(Macroscopic* states, std::size_t n) const { states_.download(states, n); }

    // Of the states there, with relaxation times that follow from them.
    void imagineStrained(std::size_t n, const Moments<L>& moments, const NodeViscosity& viscosity,
                         const std::vector<double>& force)
    {
        if (n == 0) return;
        tausOfStates<<<blocksFor(n, listThreads), listThreads>>>(states_.data(), int(n), viscosity, need(tau_, n));
        device_->check("kernel of nodes' relaxation times");
        makePopulations(n, moments, 0, tau_.data(), uploaded(force_, force));
    }

    // States of a block's nodes, see findStates.
    template<class StateAt>
    const Macroscopic* find(const CudaNodes::Block& b, bool strain, const StateAt& stateAt)
    {
        Macroscopic* states = need(states_, b.nodes);
        if (b.nodes == 0) return states;
        findStates<<<blocksFor(b.nodes, listThreads), listThreads>>>(b.places, int(b.nodes), strain, stateAt, states);
        device_->check("kernel of nodes' states");
        return states;
    }

    void sumStates(const CudaNodes::Block& b, Reading reading, double* values)
    {
        const std::size_t count = b.groups * valuesOf(reading);
        double* sums = need(sums_, count);
        withReading(reading, [&](auto read) {
            if (b.large)
                sumGroups<read><<<unsigned(GroupShare<read>::blocks(b.groups)), GroupShare<read>::threads>>>(
                    b.terms, int(b.groups), states_.data(), sums);
            else
                sumStatesOfGroups<read>
                    <<<blocksFor(b.groups, listThreads), listThreads>>>(b.terms, int(b.groups), states_.data(), sums);
        });
        device_->check("kernel of sums of states");
        sums_.download(values + b.group * valuesOf(reading), count);
    }

    void sumPopulations(const CudaNodes::Block& b, double* values)
    {
        double* sums = need(sums_, b.groups);
        sumPopulationsOfGroups<L::Q>
            <<<blocksFor(b.groups, listThreads), listThreads>>>(b.terms, int(b.groups), populations_.data(), sums);
        device_->check("kernel of sums of populations");
        sums_.download(values + b.group, b.groups);
    }

    void upload(const double* values, std::size_t nodes, int each = L::Q) { populations_.upload(values, nodes * each); }
    void download(double* values, std::size_t nodes, int each = L::Q) const
    {
        populations_.download(values, nodes * each);
    }

    Extremes ofStates(std::size_t n) { return ofStates(states_.data(), n); }
    Extremes ofStates(const Macroscopic* states, std::size_t n) { return watch(n, watchStates<L::Q>, states); }
    Extremes ofPopulations(std::size_t n) { return watch(n, watchPopulations<L::Q>, populations_.data()); }

private:
    // Null: of nothing.
    const double* uploaded(cuda::Array<double>& to, const std::vector<double>& from)
    {
        if (from.empty()) return nullptr;
        need(to, from.size());
        to.upload(from.data(), from.size());
        return to.data();
    }

    void makePopulations(std::size_t n, const Moments<L>& moments, double tauOfAll, const double* tau,
                         const double* force)
    {
        populationsOfStates<<<blocksFor(n, listThreads), listThreads>>>(states_.data(), int(n), moments, tauOfAll, tau,
                                                                        force, populations(n));
        device_->check("kernel of nodes' populations");
    }

    template<class T>
    T* need(cuda::Array<T>& array, std::size_t n)
    {
        if (array.size() < n) array = {*device_, n};
        return array.data();
    }

    template<class Value>
    Extremes watch(std::size_t n, void (*kernel)(int, int, const Value*, Extremes*), const Value* values)
    {
        Extremes all;
        if (n == 0) return all;
        const std::size_t watchers = std::min(n, mostWatchers);
        kernel<<<blocksFor(watchers, listThreads), listThreads>>>(int(n), int(watchers), values,
                                                                  need(found_, watchers));
        device_->check("kernel of extremes");
        onHost_.resize(mostWatchers);
        found_.download(onHost_.data(), watchers);
        for (std::size_t i = 0; i < watchers; ++i) include(all, onHost_[i]);
        return all;
    }

    const cuda::Device* device_;
    cuda::Array<double> populations_, sums_, tau_, force_;
    cuda::Array<NodePlace> places_;
    cuda::Array<Macroscopic> states_;
    std::optional<cuda::Upload> statesToDevice_; // from when nodes are first told states
    cuda::Array<Extremes> found_;
    std::vector<Extremes> onHost_;
};

} // namespace lbm
