// CudaSlabs: an executor of steps for a domain that lies in the host's memory, of which a CUDA device holds a window: slabs come in,
// make the steps of a pass and go out, while the next one comes and the one before leaves (lbm/geometry/Slabs.hpp).
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Reach.hpp"
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
        shape.reach = (reachOf(config) + grid.extents()[axis] - 1) / grid.extents()[axis];
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

    // Passes of as many steps as planned, and one of what is left. Begins when all that was begun before has ended.
    void advance(std::int64_t steps, const cuda::Stream& stream, const Parameters<typename Storage::Scalar>& p,
                 const std::string& what)
    {
        for (; steps >= plan_.steps; steps -= plan_.steps) pass(listed(whole_, plan_.steps), stream, p, what);
        if (steps > 0) pass(listed(rest_, int(steps)), stream, p, what);
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

    const Pass& listed(Pass& pass, int steps)
    {
        if (pass.steps == steps) return pass;
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
        return pass;
    }

    void pass(const Pass& pass, const cuda::Stream& stream, const Parameters<typename Storage::Scalar>& p,
              const std::string& what)
    {
        const Slabs slabs(plan_.shape, pass.steps);
        takeUp(slabs, 0);
        for (int slab = 0; slab < slabs.count(); ++slab) {
            takeUp(slabs, slab + 1); // before the steps: the host waits where very many are begun
            stream.waitFor(of(cameIn_, slab));
            if (slab >= Slabs::outBeforeSteps) stream.waitFor(of(wentOut_, slab - Slabs::outBeforeSteps));
            for (int step = 0; step < pass.steps; ++step) {
                const SlabStep& piece = pass.pieces[std::size_t(slab) * std::size_t(pass.steps) + std::size_t(step)];
                storage_.beginStep(device_, stream, p, piece);
                storage_.step(device_, stream, what, p, piece, pass.tables);
            }
            stream.record(of(stepped_, slab));
            out_.waitFor(of(stepped_, slab));
            for (const TileRange& range : tiles(slabs.finished(slab))) storage_.takeOut(range, pass.steps, out_);
            out_.record(of(wentOut_, slab));
        }
        in_.waitFor(of(wentOut_, slabs.count() - 1)); // the next pass brings in what this one takes out
        stream.waitFor(of(wentOut_, slabs.count() - 1));
        storage_.endSteps(pass.steps);
    }

    void takeUp(const Slabs& slabs, int slab)
    {
        if (slab >= slabs.count()) return;
        if (slab >= Slabs::outBeforeTakenUp) in_.waitFor(of(wentOut_, slab - Slabs::outBeforeTakenUp));
        for (const TileRange& range : tiles(slabs.takenUp(slab))) storage_.takeUp(range, in_);
        in_.record(of(cameIn_, slab));
    }

    static cuda::Event& of(Events& events, int slab) { return events[std::size_t(slab) % events.size()]; }

    const cuda::Device& device_;
    Storage& storage_;
    std::vector<std::int32_t> below_;
    SlabPlan plan_;
    cuda::Stream in_, out_;
    Events cameIn_, stepped_, wentOut_;
    Pass whole_, rest_;
};

} // namespace lbm
