// CudaSlabs: an executor of steps for a domain that lies in the host's memory, of which a CUDA device holds a window: slabs come in,
// make the steps of a pass and go out, while the next one comes and the one before leaves (lbm/geometry/Slabs.hpp).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/model/SlabPlan.hpp"
#include "lbm/solver/SlabFit.hpp"

#include <array>
#include <string>
#include <vector>

namespace lbm {

template<class Storage>
class CudaSlabs {
public:
    // budget: bytes of device memory, for all. Throws cuda::Error if that is too little, with the least that is enough.
    CudaSlabs(const cuda::Device& device, Storage& storage, const Config& config, const Domain& domain,
              std::size_t budget, std::size_t besides) :
        device_(device),
        storage_(storage),
        in_(device),
        out_(device),
        cameIn_(fourOf(device)),
        stepped_(fourOf(device)),
        wentOut_(fourOf(device))
    {
        constexpr int axis = Storage::L::D - 1;
        const TileGrid& grid = storage.geometry().grid();
        requireStreamable(domain, grid.extents(), axis);
        below_ = grid.tilesBelow(axis);
        SlabShape shape;
        shape.reach = storage.layersLookedAt(config);
        shape.remembers = storage.remembersForOthers();
        shape.periodic = domain.periodic[axis];
        const LinkRates rates = linkRates(device);
        SlabFacts facts;
        facts.budget = budget > besides ? budget - besides : 0;
        facts.nodesOfTile = Storage::nodesPerTile;
        facts.startLayers = Storage::startLayers;
        facts.layersOfTile = grid.extents()[axis];
        facts.nodeBytes = double(storage.homeBytes()) / (double(grid.tiles()) * Storage::nodesPerTile);
        facts.linkRate = rates.link;
        facts.deviceRate = rates.device;
        facts.windowBytes = [&](const SlabShape& s, int steps) { return storage.windowBytes(s, steps, below_); };
        plan_ = planSlabs(facts, shape, below_, config.slabSteps, config.slabLayers);
        if (plan_.steps == 0) throw tooLittle(device, budget, plan_.windows + besides);
        storage.streamTo(device, plan_.shape, plan_.steps, below_);
    }

    // Passes of at most as many steps as planned, one close behind the other. Begins when all that was begun before has ended.
    void advance(std::int64_t steps, const cuda::Stream& stream, const Parameters<typename Storage::Scalar>& p,
                 const std::string& what)
    {
        const std::vector<int> passes = passesOf(steps, plan_.steps);
        if (passes.empty()) return;
        for (const int length : passes) list(length);
        const SlabOrder order(plan_.shape, passes);
        takeUp(order, 0, 0);
        for (int at = 0; at < order.count(); ++at) {
            // Before the steps, if it need not wait for them: the host waits where very many are begun
            const bool last = at + 1 == order.count(), early = !last && order.outBeforeTakenUp(at + 1) < at;
            if (early) takeUp(order, at + 1, at);
            step(order, at, stream, p, what);
            takeOut(order, at);
            if (!last && !early) takeUp(order, at + 1, at);
            if (order.endsPass(at)) storage_.endSteps(order.slabs(at).steps());
        }
        stream.waitFor(of(wentOut_, order.count() - 1));
    }

    const SlabPlan& plan() const { return plan_; }

private:
    using Events = std::array<cuda::Event, 4>; // of slabs that are on their way at once
    static Events fourOf(const cuda::Device& device)
    {
        return {cuda::Event(device), cuda::Event(device), cuda::Event(device), cuda::Event(device)};
    }

    TileRanges tiles(const LayerRange& layers) const { return tilesIn(layers, below_); }

    // What a pass of so many steps consists of.
    struct Pass {
        int steps = 0;
        std::vector<SlabStep> pieces;
        typename Storage::PassTables tables;
    };

    // Lengths of one advance differ by one step at most, so that one is even and one is odd.
    const Pass& passOf(int steps) const { return passes_[steps % 2]; }

    void list(int steps)
    {
        Pass& pass = passes_[steps % 2];
        if (pass.steps == steps) return;
        const Slabs slabs(plan_.shape, steps);
        pass.steps = steps;
        pass.pieces.clear();
        for (int slab = 0; slab < slabs.count(); ++slab)
            for (int step = 0; step < steps; ++step) {
                const TileRanges own = tiles(slabs.stepped(slab, step));
                const TileRanges remembered = plan_.shape.remembers ? tiles(slabs.remembered(slab, step)) : own;
                pass.pieces.push_back({remembered, own, step, pass.pieces.size()});
            }
        pass.tables = storage_.tablesOf(device_, pass.pieces);
    }

    void step(const SlabOrder& order, int at, const cuda::Stream& stream, const Parameters<typename Storage::Scalar>& p,
              const std::string& what)
    {
        stream.waitFor(of(cameIn_, at));
        if (order.outBeforeSteps(at) >= 0) stream.waitFor(of(wentOut_, order.outBeforeSteps(at)));
        const int steps = order.slabs(at).steps();
        const Pass& pass = passOf(steps);
        for (int step = 0; step < steps; ++step) {
            const SlabStep& piece = pass.pieces[std::size_t(order.slab(at)) * std::size_t(steps) + std::size_t(step)];
            storage_.beginStep(device_, stream, p, piece);
            storage_.step(device_, stream, what, p, piece, pass.tables);
        }
        stream.record(of(stepped_, at));
    }

    void takeOut(const SlabOrder& order, int at)
    {
        out_.waitFor(of(stepped_, at));
        const Slabs& slabs = order.slabs(at);
        for (const TileRange& range : tiles(slabs.finished(order.slab(at))))
            storage_.takeOut(range, slabs.steps(), out_);
        out_.record(of(wentOut_, at));
    }

    // While slab `during` is at work, be it one of the pass before.
    void takeUp(const SlabOrder& order, int at, int during)
    {
        if (const int out = order.outBeforeTakenUp(at); out >= 0) in_.waitFor(of(wentOut_, out));
        for (const TileRange& range : tiles(order.slabs(at).takenUp(order.slab(at))))
            storage_.takeUp(range, order.pass(at) != order.pass(during), in_);
        in_.record(of(cameIn_, at));
    }

    static cuda::Event& of(Events& events, int at) { return events[std::size_t(at) % events.size()]; }

    const cuda::Device& device_;
    Storage& storage_;
    std::vector<std::int32_t> below_;
    SlabPlan plan_;
    cuda::Stream in_, out_;
    Events cameIn_, stepped_, wentOut_;
    Pass passes_[2];
};

} // namespace lbm
