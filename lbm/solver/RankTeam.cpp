// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/RankTeam.hpp"

#include <map>
#include <stdexcept>

namespace lbm {

namespace {

// Of the process; libraries name theirs while they are loaded
std::map<std::string, MakeRankWorker>& rankWorkers()
{
    static std::map<std::string, MakeRankWorker> all;
    return all;
}

} // namespace

bool nameRankWorker(const std::string& name, MakeRankWorker make)
{
    rankWorkers()[name] = make;
    return true;
}

MakeRankWorker rankWorker(const std::string& name)
{
    const auto found = rankWorkers().find(name);
    if (found == rankWorkers().end()) throw std::invalid_argument("ranks: no worker is known as '" + name + "'");
    return found->second;
}

RankTeam::MakeOthers& RankTeam::makeOthers()
{
    static MakeOthers make = nullptr;
    return make;
}

RankTeam::RankTeam(const std::string& name, const Message& told) :
    others_(makeOthers() ? makeOthers()(name, told) : nullptr)
{}

RankTeam::~RankTeam() = default;

int RankTeam::size() const { return 1 + (others_ ? others_->count() : 0); }

std::vector<Message> RankTeam::ask(const std::vector<Message>& told, const std::function<void()>& here)
{
    if (others_) return others_->ask(told, here);
    here();
    return {};
}

} // namespace lbm
