// PartedSolver: a Solver that composes parts of one domain (Config::parts). Each part is a Solver of its brick with ghosts
// around it; PartSteps sees to steps and to the ghosts, so that nothing differs from what one solver of the whole does.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/KeptStates.hpp"
#include "lbm/api/PartWork.hpp"
#include "lbm/geometry/CutFacts.hpp"
#include "lbm/solver/PartedNodes.hpp"
#include "lbm/solver/PartSteps.hpp"

#include <functional>
#include <map>

namespace lbm {

// Parts that are spread over processes. A Part of another one is a proxy.
class SpreadParts : public Followers {
public:
    // Of this number; elsewhere it may not be done before settle().
    virtual std::unique_ptr<Part> make(int part, std::shared_ptr<const Domain>, const Config&) = 0;

    // The number of its process, 0: this one.
    virtual int processOf(std::size_t part) const = 0;
    bool isHere(std::size_t part) const { return processOf(part) == 0; }

    // Has a halo placed where its ends are; null: none of them is here.
    virtual std::unique_ptr<Halo> halo(std::size_t to, Part& own, std::size_t from, Part& owner, const HaloNodes&) = 0;

    // See TextsOfAll.
    virtual std::vector<std::string> textsOfAll(const std::string& own) const = 0;

    // In which ways those that have been placed get from device to device and from process to process, and between whom.
    virtual std::vector<std::string> ways() const = 0;

    // Calls of parts elsewhere that write or read nodes return before they are done. Values that they read are there when this
    // returns, and what went wrong is thrown; what was seen.
    virtual Extremes settle() = 0;

    // See WorkedParts; parts: all, in their order.
    virtual std::vector<Message> work(const std::string& name, const std::vector<Part*>& parts,
                                      const std::vector<Message>& told) = 0;
};

class PartedSolver final : public Solver, public WorkedParts, public KeepsStates {
public:
    using MakePart = std::function<std::unique_ptr<Part>(std::shared_ptr<const Domain>, const Config&)>;

    // Throws std::invalid_argument if the domain cannot be cut so often, and what makePart throws.
    PartedSolver(std::shared_ptr<const Domain>, const Config&, const KernelRow&, const MakePart&);
    PartedSolver(std::shared_ptr<const Domain>, const Config&, const KernelRow&, std::unique_ptr<SpreadParts>);

    const KernelRow& row() const override { return row_; }
    const Domain& domain() const override { return *domain_; }
    std::int64_t step() const override { return parts_.front().solver->step(); }
    int directions() const override { return parts_.front().solver->directions(); }
    TilingFacts tiling() const override;
    MemoryUse memory() const override;
    std::string executor() const override;
    int stepsOfPass() const override { return streams_ ? parts_.front().solver->stepsOfPass() : steps_.stepsOfPass(); }

    void advance(std::int64_t steps) override;

    std::shared_ptr<const NodeSet> place(const NodeIndex* nodes, std::size_t n) const override;
    std::shared_ptr<const NodeSet> place(const NodeGroups&) const override;
    std::shared_ptr<const NodeSet> place(const NodeBoxes&) const override;
    void initialise(const NodeSet&, const Macroscopic* states) override;
    void initialise(const NodeBoxes&, const LinearState* states) override;
    std::shared_ptr<const KeptStates> keepStates(const NodeBox&) const override;
    void setStates(const KeptStates&, const StateScale&) override;
    Extremes sample(const NodeSet&, Reading, double* values) const override;
    Extremes getPopulations(const NodeSet&, double* populations) const override;
    void setPopulations(const NodeSet&, const double* populations) override;
    Extremes sumPopulations(const NodeSet&, double* sums) const override;
    void getStored(const NodeSet&, double* values) const override;
    void setStored(const NodeSet&, const double* values) override;

    double stateTau() const override;
    void setStateTau(double tau) override;
    void setStateSteps(std::int64_t steps) override;

    void setBoundary(int patch, const LinkValue* values, std::size_t n) override;
    void tellBoundary(int patch, std::size_t n, const TellLinks& tell) override;
    std::size_t remembering() const override { return memoryFirst_.back(); }
    std::vector<OpeningMemory> openingMemory(std::size_t first, std::size_t n) const override;
    void setOpeningMemory(const std::vector<OpeningMemory>&) override;

    void setForce(const Vec3&) override;
    void setRelaxationTime(double tau) override;
    void setCoefficients(const ClosureCoefficients&) override;
    void setMagic(double magic) override;
    void setRelaxationTimes(const NodeSet&, const double* tau) override;
    void setForces(const NodeSet&, const double* forces) override;

    // Every stride-th tile of each part; ghosts do not count.
    Health health(int stride) const override;

    std::vector<PartPlace> partPlaces() const override;
    std::vector<Message> work(const std::string& name, const std::vector<Message>& told) override;

private:
    // Ghosts of a part, and the nodes of their owner: placed when values are told node by node for the first time. Rows of them until
    // then, for who tells parts their nodes himself (PartEffect::steps) never does.
    class ToldGhosts {
    public:
        ToldGhosts(std::size_t to, std::size_t from, const HaloNodes&);
        void place(const Part& ghostsPart, const Part& ownersPart);

        std::size_t to, from;
        std::shared_ptr<const NodeSet> ghosts, owners; // null: not placed yet

    private:
        NumberRuns ghostRuns_, ownerRuns_;
    };

    PartedSolver(std::shared_ptr<const Domain>, const Config&, const KernelRow&, std::unique_ptr<SpreadParts>,
                 const MakePart&);
    // Ghosts of a part by their owner.
    using Ghosts = std::map<std::size_t, HaloNodes>;

    void makeParts(const Config&, const MakePart&);
    void letStream(const Config&);
    Ghosts ghostsOf(const PartDomain&) const;
    void placeHalos(const std::vector<Ghosts>&);
    Extremes settle() const { return spread_ ? spread_->settle() : Extremes{}; }
    auto settling() const
    {
        return [this] { return settle(); };
    }
    std::string devices() const;
    void countLinks(const Config&);
    void listLinks(std::size_t part, const PartDomain&, const Config&, const std::vector<std::int32_t>& ordinals);
    bool remembers(std::size_t patch) const { return memoryFirst_[patch + 1] > memoryFirst_[patch]; }
    // f(patch, first, in the whole's list of what links remember, first in the part's, first of its links of the patch, how many): of
    // those in so many of the whole's list.
    template<class F>
    void forRemembering(std::size_t part, std::size_t first, std::size_t n, F&& f) const;
    template<class Check>
    void checkNodes(const PartedNodes&, Check&& check) const;
    void tellGhosts(bool tau, bool forces);
    const PartedNodes& own(const NodeSet&, std::initializer_list<NodeSet::Kind>) const;
    template<class F>
    void forParts(F&& f) const;

    std::shared_ptr<const Domain> domain_;
    KernelRow row_;
    bool streams_; // parts do, through their devices
    Bricks bricks_;
    std::vector<BrickFacts> facts_;
    const ClosureDescriptor* closure_;
    bool nodeForces_;
    std::unique_ptr<SpreadParts> spread_; // null: all are here
    std::vector<PartOfDomain> parts_;
    mutable PartSteps steps_;
    std::vector<ToldGhosts> told_; // where nodes are told values one by one
    SetMaker sets_;
    // By part and patch, of its links: which of the whole's links of that patch each is. Empty for walls at rest.
    std::vector<std::vector<NumberRuns>> links_;
    std::vector<std::vector<std::vector<bool>>> owned_; // of those that remember: not a ghost's
    std::vector<std::size_t> linkCounts_;               // of the whole, by patch; 0 for walls at rest
    std::vector<std::size_t> memoryFirst_; // by patch, and one more: where its links begin in openingMemory
};

} // namespace lbm
