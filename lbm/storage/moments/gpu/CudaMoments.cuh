// CudaMoments: moments on tiles in the memory of a CUDA device, two copies, or one as a ring (see MomentRing). S is what
// they are stored as.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Launch.cuh"
#include "lbm/physics/Regularized.hpp"
#include "lbm/storage/LinkReach.hpp"
#include "lbm/storage/moments/gpu/BoxPass.cuh"
#include "lbm/storage/moments/gpu/MomentGeometry.hpp"
#include "lbm/storage/moments/gpu/MomentNodes.cuh"
#include "lbm/storage/moments/gpu/MomentStep.cuh"
#include "lbm/storage/moments/gpu/SharedRim.cuh"
#include "lbm/storage/nodes/CudaState.hpp"

namespace lbm {

template<int copyCount, class LatticeT, class T, class S, class TileT, class Collision, class Eq>
class CudaMoments {
public:
    using L = LatticeT;
    using Scalar = T;
    using Tile = TileT;
    using Tiles = MomentTiles<L, T, S, TileT>;
    using Faces = MomentFaces<L, S, TileT, mayLookAround<Collision>>;
    static constexpr int nodesPerTile = TileT::N, copies = copyCount;
    static constexpr std::size_t tileValues = std::size_t(MomentCode<L, T, S>::count) * TileT::N;
    static constexpr std::size_t layerValues = tileValues / Layer<L, TileT>::depth; // copied at once

    // Slabs may stream through the device: of two copies, one of which the host holds. A ring has no layers.
    static constexpr bool streams = copies == 2;
    // Measured on an H200: slabs of 4 layers take 2.4 times as long a node as thick ones.
    static constexpr double startLayers = 6;

    // What a step leaves for populations besides its moments, see ThirdMoments.hpp.
    using Factors = typename FactorsOf<L>::template Type<T>;
    void setParameters(const Parameters<T>& p) { next_ = factorsOf(p); }
    void setStateSteps(std::int64_t steps) { before_ = std::uint64_t(steps) - step_; }
    // What nodes are set to is what a collision of this relaxation rate has left.
    void setStateRate(T omega)
    {
        Parameters<T> p;
        p.omega = omega;
        now_ = factorsOf(p);
    }

    // streamed: they are to.
    CudaMoments(const Domain& domain, const Config& config, bool streamed) :
        geometry_(domain, config, copies == 1 ? ringRun : longestRun<Layer<L, TileT>>, multiprocessors * Tuning::blocks,
                  copies == 1, streamed),
        looks_(foundAround(config).any()),
        findsTau_(foundAround(config).tau)
    {
        if constexpr (passesOverBoxes) box_ = boxOf(domain, config, streamed);
        if constexpr (Tiles::Code::rounds) places_ = PlacesOfTiles(geometry_.tiles().grid(), domain);
        ring_.slots = faceRing_.slots = geometry_.tiles().grid().tiles();
        if (copies == 2) return;
        geometry_.makeRing(domain.size, Faces::kept, multiprocessors * Tuning::blocks * ringRun);
        ring_.slots += geometry_.ring().shift;
        faceRing_.slots += geometry_.ring().faceShift;
    }

    const CudaGeometry<L, T, TileT>& geometry() const { return geometry_.tiles(); }
    CudaGeometry<L, T, TileT>& geometry() { return geometry_.tiles(); }

    void setBoundary(const cuda::Device& device, int patch, const LinkValue* values, std::size_t n)
    {
        geometry_.setBoundary(device, patch, values, n);
    }

    std::size_t stateBytes() const
    {
        return (ring_.slots * tileValues * sizeof(S) + faceRing_.slots * Faces::tileValues * sizeof(T)) * copies;
    }
    std::size_t geometryBytes() const
    {
        return geometry_.bytes() + (openingStrains() + openingTaus() + specialGradients()) * sizeof(T)
            + places_.tiles.size() * sizeof(places_.tiles[0]) + handover_.bytes();
    }
    std::size_t idealBytes() const
    {
        return std::size_t(geometry_.tiles().host().fluidNodes()) * MomentCode<L, T, S>::count * sizeof(S) * copies;
    }

    void copyTo(const cuda::Device& device)
    {
        prepare(device);
        moments_.reside(device, ring_.slots * tileValues, copies);
        faces_.reside(device, faceRing_.slots * Faces::tileValues, copies);
        ring_.position = faceRing_.position = geometry_.positions();
    }

    // The same for slabs, see CudaTiles.
    bool remembersForOthers() const { return geometry_.tiles().tables().remembersForOthers(); }
    // Gradients of velocities look no further than links do.
    int layersLookedAt() const { return lbm::layersLookedAt(geometry_.tiles().host(), L::D - 1); }
    std::size_t windowBytes(const SlabShape& shape, int steps, const std::vector<std::int32_t>& below) const
    {
        return CudaState<S>::windowBytes(copies, windowOf(shape, steps, valuesBelow(below, tileValues)), layerValues)
            + (Faces::kept
                   ? CudaState<T>::windowBytes(copies, windowOf(shape, steps, valuesBelow(below, Faces::tileValues)))
                   : 0);
    }
    void prepareSlabs(const cuda::Device& device) { prepare(device); }
    void streamTo(const cuda::Device& device, const SlabShape& shape, int steps, const std::vector<std::int32_t>& below)
    {
        moments_.stream(device, ring_.slots * tileValues, copies,
                        windowOf(shape, steps, valuesBelow(below, tileValues)), layerValues);
        if (Faces::kept)
            faces_.stream(device, faceRing_.slots * Faces::tileValues, copies,
                          windowOf(shape, steps, valuesBelow(below, Faces::tileValues)));
    }
    void takeUp(const TileRange& tiles, bool forNextPass, const cuda::Stream& stream)
    {
        moments_.takeUp(tiles.first * tileValues, tiles.last * tileValues, forNextPass, stream);
        faces_.takeUp(tiles.first * Faces::tileValues, tiles.last * Faces::tileValues, forNextPass, stream);
    }
    void takeOut(const TileRange& tiles, int steps, const cuda::Stream& stream)
    {
        moments_.takeOut(tiles.first * tileValues, tiles.last * tileValues, steps, stream);
        faces_.takeOut(tiles.first * Faces::tileValues, tiles.last * Faces::tileValues, steps, stream);
    }
    std::size_t homeBytes() const
    {
        return ring_.slots * tileValues * sizeof(S) + faceRing_.slots * Faces::tileValues * sizeof(T);
    }
    // Of a pass: runs of its steps, see PassRuns.
    struct PassTables {
        cuda::Array<std::int32_t> first, last;
        std::vector<std::size_t> ofStep;
    };
    PassTables tablesOf(const cuda::Device& device, const std::vector<SlabStep>& steps) const
    {
        std::vector<TileRanges> ranges;
        for (const SlabStep& step : steps) ranges.push_back(step.stepped);
        const PassRuns runs = geometry_.runsIn(ranges, longestRun<Layer<L, TileT>>);
        return {
            {device, runs.first.data(), runs.first.size()}, {device, runs.last.data(), runs.last.size()}, runs.ofStep};
    }

    // A periodic box without walls takes one step or two in one pass over all nodes, which gives the same to the last bit. How many
    // of so many steps the next pass takes; 0: steps go as in any domain. A part has passes from when it knows those beside it.
    int stepsOfPass(const Parameters<T>& p, std::int64_t steps) const
    {
        return box_.piece == 0 || p.forced || (cutBox_ && !mayPassOverBox()) ? 0
                                                                             : int(std::min<std::int64_t>(steps, 2));
    }
    bool mayPassOverBox() const
    {
        return box_.piece > 0 && handover_.begun() && beside_.taker[0] >= 0 && beside_.taker[1] >= 0;
    }
    // The state as it is, for the first of some passes: rows that parts beside have as ghosts.
    void handOverBox(const cuda::Device& device, const cuda::Stream& stream)
    {
        if constexpr (passesOverBoxes) {
            lbm::handOverBox<Box<2>>
                <<<dim3(box_.blocks, box_.layers), 256, 0, stream.handle()>>>(moments_.at(0), box_, boxRim());
            device.check("kernel of rows for other parts");
        }
    }
    void passOverBox(const cuda::Device& device, const cuda::Stream& stream, const std::string& what,
                     const Parameters<T>& p, int steps)
    {
        if constexpr (passesOverBoxes) {
            if (steps == 2) launchPass<2>(stream.handle(), p);
            else launchPass<1>(stream.handle(), p);
            device.check(what);
        }
        moments_.moveOn(1);
        faces_.moveOn(1);
        facesKnown_ = false;
        step_ += std::uint64_t(steps);
    }

    // A step: corrections of boundaries, runs, its end. See MomentGeometry::makeRuns about a part's rim.
    void beginStep(const cuda::Device& device, const cuda::Stream& stream, const Parameters<T>& p)
    {
        if (!facesKnown_) {
            const std::int32_t tiles = geometry_.tiles().grid().tiles();
            renewFaces<Collision, Eq><<<unsigned(tiles), TileT::N, 0, stream.handle()>>>(now());
            device.check("kernel of faces");
            facesKnown_ = true;
        }
        const SpecialCut whole = geometry_.cut();
        if (handover_.begun() && geometry_.specialNodes() > 0) awaitGhosts(device, stream);
        completeLinks(device, stream.handle(), p, &whole, 1, 0);
        if constexpr (mayLookAround<Collision>)
            lookAroundBoundaries(device, stream, p, whole.nodes, {0, int(openings())}, 0);
    }

    void beginStep(const cuda::Device& device, const cuda::Stream& stream, const Parameters<T>& p,
                   const SlabStep& piece)
    {
        const SpecialCut cuts[2] = {geometry_.cut(piece.remembered[0], piece.stepped[0]),
                                    geometry_.cut(piece.remembered[1], piece.stepped[1])};
        completeLinks(device, stream.handle(), p, cuts, 2, piece.ahead);
        if constexpr (mayLookAround<Collision>)
            for (int i = 0; i < 2; ++i)
                lookAroundBoundaries(device, stream, p, cuts[i].nodes, openingsIn(piece.stepped[i]), piece.ahead);
    }

    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              PartOfTiles part)
    {
        if (geometry_.splitsWalls()) {
            if (part == PartOfTiles::inner) return;
            step<true>(device, stream, what, p, geometry_.runs(true), 0);
            step<false>(device, stream, what, p, geometry_.runs(false), 0);
        } else {
            const RunsView runs = geometry_.runs(part);
            if (runs.count == 0) return;
            step(device, stream, what, p, runs, 0);
        }
        if (part == PartOfTiles::rim) impose(device, stream, p, {0, int(openings())}, 0);
    }

    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              const SlabStep& piece, const PassTables& pass)
    {
        const std::size_t first = pass.ofStep[piece.number], last = pass.ofStep[piece.number + 1];
        if (first == last) return;
        step(device, stream, what, p,
             {geometry_.tilesOfRuns(), pass.first.data() + first, pass.last.data() + first, int(last - first)},
             piece.ahead);
        for (const TileRange& stepped : piece.stepped) impose(device, stream, p, openingsIn(stepped), piece.ahead);
    }

    // Whether steps may hand over by themselves what other parts have as ghosts (RimPassing). Where a step takes longer, kernels of halos
    // are hidden behind it, and cost less than blocks of the rim that wait for the link.
    // Passes over boxes know no such kernels: of large parts, too, single steps pass their rims then, as a force makes them that comes later.
    // With one from the beginning there are no passes (boxOf).
    bool mayPassRim() const
    {
        return splitsRim() && takesBesideStep() && (geometry_.layersOfPlace() < 256 || box_.piece > 0);
    }
    // As a taker of one more giver.
    RimTaker<Tiles> takerOfOneMore(const cuda::Device& device)
    {
        return {{tiles(0), tiles(1)}, handover_.addGiver(device)};
    }
    void addTaker(const RimTaker<Tiles>& taker, const std::vector<NodePlace>& owners,
                  const std::vector<NodePlace>& ghosts, const std::vector<std::uint32_t>& needed)
    {
        if (box_.piece > 0) findBeside(handover_.takers(), owners, ghosts);
        handover_.addTaker(taker, geometry_.rimRunOfTiles(), owners, ghosts, needed);
    }
    // The same of another process, before the first step. Empty: it cannot be one.
    using Shared = SharedRim<Tiles>;
    std::string tellOneMore(const cuda::Device& device, const std::vector<NodePlace>& ghosts)
    {
        if (!handover_.takesMore()) return {};
        const RimTaker<Tiles> taker = takerOfOneMore(device);
        return Shared::told(
            taker, {moments_.name(0), faces_.name(0), moments_.name(1), faces_.name(1), handover_.nameOfArrived()},
            handover_.lastGiver(), ghosts);
    }
    void passRim(const cuda::Device& device) { handover_.begin(device, geometry_.rimRuns()); }
    bool passesRim() const { return handover_.begun(); }
    void awaitGhosts(const cuda::Device& device, const cuda::Stream& stream) const
    {
        awaitGhostsOfRim<<<1, 32, 0, stream.handle()>>>(handover_.view());
        device.check("kernel that waits for ghosts");
    }
    void letGo(const cuda::Stream& stream) const { handover_.letGo(stream.handle()); }

    // Rim and inner tiles by one kernel.
    void stepPassing(const cuda::Device& device, const cuda::Stream& stream, const std::string& what,
                     const Parameters<T>& p)
    {
        step(device, stream, what, p, geometry_.allRuns(), 0);
    }

    void endSteps(int steps)
    {
        const Tiles to = tiles(steps);
        now_ = next_;
        ring_.first = to.ring.first;
        faceRing_.first = to.faceRing.first;
        moments_.moveOn(steps);
        faces_.moveOn(steps);
        step_ += std::uint64_t(steps);
    }

    // Of a step, the one after next is given the same (OnDevice). A ring's are not.
    bool repeats() const { return copies == 2; }
    void beginRecord(const cuda::Device& device)
    {
        if (Tiles::Code::rounds && later_.size() == 0) later_ = {device, 1};
        recording_ = true;
    }
    void endRecord(const cuda::Stream& stream, std::int64_t steps)
    {
        tellNumber(stream, true, steps);
        recording_ = false;
    }
    void beginAgain(const cuda::Stream& stream, std::int64_t later) const { tellNumber(stream, false, later); }

    // Rim and inner tiles may be stepped at the same time, by kernels in two streams: neither reads what the other one writes.
    bool splitsRim() const { return copies == 2 && geometry_.splits(); }

    // See CudaTiles. What is completed before a step lies beside the moments; in a ring ghosts' new places are old ones of
    // other tiles.
    bool keepsState() const { return copies == 2; }
    bool takesBesideStep() const { return copies == 2 && !geometry_.tiles().tables().stepsGhosts(); }

    // values: [n][Q], in device memory.
    template<bool write>
    void access(const NodePlace* places, std::size_t n, double* values) const
    {
        accessMoments<Collision, Eq, write><<<blocksFor(n, listThreads), listThreads>>>(places, int(n), now(), values);
    }

    // See changeNodes.
    template<class Change>
    void change(const NodePlace* places, std::size_t n, const Change& change)
    {
        changeMoments<Collision, Eq><<<blocksFor(n, listThreads), listThreads>>>(places, int(n), now(), change);
    }

    // See CudaTiles: moments, without populations of them.
    template<class Visit>
    void withKnown(Visit&& visit) const
    {
        visit(KnownMoments<Eq, Tiles>{now()});
    }

    // visit(momentumAt): what kernels read the momentum of a node with, see MomentumOfMoments.
    template<class Visit>
    void withMomentum(Visit&& visit) const
    {
        visit(MomentumOfMoments<Eq, Tiles>{now()});
    }

    // As they are stored: values: [n][storedCount].
    static constexpr int storedCount = Tiles::Code::count;
    template<bool write>
    void accessStored(const NodePlace* places, std::size_t n, double* values) const
    {
        accessStoredMoments<Collision, Eq, write>
            <<<blocksFor(n, listThreads), listThreads>>>(places, int(n), now(), values);
    }

    // For ghosts what their owners store in another part, or in this one. See CudaTiles.
    static constexpr int betweenSteps = CudaState<S>::betweenSteps;
    void letIn(const cuda::Device& own, const cuda::Device& other)
    {
        moments_.letIn(own, other);
        faces_.letIn(own, other);
    }
    void take(const CudaMoments& from, std::size_t n, const NodePlace* owners, const NodePlace* ghosts,
              const Wanted& wanted, const cuda::Stream& stream, int ahead = betweenSteps)
    {
        pass<Passing::direct>(n, owners, from.handedOver(ahead), ghosts, handedOver(ahead), wanted, stream);
    }

    // See CudaTiles.
    static std::size_t bytesGiven(std::size_t n)
    {
        return (n + nodesPerTile - 1) / nodesPerTile * tileValues * sizeof(S);
    }
    static std::size_t bytesGiven(const std::vector<std::uint32_t>& wanted) { return bytesGiven(wanted.size()); }
    void give(std::size_t n, const NodePlace* owners, const Wanted& wanted, void* given, const cuda::Stream& stream,
              int ahead = betweenSteps) const
    {
        pass<Passing::give>(n, owners, handedOver(ahead), nullptr, tilesOf(given), wanted, stream);
    }
    void takeGiven(std::size_t n, const NodePlace* ghosts, const Wanted& wanted, void* given,
                   const cuda::Stream& stream, int ahead = betweenSteps)
    {
        pass<Passing::takeGiven>(n, nullptr, tilesOf(given), ghosts, handedOver(ahead), wanted, stream);
    }

    // n tiles, null: the first ones; leftOut: see isLeftOut.
    void inspect(std::size_t n, const std::int32_t* tiles, const TileHealth& none, const std::uint32_t* leftOut,
                 TileHealth* found) const
    {
        inspectMoments<Eq><<<unsigned(n), TileT::N>>>(geometry_.tiles().view(), tiles, now(), none, leftOut, found);
    }

private:
    StepNumber numberOf(int ahead) const
    {
        return {std::uint32_t(before_ + step_ + std::uint64_t(ahead) + 1), recording_ ? later_.data() : nullptr};
    }

    void tellNumber(const cuda::Stream& stream, bool more, std::int64_t steps) const
    {
        if (later_.size() > 0) tellLater<<<1, 1, 0, stream.handle()>>>(later_.data(), more, std::uint32_t(steps));
    }

    Tiles tilesOf(void* given) const { return {static_cast<S*>(given), nullptr, {}, {}, now_}; }

    static Factors factorsOf([[maybe_unused]] const Parameters<T>& p)
    {
        Factors factors{};
        if constexpr (keepsThird<L>) {
            const typename RatesOf<Collision, T>::Type rates(p);
            factors = {rates.plane, rates.edge};
        }
        return factors;
    }

    // Beside a step so few that its blocks, which take long, keep their places: all at once would hold up the first ones' successors
    // for as long as the link takes (two GPUs, 256^3 each, made 0.92 of twice one, now 0.98).
    int blocksOfTakers(std::size_t n) const
    {
        const int all = blocksFor(n, listThreads);
        return splitsRim() ? std::min(all, 64) : all;
    }

    template<Passing passing>
    void pass(std::size_t n, const NodePlace* owners, const Tiles& from, const NodePlace* ghosts, const Tiles& to,
              const Wanted& wanted, const cuda::Stream& stream) const
    {
        takeMoments<passing, Collision, Eq><<<blocksOfTakers(n), listThreads, 0, stream.handle()>>>(
            int(n), owners, from, ghosts, to, wanted.populations);
    }

    // Passes over boxes are written for one lattice and collision, and for rows of 32 nodes.
    static constexpr bool passesOverBoxes = L::D == 3 && L::Q == 19 && copies == 2 && TileT::TX == 32
        && std::is_same_v<S, T> && std::is_same_v<Collision, Regularized> && std::is_same_v<Eq, Incompressible>;
    template<int steps>
    using Box = BoxShape<T, TileT, steps>;

    // No piece: not such a box.
    BoxView boxOf(const Domain& domain, const Config& config, bool streamed)
    {
        const Int3 tile{TileT::TX, TileT::TY, TileT::TZ};
        cutBox_ = domain.hasGhosts();
        const int piece = streamed || (cutBox_ && hasForces(config))
            ? 0
            : layersOfBoxPass(domain, tile, MomentCode<L, T, S>::count, sizeof(T));
        if (piece == 0) return {};
        const Int3 size = boxOfPasses(domain, tile);
        return {size[0] / Box<2>::width, size[1], size[2], piece};
    }

    // Which side of a cut box a taker lies beside, from nodes that it has as ghosts, in the order in which grids of such boxes number tiles
    // of ghosts. Others do not: beside them the part has no passes either (PassedRims asks all).
    void findBeside(int taker, const std::vector<NodePlace>& owners, const std::vector<NodePlace>& ghosts)
    {
        const int tilesAcross = box_.rows / TileT::TY;
        for (std::size_t i = 0; i < owners.size(); ++i) {
            const int tile = owners[i].tile, x = tile % box_.blocks, layer = tile / box_.blocks / tilesAcross,
                      y = tile / box_.blocks % tilesAcross * TileT::TY + owners[i].local / TileT::TX % TileT::TY;
            const int side = y == 0 ? 0 : y == box_.rows - 1 ? 1 : -1;
            const std::int32_t first = side < 0 ? -1 : ghosts[i].tile - ((2 * layer + 1 - side) * box_.blocks + x);
            if (first < 0 || (beside_.taker[side] >= 0 && beside_.ghostsThere[side] != first)) {
                box_ = {};
                return;
            }
            beside_.taker[side] = taker;
            beside_.ghostsThere[side] = first;
        }
    }

    BoxRim<Tiles> boxRim() const
    {
        BoxRim<Tiles> rim = beside_;
        rim.tables = handover_.view().tables;
        rim.ghosts = geometry_.tiles().grid().stepped();
        rim.columns = rimColumns(box_.rows);
        rim.blocks = rim.columns * box_.blocks * pieces();
        return rim;
    }

    int pieces() const { return (box_.layers + box_.piece - 1) / box_.piece; }

    template<int steps>
    void launchPass(cuda::StreamHandle stream, const Parameters<T>& p)
    {
        using Shape = Box<steps>;
        const int columns = (box_.rows + Shape::rowsOf - 1) / Shape::rowsOf;
        const auto launch = [&](const dim3& blocks, const auto& rim) {
            boxPass<Shape><<<blocks, Shape::threads, sizeof(BoxStage<Shape>), stream>>>(moments_.at(0), moments_.at(1),
                                                                                        box_, p.omega, rim);
        };
        if (cutBox_) launch(dim3(box_.blocks * columns * pieces()), boxRim());
        else launch(dim3(box_.blocks, columns, pieces()), NoBoxRim());
    }

    void prepareBox(const cuda::Device& device)
    {
        if constexpr (passesOverBoxes) {
            if (device.sharedMemory() < sizeof(BoxStage<Box<2>>)) box_ = {};
            if (box_.piece == 0) return;
            allowPass<1>(device);
            allowPass<2>(device);
        }
    }

    template<int steps>
    void allowPass(const cuda::Device& device) const
    {
        using Shape = Box<steps>;
        const void* kernel = cutBox_ ? address(&boxPass<Shape, BoxRim<Tiles>>) : address(&boxPass<Shape, NoBoxRim>);
        device.allowSharedMemory(kernel, sizeof(BoxStage<Shape>));
    }

    using Tuning = TunedMoments<L, T, S, TileT>;
    template<bool walls, bool looks>
    using Stage = MomentStage<walls, looks, Layer<L, TileT>, T, S, Faces, Tuning>;
    // Tiles of a run: short ones leave less to spare, but of 24 layers a step takes 1.5 times as long (single precision) as of 64.
    static constexpr int ringRun = 64 / Layer<L, TileT>::depth;
    static_assert(ringRun <= longestRun<Layer<L, TileT>>);
    static constexpr int multiprocessors = multiprocessorsOfDevice;

    template<bool walls, bool looks>
    static auto kernel([[maybe_unused]] bool nodeForces)
    {
        if constexpr (takesNodeValues<Collision>)
            if (nodeForces) return &momentStep<copies == 1, true, walls, looks, L, Collision, Eq, T, S, TileT, Tuning>;
        return &momentStep<copies == 1, false, walls, looks, L, Collision, Eq, T, S, TileT, Tuning>;
    }

    // visit(looks): of the kernels that step this domain, as a constant.
    template<class Visit>
    void withLooks(Visit&& visit) const
    {
        if constexpr (takesStrain<Collision>) return visit(std::true_type());
        if constexpr (mayLookAround<Collision>)
            if (looks_) return visit(std::true_type());
        if constexpr (!takesStrain<Collision>) visit(std::false_type());
    }

    template<class Kernel>
    static const void* address(Kernel* kernel)
    {
        return reinterpret_cast<const void*>(kernel);
    }

    void prepare(const cuda::Device& device)
    {
        prepareBox(device);
        const auto allow = [&](auto walls) {
            withLooks([&](auto looks) {
                for (const bool nodeForces : {false, true})
                    device.allowSharedMemory(address(kernel<walls, looks>(nodeForces)), sizeof(Stage<walls, looks>));
            });
        };
        if (geometry_.hasWalls()) allow(std::true_type());
        if (!geometry_.hasWalls() || geometry_.splitsWalls()) allow(std::false_type());
        geometry_.copyTo(device);
        placesOnDevice_ = {device, places_.tiles.data(), places_.tiles.size()};
        if (openingStrains() > 0) openingStrains_ = {device, openingStrains()};
        if (openingTaus() > 0) openingTaus_ = {device, openingTaus()};
        if (specialGradients() > 0) specialGradients_ = {device, specialGradients()};
    }

    static std::vector<std::size_t> valuesBelow(const std::vector<std::int32_t>& tiles, std::size_t valuesOfTile)
    {
        std::vector<std::size_t> values;
        for (const std::int32_t t : tiles) values.push_back(std::size_t(t) * valuesOfTile);
        return values;
    }

    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              const RunsView& runs, int ahead)
    {
        if (geometry_.hasWalls()) step<true>(device, stream, what, p, runs, ahead);
        else step<false>(device, stream, what, p, runs, ahead);
    }
    template<bool walls>
    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              const RunsView& runs, int ahead)
    {
        withLooks([&](auto looks) { launch<walls, looks>(stream.handle(), p, runs, ahead); });
        device.check(what);
    }

    void impose(const cuda::Device& device, const cuda::Stream& stream, const Parameters<T>& p, const ListCut& openings,
                int ahead)
    {
        if (openings.count == 0) return;
        launchEarly(imposeOpeningMoments<Collision, Eq, L, T, S, TileT>, blocksFor(openings.count, listThreads),
                    listThreads, 0, stream.handle(), boundaryOf(openings), tiles(ahead + 1), p, aroundOf(openings),
                    numberOf(ahead), geometry_.tiles().grid().stepped());
        device.check("kernel of openings");
    }

    template<bool walls, bool looks>
    void launch(cuda::StreamHandle stream, const Parameters<T>& p, const RunsView& runs, int ahead)
    {
        WallsGiven<walls, T> given{};
        if constexpr (walls) given = geometry_.walls();
        AroundGiven<looks, L, T> around{};
        if constexpr (looks) around = {{specialGradients_.data()}};
        launchEarly(kernel<walls, looks>(p.closure.fields.force), runs.count, Layer<L, TileT>::threads,
                    sizeof(Stage<walls, looks>), stream, geometry_.tiles().view(), runs, geometry_.special(),
                    tiles(ahead), tiles(ahead + 1), typename RatesOf<Collision, T>::Type(p), numberOf(ahead),
                    geometry_.turns(step_), given, around, handover_.view());
    }

    // Openings that impose moments do so after the step, which in one copy overwrites what was around them. nodes: special ones.
    void lookAroundBoundaries(const cuda::Device& device, const cuda::Stream& stream, const Parameters<T>& p,
                              const ListCut& nodes, const ListCut& openings, int ahead)
    {
        const std::int32_t stepped = geometry_.tiles().grid().stepped();
        if (openings.count > 0 && looks_) {
            lookAroundOpenings<Eq><<<blocksFor(openings.count, listThreads), listThreads, 0, stream.handle()>>>(
                boundaryOf(openings), geometry_.tiles().view(), geometry_.special(), geometry_.distant(), tiles(ahead),
                p.closure, aroundOf(openings), stepped);
            device.check("kernel of velocity gradients at openings");
        }
        if (nodes.count == 0 || specialGradients_.size() == 0) return;
        lookAroundSpecialNodes<Eq><<<blocksFor(nodes.count, listThreads), listThreads, 0, stream.handle()>>>(
            geometry_.tiles().view(), geometry_.special(), nodes, geometry_.distant(), tiles(ahead),
            SpecialGradients<L, T>{specialGradients_.data()}, stepped);
        device.check("kernel of velocity gradients at remote links");
    }

    std::size_t openings() const { return geometry_.tiles().host().openings().size(); }
    ListCut openingsIn(const TileRange& stepped) const
    {
        if (openings() == 0) return {};
        return geometry_.tiles().tables().cut(stepped, stepped, true).openings;
    }
    BoundaryView<L, T> boundaryOf(const ListCut& openings)
    {
        BoundaryView<L, T> boundary = geometry_.tiles().boundary(__is_same(Eq, Incompressible));
        boundary.openings += openings.first;
        boundary.openingCount = openings.count;
        return boundary;
    }
    OpeningsAround<L, T> aroundOf(const ListCut& openings)
    {
        return OpeningsAround<L, T>{openingStrains_.data(), openingTaus_.data()}.from(openings.first);
    }
    std::size_t openingStrains() const { return takesStrain<Collision> ? openings() * strainComponents<L::D> : 0; }
    std::size_t openingTaus() const { return findsTau_ ? openings() : 0; }
    std::size_t specialGradients() const
    {
        return geometry_.hasDistant() ? geometry_.specialNodes() * SpecialGradients<L, T>::count : 0;
    }

    // Each kernel has done with all pieces before the next one begins.
    void completeLinks(const cuda::Device& device, cuda::StreamHandle stream, const Parameters<T>& p,
                       const SpecialCut* pieces, int count, int ahead)
    {
        const auto special = geometry_.special();
        const auto boundary = geometry_.tiles().boundary(__is_same(Eq, Incompressible));
        const Tiles state = tiles(ahead);
        const auto each = [&](const char* what, auto&& sizeOf, auto&& launch) {
            for (const SpecialCut* c = pieces; c != pieces + count; ++c) {
                const int n = sizeOf(*c);
                if (n == 0) continue;
                launch(*c, blocksFor(n, listThreads));
                device.check(what);
            }
        };
        using Cut = const SpecialCut&;
        each(
            "kernel of boundary nodes", [](Cut c) { return c.states.count + c.others.count + c.distant.count; },
            [&](Cut c, int blocks) {
                launchEarly(rememberNodes<Collision, Eq, Tiles, L, T>, blocks, listThreads, 0, stream, boundary,
                            special, c, state);
            });
        each(
            "kernel of boundary links", [](Cut c) { return c.completed.count + c.pairs.count; },
            [&](Cut c, int blocks) {
                launchEarly(completeSpecialNodes<L, T>, blocks, listThreads, 0, stream, boundary, special, c, p);
            });
        each(
            "kernel of corrections", [](Cut c) { return c.nodes.count; },
            [&](Cut c, int blocks) {
                launchEarly(correctSpecialNodes<Collision, Eq, TileT, Tiles, L, T>, blocks, listThreads, 0, stream,
                            geometry_.tiles().view(), boundary, special, c.nodes, p, state);
            });
    }

    static RingView movedUp(RingView ring, std::int32_t tiles)
    {
        ring.first = (ring.first + tiles) % ring.slots; // by as many slots as there are besides
        return ring;
    }

    // After so many more steps; of one copy, one at most. Kernels that read and such that write share a type.
    Tiles tiles(int ahead) const
    {
        return moved(placed({moments_.at(ahead), faces_.at(ahead), ring_, faceRing_, ahead == 0 ? now_ : next_}),
                     ahead);
    }
    // For those that look at nodes between steps.
    Tiles now() const { return placed({moments_.now(), faces_.now(), ring_, faceRing_, now_}); }

    Tiles handedOver(int ahead) const { return ahead == betweenSteps ? now() : tiles(ahead); }

    Tiles placed(Tiles t) const
    {
        if constexpr (Tiles::Code::rounds) t.places = places_.view(placesOnDevice_.data());
        return t;
    }

    Tiles moved(Tiles t, int ahead) const
    {
        if (copies == 2 || ahead == 0) return t;
        const std::int32_t n = geometry_.tiles().grid().tiles();
        t.ring = movedUp(ring_, n);
        t.faceRing = movedUp(faceRing_, n);
        return t;
    }

    MomentGeometry<L, T, TileT> geometry_;
    PlacesOfTiles places_; // none where nothing is rounded
    cuda::Array<RoundedTile> placesOnDevice_;
    RimHandover<Tiles> handover_; // not begun: halos do that
    RingView ring_{}, faceRing_{};
    Factors now_{}, next_{};
    CudaState<S> moments_;
    CudaState<T> faces_;
    BoxView box_{};
    bool cutBox_ = false;                                      // across y
    BoxRim<Tiles> beside_{nullptr, {-1, -1}, {0, 0}, 0, 0, 0}; // then
    bool facesKnown_ = true;
    bool looks_; // at the velocities around nodes
    bool findsTau_;
    cuda::Array<T> openingStrains_, openingTaus_; // see OpeningsAround
    cuda::Array<T> specialGradients_;             // see SpecialGradients
    std::uint64_t step_ = 0;
    std::uint64_t before_ = 0; // those that the state had behind it at step 0, see Solver::setStateSteps
    bool recording_ = false;
    mutable cuda::Array<std::uint32_t> later_; // of recorded steps, see StepNumber
};

} // namespace lbm
