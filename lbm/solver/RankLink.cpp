// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/RankLink.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace lbm {

namespace {

// MPI counts in int
constexpr std::size_t mostAtOnce = std::size_t(1) << 30;

template<class F>
void inPieces(std::size_t n, F&& f)
{
    for (std::size_t first = 0; first < n; first += mostAtOnce) f(first, int(std::min(mostAtOnce, n - first)));
}

} // namespace

RankLink::RankLink()
{
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (!begun || ended) throw std::runtime_error("ranks: MPI is not at work in this process");
    MPI_Comm_dup(MPI_COMM_WORLD, &all_);
    MPI_Comm_rank(all_, &rank_);
    MPI_Comm_size(all_, &size_);
    owed_.resize(std::size_t(size_));
    MPI_Comm host;
    MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rankOnHost_);
    MPI_Comm_size(host, &ranksOnHost_);
    int first = rank_;
    MPI_Bcast(&first, 1, MPI_INT, 0, host);
    MPI_Comm_free(&host);
    hosts_.resize(std::size_t(size_));
    MPI_Allgather(&first, 1, MPI_INT, hosts_.data(), 1, MPI_INT, all_);
    int* most = nullptr;
    int found = 0;
    MPI_Comm_get_attr(all_, MPI_TAG_UB, &most, &found);
    if (found) mostTag_ = *most;
}

RankLink::~RankLink()
{
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) MPI_Comm_free(&all_);
}

std::vector<std::string> RankLink::ofAll(const std::string& text) const
{
    std::vector<std::string> all(static_cast<std::size_t>(size_));
    for (int rank = 0; rank < size_; ++rank) {
        std::string& its = all[std::size_t(rank)];
        if (rank == rank_) its = text;
        std::uint64_t n = its.size();
        MPI_Bcast(&n, sizeof n, MPI_BYTE, rank, all_);
        its.resize(n);
        MPI_Bcast(its.data(), int(n), MPI_BYTE, rank, all_);
    }
    return all;
}

void RankLink::send(int to, const RankMessage& message) const
{
    const std::uint64_t n = message.bytes.size();
    MPI_Send(&n, sizeof n, MPI_BYTE, to, messages, all_);
    inPieces(n, [&](std::size_t first, int count) {
        MPI_Send(message.bytes.data() + first, count, MPI_BYTE, to, messages, all_);
    });
}

RankMessage RankLink::receive(int from, bool patient) const
{
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    // While a run steps the next message is there at once; while the first rank is about its mesh it takes long
    constexpr auto atOnce = std::chrono::milliseconds(1);
    constexpr auto nap = std::chrono::microseconds(100);
    for (int there = 0; patient && !there;) {
        MPI_Iprobe(from, messages, all_, &there, MPI_STATUS_IGNORE);
        if (!there && Clock::now() - begin > atOnce) std::this_thread::sleep_for(nap);
    }
    std::uint64_t n = 0;
    MPI_Recv(&n, sizeof n, MPI_BYTE, from, messages, all_, MPI_STATUS_IGNORE);
    RankMessage message;
    message.bytes.resize(n);
    inPieces(n, [&](std::size_t first, int count) {
        MPI_Recv(message.bytes.data() + first, count, MPI_BYTE, from, messages, all_, MPI_STATUS_IGNORE);
    });
    return message;
}

void RankLink::sendToken(int to, int halo) const { MPI_Send(nullptr, 0, MPI_BYTE, to, tag(halo), all_); }

void RankLink::waitForToken(int from, int halo) const
{
    MPI_Recv(nullptr, 0, MPI_BYTE, from, tag(halo), all_, MPI_STATUS_IGNORE);
}

void RankLink::Transfer::send(const RankLink& link, int to, int halo, const char* bytes, std::size_t n)
{
    inPieces(n, [&](std::size_t first, int count) {
        requests_.emplace_back();
        MPI_Isend(bytes + first, count, MPI_BYTE, to, link.tag(halo), link.all_, &requests_.back());
    });
}

void RankLink::Transfer::receive(const RankLink& link, int from, int halo, char* bytes, std::size_t n)
{
    inPieces(n, [&](std::size_t first, int count) {
        requests_.emplace_back();
        MPI_Irecv(bytes + first, count, MPI_BYTE, from, link.tag(halo), link.all_, &requests_.back());
    });
}

void RankLink::Transfer::wait()
{
    if (!requests_.empty()) MPI_Waitall(int(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
}

} // namespace lbm
