// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/RankedTeam.hpp"

#include "lbm/solver/PartedNodes.hpp"
#include "lbm/solver/RemotePart.hpp"

namespace lbm {

namespace {

// Of this run
int teams = 0;

} // namespace

RankedTeam::RankedTeam(std::shared_ptr<const RankLink> link, const std::string& name, const Message& told) :
    link_(std::move(link)), number_(teams++)
{
    RankMessage call(RankCall::makeWorker, number_, name);
    call.putRaw(told.bytes.data(), told.bytes.size());
    for (int rank = 1; rank < link_->size(); ++rank) postToRank(*link_, rank, call, [](RankMessage&) {});
}

RankedTeam::~RankedTeam()
{
    try {
        settleRanks(*link_);
    } catch (const std::exception&) { // of a team that is given up: what ended it counts
    }
    try {
        for (int rank = 1; rank < link_->size(); ++rank) link_->send(rank, RankMessage(RankCall::dropWorker, number_));
    } catch (const std::exception&) { // no memory for a message: the worker stays until its process ends
    }
}

std::vector<Message> RankedTeam::ask(const std::vector<Message>& told, const std::function<void()>& here)
{
    std::vector<Message> answers(told.size());
    andSettle(
        [&] {
            for (int rank = 1; rank < link_->size(); ++rank) {
                const Message& its = told.at(std::size_t(rank - 1));
                RankMessage call(RankCall::askWorker, number_);
                call.putRaw(its.bytes.data(), its.bytes.size());
                postToRank(*link_, rank, call, [&answer = answers[std::size_t(rank - 1)]](RankMessage& found) {
                    answer = std::move(found);
                });
            }
            here();
            return Extremes{};
        },
        [&] {
            settleRanks(*link_);
            return Extremes{};
        });
    return answers;
}

} // namespace lbm
