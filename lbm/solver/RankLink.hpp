// RankLink: how ranks reach each other: messages of the first one and answers to them, and bytes of halos between any two. The
// only place, with its source, that names MPI. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/RankMessage.hpp"

#include <functional>
#include <mpi.h>

namespace lbm {

class RankLink {
public:
    // Of all processes, by all of them at once. Throws std::runtime_error where MPI is not at work.
    RankLink();
    ~RankLink();
    RankLink(const RankLink&) = delete;
    RankLink& operator=(const RankLink&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    // Of those on the same host, and how many these are.
    int rankOnHost() const { return rankOnHost_; }
    int ranksOnHost() const { return ranksOnHost_; }

    // A text of each rank's, by rank, at all of them; by all at once.
    std::vector<std::string> ofAll(const std::string&) const;

    // The next message either way; channels below `firstHalo` are for these.
    void send(int to, const RankMessage&) const;
    // patient: the processor is free meanwhile
    RankMessage receive(int from, bool patient = false) const;

    // What takes the answer that a rank still owes (RemotePart); empty: none.
    using Taken = std::function<void(RankMessage&)>;
    Taken& owed(int rank) const { return owed_[std::size_t(rank)]; }

    bool onOneHost(int a, int b) const { return hosts_[std::size_t(a)] == hosts_[std::size_t(b)]; }

    // That something has been done, of a halo; they come in order.
    void sendToken(int to, int halo) const;
    void waitForToken(int from, int halo) const;

    // Bytes that must stay where they are until it is waited for.
    class Transfer {
    public:
        Transfer() = default;
        ~Transfer() { wait(); }
        Transfer(const Transfer&) = delete;
        Transfer& operator=(const Transfer&) = delete;

        void send(const RankLink&, int to, int halo, const char*, std::size_t n);
        void receive(const RankLink&, int from, int halo, char*, std::size_t n);
        void wait();

    private:
        std::vector<MPI_Request> requests_;
    };

private:
    static constexpr int messages = 1, firstHalo = 2;
    int tag(int halo) const { return firstHalo + halo % (mostTag_ - firstHalo); }

    MPI_Comm all_;
    mutable std::vector<Taken> owed_; // by rank
    std::vector<int> hosts_;          // by rank: the first rank of its host
    int rank_ = 0, size_ = 1, rankOnHost_ = 0, ranksOnHost_ = 1, mostTag_ = 32767;
};

} // namespace lbm
