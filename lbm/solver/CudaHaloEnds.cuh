// CudaOwnersEnd, CudaGhostsEnd: the two sides of a halo between parts on CUDA devices of two processes. What is handed over goes by
// way of pinned memory of the host, packed and unpacked by kernels in a stream of the part's halos, so that inner tiles are stepped
// meanwhile; the host waits for the rim alone. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/CudaHalo.cuh"

namespace lbm {

template<class Solver>
class CudaHaloEnd : public HaloEnd {
public:
    std::size_t size(Handover what) override { return what == Handover::whole ? forWhole_ : forStep_; }

    char* room() override
    {
        cuda::Stream::wait(passed_);
        return static_cast<char*>(room_.data());
    }

    std::size_t bytes() const override { return places_.bytes() + needed_.bytes() + packed_.bytes() + room_.bytes(); }
    std::string way() const override { return "by way of the host's memory, between processes"; }

protected:
    CudaHaloEnd(Solver& part, const std::vector<NodeIndex>& nodes, const std::vector<std::uint32_t>& needed) :
        part_(part),
        passed_(part.device_),
        forStep_(Solver::bytesGiven(needed)),
        forWhole_(Solver::bytesGiven(nodes.size())),
        needed_(part.device_, needed),
        packed_(part.device_, std::max(forStep_, forWhole_)),
        room_(part.device_, std::max(forStep_, forWhole_))
    {
        const std::vector<NodePlace> places = part.placesOf(nodes);
        places_ = {part.device_, places.data(), places.size()};
    }

    // Nodes that were written between steps: not in the order of the part's streams.
    void synchronizeFor(Handover what) const
    {
        if (what == Handover::whole) part_.device_.synchronize("ghosts");
    }

    Solver& part_;
    cuda::Event passed_; // behind what last used the room
    std::size_t forStep_, forWhole_;
    CudaWanted needed_;
    cuda::Array<NodePlace> places_;
    cuda::Array<char> packed_;
    cuda::PinnedMemory room_;
};

template<class Solver>
class CudaOwnersEnd final : public CudaHaloEnd<Solver> {
public:
    CudaOwnersEnd(Solver& from, const std::vector<NodeIndex>& owners, const std::vector<std::uint32_t>& needed) :
        CudaHaloEnd<Solver>(from, owners, needed)
    {}

    // The part's next step begins after this: it need not be told that the state is still looked at.
    void pack(Handover what) override
    {
        part_.device_.use();
        this->synchronizeFor(what);
        const cuda::Stream& stream = part_.halos_.stream();
        stream.waitFor(part_.halos_.stepped(part_.step_));
        part_.storage_.give(this->places_.size(), this->places_.data(), this->needed_.of(what), this->packed_.data(),
                            stream);
        part_.device_.check("kernel that gives to another process's ghosts");
        stream.toHost(this->room_.data(), this->packed_.data(), this->size(what));
        stream.record(this->passed_);
        cuda::Stream::wait(this->passed_);
    }

private:
    using CudaHaloEnd<Solver>::part_;
};

template<class Solver>
class CudaGhostsEnd final : public CudaHaloEnd<Solver> {
public:
    CudaGhostsEnd(Solver& to, const std::vector<NodeIndex>& ghosts, const std::vector<std::uint32_t>& needed) :
        CudaHaloEnd<Solver>(to, ghosts, needed), taken_(to.device_)
    {
        to.halos_.takesFrom(taken_);
    }

    void unpack(Handover what) override
    {
        part_.device_.use();
        this->synchronizeFor(what);
        const std::int64_t state = part_.step_;
        const cuda::Stream& stream = part_.halos_.stream();
        stream.toDevice(this->packed_.data(), this->room_.data(), this->size(what));
        stream.record(this->passed_);
        part_.letGhostsBeWritten(stream, state);
        part_.storage_.takeGiven(this->places_.size(), this->places_.data(), this->needed_.of(what),
                                 this->packed_.data(), stream);
        part_.device_.check("kernel of another process's ghosts");
        stream.record(taken_[state]);
        this->synchronizeFor(what);
    }

private:
    using CudaHaloEnd<Solver>::part_;
    EventOfState taken_;
};

} // namespace lbm
