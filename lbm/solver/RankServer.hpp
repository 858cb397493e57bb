// RankServer: what ranks other than the first one do: keep parts of its solvers and workers of its teams, and do as it says.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/KeptStates.hpp"
#include "lbm/api/RankTeam.hpp"
#include "lbm/solver/RankCall.hpp"
#include "lbm/solver/RankHalo.hpp"
#include "lbm/solver/RankLink.hpp"
#include "lbm/solver/RankSolvers.hpp"

#include <functional>
#include <map>

namespace lbm {

class RankServer {
public:
    RankServer(const RankLink& link, MakePartOnDevice makePart, std::function<int()> signal) :
        link_(link), makePart_(std::move(makePart)), signal_(std::move(signal))
    {}

    // Until the first rank ends it. Throws what a call without an answer does.
    void serve();

private:
    // Parts outlive halos between them.
    struct Solver {
        std::map<int, std::unique_ptr<Part>> parts;
        PartsByDevice onDevices;
        PartSteps steps;
        std::map<int, RankHalo*> halos;  // of the steps, by number
        std::map<int, SlabOffer> offers; // by part
    };

    RankMessage answer(RankCall, RankMessage& call);
    RankMessage ofWorkers(RankCall, RankMessage& call);
    void tell(RankCall, RankMessage& call);
    void make(Solver&, int part, RankMessage& call);
    RankMessage placeHalo(RankCall, Solver&, Part&, RankMessage& call);
    RankMessage ofSlabs(RankCall, Solver&, int part, RankMessage& call);
    RankMessage ofNodes(RankCall, Part&, RankMessage& call);
    RankMessage ofAll(RankCall, Part&, RankMessage& call);

    const RankLink& link_;
    MakePartOnDevice makePart_;
    std::function<int()> signal_; // as leadOrServeRanks takes it
    std::map<int, Solver> solvers_;
    std::map<int, std::shared_ptr<const NodeSet>> sets_;
    std::map<int, std::shared_ptr<const KeptStates>> kept_;
    std::map<int, std::unique_ptr<RankWorker>> workers_;
};

} // namespace lbm
