// TiledFields: what nodes on the tiles of a host are told one by one, in tiles as kernels load it, and once more of boundary nodes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Lanes.hpp"
#include "lbm/device/Memory.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/physics/Parameters.hpp"

#include <algorithm>

namespace lbm {

template<class T, int D, int tileNodes>
class TiledFields {
public:
    TiledFields(bool tau, bool force, bool strain, std::int32_t tiles, std::size_t boundaryNodes, int threads) :
        tiles_(tiles), boundaryNodes_(boundaryNodes), threads_(threads)
    {
        if (tau) tau_ = HostArray<T>(tauFirst() + nodes());
        if (force) force_ = HostArray<T>(forceFirst() + D * nodes());
        if (strain) strain_ = HostArray<T>(strainComponents<D> * nodes());
    }

    NodeFields<T> fields() const
    {
        return {tau_.data() ? tau_.data() + tauFirst() : nullptr,
                force_.data() ? force_.data() + forceFirst() : nullptr, strain_.data()};
    }

    // [tile][node], to be written. Not what boundary nodes have once more.
    T* tau() { return tau_.data() ? tau_.data() + tauFirst() : nullptr; }

    // [tile][component][node], likewise; null: nobody asks.
    T* strain() { return strain_.data(); }

    std::size_t bytes() const
    {
        return ((tau_.data() ? tauFirst() + nodes() : 0) + (force_.data() ? forceFirst() + D * nodes() : 0)
                + (strain_.data() ? strainComponents<D> * nodes() : 0))
            * sizeof(T);
    }

    // Of all nodes, solid ones included: their lanes are collided, too. Each thread touches the tiles that it will work on.
    void fillTau(T tau)
    {
        if (!tau_.data()) return;
        std::fill_n(tau_.data(), tauFirst(), tau);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::int32_t t = 0; t < tiles_; ++t)
            std::fill_n(tau_.data() + tauFirst() + std::size_t(t) * tileNodes, tileNodes, tau);
    }

    // No strain: solid lanes are collided, too. Each thread touches the tiles that it will work on.
    void clearStrain()
    {
        if (!strain_.data()) return;
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::int32_t t = 0; t < tiles_; ++t)
            std::fill_n(strain_.data() + placeOfStrain<D>(t, 0, 0, tileNodes), strainComponents<D> * tileNodes, T(0));
    }

    template<class Force>
    void fillForce(const Force& force)
    {
        if (!force_.data()) return;
        T* const tiles = force_.data() + forceFirst();
        for (std::size_t i = 0; i < boundaryNodes_; ++i)
            for (int a = 0; a < 3; ++a) tiles[NodeFields<T>::boundaryForce(i) + a] = T(force[a]);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::int32_t t = 0; t < tiles_; ++t)
            for (int a = 0; a < D; ++a)
                std::fill_n(tiles + placeOfForce<D>(t, a, 0, tileNodes), tileNodes, T(force[a]));
    }

    // boundaryNode: its number, -1: is none.
    void setTau(const TilePlace& place, std::int32_t boundaryNode, double tau)
    {
        T* const tiles = tau_.data() + tauFirst();
        tiles[std::size_t(place.tile) * tileNodes + place.local] = T(tau);
        if (boundaryNode >= 0) tiles[NodeFields<T>::boundaryTau(boundaryNode)] = T(tau);
    }

    void setForce(const TilePlace& place, std::int32_t boundaryNode, const double* force)
    {
        T* const tiles = force_.data() + forceFirst();
        for (int a = 0; a < D; ++a) tiles[placeOfForce<D>(place.tile, a, place.local, tileNodes)] = T(force[a]);
        for (int a = 0; boundaryNode >= 0 && a < 3; ++a)
            tiles[NodeFields<T>::boundaryForce(boundaryNode) + a] = T(a < D ? force[a] : 0);
    }

private:
    // Room for boundary nodes; rows of tiles begin with a cache line.
    static std::size_t wholeLines(std::size_t n) { return (n + lineNodes<T> - 1) / lineNodes<T> * lineNodes<T>; }
    std::size_t tauFirst() const { return wholeLines(boundaryNodes_); }
    std::size_t forceFirst() const { return wholeLines(3 * boundaryNodes_); }
    std::size_t nodes() const { return std::size_t(tiles_) * tileNodes; }

    std::int32_t tiles_;
    std::size_t boundaryNodes_;
    int threads_;
    HostArray<T> tau_, force_, strain_;
};

} // namespace lbm
