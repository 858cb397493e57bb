// CudaTiles: populations on tiles in the memory of a CUDA device, for patterns that are two Phases.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Storage.hpp"
#include "lbm/storage/LinkReach.hpp"
#include "lbm/storage/nodes/CudaGeometry.hpp"
#include "lbm/storage/nodes/CudaState.hpp"
#include "lbm/storage/nodes/CudaStep.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

#include <bit>
#include <type_traits>

namespace lbm {

template<class Phases, class LatticeT, class T, class TileT>
class CudaTiles {
public:
    using L = LatticeT;
    using Scalar = T;
    using Tile = TileT;
    using Node = typename NodeOf<Phases, L, TileT>::Type;
    static constexpr int nodesPerTile = Node::N, copies = Phases::copies;

    // Slabs may stream through the device.
    static constexpr double startLayers = 0; // see SlabFacts
    static constexpr bool streams = findStorage("cuda", Phases::name)->streams;

    // streamed: they are to.
    CudaTiles(const Domain& domain, const Config& config, bool streamed, const CudaStep<T>& step) :
        stepKernel_(step),
        geometry_(domain, config, Phases::layout, streamed ? TileOrder::layers : TileOrder::rimLast,
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
        state_.reside(device, geometry_.tables().values(), copies);
    }

    // The same for slabs. below: tiles below each of their layers.
    bool remembersForOthers() const { return geometry_.tables().remembersForOthers(); }
    int layersLookedAt() const { return lbm::layersLookedAt(geometry_.host(), L::D - 1); }
    std::size_t windowBytes(const SlabShape& shape, int steps, const std::vector<std::int32_t>& below) const
    {
        return CudaState<T>::windowBytes(copies, windowOf(shape, steps, valuesBelow(below)));
    }
    void prepareSlabs(const cuda::Device& device) { geometry_.copyTo(device); }
    void streamTo(const cuda::Device& device, const SlabShape& shape, int steps, const std::vector<std::int32_t>& below)
    {
        state_.stream(device, geometry_.tables().values(), copies, windowOf(shape, steps, valuesBelow(below)));
    }
    void takeUp(const TileRange& tiles, bool forNextPass, const cuda::Stream& stream)
    {
        state_.takeUp(valuesBefore(tiles.first), valuesBefore(tiles.last), forNextPass, stream);
    }
    void takeOut(const TileRange& tiles, int steps, const cuda::Stream& stream)
    {
        state_.takeOut(valuesBefore(tiles.first), valuesBefore(tiles.last), steps, stream);
    }
    struct PassTables {};
    PassTables tablesOf(const cuda::Device&, const std::vector<SlabStep>&) const { return {}; }
    std::size_t homeBytes() const { return geometry_.tables().values() * sizeof(T); }

    // A step, the one after `ahead` others: what links bring that are more than resting walls, tiles, and then the end of
    // some steps. Of a piece, nodes that others look at are seen to before.
    void beginStep(const cuda::Device& device, const cuda::Stream& stream, const Parameters<T>& p)
    {
        const auto whole = geometry_.boundary(incompressible_, written_);
        atPhase(0, [&](auto phase) {
            completeLinks<typename decltype(phase)::Load>(device, stream.handle(), p, &whole, 1, 0);
        });
    }

    void beginStep(const cuda::Device& device, const cuda::Stream& stream, const Parameters<T>& p,
                   const SlabStep& piece)
    {
        const bool forgotten = written_ && piece.ahead == 0;
        const BoundaryView<L, T> pieces[2] = {
            geometry_.boundary(incompressible_, forgotten, piece.remembered[0], piece.stepped[0]),
            geometry_.boundary(incompressible_, forgotten, piece.remembered[1], piece.stepped[1])};
        atPhase(piece.ahead, [&](auto phase) {
            completeLinks<typename decltype(phase)::Load>(device, stream.handle(), p, pieces, 2, piece.ahead);
        });
    }

    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              PartOfTiles part)
    {
        step(device, stream, what, p, geometry_.tables().range(part), 0);
    }

    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              const TileRange& tiles, int ahead)
    {
        const auto& tables = geometry_.tables();
        if (tiles.count() == 0) return;
        const bool odd = isOdd(ahead);
        (odd ? stepKernel_.odd : stepKernel_.even)(tables.inRange(geometry_.view(), tiles), state_.at(ahead),
                                                   state_.at(ahead + 1), geometry_.curved(),
                                                   fromTile(p, tables.firstInView(tiles)), odd, stream.handle());
        device.check(what);
    }

    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              const SlabStep& piece, const PassTables&)
    {
        for (const TileRange& tiles : piece.stepped) step(device, stream, what, p, tiles, piece.ahead);
    }

    void endSteps(int steps)
    {
        written_ = false;
        state_.moveOn(steps);
        odd_ = isOdd(steps);
    }

    // Steps follow each other so closely (launchEarly) as kernels of a recording do not.
    static constexpr bool repeats() { return false; }
    void beginRecord(const cuda::Device&) {}
    void endRecord(const cuda::Stream&, std::int64_t) {}
    void beginAgain(const cuda::Stream&, std::int64_t) {}

    // A step writes to the other copy alone: nothing has to be completed before, where populations are.
    bool keepsState() const { return copies == 2 && !geometry_.tables().changesBeforeStep(); }

    // Ghosts' new state may be taken over while the step is still at work: it is not what the step reads or writes.
    // A kernel for the rim comes before one for inner tiles.
    static constexpr bool splitsRim() { return false; }
    bool takesBesideStep() const { return copies == 2 && !geometry_.tables().stepsGhosts(); }

    // values: [n][Q], in device memory.
    template<bool write>
    void access(const NodePlace* places, std::size_t n, double* values) const
    {
        if constexpr (write) written_ = true;
        T* current = state_.now();
        atPhase(0, [&](auto phase) {
            lbm::access<typename decltype(phase)::Load, Node, write>
                <<<blocksFor(n, listThreads), listThreads>>>(geometry_.view(), places, int(n), current, values);
        });
    }

    // See changeNodes.
    template<class Change>
    void change(const NodePlace* places, std::size_t n, const Change& change)
    {
        written_ = true;
        T* current = state_.now();
        atPhase(0, [&](auto phase) {
            changeNodes<typename decltype(phase)::Load, Node>
                <<<blocksFor(n, listThreads), listThreads>>>(geometry_.view(), places, int(n), current, change);
        });
    }

    // visit(knownAt): knownAt(place) is what kernels make a node's state of (Moments::state).
    template<class Visit>
    void withKnown(Visit&& visit) const
    {
        const T* current = state_.now();
        atPhase(0, [&](auto phase) {
            visit(WaitingPopulations<typename decltype(phase)::Load, Node, T>{geometry_.view(), current});
        });
    }

    // visit(momentumAt): what kernels read the momentum of a node with, see MomentumOfPopulations.
    template<class Visit>
    void withMomentum(Visit&& visit) const
    {
        withKnown([&](const auto& populationsAt) {
            using Populations = std::remove_cvref_t<decltype(populationsAt)>;
            visit(MomentumOfPopulations<L, Populations>{populationsAt, incompressible_});
        });
    }

    // For ghosts what their owners store in another part, or in this one. ahead: see CudaState::handedOver; windows are another
    // device's after letIn.
    static constexpr int betweenSteps = CudaState<T>::betweenSteps;
    void letIn(const cuda::Device& own, const cuda::Device& other) { state_.letIn(own, other); }
    void take(const CudaTiles& from, std::size_t n, const NodePlace* owners, const NodePlace* ghosts,
              const Wanted& wanted, const cuda::Stream& stream, int ahead = betweenSteps)
    {
        pass<Passing::direct>(n, from.geometry_.view(), owners, from.state_.handedOver(ahead), geometry_.view(), ghosts,
                              state_.handedOver(ahead), wanted, stream, ahead);
    }

    // The same by way of other memory, of so many bytes: for all of n nodes, and for what is wanted.
    static std::size_t bytesGiven(std::size_t n) { return n * L::Q * sizeof(T); }
    static std::size_t bytesGiven(const std::vector<std::uint32_t>& wanted)
    {
        std::size_t values = 0;
        for (const std::uint32_t populations : wanted) values += std::size_t(std::popcount(populations));
        return values * sizeof(T);
    }
    void give(std::size_t n, const NodePlace* owners, const Wanted& wanted, void* given, const cuda::Stream& stream,
              int ahead = betweenSteps) const
    {
        pass<Passing::give>(n, geometry_.view(), owners, state_.handedOver(ahead), geometry_.view(), nullptr,
                            static_cast<T*>(given), wanted, stream, ahead);
    }
    void takeGiven(std::size_t n, const NodePlace* ghosts, const Wanted& wanted, const void* given,
                   const cuda::Stream& stream, int ahead = betweenSteps)
    {
        pass<Passing::takeGiven>(n, geometry_.view(), nullptr, static_cast<const T*>(given), geometry_.view(), ghosts,
                                 state_.handedOver(ahead), wanted, stream, ahead);
    }

    // n tiles, null: the first ones; leftOut: see isLeftOut.
    void inspect(std::size_t n, const std::int32_t* tiles, const TileHealth& none, const std::uint32_t* leftOut,
                 TileHealth* found) const
    {
        atPhase(0, [&](auto phase) {
            lbm::inspect<typename decltype(phase)::Load, Node><<<unsigned(n), Node::N>>>(
                geometry_.view(), tiles, state_.now(), incompressible_, none, leftOut, found);
        });
    }

private:
    template<Passing passing>
    void pass(std::size_t n, const TilesView& viewFrom, const NodePlace* owners, const T* from, const TilesView& view,
              const NodePlace* ghosts, T* to, const Wanted& wanted, const cuda::Stream& stream, int ahead) const
    {
        atPhase(std::max(ahead, 0), [&](auto phase) {
            takeNodes<passing, typename decltype(phase)::Load, Node>
                <<<dim3(unsigned(blocksFor(n, listThreads)), takers), listThreads, 0, stream.handle()>>>(
                    int(n), viewFrom, owners, from, view, ghosts, to, wanted);
        });
    }

    bool isOdd(int ahead) const { return odd_ != (ahead % 2 != 0); }

    // Calls back with the phase of the step after `ahead` others.
    template<class F>
    void atPhase(int ahead, F&& f) const
    {
        if (isOdd(ahead)) f(typename Phases::Odd{});
        else f(typename Phases::Even{});
    }

    std::size_t valuesBefore(std::int32_t tile) const { return geometry_.tables().valuesBefore(tile); }
    std::vector<std::size_t> valuesBelow(const std::vector<std::int32_t>& tiles) const
    {
        std::vector<std::size_t> values;
        for (const std::int32_t t : tiles) values.push_back(valuesBefore(t));
        return values;
    }

    // What nodes are given one by one is found by the number of their tile, which counts from the first one in view.
    static Parameters<T> fromTile(Parameters<T> p, std::int32_t first)
    {
        NodeFields<T>& fields = p.closure.fields;
        if (fields.tau) fields.tau += std::size_t(first) * Node::N;
        if (fields.force) fields.force += placeOfForce<L::D>(first, 0, 0, Node::N);
        return p;
    }

    // Populations of links that kernels know as reflecting though they are not. Each kernel has done with all pieces before the
    // next one begins.
    template<class Next>
    void completeLinks(const cuda::Device& device, cuda::StreamHandle stream, const Parameters<T>& p,
                       const BoundaryView<L, T>* pieces, int count, int ahead)
    {
        const auto view = geometry_.view();
        T* current = state_.at(ahead);
        const auto each = [&](const char* what, auto&& sizeOf, auto&& launch) {
            for (const BoundaryView<L, T>* b = pieces; b != pieces + count; ++b) {
                const int n = sizeOf(*b);
                if (n == 0) continue;
                launch(*b, blocksFor(n, listThreads));
                device.check(what);
            }
        };
        using View = const BoundaryView<L, T>&;
        each(
            "kernel of boundary nodes",
            [](View b) { return b.companyCount + b.recalledCount + b.distantCount + b.loneCount; },
            [&](View b, int blocks) {
                rememberStates<Next, Node><<<blocks, listThreads, 0, stream>>>(view, b, p, current);
            });
        each(
            "kernel of boundary links", [](View b) { return b.linkCount + b.pairCount; },
            [&](View b, int blocks) {
                completeEachLink<Next, Node><<<blocks, listThreads, 0, stream>>>(view, b, p, current);
            });
        each(
            "kernel of interpolated walls", [](View b) { return b.betweenCount; },
            [&](View b, int blocks) {
                interpolateWalls<Next, Node><<<blocks, listThreads, 0, stream>>>(view, b, current);
            });
        each(
            "kernel of openings", [](View b) { return b.openingCount; },
            [&](View b, int blocks) {
                imposeOpenings<Next, Node><<<blocks, listThreads, 0, stream>>>(view, b, p, current);
            });
    }

    CudaStep<T> stepKernel_;
    CudaGeometry<L, T, TileT> geometry_;
    bool incompressible_;
    bool odd_ = false;
    mutable bool written_ =
        false; // populations were, since the last step; what nodes sent away is to be looked up again
    CudaState<T> state_;
};

} // namespace lbm
