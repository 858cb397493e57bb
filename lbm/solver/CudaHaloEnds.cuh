// CudaOwnersEnd, CudaGhostsEnd: the two sides of a halo between parts on CUDA devices of two processes. Kernels in a stream of the
// part's halos pack and unpack what is handed over, so that inner tiles are stepped meanwhile; the host waits for what depends on the
// rim alone. They pack straight into memory of the ghosts' device, where the owners' device reaches it; or bytes go from one
// device to the other in the order of streams (StreamedEnd), and the host waits for nothing; else by way of pinned memory of both
// processes. Where steps may pass their rims (PassedRims), owners are told where the ghosts themselves lie, behind where to pack.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaShared.hpp"
#include "lbm/solver/CudaHalo.cuh"
#include "lbm/solver/StreamedEnd.hpp"

namespace lbm {

template<class Solver>
class CudaHaloEnd : public HaloEnd, public StreamedEnd {
public:
    std::size_t size(Handover what) override
    {
        if (what != Handover::piece) return what == Handover::whole ? forWhole_ : forStep_;
        std::size_t all = 0;
        layers_->forNodesIn(part_.steppedLayers(), [&](std::size_t, std::size_t n) { all += Solver::bytesGiven(n); });
        return all;
    }

    char* room() override
    {
        cuda::Stream::wait(passed_);
        if (room_.bytes() == 0) room_ = cuda::PinnedMemory(part_.device_, most());
        return static_cast<char*>(room_.data());
    }

    std::size_t bytes() const override { return places_.bytes() + needed_.bytes() + room_.bytes(); }
    std::string way() const override { return "by MPI and the hosts' memory"; }

    void beStreamed() override { streamed_ = true; }
    cuda::StreamHandle stream() const override { return part_.haloStream().handle(); }

protected:
    CudaHaloEnd(Solver& part, const std::vector<NodeIndex>& nodes, const std::vector<std::uint32_t>& needed) :
        part_(part),
        passed_(part.device_),
        forStep_(Solver::bytesGiven(needed)),
        forWhole_(Solver::bytesGiven(nodes.size())),
        needed_(part.device_, needed)
    {
        const std::vector<NodePlace> places = part.placesOf(nodes);
        places_ = {part.device_, places.data(), places.size()};
        if (part.streamed_) layers_.emplace(*part.domain_, nodes, part.grid().extents());
    }

    // Halves of shared memory begin at whole sectors. A piece may be two ranges of nodes.
    std::size_t most() const
    {
        const std::size_t ofPiece = layers_ ? forWhole_ + Solver::bytesGiven(std::size_t(1)) : 0;
        return (std::max({forStep_, forWhole_, ofPiece}) + 127) / 128 * 128;
    }

    // f(first node, how many, what is wanted of them, where their bytes begin): of what is handed over.
    template<class F>
    void forNodesOf(Handover what, F&& f) const
    {
        if (what != Handover::piece) return f(std::size_t(0), places_.size(), needed_.of(what), std::size_t(0));
        std::size_t at = 0;
        layers_->forNodesIn(part_.steppedLayers(), [&](std::size_t first, std::size_t n) {
            f(first, n, Wanted{}, at);
            at += Solver::bytesGiven(n);
        });
    }

    // Nodes that were written between steps: not in the order of the part's streams.
    void synchronizeFor(Handover what) const
    {
        if (what == Handover::whole) part_.device_.synchronize("ghosts");
    }

    Solver& part_;
    cuda::Event passed_; // behind what last used the room, or the memory that is shared
    std::size_t forStep_, forWhole_;
    CudaWanted needed_;
    cuda::Array<NodePlace> places_;
    cuda::PinnedMemory room_;          // from when it is first asked for
    std::optional<HaloLayers> layers_; // where the part streams
    bool streamed_ = false;
};

template<class Solver>
class CudaOwnersEnd final : public CudaHaloEnd<Solver> {
public:
    CudaOwnersEnd(Solver& from, const std::vector<NodeIndex>& owners, const std::vector<std::uint32_t>& needed) :
        CudaHaloEnd<Solver>(from, owners, needed), given_(from.device_)
    {}

    bool packInto(const std::string& shared) override
    {
        if (shared.empty()) return false;
        try {
            opened_ = {part_.device_, shared.substr(0, cuda::SharedMemory::nameBytes)};
            openRim(shared.substr(cuda::SharedMemory::nameBytes));
        } catch (const cuda::Error&) {
            if (part_.exchange_ == "peer") throw;
            letGo();
            return false;
        }
        return true;
    }
    void letGo() override
    {
        opened_ = {};
        rim_.reset();
    }

    bool mayPass() const override { return rim_.has_value(); }
    void pass() override
    {
        if constexpr (Solver::passesRims) {
            std::vector<NodePlace> owners(this->places_.size());
            this->places_.download(owners.data(), owners.size());
            part_.storage_.addTaker(rim_->taker(), owners, rim_->ghosts(), this->needed_.onHost());
        }
    }

    void beStreamed() override
    {
        CudaHaloEnd<Solver>::beStreamed();
        part_.halos_.givesTo(given_);
    }
    char* onDevice() override { return packed().data(); }

    // Unless it is streamed, the part's next step begins after this: it need not be told that the state is still looked at.
    void pack(Handover what) override
    {
        part_.device_.use();
        this->synchronizeFor(what);
        const cuda::Stream& stream = part_.haloStream();
        char* to = opened_.data();
        if (to) to += handovers_++ % 2 * this->most();
        else to = packed().data();
        stream.waitFor(part_.halos_.stepped(part_.step_));
        this->forNodesOf(what, [&](std::size_t first, std::size_t n, const Wanted& wanted, std::size_t at) {
            part_.storage_.give(n, this->places_.data() + first, wanted, to + at, stream, part_.aheadOf(what));
        });
        part_.device_.check("kernel that gives to another process's ghosts");
        if (this->streamed_) return stream.record(given_[part_.step_]);
        if (!opened_.data()) stream.toHost(this->room(), to, this->size(what));
        stream.record(this->passed_);
        cuda::Stream::wait(this->passed_);
    }

private:
    using CudaHaloEnd<Solver>::part_;

    void openRim(const std::string& told)
    {
        if constexpr (Solver::passesRims)
            if (!told.empty() && part_.mayPassRim()) rim_.emplace(part_.device_, told);
    }

    cuda::Array<char>& packed()
    {
        if (packed_.size() == 0) packed_ = {part_.device_, this->most()};
        return packed_;
    }

    EventOfState given_; // where the host does not wait for it
    cuda::Array<char> packed_;
    cuda::OpenedMemory opened_;
    std::optional<typename Solver::SharedRim> rim_;
    std::int64_t handovers_ = 0;
};

template<class Solver>
class CudaGhostsEnd final : public CudaHaloEnd<Solver> {
public:
    CudaGhostsEnd(Solver& to, const std::vector<NodeIndex>& ghosts, const std::vector<std::uint32_t>& needed) :
        CudaHaloEnd<Solver>(to, ghosts, needed), taken_(to.device_), came_(to.device_, 2 * this->most())
    {
        to.halos_.takesFrom(taken_);
    }

    std::string shared() override
    {
        const std::string& way = part_.exchange_;
        if (way == "mpi" || way == "nccl") return {};
        const std::string name = came_.name();
        if (name.empty()) return {};
        const std::string rim = tellRim();
        told_ = !rim.empty();
        return name + rim;
    }
    bool mayPass() const override { return told_; }
    void pass() override {} // as it has told
    void waitForUnpacked() override { cuda::Stream::wait(this->passed_); }
    char* onDevice() override { return came_.data() + handovers_ % 2 * this->most(); }

    void unpack(Handover what) override
    {
        part_.device_.use();
        this->synchronizeFor(what);
        const std::int64_t state = part_.step_;
        const cuda::Stream& stream = part_.haloStream();
        char* const from = onDevice();
        ++handovers_;
        if (this->room_.bytes() > 0) stream.toDevice(from, this->room_.data(), this->size(what));
        part_.letGhostsBeWritten(stream, state);
        this->forNodesOf(what, [&](std::size_t first, std::size_t n, const Wanted& wanted, std::size_t at) {
            part_.storage_.takeGiven(n, this->places_.data() + first, wanted, from + at, stream, part_.aheadOf(what));
        });
        part_.device_.check("kernel of another process's ghosts");
        stream.record(this->passed_);
        stream.record(taken_[state]);
        this->synchronizeFor(what);
    }

private:
    using CudaHaloEnd<Solver>::part_;

    std::string tellRim()
    {
        if constexpr (Solver::passesRims)
            if (part_.mayPassRim()) {
                std::vector<NodePlace> ghosts(this->places_.size());
                this->places_.download(ghosts.data(), ghosts.size());
                return part_.storage_.tellOneMore(part_.device_, ghosts);
            }
        return {};
    }

    EventOfState taken_;
    cuda::SharedMemory came_;
    bool told_ = false; // where its ghosts lie
    std::int64_t handovers_ = 0;
};

} // namespace lbm
