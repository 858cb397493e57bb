// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPhases.H"
#include "memInfo.H"
#include "StringStream.H"
#include "lbm/api/RankTeam.hpp"
#include "lbm/api/Ranks.hpp"

#include <algorithm>

#include <sys/resource.h>

namespace
{
    const Foam::scalar shareToTell = 0.01;

    // Between two words about it [s]
    const Foam::scalar longSetUp = 5;

    // From the lattice on, in their order; seconds of 2 billion nodes. What reading a
    // mesh takes says nothing of them
    const struct { const char* name; Foam::scalar seconds; } expected[] =
    {
        {"lattice", 11}, {"patches", 7.3}, {"solver", 19.6}, {"openings", 1.2},
        {"cells", 1}, {"walls", 0.5}, {"speed measured", 0.5}, {"start", 12.3}
    };

    // memInfo's kB are of 1024 bytes
    const Foam::scalar kBInMB = 1e6/1024;

    // Most that this process has held [MB]
    double heldMost()
    {
        struct rusage use;
        getrusage(RUSAGE_SELF, &use);
        return double(use.ru_maxrss)/kBInMB;
    }

    const char* const workerName = "processMemory";

    class memoryOfRank
    :
        public lbm::RankWorker
    {
    public:

        virtual lbm::Message answer(lbm::Message&) { return lbm::Message(heldMost()); }
    };

    [[maybe_unused]] const bool named = lbm::nameRankWorker
    (
        workerName,
        [](lbm::Message&) -> std::unique_ptr<lbm::RankWorker>
        {
            return std::make_unique<memoryOfRank>();
        }
    );

    void printRanks()
    {
        if (lbm::ranks() == 1) return;
        lbm::RankTeam team(workerName, lbm::Message());
        const std::vector<lbm::Message> asked(team.size() - 1);
        std::vector<lbm::Message> told(team.ask(asked, []{}));
        Foam::OStringStream text;
        text.precision(3);
        text<< heldMost();
        for (lbm::Message& its : told) text<< ' ' << its.get<double>();
        Foam::Info<< "Ranks held at most, one after the other [MB]: "
            << text.str().c_str() << Foam::nl;
    }
}


void Foam::lbmPhases::end(const string& name)
{
    phases_.append
    (
        phase
        {
            name, clock_.timeIncrement(), memInfo().rss()/kBInMB, heldMost()
        }
    );
    untold_ += phases_.last().seconds;
    if (untold_ > longSetUp) tellRest();
}


void Foam::lbmPhases::tellRest()
{
    scalar took = 0, done = 0, rest = 0;
    for (const auto& its : expected)
    {
        const auto found = std::find_if
        (
            phases_.begin(),
            phases_.end(),
            [&](const phase& made){ return made.name == its.name; }
        );
        const bool isDone = found != phases_.end();
        (isDone ? done : rest) += its.seconds;
        if (isDone) took += found->seconds;
    }
    if (done <= 0 || rest <= 0) return;
    untold_ = 0;
    OStringStream text;
    text<< "Set-up: " << phases_.last().name.c_str() << " is done; the rest takes about "
        << max(scalar(1), round(took*rest/done)) << " s";
    Info<< text.str().c_str() << endl;
}


void Foam::lbmPhases::print
(
    const char* before,
    const char* unit,
    const scalar of,
    scalar phase::* value
) const
{
    OStringStream text;
    text.precision(3);
    text<< before << ' ' << of << unit;
    bool first = true;
    for (const phase& its : phases_)
    {
        if (its.*value < shareToTell*of) continue;
        text<< (first ? ": " : ", ") << its.name.c_str() << ' ' << its.*value;
        first = false;
    }
    Info<< text.str().c_str() << nl;
}


void Foam::lbmPhases::print() const
{
    scalar all = 0, held = 0, most = 0;
    for (const phase& its : phases_)
    {
        all += its.seconds;
        held = max(held, its.held);
        most = max(most, its.most);
    }
    print("Set-up took", " s", all, &phase::seconds);
    print("This process held", " MB after its phases", held, &phase::held);
    print("At most", " MB until their ends", most, &phase::most);
    printRanks();
    Info<< endl;
}
