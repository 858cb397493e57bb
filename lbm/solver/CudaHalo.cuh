// CudaHalo: a Halo between two parts on one CUDA device, straight from where the owner keeps a node to where the ghost's part
// will look for it, by a kernel in a stream of its own, which is urgent: its few blocks go in between those of steps. Who waits
// for whom is told by events (CudaHalos). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/solver/Part.hpp"
#include "lbm/storage/nodes/LinksBeforeStep.hpp"

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

    // Where the part's own halos are taken.
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

template<class Solver>
class CudaHalo final : public Halo {
public:
    CudaHalo(Solver& to, Solver& from, const HaloNodes& nodes) : to_(to), from_(from), taken_(to.device_)
    {
        const std::size_t n = nodes.ghosts.size();
        std::vector<Int3> directions;
        for (const auto& c : Solver::L::c) directions.push_back({c[0], c[1], c[2]});
        std::vector<NodePlace> ghosts(n), owners(n);
        std::vector<std::uint32_t> needed(n);
        const auto& tables = to.storage_.geometry().tables();
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < n; ++i) {
            ghosts[i] = tables.place(to.domain_->coordinates(nodes.ghosts[i]));
            owners[i] = from.storage_.geometry().place(from.domain_->coordinates(nodes.owners[i]));
            needed[i] = populationsForStep(*to.domain_, directions, nodes.ghosts[i], tables.steps(ghosts[i]));
        }
        ghosts_ = {to.device_, ghosts.data(), n};
        owners_ = {to.device_, owners.data(), n};
        needed_ = {to.device_, needed.data(), n};
        to.halos_.takesFrom(taken_);
        from.halos_.givesTo(taken_);
    }

    void take(Handover what) override
    {
        to_.device_.use();
        const std::int64_t state = to_.step_;
        const cuda::Stream& stream = to_.halos_.stream();
        stream.waitFor(from_.halos_.stepped(state));
        // Ghosts of the copy that takes them were last read by the step before
        stream.waitFor(to_.halos_.stepped(to_.storage_.takesBesideStep() ? state - 1 : state));
        to_.storage_.take(from_.storage_, ghosts_.size(), owners_.data(), ghosts_.data(),
                          what == Handover::whole ? nullptr : needed_.data(), stream);
        to_.device_.check("kernel of ghosts");
        stream.record(taken_[state]);
    }

    std::size_t bytes() const override { return ghosts_.bytes() + owners_.bytes() + needed_.bytes(); }

private:
    Solver &to_, &from_;
    EventOfState taken_;
    cuda::Array<NodePlace> ghosts_, owners_;
    cuda::Array<std::uint32_t> needed_;
};

} // namespace lbm
