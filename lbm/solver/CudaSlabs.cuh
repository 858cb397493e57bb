// CudaSlabs: an executor of steps for a domain that lies in the host's memory, of which a CUDA device holds a window: slabs come in,
// make the steps of a pass and go out, while the next one comes and the one before leaves (lbm/geometry/Slabs.hpp).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/model/SlabPlan.hpp"
#include "lbm/solver/SlabFit.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace lbm {

template<class Storage>
class CudaSlabs {
    static constexpr int axis = Storage::L::D - 1;

public:
    // What a device offers: budget and besides in bytes of device memory, for all and for what is no window.
    static SlabOffer offer(const cuda::Device& device, const Storage& storage, const Domain& domain, std::size_t budget,
                           std::size_t besides)
    {
        const TileGrid& grid = storage.geometry().grid();
        requireStreamable(domain, grid.extents(), axis);
        SlabOffer own;
        own.below = grid.tilesBelow(axis);
        own.shape.reach = storage.layersLookedAt();
        own.shape.remembers = storage.remembersForOthers();
        own.shape.periodic = domain.periodic[axis];
        const LinkRates rates = linkRates(device);
        own.facts.budget = budget > besides ? budget - besides : 0;
        own.facts.nodesOfTile = Storage::nodesPerTile;
        own.facts.startLayers = Storage::startLayers;
        own.facts.layersOfTile = grid.extents()[axis];
        own.facts.nodeBytes = double(storage.homeBytes()) / (double(grid.tiles()) * Storage::nodesPerTile);
        own.facts.linkRate = rates.link;
        own.facts.deviceRate = rates.device;
        own.facts.windowBytes = [&storage, below = own.below](const SlabShape& s, int steps) {
            return storage.windowBytes(s, steps, below);
        };
        return own;
    }

    // Throws cuda::Error where nothing fits, with the least that is enough. Of a budget for all `besides` is no window.
    CudaSlabs(const cuda::Device& device, Storage& storage, const SlabPlan& plan, std::size_t budget,
              std::size_t besides) :
        device_(device),
        storage_(storage),
        below_(storage.geometry().grid().tilesBelow(axis)),
        plan_(plan),
        in_(device),
        out_(device),
        cameIn_(fourOf(device)),
        stepped_(fourOf(device)),
        wentOut_(fourOf(device))
    {
        if (plan_.steps == 0) throw tooLittle(device, budget, plan_.windows + besides);
        storage.streamTo(device, plan_.shape, plan_.steps, below_);
    }

    void advance(std::int64_t steps, const cuda::Stream& stream, const Parameters<typename Storage::Scalar>& p,
                 const std::string& what)
    {
        for (std::int64_t pieces = begin(steps); pieces > 0; --pieces) {
            stepPiece(stream, p, what);
            endPiece(stream);
        }
        end(stream);
    }

    // The same piece by piece: passes of at most as many steps as planned, one close behind the other. Begins when all that was begun
    // before has ended. How many pieces.
    std::int64_t begin(std::int64_t steps)
    {
        const std::vector<int> passes = passesOf(steps, plan_.steps);
        order_.reset();
        if (passes.empty()) return 0;
        for (const int length : passes) list(length);
        order_.emplace(plan_.shape, passes);
        at_ = stepsMade_ = 0;
        takeUp(*order_, 0, 0);
        return steps * (order_->count() / std::int64_t(passes.size()));
    }

    void stepPiece(const cuda::Stream& stream, const Parameters<typename Storage::Scalar>& p, const std::string& what)
    {
        const SlabOrder& order = *order_;
        if (stepsMade_ == 0) {
            if (takesUpEarly()) takeUp(order, at_ + 1, at_);
            stream.waitFor(of(cameIn_, at_));
            if (order.outBeforeSteps(at_) >= 0) stream.waitFor(of(wentOut_, order.outBeforeSteps(at_)));
        }
        storage_.beginStep(device_, stream, p, piece());
        storage_.step(device_, stream, what, p, piece(), passOf(order.slabs(at_).steps()).tables);
    }

    // What has just been stepped, until it is ended.
    const SlabStep& piece() const
    {
        const std::size_t steps = std::size_t(order_->slabs(at_).steps());
        return passOf(int(steps)).pieces[std::size_t(order_->slab(at_)) * steps + std::size_t(stepsMade_)];
    }

    // Behind all that the stream has been given of the piece.
    void endPiece(const cuda::Stream& stream)
    {
        const SlabOrder& order = *order_;
        if (++stepsMade_ < order.slabs(at_).steps()) return;
        stream.record(of(stepped_, at_));
        takeOut(order, at_);
        if (!isLast() && !takesUpEarly()) takeUp(order, at_ + 1, at_);
        if (order.endsPass(at_)) storage_.endSteps(order.slabs(at_).steps());
        stepsMade_ = 0;
        ++at_;
    }

    void end(const cuda::Stream& stream)
    {
        if (order_) stream.waitFor(of(wentOut_, order_->count() - 1));
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
                pass.pieces.push_back({remembered, own, step, pass.pieces.size(), slabs.stepped(slab, step)});
            }
        pass.tables = storage_.tablesOf(device_, pass.pieces);
    }

    bool isLast() const { return at_ + 1 == order_->count(); }
    // Before the steps, if it need not wait for them: the host waits where very many are begun
    bool takesUpEarly() const { return !isLast() && order_->outBeforeTakenUp(at_ + 1) < at_; }

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
    std::optional<SlabOrder> order_; // of what is being advanced
    int at_ = 0, stepsMade_ = 0;     // slab in that order, and steps that it has made
};

} // namespace lbm
