// CudaHalo: a Halo between two parts on CUDA devices, straight from where the owner keeps a node to where the ghost's part
// will look for it, be it another device's memory, by a kernel of the owners' device in a stream of its own, which is urgent: its
// few blocks go in between those of steps. (Reading from afar takes longer: lbm/bench/results/two-gpus.md.) Where a device does
// not reach the other one, it puts values into the host's memory, where that one takes them. Who waits for whom is told by events
// (CudaHalos). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaPeers.hpp"
#include "lbm/device/CudaStream.hpp"
#include "lbm/device/Window.hpp"
#include "lbm/solver/HaloLayers.hpp"
#include "lbm/solver/Part.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

#include <bit>
#include <optional>
#include <vector>

namespace lbm {

// Of states after an even and an odd number of steps: what depends on one may still be under way when the next is begun.
class EventOfState {
public:
    explicit EventOfState(const cuda::Device& device) : events_{cuda::Event(device), cuda::Event(device)} {}
    cuda::Event& operator[](std::int64_t step) { return events_[step & 1]; }
    const cuda::Event& operator[](std::int64_t step) const { return events_[step & 1]; }

private:
    cuda::Event events_[2];
};

// Of a part: its steps, and the halos that it takes or gives.
class CudaHalos {
public:
    explicit CudaHalos(const cuda::Device& device) : stream_(device, cuda::Stream::Urgency::urgent), stepped_(device) {}

    // Where the part gives to others' halos, and takes what lies in the host's memory.
    const cuda::Stream& stream() const { return stream_; }

    // The state after so many steps is there, but for inner tiles.
    cuda::Event& stepped(std::int64_t step) { return stepped_[step]; }
    const cuda::Event& stepped(std::int64_t step) const { return stepped_[step]; }

    // taken: the halo has its state.
    void takesFrom(const EventOfState& taken) { incoming_.push_back(&taken); }
    void givesTo(const EventOfState& taken) { outgoing_.push_back(&taken); }

    // A step from this state needs its ghosts. keepsState: it overwrites the state before, of two copies, and does not touch
    // its own one, which others may still be taking over.
    void letStep(const cuda::Stream& stream, std::int64_t state, bool keepsState) const
    {
        for (const EventOfState* taken : incoming_) stream.waitFor((*taken)[state]);
        for (const EventOfState* taken : outgoing_) stream.waitFor((*taken)[keepsState ? state - 1 : state]);
    }

private:
    cuda::Stream stream_;
    EventOfState stepped_;
    std::vector<const EventOfState*> incoming_, outgoing_;
};

// What is wanted of ghosts (PopulationsForStep), for kernels of a device.
class CudaWanted {
public:
    CudaWanted() = default;
    CudaWanted(const cuda::Device& device, const std::vector<std::uint32_t>& populations)
    {
        std::vector<std::uint32_t> first(populations.size());
        std::uint32_t values = 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            first[i] = values;
            values += std::uint32_t(std::popcount(populations[i]));
        }
        populations_ = {device, populations.data(), populations.size()};
        first_ = {device, first.data(), first.size()};
    }

    Wanted of(Handover what) const
    {
        return what == Handover::whole ? Wanted{} : Wanted{populations_.data(), first_.data()};
    }
    std::size_t bytes() const { return populations_.bytes() + first_.bytes(); }
    std::vector<std::uint32_t> onHost() const
    {
        std::vector<std::uint32_t> populations(populations_.size());
        populations_.download(populations.data(), populations.size());
        return populations;
    }

private:
    cuda::Array<std::uint32_t> populations_, first_;
};

// How ghosts of a part on one device get to know what owners on another one store.
enum class CudaWay { direct, host };

// exchange: see Config; a way that the devices are not capable of is an error, cuda::Error, where it is named.
inline CudaWay wayBetween(const cuda::Device& owners, const cuda::Device& ghosts, const std::string& exchange)
{
    if (exchange == "mpi") return CudaWay::host;
    if (cuda::reaches(owners, ghosts)) return CudaWay::direct;
    if (exchange != "peer") return CudaWay::host;
    throw cuda::Error("exchange peer: " + owners.name() + " does not reach the memory of " + ghosts.name()
                      + ": leave it out, or take mpi");
}

template<class Solver>
class CudaHalo final : public Halo {
public:
    CudaHalo(Solver& to, Solver& from, const HaloNodes& nodes, const std::string& exchange) :
        to_(to),
        from_(from),
        way_(wayBetween(from.device_, to.device_, exchange)),
        given_(from.device_),
        taken_(to.device_)
    {
        const std::size_t n = nodes.ghosts.size();
        const std::vector<NodePlace> ghosts = to.placesOf(nodes.ghosts), owners = from.placesOf(nodes.owners);
        const std::vector<std::uint32_t> needed = to.neededOf(nodes.ghosts);
        owners_ = {from.device_, owners.data(), n};
        needed_ = {from.device_, needed};
        ghosts_ = {way_ == CudaWay::direct ? from.device_ : to.device_, ghosts.data(), n};
        from.halos_.givesTo(given_);
        to.halos_.takesFrom(way_ == CudaWay::direct ? given_ : taken_);
        if (to.streamed_) layers_.emplace(*to.domain_, nodes.ghosts, to.grid().extents());
        if (way_ == CudaWay::direct) {
            if (to.streamed_) to.storage_.letIn(to.device_, from.device_);
            return;
        }
        neededThere_ = {to.device_, needed};
        // A piece may be two ranges of nodes
        passage_ = {to.device_, Solver::bytesGiven(n) + (to.streamed_ ? Solver::bytesGiven(std::size_t(1)) : 0)};
    }

    // Streams of a device are ordered with what else is done there, those of others are not: with what was written there between
    // steps. And a passage may still be in use for the step.
    void start(Handover what) override
    {
        if (what == Handover::whole && !isOrdered()) synchronize();
    }

    bool mayPass() const override { return way_ == CudaWay::direct && apart() && !to_.streamed_; }

    void pass() override
    {
        if constexpr (Solver::passesRims) {
            const std::size_t n = ghosts_.size();
            std::vector<NodePlace> owners(n), ghosts(n);
            owners_.download(owners.data(), n);
            ghosts_.download(ghosts.data(), n);
            from_.storage_.addTaker(to_.storage_.takerOfOneMore(to_.device_), owners, ghosts, needed_.onHost());
            passed_ = true;
        }
    }

    void take(Handover what) override
    {
        if (passed_ && what == Handover::forStep) return;
        if (what == Handover::piece) return takePiece();
        give(what);
        if (way_ == CudaWay::host) takeGiven(what);
        if (what == Handover::whole && !isOrdered()) synchronize();
    }

    std::size_t bytes() const override
    {
        return ghosts_.bytes() + owners_.bytes() + needed_.bytes() + neededThere_.bytes() + passage_.bytes();
    }

    bool repeats() const override { return true; }

    std::string way() const override
    {
        if (!apart()) return {};
        return way_ == CudaWay::host ? "by way of the host's memory" : "stored straight into the other device's memory";
    }

private:
    // What lies in the host's memory is brought in by streams of its own, and steps that pass do without their events.
    bool isOrdered() const { return way_ == CudaWay::direct && !apart() && !to_.streamed_ && !passed_; }
    bool apart() const { return to_.device_.index() != from_.device_.index(); }

    void synchronize() const
    {
        for (const Solver* solver : {&from_, &to_}) solver->device_.synchronize("ghosts");
    }

    // Behind what the owners' part has stepped, in the order of its steps, and behind what the ghosts' part has: ghosts that lie in its
    // tiles were stepped, too.
    void takePiece()
    {
        const int ahead = to_.aheadOf(Handover::piece);
        const cuda::Stream &giving = from_.haloStream(), &taking = to_.haloStream();
        from_.device_.use();
        giving.waitFor(way_ == CudaWay::direct ? to_.pieceStepped_ : taken_[0]);
        std::size_t at = 0; // in the passage
        layers_->forNodesIn(to_.steppedLayers(), [&](std::size_t first, std::size_t n) {
            if (way_ == CudaWay::direct)
                to_.storage_.take(from_.storage_, n, owners_.data() + first, ghosts_.data() + first, Wanted{}, giving,
                                  ahead);
            else
                from_.storage_.give(n, owners_.data() + first, Wanted{}, static_cast<char*>(passage_.onDevice()) + at,
                                    giving, ahead);
            at += Solver::bytesGiven(n);
        });
        from_.device_.check("kernel that gives to ghosts");
        giving.record(given_[0]);
        to_.device_.use();
        taking.waitFor(given_[0]);
        if (way_ == CudaWay::direct) return;
        at = 0;
        layers_->forNodesIn(to_.steppedLayers(), [&](std::size_t first, std::size_t n) {
            to_.storage_.takeGiven(n, ghosts_.data() + first, Wanted{}, static_cast<char*>(passage_.onDevice()) + at,
                                   taking, ahead);
            at += Solver::bytesGiven(n);
        });
        to_.device_.check("kernel of ghosts");
        taking.record(taken_[0]);
    }

    // On the owners' device, to the ghosts or into the passage.
    void give(Handover what)
    {
        from_.device_.use();
        const std::int64_t state = to_.step_;
        const cuda::Stream& stream = from_.halos_.stream();
        const std::size_t n = ghosts_.size();
        const Wanted needed = needed_.of(what);
        stream.waitFor(from_.halos_.stepped(state));
        if (way_ == CudaWay::direct) {
            to_.letGhostsBeWritten(stream, state);
            to_.storage_.take(from_.storage_, n, owners_.data(), ghosts_.data(), needed, stream);
        } else {
            stream.waitFor(taken_[state - 1]); // the passage is free
            from_.storage_.give(n, owners_.data(), needed, passage_.onDevice(), stream);
        }
        from_.device_.check("kernel that gives to ghosts");
        stream.record(given_[state]);
    }

    void takeGiven(Handover what)
    {
        to_.device_.use();
        const std::int64_t state = to_.step_;
        const cuda::Stream& stream = to_.halos_.stream();
        stream.waitFor(given_[state]);
        to_.letGhostsBeWritten(stream, state);
        to_.storage_.takeGiven(ghosts_.size(), ghosts_.data(), neededThere_.of(what), passage_.onDevice(), stream);
        to_.device_.check("kernel of ghosts");
        stream.record(taken_[state]);
    }

    Solver &to_, &from_;
    CudaWay way_;
    bool passed_ = false; // by steps
    EventOfState given_, taken_;
    cuda::Array<NodePlace> ghosts_, owners_;
    CudaWanted needed_, neededThere_;
    cuda::PinnedMemory passage_;
    std::optional<HaloLayers> layers_; // where parts stream
};

} // namespace lbm
