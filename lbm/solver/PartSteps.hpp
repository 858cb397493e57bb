// PartSteps: the executor of parts that step together in one process, be it that others do so with more parts of the same domain. A
// part's rim is stepped before its inner tiles, so that halos are taken over while inner tiles are still at work. Parts take turns
// forth and back: who is last in one step is first in the next, and has by then what it needs of all others, also where a storage
// cannot step its rim by itself. Parts that stream through their devices step piece by piece of the same slabs (SlabPart), with
// halos of each piece behind it. Parts on devices of their own may hand over their rims by themselves (PassedRims), those of other
// processes among them. Nothing here waits for a device within steps: what depends on what, parts and halos tell it.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/PassedRims.hpp"
#include "lbm/solver/StepGraph.hpp"

#include <set>

namespace lbm {

// Other processes that do the same with parts of theirs, each call when it is made here.
class Followers {
public:
    virtual ~Followers() = default;
    virtual void advance(std::int64_t steps) = 0;
    virtual void nodesWritten() = 0;
    virtual void fillGhosts() = 0;
    virtual void end() = 0; // with the steps here
};

class PartSteps {
public:
    PartSteps() = default;
    ~PartSteps();
    PartSteps(const PartSteps&) = delete;
    PartSteps& operator=(const PartSteps&) = delete;

    // Must outlive this.
    void lead(Followers& followers) { followers_ = &followers; }

    // All processes that do the same, the leading one and followers.
    void beOneOf(TextsOfAll textsOfAll) { textsOfAll_ = std::move(textsOfAll); }

    // The part must outlive this.
    void add(Part& part) { parts_.push_back(&part); }
    void add(std::unique_ptr<Halo> halo) { halos_.push_back(std::move(halo)); }

    void advance(std::int64_t steps);

    // Own nodes are no longer what their ghosts in other parts are.
    void nodesWritten();

    // Parts have been told anything but nodes.
    void changed() { graph_.forget(); }

    // How steps are begun, see StepGraph, and whether they hand over by themselves.
    std::string begun() const;

    // That all parts take together; known from the first step on.
    int stepsOfPass() const { return rims_.stepsOfPass(parts_, mostStepsOfPass) > 1 ? mostStepsOfPass : 1; }

    // To be called before ghosts are read.
    void fillGhosts();

    std::size_t bytes() const;

    // In which ways halos get to other devices.
    std::set<std::string> ways() const;

private:
    void step();
    void advanceInSlabs(std::int64_t steps);
    void advanceOverBox(std::int64_t steps);
    static constexpr int mostStepsOfPass = 2;

    // A part's own nodes are not touched by what its ghosts become, so that halos need no order.
    void take(Handover what);

    // What ghosts hold: something else than their owners, what steps need, all.
    enum class Ghosts { old, forStep, whole };

    Followers* followers_ = nullptr;
    TextsOfAll textsOfAll_;
    std::vector<Part*> parts_;
    std::vector<std::unique_ptr<Halo>> halos_;
    Ghosts ghosts_ = Ghosts::whole; // all at rest
    bool boxKnown_ = false;         // ghosts hold what passes over boxes need
    bool backwards_ = false;
    PassedRims rims_;
    StepGraph graph_;
    bool begun_ = false;
};

} // namespace lbm
