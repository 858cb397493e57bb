// CudaMoments: moments on tiles in the memory of a CUDA device, two copies, or one as a ring (see MomentRing). S is what
// they are stored as.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/MomentGeometry.hpp"
#include "lbm/storage/moments/gpu/MomentNodes.cuh"
#include "lbm/storage/moments/gpu/MomentStep.cuh"

namespace lbm {

template<int copyCount, class LatticeT, class T, class S, class TileT, class Collision, class Eq>
class CudaMoments {
public:
    using L = LatticeT;
    using Scalar = T;
    using Tiles = MomentTiles<L, T, S, TileT>;
    using Faces = MomentFaces<L, S, TileT>;
    static constexpr int nodesPerTile = TileT::N, copies = copyCount;
    static constexpr std::size_t tileValues = std::size_t(MomentCode<L, T, S>::count) * TileT::N;

    CudaMoments(const Domain& domain, const Config& config) :
        geometry_(domain, config, copies == 1 ? ringRun : longestRun, multiprocessors * Tuning::blocks, copies == 1)
    {
        ring_.slots = faceRing_.slots = geometry_.tiles().grid().tiles();
        if (copies == 2) return;
        geometry_.makeRing(domain.size, Faces::kept, multiprocessors * Tuning::blocks * ringRun);
        ring_.slots += geometry_.ring().shift;
        faceRing_.slots += geometry_.ring().faceShift;
    }

    const CudaGeometry<L, T, TileT>& geometry() const { return geometry_.tiles(); }
    CudaGeometry<L, T, TileT>& geometry() { return geometry_.tiles(); }

    std::size_t stateBytes() const
    {
        return (ring_.slots * tileValues * sizeof(S) + faceRing_.slots * Faces::tileValues * sizeof(T)) * copies;
    }
    std::size_t geometryBytes() const { return geometry_.bytes(); }
    std::size_t idealBytes() const
    {
        return std::size_t(geometry_.tiles().host().fluidNodes()) * MomentCode<L, T, S>::count * sizeof(S) * copies;
    }

    void copyTo(const cuda::Device& device)
    {
        for (const bool nodeForces : {false, true})
            device.allowSharedMemory(geometry_.hasWalls() ? address(kernel<true>(nodeForces))
                                                          : address(kernel<false>(nodeForces)),
                                     geometry_.hasWalls() ? sizeof(Stage<true>) : sizeof(Stage<false>));
        geometry_.copyTo(device);
        for (int c = 0; c < copies; ++c) {
            memory_[c].moments = {device, ring_.slots * tileValues};
            memory_[c].faces = {device, faceRing_.slots * Faces::tileValues};
        }
        ring_.position = faceRing_.position = geometry_.positions();
    }

    // A step: corrections of boundaries, runs, its end. See MomentGeometry::makeRuns about a part's rim.
    void beginStep(const cuda::Device& device, const cuda::Stream& stream, const Parameters<T>& p)
    {
        completeLinks(device, stream.handle(), p);
    }

    void step(const cuda::Device& device, const cuda::Stream& stream, const std::string& what, const Parameters<T>& p,
              PartOfTiles part)
    {
        const TileGrid& grid = geometry_.tiles().grid();
        if (grid.range(part).count() == 0) return;
        if (geometry_.hasWalls()) launch<true>(stream.handle(), p, geometry_.walls());
        else launch<false>(stream.handle(), p, NoWalls());
        device.check(what);
        const auto boundary = geometry_.tiles().boundary(__is_same(Eq, Incompressible));
        if (const int n = boundary.openingCount) {
            imposeOpeningMoments<Collision, Eq><<<blocksFor(n, listThreads), listThreads, 0, stream.handle()>>>(
                boundary, tiles(1), p, std::uint32_t(step_ + 1), grid.stepped());
            device.check("kernel of openings");
        }
    }

    void endStep()
    {
        const Tiles to = tiles(1);
        ring_.first = to.ring.first;
        faceRing_.first = to.faceRing.first;
        ++step_;
    }

    // See CudaTiles. What is completed before a step lies beside the moments; in a ring ghosts' new places are old ones of
    // other tiles.
    bool keepsState() const { return copies == 2; }
    bool takesBesideStep() const { return copies == 2 && !geometry_.tiles().tables().stepsGhosts(); }

    // values: [n][Q], in device memory.
    template<bool write>
    void access(const NodePlace* places, std::size_t n, double* values) const
    {
        accessMoments<Collision, Eq, write>
            <<<blocksFor(n, listThreads), listThreads>>>(places, int(n), tiles(0), values);
    }

    // As they are stored: values: [n][storedCount].
    static constexpr int storedCount = Tiles::Code::count;
    template<bool write>
    void accessStored(const NodePlace* places, std::size_t n, double* values) const
    {
        accessStoredMoments<Collision, Eq, write>
            <<<blocksFor(n, listThreads), listThreads>>>(places, int(n), tiles(0), values);
    }

    // For ghosts what their owners store in another part, or in this one.
    void take(const CudaMoments& from, std::size_t n, const NodePlace* owners, const NodePlace* ghosts,
              const std::uint32_t* needed, const cuda::Stream& stream)
    {
        takeMoments<Collision, Eq><<<blocksFor(n, listThreads), listThreads, 0, stream.handle()>>>(
            int(n), owners, from.tiles(0), ghosts, tiles(0), needed);
    }

    // Every stride-th tile; ghosts: see isGhost.
    void inspect(std::size_t n, int stride, const TileHealth& none, const std::uint32_t* ghosts,
                 TileHealth* found) const
    {
        inspectMoments<Eq><<<unsigned(n), TileT::N>>>(geometry_.tiles().view(), stride, tiles(0), none, ghosts, found);
    }

private:
    using Tuning = TunedMoments<L, T, S, TileT>;
    template<bool walls>
    using Stage = MomentStage<walls, Layer<L, TileT>, T, S, Faces, Tuning>;
    // Tiles of a run: short ones leave less to spare, but of 24 layers a step takes 1.5 times as long (single precision) as of 64.
    static constexpr int ringRun = 64 / Layer<L, TileT>::depth;
    static_assert(ringRun <= longestRun);
    static constexpr int multiprocessors =
        132; // of an H200; others run as well, with runs a little longer or shorter than best

    template<bool walls>
    static auto kernel([[maybe_unused]] bool nodeForces)
    {
        if constexpr (takesNodeValues<Collision>)
            if (nodeForces) return &momentStep<copies == 1, true, walls, L, Collision, Eq, T, S, TileT, Tuning>;
        return &momentStep<copies == 1, false, walls, L, Collision, Eq, T, S, TileT, Tuning>;
    }

    template<class Kernel>
    static const void* address(Kernel* kernel)
    {
        return reinterpret_cast<const void*>(kernel);
    }

    template<bool walls>
    void launch(cuda::StreamHandle stream, const Parameters<T>& p, const WallsGiven<walls, T>& given)
    {
        const RunsView runs = geometry_.runs();
        kernel<walls>(p.closure.fields.force)<<<runs.count, Layer<L, TileT>::threads, sizeof(Stage<walls>), stream>>>(
            geometry_.tiles().view(), runs, geometry_.special(), tiles(0), tiles(1), MomentRates<T>(p),
            std::uint32_t(step_ + 1), geometry_.turns(step_), given);
    }

    void completeLinks(const cuda::Device& device, cuda::StreamHandle stream, const Parameters<T>& p)
    {
        const auto special = geometry_.special();
        const auto boundary = geometry_.tiles().boundary(__is_same(Eq, Incompressible));
        if (const int n = special.rememberedCount + special.distantCount) {
            rememberNodes<Collision, Eq>
                <<<blocksFor(n, listThreads), listThreads, 0, stream>>>(boundary, special, tiles(0));
            device.check("kernel of boundary nodes");
        }
        if (const int n = special.rememberedStates + boundary.pairCount) {
            completeSpecialNodes<<<blocksFor(n, listThreads), listThreads, 0, stream>>>(boundary, special, p);
            device.check("kernel of boundary links");
        }
        if (special.count == 0) return;
        correctSpecialNodes<Collision, Eq, TileT><<<blocksFor(special.count, listThreads), listThreads, 0, stream>>>(
            geometry_.tiles().view(), boundary, special, p, tiles(0));
        device.check("kernel of corrections");
    }

    static RingView movedUp(RingView ring, std::int32_t tiles)
    {
        ring.first = (ring.first + tiles) % ring.slots; // by as many slots as there are besides
        return ring;
    }

    // ahead 0: as they are, 1: where they will be after the step. Kernels that read and such that write share a type.
    Tiles tiles(int ahead) const
    {
        const Memory& memory = memory_[(step_ + ahead) % copies];
        Tiles t{const_cast<S*>(memory.moments.data()), const_cast<T*>(memory.faces.data()), ring_, faceRing_};
        if (copies == 1 && ahead == 1) {
            const std::int32_t n = geometry_.tiles().grid().tiles();
            t.ring = movedUp(ring_, n);
            t.faceRing = movedUp(faceRing_, n);
        }
        return t;
    }

    struct Memory {
        cuda::Array<S> moments;
        cuda::Array<T> faces;
    };

    MomentGeometry<L, T, TileT> geometry_;
    RingView ring_{}, faceRing_{};
    Memory memory_[copies];
    std::uint64_t step_ = 0;
};

} // namespace lbm
