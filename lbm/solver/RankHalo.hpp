// SentHalo, ReceivedHalo: a Halo between parts of two ranks, at each of them. Bytes leave before any is waited for. Where the owners'
// device reaches memory of the ghosts' process (HaloEnd::shared), they are packed straight into it, into one half and the other by
// turns, and ranks tell each other by tokens what has been done. Devices of different hosts send by DeviceExchange: what all halos of
// the process have for it by the end of their start goes at once. Where steps hand over by themselves (PassedRims), ranks tell each other
// nothing behind them. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/DeviceExchange.hpp"
#include "lbm/solver/Part.hpp"
#include "lbm/solver/RankLink.hpp"
#include "lbm/solver/StreamedEnd.hpp"

namespace lbm {

class RankHalo : public Halo {
public:
    // number: of the halo, the same at both ranks.
    RankHalo(const RankLink& link, int other, int number, std::unique_ptr<HaloEnd> end) :
        link_(link), other_(other), number_(number), end_(std::move(end))
    {}

    int number() const { return number_; }

    // From now on by shared memory, or by DeviceExchange: both sides are told before the first handover. device: of this rank, on which
    // it ends; otherDevice: of the other one's, among those of all ranks.
    void beDirect() { direct_ = true; }
    void beStreamed(int device, int otherDevice)
    {
        streamed_ = &onDevice();
        streamed_->beStreamed();
        device_ = device;
        otherDevice_ = otherDevice;
    }

    bool mayPass() const override { return direct_ && onDevice().mayPass(); }
    void pass() override
    {
        onDevice().pass();
        passed_ = true;
    }

    bool more() const override { return end_->more(); }
    std::size_t bytes() const override { return end_->bytes(); }
    std::string way() const override
    {
        if (streamed_) return deviceExchange().way();
        return direct_ ? "stored straight into the other process's device" : end_->way();
    }

protected:
    // By the steps themselves.
    bool isDone(Handover what) const { return passed_ && what == Handover::forStep; }

    void sendToken() const { link_.sendToken(other_, number_); }
    void waitForToken() const { link_.waitForToken(other_, number_); }

    const RankLink& link_;
    int other_, number_;
    std::unique_ptr<HaloEnd> end_; // outlives what is under way out of its room
    RankLink::Transfer transfer_;
    bool direct_ = false, passed_ = false;
    StreamedEnd* streamed_ = nullptr;  // the end, where it is
    int device_ = 0, otherDevice_ = 0; // then
    std::int64_t handovers_ = 0;

private:
    StreamedEnd& onDevice() const
    {
        auto* end = dynamic_cast<StreamedEnd*>(end_.get());
        if (!end) throw std::logic_error("halo: it ends on no device");
        return *end;
    }
};

class SentHalo final : public RankHalo {
public:
    using RankHalo::RankHalo;

    // What lay in this half has been unpacked when its token comes.
    void start(Handover what) override
    {
        if (isDone(what)) return;
        if (direct_) {
            if (handovers_ >= 2) waitForToken();
            end_->pack(what);
            sendToken();
        } else if (streamed_) {
            end_->pack(what);
            deviceExchange().send(device_, otherDevice_, streamed_->onDevice(), end_->size(what), streamed_->stream());
        } else {
            transfer_.wait();
            const std::size_t bytes = end_->size(what);
            end_->pack(what);
            transfer_.send(link_, other_, number_, end_->room(), bytes);
        }
        ++handovers_;
    }
    // The other side takes it over by then, whatever this one waits for: what reads ghosts may take long without a call of MPI, which
    // would not get on with a whole handover meanwhile.
    void take(Handover what) override
    {
        if (streamed_) deviceExchange().go();
        else if (!direct_ && what == Handover::whole) transfer_.wait();
    }

    void close() override
    {
        if (!direct_) return;
        end_->letGo();
        sendToken();
    }
};

class ReceivedHalo final : public RankHalo {
public:
    using RankHalo::RankHalo;

    // The other rank has let the memory go when its last token comes.
    ~ReceivedHalo() override
    {
        if (direct_) waitForToken();
    }

    void start(Handover what) override
    {
        if (isDone(what)) return;
        if (streamed_)
            deviceExchange().receive(device_, otherDevice_, streamed_->onDevice(), end_->size(what),
                                     streamed_->stream());
        else if (!direct_) transfer_.receive(link_, other_, number_, end_->room(), end_->size(what));
        else if (handovers_ > 0) {
            end_->waitForUnpacked();
            sendToken();
        }
    }
    void take(Handover what) override
    {
        if (isDone(what)) return;
        if (streamed_) deviceExchange().go();
        else if (direct_) waitForToken();
        else transfer_.wait();
        end_->unpack(what);
        ++handovers_;
    }
};

} // namespace lbm
