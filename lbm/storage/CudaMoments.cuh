// CudaMoments: moments on tiles in the memory of a CUDA device, two copies. S is what they are stored as.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/MomentGeometry.hpp"
#include "lbm/storage/MomentKernels.cuh"
#include "lbm/storage/NodeKernels.cuh"

namespace lbm {

template<class LatticeT, class T, class S, class TileT, class Collision, class Eq>
class CudaMoments {
public:
    using L = LatticeT;
    using Scalar = T;
    using Tiles = MomentTiles<L, T, S, TileT>;
    static constexpr int nodesPerTile = TileT::N, copies = 2;
    static constexpr std::size_t tileValues = std::size_t(MomentSet<L, T>::count)*TileT::N;

    CudaMoments(const Domain& domain, const Config& config) : geometry_(domain, config, longestRun) {}

    const CudaGeometry<L, T, TileT>& geometry() const { return geometry_.tiles(); }
    CudaGeometry<L, T, TileT>& geometry() { return geometry_.tiles(); }

    std::size_t stateBytes() const { return geometry_.tiles().grid().tiles()*tileValues*sizeof(S)*copies; }
    std::size_t geometryBytes() const { return geometry_.bytes(); }
    std::size_t idealBytes() const
    {
        return std::size_t(geometry_.tiles().host().fluidNodes())*MomentSet<L, T>::count*sizeof(S)*copies;
    }

    void copyTo(const cuda::Device& device)
    {
        device.allowSharedMemory(reinterpret_cast<const void*>(kernel()), sizeof(Stage));
        geometry_.copyTo(device);
        const std::size_t n = geometry_.tiles().grid().tiles()*tileValues;
        current_ = {device, n};
        next_ = {device, n};
    }

    void step(const cuda::Device& device, const std::string& what, const Parameters<T>& p)
    {
        using Plane = Layer<L, TileT>;
        const Tiles from{current_.data()}, to{next_.data()};
        exchange(device, p);
        const RunsView runs = geometry_.runs();
        kernel()<<<runs.count, Plane::threads, sizeof(Stage)>>>(geometry_.tiles().view(), runs, geometry_.special(), from, to, MomentRates<T>(p));
        device.check(what);
        current_.swap(next_);
    }

    // values: [n][Q], in device memory.
    template<bool write>
    void access(const NodePlace* places, std::size_t n, double* values) const
    {
        // accessMoments serves both directions, as does the address.
        accessMoments<Collision, Eq, write><<<blocksFor(n, listThreads), listThreads>>>(
            places, int(n), Tiles{const_cast<S*>(current_.data())}, values);
    }

    // Every stride-th tile.
    void inspect(std::size_t n, int stride, const TileHealth& none, TileHealth* found) const
    {
        inspectMoments<Eq><<<unsigned(n), TileT::N>>>(geometry_.tiles().view(), stride, Tiles{const_cast<S*>(current_.data())},
                                                      none, found);
    }

private:
    using Tuning = TunedMoments<L, T, S, TileT>;
    using Stage = MomentStage<Layer<L, TileT>, T, Tuning::buffers>;

    static constexpr auto kernel() { return &momentStep<L, Collision, Eq, T, S, TileT, Tuning>; }

    void exchange(const cuda::Device& device, const Parameters<T>& p)
    {
        const auto special = geometry_.special();
        if (special.count == 0) return;
        const auto boundary = geometry_.tiles().boundary(__is_same(Eq, Incompressible));
        const Tiles tiles{current_.data()};
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

    MomentGeometry<L, T, TileT> geometry_;
    cuda::Array<S> current_, next_;
};

} // namespace lbm
