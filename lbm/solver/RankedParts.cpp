// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/RankedParts.hpp"

#include "lbm/api/Ranks.hpp"
#include "lbm/device/DeviceList.hpp"
#include "lbm/solver/RemotePart.hpp"

#include <algorithm>
#include <cstdio>

namespace lbm {

namespace {

// Of this run
int solvers = 0, halos = 0;

} // namespace

RankedParts::RankedParts(std::shared_ptr<const RankLink> link, const Config& config, const KernelRow& row,
                         MakePartOnDevice makeHere) :
    link_(std::move(link)),
    parts_(config.parts),
    devices_(int(devicesOf(config).size())),
    solver_(solvers++),
    exchange_(config.exchange),
    row_(row),
    makeHere_(std::move(makeHere)),
    here_(std::size_t(devices_))
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
    const DeviceOfRank device = deviceOf(std::size_t(part));
    if (rank != 0) return std::make_unique<RemotePart>(link_, rank, solver_, part, device, *domain, config, row_);
    auto made = makeHere_(std::move(domain), config, device);
    if (const Part*& first = here_[std::size_t(device.number)]; !first) first = made.get();
    return made;
}

DeviceOfRank RankedParts::deviceOf(std::size_t part) const
{
    const std::size_t first = firstPartOf(rankOf(part));
    int together = 0;
    while (first + std::size_t(together) < std::size_t(parts_) && rankOf(first + std::size_t(together)) == rankOf(part))
        ++together;
    return {deviceOfPart(int(part - first), together, devices_), devices_};
}

std::unique_ptr<Halo> RankedParts::halo(std::size_t to, Part& own, std::size_t from, Part& owner,
                                        const HaloNodes& nodes)
{
    const int toRank = rankOf(to), fromRank = rankOf(from);
    if (toRank == fromRank) {
        std::unique_ptr<Halo> here = toRank == 0 ? own.haloOf(owner, nodes) : nullptr;
        const std::string way = here
            ? here->way()
            : askRank(*link_, toRank,
                      RankMessage(RankCall::haloHere, solver_, int(to), int(from), nodes.ghosts, nodes.owners))
                  .get<std::string>();
        if (!way.empty()) links_[way].insert({toRank, toRank});
        return here;
    }
    const int number = halos++;
    std::unique_ptr<RankHalo> here;
    std::vector<std::uint32_t> needed;
    std::string shared, way;
    if (toRank == 0) {
        auto end = own.endOfGhosts(nodes.ghosts, needed);
        shared = end->shared();
        here = std::make_unique<ReceivedHalo>(*link_, fromRank, number, std::move(end));
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
        here = std::make_unique<SentHalo>(*link_, toRank, number, std::move(end));
        if (direct) here->beDirect();
        way = here->way();
    } else {
        RankMessage answer = askRank(
            *link_, fromRank,
            RankMessage(RankCall::endOfOwners, solver_, int(from), toRank, number, nodes.owners, needed, shared));
        answer.get(direct), answer.get(way);
    }
    if (direct) {
        if (toRank == 0) here->beDirect();
        else askRank(*link_, toRank, RankMessage(RankCall::beDirect, solver_, int(to), number));
    } else if (exchange_ == "peer") {
        throw std::invalid_argument("exchange peer: the GPU of rank " + std::to_string(fromRank)
                                    + " does not reach the memory of that of rank " + std::to_string(toRank)
                                    + ": leave it out, or take nccl or mpi");
    } else if (devicesExchange()) {
        letStream(to, from, number, here.get());
        way = letStream(from, to, number, here.get());
    } else if (noDevices_ && !noDevices_->empty()) way += " (not by NCCL: " + *noDevices_ + ")";
    if (!way.empty()) links_[way].insert(std::minmax(toRank, fromRank));
    return here;
}

// The way then.
std::string RankedParts::letStream(std::size_t part, std::size_t other, int number, RankHalo* here) const
{
    const int rank = rankOf(part), own = deviceOf(part).number, there = numberOf(deviceOf(other), rankOf(other));
    if (rank != 0)
        return askRank(*link_, rank, RankMessage(RankCall::beStreamed, solver_, int(part), number, own, there))
            .get<std::string>();
    here->beStreamed(own, there);
    return here->way();
}

// Whether halos that cannot be direct go from device to device; finds out when it is first asked.
bool RankedParts::devicesExchange()
{
    if (isOnHost(row_) || exchange_ == "mpi") return false;
    if (noDevices_) return noDevices_->empty();
    const std::vector<DevicePresence> all = presences();
    noDevices_ = whyNoDeviceExchange(all);
    if (!noDevices_->empty()) {
        if (exchange_ == "nccl") throw std::invalid_argument("exchange nccl: " + *noDevices_);
        return false;
    }
    if (!std::all_of(all.begin(), all.end(), [](const DevicePresence& its) { return its.joined; })) joinDevices();
    return true;
}

std::vector<DevicePresence> RankedParts::presences() const
{
    std::vector<DevicePresence> all{deviceExchange().presence(here_)};
    for (int rank = 1; rank < link_->size(); ++rank) {
        RankMessage answer =
            askRank(*link_, rank, RankMessage(RankCall::devicePresence, solver_, int(firstPartOf(rank))));
        DevicePresence its;
        answer.get(its.missing), answer.get(its.devices), answer.get(its.library), answer.get(its.joined);
        all.push_back(its);
    }
    return all;
}

// All wait for each other in there: where one cannot, none goes on.
void RankedParts::joinDevices() const
{
    const std::string id = DeviceExchange::newId();
    for (int rank = 1; rank < link_->size(); ++rank) link_->send(rank, RankMessage(RankCall::joinDevices, solver_, id));
    try {
        deviceExchange().join(here_, id, 0, link_->size());
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "\n[0] %s failed: %s\n", placeOfRank().c_str(), fault.what());
        abortRanks(1);
    }
}

std::size_t RankedParts::firstPartOf(int rank) const
{
    std::size_t part = 0;
    while (rankOf(part) != rank) ++part;
    return part;
}

std::vector<std::string> RankedParts::ways() const
{
    constexpr int shown = 8;
    std::vector<std::string> all;
    for (const auto& [way, links] : links_) {
        std::string text = way + " (ranks";
        int n = 0;
        for (const auto& [a, b] : links) {
            if (n++ == shown) break;
            text += (n > 1 ? ", " : " ") + (a == b ? "within " : std::to_string(a) + '-') + std::to_string(b);
        }
        if (links.size() > shown) text += " and " + std::to_string(links.size() - shown) + " more links";
        all.push_back(text + ')');
    }
    return all;
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
