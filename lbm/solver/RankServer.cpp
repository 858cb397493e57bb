// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/RankServer.hpp"

#include "lbm/api/KeptStates.hpp"
#include "lbm/api/PartWork.hpp"
#include "lbm/api/Ranks.hpp"
#include "lbm/solver/OwnedSet.hpp"

#include <new>

#include <omp.h>

namespace lbm {

namespace {

// values(i): where to put those of the set
template<class Read>
RankMessage valuesOf(std::size_t n, Read&& read)
{
    std::vector<double> values(n);
    const Extremes seen = read(values.data());
    return RankMessage(values, seen);
}

template<class T>
std::vector<T> listOf(RankMessage& call)
{
    std::vector<T> list;
    call.get(list);
    return list;
}

// Does it tell parts anything but nodes? See PartSteps::changed.
bool changesSteps(RankCall what)
{
    switch (what) {
        case RankCall::setStateTau:
        case RankCall::setStateSteps:
        case RankCall::setKeptBoundary:
        case RankCall::setOpeningMemory:
        case RankCall::setForce:
        case RankCall::setRelaxationTime:
        case RankCall::setCoefficients:
        case RankCall::setMagic:
        case RankCall::setRelaxationTimes:
        case RankCall::setForces:
        case RankCall::work: return true;
        default: return false;
    }
}

RankMessage failure(RankAnswer how, const std::string& words) { return RankMessage(how, words); }

} // namespace

void RankServer::serve()
{
    for (;;) {
        RankMessage call = link_.receive(0, true);
        const auto what = call.get<RankCall>();
        if (what == RankCall::end) return;
        if (!answered(what)) {
            tell(what, call);
            continue;
        }
        RankMessage all;
        try {
            const RankMessage values = answer(what, call);
            all = RankMessage(RankAnswer::done);
            all.putRaw(values.bytes.data(), values.bytes.size());
        } catch (const std::bad_alloc&) {
            all = failure(RankAnswer::badAlloc, placeOfRank() + ": not enough memory");
        } catch (const std::invalid_argument& fault) {
            all = failure(RankAnswer::invalidArgument, fault.what());
        } catch (const std::out_of_range& fault) {
            all = failure(RankAnswer::outOfRange, fault.what());
        } catch (const std::exception& fault) {
            all = failure(RankAnswer::failed, placeOfRank() + ": " + fault.what());
        }
        link_.send(0, all);
    }
}

void RankServer::tell(RankCall what, RankMessage& call)
{
    const int number = call.get<int>();
    switch (what) {
        case RankCall::dropSolver: solvers_.erase(number); break;
        case RankCall::dropSet: sets_.erase(number); break;
        case RankCall::dropStates: kept_.erase(number); break;
        case RankCall::dropWorker: workers_.erase(number); break;
        case RankCall::advance: solvers_[number].steps.advance(call.get<std::int64_t>()); break;
        case RankCall::nodesWritten: solvers_[number].steps.nodesWritten(); break;
        case RankCall::fillGhosts: solvers_[number].steps.fillGhosts(); break;
        case RankCall::joinDevices: {
            deviceExchange().join(solvers_[number].onDevices, call.get<std::string>(), link_.rank(), link_.size());
            break;
        }
        default: throw std::logic_error("ranks: an unknown call");
    }
}

RankMessage RankServer::ofWorkers(RankCall what, RankMessage& call)
{
    const int number = call.get<int>();
    if (what == RankCall::askWorker) return workers_.at(number)->answer(call);
    const auto name = call.get<std::string>();
    workers_[number] = rankWorker(name)(call);
    workers_[number]->onHost = link_.rankOnHost();
    return {};
}

RankMessage RankServer::answer(RankCall what, RankMessage& call)
{
    if (what == RankCall::makeWorker || what == RankCall::askWorker) return ofWorkers(what, call);
    if (what == RankCall::signal) return RankMessage(signal_ ? signal_() : 0);
    Solver& solver = solvers_[call.get<int>()];
    const int number = call.get<int>();
    if (what == RankCall::makePart) {
        make(solver, number, call);
        return RankMessage(name(solver.parts.at(number)->row()));
    }
    Part& part = *solver.parts.at(number);
    if (changesSteps(what)) solver.steps.changed();
    switch (what) {
        case RankCall::haloHere:
        case RankCall::endOfGhosts:
        case RankCall::endOfOwners: return placeHalo(what, solver, part, call);
        case RankCall::beDirect: solver.halos.at(call.get<int>())->beDirect(); return {};
        case RankCall::beStreamed: {
            RankHalo& halo = *solver.halos.at(call.get<int>());
            const int own = call.get<int>(), there = call.get<int>();
            halo.beStreamed(own, there);
            return RankMessage(halo.way());
        }
        case RankCall::slabOffer:
        case RankCall::slabWindows:
        case RankCall::streamSlabs: return ofSlabs(what, solver, number, call);
        case RankCall::devicePresence: {
            const DevicePresence here = deviceExchange().presence(solver.onDevices);
            return RankMessage(here.missing, here.devices, here.library, here.joined);
        }
        case RankCall::placeNodes: {
            const int set = call.get<int>();
            const auto nodes = listOf<NodeIndex>(call);
            sets_[set] = part.place(nodes.data(), nodes.size());
            return {};
        }
        case RankCall::placeGroups: {
            const int set = call.get<int>();
            NodeGroups groups(call.get<NodeSet::Kind>());
            call.get(groups.nodes), call.get(groups.weights), call.get(groups.directions), call.get(groups.begin);
            sets_[set] = part.place(groups);
            return {};
        }
        case RankCall::placeBoxes: {
            const int set = call.get<int>();
            NodeBoxes boxes(call.get<NodeSet::Kind>());
            call.get(boxes.boxes);
            sets_[set] = part.place(boxes);
            return {};
        }
        case RankCall::nodeOfSet: {
            const auto& set = static_cast<const OwnedSet&>(*sets_.at(call.get<int>()));
            return RankMessage(set.blocks().nodes.at(call.get<std::size_t>()));
        }
        case RankCall::initialiseBoxes: {
            NodeBoxes boxes(call.get<NodeSet::Kind>());
            call.get(boxes.boxes);
            part.initialise(boxes, listOf<LinearState>(call).data());
            return {};
        }
        case RankCall::keepStates: {
            const int states = call.get<int>();
            const auto& kept = kept_[states] = keepStates(part, call.get<NodeBox>());
            return RankMessage(kept->seen);
        }
        case RankCall::setStates: {
            const int states = call.get<int>();
            setStates(part, *kept_.at(states), call.get<StateScale>());
            return {};
        }
        case RankCall::work: {
            const auto name = call.get<std::string>();
            return partWork(name)(part, call);
        }
        case RankCall::initialise:
        case RankCall::sample:
        case RankCall::getPopulations:
        case RankCall::setPopulations:
        case RankCall::sumPopulations:
        case RankCall::getStored:
        case RankCall::setStored:
        case RankCall::setRelaxationTimes:
        case RankCall::setForces:
        case RankCall::getFields: return ofNodes(what, part, call);
        default: return ofAll(what, part, call);
    }
}

void RankServer::make(Solver& solver, int part, RankMessage& call)
{
    const auto device = call.get<DeviceOfRank>();
    const Config config = getConfig(call);
    // What makes parts asks OpenMP for all threads that it has
    if (config.threads > 0) omp_set_num_threads(config.threads);
    auto made = makePart_(std::make_shared<const Domain>(getDomain(call)), config, device);
    solver.onDevices.resize(std::size_t(device.ofSo));
    if (const Part*& first = solver.onDevices[std::size_t(device.number)]; !first) first = made.get();
    solver.steps.beOneOf([this](const std::string& own) { return link_.ofAll(own); });
    solver.steps.add(*made);
    solver.parts[part] = std::move(made);
}

RankMessage RankServer::placeHalo(RankCall what, Solver& solver, Part& part, RankMessage& call)
{
    const int other = call.get<int>();
    if (what == RankCall::haloHere) {
        HaloNodes nodes;
        call.get(nodes.ghosts), call.get(nodes.owners);
        auto halo = part.haloOf(*solver.parts.at(other), nodes);
        const std::string way = halo->way();
        solver.steps.add(std::move(halo));
        return RankMessage(way);
    }
    const int number = call.get<int>();
    const auto nodes = listOf<NodeIndex>(call);
    std::vector<std::uint32_t> needed;
    if (what == RankCall::endOfGhosts) {
        auto end = part.endOfGhosts(nodes, needed);
        const std::string shared = end->shared();
        auto halo = std::make_unique<ReceivedHalo>(link_, other, number, std::move(end));
        solver.halos[number] = halo.get();
        solver.steps.add(std::move(halo));
        return RankMessage(needed, shared);
    }
    call.get(needed);
    auto end = part.endOfOwners(nodes, needed);
    const bool direct = end->packInto(call.get<std::string>());
    auto halo = std::make_unique<SentHalo>(link_, other, number, std::move(end));
    if (direct) halo->beDirect();
    const std::string way = halo->way();
    solver.halos[number] = halo.get();
    solver.steps.add(std::move(halo));
    return RankMessage(direct, way);
}

RankMessage RankServer::ofSlabs(RankCall what, Solver& solver, int part, RankMessage& call)
{
    SlabPart* const slabs = solver.parts.at(part)->inSlabs();
    if (!slabs) throw std::logic_error("slabs: part " + std::to_string(part) + " does not stream");
    RankMessage answer;
    if (what == RankCall::slabOffer) {
        SlabOffer& offer = solver.offers[part] = slabs->slabOffer(call.get<int>());
        put(answer, offer);
    } else if (what == RankCall::slabWindows) {
        const SlabShape shape = getSlabShape(call);
        answer.put(solver.offers.at(part).facts.windowBytes(shape, call.get<int>()));
    } else slabs->stream(getSlabPlan(call));
    return answer;
}

RankMessage RankServer::ofNodes(RankCall what, Part& part, RankMessage& call)
{
    const NodeSet& set = *sets_.at(call.get<int>());
    const std::size_t n = set.size(), Q = std::size_t(part.directions()),
                      stored = std::size_t(storedState(part.row()).values);
    switch (what) {
        case RankCall::initialise: part.initialise(set, listOf<Macroscopic>(call).data()); return {};
        case RankCall::setPopulations: part.setPopulations(set, listOf<double>(call).data()); return {};
        case RankCall::setStored: part.setStored(set, listOf<double>(call).data()); return {};
        case RankCall::setRelaxationTimes: part.setRelaxationTimes(set, listOf<double>(call).data()); return {};
        case RankCall::setForces: part.setForces(set, listOf<double>(call).data()); return {};
        case RankCall::sample: {
            const auto reading = call.get<Reading>();
            return valuesOf(n * std::size_t(lbm::valuesOf(reading)),
                            [&](double* values) { return part.sample(set, reading, values); });
        }
        case RankCall::getPopulations:
            return valuesOf(n * Q, [&](double* values) { return part.getPopulations(set, values); });
        case RankCall::sumPopulations:
            return valuesOf(n, [&](double* values) { return part.sumPopulations(set, values); });
        case RankCall::getStored:
            return valuesOf(n * stored, [&](double* values) {
                part.getStored(set, values);
                return Extremes{};
            });
        case RankCall::getFields: {
            const bool wantsTau = call.get<bool>(), wantsForces = call.get<bool>();
            std::vector<double> tau(wantsTau ? n : 0), forces(wantsForces ? 3 * n : 0);
            part.getFields(set, wantsTau ? tau.data() : nullptr, wantsForces ? forces.data() : nullptr);
            RankMessage values;
            if (wantsTau) values.put(tau);
            if (wantsForces) values.put(forces);
            return values;
        }
        default: throw std::logic_error("ranks: an unknown call");
    }
}

RankMessage RankServer::ofAll(RankCall what, Part& part, RankMessage& call)
{
    switch (what) {
        case RankCall::tiling: return RankMessage(part.tiling());
        case RankCall::memory: return RankMessage(part.memory());
        case RankCall::executor: return RankMessage(part.executor());
        case RankCall::deviceName: return RankMessage(part.deviceName());
        case RankCall::step: return RankMessage(part.step());
        case RankCall::remembering: return RankMessage(part.remembering());
        case RankCall::openingMemory: {
            const auto first = call.get<std::size_t>(), n = call.get<std::size_t>();
            return RankMessage(part.openingMemory(first, n));
        }
        case RankCall::setOpeningMemory: part.setOpeningMemory(listOf<OpeningMemory>(call)); return {};
        case RankCall::stateTau: return RankMessage(part.stateTau());
        case RankCall::setStateTau: part.setStateTau(call.get<double>()); return {};
        case RankCall::setStateSteps: part.setStateSteps(call.get<std::int64_t>()); return {};
        case RankCall::setForce: part.setForce(call.get<Vec3>()); return {};
        case RankCall::setRelaxationTime: part.setRelaxationTime(call.get<double>()); return {};
        case RankCall::setCoefficients: part.setCoefficients(call.get<ClosureCoefficients>()); return {};
        case RankCall::setMagic: part.setMagic(call.get<double>()); return {};
        case RankCall::health: return RankMessage(part.health(call.get<int>()));
        case RankCall::keepBoundary: {
            const auto n = call.get<std::size_t>();
            LinkPiece piece;
            call.get(piece.runs), call.get(piece.values);
            part.keepBoundary(n, piece);
            return {};
        }
        case RankCall::setKeptBoundary: part.setKeptBoundary(call.get<int>()); return {};
        default: throw std::logic_error("ranks: an unknown call");
    }
}

} // namespace lbm
