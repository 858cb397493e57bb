// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Ranks.hpp"

#include "lbm/solver/BuildId.hpp"
#include "lbm/solver/DeviceExchange.hpp"
#include "lbm/solver/Devices.hpp"
#include "lbm/solver/PartedNodes.hpp"
#include "lbm/solver/RankSolvers.hpp"
#include "lbm/solver/RankServer.hpp"
#include "lbm/solver/RankedParts.hpp"
#include "lbm/solver/RankedTeam.hpp"
#include "lbm/solver/RemotePart.hpp"

#include <cstdio>
#include <set>
#include <stdexcept>

namespace lbm {

namespace {

// Of the process, as MPI is
std::shared_ptr<const RankLink> link;

// Of parts here, those that are GPUs
std::set<std::string> gpus;

// A part of this rank's, on one of its devices.
template<class Make>
std::unique_ptr<Part> makeHere(Make& make, std::shared_ptr<const Domain> domain, Config config,
                               const DeviceOfRank& device)
{
    config.device = deviceOfRank(devicesOfRank(config, placeOnHost()), device);
    if (config.device != "cpu") gpus.insert(config.device);
    return make(std::move(domain), config);
}

std::unique_ptr<SpreadParts> spread(const Config& config, const KernelRow& row, PartedSolver::MakePart make)
{
    if (config.ranks != ranks())
        throw std::invalid_argument("ranks is " + std::to_string(config.ranks) + ", but " + std::to_string(ranks())
                                    + " share the lattice");
    if (config.parts < config.ranks)
        throw std::invalid_argument("parts is " + std::to_string(config.parts) + ": fewer than the "
                                    + std::to_string(config.ranks) + " ranks that are to have one each");
    const auto here = [make = std::move(make)](std::shared_ptr<const Domain> domain, const Config& own,
                                               const DeviceOfRank& device) mutable {
        return makeHere(make, std::move(domain), own, device);
    };
    return std::make_unique<RankedParts>(link, config, row, here);
}

std::unique_ptr<RankTeam::Others> team(const std::string& name, const Message& told)
{
    return std::make_unique<RankedTeam>(link, name, told);
}

// All ranks look, the first one says.
void checkBuilds()
{
    const ProcessBuild build = buildOfProcess();
    const std::vector<std::string> ids = link->ofAll(build.ids), places = link->ofAll(build.place);
    for (std::size_t rank = 1; link->rank() == 0 && rank < ids.size(); ++rank)
        if (ids[rank] != ids[0])
            throw std::runtime_error("rank " + std::to_string(rank)
                                     + " is of another build of lbmFoam than the first one:\n    rank 0: " + places[0]
                                     + "\n    rank " + std::to_string(rank) + ": " + places[rank]
                                     + "\nAll ranks are to run the same program with the same libraries");
}

// Of a served rank, and all others with it.
void endFailed(const char* words)
{
    std::fprintf(stderr, "\n[%d] %s failed: %s\n", link->rank(), placeOfRank().c_str(), words);
    abortRanks(1);
}

} // namespace

bool ranksAvailable() { return true; }

// One thread calls MPI; others step nodes, or solve what a lattice waits for, meanwhile.
int beginMpi()
{
    int level = 0, processes = 1;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    if (level < MPI_THREAD_FUNNELED)
        throw std::runtime_error(
            "ranks: this MPI allows no threads beside the one that calls it (MPI_THREAD_FUNNELED)");
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    return processes;
}
void endMpi() { MPI_Finalize(); }

int ranks() { return link ? link->size() : 1; }

void abortRanks(int status)
{
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun && !ended) MPI_Abort(MPI_COMM_WORLD, status);
}

std::string placeOfRank()
{
    std::string place = "rank " + std::to_string(link ? link->rank() : 0) + " on host " + host();
    for (const std::string& gpu : gpus) place += (gpu == *gpus.begin() ? ", device " : " and ") + gpu;
    return place;
}

int signalOfRanks()
{
    int signal = 0;
    const auto take = [&signal](RankMessage& answer) {
        if (const int its = answer.get<int>()) signal = its;
    };
    andSettle(
        [&] {
            for (int rank = 1; rank < ranks(); ++rank) postToRank(*link, rank, RankMessage(RankCall::signal), take);
            return Extremes{};
        },
        [] {
            if (link) settleRanks(*link);
            return Extremes{};
        });
    return signal;
}

bool leadOrServeRanks(std::function<int()> signal)
{
    link = std::make_shared<const RankLink>();
    placeOnHost() = {link->rankOnHost(), link->ranksOnHost()};
    checkBuilds();
    if (link->rank() == 0) {
        spreadOverRanks() = spread;
        RankTeam::makeOthers() = team;
        return true;
    }
    const auto make = [](std::shared_ptr<const Domain> domain, const Config& config, const DeviceOfRank& device) {
        return makeHere(makePart, std::move(domain), config, device);
    };
    {
        // All are ended before its parts are: they would wait for those of ranks that wait for this one
        RankServer server(*link, make, std::move(signal));
        try {
            server.serve();
        } catch (const std::bad_alloc&) {
            endFailed("not enough memory");
        } catch (const std::exception& fault) {
            endFailed(fault.what());
        }
    }
    deviceExchange().leave();
    link.reset();
    return false;
}

void endRanks()
{
    if (!link) return;
    for (int rank = 1; rank < link->size(); ++rank) link->send(rank, RankMessage(RankCall::end));
    spreadOverRanks() = nullptr;
    RankTeam::makeOthers() = nullptr;
    deviceExchange().leave();
    placeOnHost() = {};
    link.reset();
}

} // namespace lbm
