// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/RankedParts.hpp"

#include "lbm/solver/RankHalo.hpp"
#include "lbm/solver/RemotePart.hpp"

namespace lbm {

namespace {

// Of this run
int solvers = 0, halos = 0;

} // namespace

RankedParts::RankedParts(std::shared_ptr<const RankLink> link, int parts, const KernelRow& row,
                         PartedSolver::MakePart makeHere) :
    link_(std::move(link)), parts_(parts), solver_(solvers++), row_(row), makeHere_(std::move(makeHere))
{}

RankedParts::~RankedParts() { end(); }

void RankedParts::end()
{
    if (!ended_) tellAll(RankMessage(RankCall::dropSolver, solver_));
    ended_ = true;
}

void RankedParts::tellAll(const RankMessage& message) const
{
    for (int rank = 1; rank < link_->size(); ++rank) link_->send(rank, message);
}

std::unique_ptr<Part> RankedParts::make(int part, std::shared_ptr<const Domain> domain, const Config& config)
{
    const int rank = rankOf(std::size_t(part));
    if (rank == 0) return makeHere_(std::move(domain), config);
    return std::make_unique<RemotePart>(link_, rank, solver_, part, std::move(domain), config, row_);
}

std::unique_ptr<Halo> RankedParts::halo(std::size_t to, Part& own, std::size_t from, Part& owner,
                                        const HaloNodes& nodes)
{
    const int toRank = rankOf(to), fromRank = rankOf(from);
    if (toRank == fromRank) {
        if (toRank == 0) return own.haloOf(owner, nodes);
        askRank(*link_, toRank,
                RankMessage(RankCall::haloHere, solver_, int(to), int(from), nodes.ghosts, nodes.owners));
        return nullptr;
    }
    const int number = halos++;
    std::unique_ptr<RankHalo> received, sent;
    std::vector<std::uint32_t> needed;
    std::string shared;
    if (toRank == 0) {
        auto end = own.endOfGhosts(nodes.ghosts, needed);
        shared = end->shared();
        received = std::make_unique<ReceivedHalo>(*link_, fromRank, number, std::move(end));
    } else {
        RankMessage answer = askRank(
            *link_, toRank, RankMessage(RankCall::endOfGhosts, solver_, int(to), fromRank, number, nodes.ghosts));
        answer.get(needed);
        shared = answer.get<std::string>();
    }
    if (!link_->onOneHost(toRank, fromRank)) shared.clear();
    bool direct = false;
    if (fromRank == 0) {
        auto end = owner.endOfOwners(nodes.owners, needed);
        direct = end->packInto(shared);
        sent = std::make_unique<SentHalo>(*link_, toRank, number, std::move(end));
        if (direct) sent->beDirect();
    } else
        direct = askRank(*link_, fromRank,
                         RankMessage(RankCall::endOfOwners, solver_, int(from), toRank, number, nodes.owners, needed,
                                     shared))
                     .get<bool>();
    if (direct) {
        if (toRank == 0) received->beDirect();
        else askRank(*link_, toRank, RankMessage(RankCall::beDirect, solver_, int(to), number));
    }
    return toRank == 0 ? std::move(received) : std::move(sent);
}

Extremes RankedParts::settle()
{
    try {
        settleRanks(*link_);
    } catch (...) {
        takeSeen(); // is not the next call's
        throw;
    }
    return takeSeen();
}

// Parts of different ranks.
std::vector<std::vector<std::size_t>> RankedParts::rounds() const
{
    std::vector<std::vector<std::size_t>> all;
    std::vector<std::size_t> had(std::size_t(link_->size()));
    for (std::size_t p = 0; p < std::size_t(parts_); ++p) {
        const std::size_t round = had[std::size_t(rankOf(p))]++;
        if (round == all.size()) all.emplace_back();
        all[round].push_back(p);
    }
    return all;
}

// Others' answers are taken whatever fails here, and theirs before that is said.
std::vector<Message> RankedParts::work(const std::string& name, const std::vector<Part*>& parts,
                                       const std::vector<Message>& told)
{
    std::vector<Message> answers(parts.size());
    std::exception_ptr fault;
    const auto guarded = [&](auto&& what) {
        try {
            what();
        } catch (...) {
            if (!fault) fault = std::current_exception();
        }
    };
    for (const std::vector<std::size_t>& round : rounds()) {
        for (const std::size_t p : round) {
            if (isHere(p)) continue;
            RankMessage call(RankCall::work, solver_, int(p), name);
            call.putRaw(told[p].bytes.data(), told[p].bytes.size());
            link_->send(rankOf(p), call);
        }
        for (const std::size_t p : round)
            if (isHere(p))
                guarded([&] {
                    Message its = told[p];
                    answers[p] = partWork(name)(*parts[p], its);
                });
        for (const std::size_t p : round)
            if (!isHere(p)) guarded([&] { answers[p] = answerOfRank(*link_, rankOf(p)); });
        if (fault) std::rethrow_exception(fault);
    }
    return answers;
}

void RankedParts::advance(std::int64_t steps) { tellAll(RankMessage(RankCall::advance, solver_, steps)); }
void RankedParts::nodesWritten() { tellAll(RankMessage(RankCall::nodesWritten, solver_)); }
void RankedParts::fillGhosts() { tellAll(RankMessage(RankCall::fillGhosts, solver_)); }

} // namespace lbm
