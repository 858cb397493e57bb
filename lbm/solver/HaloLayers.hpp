// HaloLayers: which of a halo's nodes lie in layers of tiles along the axis that slabs stream along. Halos list nodes by layer, and a
// ghost lies in the layer that its owner does, for such a domain is not cut across that axis.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/geometry/Slabs.hpp"
#include "lbm/solver/Part.hpp"

#include <algorithm>
#include <stdexcept>

namespace lbm {

class HaloLayers {
public:
    // nodes: of the Domain, ghosts or owners. extents: of a tile.
    HaloLayers(const Domain& domain, const std::vector<NodeIndex>& nodes, const Int3& extents)
    {
        const int axis = domain.dimensions - 1;
        const auto layerOf = [&](NodeIndex node) { return domain.coordinates(node)[axis] / extents[axis]; };
        below_.assign(std::size_t((domain.size[axis] + extents[axis] - 1) / extents[axis]) + 1, 0);
        int last = 0;
        for (const NodeIndex node : nodes) {
            const int layer = layerOf(node);
            if (layer < last) throw std::logic_error("slabs: a halo's nodes are not in the order of layers");
            ++below_[std::size_t(last = layer) + 1];
        }
        for (std::size_t z = 1; z < below_.size(); ++z) below_[z] += below_[z - 1];
    }

    // f(first of them, how many): of the nodes in some layers, which may go on above the top.
    template<class F>
    void forNodesIn(const LayerRange& layers, F&& f) const
    {
        for (const TileRange& nodes : tilesIn(layers, below_))
            if (nodes.count() > 0) f(std::size_t(nodes.first), std::size_t(nodes.count()));
    }

private:
    std::vector<std::int32_t> below_; // as tiles below each layer
};

} // namespace lbm
