// RankTeam: work that processes which share a lattice (Ranks.hpp) do together before there is a solver, such as to find its nodes.
// The first one leads; each other one has a worker, which keeps what it was made with from question to question. Processes are of
// one build, and know kinds of workers by name. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Message.hpp"

#include <functional>
#include <memory>

namespace lbm {

class RankWorker {
public:
    virtual ~RankWorker() = default;
    virtual Message answer(Message& told) = 0;

    int onHost = 0; // the process's number among those of its host; from the first answer on, by who serves
};

using MakeRankWorker = std::unique_ptr<RankWorker> (*)(Message& told);

// By all processes, before leadOrServeRanks; returns true, for who does it while a library is loaded.
bool nameRankWorker(const std::string& name, MakeRankWorker);

// Throws std::invalid_argument for a name that nobody gave.
MakeRankWorker rankWorker(const std::string& name);

class RankTeam {
public:
    // By the first process; others begin to make their workers. Alone, or where nobody serves: no worker.
    RankTeam(const std::string& name, const Message& told);
    ~RankTeam();
    RankTeam(const RankTeam&) = delete;
    RankTeam& operator=(const RankTeam&) = delete;

    // Processes, with the first one.
    int size() const;

    // told: to each other process, the second one's first. here: what this one does while they work. The answers, in their order.
    // What a worker throws, when it is made or asked, comes as std::invalid_argument, std::out_of_range, std::bad_alloc, or else
    // a RankError; what `here` throws goes first.
    std::vector<Message> ask(const std::vector<Message>& told, const std::function<void()>& here);

    // Those of other processes, as who leads them reaches them.
    class Others {
    public:
        virtual ~Others() = default;
        virtual int count() const = 0;
        virtual std::vector<Message> ask(const std::vector<Message>& told, const std::function<void()>& here) = 0;
    };
    using MakeOthers = std::unique_ptr<Others> (*)(const std::string& name, const Message& told);

    // To be set by who leads ranks; null: nobody does.
    static MakeOthers& makeOthers();

private:
    std::unique_ptr<Others> others_;
};

} // namespace lbm
