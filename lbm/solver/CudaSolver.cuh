// CudaSolver: the Solver of storages on tiles that run on a CUDA device (CudaTiles, CudaMoments). The state lives there;
// what is asked for is carried over by nodes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/inParallel.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/api/UnsetVector.hpp"
#include "lbm/device/Cuda.hpp"
#include "lbm/device/NoMemory.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/solver/NodeBoxSums.cuh"
#include "lbm/solver/CudaFields.cuh"
#include "lbm/solver/CudaHalo.cuh"
#include "lbm/solver/CudaHaloEnds.cuh"
#include "lbm/solver/CudaKept.cuh"
#include "lbm/solver/CudaNodes.cuh"
#include "lbm/solver/CudaSlabs.cuh"
#include "lbm/solver/CudaScalar.cuh"
#include "lbm/solver/CudaSponge.cuh"
#include "lbm/solver/CudaWallLaw.cuh"
#include "lbm/solver/HealthBlocks.hpp"
#include "lbm/solver/HealthOf.hpp"
#include "lbm/solver/LatticePart.hpp"
#include "lbm/solver/ManyNodeChecks.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

namespace lbm {

template<class Storage>
class CudaSolver final : public LatticePart<typename Storage::L, typename Storage::Scalar>,
                         public OnDevice,
                         public SlabPart,
                         public KeepsStates,
                         public HasWallLaws,
                         public HasScalars,
                         public HasSponges {
public:
    using L = typename Storage::L;
    using T = typename Storage::Scalar;
    static constexpr int nodesPerTile = Storage::nodesPerTile;
    using Base = LatticePart<L, T>;

    // kernels: what the storage is made with besides the Domain and the Config.
    template<class... Kernels>
    CudaSolver(std::shared_ptr<const Domain> domain, const Config& config, const KernelRow& row,
               const Kernels&... kernels) :
        Base(std::move(domain), config, row),
        exchange_(config.exchange),
        deviceMemory_(config.deviceMemory),
        device_(config.device),
        streamed_(streamsHere(*domain_, config)),
        storage_(*domain_, config, streamed_, kernels...),
        fields_(device_, closure_.byNode(), config.nodeForces)
    {
        uploadTable();
        place(config);
        fields_.allocate(grid().tiles(), storage_.geometry().host().boundaryNodeCount());
        fillTau();
        fillForce();
        setParameters();
        listGhosts();
        if (storage_.splitsRim()) rim_.emplace(device_);
    }

    TilingFacts tiling() const override { return Base::factsOf(storage_.geometry().host(), Storage::nodesPerTile); }

    MemoryUse memory() const override
    {
        MemoryUse use;
        use.populations = (slabs_ ? storage_.homeBytes() : storage_.stateBytes()) + fieldBytes();
        use.geometry = storage_.geometryBytes();
        use.ideal = storage_.idealBytes();
        return use;
    }

    std::string executor() const override { return slabs_ ? describe(slabs_->plan()) : std::string(); }

    int stepsOfPass() const override
    {
        if (slabs_) return slabs_->plan().steps;
        if constexpr (passes) return std::max(1, storage_.stepsOfPass(parameters_, std::numeric_limits<int>::max()));
        return 1;
    }

    void advance(std::int64_t steps) override
    {
        if constexpr (Storage::streams)
            if (slabs_) {
                device_.use();
                slabs_->advance(steps, stream_, parameters_, kernelName_);
                Base::countSteps(steps);
                return wait();
            }
        while (steps > 0) steps -= stepOrPass(steps);
        wait();
    }

    SlabPart* inSlabs() override { return streamed_ ? this : nullptr; }

    // Tables and fields are on the device by then.
    SlabOffer slabOffer(int sharing) const override
    {
        device_.use();
        if constexpr (Storage::streams) {
            return CudaSlabs<Storage>::offer(device_, storage_, *domain_, budgetOfPart(sharing),
                                             besidesState() + haloBytes());
        }
        throw std::logic_error("slabs: storage " + row_.storage + " does not stream");
    }

    void stream(const SlabPlan& plan) override
    {
        device_.use();
        if constexpr (Storage::streams)
            slabs_ = std::make_unique<CudaSlabs<Storage>>(device_, storage_, plan, budgetOfPart(1),
                                                          besidesState() + haloBytes());
    }

    std::int64_t beginPasses(std::int64_t steps) override
    {
        device_.use();
        if constexpr (Storage::streams) return slabs_->begin(steps);
        return 0;
    }

    void stepPiece() override
    {
        device_.use();
        if constexpr (Storage::streams) slabs_->stepPiece(stream_, parameters_, kernelName_);
        stream_.record(pieceStepped_);
    }

    void endPiece() override
    {
        device_.use();
        if constexpr (Storage::streams) slabs_->endPiece(stream_);
    }

    void endPasses(std::int64_t steps) override
    {
        device_.use();
        if constexpr (Storage::streams) slabs_->end(stream_);
        Base::countSteps(steps);
    }

    void begin(PartOfTiles part) override
    {
        device_.use();
        if constexpr (passesRims)
            if (storage_.passesRim()) return beginPassing(part);
        const cuda::Stream& stream = rim_ && part == PartOfTiles::rim ? rim_->stream : stream_;
        if (part == PartOfTiles::rim) {
            if (rim_) stream.waitFor(rim_->innerStepped);
            halos_.letStep(stream, step_, storage_.keepsState());
            storage_.beginStep(device_, stream, parameters_);
            if (rim_) stream.record(rim_->begun);
        } else if (rim_) stream.waitFor(rim_->begun);
        storage_.step(device_, stream, kernelName_, parameters_, part);
        if (part == PartOfTiles::rim) {
            if (domain_->hasGhosts()) stream.record(halos_.stepped(step_ + 1));
            return;
        }
        if (rim_) stream.record(rim_->innerStepped);
        storage_.endSteps(1);
        Base::countSteps(1);
    }

    bool mayPassRim() const override
    {
        if constexpr (passesRims) return !streamed_ && rim_ && storage_.mayPassRim();
        return false;
    }

    void passRim() override
    {
        device_.use();
        if constexpr (passesRims) storage_.passRim(device_);
    }

    int stepsOfPart(std::int64_t steps) const override
    {
        if constexpr (passes && passesRims)
            if (storage_.passesRim()) return storage_.stepsOfPass(parameters_, steps);
        return 0;
    }

    void handOverBox() override
    {
        device_.use();
        if constexpr (passes && passesRims) storage_.handOverBox(device_, stream_);
    }

    void passOverBox(int steps) override
    {
        device_.use();
        if constexpr (passes) storage_.passOverBox(device_, stream_, kernelName_, parameters_, steps);
        Base::countSteps(steps);
    }

    void awaitGhosts() override
    {
        device_.use();
        if constexpr (passesRims) storage_.awaitGhosts(device_, stream_);
    }

    bool isDone() const override
    {
        device_.use();
        return stream_.isDone(kernelName_);
    }

    void mark() override
    {
        device_.use();
        stream_.record(marks_[marked_]);
        marked_ = 1 - marked_;
    }

    bool isDoneToMark() const override
    {
        device_.use();
        return stream_.isDone(marks_[marked_], kernelName_);
    }

    void letGo() noexcept override
    {
        if constexpr (passesRims) try {
                device_.use();
                storage_.letGo(cuda::Stream(device_, cuda::Stream::Urgency::usual, cuda::Stream::Order::none));
            } catch (const cuda::Error&) {} // the device that has failed
    }

    void wait() override
    {
        device_.use();
        device_.synchronize(kernelName_);
    }

    std::unique_ptr<Halo> haloOf(Part& from, const HaloNodes& nodes) override
    {
        auto* owner = dynamic_cast<CudaSolver*>(&from);
        if (!owner) throw std::invalid_argument("parts: ghosts are taken over from parts of the same storage");
        return std::make_unique<CudaHalo<CudaSolver>>(*this, *owner, nodes, exchange_);
    }

    std::unique_ptr<HaloEnd> endOfGhosts(const std::vector<NodeIndex>& ghosts,
                                         std::vector<std::uint32_t>& needed) override
    {
        needed = neededOf(ghosts);
        return std::make_unique<CudaGhostsEnd<CudaSolver>>(*this, ghosts, needed);
    }

    std::unique_ptr<HaloEnd> endOfOwners(const std::vector<NodeIndex>& owners,
                                         const std::vector<std::uint32_t>& needed) override
    {
        return std::make_unique<CudaOwnersEnd<CudaSolver>>(*this, owners, needed);
    }

    // See CudaTiles.
    template<class Ghosts>
    static std::size_t bytesGiven(const Ghosts& ghosts)
    {
        return Storage::bytesGiven(ghosts);
    }

    std::string deviceName() const override { return device_.name(); }
    const cuda::Device& device() const override { return device_; }

    bool repeats() const override { return !streamed_ && storage_.repeats(); }

    std::vector<const cuda::Stream*> streams() const override
    {
        std::vector<const cuda::Stream*> all{&stream_, &halos_.stream()};
        if (rim_) all.push_back(&rim_->stream);
        return all;
    }

    void beginRecord() override
    {
        recordedAt_ = step_;
        storage_.beginRecord(device_);
    }

    void endRecord() override
    {
        device_.use();
        stream_.waitFor(halos_.stepped(step_));
        storage_.endRecord(stream_, step_ - recordedAt_);
    }

    void beginAgain(std::int64_t counted) override
    {
        device_.use();
        storage_.beginAgain(stream_, step_ - counted - recordedAt_);
    }

    void count(std::int64_t steps) override
    {
        Base::countSteps(steps);
        constexpr std::int64_t most = 1 << 20;
        for (; steps > most; steps -= most) storage_.endSteps(int(most));
        storage_.endSteps(int(steps));
    }

    std::shared_ptr<const NodeSet> place(const NodeIndex* nodes, std::size_t n) const override
    {
        return placed(NodeBlocks(*domain_, nodes, n, CudaNodes::blockNodes));
    }

    std::shared_ptr<const NodeSet> place(const NodeGroups& groups) const override { return placedNow(groups); }

    std::shared_ptr<const NodeSet> place(const NodeBoxes& boxes) const override
    {
        if (storage_.geometry().tables().inRuns()) return Base::place(boxes);
        return std::make_shared<CudaNodes>(owner_, device_, NodeBlocks(*domain_, boxes, CudaNodes::blockNodes),
                                           *domain_, tileMap());
    }

    void initialise(const NodeSet& set, const Macroscopic* states) override
    {
        forBlocks(ownSet<CudaNodes>(set, owner_, {Kind::nodes}), [&](const CudaNodes::Block& b) {
            const Macroscopic* own = states + b.first;
            std::vector<double> tau(closure_.byNode() ? b.nodes : 0), force(fields_.forces() ? 3 * b.nodes : 0);
            getTold(b, tau, force);
            if (closure_.viscosity().isLocal()) {
                tau.resize(b.nodes);
#pragma omp parallel for schedule(static) if (b.nodes > 1000)
                for (std::size_t i = 0; i < b.nodes; ++i)
                    tau[i] = closure_.tau(own[i].strainRate, own[i].velocity, closure_.tau());
            }
            reading_.imagine(b.nodes, own, moments(), closure_.tau(), tau, force);
            write(b);
        });
    }

    // Rates that follow from a node's own state are found on the host, where all states then are.
    void initialise(const NodeBoxes& boxes, const LinearState* states) override
    {
        if (closure_.viscosity().isLocal() || storage_.geometry().tables().inRuns())
            return Base::initialise(boxes, states);
        const CudaNodes set(owner_, device_, NodeBlocks(*domain_, boxes, CudaNodes::blockNodes), *domain_, tileMap());
        const cuda::Array<LinearState> onDevice(device_, states, boxes.boxes.size());
        for (std::size_t i = 0; i < set.blockCount(); ++i) {
            const CudaNodes::Block b = reading_.template listed<typename Storage::Tile>(set, i, onDevice.data());
            std::vector<double> tau(closure_.byNode() ? b.nodes : 0), force(fields_.forces() ? 3 * b.nodes : 0);
            getTold(b, tau, force);
            reading_.imagine(b.nodes, moments(), closure_.tau(), tau, force);
            write(b);
        }
    }

    std::shared_ptr<const KeptStates> keepStates(const NodeBox& box) const override
    {
        if (storage_.geometry().tables().inRuns()) return keepOnHost(*this, box);
        requireInside(*domain_, box);
        device_.use();
        NodeBoxes boxes;
        putPieces(box, nodesOfKeptBox, boxes.boxes);
        NodeBlocks blocks(*domain_, boxes, CudaNodes::blockNodes);
        const std::size_t nodes = blocks.blocks.back().node;
        const auto kept = std::make_shared<CudaKept>(
            device_, std::make_unique<CudaNodes>(owner_, device_, std::move(blocks), *domain_, tileMap()), nodes);
        std::optional<CudaDifferences> differences;
        if (strainRates_.needed(closure_.viscosity())) {
            for (CudaWallLaw<CudaSolver>* law : laws_) law->tellStrainRates();
            differences.emplace(device_, *domain_, strainRates_.differencesIn(box));
        }
        kept->seen = {0, 0, 0, 0};
        withStates([&](const auto& stateAt) {
            forBlocks(*kept->set, [&](const CudaNodes::Block& b) {
                Macroscopic* const states = kept->states.data() + b.first;
                keepBlock<typename Storage::Tile>(*kept->set->boxes(), b, stateAt,
                                                  differences ? &*differences : nullptr, states);
                device_.check("kernel of states that are kept");
                include(kept->seen, reading_.ofStates(states, b.nodes));
            });
        });
        return kept;
    }

    void setStates(const KeptStates& states, const StateScale& scale) override
    {
        if (storage_.geometry().tables().inRuns()) return setFromHost(*this, states, scale);
        const CudaKept& kept = ownStates<CudaKept>(states);
        if (kept.set->owner() != owner_)
            throw std::invalid_argument("solver: states of nodes that another solver has kept");
        device_.use();
        for (std::size_t i = 0; i < kept.set->blockCount(); ++i) {
            const CudaNodes::Block b = reading_.template listed<typename Storage::Tile>(*kept.set, i, nullptr);
            reading_.scale(b.nodes, kept.states.data() + b.first, scale);
            imagineKept(b);
            write(b);
        }
    }

    Extremes sample(const NodeSet& set, Reading reading, double* values) const override
    {
        Extremes all;
        const CudaNodes& placed = ownSet<CudaNodes>(set, owner_, reading);
        if (placed.boxes()) all = sumBoxes(*placed.boxes(), reading, values);
        else
            forBlocks(placed, [&](const CudaNodes::Block& b) {
                findStates(b, reading != Reading::flow);
                reading_.sumStates(b, reading, values);
                include(all, reading_.ofStates(b.nodes));
            });
        if (strainRates_.needed(closure_.viscosity())) {
            for (CudaWallLaw<CudaSolver>* law : laws_) law->tellStrainRates();
            strainRates_.complete(*this, placed, reading, values, all);
        }
        return all;
    }

    Extremes getPopulations(const NodeSet& set, double* populations) const override
    {
        Extremes all;
        forBlocks(ownSet<CudaNodes>(set, owner_, {Kind::nodes}), [&](const CudaNodes::Block& b) {
            access<false>(b);
            reading_.download(populations + b.first * L::Q, b.nodes);
            include(all, reading_.ofPopulations(b.nodes));
        });
        return all;
    }

    void setPopulations(const NodeSet& set, const double* populations) override
    {
        forBlocks(ownSet<CudaNodes>(set, owner_, {Kind::nodes}),
                  [&](const CudaNodes::Block& b) { put(b, populations + b.first * L::Q); });
    }

    Extremes sumPopulations(const NodeSet& set, double* sums) const override
    {
        Extremes all;
        forBlocks(ownSet<CudaNodes>(set, owner_, {Kind::sumsOfPopulations}), [&](const CudaNodes::Block& b) {
            access<false>(b);
            reading_.sumPopulations(b, sums);
            include(all, reading_.ofPopulations(b.nodes));
        });
        return all;
    }

    void setBoundary(int patch, const LinkValue* values, std::size_t n) override
    {
        device_.use();
        if constexpr (requires { storage_.setBoundary(device_, patch, values, n); })
            storage_.setBoundary(device_, patch, values, n);
        else storage_.geometry().setBoundary(patch, values, n);
        strainRates_.setBoundary(patch, values, n);
    }

    ~CudaSolver() override
    {
        for (CudaWallLaw<CudaSolver>* law : laws_) law->leaveSolver();
    }

    std::unique_ptr<WallLaw> placeLaw(const WallLawSetup& setup) override
    {
        return std::make_unique<CudaWallLaw<CudaSolver>>(*this, setup);
    }

    std::unique_ptr<CarriedScalar> placeScalar(std::shared_ptr<const Domain> domain, const ScalarConfig& config,
                                               std::string& why) override
    {
        device_.use();
        const MemoryUse use = memory();
        const double bytes = scalarBytesOnDevice(*domain, int(sizeof(T)), config.byNode),
                     left = double(memoryLeft(device_, deviceMemory_, use.populations + use.geometry));
        if (streamed_) why = "the flow streams through " + device_.name();
        else if (domain_->hasGhosts()) why = "the flow has parts";
        else if (config.precision != row_.precision) why = "the flow's precision is " + row_.precision;
        else if (bytes > left)
            why = (deviceMemory_ > 0 ? "deviceMemory of " : "") + device_.name() + " has "
                + std::to_string(std::size_t(left / 1e6)) + " MB left, and it needs "
                + std::to_string(std::size_t(bytes / 1e6));
        else try {
                return std::make_unique<CudaScalar<CudaSolver>>(*this, domain, config);
            } catch (const cuda::NoMemory& full) {
                why = full.what();
            }
        return nullptr;
    }

    std::unique_ptr<Sponge> placeSponge(const std::vector<NodeIndex>& nodes, const std::vector<double>& shares,
                                        std::string& why) override
    {
        try {
            return std::make_unique<CudaSponge<CudaSolver>>(*this, nodes, shares);
        } catch (const cuda::NoMemory& full) {
            why = full.what();
            return nullptr;
        }
    }

    void getStored(const NodeSet& set, double* values) const override
    {
        if constexpr (keepsItsOwn)
            forBlocks(ownSet<CudaNodes>(set, owner_, {Kind::nodes}), [&](const CudaNodes::Block& b) {
                accessStored<false>(b);
                reading_.download(values + b.first * Storage::storedCount, b.nodes, Storage::storedCount);
            });
        else getPopulations(set, values);
    }

    void setStored(const NodeSet& set, const double* values) override
    {
        if constexpr (keepsItsOwn)
            forBlocks(ownSet<CudaNodes>(set, owner_, {Kind::nodes}), [&](const CudaNodes::Block& b) {
                reading_.populations(b.nodes);
                reading_.upload(values + b.first * Storage::storedCount, b.nodes, Storage::storedCount);
                beginToSet();
                accessStored<true>(b);
            });
        else setPopulations(set, values);
    }

    std::size_t remembering() const override { return storage_.geometry().remembering(); }
    std::vector<OpeningMemory> openingMemory(std::size_t first, std::size_t n) const override
    {
        device_.use();
        return storage_.geometry().memory(first, n);
    }

    void setOpeningMemory(const std::vector<OpeningMemory>& memory) override
    {
        device_.use();
        storage_.geometry().setMemory(memory);
    }

    void setRelaxationTimes(const NodeSet& set, const double* tau) override
    {
        const auto& placed = ownSet<CudaNodes>(set, owner_, {Kind::nodes});
        requireNodeTau(closure_.descriptor());
        checkNodeTaus(*domain_, placed.blocks().nodes, tau, sizeof(T) == sizeof(float));
        forBlocks(placed, [&](const CudaNodes::Block& b) { fields_.setTau(b.places, b.nodes, tau + b.first); });
        fields_.renewBoundary(boundaryPlaces());
        strainRates_.setRelaxationTimes(placed.blocks().nodes, tau);
    }

    void setForces(const NodeSet& set, const double* forces) override
    {
        ++forcesTold_;
        const auto& placed = ownSet<CudaNodes>(set, owner_, {Kind::nodes});
        requireNodeForces(fields_.forces());
        checkNodeForces(*domain_, placed.blocks().nodes, forces);
        forBlocks(placed,
                  [&](const CudaNodes::Block& b) { fields_.setForce(b.places, b.nodes, forces + 3 * b.first); });
        fields_.renewBoundary(boundaryPlaces());
    }

    void getFields(const NodeSet& set, double* tau, double* forces) const override
    {
        forBlocks(ownSet<CudaNodes>(set, owner_, {Kind::nodes}), [&](const CudaNodes::Block& b) {
            fields_.get(b.places, b.nodes, parameters_, tau ? tau + b.first : nullptr,
                        forces ? forces + 3 * b.first : nullptr);
        });
    }

    void setCoefficients(const ClosureCoefficients& coefficients) override
    {
        Base::setCoefficients(coefficients);
        uploadTable();
    }

    Health health(int stride) const override;

private:
    using Kind = NodeSet::Kind;

    // A warp lists a box.
    static constexpr std::int64_t nodesOfKeptBox = 1024;

    friend CudaHalo<CudaSolver>;
    friend CudaWallLaw<CudaSolver>;
    friend CudaScalar<CudaSolver>;
    friend CudaSponge<CudaSolver>;
    friend CudaHaloEnd<CudaSolver>;
    friend CudaOwnersEnd<CudaSolver>;
    friend CudaGhostsEnd<CudaSolver>;
    static constexpr bool keepsItsOwn = requires { Storage::storedCount; };
    static constexpr bool passes = requires(const Storage& s, const Parameters<T>& p) { s.stepsOfPass(p, 1); };

    static constexpr bool passesRims = requires(const Storage& s) { s.mayPassRim(); };
    struct NoRim {};
    static auto sharedRim()
    {
        if constexpr (passesRims) return std::type_identity<typename Storage::Shared>();
        else return std::type_identity<NoRim>();
    }
    using SharedRim = typename decltype(sharedRim())::type;

    // The whole step with the rim.
    void beginPassing(PartOfTiles part)
    {
        if constexpr (passesRims) {
            if (part == PartOfTiles::rim) {
                storage_.beginStep(device_, stream_, parameters_);
                return storage_.stepPassing(device_, stream_, kernelName_, parameters_);
            }
            storage_.endSteps(1);
            Base::countSteps(1);
        }
    }

    using Base::beginToSet;
    using Base::closure_;
    using Base::domain_;
    using Base::force_;
    using Base::incompressible_;
    using Base::moments;
    using Base::row_;
    using Base::step_;
    using Base::strainRates_;

    // Of so many steps the next one, or as many as the storage makes in one pass; returns how many.
    int stepOrPass(std::int64_t steps)
    {
        if constexpr (passes)
            if (const int several = storage_.stepsOfPass(parameters_, steps)) {
                passOverBox(several);
                return several;
            }
        for (const PartOfTiles part : {PartOfTiles::rim, PartOfTiles::inner}) begin(part);
        return 1;
    }

    // Populations of a block of states that are on the device.
    void imagineKept(const CudaNodes::Block& b)
    {
        std::vector<double> tau(closure_.byNode() ? b.nodes : 0), force(fields_.forces() ? 3 * b.nodes : 0);
        getTold(b, tau, force);
        const NodeViscosity viscosity = closure_.viscosity();
        if (viscosity.isLocal() && !viscosity.ofStrain()) {
            // Viscosities of a shear rate are functions of the host's
            std::vector<Macroscopic> states(b.nodes);
            reading_.download(states.data(), b.nodes);
            tau.resize(b.nodes);
#pragma omp parallel for schedule(static) if (b.nodes > 1000)
            for (std::size_t i = 0; i < b.nodes; ++i)
                tau[i] = closure_.tau(states[i].strainRate, states[i].velocity, closure_.tau());
        }
        if (viscosity.ofStrain()) reading_.imagineStrained(b.nodes, moments(), viscosity, force);
        else reading_.imagine(b.nodes, moments(), closure_.tau(), tau, force);
    }

    // Parts are told whether all of them do (SlabAgreement).
    bool streamsHere(const Domain& domain, const Config& config) const
    {
        const bool must = domain.hasGhosts() ? config.slabSteps > 0 : mustStream(device_, domain, config);
        if (!must) return false;
        if (Storage::streams) return true;
        if (config.deviceMemory > 0 || config.slabSteps > 0 || config.slabLayers > 0)
            throw std::invalid_argument("deviceMemory: storage " + config.storage
                                        + " cannot stream through a device; others can: moments, aa, t2c, packed");
        return false; // and says how much would fit
    }

    std::vector<NodePlace> placesOf(const std::vector<NodeIndex>& nodes) const
    {
        std::vector<NodePlace> places(nodes.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < nodes.size(); ++i)
            places[i] = storage_.geometry().place(domain_->coordinates(nodes[i]));
        return places;
    }

    // PopulationsForStep of ghosts
    std::vector<std::uint32_t> neededOf(const std::vector<NodeIndex>& ghosts) const
    {
        std::vector<Int3> directions;
        for (const auto& c : L::c) directions.push_back({c[0], c[1], c[2]});
        const PopulationsForStep forStep(*domain_, std::move(directions));
        std::vector<std::uint32_t> needed(ghosts.size());
        const auto& tables = storage_.geometry().tables();
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < ghosts.size(); ++i) {
            const bool stepped = tables.steps(tables.place(domain_->coordinates(ghosts[i])));
            needed[i] = forStep(ghosts[i], stepped);
        }
        return needed;
    }

    // In which halos are handed over: of slabs behind each piece, in the order of their steps.
    const cuda::Stream& haloStream() const { return streamed_ ? stream_ : halos_.stream(); }

    // See CudaState::handedOver.
    int aheadOf(Handover what) const
    {
        if constexpr (Storage::streams)
            if (what == Handover::piece) return slabs_->piece().ahead + 1;
        return Storage::betweenSteps;
    }

    // Layers of slabs that were stepped last.
    LayerRange steppedLayers() const
    {
        if constexpr (Storage::streams) return slabs_->piece().layers;
        return {};
    }

    // Ghosts of the copy that takes them were last read by the step before.
    void letGhostsBeWritten(const cuda::Stream& stream, std::int64_t state) const
    {
        stream.waitFor(halos_.stepped(storage_.takesBesideStep() ? state - 1 : state));
    }

    // Bytes of tables and fields.
    std::size_t besidesState() const { return fieldBytes() + storage_.geometryBytes(); }

    // What halos will take, which are placed when slabs are: of a ghost where it lies at both ends, what is wanted of it, and room for what is
    // stored of it; of as many nodes for other parts' ghosts as the part has itself.
    std::size_t haloBytes() const
    {
        const double stored = double(storage_.homeBytes()) / (double(grid().tiles()) * Storage::nodesPerTile);
        return std::size_t(2 * double(ghostCount_) * (2 * sizeof(NodePlace) + 2 * sizeof(std::uint32_t) + stored));
    }

    // Of all that a part takes, when these are there.
    std::size_t budgetOfPart(int sharing) const
    {
        const std::size_t most = besidesState() + memoryLeft(device_, 0, 0) / std::size_t(sharing);
        return deviceMemory_ > 0 ? std::min(std::size_t(deviceMemory_), most) : most;
    }

    // In the device's memory, or in the host's with a window in the device's: a part's once it is known what all parts' look like.
    void place(const Config& config)
    {
        const std::size_t besides = besidesState();
        if constexpr (Storage::streams)
            if (streamed_) {
                using Slabs = CudaSlabs<Storage>;
                if (domain_->hasGhosts()) {
                    requireStreamable(*domain_, grid().extents(), L::D - 1);
                    return storage_.prepareSlabs(device_);
                }
                const std::size_t budget = memoryBudget(device_, config);
                const SlabPlan plan = planSlabs({Slabs::offer(device_, storage_, *domain_, budget, besides)},
                                                config.slabSteps, config.slabLayers);
                if (plan.steps > 0) storage_.prepareSlabs(device_);
                slabs_ = std::make_unique<Slabs>(device_, storage_, plan, budget, besides);
                return;
            }
        device_.require(storage_.stateBytes() + besides, double(storage_.geometry().host().fluidNodes()),
                        "fluid nodes");
        storage_.copyTo(device_);
    }

    void fillTau() override
    {
        device_.use();
        fields_.fillTau(T(closure_.tau()), boundaryPlaces());
    }

    void fillForce() override
    {
        ++forcesTold_;
        device_.use();
        fields_.fillForce(force_, boundaryPlaces());
    }

    void setStateSteps(std::int64_t steps) override
    {
        if constexpr (requires { storage_.setStateSteps(steps); }) storage_.setStateSteps(steps);
    }

    void takeStateTau() override
    {
        if constexpr (requires { storage_.setStateRate(T()); }) storage_.setStateRate(T(1 / Base::stateTau()));
    }

    void setParameters() override
    {
        parameters_ = Base::parametersOfAll();
        if constexpr (requires { storage_.setParameters(parameters_); }) storage_.setParameters(parameters_);
        parameters_.closure.fields = fields_.fields();
        if (closure_.table().empty()) return;
        parameters_.closure.ofStress = table_.data();
        parameters_.closure.ofStrain = table_.data() + RateTable<T>::values;
    }

    void uploadTable()
    {
        const std::vector<T>& table = closure_.table();
        if (table.empty()) return;
        device_.use();
        if (table_.size() == 0) table_ = {device_, table.size()};
        table_.upload(table.data(), table.size());
    }

    std::size_t fieldBytes() const
    {
        return fields_.bytes(grid().tiles(), storage_.geometry().host().boundaryNodeCount());
    }

    const NodePlace* boundaryPlaces() { return storage_.geometry().boundary(incompressible_).places; }

    // visit(NodeStates)
    template<class Visit>
    void withStates(Visit&& visit) const
    {
        storage_.withKnown([&](const auto& knownAt) {
            using KnownAt = std::decay_t<decltype(knownAt)>;
            visit(NodeStates<L, T, KnownAt>{knownAt, moments(), parameters_, Storage::nodesPerTile, fields_.any()});
        });
    }

    // Of a block's nodes, on the device.
    const Macroscopic* findStates(const CudaNodes::Block& b, bool strain) const
    {
        const Macroscopic* states = nullptr;
        withStates([&](const auto& stateAt) { states = reading_.find(b, strain, stateAt); });
        return states;
    }

    Extremes sumBoxes(const CudaBoxes& boxes, Reading reading, double* values) const
    {
        device_.use();
        Extremes all{0, 0, 0, 0};
        withStates([&](const auto& stateAt) {
            all = boxSums_.template sample<typename Storage::Tile>(boxes, reading, stateAt, values);
        });
        return all;
    }

    // One bit a node of all tiles, for ghosts.
    void listGhosts()
    {
        if (!domain_->hasGhosts()) return;
        std::vector<std::uint32_t> bits((std::size_t(storage_.geometry().units()) * Storage::nodesPerTile + 31) / 32);
        for (NodeIndex node = 0; node < domain_->nodes(); ++node) {
            const Int3 x = domain_->coordinates(node);
            if (!domain_->fluid[node] || !domain_->isGhost(x)) continue;
            const NodePlace place = storage_.geometry().place(x);
            const std::size_t i = std::size_t(place.tile) * Storage::nodesPerTile + place.local;
            bits[i >> 5] |= std::uint32_t(1) << (i & 31);
            ++ghostCount_;
        }
        ghosts_ = {device_, bits.data(), bits.size()};
    }

    // Units with nodes that health(stride) looks at, and one bit for each of their nodes that it does not.
    struct LookedAt {
        std::vector<std::int32_t> units;
        cuda::Array<std::int32_t> onDevice;
        cuda::Array<std::uint32_t> leftOut;
    };

    // Kept for some strides: one is asked for again and again.
    const LookedAt& lookedAt(int stride) const
    {
        constexpr std::size_t most = 4;
        if (const auto known = lookedAt_.find(stride); known != lookedAt_.end()) return known->second;
        if (lookedAt_.size() == most) lookedAt_.clear();
        return lookedAt_.emplace(stride, listLookedAt(stride)).first->second;
    }

    // By all threads: of billions of nodes hundreds of millions are looked at.
    LookedAt listLookedAt(int stride) const
    {
        constexpr std::size_t N = Storage::nodesPerTile;
        static_assert(N % 32 == 0, "units begin with a word of bits");
        const std::size_t units = std::size_t(storage_.geometry().units());
        std::vector<std::uint32_t> bits(units * N / 32);
        const auto keep = [&](NodeIndex, int x, int y, int z) {
            const NodePlace place = storage_.geometry().place(Int3{x, y, z});
            const std::size_t i = std::size_t(place.tile) * N + std::size_t(place.local);
            std::uint32_t& word = bits[i >> 5];
            const std::uint32_t bit = std::uint32_t(1) << (i & 31);
#pragma omp atomic
            word |= bit;
        };
        const HealthBlocks blocks(*domain_, stride);
        inParallel(std::size_t(blocks.rows()), [&](std::size_t row) {
            blocks.forRow(std::int64_t(row), [&](const NodeBox& box) { forFluid(*domain_, box, keep); });
        });
        LookedAt found;
        std::vector<std::uint32_t> leftOut;
        for (std::size_t unit = 0; unit < units; ++unit) {
            const auto its = bits.begin() + std::ptrdiff_t(unit * N / 32), end = its + N / 32;
            if (std::all_of(its, end, [](std::uint32_t word) { return word == 0; })) continue;
            found.units.push_back(std::int32_t(unit));
            std::transform(its, end, std::back_inserter(leftOut), [](std::uint32_t word) { return ~word; });
        }
        found.onDevice = {device_, found.units.data(), found.units.size()};
        found.leftOut = {device_, leftOut.data(), leftOut.size()};
        return found;
    }

    const TileGrid& grid() const { return storage_.geometry().grid(); }

    std::shared_ptr<const CudaNodes> placedNow(const NodeGroups& groups) const
    {
        return placed(NodeBlocks(*domain_, groups, L::Q, CudaNodes::blockNodes));
    }

    // f(block, states of its nodes on the device, their populations there, [nodes][Q]): of every block.
    template<class F>
    void readBlocks(const CudaNodes& set, F&& f) const
    {
        forBlocks(set, [&](const CudaNodes::Block& b) {
            access<false>(b);
            f(b, findStates(b, true), reading_.populations(b.nodes));
        });
    }

    std::shared_ptr<const CudaNodes> placed(NodeBlocks nodes) const
    {
        return std::make_shared<CudaNodes>(owner_, device_, std::move(nodes), [&](NodeIndex node) {
            return storage_.geometry().place(domain_->coordinates(node));
        });
    }

    // Where all of a set's nodes lie, for boxes.
    std::shared_ptr<const CudaTileMap> tileMap() const
    {
        device_.use();
        if (!tileMap_) tileMap_ = std::make_shared<CudaTileMap>(device_, grid());
        return tileMap_;
    }

    // What the nodes of a block were told one by one, where there is room for it.
    void getTold(const CudaNodes::Block& b, std::vector<double>& tau, std::vector<double>& force) const
    {
        if (fields_.any())
            fields_.get(b.places, b.nodes, parameters_, tau.empty() ? nullptr : tau.data(),
                        force.empty() ? nullptr : force.data());
    }

    template<class F>
    void forBlocks(const CudaNodes& set, F&& f) const
    {
        device_.use();
        for (std::size_t b = 0; b < set.blockCount(); ++b) f(set.block(b));
    }

    // values: [nodes][Q].
    void put(const CudaNodes::Block& b, const double* values)
    {
        reading_.populations(b.nodes);
        reading_.upload(values, b.nodes);
        write(b);
    }

    void write(const CudaNodes::Block& b)
    {
        beginToSet();
        access<true>(b);
    }

    template<bool write>
    void access(const CudaNodes::Block& b) const
    {
        double* populations = reading_.populations(b.nodes);
        if (b.nodes == 0) return;
        storage_.template access<write>(b.places, b.nodes, populations);
        device_.check("kernel of access to nodes");
    }

    // [nodes][storedCount] in the place of populations, which are more.
    template<bool write>
    void accessStored(const CudaNodes::Block& b) const
    {
        static_assert(Storage::storedCount <= L::Q);
        double* values = reading_.populations(b.nodes);
        if (b.nodes == 0) return;
        storage_.template accessStored<write>(b.places, b.nodes, values);
        device_.check("kernel of access to stored values");
    }

    std::string kernelName_ = "kernel " + name(row_);
    std::string exchange_;
    double deviceMemory_; // see Config
    cuda::Device device_;
    cuda::Stream stream_{device_};
    // Of a rim that is stepped beside inner tiles: what begins with it waits for inner tiles of the step before, and inner tiles for
    // what comes before the rim, which is behind the step before in its stream.
    struct Rim {
        explicit Rim(const cuda::Device& device) :
            stream(device, cuda::Stream::Urgency::urgent), begun(device), innerStepped(device)
        {}
        cuda::Stream stream;
        cuda::Event begun, innerStepped;
    };
    std::optional<Rim> rim_;
    CudaHalos halos_{device_};
    cuda::Event pieceStepped_{device_}; // of what slabs stepped last
    cuda::Event marks_[2] = {cuda::Event(device_), cuda::Event(device_)};
    int marked_ = 0; // which is next
    Parameters<T> parameters_;
    bool streamed_;
    Storage storage_;
    CudaFields<L, T, Storage::nodesPerTile> fields_;
    cuda::Array<T> table_;
    std::unique_ptr<CudaSlabs<Storage>> slabs_; // null: the whole lies in the device's memory
    SetOwner owner_ = std::make_shared<const char>();
    mutable CudaReading<L> reading_{device_};
    mutable NodeBoxSums boxSums_{device_};
    mutable std::shared_ptr<const CudaTileMap> tileMap_; // null: no boxes yet
    mutable cuda::Array<TileHealth> found_;
    mutable std::map<int, LookedAt> lookedAt_; // by stride
    cuda::Array<std::uint32_t> ghosts_;        // see isLeftOut
    std::int64_t ghostCount_ = 0;
    std::vector<CudaWallLaw<CudaSolver>*> laws_; // that there are
    std::int64_t forcesTold_ = 0;                // how often nodes were told forces by who is no scalar
    std::int64_t recordedAt_ = 0;                // steps that had been made when some were recorded
};

template<class Storage>
Health CudaSolver<Storage>::health(int stride) const
{
    device_.use();
    const auto& geometry = storage_.geometry();
    const LookedAt* some = stride > 1 ? &lookedAt(stride) : nullptr;
    const std::size_t n = some ? some->units.size() : std::size_t(geometry.units());
    if (n == 0) return healthOfNone();
    const TileHealth none = {
        0, std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(), FixedPointSum{}, -1, -1, 0};
    if (found_.size() < n) found_ = {device_, n};
    storage_.inspect(n, some ? some->onDevice.data() : nullptr, none, some ? some->leftOut.data() : ghosts_.data(),
                     found_.data());
    device_.check("kernel of health");
    UnsetVector<TileHealth> tiles(n);
    found_.download(tiles.data(), n);

    const auto nodeOf = [&](std::size_t i, int local) {
        const Int3 x = geometry.coordinates(some ? some->units[i] : std::int32_t(i), local);
        return domain_->index(x[0], x[1], x[2]);
    };
    // By all threads: of a hundred million nodes a million tiles
    Health result = healthOfNone();
#pragma omp parallel if (n > 10000)
    {
        Health own = healthOfNone();
#pragma omp for schedule(static)
        for (std::size_t i = 0; i < n; ++i) {
            const TileHealth& t = tiles[i];
            Health its = healthOfNone();
            its.maxSpeed = t.maxSpeed;
            its.minDensity = t.minDensity;
            its.maxDensity = t.maxDensity;
            its.excess = t.excess;
            its.nodes = t.nodes;
            if (t.fastest >= 0) its.fastest = nodeOf(i, t.fastest);
            if (t.bad >= 0) its.bad = nodeOf(i, t.bad);
            include(own, its);
        }
#pragma omp critical(lbmCudaHealth)
        include(result, own);
    }
    return result;
}

} // namespace lbm
