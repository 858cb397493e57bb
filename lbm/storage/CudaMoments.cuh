// CudaMoments: moments on tiles in the memory of a CUDA device, two copies. S is what they are stored as.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/MomentGeometry.hpp"
#include "lbm/storage/MomentNodes.cuh"
#include "lbm/storage/MomentStep.cuh"

namespace lbm {

template<class LatticeT, class T, class S, class TileT, class Collision, class Eq>
class CudaMoments {
public:
    using L = LatticeT;
    using Scalar = T;
    using Tiles = MomentTiles<L, T, S, TileT>;
    using Faces = MomentFaces<L, S, TileT>;
    static constexpr int nodesPerTile = TileT::N, copies = 2;
    static constexpr std::size_t tileValues = std::size_t(MomentSet<L, T>::count)*TileT::N;

    CudaMoments(const Domain& domain, const Config& config) : geometry_(domain, config, longestRun) {}

    const CudaGeometry<L, T, TileT>& geometry() const { return geometry_.tiles(); }
    CudaGeometry<L, T, TileT>& geometry() { return geometry_.tiles(); }

    std::size_t stateBytes() const
    {
        return geometry_.tiles().grid().tiles()*(tileValues*sizeof(S) + Faces::tileValues*sizeof(T))*copies;
    }
    std::size_t geometryBytes() const { return geometry_.bytes(); }
    std::size_t idealBytes() const
    {
        return std::size_t(geometry_.tiles().host().fluidNodes())*MomentSet<L, T>::count*sizeof(S)*copies;
    }

    void copyTo(const cuda::Device& device)
    {
        device.allowSharedMemory(reinterpret_cast<const void*>(kernel()), sizeof(Stage));
        geometry_.copyTo(device);
        const std::size_t n = geometry_.tiles().grid().tiles();
        for (Copy* copy : {&current_, &next_}) {
            copy->moments = {device, n*tileValues};
            copy->faces = {device, n*Faces::tileValues};
        }
    }

    void step(const cuda::Device& device, const std::string& what, const Parameters<T>& p)
    {
        using Plane = Layer<L, TileT>;
        if (Faces::kept && changed_) {
            const std::size_t n = geometry_.tiles().grid().tiles()*std::size_t(2*Faces::rows*Faces::layers);
            makeFaces<Collision, Eq><<<blocksFor(n, listThreads), listThreads>>>(int(n), current_.tiles());
            device.check("kernel of faces");
        }
        changed_ = false;
        exchange(device, p);
        const RunsView runs = geometry_.runs();
        kernel()<<<runs.count, Plane::threads, sizeof(Stage)>>>(geometry_.tiles().view(), runs, geometry_.special(), current_.tiles(), next_.tiles(),
                                                                MomentRates<T>(p), ++seed_);
        device.check(what);
        std::swap(current_, next_);
    }

    // values: [n][Q], in device memory.
    template<bool write>
    void access(const NodePlace* places, std::size_t n, double* values) const
    {
        accessMoments<Collision, Eq, write><<<blocksFor(n, listThreads), listThreads>>>(places, int(n), current_.tiles(), values);
        changed_ = changed_ || write;
    }

    // Every stride-th tile.
    void inspect(std::size_t n, int stride, const TileHealth& none, TileHealth* found) const
    {
        inspectMoments<Eq><<<unsigned(n), TileT::N>>>(geometry_.tiles().view(), stride, current_.tiles(), none, found);
    }

private:
    using Tuning = TunedMoments<L, T, S, TileT>;
    using Stage = MomentStage<Layer<L, TileT>, T, Faces, Tuning::buffers>;

    static constexpr auto kernel() { return &momentStep<L, Collision, Eq, T, S, TileT, Tuning>; }

    void exchange(const cuda::Device& device, const Parameters<T>& p)
    {
        const auto special = geometry_.special();
        if (special.count == 0) return;
        const auto boundary = geometry_.tiles().boundary(__is_same(Eq, Incompressible));
        const Tiles tiles = current_.tiles();
        rememberSpecialNodes<Collision, Eq><<<blocksFor(special.count, listThreads), listThreads>>>(boundary, special, tiles);
        device.check("kernel of boundary nodes");
        if (const int n = boundary.nodes + boundary.pairCount) {
            completeSpecialNodes<<<blocksFor(n, listThreads), listThreads>>>(boundary, special, p);
            device.check("kernel of boundary links");
        }
        correctSpecialNodes<Collision, Eq, TileT><<<blocksFor(special.count, listThreads), listThreads>>>(
            geometry_.tiles().view(), boundary, special, tiles);
        device.check("kernel of corrections");
    }

    struct Copy {
        cuda::Array<S> moments;
        cuda::Array<T> faces;

        // Kernels that read and such that write share a type.
        Tiles tiles() const { return {const_cast<S*>(moments.data()), const_cast<T*>(faces.data())}; }
    };

    MomentGeometry<L, T, TileT> geometry_;
    Copy current_, next_;
    std::uint32_t seed_ = 0;            // of rounding
    mutable bool changed_ = false;      // by access: faces are of moments that are no more
};

} // namespace lbm
