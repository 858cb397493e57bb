// RemotePart: a Part that lies at another rank, as the first one sees it: every call goes there and waits for the answer, but for
// those that make it and that write or read nodes, which settleRanks waits for. Steps it makes with all parts of its rank
// (SpreadParts). Its nodes, its links and those of its sets are that rank's alone. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/KeptStates.hpp"
#include "lbm/solver/Devices.hpp"
#include "lbm/solver/OwnedSet.hpp"
#include "lbm/solver/Part.hpp"
#include "lbm/solver/RankCall.hpp"
#include "lbm/solver/RankLink.hpp"

namespace lbm {

// Throws what the other rank's call did.
RankMessage askRank(const RankLink&, int rank, const RankMessage&);

// The same of a call that has been sent.
RankMessage answerOfRank(const RankLink&, int rank);

// Sends a call, and returns: its answer is taken before that of the rank's next one, or by settleRanks.
void postToRank(const RankLink&, int rank, const RankMessage&, RankLink::Taken);

// What calls that read have seen since this was asked.
Extremes takeSeen();

// Takes the answers that are owed; throws the first fault when all of them are.
void settleRanks(const RankLink&);

class RemotePart final : public Part, public SlabPart, public KeepsStates {
public:
    RemotePart(std::shared_ptr<const RankLink>, int rank, int solver, int part, const DeviceOfRank&, const Domain&,
               const Config&, const KernelRow&);

    int rank() const { return rank_; }

    SlabPart* inSlabs() override { return streams_ ? this : nullptr; }
    SlabOffer slabOffer(int sharing) const override;
    void stream(const SlabPlan&) override;
    std::int64_t beginPasses(std::int64_t) override { refuseSteps(); }
    void stepPiece() override { refuseSteps(); }
    void endPiece() override { refuseSteps(); }
    void endPasses(std::int64_t) override { refuseSteps(); }

    const KernelRow& row() const override { return row_; }
    const Domain& domain() const override { throw std::logic_error("ranks: the nodes of a part are its rank's"); }
    int directions() const override { return directions_; }
    TilingFacts tiling() const override { return ask(RankCall::tiling).get<TilingFacts>(); }
    MemoryUse memory() const override { return ask(RankCall::memory).get<MemoryUse>(); }
    std::string executor() const override { return ask(RankCall::executor).get<std::string>(); }
    std::string deviceName() const override { return ask(RankCall::deviceName).get<std::string>(); }
    std::int64_t step() const override { return ask(RankCall::step).get<std::int64_t>(); }

    void advance(std::int64_t) override;
    void begin(PartOfTiles) override;

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

    double stateTau() const override { return ask(RankCall::stateTau).get<double>(); }
    void setStateTau(double tau) override { ask(RankCall::setStateTau, tau); }
    void setStateSteps(std::int64_t steps) override { ask(RankCall::setStateSteps, steps); }

    void setBoundary(int patch, const LinkValue* values, std::size_t n) override;
    void keepBoundary(std::size_t n, const LinkPiece&) override;
    void setKeptBoundary(int patch) override;
    std::size_t remembering() const override { return ask(RankCall::remembering).get<std::size_t>(); }
    std::vector<OpeningMemory> openingMemory(std::size_t first, std::size_t n) const override;
    void setOpeningMemory(const std::vector<OpeningMemory>&) override;

    void setForce(const Vec3& force) override { ask(RankCall::setForce, force); }
    void setRelaxationTime(double tau) override { ask(RankCall::setRelaxationTime, tau); }
    void setCoefficients(const ClosureCoefficients& all) override { ask(RankCall::setCoefficients, all); }
    void setMagic(double magic) override { ask(RankCall::setMagic, magic); }
    void setRelaxationTimes(const NodeSet&, const double* tau) override;
    void setForces(const NodeSet&, const double* forces) override;
    void getFields(const NodeSet&, double* tau, double* forces) const override;
    Health health(int stride) const override { return ask(RankCall::health, stride).get<Health>(); }

    std::unique_ptr<Halo> haloOf(Part& owner, const HaloNodes&) override;
    std::unique_ptr<HaloEnd> endOfGhosts(const std::vector<NodeIndex>&, std::vector<std::uint32_t>&) override;
    std::unique_ptr<HaloEnd> endOfOwners(const std::vector<NodeIndex>&, const std::vector<std::uint32_t>&) override;

private:
    [[noreturn]] static void refuseSteps() { throw std::logic_error("ranks: a rank steps all its parts together"); }

    template<class... Values>
    RankMessage ask(RankCall call, const Values&... values) const
    {
        return askRank(*link_, rank_, RankMessage(call, solver_, part_, values...));
    }
    template<class T>
    void post(RankCall, const NodeSet&, const T* values, std::size_t n) const;
    Extremes read(RankCall, const NodeSet&, Reading, double* values) const;
    std::shared_ptr<const NodeSet> set(int number, NodeSet::Kind, std::size_t size) const;
    int number(const NodeSet&) const;

    std::shared_ptr<const RankLink> link_;
    int rank_, solver_, part_;
    bool streams_;
    KernelRow row_;
    int directions_;
    SetOwner owner_ = std::make_shared<const char>();
};

} // namespace lbm
