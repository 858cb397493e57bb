// CudaFields: what nodes on the tiles of a CUDA device are told one by one, in tiles as kernels load it, and once more of boundary
// nodes. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/physics/NodeValues.hpp"
#include "lbm/storage/nodes/NodeKernels.cuh"

#include <algorithm>

namespace lbm {

template<class T>
__global__ void __launch_bounds__(listThreads) fillValues(std::size_t n, T value, T* values)
{
    const std::size_t i = std::size_t(blockIdx.x) * listThreads + threadIdx.x;
    if (i < n) values[i] = value;
}

template<class T>
__global__ void __launch_bounds__(listThreads)
    setNodeTau(const NodePlace* places, int n, int tileNodes, const double* values, T* tau)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i < n) tau[std::size_t(places[i].tile) * tileNodes + places[i].local] = T(values[i]);
}

// Component a of all: a block a tile.
template<int D, class T>
__global__ void fillForceComponent(int a, T value, T* force)
{
    force[placeOfForce<D>(blockIdx.x, a, threadIdx.x, blockDim.x)] = value;
}

// values: [n][3].
template<int D, class T>
__global__ void __launch_bounds__(listThreads)
    setNodeForce(const NodePlace* places, int n, int tileNodes, const double* values, T* force)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= n) return;
    for (int a = 0; a < D; ++a)
        force[placeOfForce<D>(places[i].tile, a, places[i].local, tileNodes)] = T(values[3 * std::size_t(i) + a]);
}

// For boundary nodes at places what their nodes in tiles have.
template<int D, class T>
__global__ void __launch_bounds__(listThreads)
    copyToBoundary(const NodePlace* places, int n, int tileNodes, T* tau, T* force)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= n) return;
    const NodePlace at = places[i];
    if (tau) tau[NodeFields<T>::boundaryTau(i)] = tau[std::size_t(at.tile) * tileNodes + at.local];
    for (int a = 0; force && a < 3; ++a)
        force[NodeFields<T>::boundaryForce(i) + a] =
            a < D ? force[placeOfForce<D>(at.tile, a, at.local, tileNodes)] : T(0);
}

// tau: [n], force: [n][3], of the nodes at places.
template<int D, class T>
__global__ void __launch_bounds__(listThreads)
    getNodeValues(const NodePlace* places, int n, int tileNodes, Parameters<T> p, double* tau, double* force)
{
    const int i = blockIdx.x * listThreads + threadIdx.x;
    if (i >= n) return;
    const NodeValues<T> own = valuesOfNode<D>(p, std::size_t(places[i].tile) * tileNodes + places[i].local, tileNodes);
    tau[i] = own.tau;
    for (int a = 0; a < 3; ++a) force[3 * std::size_t(i) + a] = own.force[a];
}

template<class L, class T, int tileNodes>
class CudaFields {
public:
    static constexpr int D = L::D;

    CudaFields(const cuda::Device& device, bool tau, bool force) : device_(&device), tau_(tau), force_(force) {}

    bool any() const { return tau_ || force_; }
    bool byNode() const { return tau_; }
    bool forces() const { return force_; }

    std::size_t bytes(std::int32_t tiles, std::size_t boundaryNodes) const
    {
        const std::size_t nodes = std::size_t(tiles) * tileNodes;
        return ((tau_ ? room(boundaryNodes) + nodes : 0) + (force_ ? room(3 * boundaryNodes) + D * nodes : 0))
            * sizeof(T);
    }

    void allocate(std::int32_t tiles, std::size_t boundaryNodes)
    {
        const std::size_t nodes = std::size_t(tiles) * tileNodes;
        tiles_ = tiles;
        boundaryNodes_ = boundaryNodes;
        if (tau_) taus_ = {*device_, room(boundaryNodes) + nodes};
        if (force_) forces_ = {*device_, room(3 * boundaryNodes) + D * nodes};
    }

    NodeFields<T> fields() const
    {
        return {tau_ ? taus_.data() + room(boundaryNodes_) : nullptr,
                force_ ? forces_.data() + room(3 * boundaryNodes_) : nullptr};
    }

    // boundary: places of the boundary nodes on the device.
    void fillTau(T tau, const NodePlace* boundary)
    {
        if (!tau_) return;
        fillValues<<<blocksFor(taus_.size(), listThreads), listThreads>>>(taus_.size(), tau, taus_.data());
        device_->check("kernel of relaxation times by node");
        renewBoundary(boundary);
    }

    template<class Force>
    void fillForce(const Force& force, const NodePlace* boundary)
    {
        if (!force_) return;
        for (int a = 0; a < D && tiles_ > 0; ++a) {
            fillForceComponent<D><<<unsigned(tiles_), tileNodes>>>(a, T(force[a]), tileForces());
            device_->check("kernel of forces by node");
        }
        renewBoundary(boundary);
    }

    void setTau(const NodePlace* places, std::size_t n, const double* tau)
    {
        if (n == 0) return;
        setNodeTau<<<blocksFor(n, listThreads), listThreads>>>(places, int(n), tileNodes, send(tau, n), tileTaus());
        device_->check("kernel of relaxation times by node");
    }

    void setForce(const NodePlace* places, std::size_t n, const double* forces)
    {
        if (n == 0) return;
        setNodeForce<D>
            <<<blocksFor(n, listThreads), listThreads>>>(places, int(n), tileNodes, send(forces, 3 * n), tileForces());
        device_->check("kernel of forces by node");
    }

    void renewBoundary(const NodePlace* places)
    {
        if (boundaryNodes_ == 0) return;
        copyToBoundary<D><<<blocksFor(boundaryNodes_, listThreads), listThreads>>>(
            places, int(boundaryNodes_), tileNodes, tau_ ? tileTaus() : nullptr, force_ ? tileForces() : nullptr);
        device_->check("kernel of boundary nodes' values");
    }

    // tau: [n], forces: [n][3]; either may be null.
    void get(const NodePlace* places, std::size_t n, const Parameters<T>& p, double* tau, double* forces) const
    {
        if (n == 0) return;
        double* const room = roomFor(4 * n);
        getNodeValues<D><<<blocksFor(n, listThreads), listThreads>>>(places, int(n), tileNodes, p, room, room + n);
        device_->check("kernel of nodes' values");
        if (tau) device_->toHost(tau, room, n * sizeof(double));
        if (forces) device_->toHost(forces, room + n, 3 * n * sizeof(double));
    }

    // See placeOfForce.
    T* tileForces() { return forces_.data() + room(3 * boundaryNodes_); }

private:
    // For boundary nodes, in front: tiles begin with whole lines.
    static std::size_t room(std::size_t n) { return (n + tileNodes - 1) / tileNodes * tileNodes; }
    T* tileTaus() { return taus_.data() + room(boundaryNodes_); }

    double* roomFor(std::size_t n) const
    {
        if (room_.size() < n) room_ = {*device_, n};
        return room_.data();
    }

    const double* send(const double* values, std::size_t n)
    {
        double* const room = roomFor(n);
        device_->toDevice(room, values, n * sizeof(double));
        return room;
    }

    const cuda::Device* device_;
    bool tau_, force_;
    std::int32_t tiles_ = 0;
    std::size_t boundaryNodes_ = 0;
    cuda::Array<T> taus_, forces_;
    mutable cuda::Array<double> room_; // of what is told or asked, kept from call to call
};

} // namespace lbm
