// SentHalo, ReceivedHalo: a Halo between parts of two ranks, at each of them. Bytes leave before any is waited for.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/Part.hpp"
#include "lbm/solver/RankLink.hpp"

namespace lbm {

class RankHalo : public Halo {
public:
    // number: of the halo, the same at both ranks.
    RankHalo(const RankLink& link, int other, int number, std::unique_ptr<HaloEnd> end) :
        link_(link), other_(other), number_(number), end_(std::move(end))
    {
        for (const Handover what : {Handover::forStep, Handover::whole})
            size_[what == Handover::whole] = end_->size(what);
    }

    std::size_t bytes() const override { return end_->bytes(); }
    std::string way() const override { return end_->way(); }

protected:
    std::size_t size(Handover what) const { return size_[what == Handover::whole]; }

    const RankLink& link_;
    int other_, number_;
    std::unique_ptr<HaloEnd> end_; // outlives what is under way out of its room
    RankLink::Transfer transfer_;

private:
    std::size_t size_[2];
};

class SentHalo final : public RankHalo {
public:
    using RankHalo::RankHalo;

    void start(Handover what) override
    {
        transfer_.wait();
        end_->pack(what);
        transfer_.send(link_, other_, number_, end_->room(), size(what));
    }
    void take(Handover) override {}
};

class ReceivedHalo final : public RankHalo {
public:
    using RankHalo::RankHalo;

    void start(Handover what) override { transfer_.receive(link_, other_, number_, end_->room(), size(what)); }
    void take(Handover what) override
    {
        transfer_.wait();
        end_->unpack(what);
    }
};

} // namespace lbm
