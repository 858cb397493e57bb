// CudaTiles: populations on tiles in the memory of a CUDA device, for patterns that are two Phases.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/nodes/CudaGeometry.hpp"
#include "lbm/storage/nodes/CudaStep.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

namespace lbm {

template<class Phases, class LatticeT, class T, class TileT>
class CudaTiles {
public:
    using L = LatticeT;
    using Scalar = T;
    using Node = typename NodeOf<Phases, L, TileT>::Type;
    static constexpr int nodesPerTile = Node::N, copies = Phases::copies;

    CudaTiles(const Domain& domain, const Config& config, const CudaStep<T>& step) :
        stepKernel_(step),
        geometry_(domain, config, Phases::layout, TileOrder::rimLast,
                  tellsCurved<Node> ? CurvedIn::step : CurvedIn::beforeStep),
        incompressible_(isIncompressible(config))
    {}

    const CudaGeometry<L, T, TileT>& geometry() const { return geometry_; }
    CudaGeometry<L, T, TileT>& geometry() { return geometry_; }

    std::size_t stateBytes() const { return geometry_.tables().values() * sizeof(T) * copies; }
    std::size_t geometryBytes() const { return geometry_.bytes(); }
    std::size_t idealBytes() const { return std::size_t(geometry_.host().fluidNodes()) * L::Q * sizeof(T) * copies; }

    void copyTo(const cuda::Device& device)
    {
        geometry_.copyTo(device);
        current_ = {device, geometry_.tables().values()};
        if (copies == 2) next_ = {device, current_.size()};
    }

    // A step: what links bring that are more than resting walls, tiles of the rim and inner ones, its end.
    void beginStep(const cuda::Device& device, const cuda::Stream& stream, const Parameters<T>& p)
    {
        atPhase([&](auto phase) { completeLinks<typename decltype(phase)::Load>(device, stream.handle(), p); });
    }

    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              PartOfTiles part)
    {
        const auto& tables = geometry_.tables();
        if (tables.range(part).count() == 0) return;
        (odd_ ? stepKernel_.odd : stepKernel_.even)(tables.inRange(geometry_.view(), part), current_.data(),
                                                    copies == 2 ? next_.data() : current_.data(), geometry_.curved(),
                                                    fromTile(p, tables.firstInRange(part)), odd_, stream.handle());
        device.check(what);
    }

    void endStep()
    {
        written_ = false;
        if (copies == 2) current_.swap(next_);
        odd_ = !odd_;
    }

    // A step writes to the other copy alone: nothing has to be completed before, where populations are.
    bool keepsState() const { return copies == 2 && !geometry_.tables().changesBeforeStep(); }

    // Ghosts' new state may be taken over while the step is still at work: it is not what the step reads or writes.
    bool takesBesideStep() const { return copies == 2 && !geometry_.tables().stepsGhosts(); }

    // values: [n][Q], in device memory.
    template<bool write>
    void access(const NodePlace* places, std::size_t n, double* values) const
    {
        if constexpr (write) written_ = true;
        // access() serves both directions, as does the address.
        T* current = const_cast<T*>(current_.data());
        atPhase([&](auto phase) {
            lbm::access<typename decltype(phase)::Load, Node, write>
                <<<blocksFor(n, listThreads), listThreads>>>(geometry_.view(), places, int(n), current, values);
        });
    }

    // For ghosts what their owners store in another part, or in this one. needed: see takeNodes.
    void take(const CudaTiles& from, std::size_t n, const NodePlace* owners, const NodePlace* ghosts,
              const std::uint32_t* needed, const cuda::Stream& stream)
    {
        atPhase([&](auto phase) {
            takeNodes<typename decltype(phase)::Load, Node>
                <<<dim3(unsigned(blocksFor(n, listThreads)), takers), listThreads, 0, stream.handle()>>>(
                    int(n), from.geometry_.view(), owners, from.current_.data(), geometry_.view(), ghosts,
                    current_.data(), needed);
        });
    }

    // Every stride-th tile; ghosts: see isGhost.
    void inspect(std::size_t n, int stride, const TileHealth& none, const std::uint32_t* ghosts,
                 TileHealth* found) const
    {
        atPhase([&](auto phase) {
            lbm::inspect<typename decltype(phase)::Load, Node><<<unsigned(n), Node::N>>>(
                geometry_.view(), stride, current_.data(), incompressible_, none, ghosts, found);
        });
    }

private:
    // Calls back with the phase of the step to come.
    template<class F>
    void atPhase(F&& f) const
    {
        if (odd_) f(typename Phases::Odd{});
        else f(typename Phases::Even{});
    }

    // What nodes are given one by one is found by the number of their tile, which counts from the first one in view.
    static Parameters<T> fromTile(Parameters<T> p, std::int32_t first)
    {
        NodeFields<T>& fields = p.closure.fields;
        if (fields.tau) fields.tau += std::size_t(first) * Node::N;
        if (fields.force) fields.force += placeOfForce<L::D>(first, 0, 0, Node::N);
        return p;
    }

    // Populations of links that kernels know as reflecting though they are not.
    template<class Next>
    void completeLinks(const cuda::Device& device, cuda::StreamHandle stream, const Parameters<T>& p)
    {
        const auto boundary = geometry_.boundary(incompressible_, written_);
        const auto view = geometry_.view();
        T* current = current_.data();
        if (const int n = boundary.companyCount + boundary.recalledCount + boundary.loneCount) {
            rememberStates<Next, Node>
                <<<blocksFor(n, listThreads), listThreads, 0, stream>>>(view, boundary, p, current);
            device.check("kernel of boundary nodes");
        }
        if (const int n = (boundary.companyCount ? boundary.linkCount : 0) + boundary.pairCount) {
            completeEachLink<Next, Node>
                <<<blocksFor(n, listThreads), listThreads, 0, stream>>>(view, boundary, p, current);
            device.check("kernel of boundary links");
        }
        if (const int n = boundary.betweenCount) {
            interpolateWalls<Next, Node>
                <<<blocksFor(n, listThreads), listThreads, 0, stream>>>(view, boundary, current);
            device.check("kernel of interpolated walls");
        }
        if (const int n = boundary.openingCount) {
            imposeOpenings<Next, Node>
                <<<blocksFor(n, listThreads), listThreads, 0, stream>>>(view, boundary, p, current);
            device.check("kernel of openings");
        }
    }

    CudaStep<T> stepKernel_;
    CudaGeometry<L, T, TileT> geometry_;
    bool incompressible_;
    bool odd_ = false;
    mutable bool written_ =
        false; // populations were, since the last step; what nodes sent away is to be looked up again
    cuda::Array<T> current_, next_;
};

} // namespace lbm
