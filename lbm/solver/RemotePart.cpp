// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/RemotePart.hpp"

#include "lbm/api/Ranks.hpp"
#include "lbm/solver/PartedNodes.hpp"

#include <utility>

namespace lbm {

namespace {

// Of all remote parts' sets
int sets = 0;

// Nodes and groups are its rank's
class RemoteSet final : public NodeSet, public NodesElsewhere {
public:
    RemoteSet(std::weak_ptr<const RankLink> link, int rank, int solver, int part, int number, const SetOwner& owner,
              Kind kind, std::size_t size) :
        NodeSet(kind, size),
        link_(std::move(link)),
        rank_(rank),
        solver_(solver),
        part_(part),
        number_(number),
        owner_(owner)
    {}
    ~RemoteSet() override
    {
        if (const auto link = link_.lock()) link->send(rank_, RankMessage(RankCall::dropSet, number_));
    }
    int number() const { return number_; }
    const SetOwner& owner() const { return owner_; }

    NodeIndex node(std::size_t i) const override
    {
        const auto link = link_.lock();
        if (!link) throw std::logic_error("ranks: a node of a set is asked for after their end");
        return askRank(*link, rank_, RankMessage(RankCall::nodeOfSet, solver_, part_, number_, i)).get<NodeIndex>();
    }

private:
    std::weak_ptr<const RankLink> link_;
    int rank_, solver_, part_, number_;
    SetOwner owner_;
};

// States that are its rank's
class RemoteStates final : public KeptStates {
public:
    RemoteStates(std::weak_ptr<const RankLink> link, int rank) : link_(std::move(link)), rank_(rank) {}
    ~RemoteStates() override
    {
        if (const auto link = link_.lock()) link->send(rank_, RankMessage(RankCall::dropStates, number));
    }

    const int number = count++;

private:
    static inline int count = 0; // of all remote parts'
    std::weak_ptr<const RankLink> link_;
    int rank_;
};

// What has been seen by calls whose answers were taken since somebody asked. Of this process.
Extremes seenElsewhere;

void settleRank(const RankLink& link, int rank)
{
    const RankLink::Taken taken = std::exchange(link.owed(rank), nullptr);
    if (!taken) return;
    RankMessage answer = answerOfRank(link, rank);
    taken(answer);
}

} // namespace

Extremes takeSeen() { return std::exchange(seenElsewhere, Extremes{}); }

RankMessage askRank(const RankLink& link, int rank, const RankMessage& call)
{
    settleRank(link, rank);
    link.send(rank, call);
    return answerOfRank(link, rank);
}

void postToRank(const RankLink& link, int rank, const RankMessage& call, RankLink::Taken taken)
{
    settleRank(link, rank);
    link.send(rank, call);
    link.owed(rank) = std::move(taken);
}

void settleRanks(const RankLink& link)
{
    std::exception_ptr fault;
    for (int rank = 1; rank < link.size(); ++rank) {
        try {
            settleRank(link, rank);
        } catch (...) {
            if (!fault) fault = std::current_exception();
        }
    }
    if (fault) std::rethrow_exception(fault);
}

RankMessage answerOfRank(const RankLink& link, int rank)
{
    RankMessage answer = link.receive(rank);
    const auto how = answer.get<RankAnswer>();
    if (how == RankAnswer::done) return answer;
    const auto words = answer.get<std::string>();
    if (how == RankAnswer::invalidArgument) throw std::invalid_argument(words);
    if (how == RankAnswer::outOfRange) throw std::out_of_range(words);
    if (how == RankAnswer::badAlloc) throw RankOutOfMemory(words);
    throw RankError(words);
}

RemotePart::RemotePart(std::shared_ptr<const RankLink> link, int rank, int solver, int part, const DeviceOfRank& device,
                       const Domain& domain, const Config& config, const KernelRow& row) :
    link_(std::move(link)),
    rank_(rank),
    solver_(solver),
    part_(part),
    streams_(config.slabSteps > 0),
    row_(row),
    directions_(int(latticeDirections(row.lattice).size()))
{
    RankMessage message(RankCall::makePart, solver_, part_, device);
    put(message, config);
    put(message, domain);
    postToRank(*link_, rank_, message, [rank, wanted = name(row)](RankMessage& answer) {
        const auto made = answer.get<std::string>();
        if (made != wanted)
            throw std::runtime_error("rank " + std::to_string(rank) + " made kernel " + made + ", not " + wanted
                                     + ": its processor differs from the first rank's");
    });
}

void RemotePart::advance(std::int64_t) { refuseSteps(); }
void RemotePart::begin(PartOfTiles) { refuseSteps(); }

SlabOffer RemotePart::slabOffer(int sharing) const
{
    RankMessage answer = ask(RankCall::slabOffer, sharing);
    SlabOffer offer = getSlabOffer(answer);
    offer.facts.windowBytes = [this](const SlabShape& shape, int steps) {
        RankMessage call(RankCall::slabWindows, solver_, part_);
        put(call, shape);
        call.put(steps);
        return askRank(*link_, rank_, call).get<std::size_t>();
    };
    return offer;
}

void RemotePart::stream(const SlabPlan& plan)
{
    RankMessage call(RankCall::streamSlabs, solver_, part_);
    put(call, plan);
    askRank(*link_, rank_, call);
}

std::shared_ptr<const NodeSet> RemotePart::place(const NodeIndex* nodes, std::size_t n) const
{
    const int number = sets++;
    RankMessage message(RankCall::placeNodes, solver_, part_, number);
    message.put(nodes, n);
    askRank(*link_, rank_, message);
    return set(number, NodeSet::Kind::nodes, n);
}

std::shared_ptr<const NodeSet> RemotePart::place(const NodeGroups& groups) const
{
    const int number = sets++;
    ask(RankCall::placeGroups, number, groups.kind, groups.nodes, groups.weights, groups.directions, groups.begin);
    return set(number, groups.kind, groups.size());
}

std::shared_ptr<const NodeSet> RemotePart::place(const NodeBoxes& boxes) const
{
    const int number = sets++;
    ask(RankCall::placeBoxes, number, boxes.kind, boxes.boxes);
    return set(number, boxes.kind, boxes.boxes.size());
}

std::shared_ptr<const NodeSet> RemotePart::set(int number, NodeSet::Kind kind, std::size_t size) const
{
    return std::make_shared<RemoteSet>(link_, rank_, solver_, part_, number, owner_, kind, size);
}

int RemotePart::number(const NodeSet& set) const
{
    using Kind = NodeSet::Kind;
    return ownSet<RemoteSet>(set, owner_, {Kind::nodes, Kind::sumsOfFlow, Kind::sumsOfStates, Kind::sumsOfPopulations})
        .number();
}

template<class T>
void RemotePart::post(RankCall call, const NodeSet& set, const T* values, std::size_t n) const
{
    RankMessage message(call, solver_, part_, number(set));
    message.put(values, n);
    postToRank(*link_, rank_, message, [](RankMessage&) {});
}

Extremes RemotePart::read(RankCall call, const NodeSet& set, Reading reading, double* values) const
{
    postToRank(*link_, rank_, RankMessage(call, solver_, part_, number(set), reading), [values](RankMessage& answer) {
        answer.get(values);
        include(seenElsewhere, answer.get<Extremes>());
    });
    return {};
}

void RemotePart::initialise(const NodeSet& set, const Macroscopic* states)
{
    post(RankCall::initialise, set, states, set.size());
}

void RemotePart::initialise(const NodeBoxes& boxes, const LinearState* states)
{
    RankMessage message(RankCall::initialiseBoxes, solver_, part_, boxes.kind, boxes.boxes);
    message.put(states, boxes.boxes.size());
    postToRank(*link_, rank_, message, [](RankMessage&) {});
}

std::shared_ptr<const KeptStates> RemotePart::keepStates(const NodeBox& box) const
{
    auto kept = std::make_shared<RemoteStates>(link_, rank_);
    postToRank(*link_, rank_, RankMessage(RankCall::keepStates, solver_, part_, kept->number, box),
               [](RankMessage& answer) { include(seenElsewhere, answer.get<Extremes>()); });
    return kept;
}

void RemotePart::setStates(const KeptStates& states, const StateScale& scale)
{
    const int number = ownStates<RemoteStates>(states).number;
    postToRank(*link_, rank_, RankMessage(RankCall::setStates, solver_, part_, number, scale), [](RankMessage&) {});
}

Extremes RemotePart::sample(const NodeSet& set, Reading reading, double* values) const
{
    return read(RankCall::sample, set, reading, values);
}

Extremes RemotePart::getPopulations(const NodeSet& set, double* populations) const
{
    return read(RankCall::getPopulations, set, Reading::state, populations);
}

void RemotePart::setPopulations(const NodeSet& set, const double* populations)
{
    post(RankCall::setPopulations, set, populations, set.size() * std::size_t(directions_));
}

Extremes RemotePart::sumPopulations(const NodeSet& set, double* sums) const
{
    return read(RankCall::sumPopulations, set, Reading::state, sums);
}

void RemotePart::getStored(const NodeSet& set, double* values) const
{
    read(RankCall::getStored, set, Reading::state, values);
}

void RemotePart::setStored(const NodeSet& set, const double* values)
{
    post(RankCall::setStored, set, values, set.size() * std::size_t(storedState(row_).values));
}

void RemotePart::setBoundary(int patch, const LinkValue* values, std::size_t n)
{
    keepBoundary(n, {{{0, n}}, std::vector<LinkValue>(values, values + n)});
    setKeptBoundary(patch);
    settleRanks(*link_);
}

void RemotePart::keepBoundary(std::size_t n, const LinkPiece& piece)
{
    postToRank(*link_, rank_, RankMessage(RankCall::keepBoundary, solver_, part_, n, piece.runs, piece.values),
               [](RankMessage&) {});
}

void RemotePart::setKeptBoundary(int patch)
{
    postToRank(*link_, rank_, RankMessage(RankCall::setKeptBoundary, solver_, part_, patch), [](RankMessage&) {});
}

std::vector<OpeningMemory> RemotePart::openingMemory(std::size_t first, std::size_t n) const
{
    std::vector<OpeningMemory> memory;
    ask(RankCall::openingMemory, first, n).get(memory);
    return memory;
}

void RemotePart::setOpeningMemory(const std::vector<OpeningMemory>& memory) { ask(RankCall::setOpeningMemory, memory); }

void RemotePart::setRelaxationTimes(const NodeSet& set, const double* tau)
{
    post(RankCall::setRelaxationTimes, set, tau, set.size());
}

void RemotePart::setForces(const NodeSet& set, const double* forces)
{
    post(RankCall::setForces, set, forces, 3 * set.size());
}

void RemotePart::getFields(const NodeSet& set, double* tau, double* forces) const
{
    RankMessage answer = ask(RankCall::getFields, number(set), tau != nullptr, forces != nullptr);
    if (tau) answer.get(tau);
    if (forces) answer.get(forces);
}

namespace {

[[noreturn]] void refuseHalos() { throw std::logic_error("ranks: halos of parts of ranks are SpreadParts' to place"); }

} // namespace

std::unique_ptr<Halo> RemotePart::haloOf(Part&, const HaloNodes&) { refuseHalos(); }
std::unique_ptr<HaloEnd> RemotePart::endOfGhosts(const std::vector<NodeIndex>&, std::vector<std::uint32_t>&)
{
    refuseHalos();
}
std::unique_ptr<HaloEnd> RemotePart::endOfOwners(const std::vector<NodeIndex>&, const std::vector<std::uint32_t>&)
{
    refuseHalos();
}

} // namespace lbm
