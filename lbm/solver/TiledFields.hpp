// TiledFields: what nodes on the tiles of a host are told one by one, in tiles as kernels load it, and once more of boundary nodes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Memory.hpp"
#include "lbm/geometry/TileGrid.hpp"
#include "lbm/physics/Parameters.hpp"

#include <vector>

namespace lbm {

template<class T, int D, int tileNodes>
class TiledFields {
public:
    TiledFields(bool tau, bool force, std::int32_t tiles, std::size_t boundaryNodes, int threads) :
        tiles_(tiles), threads_(threads)
    {
        const std::size_t nodes = std::size_t(tiles) * tileNodes;
        if (tau) {
            tau_ = HostArray<T>(nodes);
            boundaryTau_.resize(boundaryNodes);
        }
        if (force) {
            force_ = HostArray<T>(D * nodes);
            boundaryForce_.resize(3 * boundaryNodes);
        }
    }

    NodeFields<T> fields() const
    {
        const auto boundary = [](const std::vector<T>& values) { return values.empty() ? nullptr : values.data(); };
        return {tau_.data(), force_.data(), boundary(boundaryTau_), boundary(boundaryForce_)};
    }

    std::size_t bytes() const
    {
        const std::size_t nodes = std::size_t(tiles_) * tileNodes;
        return ((tau_.data() ? nodes : 0) + (force_.data() ? D * nodes : 0) + boundaryTau_.size()
                + boundaryForce_.size())
            * sizeof(T);
    }

    // Of all nodes, solid ones included: their lanes are collided, too. Each thread touches the tiles that it will work on.
    void fillTau(T tau)
    {
        if (!tau_.data()) return;
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::int32_t t = 0; t < tiles_; ++t) std::fill_n(tau_.data() + std::size_t(t) * tileNodes, tileNodes, tau);
        std::fill(boundaryTau_.begin(), boundaryTau_.end(), tau);
    }

    template<class Force>
    void fillForce(const Force& force)
    {
        if (!force_.data()) return;
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::int32_t t = 0; t < tiles_; ++t)
            for (int a = 0; a < D; ++a)
                std::fill_n(force_.data() + placeOfForce<D>(t, a, 0, tileNodes), tileNodes, T(force[a]));
        for (std::size_t i = 0; i < boundaryForce_.size(); ++i) boundaryForce_[i] = T(force[i % 3]);
    }

    // boundaryNode: its number, -1: is none.
    void setTau(const TilePlace& place, std::int32_t boundaryNode, double tau)
    {
        tau_.data()[std::size_t(place.tile) * tileNodes + place.local] = T(tau);
        if (boundaryNode >= 0) boundaryTau_[boundaryNode] = T(tau);
    }

    void setForce(const TilePlace& place, std::int32_t boundaryNode, const double* force)
    {
        for (int a = 0; a < D; ++a) force_.data()[placeOfForce<D>(place.tile, a, place.local, tileNodes)] = T(force[a]);
        for (int a = 0; boundaryNode >= 0 && a < 3; ++a) boundaryForce_[3 * boundaryNode + a] = T(a < D ? force[a] : 0);
    }

private:
    std::int32_t tiles_;
    int threads_;
    HostArray<T> tau_, force_;
    std::vector<T> boundaryTau_, boundaryForce_;
};

} // namespace lbm
